#include "app/pictures/kit/looks.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kLeastPatterned = 5;  // [points] of a box: a pattern in less is noise
constexpr double kFaintest = 1.6;     // contrast with paper of an area without an outline
constexpr Color kPaper{255, 255, 255, 255};

/// The pattern of each colour of Theme::series, and none for `measured`: it is plain.
constexpr std::optional<Hatch> kPatterns[] = {Hatch::rising, Hatch::upright, Hatch::level,  Hatch::crossed,
                                              std::nullopt,  Hatch::falling, Hatch::squared};

std::optional<Hatch> pattern_for(const Theme& theme, Color fill) {
    for (std::size_t i = 0; i < theme.series.size(); ++i) {
        if (fill == theme.series[i]) return kPatterns[i];
    }
    return fill == theme.bad ? std::optional(Hatch::falling) : std::nullopt;
}

struct Printed {
    const Theme& theme;

    void operator()(Box& box) const {
        const bool colored = grey_of(box.fill) != box.fill;
        const bool large = std::min(box.rect.w, box.rect.h) >= kLeastPatterned;
        const auto pattern = pattern_for(theme, box.fill);
        if (pattern && large && box.hatch.a == 0) {
            box.hatch = with_alpha(kPaper, 0.75f);
            box.pattern = *pattern;
        }
        box.fill = grey_of(box.fill);
        if (colored && large && box.rounding > 0 && box.fill.a == 255 && box.stroke.a == 0 &&
            contrast(box.fill, kPaper) < kFaintest) {
            box.stroke = theme.outline;
            box.stroke_width = 1;
        }
        box.stroke = grey_of(box.stroke);
        box.hatch = grey_of(box.hatch);
    }
    void operator()(Path& path) const { path.color = grey_of(path.color); }
    void operator()(Wire& wire) const { wire.color = grey_of(wire.color); }
    void operator()(Label& label) const { label.color = grey_of(label.color); }
    void operator()(Mark& mark) const { mark.color = grey_of(mark.color); }
    void operator()(HeatCell&) const {}  // its ramp is the theme's
    void operator()(ImageBox&) const {}  // its test card is grey already
};

}  // namespace

Color grey_of(Color color) {
    if (color.r == color.g && color.g == color.b) return color;
    const double linear = luminance(color);
    const double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    const auto grey = static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
    return {grey, grey, grey, color.a};
}

Picture in_look_of(const Theme& theme, Picture&& picture) {
    if (theme.name == ThemeName::print) {
        for (Shape& shape : picture.shapes) std::visit(Printed{theme}, shape);
    }
    return std::move(picture);
}

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
