#pragma once

// Every picture is drawn with a Canvas and its Style, text that is measured and fitted, sentences
// below a picture, rectangles that labels keep free of one another, and samples with names. Numbers along
// axes are in axes.h. What a picture shows is not here: see app/pictures/access for one instruction's
// addresses, app/pictures/plot for curves, and each board's own folder.

#include "app/base/format.h"
#include "app/pictures/kit/palette.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

struct Explanation;

/// Every picture is drawn by these.
struct Style {
    const Theme* theme = nullptr;          ///< never null in a picture
    const TextMeasure* measure = nullptr;  ///< never null in a picture
    Vec2 size;                             ///< room for the picture [points]
    int hovered_lane = -1;  ///< the lane that is highlighted while the others are dimmed; -1 for none
    /// Whether a panel around it shows the title and the reason. It then draws neither and has small margins.
    bool embedded = false;
    /// Whether it is one of several small pictures. It then has no sentence and no numbers in small cells.
    bool compact = false;
    /// Whether it shows where everything goes but not what it costs, for guesses and quizzes.
    bool counts_hidden = false;
    /// Whether its sentences stand beside it, as in the window, so that it draws none.
    bool silent = false;
    /// Whether it is read from the back row: no type is smaller than that of all text.
    bool far = false;
    /// Whether it is a miniature, in which no word could be read: it has neither words nor legends.
    bool wordless = false;
    /// Whether the kernel is slow as a whole. The verdict on a request at its ideal is then not green,
    /// because green would be read as a verdict on the kernel.
    bool slow_kernel = false;
    /// The verdict on the kernel, drawn in place of the one on the request, whose counts would praise a
    /// kernel that spills. Null for the request's own.
    const Explanation* whole = nullptr;
};

/// The verdict: one sentence that a teacher would say, with the numbers in it, and one more that says why.
struct Explanation {
    std::string verdict = {};
    std::string why = {};
    bool good = false;   ///< there is nothing to improve
    bool wrong = false;  ///< results may be wrong, which no good access makes up for
    /// The verdict in a few words, for the back row: "32x the wavefronts: 32-way bank conflict". Empty if the
    /// verdict is short enough itself.
    std::string headline = {};

    /// A verdict that begins with its headline: "32-way bank conflict" and ": 32 wavefronts, ideal 1.".
    void say(std::string first, std::string_view rest) {
        verdict = first + std::string(rest);
        headline = std::move(first);
    }
};
/// @param rest  of the verdict, which begins with the headline
inline Explanation said(std::string headline, std::string_view rest, std::string why, bool good = false) {
    Explanation e{.why = std::move(why), .good = good};
    e.say(std::move(headline), rest);
    return e;
}

/// Text metrics that hold for the fonts we use: from the baseline up and down, and from line to line
/// [points].
constexpr float ascent(FontRole role) { return 0.78f * font_points(role); }
constexpr float descent(FontRole role) { return 0.24f * font_points(role); }
constexpr float line_height(FontRole role) { return 1.4f * font_points(role); }
/// So high must a cell be for a number in it [points]; digits have nothing below the baseline.
constexpr float number_height(FontRole role) { return 0.9f * font_points(role); }
/// Baseline of a line of capitals or digits that stands in the middle of a height.
constexpr float middle_baseline(float center_y, FontRole role) {
    return center_y + 0.36f * font_points(role);
}

/// A rectangle made smaller on all sides; it ends as a line or a point rather than turn inside out.
constexpr Rect inset(Rect r, float by) {
    const float dx = 2 * by < r.w ? by : r.w / 2, dy = 2 * by < r.h ? by : r.h / 2;
    return {r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy};
}

/// Whether a straight line comes into a rectangle; touching its edge is not enough.
bool line_crosses(Vec2 from, Vec2 to, const Rect& rect);

/// Cut a text into lines that fit the width; a word that is longer than a line is shortened.
std::vector<std::string> wrap(std::string_view text, FontRole font, float width, const TextMeasure& measure);

/// Shorten a text at its end, with an ellipsis, until it fits; empty when not even that fits.
std::string elide(std::string_view text, FontRole font, float width, const TextMeasure& measure);

/// A picture while it is drawn, with its style at hand.
class Canvas {
public:
    Canvas(const Style& style, std::string title, std::string subtitle);

    float margin() const { return style.compact ? 8.0f : style.embedded ? 6.0f : 14.0f; }
    float inner_width() const { return style.size.x - 2 * margin(); }  ///< between the margins [points]

    float width(std::string_view text, FontRole font) const { return measure_.width(text, font); }
    std::string elide(std::string_view text, FontRole font, float room) const {
        return warplens::elide(text, font, room, measure_);
    }
    std::vector<std::string> wrap(std::string_view text, FontRole font, float room) const {
        return warplens::wrap(text, font, room, measure_);
    }

    /// A text that says what a request costs: "4 of 4 sectors", "wavefronts 1 to 8". Places do not: "0x080",
    /// "word 3", "8 lanes". Empty while Style::counts_hidden is set, so that learners can count for
    /// themselves.
    std::string count_text(std::string text) const { return style.counts_hidden ? std::string() : text; }

    /// The shapes from `first` on are one thing that glides when it has another place in the next picture.
    /// @param key  see moving_key in motion.h
    void moves_since(std::size_t first, std::uint32_t key) {
        picture.moving.push_back({key, first, picture.shapes.size() - first});
    }
    /// The same for what `draw` adds. Not nested.
    template <class Draw>
    void moving(std::uint32_t key, Draw draw) {
        const std::size_t first = picture.shapes.size();
        draw();
        moves_since(first, key);
    }

    void add(Shape shape);
    void box(const Box& box);
    void fill(Rect rect, Color color, float rounding = 0) {
        box({.rect = rect, .fill = color, .rounding = rounding});
    }
    void frame(Rect rect, Color color, float stroke_width, float rounding) {
        box({.rect = rect, .stroke = color, .stroke_width = stroke_width, .rounding = rounding});
    }
    void line(Vec2 from, Vec2 to, Color color, float line_width = 1, Dash dash = Dash::solid);
    void mark(Vec2 center, MarkShape shape, float radius, Color color);
    void wire(Vec2 from, Vec2 to, Color color, float line_width);
    /// The ring around what belongs to the lane under the mouse.
    void highlight(Rect cell, float rounding) { frame(inset(cell, -2), theme.highlight, 2.5f, rounding + 2); }

    void label(Vec2 baseline, std::string text, FontRole font, Color color, Anchor anchor = Anchor::start);
    /// With the middle of its capitals at a height, not its baseline.
    void label_middle(Vec2 middle, std::string text, FontRole font, Color color,
                      Anchor anchor = Anchor::start) {
        label({middle.x, middle_baseline(middle.y, font)}, std::move(text), font, color, anchor);
    }
    /// Shortened to the room; left out when not even an ellipsis fits.
    void label_elided(Vec2 baseline, std::string_view text, FontRole font, Color color, float room,
                      Anchor anchor = Anchor::start) {
        label(baseline, elide(text, font, room), font, color, anchor);
    }
    /// In the middle of a rectangle; left out when it does not fit.
    /// @return  whether it is there.
    bool label_inside(Rect rect, std::string_view text, FontRole font, Color color, float margin = 1);

    /// Something to point at. What its tooltip says about costs is a count_text.
    void hit(Rect rect, int lane, std::string tooltip, int instruction = -1) {
        hit({rect, lane, std::move(tooltip), instruction});
    }
    /// The same with a link or an item of a plot.
    void hit(Hit hit) { picture.hits.push_back(std::move(hit)); }

    /// The narrowest cell that every lane's number fits into: all have theirs, or none. label_inside wants a
    /// point more, but in projector mode, and cells stand a little apart. In one of several small pictures
    /// small numbers would be too many.
    float lane_number_cell() const {
        return widest_lane_number(style.compact ? FontRole::body : small()) + 1.6f + lane_margin();
    }
    float lane_margin() const { return style.silent ? 0.0f : 1.0f; }
    /// The font of numbers in cells that are too narrow for that of all text.
    FontRole small() const { return style.far ? FontRole::body : FontRole::cell; }
    /// The number of a lane in the middle of its cell, as large as those of all lanes fit there; left out
    /// when it does not fit.
    void lane_number(Rect cell, int lane, Color color);

    /// Title and subtitle on one line, as far as there is room.
    /// @return  y below them.
    float draw_title();
    /// Their end, on their baseline, once they are drawn [points].
    Vec2 title_end() const { return title_end_; }

    /// The picture, in the look of its theme. Call it once, at the end.
    Picture take();

    const Style& style;
    const Theme& theme;
    Picture picture;

private:
    float widest_lane_number(FontRole font) const;  ///< [points]

    const TextMeasure& measure_;
    Vec2 title_end_;
    mutable float widest_body_number_ = 0, widest_cell_number_ = 0;  ///< 0 while not measured
};

/// Rectangles that are taken by marks and labels, so that the next label finds a free place.
class TakenPlaces {
public:
    void take(Rect rect) { taken_.push_back(rect); }
    bool is_free(Rect rect) const;

private:
    std::vector<Rect> taken_;
};

/// The sentences under a picture, cut to its width.
struct Sentences {
    std::vector<std::string> verdict, why;
    FontRole verdict_font = FontRole::heading;
    bool good = false;
    float height() const;
};

/// As much of the sentences as fits: smaller type first, then without the reason.
/// @param room  height that they may take [points].
Sentences fit_sentences(const Explanation& explanation, const Style& style, float width, float room);
void draw_sentences(Canvas& canvas, const Sentences& sentences, float x, float y);

/// The title above a picture, and the sentences or a small picture's one line of numbers below it.
struct PictureFrame {
    float top = 0, bottom = 0;  ///< between them the picture has room [points]
    float edge = 0;             ///< below the sentences [points]
    Sentences sentences;
};
/// @param least_picture    height that the sentences must leave over [points].
/// @param below_title      between the title and the picture, unless it is compact [points].
/// @param above_sentences  between the picture and the sentences [points].
PictureFrame open_frame(Canvas& canvas, const Explanation& explanation, float least_picture,
                        float below_title = 2, float above_sentences = 6);
/// @param numbers, more  of a small picture: what it costs, and a weaker remark where there is room.
void close_frame(Canvas& canvas, const PictureFrame& frame, bool good, const std::string& numbers,
                 const std::string& more);

/// Small samples with their names, in rows that wrap to a width: the one way in which pictures say what their
/// colours, marks and lines mean.
class Legend {
public:
    /// Draws a sample into its place. Empty if the name has no sample.
    using Sample = std::function<void(Canvas&, Rect)>;
    static constexpr float kRowHeight = 21;  ///< [points]

    void add(std::string name, float sample_width, Sample draw);
    /// A name without a sample.
    void add(std::string name) { add(std::move(name), 0, {}); }
    void add_box(std::string name, Box look, float sample_width = 14);
    void add_mark(std::string name, MarkShape shape, float radius, Color color, float sample_width = 12);
    void add_line(std::string name, Color color, float line_width, Dash dash, float sample_width);
    void drop_last() { items_.pop_back(); }

    bool empty() const { return items_.empty(); }
    /// Whether all names have room.
    bool fits(const Canvas& canvas, float width, int max_rows) const {
        return arrange(canvas, 0, 0, width, max_rows).size() == items_.size();
    }
    /// The width of all of them in one row [points].
    float width(const Canvas& canvas) const;
    /// The height of the rows that are drawn [points].
    float height(const Canvas& canvas, float width, int max_rows) const;

    /// As many as fit, from the top left corner on.
    /// @param first  colour of the first name; the others are weak.
    /// @return       y below them.
    float draw(Canvas& canvas, float x, float y, float width, int max_rows, Color first) const;
    float draw(Canvas& canvas, float x, float y, float width, int max_rows) const {
        return draw(canvas, x, y, width, max_rows, canvas.theme.text_weak);
    }

private:
    static constexpr float kToName = 6, kToNext = 18;
    struct Item {
        std::string name;
        float sample_width = 14;  ///< [points]
        Sample draw;
    };
    struct Place {
        Rect sample;
        Vec2 baseline;
        int row = 0;
    };
    /// One place per item that fits.
    std::vector<Place> arrange(const Canvas& canvas, float x, float y, float width, int max_rows) const;

    std::vector<Item> items_;
};

}  // namespace warplens
