#pragma once

#include "app/figures/figure.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A figure as vector formats draw it: everything at its place in the whole figure [points], with values
/// looked up, hatches as lines and markers as polygons. What the writers of SVG and PDF have in common.
struct DrawnBox {
    Rect rect;  ///< the outer edge; the stroke lies inside
    Color fill, stroke;
    float stroke_width = 0;
    float rounding = 0;
};
/// Lines that are apart, or one that is bent; bends are round, ends are cut off.
struct DrawnLines {
    std::vector<std::vector<Vec2>> lines;
    Color color;
    float width = 1;
    float dash_on = 0, dash_off = 0;  ///< [points]; 0: solid
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
    float radius = 0;      ///< of a ring: of the middle of its line
    float ring_width = 0;  ///< 0: filled
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

/// The pixels behind ImageBox: RGBA, rows from the top; empty: there are none, and image boxes are left out.
struct FigureImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::vector<std::uint8_t> rgba_a = {};  ///< of a comparison's side A, as large; empty: there is none
};

/// What a figure says of itself, in every format that can carry it.
struct FigureMetadata {
    std::string title;
    std::string description;  ///< the caption
    std::string software;     ///< "warplens 0.1.0"
    std::string command;      ///< what draws this figure again
    std::string license;      ///< address of the licence; empty: none is named
};

/// @param trace_words  the trace that heat cells look their values up in, as 32-bit words
/// (kernels/replay/trace.h);
///                     cells whose value is not there, or is kTraceInactive, are left out.
/// @param of_a         the same of a comparison's side A.
/// @param has_image    whether image boxes are drawn.
Drawing lower_figure(const std::vector<PlacedPicture>& figure, Vec2 size,
                     std::span<const std::uint32_t> trace_words, bool has_image,
                     std::span<const std::uint32_t> of_a = {});

}  // namespace warplens
