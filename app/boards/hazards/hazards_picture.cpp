#include "app/boards/hazards/hazards_picture.h"

#include "app/boards/hazards/hazards_canvas.h"
#include "app/pictures/kit/fit_text.h"
#include "kernels/multiply_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace warplens {
namespace {

using Kind = OrderedLine::Kind;
constexpr float kBox = 24, kSourceRow = 29;                    // of the kernel's lines
constexpr float kLaneLine = 19, kLaneCells = 24, kWires = 34;  // two lanes: names, cells; the wires below
constexpr float kEnd = 54;                                     // launches
constexpr float kLeastTile = 70;
constexpr float kScopeRow = 18;
constexpr int kScopes = 6;
constexpr float scopes_height(int count) { return count == 0 ? 0 : 28 + float(count) * (kScopeRow + 4); }

/// A line of the kernel, a barrier or a word about the loop, as a box in a row.
struct OrderItem {
    std::string text;
    int line = -1;  ///< -1 for a word
};

std::vector<OrderItem> order_items(const HazardsView& view) {
    const HazardReport& report = view.hazards();
    const KernelOrder& order = report.order;
    const bool loop = order.loop_end > order.loop_begin;
    std::vector<OrderItem> items;
    for (int line = 0; line < order.count; ++line) {
        if (loop && line == order.loop_begin)
            items.push_back({fmt::format("{}:", counted(order.rounds, "round"))});
        const bool barrier = order.lines[line].kind == Kind::barrier;
        const bool gone = barrier && report.is_left_out(barrier_number(order, line));
        items.push_back({(gone ? "no " : "") + line_name(view, line), line});
        if (loop && line + 1 == order.loop_end && line + 1 < order.count) items.push_back({"then:"});
    }
    return items;
}

std::string tip_of_line(const HazardsView& view, int line) {
    const HazardReport& report = view.hazards();
    const OrderedLine& what = report.order.lines[line];
    if (what.kind != Kind::barrier)
        return fmt::format("{}\n{}", line_name(view, line), line_code(view, line));
    const bool gone = report.is_left_out(barrier_number(report.order, line));
    return fmt::format("{}\n{}", line_code(view, line),
                       gone ? "left out"
                       : what.waits == Waits::counted
                           ? "Whoever sees that the block is counted sees all that it stored before."
                           : "Nobody goes on before all have come here, with all that they stored.");
}

void draw_item(const HazardsCanvas& d, const OrderItem& item, Rect box) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float middle = box.y + box.h / 2;
    if (item.line < 0) {
        canvas.label_middle({box.x, middle}, canvas.elide(item.text, FontRole::body, box.w), FontRole::body,
                            theme.text_weak);
        return;
    }
    const HazardReport& report = d.view.hazards();
    const bool barrier = report.order.lines[item.line].kind == Kind::barrier;
    const bool gone = barrier && report.is_left_out(barrier_number(report.order, item.line));
    const LinePair* pair = d.view.main_pair();
    const bool meant = pair != nullptr && (item.line == pair->first_line || item.line == pair->second_line);
    const Color fill = barrier && !gone ? theme.text : theme.control;
    const Color stroke = gone ? theme.bad : meant ? kind_color(theme, pair->kind) : theme.panel_border;
    canvas.box({.rect = box,
                .fill = gone ? theme.panel : fill,
                .stroke = stroke,
                .stroke_width = gone || meant ? 2.5f : 1.0f,
                .rounding = barrier ? 2.0f : 5.0f});
    const std::string text = canvas.elide(item.text, FontRole::body, box.w - 8);
    canvas.label({box.x + box.w / 2, middle_baseline(middle, FontRole::body)}, text, FontRole::body,
                 gone      ? theme.bad
                 : barrier ? text_on(fill)
                           : theme.text,
                 Anchor::middle);
    canvas.hit(box, -1, tip_of_line(d.view, item.line));
}

/// The kernel's lines from left to right, in as many rows as they need.
/// @param draw  whether to draw them, not only to measure
/// @return      their height
float flow_order(const HazardsCanvas& d, Rect place, bool draw) {
    constexpr float kItemGap = 6;
    float x = place.x, y = place.y;
    for (const OrderItem& item : order_items(d.view)) {
        const float w =
            std::min(place.w, d.canvas.width(item.text, FontRole::body) + (item.line < 0 ? 2 : 18));
        if (x > place.x && x + w > place.x + place.w) {
            x = place.x;
            y += kSourceRow;
        }
        if (draw) draw_item(d, item, {x, y, w, kBox});
        x += w + kItemGap;
    }
    return y + kSourceRow - place.y;
}

/// The two lanes and their wires have the colour of a hazard, or of what is in order.
Color pair_color(const HazardsCanvas& d) {
    const LinePair* race = d.view.main_pair();
    return race == nullptr ? d.canvas.theme.good : kind_color(d.canvas.theme, race->kind);
}

/// One of the two lanes: its texts and its warp, and where its wire begins.
Vec2 draw_lane(const HazardsCanvas& d, int thread, int line, Rect place, std::string_view verb) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const Color color = pair_color(d);
    const HazardReport& report = d.view.hazards();
    float text_y = place.y + kLaneLine / 2;
    for (const LaneText& text : lane_texts(d, thread, line, place.w, verb)) {
        if (text_y > place.y + place.h - kLaneCells) break;
        canvas.label_elided({place.x, middle_baseline(text_y, text.font)}, text.text, text.font,
                            text.font == FontRole::strong ? theme.text : theme.text_weak, place.w);
        text_y += kLaneLine;
    }
    const float pitch = std::min(15.0f, place.w / kWarpLanes), y = place.y + place.h - kLaneCells + 4;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Rect cell{place.x + pitch * float(lane), y, pitch - std::min(1.5f, 0.2f * pitch), 15};
        const bool own = lane == thread % kWarpLanes;
        canvas.fill(cell, own ? color : theme.cell_empty, pitch < 6 ? 0.0f : 2.0f);
        canvas.hit(cell, lane,
                   fmt::format("{}\n{}", lane_name(report, thread - thread % kWarpLanes + lane),
                               own ? line_code(d.view, line) : std::string("another lane of this warp")));
    }
    return {place.x + pitch * (float(thread % kWarpLanes) + 0.45f), y + 15};
}

Legend legend_of(const HazardsCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const HazardReport& report = d.view.hazards();
    Legend legend;
    for (int kind = 0; kind < kHazardKinds; ++kind) {
        if (report.counts[kind] == 0) continue;
        const auto what = static_cast<HazardKind>(kind);
        legend.add_box(std::string(hazard_name(what)), {.fill = kind_color(theme, what), .rounding = 2});
    }
    WordState state;
    state.loaded = true;
    Box used = word_look(d, state), unused = word_look(d, {});
    used.rounding = unused.rounding = 2;
    const auto accessed = report.words.accessed();
    if (std::ranges::any_of(accessed, [](const WordState& w) { return w.kinds == 0; }))
        legend.add_box("accessed in order", used);
    if (accessed.size() < report.words.size()) legend.add_box("not accessed", unused);
    return legend;
}

constexpr float kRunLine = 19;

std::vector<std::string> run_lines(const HazardsCanvas& d, float width) {
    return d.canvas.wrap(run_text(d.view), FontRole::strong, width);
}

/// A run that goes wrong, and with which values.
void draw_run(const HazardsCanvas& d, Rect place) {
    Canvas& canvas = d.canvas;
    float y = place.y + 12;
    for (const std::string& line : run_lines(d, place.w)) {
        canvas.label_middle({place.x, y}, line, FontRole::strong, canvas.theme.bad);
        y += kRunLine;
    }
    const HazardRun& run = **d.view.run;
    const std::string of =
        run.results > 1 ? fmt::format("; in its warp {} of {} are wrong", run.wrong_results, run.results)
                        : "";
    const std::string input(values_of(*d.view.scenario).input);
    canvas.label_elided({place.x, middle_baseline(y, FontRole::body)},
                        fit_text(canvas,
                                 {fmt::format("A run that the barriers allow: {}{}", input, of),
                                  fmt::format("A run that the barriers allow: {}", input), input},
                                 FontRole::body, place.w),
                        FontRole::body, canvas.theme.text_weak, place.w);
}

/// Launch after launch, with the end of each as the barrier of the grid.
void draw_end(const HazardsCanvas& d, Rect place) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const std::vector<std::int64_t>& launches = d.view.end.launches;
    const std::string_view between = d.view.end.between;
    const std::string head =
        between.empty()
            ? fit_text(
                  canvas,
                  {"Without a cooperative launch, blocks have no barrier: only the end of a launch makes all "
                   "of them wait",
                   "Without a cooperative launch, only its end makes all blocks wait",
                   "Without a cooperative launch, blocks wait for its end"},
                  FontRole::body, place.w)
            : std::string("From the sums of the blocks to one");
    canvas.label_elided({place.x, middle_baseline(place.y + 10, FontRole::body)}, head, FontRole::body,
                        theme.text_weak, place.w);
    const float gap = 14, w = (place.w - gap * float(launches.size() - 1)) / float(launches.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Rect box{place.x + (w + gap) * float(i), place.y + 24, w, kBox};
        canvas.box({.rect = box, .fill = theme.control, .stroke = theme.panel_border, .rounding = 5});
        const std::string longer =
            between.empty() ? fmt::format("launch {}: {}", i + 1, counted(launches[i], "block"))
            : i == 0        ? fmt::format("{} leave their sums", counted(launches[i], "block"))
                            : std::string("1 block adds them up");
        canvas.label_inside(box,
                            fit_text(canvas,
                                     {longer, fmt::format("{}: {}", i + 1, counted(launches[i], "block")),
                                      counted(launches[i], "block"), format_count(launches[i])},
                                     FontRole::body, w - 6),
                            FontRole::body, theme.text);
        canvas.hit(box, -1,
                   fmt::format("{}\n{}", longer,
                               i == 0 ? "each block leaves a sum in global memory"
                                      : "adds up the sums that the launch before left"));
        if (i > 0) canvas.fill({box.x - gap / 2 - 2, box.y - 2, 4, kBox + 4}, theme.text, 1);
    }
}

/// The threads that see a store, and after what: each scope lies within the next one. The least one that the
/// two threads of a hazard share stands out; of few it is the middle one.
void draw_scopes(const HazardsCanvas& d, Rect place, int count) {
    struct Scope {
        std::string_view who, after, tip;
    };
    constexpr Scope kAll[kScopes] = {
        {"system", "__threadfence_system()", "the host and other GPUs, too"},
        {"device", "__threadfence(), grid.sync(), the end of a launch", "all blocks of this GPU"},
        {"cluster", "cluster.sync()", "the blocks of one cluster, from compute capability 9.0 on"},
        {"block", "__syncthreads(), __threadfence_block()", "the threads of one block"},
        {"warp", "__syncwarp()", "the lanes of one warp"},
        {"thread", "at once", "what a thread has stored it loads, whatever others do"}};
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const LinePair* pair = d.view.main_pair();
    std::string_view shared;
    if (pair != nullptr && pair->kind != HazardKind::uninitialized) {
        const HazardReport& report = d.view.hazards();
        const int first = pair->example.first_thread, second = pair->example.second_thread;
        shared = first / report.threads_per_block != second / report.threads_per_block
                     ? report.blocks.empty() ? "cluster" : "device"
                 : first / kWarpLanes != second / kWarpLanes ? "block"
                                                             : "warp";
    }
    canvas.label_elided({place.x, middle_baseline(place.y + 10, FontRole::body)},
                        "Scopes: who sees a store, and after what", FontRole::body, theme.text_weak, place.w);
    Rect box{place.x, place.y + 22, place.w, place.h - 28};
    const auto at = std::ranges::find(kAll, shared, &Scope::who) - std::begin(kAll);
    const auto first = std::clamp<std::ptrdiff_t>(shared.empty() ? 1 : at - count / 2, 0, kScopes - count);
    for (const Scope& scope : std::span(kAll).subspan(std::size_t(first), std::size_t(count))) {
        const bool meant = scope.who == shared;
        canvas.box({.rect = box,
                    .fill = meant ? mix(theme.panel, pair_color(d), 0.25f) : theme.control,
                    .stroke = meant ? pair_color(d) : theme.panel_border,
                    .rounding = 5});
        const std::string whole = fmt::format("{}: {}", scope.who, scope.after);
        canvas.label_elided(
            {box.x + 8, middle_baseline(box.y + kScopeRow / 2, FontRole::body)},
            fit_text(canvas, {whole, whole.substr(0, whole.rfind(','))}, FontRole::body, box.w - 12),
            FontRole::body, theme.text, box.w - 12);
        canvas.hit({box.x, box.y, box.w, kScopeRow}, -1, fmt::format("{}\n{}", scope.after, scope.tip));
        box = {box.x + 12, box.y + kScopeRow, box.w - 24, box.h - kScopeRow - 4};
    }
}

/// The height of the two lanes of a hazard with their wires; 0 if there is none to draw.
float lanes_height(const HazardsCanvas& d, float width) {
    constexpr float kNames = 130, kBetween = 24;  // before the first word; between the lanes
    const LinePair* pair = d.view.drawn_pair();
    if (pair == nullptr) return 0;
    const Hazard& hazard = pair->example;
    const float each = std::max(60.0f, (width - kNames - kBetween) / 2);
    std::size_t lines = lane_texts(d, hazard.first_thread, hazard.first_line, each, "stores first").size();
    if (pair->kind != HazardKind::uninitialized)
        lines = std::max(lines,
                         lane_texts(d, hazard.second_thread, hazard.second_line, each, "then loads").size());
    return kLaneLine * float(lines) + kLaneCells + kWires;
}

/// Which parts have room, from the most important on.
struct Parts {
    float order = 0, lanes = 0, run = 0, legend = 0, end = 0;
    int scopes = 0;
    float sum() const { return order + lanes + run + legend + end + scopes_height(scopes); }
};

Parts choose_parts(const HazardsCanvas& d, Rect place) {
    Parts parts;
    const auto take = [&](float& part, float height) {
        if (parts.sum() + height + kLeastTile <= place.h) part = height;
    };
    if (!d.view.hazards().words.empty()) take(parts.order, flow_order(d, place, false) + 4);
    if (*d.view.run) take(parts.run, 25 + kRunLine * float(run_lines(d, place.w).size()));
    take(parts.lanes, lanes_height(d, place.w));
    take(parts.legend, legend_of(d).height(d.canvas, place.w, 2));
    if (d.view.end.launches.size() > 1) take(parts.end, kEnd);
    // The words get what they need, those of blocks their least; the scopes have the rest.
    const bool of_blocks = d.view.end.launches.size() > 1 || !d.view.hazards().blocks.empty();
    float words = 30;
    for (const SharedRegion& region : hazard_regions(d.view)) words += kMostWordHeight * float(region.rows);
    if (of_blocks) words = std::min(words, kLeastTile);
    for (const int count : {kScopes, 3, 1})
        if (parts.scopes == 0 && parts.sum() + scopes_height(count) + words <= place.h) parts.scopes = count;
    return parts;
}

void draw_wires(const HazardsCanvas& d, std::span<const Vec2> from, const Rect& target) {
    const Vec2 to{target.x + target.w / 2, target.y - 3};
    const Color color = distinct_from(pair_color(d), d.canvas.theme.panel, 3);
    // A rim keeps the wires apart from words of the same colour.
    for (const Vec2 lane : from) d.canvas.wire(lane, to, d.canvas.theme.panel, 6);
    for (const Vec2 lane : from) d.canvas.wire(lane, to, color, 2.5f);
    d.canvas.frame(inset(target, -3), d.canvas.theme.highlight, 3, 3);
}

void draw_race(const HazardsCanvas& d, Rect place, const std::optional<Rect>& target) {
    const LinePair& pair = *d.view.drawn_pair();
    const bool ordered = d.view.main_pair() == nullptr;
    const bool first_stores = pair.kind != HazardKind::write_after_read;
    const bool second_stores = pair.kind != HazardKind::read_after_write;
    const float w = (place.w - 24) / 2;
    const Hazard& hazard = pair.example;
    if (pair.kind == HazardKind::uninitialized) {
        const Vec2 lane = draw_lane(d, hazard.first_thread, hazard.first_line, {place.x, place.y, w, place.h},
                                    "loads what nobody stored");
        if (target) draw_wires(d, {&lane, 1}, *target);
        return;
    }
    const Vec2 from[] = {
        draw_lane(d, hazard.first_thread, hazard.first_line, {place.x, place.y, w, place.h},
                  ordered        ? first_stores ? "stores first" : "loads first"
                  : first_stores ? "should store first"
                                 : "should load first"),
        draw_lane(d, hazard.second_thread, hazard.second_line, {place.x + w + 24, place.y, w, place.h},
                  second_stores ? "then stores" : "then loads")};
    if (target) draw_wires(d, from, *target);
}

}  // namespace

Color kind_color(const Theme& theme, HazardKind kind) {
    constexpr int kSeries[] = {kSeriesModel, kSeriesMeasured, 1, 3};
    return theme.series[kSeries[int(kind)]];
}

Picture draw_hazards(const HazardsView& view, const Style& style) {
    const HazardReport& report = view.hazards();
    Canvas canvas(style, "Hazards",
                  fmt::format("{}, {}: {}{}", view.scenario->info->title, blocks_text(report),
                              report.at_least(), counted(report.total(), "hazard")));
    const Explanation words = explain_hazards(view);
    const PictureFrame frame = open_frame(canvas, words, 190);
    const float x = canvas.margin();
    const Rect place{x, frame.top, canvas.inner_width(), frame.bottom - frame.top};
    const HazardsCanvas drawing{canvas, view};
    if (report.words.empty()) {
        canvas.label_elided({x, place.y + place.h / 2},
                            is_order_unknown(view) ? "The order of this kernel's lines is not known here."
                            : report.all_found ? "The threads of this kernel share no memory that they write."
                                               : "Which words its threads share is not known.",
                            FontRole::heading, canvas.theme.text_weak, place.w);
    } else if (place.w > 120 && place.h > kLeastTile) {
        const Parts parts = choose_parts(drawing, place);
        float y = place.y;
        if (parts.order > 0) flow_order(drawing, {x, y, place.w, parts.order}, true);
        y += parts.order;
        const float tile_y = y + parts.lanes;
        const WordsLayout layout = lay_out_words(
            canvas, view,
            {x, tile_y, place.w, place.y + place.h - (parts.sum() - parts.order - parts.lanes) - tile_y - 6});
        const std::optional<Rect> target = draw_words(drawing, layout);
        if (parts.lanes > 0)
            draw_race(drawing, {layout.x, y, x + place.w - layout.x, parts.lanes - kWires}, target);
        y = place.y + place.h - parts.legend - parts.run - parts.end - scopes_height(parts.scopes);
        if (parts.legend > 0) legend_of(drawing).draw(canvas, x, y, place.w, 2);
        y += parts.legend;
        if (parts.run > 0) draw_run(drawing, {x, y, place.w, parts.run});
        y += parts.run;
        if (parts.end > 0) draw_end(drawing, {x, y, place.w, kEnd});
        y += parts.end;
        if (parts.scopes > 0)
            draw_scopes(drawing, {x, y, place.w, scopes_height(parts.scopes)}, parts.scopes);
    }
    close_frame(canvas, frame, words.good,
                fmt::format("{}{}", report.at_least(), counted(report.total(), "hazard")), "");
    return canvas.take();
}

}  // namespace warplens
