#include "app/boards/occupancy/occupancy_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// What an SM has of a resource, and what a block gets of it.
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
    const auto [total, per_block] = total_and_block[static_cast<int>(resource)];
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
    return resource == Resource::shared ? size_text(value) : format_count(static_cast<std::int64_t>(value));
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
    std::string text =
        fmt::format("{}: an SM has {}", resource_words(b.resource), exact_amount(b.resource, b.total));
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    text += b.per_block > 0 ? fmt::format(", a block gets {}", exact_amount(b.resource, b.per_block))
                            : std::string(", a block wants none");
    if (b.allowed == 0)
        text += "\na block cannot have so much of it";
    else if (b.allowed != kUnlimited)
        text += fmt::format("\nroom for {}; {} are resident", counted(b.allowed, "block"), d.now.blocks);
    if (b.usable < b.total)
        text +=
            fmt::format("\n{} no warp can get: what is left over in each of the {} partitions is too little",
                        exact_amount(b.resource, b.total - b.usable), d.facts().partitions);
    if (b.resource == Resource::shared && d.facts().has_carveout()) {
        text += fmt::format("\ncarve-out: {} of {}; the other {} are L1", size_text(d.now.shared_per_sm),
                            size_text(d.facts().l1_and_shared),
                            size_text(d.facts().l1_and_shared - d.now.shared_per_sm));
    }
    return fmt::format("{}\n{}", text, kMeanings[static_cast<int>(b.resource)]);
}

/// Too many to be told apart: one outline for all that would still fit, with their number in it.
void draw_others(const OccupancyCanvas& d, const Budget& b, Rect bar, float each) {
    const int others = b.allowed - d.now.blocks;
    if (others <= 0) return;
    const Rect place{bar.x + each * static_cast<float>(d.now.blocks), bar.y,
                     each * static_cast<float>(others), bar.h};
    d.canvas.frame(inset(place, 1), d.canvas.theme.outline, 1, 2);
    d.canvas.label_inside(place, fmt::format("room for {} more", others), FontRole::body,
                          d.canvas.theme.text_weak);
}

/// The blocks in a bar: those that are resident filled, those that would fit as outlines.
void draw_blocks(const OccupancyCanvas& d, const Budget& b, Rect bar) {
    constexpr float kNarrowest = 6;
    Canvas& canvas = d.canvas;
    const float each = bar.w * static_cast<float>(b.per_block / b.total);
    const bool narrow = each < kNarrowest;
    if (narrow) draw_others(d, b, bar, each);
    const int drawn = narrow ? d.now.blocks : b.allowed;
    const bool numbers = each > canvas.width(std::to_string(d.now.blocks - 1), FontRole::body) + 5;
    for (int block = 0; block < drawn; ++block) {
        const Rect part{bar.x + each * static_cast<float>(block), bar.y, each, bar.h};
        const Rect cell = inset(part, std::min(1.0f, 0.12f * each));
        if (block >= d.now.blocks) {
            canvas.frame(cell, canvas.theme.outline, 1, 2);
            continue;
        }
        const Color color = d.block_color(block);
        canvas.fill(cell, color, 2);
        if (numbers) canvas.label_inside(cell, std::to_string(block), FontRole::body, text_on(color));
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
        const float lost = bar.w * static_cast<float>((b.total - b.usable) / b.total);
        canvas.box({.rect = {bar.x + bar.w - lost, bar.y, lost, bar.h},
                    .rounding = 2,
                    .hatch = with_alpha(theme.hatch, 0.8f)});
    }
    if (b.per_block > 0) draw_blocks(d, b, bar);
    if (b.per_block <= 0)
        canvas.label_inside(bar, "none wanted", FontRole::body, theme.text_weak);
    else if (const float rest = bar.w * static_cast<float>(b.rest(b.allowed) / b.total);
             rest > 0 && b.usable >= b.total)
        canvas.label_inside({bar.x + bar.w - rest, bar.y, rest, bar.h},
                            amount(b.resource, b.rest(b.allowed)) + " left", FontRole::body, theme.text_weak);
    if (b.limits) canvas.frame(bar, d.now.full() ? theme.good : theme.bad, 2, 3);
}

}  // namespace

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
