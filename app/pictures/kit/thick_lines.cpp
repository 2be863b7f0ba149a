#include "app/pictures/kit/thick_lines.h"

namespace warplens {

Picture with_thick_lines(Picture picture, float factor) {
    constexpr float kMarks = 1.25f;  // markers of neighbouring points must not meet
    for (Shape& shape : picture.shapes) {
        if (auto* box = std::get_if<Box>(&shape)) box->stroke_width *= factor;
        if (auto* path = std::get_if<Path>(&shape)) path->width *= factor;
        if (auto* wire = std::get_if<Wire>(&shape)) wire->width *= factor;
        if (auto* mark = std::get_if<Mark>(&shape); mark != nullptr && factor > 1) mark->radius *= kMarks;
    }
    return picture;
}

}  // namespace warplens
