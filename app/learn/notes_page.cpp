#include "app/learn/notes_page.h"

#include "app/experiment/link.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kNotesMargin = 14, kParagraph = 6;  // [points]
constexpr float kNotesHead = kNotesMargin + line_height(FontRole::body) + 8;
constexpr std::size_t kNextLines = 2;
constexpr FontRole kNoteFont = FontRole::heading;

float next_height(const NotesPage& page) {
    if (page.next.empty()) return kNotesMargin;
    return float(kNextLines) * line_height(FontRole::body) + kNotesMargin + 10;
}

/// One line of the note and its place below the head.
struct NoteLine {
    std::string text;
    float top = 0;  ///< [points]
};

std::vector<NoteLine> lines_of(std::string_view note, float width, const TextMeasure& measure) {
    std::vector<NoteLine> lines;
    float top = 0;
    for (std::size_t from = 0; from <= note.size();) {
        const std::size_t end = std::min(note.find('\n', from), note.size());
        for (std::string& line : wrap(note.substr(from, end - from), kNoteFont, width, measure)) {
            lines.push_back({std::move(line), top});
            top += line_height(kNoteFont);
        }
        top += kParagraph;
        from = end + 1;
    }
    return lines;
}

bool note_fits(const NotesPage& page, const TextMeasure& measure, Vec2 size) {
    const std::vector<NoteLine> lines = lines_of(page.note, size.x - 2 * kNotesMargin, measure);
    const float end = lines.empty() ? 0 : lines.back().top + line_height(kNoteFont);
    return kNotesHead + end <= size.y - next_height(page);
}

void draw_head(Canvas& canvas, const NotesPage& page) {
    const float wide = canvas.style.size.x - 2 * kNotesMargin,
                baseline = kNotesMargin + ascent(FontRole::body);
    const std::string head = canvas.elide(page.head, FontRole::strong, wide);
    canvas.label({kNotesMargin, baseline}, head, FontRole::strong, canvas.theme.accent);
    const float room = wide - canvas.width(head, FontRole::strong) - 20;
    canvas.label_elided({kNotesMargin + wide, baseline}, page.title, FontRole::body, canvas.theme.text_weak,
                        room, Anchor::end);
}

void draw_next(Canvas& canvas, const NotesPage& page) {
    if (page.next.empty()) return;
    const float wide = canvas.style.size.x - 2 * kNotesMargin, top = canvas.style.size.y - next_height(page);
    canvas.line({kNotesMargin, top + 4}, {kNotesMargin + wide, top + 4}, canvas.theme.grid);
    std::vector<std::string> lines = canvas.wrap("Next: " + page.next, FontRole::body, wide);
    if (lines.size() > kNextLines) {
        lines[kNextLines - 1] =
            canvas.elide(lines[kNextLines - 1] + " " + lines[kNextLines], FontRole::body, wide);
        lines.resize(kNextLines);
    }
    float y = top + 10 + ascent(FontRole::body);
    for (const std::string& line : lines) {
        canvas.label({kNotesMargin, y}, line, FontRole::body, canvas.theme.text_weak);
        y += line_height(FontRole::body);
    }
}

void draw_note(Canvas& canvas, const NotesPage& page, const TextMeasure& measure) {
    const float wide = canvas.style.size.x - 2 * kNotesMargin,
                bottom = canvas.style.size.y - next_height(page);
    const std::vector<NoteLine> lines = lines_of(page.note, wide, measure);
    const Color ink = page.weak ? canvas.theme.text_weak : canvas.theme.text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const float top = kNotesHead + lines[i].top, below = top + line_height(kNoteFont);
        if (below > bottom) return;
        const bool cut = i + 1 < lines.size() && below + lines[i + 1].top - lines[i].top > bottom;
        canvas.label_elided({kNotesMargin, top + ascent(kNoteFont)},
                            cut ? lines[i].text + " …" : lines[i].text, kNoteFont, ink, wide);
    }
}

/// How a stop's note begins; what it sets, if it has none.
std::string words_of(const DemoStop& stop) {
    return stop.note.empty() ? describe_link(stop.link) : stop.note.substr(0, stop.note.find('\n'));
}

}  // namespace

NotesPage notes_page(const DemoRun& run, double now) {
    const std::vector<DemoStop>& stops = run.demo().stops;
    if (!run.playing())
        return {.head = "No demo plays",
                .title = run.demo().title,
                .note = "The notes of its stops are shown here, and the class does not see them.",
                .next = stops.empty() ? std::string() : words_of(stops.front()),
                .weak = true};
    const int minute = 1 + int(std::max(0.0, now - run.began()) / 60);
    NotesPage page{.title = run.demo().title};
    page.head = run.ended() ? fmt::format("The end, minute {}", minute)
                            : fmt::format("Stop {} of {}, minute {}", run.at() + 1, stops.size(), minute);
    page.note = run.ended() ? "This was the last stop." : stops[run.at()].note;
    page.weak = run.ended() || page.note.empty();
    if (page.note.empty()) page.note = "This stop has no note.";
    if (!run.ended() && run.at() + 1 < stops.size()) page.next = words_of(stops[run.at() + 1]);
    return page;
}

float notes_scale(const NotesPage& page, const TextMeasure& measure, Vec2 pixels) {
    constexpr float kLargest = 3, kSmallest = 0.75f, kStep = 0.25f;  // steps, because fonts are made for each
    float scale = kLargest;
    while (scale > kSmallest && !note_fits(page, measure, {pixels.x / scale, pixels.y / scale}))
        scale -= kStep;
    return scale;
}

Picture draw_notes(const NotesPage& page, const Style& style) {
    Canvas canvas(style, page.title, page.head);
    draw_head(canvas, page);
    draw_note(canvas, page, *style.measure);
    draw_next(canvas, page);
    return canvas.take();
}

}  // namespace warplens
