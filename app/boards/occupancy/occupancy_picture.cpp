#include "app/boards/occupancy/occupancy_picture.h"

#include "app/boards/occupancy/occupancy_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/access/warp_canvas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kGap = 12, kHead = 26;
constexpr float kLeast = 160;  // slots and bars at their smallest

/// The warp and the block that a slot holds. The block is -1 if the slot is free.
struct Slot {
    int block = -1, warp = 0;
};
Slot slot_of(const Occupancy& now, int slot) {
    if (slot >= now.warps()) return {};
    return {slot / now.warps_per_block, slot % now.warps_per_block};
}

/// Threads that exist of a warp: the last one of a block may be unfinished.
int threads_of_warp(const OccupancyInput& input, int warp) {
    return std::min(kWarpLanes, input.threads - warp * kWarpLanes);
}

std::string slot_tooltip(const OccupancyCanvas& d, Slot slot, int partition) {
    const std::string where =
        d.facts().partitions > 1 ? fmt::format("partition {}\n", partition) : std::string();
    if (slot.block < 0)
        return fmt::format("{}a free warp slot\n{} of {} are taken", where, d.now.warps(), d.now.max_warps);
    const int threads = threads_of_warp(d.view.input, slot.warp), first = slot.warp * kWarpLanes;
    std::string text = fmt::format("{}block {}, warp {} of {}: threads {} to {}", where, slot.block,
                                   slot.warp, d.now.warps_per_block, first, first + threads - 1);
    if (threads < kWarpLanes)
        text += fmt::format("\n{} of its 32 lanes have no thread", kWarpLanes - threads);
    return text + (partition >= 0 && d.facts().partitions > 1
                       ? "\nWarps are drawn in turn over the partitions."
                       : "");
}

void draw_slot(const OccupancyCanvas& d, Rect cell, Slot slot) {
    Canvas& canvas = d.canvas;
    if (slot.block < 0) {
        canvas.frame(inset(cell, 1), canvas.theme.outline, 1, 2);
        return;
    }
    const Color color = d.block_color(slot.block);
    const float share = static_cast<float>(threads_of_warp(d.view.input, slot.warp)) / kWarpLanes;
    const Rect whole = inset(cell, 1);
    if (share < 1) {
        canvas.box({.rect = whole, .stroke = color, .rounding = 2, .hatch = with_alpha(color, 0.5f)});
    }
    const Rect used{whole.x, whole.y, whole.w * share, whole.h};
    canvas.fill(used, color, 2);
    canvas.label_inside(used, std::to_string(slot.block), FontRole::body, text_on(color));
}

std::vector<std::string_view> names_of(const CapabilityFacts& facts) {
    std::vector<std::string_view> names;
    for (const Resource resource : counted_resources(facts)) names.push_back(resource_words(resource));
    names.push_back(facts.partitions > 1 ? "partition 0" : "warps");
    return names;
}

int slot_rows(const CapabilityFacts& facts) { return facts.partitions > 1 ? facts.partitions : 2; }

/// Heights of the parts, from what there is.
struct Heights {
    float slot = 0, bar = 0;  ///< of one row
};
Heights plan(const CapabilityFacts& facts, float room) {
    const auto rows = static_cast<float>(slot_rows(facts));
    const auto bars = static_cast<float>(counted_resources(facts).size());
    Heights heights{std::clamp(0.17f * room / rows, 10.0f, 56.0f),
                    std::clamp(0.27f * room / bars, 17.0f, 56.0f)};
    const float rest = room - rows * heights.slot - bars * heights.bar;
    if (rest < kLeastCurves) heights.bar += std::clamp(rest / bars, 0.0f, 24.0f);  // nothing is drawn there
    return heights;
}

/// How many blocks are resident, in words and as a percentage, on one line.
void draw_occupancy_head(const OccupancyCanvas& d, float top) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float baseline = top + ascent(FontRole::heading);
    const std::string share = format_percent(d.now.warps(), d.now.max_warps);
    const Color color = d.now.full() ? theme.good : d.now.blocks == 0 ? theme.bad : theme.text;
    canvas.label({d.right(), baseline}, share, FontRole::heading, color, Anchor::end);
    const float used = canvas.width(share, FontRole::heading) + kGap;
    const std::string text =
        fmt::format("{} of {}: {} of {} warp slots taken", counted(d.now.blocks, "block"),
                    counted(d.view.input.threads, "thread"), d.now.warps(), d.now.max_warps);
    canvas.label_elided({canvas.margin(), baseline}, text, FontRole::strong, theme.text,
                        d.right() - canvas.margin() - used);
    canvas.hit({d.right() - used, top, used, kHead}, -1,
               "Occupancy: resident warps as a share of the warp slots of an SM.");
}

/// The SM's warp slots, one row for each partition.
/// @param row  height of a row [points]
void draw_slots(const OccupancyCanvas& d, float top, float row) {
    Canvas& canvas = d.canvas;
    const int rows = slot_rows(d.facts()), columns = d.facts().max_warps / rows;
    const float pitch = d.width() / static_cast<float>(columns);
    const bool parted = d.facts().partitions > 1;
    for (int r = 0; r < rows; ++r) {
        const float y = top + row * static_cast<float>(r), middle = y + row / 2;
        const bool named = row >= 15 && (parted || r == 0);
        if (named)
            canvas.label_middle({canvas.margin(), middle},
                                parted ? fmt::format("partition {}", r) : std::string("warps"),
                                FontRole::body, canvas.theme.text_weak);
        for (int c = 0; c < columns; ++c) {
            const Rect cell{d.left() + pitch * static_cast<float>(c), y, pitch, row};
            const Slot slot = slot_of(d.now, c * rows + r);
            draw_slot(d, cell, slot);
            canvas.hit(cell, -1, slot_tooltip(d, slot, r));
        }
    }
}

}  // namespace

Color OccupancyCanvas::block_color(int block) const {
    constexpr std::array<std::size_t, 4> kColors{kSeriesMeasured, 2, 6, 1};
    return canvas.theme.series[kColors[static_cast<std::size_t>(block) % kColors.size()]];
}

Picture draw_occupancy(const OccupancySetting& view, const Style& style) {
    const Occupancy now = compute_occupancy(view.facts, view.input);
    const Explanation explanation = explain_occupancy(view);
    Canvas canvas(style, "One SM", view.where);
    const PictureFrame frame = open_frame(canvas, explanation, kLeast);
    OccupancyCanvas d{canvas, view, now};
    for (const std::string_view name : names_of(view.facts))
        d.names = std::max(d.names, canvas.width(name, FontRole::strong) + 12);
    d.outcomes = canvas.width("64 blocks", FontRole::strong) + canvas.width("limits", FontRole::strong) + 30;

    const float room = frame.bottom - frame.top - kHead - 2 * kGap;
    const Heights heights = plan(view.facts, room);
    float y = frame.top;
    draw_occupancy_head(d, y);
    y += kHead;
    draw_slots(d, y, heights.slot);
    y += heights.slot * static_cast<float>(slot_rows(view.facts)) + kGap;
    draw_budgets(d, y, heights.bar);
    y += heights.bar * static_cast<float>(counted_resources(view.facts).size()) + kGap;
    draw_occupancy_curves(d, {canvas.margin(), y, d.right() - canvas.margin(), frame.bottom - y});
    close_frame(canvas, frame, explanation.good, "", "");
    return canvas.take();
}

}  // namespace warplens
