#pragma once

#include "app/gl/fonts.h"

#include <memory>

struct ImDrawList;

namespace warplens {

class HeatCells;

/// Paints pictures into ImGui draw lists. Heat cells are drawn by our own shader (shaders/heat.*) at the
/// right place of the drawing order: one instanced draw per run of cells, with values from the trace buffer's
/// texture. A picture is drawn fastest if its heat cells are adjacent in the list of shapes. Needs a current
/// GL context from construction to destruction.
class Painter {
public:
    Painter();
    ~Painter();

    /// To be called once per frame before painting; a Window's run_frame does so. What was painted before
    /// must have been rendered.
    void begin_frame();

    /// @param origin_x, origin_y  the picture's top left corner in ImGui coordinates [pixels]; it is rounded
    /// to whole pixels
    /// @param scale               pixels per point
    /// @param trace_texture       GL name of the buffer texture (R32UI) with the values of heat cells; with 0
    /// they are left out
    /// @param image_texture       GL name of the texture (GL_TEXTURE_2D, first row on top) of image boxes;
    /// with 0 they are left out
    void paint(const Picture& picture, ImDrawList* list, float origin_x, float origin_y, float scale,
               const Fonts& fonts, unsigned trace_texture, unsigned image_texture = 0);

private:
    /// Created for the first cell, because compiling its shaders takes a large part of a first frame, and not
    /// every picture has cells.
    std::unique_ptr<HeatCells> heat_cells_;
};

}  // namespace warplens
