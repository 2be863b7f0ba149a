#pragma once

#include "app/pictures/kit/pictures.h"
#include "app/pictures/kit/print_look.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// Text metrics that hold for the fonts we use: from the baseline up and down, and from line to line
/// [points].
constexpr float ascent(FontRole role) { return 0.78f * font_points(role); }
constexpr float descent(FontRole role) { return 0.24f * font_points(role); }
constexpr float line_height(FontRole role) { return 1.4f * font_points(role); }
/// Baseline of a line of capitals or digits that stands in the middle of a height.
constexpr float middle_baseline(float center_y, FontRole role) {
    return center_y + 0.36f * font_points(role);
}

/// Cut a text into lines that fit the width; a word that is longer than a line is shortened.
std::vector<std::string> wrap(std::string_view text, FontRole font, float width, const TextMeasure& measure);

/// Shorten a text at its end, with an ellipsis, until it fits; empty when not even that fits.
std::string elide(std::string_view text, FontRole font, float width, const TextMeasure& measure);

/// A picture while it is drawn, with its style at hand.
class Canvas {
public:
    Canvas(const Style& style, std::string title, std::string subtitle);

    float width(std::string_view text, FontRole font) const { return measure_.width(text, font); }
    float margin() const { return style.compact ? 8.0f : style.embedded ? 6.0f : 14.0f; }

    void box(Box box) { picture.shapes.emplace_back(box); }
    void fill(Rect rect, Color color, float rounding = 0) {
        box({.rect = rect, .fill = color, .rounding = rounding});
    }
    void frame(Rect rect, Color color, float stroke_width, float rounding) {
        box({.rect = rect, .stroke = color, .stroke_width = stroke_width, .rounding = rounding});
    }
    void line(Vec2 from, Vec2 to, Color color, float line_width = 1, Dash dash = Dash::solid);
    void label(Vec2 baseline, std::string text, FontRole font, Color color, Anchor anchor = Anchor::start);
    /// In the middle of a rectangle; left out when it does not fit.
    /// @return  whether it is there.
    bool label_inside(Rect rect, std::string_view text, FontRole font, Color color);
    void hit(Rect rect, int lane, std::string tooltip, int instruction = -1);

    /// The narrowest cell that every lane's number fits into: all have theirs, or none.
    float lane_number_cell() const;

    /// Title and subtitle on one line, as far as there is room.
    /// @return  y below them.
    float draw_title();

    /// The picture, in the look of its theme. Call it once, at the end.
    Picture take() { return in_look_of(theme, std::move(picture)); }

    const Style& style;
    const Theme& theme;
    Picture picture;

private:
    const TextMeasure& measure_;
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

/// A row of small samples with names; wraps to the width.
class Legend {
public:
    struct Item {
        std::string text;
        float sample_width = 14;  ///< [points]
    };
    void add(std::string text, float sample_width) { items_.push_back({std::move(text), sample_width}); }
    bool empty() const { return items_.empty(); }

    /// Where each sample and its name go.
    struct Place {
        Rect sample;
        Vec2 baseline;
    };
    /// @return  one place per item that fits into `max_rows` rows, starting at the top left corner.
    std::vector<Place> arrange(const Canvas& canvas, float x, float y, float width, int max_rows) const;
    const std::vector<Item>& items() const { return items_; }
    static constexpr float kRowHeight = 21;

private:
    std::vector<Item> items_;
};

}  // namespace warplens
