#pragma once

// The folder app/pictures/ turns reports and predictions into Pictures: lists of shapes in points, which
// the window and the figures draw alike. kit/ has the shapes, layout, palettes, axes and legends, access/
// the pictures of one request in each memory space, plot/ the plots. It knows no settings of a session,
// no OpenGL and no file formats.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplens {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(const Color&, const Color&) = default;
};

/// Positions and sizes of a picture are in points: one pixel at scale 1; x to the right, y downwards.
struct Vec2 {
    float x = 0, y = 0;
};

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    bool contains(Vec2 p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};

/// Fonts by role; sizes are 1, 1.25 and 1.6 times the base size of 14 points (em).
enum class FontRole { body, strong, mono, heading, title };
inline constexpr float kBaseFontPoints = 14.0f;
constexpr float font_points(FontRole role) {
    return role == FontRole::heading ? 1.25f * kBaseFontPoints
           : role == FontRole::title ? 1.6f * kBaseFontPoints
                                     : kBaseFontPoints;
}

enum class Anchor { start, middle, end };
enum class Dash { solid, dashed, dotted };
enum class MarkShape { circle, ring, diamond, triangle, square, triangle_down, cross };

/// Lines over a rectangle; slanting ones rise or fall to the right.
enum class Hatch { rising, falling, level, upright, crossed, squared };

/// A rectangle. `hatch` draws lines of that colour over the fill: fetched but not used, padding.
struct Box {
    Rect rect;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    float stroke_width = 1;
    float rounding = 0;
    Color hatch{0, 0, 0, 0};
    Hatch pattern = Hatch::rising;
};

/// Straight segments with round joins.
struct Path {
    std::vector<Vec2> points;
    Color color;
    float width = 1;
    Dash dash = Dash::solid;
};

/// A smooth S from one point down to another.
struct Wire {
    Vec2 from, to;
    Color color;
    float width = 1;
};

/// One line of UTF-8 text; `position` is on the baseline, at the anchor.
struct Label {
    Vec2 position;
    std::string text;
    FontRole font = FontRole::body;
    Color color;
    Anchor anchor = Anchor::start;
};

struct Mark {
    Vec2 center;
    MarkShape shape = MarkShape::circle;
    float radius = 4;
    Color color;
};

/// Which colour ramp a heat cell uses: palette.h has them for a theme.
enum class Ramp { blue_vermilion, viridis, greys, blue_red, ylorbr, purple_gold, magma };
inline constexpr int kRampCount = 7;

/// A cell whose value is not in the picture but in the trace buffer, which a kernel may have filled: colour =
/// ramp((value - first) / (max - first)), held between 0 and 1. The geometry is the picture's, the value is
/// looked up while drawing.
struct HeatCell {
    Rect rect;
    int value_index = 0;  ///< word in the trace buffer (kernels/replay/trace.h)
    Ramp ramp = Ramp::blue_vermilion;
    float first = 0;    ///< value that gets the ramp's first colour: 0 for wavefronts, 1 for words
    float max = 1;      ///< value that gets the ramp's last colour; max <= first: always the first colour
    float opacity = 1;  ///< below 1: dimmed, because something else is highlighted
};

/// An image whose texels are not in the picture but in a GL texture, which a kernel may have filled.
struct ImageBox {
    Rect rect;
};

using Shape = std::variant<Box, Path, Wire, Label, Mark, HeatCell, ImageBox>;

/// Something to point at. Later ones lie above earlier ones.
struct Hit {
    Rect rect;
    int lane = -1;          ///< lane to highlight everywhere, or -1
    std::string tooltip;    ///< what a person reads there; may have several lines
    int instruction = -1;   ///< a click brings this instruction to the front (several small pictures), or -1
    int item = -1;          ///< a click chooses this cell of a heatmap or point of a plot, or -1
    std::string link = {};  ///< a click goes there: app/experiment/link.h; empty: nowhere
};

/// The data area of a plot, so that a mouse position can be turned into values and back.
struct PlotArea {
    Rect rect;
    double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
    bool x_log = false, y_log = false;
    bool x_even = false;  ///< the stops stand at even steps: choices and powers; x_log is then not used
    std::vector<double> x_stops;  ///< knob values that a click may choose, rising
    std::string x_key;            ///< key of the knob on the x axis
    double x_at(float x) const;   ///< value under a pixel, clamped to the axis
    float x_of(double value) const;
    float y_of(double value) const;
    double nearest_stop(float x) const;  ///< the stop that is nearest on screen
};

/// A figure as plain data: the window, PNG, SVG and PDF are painters of it.
struct Picture {
    std::string title;
    std::string subtitle;       ///< beside the title, weaker
    Vec2 size;                  ///< [points]
    std::vector<Shape> shapes;  ///< in drawing order
    std::vector<Hit> hits;
    std::optional<PlotArea> plot;

    const Hit* hit_at(Vec2 p) const;  ///< the topmost one, or null
};

/// Width of a text; the window measures with the real font, tests with a fixed advance.
class TextMeasure {
public:
    virtual ~TextMeasure() = default;
    virtual float width(std::string_view utf8, FontRole font) const = 0;  ///< [points]
};

}  // namespace warplens
