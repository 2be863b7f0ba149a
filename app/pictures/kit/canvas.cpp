#include "app/pictures/kit/canvas.h"

#include "kernels/warp_access.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view kEllipsis = "…";

/// Bytes of the last UTF-8 character.
std::size_t last_character(std::string_view text) {
    std::size_t n = 1;
    while (n < text.size() && (static_cast<unsigned char>(text[text.size() - n]) & 0xc0u) == 0x80u) ++n;
    return n;
}

}  // namespace

bool line_crosses(Vec2 from, Vec2 to, const Rect& rect) {
    float begin = 0, end = 1;  // of the part inside, along the line
    const auto clip = [&](float at, float step, float low, float high) {
        if (step == 0) return at > low && at < high;
        const float a = (low - at) / step, b = (high - at) / step;
        begin = std::max(begin, std::min(a, b));
        end = std::min(end, std::max(a, b));
        return begin < end;
    };
    return clip(from.x, to.x - from.x, rect.x, rect.x + rect.w) &&
           clip(from.y, to.y - from.y, rect.y, rect.y + rect.h);
}

std::string elide(std::string_view text, FontRole font, float width, const TextMeasure& measure) {
    if (measure.width(text, font) <= width) return std::string(text);
    std::string shorter;
    while (!text.empty()) {
        text.remove_suffix(last_character(text));
        while (text.ends_with(' ') || text.ends_with(',')) text.remove_suffix(1);
        shorter.assign(text).append(kEllipsis);
        if (measure.width(shorter, font) <= width) return text.empty() ? std::string() : shorter;
    }
    return {};
}

std::vector<std::string> wrap(std::string_view text, FontRole font, float width, const TextMeasure& measure) {
    std::vector<std::string> lines;
    const float space = measure.width(" ", font);
    float used = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const float word_width = measure.width(word, font);
        if (lines.empty() || used + space + word_width > width) {
            lines.push_back(word_width > width ? elide(word, font, width, measure) : std::string(word));
            used = std::min(word_width, width);
        } else {
            lines.back().append(" ").append(word);
            used += space + word_width;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    // Kerning across the spaces may add up.
    for (std::string& line : lines) line = elide(line, font, width, measure);
    return lines;
}

Canvas::Canvas(const Style& style_, std::string title, std::string subtitle)
    : style(style_), theme(*style_.theme), measure_(*style_.measure) {
    picture.title = std::move(title);
    picture.subtitle = std::move(subtitle);
    picture.size = style.size;
}

void Canvas::add(Shape shape) { picture.shapes.push_back(std::move(shape)); }

void Canvas::box(const Box& box) { picture.shapes.emplace_back(box); }

void Canvas::mark(Vec2 center, MarkShape shape, float radius, Color color) {
    picture.shapes.emplace_back(Mark{center, shape, radius, color});
}

void Canvas::wire(Vec2 from, Vec2 to, Color color, float line_width) {
    picture.shapes.emplace_back(Wire{from, to, color, line_width});
}

void Canvas::line(Vec2 from, Vec2 to, Color color, float line_width, Dash dash) {
    picture.shapes.emplace_back(Path{{from, to}, color, line_width, dash});
}

void Canvas::label(Vec2 baseline, std::string text, FontRole font, Color color, Anchor anchor) {
    if (text.empty()) return;
    if (style.wordless) return;
    picture.shapes.emplace_back(Label{baseline, std::move(text), font, color, anchor});
}

bool Canvas::label_inside(Rect rect, std::string_view text, FontRole font, Color color, float margin) {
    if (rect.h < ascent(font) + descent(font) || rect.w < width(text, font) + margin) return false;
    label({rect.x + rect.w / 2, middle_baseline(rect.y + rect.h / 2, font)}, std::string(text), font, color,
          Anchor::middle);
    return true;
}

float Canvas::widest_lane_number(FontRole font) const {
    float& widest = font == FontRole::body ? widest_body_number_ : widest_cell_number_;
    if (widest > 0) return widest;
    for (int lane = 10; lane < kWarpLanes; ++lane)
        widest = std::max(widest, width(std::to_string(lane), font));
    return widest;
}

void Canvas::lane_number(Rect cell, int lane, Color color) {
    constexpr float kBeside = 5;  // digits that touch their neighbours' outlines are hard to read [points]
    const bool large = cell.w >= widest_lane_number(FontRole::body) + kBeside &&
                       cell.h >= ascent(FontRole::body) + descent(FontRole::body);
    const FontRole font = large ? FontRole::body : small();
    const std::string number = std::to_string(lane);
    if (cell.h < number_height(font) || cell.w < width(number, font) + lane_margin()) return;
    label({cell.x + cell.w / 2, middle_baseline(cell.y + cell.h / 2, font)}, number, font, color,
          Anchor::middle);
}

Picture Canvas::take() { return in_look_of(theme, std::move(picture)); }

float Canvas::draw_title() {
    if (style.embedded && !style.compact) return 4;
    const FontRole font = style.compact || style.size.x < 420 ? FontRole::strong : FontRole::heading;
    const float x = margin(), room = style.size.x - 2 * margin();
    const float baseline = (style.compact ? 6.0f : 10.0f) + ascent(font);
    const std::string title = elide(picture.title, font, room);
    label({x, baseline}, title, font, theme.text);
    const float after = width(title, font) + (style.compact ? 8.0f : 12.0f);
    title_end_ = {x + after, baseline};
    if (room - after > 60) {
        std::string subtitle = elide(picture.subtitle, FontRole::body, room - after);
        // A small picture has the remark whole, or not at all.
        if (style.compact && subtitle != picture.subtitle) subtitle.clear();
        label(title_end_, subtitle, FontRole::body, theme.text_weak);
        title_end_.x += width(subtitle, FontRole::body);
    }
    return baseline + descent(font) + (style.compact ? 4.0f : 8.0f);
}

float Sentences::height() const {
    return float(verdict.size()) * line_height(verdict_font) +
           float(why.size()) * line_height(FontRole::body);
}

Sentences fit_sentences(const Explanation& explanation, const Style& style, float width, float room) {
    if (style.counts_hidden || style.silent) return {};
    const TextMeasure& measure = *style.measure;
    Sentences sentences{.verdict = wrap(explanation.verdict, FontRole::heading, width, measure),
                        .why = wrap(explanation.why, FontRole::body, width, measure),
                        .good = explanation.good};
    if (style.embedded) sentences.why.clear();
    std::vector<std::string> smaller = wrap(explanation.verdict, FontRole::strong, width, measure);
    // In a low panel the picture needs the height of a second line more than the verdict needs large type.
    constexpr float kLow = 340;
    const bool low = style.embedded && style.size.y < kLow && sentences.verdict.size() > 1;
    if (sentences.height() <= room && sentences.verdict.size() <= 2 && !low) return sentences;
    sentences.verdict = std::move(smaller);
    sentences.verdict_font = FontRole::strong;
    if (sentences.height() <= room) return sentences;
    sentences.why.clear();
    const auto fits = std::size_t(std::max(0.0f, room / line_height(FontRole::strong)));
    if (sentences.verdict.size() > fits) sentences.verdict.clear();  // half a sentence would mislead
    return sentences;
}

void draw_sentences(Canvas& canvas, const Sentences& sentences, float x, float y) {
    const auto draw = [&](const std::vector<std::string>& lines, FontRole font, Color color) {
        for (const std::string& line : lines) {
            const float step = line_height(font);
            canvas.label({x, y + (step - ascent(font) - descent(font)) / 2 + ascent(font)}, line, font,
                         color);
            y += step;
        }
    };
    const Tone tone = !sentences.good ? Tone::bad : canvas.style.slow_kernel ? Tone::plain : Tone::good;
    draw(sentences.verdict, sentences.verdict_font, color_of(canvas.theme, tone));
    draw(sentences.why, FontRole::body, canvas.theme.text);
}

PictureFrame open_frame(Canvas& canvas, const Explanation& explanation, float least_picture,
                        float below_title, float above_sentences) {
    const Style& style = canvas.style;
    PictureFrame frame;
    frame.top = canvas.draw_title() + (style.compact ? 0.0f : below_title);
    frame.edge = style.compact ? 8.0f : style.embedded ? 2.0f : 12.0f;
    frame.bottom = style.size.y - frame.edge;
    if (style.compact) {
        frame.bottom -= line_height(FontRole::strong);
    } else {
        frame.sentences =
            fit_sentences(style.whole != nullptr ? *style.whole : explanation, style,
                          style.size.x - 2 * canvas.margin(), frame.bottom - frame.top - least_picture);
        frame.bottom -= frame.sentences.height() + above_sentences;
    }
    return frame;
}

void close_frame(Canvas& canvas, const PictureFrame& frame, bool good, const std::string& numbers,
                 const std::string& more) {
    if (!canvas.style.compact) {
        draw_sentences(canvas, frame.sentences, canvas.margin(),
                       canvas.style.size.y - frame.edge - frame.sentences.height());
        return;
    }
    if (canvas.style.counts_hidden) return;
    const float baseline = canvas.style.size.y - 6 - descent(FontRole::strong);
    const float room = canvas.style.size.x - 2 * canvas.margin();
    canvas.label({canvas.margin(), baseline}, canvas.elide(numbers, FontRole::strong, room), FontRole::strong,
                 color_of(canvas.theme, good ? Tone::good : Tone::bad));
    const float after = canvas.width(numbers, FontRole::strong) + 12;
    if (after + canvas.width(more, FontRole::body) > room) return;
    canvas.label({canvas.margin() + after, baseline}, more, FontRole::body, canvas.theme.text_weak);
}

bool TakenPlaces::is_free(Rect rect) const {
    return std::ranges::none_of(taken_, [&](const Rect& other) {
        return rect.x < other.x + other.w && other.x < rect.x + rect.w && rect.y < other.y + other.h &&
               other.y < rect.y + rect.h;
    });
}

void Legend::add(std::string name, float sample_width, Sample draw) {
    items_.push_back({std::move(name), sample_width, std::move(draw)});
}

void Legend::add_box(std::string name, Box look, float sample_width) {
    add(std::move(name), sample_width, [look](Canvas& canvas, Rect place) mutable {
        look.rect = place;
        canvas.box(look);
    });
}

void Legend::add_mark(std::string name, MarkShape shape, float radius, Color color, float sample_width) {
    add(std::move(name), sample_width, [=](Canvas& canvas, Rect place) {
        canvas.mark({place.x + place.w / 2, place.y + place.h / 2}, shape, radius, color);
    });
}

void Legend::add_line(std::string name, Color color, float line_width, Dash dash, float sample_width) {
    add(std::move(name), sample_width, [=](Canvas& canvas, Rect place) {
        const float y = place.y + place.h / 2;
        canvas.line({place.x, y}, {place.x + place.w, y}, color, line_width, dash);
    });
}

std::vector<Legend::Place> Legend::arrange(const Canvas& canvas, float x, float y, float width,
                                           int max_rows) const {
    std::vector<Place> places;
    if (canvas.style.wordless) return places;
    places.reserve(items_.size());
    float at = x;
    int row = 0;
    for (const Item& item : items_) {
        const float to_name = item.sample_width > 0 ? kToName : 0;
        const float wide = item.sample_width + to_name + canvas.width(item.name, FontRole::body);
        if (at > x && at + wide > x + width) {
            at = x;
            ++row;
        }
        if (row >= max_rows || wide > width) break;
        const float middle = y + (float(row) + 0.5f) * kRowHeight;
        places.push_back({{at, middle - 6, item.sample_width, 12},
                          {at + item.sample_width + to_name, middle_baseline(middle, FontRole::body)},
                          row});
        at += wide + kToNext;
    }
    return places;
}

float Legend::width(const Canvas& canvas) const {
    float wide = 0;
    for (const Item& item : items_)
        wide += item.sample_width + (item.sample_width > 0 ? kToName : 0) +
                canvas.width(item.name, FontRole::body) + kToNext;
    return items_.empty() ? 0 : wide - kToNext;
}

float Legend::height(const Canvas& canvas, float width, int max_rows) const {
    const std::vector<Place> places = arrange(canvas, 0, 0, width, max_rows);
    return places.empty() ? 0 : kRowHeight * float(places.back().row + 1);
}

float Legend::draw(Canvas& canvas, float x, float y, float width, int max_rows, Color first) const {
    const std::vector<Place> places = arrange(canvas, x, y, width, max_rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (items_[i].draw) items_[i].draw(canvas, places[i].sample);
        canvas.label(places[i].baseline, items_[i].name, FontRole::body,
                     i == 0 ? first : canvas.theme.text_weak);
    }
    return places.empty() ? y : y + kRowHeight * float(places.back().row + 1);
}

}  // namespace warplens
