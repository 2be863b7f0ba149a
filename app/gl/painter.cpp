#include "app/gl/painter.h"

#include "app/gl/heat_cells.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/paint_shapes.h"
#include "app/pictures/kit/shape_geometry.h"

#include <cmath>
#include <optional>
#include <variant>

namespace warplens {

struct Painter::State {
    /// Created for the first cell, because compiling its shaders takes a large part of a first frame, and not
    /// every picture has cells.
    std::optional<HeatCells> heat_cells;
};

Painter::Painter() : state_(std::make_unique<State>()) {}
Painter::~Painter() = default;

void Painter::begin_frame() {
    if (state_->heat_cells) state_->heat_cells->begin_frame();
}

void Painter::paint(const Picture& picture, ImDrawList* list, float origin_x, float origin_y, float scale,
                    const Fonts& fonts, unsigned trace_texture, unsigned image_texture) {
    const PaintFrame frame{list, &fonts, std::round(origin_x), std::round(origin_y), scale};
    std::optional<HeatCells>& heat_cells = state_->heat_cells;
    for (const Shape& shape : picture.shapes) {
        if (const auto* cell = std::get_if<HeatCell>(&shape)) {
            if (trace_texture == 0) continue;
            const Rect rect = frame.snapped(cell->rect);
            if (!heat_cells) heat_cells.emplace();
            heat_cells->add(*cell, rect, heat_cell_radius(rect, scale), trace_texture);
            continue;
        }
        if (heat_cells) heat_cells->flush(list);
        if (const auto* image = std::get_if<ImageBox>(&shape)) {
            const Rect rect = frame.snapped(image->rect);
            if (image_texture != 0) ui::add_image(list, image_texture, rect.x, rect.y, rect.w, rect.h);
            continue;
        }
        std::visit(
            [&frame]<typename T>(const T& other) {
                if constexpr (!std::is_same_v<T, HeatCell> && !std::is_same_v<T, ImageBox>)
                    warplens::paint(frame, other);
            },
            shape);
    }
    if (heat_cells) heat_cells->flush(list);
}

}  // namespace warplens
