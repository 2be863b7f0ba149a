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

/// A position in a picture [points]. A point is one pixel at scale 1; x grows to the right, y downwards.
struct Vec2 {
    float x = 0, y = 0;
};

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    bool contains(Vec2 p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};

/// Fonts by their use. Headings are 1.25 times and titles 1.6 times as large as the others, which have 14
/// points; `cell` is for numbers in cells that are too narrow for these.
enum class FontRole { body, strong, mono, heading, title, cell };
inline constexpr std::size_t kFontRoles = 6;
inline constexpr float kBaseFontPoints = 14.0f;
constexpr float font_points(FontRole role) {
    return role == FontRole::heading ? 1.25f * kBaseFontPoints
           : role == FontRole::title ? 1.6f * kBaseFontPoints
           : role == FontRole::cell  ? 0.75f * kBaseFontPoints
                                     : kBaseFontPoints;
}

enum class Anchor { start, middle, end };
enum class Dash { solid, dashed, dotted };
enum class MarkShape { circle, ring, diamond, triangle, square, triangle_down, cross };

/// A pattern of lines over a rectangle. `rising` and `falling` lines slant, seen from left to right.
enum class Hatch { rising, falling, level, upright, crossed, squared };

/// A rectangle. Lines of the colour `hatch` over the fill mean bytes that are fetched but not used, or
/// padding.
struct Box {
    Rect rect;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    float stroke_width = 1;
    float rounding = 0;
    Color hatch{0, 0, 0, 0};
    Hatch pattern = Hatch::rising;
    /// Its fill is a step of a ramp or a grey of an image: print gives it no pattern, though a series may
    /// have the same grey.
    bool plain = false;
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

/// One line of UTF-8 text. `position` is a point on its baseline; `anchor` says which point of the text is
/// there.
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

/// A colour ramp for heat cells. palette.h says which ones a theme uses.
enum class Ramp { blue_vermilion, viridis, greys, blue_red, ylorbr, purple_gold, magma };
inline constexpr int kRampCount = 7;

/// A cell whose value is looked up while it is drawn: it is a word of the trace buffer, which a kernel may
/// have filled. Its colour is ramp((value - first) / (max - first)), with the argument clamped to 0 and 1.
struct HeatCell {
    Rect rect;
    int value_index = 0;  ///< index of its word in the trace buffer (kernels/trace/trace.h)
    Ramp ramp = Ramp::blue_vermilion;
    float first = 0;    ///< the value with the ramp's first colour, 0 for wavefronts and 1 for words
    float max = 1;      ///< the value with its last colour; if not above `first`, all have the first
    float opacity = 1;  ///< below 1 if the cell is dimmed because something else is highlighted
};

/// An image whose texels are not in the picture but in a GL texture, which a kernel may have filled.
struct ImageBox {
    Rect rect;
};

using Shape = std::variant<Box, Path, Wire, Label, Mark, HeatCell, ImageBox>;

/// A part of a picture that reacts to the mouse. Of two that overlap the later one in the list is hit.
struct Hit {
    Rect rect;
    int lane = -1;          ///< the lane that is highlighted everywhere while the mouse is here; -1 for none
    std::string tooltip;    ///< may have several lines
    int instruction = -1;   ///< the instruction that a click on its small picture enlarges; -1 for none
    int item = -1;          ///< the cell of a heatmap or point of a plot that a click chooses; -1 for none
    std::string link = {};  ///< where a click leads (app/experiment/link.h); empty if nowhere
};

/// The data area of a plot, so that a mouse position can be turned into values and back.
struct PlotArea {
    Rect rect;
    double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
    bool x_log = false, y_log = false;
    bool x_even = false;  ///< stops have equal distances, as choices and powers have; x_log is then ignored
    std::vector<double> x_stops;  ///< the values of the knob that a click can choose, rising
    std::string x_key;            ///< key of the knob on the x axis
    double x_at(float x) const;   ///< the value at a position [points], clamped to the axis
    float x_of(double value) const;
    float y_of(double value) const;
    double nearest_stop(float x) const;  ///< the stop with the smallest distance on screen
};

/// Shapes of one thing, which glides to its new place when a picture replaces another one (motion.h).
struct Moving {
    std::uint32_t key = 0;             ///< the same thing has the same key in both pictures
    std::size_t first = 0, count = 0;  ///< in Picture::shapes
};

/// A figure as plain data. The window and the writers of PNG, SVG and PDF all draw this one list of shapes.
struct Picture {
    std::string title;
    std::string subtitle;       ///< stands beside the title, in a weaker colour
    Vec2 size;                  ///< [points]
    std::vector<Shape> shapes;  ///< in drawing order
    std::vector<Hit> hits;
    std::vector<Moving> moving;  ///< rising by `first`, and disjoint; shapes that no entry has do not move
    std::optional<PlotArea> plot;
    int folds = 0;  ///< places where lines or rows that lanes use are left out, for want of room

    const Hit* hit_at(Vec2 p) const;  ///< the last one at this position; null if there is none
};

/// Measures the width of texts. The window does it with its font, tests with the same width for each
/// character.
class TextMeasure {
public:
    virtual ~TextMeasure() = default;
    virtual float width(std::string_view utf8, FontRole font) const = 0;  ///< [points]
};

}  // namespace warplens
