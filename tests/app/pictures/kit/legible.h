#pragma once

#include "app/figures/figure.h"
#include "app/pictures/kit/canvas.h"
#include "app/pictures/kit/shape_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test {

/// What a text covers, from its highest to its lowest letter [points].
inline Rect extent_of(const Label& label, const TextMeasure& measure) {
    const float w = measure.width(label.text, label.font);
    const float left = label.anchor == Anchor::start ? 0 : label.anchor == Anchor::middle ? w / 2 : w;
    return {label.position.x - left, label.position.y - ascent(label.font), w,
            ascent(label.font) + descent(label.font)};
}

inline Rect extent_of(const Mark& mark) {
    return {mark.center.x - mark.radius, mark.center.y - mark.radius, 2 * mark.radius, 2 * mark.radius};
}

/// What its letters cover of an extent: digits reach neither as high nor as low as other letters.
inline Rect ink_of(const Label& label, Rect extent) {
    const bool digits = label.text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) return extent;
    constexpr float kDigit = 0.74f;  // [em]
    const float baseline = extent.y + ascent(label.font);
    return {extent.x, baseline - kDigit * font_points(label.font), extent.w,
            kDigit * font_points(label.font)};
}

inline bool overlap(const Rect& a, const Rect& b) {
    constexpr float kTouch = 0.05f;
    return a.x + kTouch < b.x + b.w && b.x + kTouch < a.x + a.w && a.y + kTouch < b.y + b.h &&
           b.y + kTouch < a.y + a.h;
}

inline bool lies_within(const Rect& a, const Rect& b) {
    return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w + 0.01f && a.y + a.h <= b.y + b.h + 0.01f;
}

/// The texts of a figure, found by their height on the page.
class PlacedTexts {
public:
    struct Text {
        const Label* label;
        Rect extent, ink;
        std::size_t picture, shape;  ///< its place in the figure and in the picture
    };

    PlacedTexts(const std::vector<PlacedPicture>& figure, const TextMeasure& measure) {
        for (std::size_t p = 0; p < figure.size(); ++p) {
            const std::vector<Shape>& shapes = figure[p].picture.shapes;
            for (std::size_t s = 0; s < shapes.size(); ++s) {
                const auto* label = std::get_if<Label>(&shapes[s]);
                if (label == nullptr) continue;
                Rect extent = extent_of(*label, measure);
                extent.x += figure[p].position.x;
                extent.y += figure[p].position.y;
                texts_.push_back({label, extent, ink_of(*label, extent), p, s});
            }
        }
        for (std::size_t i = 0; i < texts_.size(); ++i)
            for (int row = row_of(texts_[i].extent.y); row <= row_of(texts_[i].extent.y + texts_[i].extent.h);
                 ++row)
                rows_[row].push_back(i);
    }

    const std::vector<Text>& all() const { return texts_; }

    /// Calls `see` once for every text that touches a rectangle.
    template <class See>
    void touching(const Rect& rect, See see) const {
        const int first = row_of(rect.y), last = row_of(rect.y + rect.h);
        for (auto row = rows_.lower_bound(first); row != rows_.end() && row->first <= last; ++row) {
            for (const std::size_t i : row->second) {
                const Text& text = texts_[i];
                const bool seen = row->first > std::max(first, row_of(text.extent.y));
                if (!seen && overlap(text.extent, rect)) see(text);
            }
        }
    }

private:
    static int row_of(float y) { return static_cast<int>(std::floor(y / 16)); }
    std::vector<Text> texts_;
    std::map<int, std::vector<std::size_t>> rows_;
};

/// Texts of a figure that lie over one another or leave their picture, a sentence each.
inline std::vector<std::string> misplaced_texts(const std::vector<PlacedPicture>& figure,
                                                const TextMeasure& measure) {
    const PlacedTexts texts(figure, measure);
    std::vector<std::string> why;
    for (const PlacedTexts::Text& text : texts.all()) {
        const PlacedPicture& placed = figure[text.picture];
        const Rect panel{placed.position.x, placed.position.y, placed.picture.size.x, placed.picture.size.y};
        if (!lies_within(text.extent, panel))
            why.push_back(fmt::format("'{}' leaves its picture of {} x {}: at {}, {}, {} wide",
                                      text.label->text, panel.w, panel.h, text.extent.x - panel.x,
                                      text.extent.y - panel.y, text.extent.w));
        texts.touching(text.extent, [&](const PlacedTexts::Text& other) {
            if (&other > &text && overlap(other.ink, text.ink))
                why.push_back(fmt::format("'{}' over '{}'", text.label->text, other.label->text));
        });
    }
    return why;
}

/// The same, and texts that are hidden by what is drawn later, or under which a mark or a line lies without a
/// plate between them or a disk that is wider than the text.
inline std::vector<std::string> illegible_texts(const std::vector<PlacedPicture>& figure,
                                                const TextMeasure& measure) {
    const PlacedTexts texts(figure, measure);
    std::vector<std::string> why = misplaced_texts(figure, measure);
    for (std::size_t p = 0; p < figure.size(); ++p) {
        const Vec2 at = figure[p].position;
        const std::vector<Shape>& shapes = figure[p].picture.shapes;
        // Whether a plate between a shape and a later text hides the shape there.
        const auto has_plate = [&](std::size_t shape, const PlacedTexts::Text& text) {
            Rect core = inset(text.ink, 1);
            core.x -= at.x;
            core.y -= at.y;
            for (std::size_t s = shape + 1; s < text.shape; ++s) {
                const auto* box = std::get_if<Box>(&shapes[s]);
                if (box != nullptr && box->fill.a > 200 && lies_within(core, box->rect)) return true;
                const auto* heat = std::get_if<HeatCell>(&shapes[s]);
                if (heat != nullptr && lies_within(core, heat->rect)) return true;
                const auto* disk = std::get_if<Mark>(&shapes[s]);
                if (disk != nullptr && lies_within(core, extent_of(*disk))) return true;
            }
            return false;
        };
        const auto line = [&](std::size_t s, Vec2 from, Vec2 to) {
            from = {from.x + at.x, from.y + at.y};
            to = {to.x + at.x, to.y + at.y};
            const Rect around{std::min(from.x, to.x) - 0.1f, std::min(from.y, to.y) - 0.1f,
                              std::abs(from.x - to.x) + 0.2f, std::abs(from.y - to.y) + 0.2f};
            texts.touching(around, [&](const PlacedTexts::Text& text) {
                if (text.picture != p || !line_crosses(from, to, inset(text.ink, 1.5f))) return;
                if (text.shape < s || !has_plate(s, text))
                    why.push_back(fmt::format("a line crosses '{}'", text.label->text));
            });
        };
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            if (const auto* mark = std::get_if<Mark>(&shapes[s])) {
                Rect place = extent_of(*mark);
                place.x += at.x;
                place.y += at.y;
                texts.touching(inset(place, 0.5f), [&](const PlacedTexts::Text& text) {
                    const bool disk = text.shape > s && lies_within(inset(text.ink, 1), place);
                    if (text.picture == p && !disk && overlap(text.ink, inset(place, 0.5f)))
                        why.push_back(fmt::format("a mark and '{}' overlap", text.label->text));
                });
            } else if (const auto* path = std::get_if<Path>(&shapes[s])) {
                for (std::size_t i = 1; i < path->points.size(); ++i)
                    line(s, path->points[i - 1], path->points[i]);
            } else if (const auto* wire = std::get_if<Wire>(&shapes[s])) {
                const auto [a, b, c, d] = curve_of(wire->from, wire->to);
                constexpr int kPieces = 8;
                Vec2 last = a;
                for (int i = 1; i <= kPieces; ++i) {
                    const float t = static_cast<float>(i) / kPieces, u = 1 - t;
                    const float wa = u * u * u, wb = 3 * u * u * t, wc = 3 * u * t * t, wd = t * t * t;
                    const Vec2 next{wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                                    wa * a.y + wb * b.y + wc * c.y + wd * d.y};
                    line(s, last, next);
                    last = next;
                }
            } else if (const auto* box = std::get_if<Box>(&shapes[s])) {
                if (box->fill.a < 200) continue;
                Rect place = inset(box->rect, 0.5f);
                place.x += at.x;
                place.y += at.y;
                texts.touching(place, [&](const PlacedTexts::Text& text) {
                    if (text.picture == p && text.shape < s && overlap(text.ink, place))
                        why.push_back(fmt::format("a box hides '{}'", text.label->text));
                });
            }
        }
    }
    std::ranges::sort(why);
    why.erase(std::unique(why.begin(), why.end()), why.end());
    return why;
}

}  // namespace warplens::test
