#include "app/boards/hazards/hazards_canvas.h"
#include "app/pictures/kit/fit_text.h"
#include "kernels/multiply_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::string tip_of_word(const HazardsView& view, const SharedRegion& region, int word) {
    const HazardReport& report = view.hazards();
    const WordState& state = report.words[word];
    const int at = word - region.first;
    std::string text = fmt::format("{}, row {}, column {}: word {}", region.name, at / region.pitch,
                                   at % region.pitch, format_count(report.first_word + word));
    if (report.space != Space::global) text += fmt::format(", bank {}", word % kWarpLanes);
    if (!state.loaded && !state.stored) return text + "\nno thread accesses it";
    if (state.kinds == 0) {
        text += "\naccessed in order";
        if (view.unordered == nullptr) return text;
        const WordState& free = view.unordered->words[word];
        if (free.kinds == 0) return text + ": by one thread alone";
        return text + fmt::format(", for example first {}:\n{}\nthen, after a barrier, {}:\n{}",
                                  lane_name(report, free.example.first_thread),
                                  line_code(view, free.example.first_line),
                                  lane_name(report, free.example.second_thread),
                                  line_code(view, free.example.second_line));
    }
    const Hazard& hazard = state.example;
    if (hazard.kind == HazardKind::uninitialized)
        return text + fmt::format("\n{}, for example {}: {}\n{}", counted(state.hazards, "hazard"),
                                  hazard_name(hazard.kind), lane_name(report, hazard.first_thread),
                                  line_code(view, hazard.first_line));
    return text + fmt::format("\n{}, for example {}:\n{}: {}\n{}: {}\n{}", counted(state.hazards, "hazard"),
                              hazard_name(hazard.kind), lane_name(report, hazard.first_thread),
                              line_code(view, hazard.first_line), lane_name(report, hazard.second_thread),
                              line_code(view, hazard.second_line), interval_text(report, hazard.interval));
}

/// "word 1 024", the first of a row, or its number alone.
std::string word_label(const HazardsView& view, const SharedRegion& region, int row, bool long_name) {
    return (long_name ? "word " : "") +
           format_count(view.hazards().first_word + region.first + row * region.pitch);
}

/// The banks below the columns where rows are as wide as all banks, else the columns; the first word of each
/// row.
void draw_word_names(const HazardsCanvas& d, const WordsLayout& layout) {
    Canvas& canvas = d.canvas;
    if (layout.head <= 0) return;
    const Color weak = canvas.theme.text_weak;
    const SharedRegion& top = layout.places.front().region;
    const std::int64_t first = d.view.hazards().first_word + top.first;
    const bool banks =
        d.view.hazards().space != Space::global && top.pitch % kWarpLanes == 0 && first % kWarpLanes == 0;
    // Below, because wires come from above.
    const WordsLayout::Place& last = layout.places.back();
    const float y = last.y + layout.cell.y * float(last.region.rows) + layout.head / 2;
    canvas.label_middle({layout.x - 6, y}, banks ? "bank" : "column", FontRole::body, weak, Anchor::end);
    const float widest = canvas.width(std::to_string(top.pitch - 1), FontRole::body) + 5;
    int every = 1;
    while (layout.cell.x * float(every) < widest && every < top.pitch) every *= 2;
    for (int column = 0; column < top.pitch; column += every)
        canvas.label_middle({layout.x + layout.cell.x * (float(column) + 0.5f), y},
                            std::to_string(banks ? column % kWarpLanes : column), FontRole::body, weak,
                            Anchor::middle);
    for (const WordsLayout::Place& place : layout.places) {
        int rows = 1;
        while (layout.cell.y * float(rows) < 15 && rows < place.region.rows) rows *= 2;
        // The last one must not meet the line of banks.
        const bool lowest = &place == &layout.places.back();
        const auto below = [&](int row) { return layout.cell.y * (float(place.region.rows - row) - 0.5f); };
        for (int row = 0; row < place.region.rows && (!lowest || below(row) >= 8); row += rows)
            canvas.label_middle({layout.x - 6, place.y + layout.cell.y * (float(row) + 0.5f)},
                                word_label(d.view, place.region, row, layout.long_names), FontRole::body,
                                weak, Anchor::end);
    }
}

/// A line of code over several lines, broken as a person does: behind a space, a bracket, a full stop.
std::vector<std::string> wrap_code(const Canvas& canvas, std::string_view code, float width) {
    constexpr std::string_view kBreaks = " ([.,";
    std::vector<std::string> lines;
    while (!code.empty()) {
        std::size_t end = code.size();
        while (end > 0 && (canvas.width(code.substr(0, end), FontRole::mono) > width ||
                           (end < code.size() && kBreaks.find(code[end - 1]) == std::string_view::npos)))
            --end;
        if (end == 0) end = code.size();
        lines.emplace_back(code.substr(0, end));
        code.remove_prefix(end);
    }
    return lines;
}

}  // namespace

std::vector<LaneText> lane_texts(const HazardsCanvas& d, int thread, int line, float width,
                                 std::string_view verb) {
    const std::string name = lane_name(d.view.hazards(), thread);
    const std::string who =
        fit_text(d.canvas, {fmt::format("{} {}", name, verb), name}, FontRole::strong, width);
    std::vector<LaneText> texts;
    for (std::string& one : d.canvas.wrap(who, FontRole::strong, width))
        texts.push_back({std::move(one), FontRole::strong});
    for (std::string& one : wrap_code(d.canvas, line_code(d.view, line), width))
        texts.push_back({std::move(one), FontRole::mono});
    return texts;
}

Box word_look(const HazardsCanvas& d, const WordState& state) {
    const Theme& theme = d.canvas.theme;
    Box box;
    if (!state.loaded && !state.stored) {
        box.fill = theme.panel;
        box.hatch = theme.hatch;
        return box;
    }
    box.fill = mix(theme.cell_empty, theme.text, 0.12f);
    bool first = true;
    for (int kind = 0; kind < kHazardKinds; ++kind) {
        if ((state.kinds >> kind & 1u) == 0) continue;
        const Color color = kind_color(theme, static_cast<HazardKind>(kind));
        (first ? box.fill : box.hatch) = color;
        first = false;
    }
    return box;
}

std::optional<Rect> draw_words(const HazardsCanvas& d, const WordsLayout& layout) {
    Canvas& canvas = d.canvas;
    const HazardReport& report = d.view.hazards();
    const LinePair* pair = d.view.drawn_pair();
    std::optional<Rect> target;
    draw_word_names(d, layout);
    // Words side by side that look the same are one box where they are narrow, or too many for one each.
    constexpr std::size_t kMostBoxes = 4096;
    std::optional<Box> run;
    const auto draw_run = [&] {
        if (run) canvas.box(*run);
        run.reset();
    };
    for (const WordsLayout::Place& place : layout.places) {
        const SharedRegion& region = place.region;
        const bool join = layout.cell.x < 4 || report.words.size() > kMostBoxes;
        const float across = join ? 0.0f : 1.0f, down = layout.cell.y < 4 ? 0.0f : 1.0f;
        canvas.label_elided(
            {layout.label_x, middle_baseline(place.y + std::min(layout.cell.y, 24.0f) / 2, FontRole::body)},
            region.name, FontRole::body, canvas.theme.text_weak, layout.x - layout.label_x - 6);
        for (int i = 0; i < region.rows * region.pitch; ++i) {
            const int word = region.first + i;
            if (word >= int(report.words.size())) break;
            const Rect cell{layout.x + layout.cell.x * float(i % region.pitch),
                            place.y + layout.cell.y * float(i / region.pitch), layout.cell.x, layout.cell.y};
            Box look = word_look(d, report.words[word]);
            look.rect = {cell.x, cell.y, cell.w - across, cell.h - down};
            look.rounding = across * down * 1.5f;
            if (join && run && i % region.pitch != 0 && run->fill == look.fill && run->hatch == look.hatch) {
                run->rect.w = look.rect.x + look.rect.w - run->rect.x;
            } else {
                draw_run();
                run = look;
            }
            canvas.hit(cell, -1, tip_of_word(d.view, region, word));
            if (pair != nullptr && pair->example.word == word) target = look.rect;
        }
        draw_run();
    }
    return target;
}

std::vector<SharedRegion> hazard_regions(const HazardsView& view) {
    const auto words = int(view.hazards().words.size());
    const Params& p = *view.params;
    std::vector<SharedRegion> regions;
    if (words == 0) return regions;
    if (view.hazards().region) return {*view.hazards().region};
    if (const Sharing& sharing = view.scenario->facts->sharing; sharing.regions != nullptr)
        return sharing.regions(p);
    int pitch = 32;
    const KernelOrder& order = view.hazards().order;
    for (int i = 0; i < order.count; ++i) {
        if (order.lines[i].kind != OrderedLine::Kind::access) continue;
        const TileShape tile =
            tile_shape(*view.scenario, p, view.scenario->instruction(p, order.lines[i].instruction));
        const int bytes = (tile.width + tile.padding) * tile.element_bytes;
        if (bytes > 0 && bytes % 4 == 0) pitch = bytes / 4;
    }
    regions.push_back({"tile", 0, (words + pitch - 1) / pitch, pitch});
    return regions;
}

WordsLayout lay_out_words(const Canvas& canvas, const HazardsView& view, Rect place) {
    constexpr float kBetween = 8, kMostHazardCell = 36;
    const std::vector<SharedRegion> regions = hazard_regions(view);
    WordsLayout layout;
    if (regions.empty()) return layout;
    int rows = 0, columns = 1;
    float label = 0;
    for (const SharedRegion& region : regions) {
        rows += region.rows;
        columns = std::max(columns, region.pitch);
        label = std::max(label, canvas.width(region.name, FontRole::body) + 10);
    }
    // Names of words and banks where there is room for them, beside and above.
    constexpr float kHead = 18, kRoomyWords = 150;
    const SharedRegion& last = regions.back();
    layout.long_names = place.w >= 520;
    const float word =
        std::max(canvas.width(word_label(view, last, last.rows - 1, layout.long_names), FontRole::body),
                 canvas.width("column", FontRole::body)) +
        12;
    if (place.h >= kRoomyWords && place.w - label - word >= 4.0f * float(columns)) {
        layout.head = kHead;
        label += word;
        place.h -= kHead;
    }
    const float between = kBetween * float(regions.size() - 1);
    layout.cell = {std::min(kMostHazardCell, (place.w - label) / float(columns)),
                   std::min(kMostWordHeight, (place.h - between) / float(rows))};
    layout.label_x = place.x;
    layout.x = place.x + label;
    float y = place.y;
    for (const SharedRegion& region : regions) {
        layout.places.push_back({region, y});
        y += layout.cell.y * float(region.rows) + kBetween;
    }
    return layout;
}

}  // namespace warplens
