#include "app/boards/journey/journey.h"
#include "app/boards/spaces/spaces_picture.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/motion.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr float kStationGap = 10, kStationHead = 22, kToken = 52, kLeastBar = 28, kMostBar = 110;
constexpr float kLeastStations = 2 * kStationHead + 3 * 16 + 11;

/// A journey while it is drawn.
struct JourneyCanvas {
    Canvas& canvas;
    const StoryPart& step;
    const std::vector<StoryPart> stations;
    float left = 0, width = 0;
    float top = 0, height = 0;  ///< of the row of stations
    float between = 0;          ///< two of them
    float bar = 0;              ///< height of the row of a bar

    const Theme& theme() const { return canvas.theme; }
    int count() const { return int(stations.size()); }
    /// The station that the step names. Empty if it names none.
    std::optional<int> named(const char* key) const { return step.place_in(stations, key); }
    Rect station(int at) const {
        const float pitch = (width + between) / float(count());
        Rect box{left + pitch * float(at), top, pitch - between, height};
        // A station that nothing passes stands below the arrow.
        if (stations[at].is("aside")) {
            box.h = std::max(0.4f * height, std::min(2.0f * kStationHead + 8, height));
            box.y = top + height - box.h;
        }
        return box;
    }
    Color color(int at) const {
        return closeness_color(closeness_of(stations[at].text("near")), canvas.theme);
    }
};

void draw_station(const JourneyCanvas& d, int at) {
    Canvas& canvas = d.canvas;
    const StoryPart& station = d.stations[at];
    const Rect box = d.station(at);
    const bool here = d.named(d.step.is("at") ? "at" : "factors") == at, used = station.is("used");
    const Color color = d.color(at);
    canvas.box({.rect = box,
                .fill = with_alpha(color, used ? 0.12f : 0.0f),
                .stroke = here   ? d.theme().highlight
                          : used ? color
                                 : d.theme().grid,
                .stroke_width = here ? 2.5f : 1.0f,
                .rounding = 6});
    const Color ink = used ? d.theme().text : d.theme().text_weak;
    const Rect head{box.x, box.y + 2, box.w, kStationHead};
    const std::string name = station.text("name"), brief = station.text("brief");
    const FontRole font = here ? FontRole::strong : FontRole::body;
    if (!canvas.label_inside(head, name, font, ink, 2))
        canvas.label_inside(head, brief.empty() ? name : brief, font, ink, 1);
    if (const std::string cycles = station.text("cycles"); !cycles.empty()) {
        const Rect foot{box.x, box.y + box.h - kStationHead - 7, box.w, kStationHead};
        if (!canvas.label_inside(foot, cycles + " cycles", FontRole::body, ink, 2))
            canvas.label_inside(foot, cycles, FontRole::body, ink, 2);
    }
    // In the colour of its part of the bars below.
    if (used) canvas.fill({box.x + 6, box.y + box.h - 7, box.w - 12, 4}, color);
    canvas.hit({.rect = box, .tooltip = station.text("tip")});
}

/// A value, or the question for it.
/// @param slot  0 to 2: a, b and the sum stand below each other
void draw_token(const JourneyCanvas& d, int at, int slot, const std::string& name, Color color,
                bool question) {
    const Rect box = d.station(at);
    const float room = box.h - 2 * kStationHead - 13, h = std::min(kToken, room / 3 - 3);
    if (h < 15) return;
    const float w = std::min(box.w - 12, 96.0f);
    const Rect token{box.x + (box.w - w) / 2,
                     box.y + kStationHead + 4 + (room - 3 * (h + 3)) / 2 + float(slot) * (h + 3), w, h};
    d.canvas.moving(moving_key(MovingKind::cell, slot), [&] {
        d.canvas.box({.rect = token,
                      .fill = question ? d.theme().panel : color,
                      .stroke = distinct_from(color, d.theme().panel, 3),
                      .stroke_width = 1.5f,
                      .rounding = std::min(h / 2, 6.0f)});  // hatching has square corners
        d.canvas.label_inside(token, question ? name + "?" : name, FontRole::strong,
                              question ? d.theme().text : text_on(color));
    });
}

/// Arrows from each station that is passed to the next one. The step lights those of its way.
void draw_arrows(const JourneyCanvas& d) {
    if (d.between < 16) return;
    const int from = d.named("from").value_or(0), to = d.named("to").value_or(0);
    for (int i = 0, next = 0; i + 1 < d.count(); i = next) {
        next = i + 1;
        while (d.stations[next].is("aside")) ++next;
        const Rect box = d.station(i);
        const float y = d.top + d.height / 2, x = box.x + box.w + 3, end = d.station(next).x - 3;
        const bool lit = i >= std::min(from, to) && i < std::max(from, to), back = lit && to < from;
        const Color color = lit ? d.theme().highlight : d.theme().outline;
        const float line_width = lit ? 2.5f : 1.5f, tip = back ? x : end, behind = back ? x + 6 : end - 6;
        d.canvas.line({x, y}, {end, y}, color, line_width);
        d.canvas.line({tip, y}, {behind, y - 5}, color, line_width);
        d.canvas.line({tip, y}, {behind, y + 5}, color, line_width);
    }
}

void draw_tokens(const JourneyCanvas& d) {
    const bool question = d.step.is("request");
    if (const auto at = d.named("factors")) {
        draw_token(d, *at, 0, "a", lane_color(d.theme(), 8), question);
        draw_token(d, *at, 1, "b", lane_color(d.theme(), 24), question);
    }
    const int registers = d.count() - 2;
    draw_token(d, d.named("sum").value_or(registers), 2, "sum", d.theme().series[1], false);
}

/// The parts of a multiply-add's cycles, on one scale for all bars.
void draw_bar(const JourneyCanvas& d, const StoryPart& bar, float y, float label_w, double scale) {
    Canvas& canvas = d.canvas;
    const bool chosen = bar.is("chosen");
    const FontRole font = chosen ? FontRole::strong : FontRole::body;
    const Color ink = chosen ? d.theme().text : d.theme().text_weak;
    const std::string text = bar.text("cycles");
    canvas.label_middle({d.left, y + d.bar / 2}, canvas.elide(bar.text("name"), FontRole::body, label_w - 8),
                        font, ink);
    const float text_w = canvas.width(text, FontRole::strong) + 10;
    const float room = std::max(0.0f, d.width - label_w - text_w);
    float x = d.left + label_w;
    for (const StoryPart& part : bar.parts("parts")) {
        const double cycles = part.value().amount.value_or(0);
        if (cycles <= 0) continue;
        const int station = part.place_in(d.stations, "id").value();
        const Rect box{x, y + 7, room * float(cycles / scale), d.bar - 14};
        canvas.fill(box, d.color(station), 2);
        canvas.label_inside(box, d.stations[station].text("name"), FontRole::body, text_on(d.color(station)),
                            3);
        x += box.w;
    }
    canvas.label_middle({x + 8, y + d.bar / 2}, text, font, ink);
    canvas.hit({.rect = {d.left, y, d.width, d.bar}, .tooltip = bar.text("tip"), .link = bar.text("link")});
}

/// A way from what the bars leave out: enough warps hide the waits.
/// @return  the room that it takes at the right end of the line [points]
float draw_way_to_hiding(const JourneyCanvas& d, const StoryPart& way, float y) {
    Canvas& canvas = d.canvas;
    const std::string text = fit_text(canvas, way.lines("names"), FontRole::body, d.width / 2);
    const float width = canvas.width(text, FontRole::body);
    const Rect place{d.left + d.width - width - 8, y, width + 8, kStationHead};
    canvas.label_middle({place.x + 4, y + kStationHead / 2}, text, FontRole::body, canvas.theme.accent);
    canvas.hit({.rect = place, .tooltip = way.text("tip"), .link = way.text("link")});
    return width + 16;
}

void draw_bars(const JourneyCanvas& d, const StoryPart& story) {
    Canvas& canvas = d.canvas;
    float y = d.top + d.height + kStationGap;
    const float room = d.width - draw_way_to_hiding(d, story.part("hiding"), y);
    const std::string head = fit_text(canvas, story.lines("heads"), FontRole::body, room);
    canvas.label_middle({d.left, y + kStationHead / 2}, canvas.elide(head, FontRole::body, room),
                        FontRole::body, canvas.theme.text_weak);
    const std::vector<StoryPart> bars = story.parts("bars");
    float label_w = 0;
    double scale = 0;
    for (const StoryPart& bar : bars) {
        label_w = std::max(label_w, canvas.width(bar.text("widest"), FontRole::strong) + 14);
        scale = std::max(scale, bar.value().amount.value_or(0));
    }
    y += kStationHead;
    for (const StoryPart& bar : bars) {
        draw_bar(d, bar, y, label_w, scale);
        y += d.bar;
    }
}

}  // namespace

Picture draw_journey(const Story& story, const Style& style) {
    Canvas canvas(style, "One multiply-add", story.all().text("subtitle"));
    const float top = canvas.draw_title() + (style.embedded ? 0.0f : 4.0f);
    const float edge = style.embedded ? 2.0f : 12.0f, x = canvas.margin(), width = canvas.inner_width();
    constexpr float kBars = kStationHead + 2 * kLeastBar + 2 * kStationGap;
    const StorySentences words =
        fit_sentences(story, style, width, style.size.y - top - edge - kLeastStations - kBars);
    const float bottom = style.size.y - edge - words.height;
    JourneyCanvas d{canvas, story.now(), story.all().parts("stations"), x, width, top};
    d.between = width > 900 ? 34.0f : width > 600 ? 20.0f : 8.0f;
    const float all = bottom - top - kStationHead - 2 * kStationGap;
    d.bar = std::clamp(std::min(0.2f * all, (all - kLeastStations) / 2), 1.0f, kMostBar);
    d.height = std::max(1.0f, all - 2 * d.bar);
    for (int i = 0; i < d.count(); ++i) draw_station(d, i);
    draw_arrows(d);
    draw_tokens(d);
    draw_bars(d, story.all());
    draw_sentences(canvas, words.now, x, bottom);
    return canvas.take();
}

}  // namespace warplens
