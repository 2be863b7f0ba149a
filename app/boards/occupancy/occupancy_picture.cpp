#include "app/boards/occupancy/occupancy_picture.h"

#include "app/base/text.h"
#include "app/boards/occupancy/occupancy_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/access/warp_canvas.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kOccupancyGap = 12, kHead = 26;
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

/// The number of a block, in print on a patch that keeps the block's pattern away from it.
void draw_block_number(const OccupancyCanvas& d, Rect cell, int block) {
    Canvas& canvas = d.canvas;
    const std::string number = std::to_string(block);
    if (!canvas.label_inside(cell, number, FontRole::body, text_on(d.block_color(block))) ||
        canvas.theme.name != ThemeName::print)
        return;
    const Shape label = canvas.picture.shapes.back();
    canvas.picture.shapes.pop_back();
    const float w = std::min(cell.w, canvas.width(number, FontRole::body) + 2);
    const float h = std::min(cell.h - 2, line_height(FontRole::body) - 3);
    canvas.fill({cell.x + (cell.w - w) / 2, cell.y + (cell.h - h) / 2, w, h}, canvas.theme.panel, 2);
    canvas.add(label);
    std::get<Label>(canvas.picture.shapes.back()).color = canvas.theme.text;
}

void draw_slot(const OccupancyCanvas& d, Rect cell, Slot slot) {
    Canvas& canvas = d.canvas;
    if (slot.block < 0) {
        canvas.frame(inset(cell, 1), canvas.theme.outline, 1, 2);
        return;
    }
    const Color color = d.block_color(slot.block);
    const float share = float(threads_of_warp(d.view.input, slot.warp)) / kWarpLanes;
    const Rect whole = inset(cell, 1);
    if (share < 1) {
        canvas.box({.rect = whole, .stroke = color, .rounding = 2, .hatch = with_alpha(color, 0.5f)});
    }
    const Rect used{whole.x, whole.y, whole.w * share, whole.h};
    canvas.fill(used, color, 2);
    draw_block_number(d, used, slot.block);
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
    const auto rows = float(slot_rows(facts));
    const auto bars = float(counted_resources(facts).size());
    Heights heights{std::clamp(0.17f * room / rows, 10.0f, 56.0f),
                    std::clamp(0.27f * room / bars, 17.0f, 56.0f)};
    // Blocks have their numbers before the curves are high.
    const float numbered = ascent(FontRole::body) + descent(FontRole::body) + 2;
    const Heights readable{std::max(heights.slot, numbered + 1), std::max(heights.bar, numbered + 5)};
    if (room - rows * readable.slot - bars * readable.bar >= kLeastCurves) heights = readable;
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
    const float used = canvas.width(share, FontRole::heading) + kOccupancyGap;
    const std::string slots = fmt::format("{} of {} warp slots taken", d.now.warps(), d.now.max_warps);
    const float room = d.right() - canvas.margin() - used;
    const std::string text = fit_text(canvas,
                                      {fmt::format("{} of {}: {}", counted(d.now.blocks, "block"),
                                                   counted(d.view.input.threads, "thread"), slots),
                                       fmt::format("{}: {}", counted(d.now.blocks, "block"), slots), slots},
                                      FontRole::strong, room);
    canvas.label_elided({canvas.margin(), baseline}, text, FontRole::strong, theme.text, room);
    canvas.hit({d.right() - used, top, used, kHead}, -1,
               "Occupancy: resident warps as a share of the warp slots of an SM.");
}

/// The SM's warp slots, one row for each partition.
/// @param row  height of a row [points]
void draw_slots(const OccupancyCanvas& d, float top, float row) {
    Canvas& canvas = d.canvas;
    const int rows = slot_rows(d.facts()), columns = d.facts().max_warps / rows;
    const float pitch = d.width() / float(columns);
    const bool parted = d.facts().partitions > 1;
    for (int r = 0; r < rows; ++r) {
        const float y = top + row * float(r), middle = y + row / 2;
        const bool named = row >= 15 && (parted || r == 0);
        if (named)
            canvas.label_middle({canvas.margin(), middle},
                                parted ? fmt::format("partition {}", r) : std::string("warps"),
                                FontRole::body, canvas.theme.text_weak);
        for (int c = 0; c < columns; ++c) {
            const Rect cell{d.left() + pitch * float(c), y, pitch, row};
            const Slot slot = slot_of(d.now, c * rows + r);
            draw_slot(d, cell, slot);
            canvas.hit(cell, -1, slot_tooltip(d, slot, r));
        }
    }
}

/// A resource of an SM, and the part of it that a block gets.
struct Budget {
    Resource resource = Resource::warps;
    double total = 0, per_block = 0;
    double usable = 0;  ///< without the rest that no warp can get, because each partition has its own share
    int allowed = 0;    ///< number of blocks. kUnlimited for any number.
    bool limits = false;

    double rest(int blocks) const { return total - per_block * blocks; }
};

Budget budget_of(const OccupancyCanvas& d, Resource resource) {
    const CapabilityFacts& facts = d.facts();
    const std::pair<int, int> total_and_block[kResources] = {
        {facts.max_warps, d.now.warps_per_block},
        {facts.registers_per_sm, d.now.registers_per_block},
        {d.now.shared_per_sm, d.now.shared_per_block},
        {facts.max_blocks, 1},
        {facts.max_barriers, d.view.input.barriers}};
    const auto [total, per_block] = total_and_block[int(resource)];
    Budget b{
        resource, double(total), double(per_block), 0, d.now.allowed_by(resource), d.now.limits(resource)};
    b.usable = b.total;
    if (resource == Resource::registers && d.now.registers_per_warp > 0) {
        const int of_partition = facts.registers_per_sm / facts.partitions;
        b.usable = of_partition / d.now.registers_per_warp * d.now.registers_per_warp * facts.partitions;
    }
    return b;
}

std::string amount(Resource resource, double value) {
    return resource == Resource::shared ? format_size(value) : format_count(static_cast<std::int64_t>(value));
}

std::string exact_amount(Resource resource, double value) {
    const std::string count = format_count(static_cast<std::int64_t>(value));
    return resource == Resource::shared ? count + " bytes" : count;
}

/// By Resource.
constexpr std::string_view kMeanings[kResources] = {
    "Places in which an SM keeps a warp's state; an unfinished warp takes a whole one.",
    "All resident threads have their registers at the same time, in portions of a fixed size.",
    "All resident blocks have their shared memory at the same time, in portions of a fixed size.",
    "Places in which an SM keeps a block's state.",
    "Barriers that all resident blocks share; a block that uses __syncthreads() takes one."};

std::string budget_tooltip(const OccupancyCanvas& d, const Budget& b) {
    std::string text = capitalized(
        fmt::format("{}: an SM has {}", resource_words(b.resource), exact_amount(b.resource, b.total)));
    text += b.per_block > 0 ? fmt::format(", a block gets {}", exact_amount(b.resource, b.per_block))
                            : std::string(", a block uses none");
    if (b.allowed == 0)
        text += "\na block cannot have so much of it";
    else if (b.allowed != kUnlimited)
        text += fmt::format("\nroom for {}; {} are resident", counted(b.allowed, "block"), d.now.blocks);
    if (b.usable < b.total)
        text +=
            fmt::format("\n{} no warp can get: what is left over in each of the {} partitions is too little",
                        exact_amount(b.resource, b.total - b.usable), d.facts().partitions);
    if (b.resource == Resource::shared && d.facts().shared_reserved > 0)
        text += fmt::format("\n{} of each block are reserved, also where it declares nothing",
                            counted(d.facts().shared_reserved, "byte"));
    if (b.resource == Resource::shared && d.facts().has_carveout()) {
        text += fmt::format("\ncarve-out: {} of {}; the other {} are L1", format_size(d.now.shared_per_sm),
                            format_size(d.facts().l1_and_shared),
                            format_size(d.facts().l1_and_shared - d.now.shared_per_sm));
    }
    return fmt::format("{}\n{}", text, kMeanings[int(b.resource)]);
}

/// Too many to be told apart: one outline for all that would still fit, with their number in it.
void draw_others(const OccupancyCanvas& d, const Budget& b, Rect bar, float each) {
    const int others = b.allowed - d.now.blocks;
    if (others <= 0) return;
    const Rect place{bar.x + each * float(d.now.blocks), bar.y, each * float(others), bar.h};
    d.canvas.frame(inset(place, 1), d.canvas.theme.outline, 1, 2);
    const std::string more = fmt::format("room for {} more", others);
    const int reserved = b.resource == Resource::shared ? d.facts().shared_reserved : 0;
    const std::string with_reserved =
        reserved > 0 ? fmt::format("{}: {} of each reserved", more, format_size(reserved)) : more;
    d.canvas.label_inside(place, fit_text(d.canvas, {with_reserved, more}, FontRole::body, place.w - 4),
                          FontRole::body, d.canvas.theme.text_weak);
}

/// The blocks in a bar: those that are resident filled, those that would fit as outlines.
void draw_blocks(const OccupancyCanvas& d, const Budget& b, Rect bar) {
    constexpr float kNarrowest = 6;
    Canvas& canvas = d.canvas;
    const float each = bar.w * float(b.per_block / b.total);
    const bool narrow = each < kNarrowest;
    if (narrow) draw_others(d, b, bar, each);
    const int drawn = narrow ? d.now.blocks : b.allowed;
    const bool numbers = each > canvas.width(std::to_string(d.now.blocks - 1), FontRole::body) + 5;
    for (int block = 0; block < drawn; ++block) {
        const Rect part{bar.x + each * float(block), bar.y, each, bar.h};
        const Rect cell = inset(part, std::min(1.0f, 0.12f * each));
        if (block >= d.now.blocks) {
            canvas.frame(cell, canvas.theme.outline, 1, 2);
            continue;
        }
        const Color color = d.block_color(block);
        canvas.fill(cell, color, 2);
        if (numbers) draw_block_number(d, cell, block);
    }
}

void draw_bar(const OccupancyCanvas& d, const Budget& b, Rect bar) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    canvas.fill(bar, theme.cell_empty, 2);
    if (b.allowed == 0) {
        canvas.box({.rect = bar, .stroke = theme.bad, .rounding = 2, .hatch = with_alpha(theme.bad, 0.6f)});
        return;
    }
    if (b.usable < b.total) {
        const float lost = bar.w * float((b.total - b.usable) / b.total);
        canvas.box({.rect = {bar.x + bar.w - lost, bar.y, lost, bar.h},
                    .rounding = 2,
                    .hatch = with_alpha(theme.hatch, 0.8f)});
    }
    if (b.per_block > 0) draw_blocks(d, b, bar);
    if (b.per_block <= 0)
        canvas.label_inside(bar, "none used", FontRole::body, theme.text_weak);
    else if (const float rest = bar.w * float(b.rest(b.allowed) / b.total); rest > 0 && b.usable >= b.total)
        canvas.label_inside({bar.x + bar.w - rest, bar.y, rest, bar.h},
                            amount(b.resource, b.rest(b.allowed)) + " left", FontRole::body, theme.text_weak);
    if (b.limits) canvas.frame(bar, d.now.full() ? theme.good : theme.bad, 2, 3);
}

}  // namespace

Color OccupancyCanvas::block_color(int block) const {
    constexpr std::array<std::size_t, 4> kColors{kSeriesMeasured, 2, 1, 6};  // neighbours differ
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

    const float room = frame.bottom - frame.top - kHead - 2 * kOccupancyGap;
    const Heights heights = plan(view.facts, room);
    float y = frame.top;
    draw_occupancy_head(d, y);
    y += kHead;
    draw_slots(d, y, heights.slot);
    y += heights.slot * float(slot_rows(view.facts)) + kOccupancyGap;
    draw_budgets(d, y, heights.bar);
    y += heights.bar * float(counted_resources(view.facts).size()) + kOccupancyGap;
    draw_occupancy_curves(d, {canvas.margin(), y, d.right() - canvas.margin(), frame.bottom - y});
    close_frame(canvas, frame, explanation.good, "", "");
    return canvas.take();
}

std::vector<Resource> counted_resources(const CapabilityFacts& facts) {
    std::vector<Resource> resources{Resource::warps, Resource::registers, Resource::shared, Resource::blocks};
    if (facts.cc.major >= 9) resources.push_back(Resource::barriers);
    return resources;
}

void draw_budgets(const OccupancyCanvas& d, float top, float row) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float bar_width = d.width() - d.outcomes;
    float y = top;
    for (const Resource resource : counted_resources(d.facts())) {
        const Budget b = budget_of(d, resource);
        const float baseline = middle_baseline(y + row / 2, FontRole::body);
        const Color mark = d.now.full() ? theme.good : theme.bad;
        const FontRole font = b.limits ? FontRole::strong : FontRole::body;
        canvas.label({canvas.margin(), baseline}, std::string(resource_words(resource)), font,
                     b.limits ? theme.text : theme.text_weak);
        draw_bar(d, b, inset({d.left(), y, bar_width, row}, 2));
        const float x = d.left() + bar_width + 10;
        canvas.label({x, baseline}, b.allowed == kUnlimited ? "no limit" : counted(b.allowed, "block"), font,
                     b.limits ? theme.text : theme.text_weak);
        if (b.limits)
            canvas.label({d.right(), baseline}, d.now.full() ? "full" : "limits", FontRole::strong, mark,
                         Anchor::end);
        canvas.hit({canvas.margin(), y, d.right() - canvas.margin(), row}, -1, budget_tooltip(d, b));
        y += row;
    }
}

}  // namespace warplens
