#include "app/boards/journey/journey_picture.h"

#include "app/boards/spaces/spaces_picture.h"
#include "app/pictures/kit/fit_text.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kStationGap = 10, kStationHead = 22, kToken = 52, kLeastBar = 28, kMostBar = 110;
constexpr float kLeastStations = 2 * kStationHead + 3 * 16 + 11;

/// A journey while it is drawn.
struct JourneyCanvas {
    Canvas& canvas;
    const JourneyView& view;
    float left = 0, width = 0;
    float top = 0, height = 0;  ///< of the row of stations
    float between = 0;          ///< two of them
    float bar = 0;              ///< height of the row of a bar

    const Theme& theme() const { return canvas.theme; }
    Rect station(Station at) const {
        const float pitch = (width + between) / kStations;
        Rect box{left + pitch * float(at), top, pitch - between, height};
        // Without a tile nothing passes shared memory, so it stands below the arrow that does.
        if (at == Station::shared && !view.setting.tiled) {
            box.h = std::max(0.4f * height, std::min(2.0f * kStationHead + 8, height));
            box.y = top + height - box.h;
        }
        return box;
    }
};

Closeness closeness_of(Station station) {
    return station == Station::dram                               ? Closeness::board
           : station == Station::l2                               ? Closeness::chip
           : station == Station::l1 || station == Station::shared ? Closeness::sm
                                                                  : Closeness::core;
}

/// Whether values pass it at all in this setting.
bool is_on_the_way(const JourneyCanvas& d, Station station) {
    const DeviceFacts& device = d.view.device;
    if (station == Station::shared) return d.view.setting.tiled;
    if (station == Station::l1) return l1_keeps_global(device);
    return station != Station::l2 || has_l2(device);
}

std::string station_tip(const JourneyCanvas& d, Station station) {
    const double cycles = cycles_from(station, d.view.device.latencies);
    if (station == Station::registers)
        return "Nothing is computed elsewhere: factors have to be in registers.";
    if (station == Station::arithmetic)
        return fmt::format("The multiply-add. The next one can use its result after: {}",
                           latency_words(cycles));
    return fmt::format("{}\nfrom the request to a register: {}", station_name(station),
                       latency_words(cycles));
}

void draw_station(const JourneyCanvas& d, Station station) {
    Canvas& canvas = d.canvas;
    const Rect box = d.station(station);
    const bool here = station_of(d.view.step) == station, used = is_on_the_way(d, station);
    const Color color = closeness_color(closeness_of(station), d.theme());
    canvas.box({.rect = box,
                .fill = with_alpha(color, used ? 0.12f : 0.0f),
                .stroke = here   ? d.theme().highlight
                          : used ? color
                                 : d.theme().grid,
                .stroke_width = here ? 2.5f : 1.0f,
                .rounding = 6});
    const Color ink = used ? d.theme().text : d.theme().text_weak;
    const Rect head{box.x, box.y + 2, box.w, kStationHead};
    const std::string_view brief = station == Station::registers ? "regs" : station_name(station);
    if (!canvas.label_inside(head, station_name(station), here ? FontRole::strong : FontRole::body, ink, 2))
        canvas.label_inside(head, brief, here ? FontRole::strong : FontRole::body, ink, 1);
    const double cycles = cycles_from(station, d.view.device.latencies);
    if (cycles > 0) {
        const Rect foot{box.x, box.y + box.h - kStationHead - 7, box.w, kStationHead};
        if (!canvas.label_inside(foot, latency_words(cycles), FontRole::body, ink, 2))
            canvas.label_inside(foot, latency_digits(cycles), FontRole::body, ink, 2);
    }
    // In the colour of its part of the bars below.
    if (used) canvas.fill({box.x + 6, box.y + box.h - 7, box.w - 12, 4}, color);
    canvas.hit({.rect = box, .tooltip = station_tip(d, station)});
}

/// A value, or the question for it.
/// @param slot  0 to 2: a, b and the sum stand below each other
void draw_token(const JourneyCanvas& d, Station at, int slot, const std::string& name, Color color,
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

/// The arrows that a step lights, from one station on to the one before another, and which way they point.
struct LitArrows {
    Station from = Station::dram, to = Station::dram;
    bool back = false;  ///< away from the arithmetic
};
LitArrows lit_arrows(const JourneyView& view) {
    const Station here = station_of(view.step);
    switch (view.step) {
        case JourneyStep::in_l1:
        case JourneyStep::in_l2:
        case JourneyStep::in_dram:
        case JourneyStep::finish:
            return {here, Station::registers, true};
        case JourneyStep::arrive:
            return {Station::dram, Station::registers};
        case JourneyStep::store:
            return {Station::shared, Station::registers, true};
        case JourneyStep::read:
            return {Station::shared, Station::registers};
        case JourneyStep::multiply:
            return {Station::registers, Station::arithmetic};
        default:
            return {};
    }
}

/// Arrows between the stations: towards the arithmetic, but for a request and for what is stored.
void draw_arrows(const JourneyCanvas& d) {
    if (d.between < 16) return;
    const LitArrows arrows = lit_arrows(d.view);
    const bool past_shared = !is_on_the_way(d, Station::shared);
    for (int i = 0; i + 1 < kStations; ++i) {
        if (past_shared && Station(i) == Station::shared) continue;
        const Rect box = d.station(Station(i));
        const Station next = past_shared && Station(i) == Station::l1 ? Station::registers : Station(i + 1);
        const float y = d.top + d.height / 2, x = box.x + box.w + 3, to = d.station(next).x - 3;
        const bool lit = Station(i) >= arrows.from && Station(i) < arrows.to, back = lit && arrows.back;
        const Color color = lit ? d.theme().highlight : d.theme().outline;
        const float line_width = lit ? 2.5f : 1.5f, tip = back ? x : to, behind = back ? x + 6 : to - 6;
        d.canvas.line({x, y}, {to, y}, color, line_width);
        d.canvas.line({tip, y}, {behind, y - 5}, color, line_width);
        d.canvas.line({tip, y}, {behind, y + 5}, color, line_width);
    }
}

void draw_tokens(const JourneyCanvas& d) {
    const JourneyStep step = d.view.step;
    const bool question = is_request(d.view.setting, step), done = step == JourneyStep::finish;
    const Color a = lane_color(d.theme(), 8), b = lane_color(d.theme(), 24), sum = d.theme().series[1];
    // After the last multiply-add the factors are no longer needed.
    if (!done) {
        const Station at =
            step == JourneyStep::next_k && d.view.setting.tiled ? Station::shared : station_of(step);
        draw_token(d, at, 0, "a", a, question);
        draw_token(d, at, 1, "b", b, question);
    }
    const Station of_sum = done                            ? Station::dram
                           : step == JourneyStep::multiply ? Station::arithmetic
                                                           : Station::registers;
    draw_token(d, of_sum, 2, "sum", sum, false);
}

/// The parts of a multiply-add's cycles, on one scale for both bars.
void draw_cost(const JourneyCanvas& d, const JourneySetting& setting, float y, float label_w, double scale) {
    Canvas& canvas = d.canvas;
    const JourneyCost cost = journey_cost(setting, d.view.device.latencies);
    const bool chosen = setting.tiled == d.view.setting.tiled;
    const std::string name =
        setting.tiled ? fmt::format("tile of {0} x {0}", setting.tile) : "without a tile";
    canvas.label_middle({d.left, y + d.bar / 2}, canvas.elide(name, FontRole::body, label_w - 8),
                        chosen ? FontRole::strong : FontRole::body,
                        chosen ? d.theme().text : d.theme().text_weak);
    const std::string text = latency_words(cost.known ? cost.all() : 0);
    const float text_w = canvas.width(text, FontRole::strong) + 10;
    const float room = std::max(0.0f, d.width - label_w - text_w);
    float x = d.left + label_w;
    const auto part = [&](double cycles, Station station) {
        if (cycles <= 0 || scale <= 0) return;
        const Rect box{x, y + 7, room * float(cycles / scale), d.bar - 14};
        const Color color = closeness_color(closeness_of(station), d.theme());
        canvas.fill(box, color, 2);
        canvas.label_inside(box, station_name(station), FontRole::body, text_on(color), 3);
        x += box.w;
    };
    if (cost.known) {
        part(cost.far, Station::dram);
        part(cost.near, Station::shared);
        part(cost.multiply, Station::arithmetic);
    }
    canvas.label_middle({x + 8, y + d.bar / 2}, text, chosen ? FontRole::strong : FontRole::body,
                        chosen ? d.theme().text : d.theme().text_weak);
    std::string parts = "The latencies of this GPU are not known.";
    if (cost.known) {
        parts = fmt::format("{} {} cycles for DRAM", provenance_mark(Provenance::approximate),
                            latency_digits(cost.far));
        if (cost.near > 0) parts += fmt::format(", {} for shared memory", latency_digits(cost.near));
        parts += cost.multiply > 0 ? fmt::format(", {} for the multiply-add", latency_digits(cost.multiply))
                                   : std::string("; the few of the multiply-add are not known");
    }
    canvas.hit({.rect = {d.left, y, d.width, d.bar},
                .tooltip = parts + "\nclick: show this way",
                .link = fmt::format("?board=journey&journey.tiled={}", setting.tiled ? 1 : 0)});
}

/// What the bars leave out, and the way to it: enough warps hide the waits.
/// @return  the room that it takes at the right end of the line [points]
float draw_way_to_hiding(const JourneyCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const std::string text =
        fit_text(canvas, {"enough warps hide the waits: see how many", "enough warps hide it", "hide it"},
                 FontRole::body, d.width / 2);
    const float width = canvas.width(text, FontRole::body);
    const Rect place{d.left + d.width - width - 8, y, width + 8, kStationHead};
    canvas.label_middle({place.x + 4, y + kStationHead / 2}, text, FontRole::body, canvas.theme.accent);
    const int warps = warps_that_hide_dram(d.view.device), fit = warps_that_fit(d.view.device);
    canvas.hit({.rect = place,
                .tooltip = (warps > 0 ? fmt::format("{} {} warps of each SM, with a coalesced request each, "
                                                    "keep DRAM busy while they wait{}.\n",
                                                    provenance_mark(Provenance::approximate), warps,
                                                    fit > 0 && warps > fit
                                                        ? fmt::format(": more than the {} that fit, so each "
                                                                      "needs several requests under way",
                                                                      fit)
                                                        : std::string())
                                      : std::string("While one warp waits, others compute.\n")) +
                           "click: a kernel that waits, and the bytes that it has under way",
                .link = kHidingLink});
    return width + 16;
}

}  // namespace

double cycles_from(Station station, const Latencies& latencies) {
    constexpr double Latencies::*kFields[] = {&Latencies::dram,   &Latencies::l2, &Latencies::l1,
                                              &Latencies::shared, nullptr,        &Latencies::multiply_add};
    const auto field = kFields[int(station)];
    return field == nullptr ? 0 : latencies.*field;
}

std::string latency_digits(double cycles) { return fmt::format("{:.{}f}", cycles, cycles < 99.95 ? 1 : 0); }

std::string latency_words(double cycles) {
    return cycles > 0 ? latency_digits(cycles) + " cycles" : std::string("not known");
}

Picture draw_journey(const JourneyView& view, const Style& style) {
    Canvas canvas(style, "One multiply-add",
                  view.setting.tiled ? fmt::format("{}, tile of {} x {}", view.device.name, view.setting.tile,
                                                   view.setting.tile)
                                     : fmt::format("{}, without a tile", view.device.name));
    const float top = canvas.draw_title() + (style.embedded ? 0.0f : 4.0f);
    const float edge = style.embedded ? 2.0f : 12.0f, x = canvas.margin(), width = canvas.inner_width();
    // The room of the longest sentences, so that the picture stands still while steps go by.
    constexpr float kBars = kStationHead + 2 * kLeastBar + 2 * kStationGap;
    const float room = style.size.y - top - edge - kLeastStations - kBars;
    const Sentences words = fit_sentences(explain_journey(view), style, width, room);
    float sentences = words.height();
    for (const JourneyStep step : journey_steps(view.setting))
        sentences = std::max(
            sentences,
            fit_sentences(explain_journey({view.setting, step, view.device}), style, width, room).height());
    const float bottom = style.size.y - edge - sentences;
    JourneyCanvas d{canvas, view, x, width, top};
    d.between = width > 900 ? 34.0f : width > 600 ? 20.0f : 8.0f;
    const float all = bottom - top - kStationHead - 2 * kStationGap;
    d.bar = std::clamp(std::min(0.2f * all, (all - kLeastStations) / 2), 1.0f, kMostBar);
    d.height = std::max(1.0f, all - 2 * d.bar);
    for (int i = 0; i < kStations; ++i) draw_station(d, Station(i));
    draw_arrows(d);
    draw_tokens(d);
    const float y = d.top + d.height + kStationGap;
    const std::string mark(provenance_mark(Provenance::approximate));
    const float hiding = draw_way_to_hiding(d, y);
    const std::string head =
        fit_text(canvas,
                 {mark + " cycles of one multiply-add, if a warp waits for everything in turn",
                  mark + " cycles of a multiply-add, waits in turn", mark + " cycles"},
                 FontRole::body, width - hiding);
    canvas.label_middle({x, y + kStationHead / 2}, canvas.elide(head, FontRole::body, width - hiding),
                        FontRole::body, canvas.theme.text_weak);
    const JourneySetting straight{false, view.setting.tile}, tiled{true, view.setting.tile};
    const float label_w = std::max(canvas.width("without a tile", FontRole::strong),
                                   canvas.width("tile of 32 x 32", FontRole::strong)) +
                          14;
    const double scale = std::max(journey_cost(straight, view.device.latencies).all(),
                                  journey_cost(tiled, view.device.latencies).all());
    draw_cost(d, straight, y + kStationHead, label_w, scale);
    draw_cost(d, tiled, y + kStationHead + d.bar, label_w, scale);
    draw_sentences(canvas, words, x, bottom);
    return canvas.take();
}

}  // namespace warplens
