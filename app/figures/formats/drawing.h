#pragma once

#include "app/figures/figure.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A figure as vector formats draw it: positions are in the whole figure [points], values are looked up,
/// hatches are lines and markers are polygons. The writers of SVG and PDF share it.
struct DrawnBox {
    Rect rect;  ///< the outer edge; the stroke lies inside
    Color fill, stroke;
    float stroke_width = 0;
    float rounding = 0;
};
/// Separate lines, or one with bends. Bends are round, ends are butt.
struct DrawnLines {
    std::vector<std::vector<Vec2>> lines;
    Color color;
    float width = 1;
    float dash_on = 0, dash_off = 0;  ///< [points]. 0 for a solid line.
};
struct DrawnCurve {
    std::array<Vec2, 4> points;
    Color color;
    float width = 1;
};
struct DrawnPolygon {
    std::vector<Vec2> corners;
    Color color;
};
struct DrawnDisk {
    Vec2 center;
    float radius = 0;      ///< for a ring, to the middle of its line
    float ring_width = 0;  ///< 0 for a filled disk
    Color color;
};
/// The figure's image: FigureImage.
struct DrawnImage {
    Rect rect;
    bool of_a = false;  ///< of a comparison's side A
};
using Drawn = std::variant<DrawnBox, DrawnLines, DrawnCurve, DrawnPolygon, DrawnDisk, Label, DrawnImage>;

/// One picture of the figure.
struct DrawnGroup {
    std::string title;
    std::vector<Drawn> shapes;
};
struct Drawing {
    Vec2 size;
    std::vector<DrawnGroup> groups;
};

/// The pixels of ImageBox: RGBA, rows from the top. Empty if there are none; image boxes are then left out.
struct FigureImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::vector<std::uint8_t> rgba_a = {};  ///< the same for side A of a comparison. Empty if none.
};

/// A figure's description of itself, written into its file in every format that has room for it.
struct FigureMetadata {
    std::string title;
    std::string description;  ///< the caption
    std::string software;     ///< "warplens 0.1.0"
    std::string command;      ///< the command that draws this figure again
    std::string license;      ///< address of the licence. Empty if none is named.
    std::string address;      ///< that shows the same in a browser; it ends the description. May be empty.
};

/// @param trace_words  the trace with the values of heat cells, as 32-bit words (kernels/trace/trace.h).
///                     Cells whose value is missing or kTraceInactive are left out.
/// @param of_a         the same for the comparison's side A
/// @param has_image    whether image boxes are drawn
Drawing lower_figure(const std::vector<PlacedPicture>& figure, Vec2 size,
                     std::span<const std::uint32_t> trace_words, bool has_image,
                     std::span<const std::uint32_t> of_a = {});

}  // namespace warplens
