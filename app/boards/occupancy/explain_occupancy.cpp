#include "app/base/format.h"
#include "app/base/text.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

namespace warplens {
namespace {

std::string cc_of(const OccupancySetting& view) { return "compute capability " + view.facts.cc.text(); }

/// "6 blocks: 48 of 64 warps, 75 %"
std::string outcome(const Occupancy& occupancy) {
    return fmt::format("{}: {} of {} warps, {}", counted(occupancy.blocks, "block"), occupancy.warps(),
                       occupancy.max_warps, format_percent(occupancy.warps(), occupancy.max_warps));
}

/// "One register fewer, 32 instead of 33," and the like; one change alone.
std::string change_phrase(const OccupancySetting& view, const OccupancyChange& change) {
    const std::string to = format_count(change.to), from = format_count(change.from);
    const int fewer = change.from - change.to;
    if (change.knob == OccupancyKnob::registers)
        return fmt::format("{} fewer per thread, {} instead of {},",
                           fewer == 1 ? "One register" : counted(fewer, "register"), to, from);
    if (change.knob == OccupancyKnob::shared)
        return fmt::format("{} of shared memory less per block, {} instead of {},",
                           fewer == 1 ? "One byte" : counted(fewer, "byte"), to, from);
    if (change.knob == OccupancyKnob::threads)
        return fmt::format("Blocks of {} instead of {} threads", to, from);
    const auto size = [&](int percent) { return format_size(shared_of_carveout(view.facts, percent)); };
    return fmt::format("A carve-out of {} %, {} instead of {},", change.to, size(change.to),
                       size(change.from));
}

/// "32 registers": what several changes together lead to.
std::string target_phrase(const OccupancyChange& change) {
    if (change.knob == OccupancyKnob::registers) return counted(change.to, "register");
    if (change.knob == OccupancyKnob::shared) return counted(change.to, "byte") + " of shared memory";
    if (change.knob == OccupancyKnob::threads) return counted(change.to, "thread");
    return fmt::format("a carve-out of {} %", change.to);
}

std::string why_registers(const OccupancySetting& view, const Occupancy& now) {
    const CapabilityFacts& facts = view.facts;
    const int each = view.input.registers;
    if (facts.registers_by_block) {
        return fmt::format(
            "A block of {} gets {} x 32 registers for each, handed out in units of {} to an even number of warps: {}. "
            "The SM has {}.",
            counted(now.warps_per_block, "warp"), each, facts.register_unit,
            format_count(now.registers_per_block), format_count(facts.registers_per_sm));
    }
    const int of_partition = facts.registers_per_sm / facts.partitions;
    const int warps = now.registers_per_warp > 0 ? of_partition / now.registers_per_warp : 0;
    return fmt::format(
        "A warp of {} x 32 registers gets {}, handed out in units of {}. Each of the SM's {} partitions has {}: room for "
        "{}, {} in all, and a block has {}.",
        each, format_count(now.registers_per_warp), register_portion(facts, each), facts.partitions,
        format_count(of_partition), counted(warps, "warp"), warps * facts.partitions, now.warps_per_block);
}

std::string why_shared(const OccupancySetting& view, const Occupancy& now) {
    const CapabilityFacts& facts = view.facts;
    const std::string declared = format_count(view.input.declared_shared());
    std::string hidden;
    if (facts.shared_reserved > 0)
        hidden = fmt::format(" and {} for the driver", format_count(facts.shared_reserved));
    if (facts.most_arguments > 0 && view.input.arguments != kNothingHidden)
        hidden = fmt::format(" and {} for the launch and the kernel's arguments",
                             format_count(facts.shared_launch + view.input.arguments));
    return fmt::format(
        "A block gets {} bytes of shared memory: {} that it declares{}, in units of {}. The SM has {}{}.",
        format_count(now.shared_per_block), declared, hidden, facts.shared_unit,
        format_size(now.shared_per_sm),
        now.shared_per_sm < facts.shared_per_sm ? " with this carve-out" : "");
}

std::string why_limited(const OccupancySetting& view, const Occupancy& now) {
    if (now.limits(Resource::registers)) return why_registers(view, now);
    if (now.limits(Resource::shared)) return why_shared(view, now);
    if (now.limits(Resource::warps)) {
        return fmt::format(
            "A block has {}, the SM {} slots for them: {} stay empty, too few for another block.",
            counted(now.warps_per_block, "warp"), now.max_warps, now.max_warps - now.warps());
    }
    if (now.limits(Resource::blocks)) {
        return fmt::format("An SM keeps {} blocks at most, and these have {} each.", view.facts.max_blocks,
                           counted(now.warps_per_block, "warp"));
    }
    return fmt::format("An SM has {} barriers for all its blocks, and these use {} each.",
                       view.facts.max_barriers, view.input.barriers);
}

/// A remark if the rule allows more registers than a compiler can use.
std::string beyond_the_compiler(const OccupancySetting& view) {
    if (view.input.registers <= view.facts.registers_per_thread) return "";
    return fmt::format(" By NVIDIA's rule; but at {} no instruction names more than {} registers.",
                       cc_of(view), view.facts.registers_per_thread);
}

/// A remark about lanes that are allocated but have no thread.
std::string idle_lanes(const OccupancySetting& view) {
    const int last = view.input.threads % kWarpLanes;
    if (last == 0) return "";
    return fmt::format(" The last warp of each block has only {}, and takes the room of 32.",
                       counted(last, "thread"));
}

/// The limiting resources in words: "Registers", "Warp slots and shared memory".
std::string limiters_phrase(const Occupancy& occupancy) {
    std::vector<std::string_view> names;
    for (int k = 0; k < kResources; ++k) {
        if (occupancy.limits(static_cast<Resource>(k)))
            names.push_back(resource_words(static_cast<Resource>(k)));
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return capitalized(text);
}

}  // namespace

std::string_view resource_words(Resource resource) {
    constexpr std::string_view kWords[kResources] = {"warp slots", "registers", "shared memory",
                                                     "block slots", "barriers"};
    return kWords[int(resource)];
}

std::string refusal_sentence(const OccupancySetting& view) {
    const CapabilityFacts& facts = view.facts;
    const Occupancy now = compute_occupancy(facts, view.input);
    const std::string threads = counted(view.input.threads, "thread"),
                      registers = counted(view.input.registers, "register");
    switch (now.refusal) {
        case Refusal::none:
            return "";
        case Refusal::threads:
            return fmt::format("A block of {} cannot run: at {} it has {} at most.", threads, cc_of(view),
                               format_count(facts.max_threads_per_block));
        case Refusal::registers_per_thread:
            return fmt::format("A thread cannot have {}: at {} it has {} at most, and the rest is spilled.",
                               registers, cc_of(view), facts.registers_per_thread_checked);
        case Refusal::registers_per_block: {
            const int all = facts.partitions;
            const int assumed = (now.warps_per_block + all - 1) / all * all * now.registers_per_warp;
            return fmt::format(
                "A block of {} with {} each cannot run: it needs {}, and a block gets {} at most.", threads,
                registers, format_count(facts.registers_by_block ? now.registers_per_block : assumed),
                format_count(facts.registers_per_block));
        }
        case Refusal::registers_elsewhere:
            return fmt::format(
                "A block of {} with {} each is refused: it would fit here, but not on GPUs of the same generation whose "
                "SMs have {} partitions.",
                threads, registers, facts.partitions_checked);
        case Refusal::shared:
            break;
    }
    return fmt::format("A block with {} of shared memory cannot run: at {} it gets {} at most.",
                       counted(view.input.declared_shared(), "byte"), cc_of(view),
                       format_count(facts.shared_per_block_most));
}

std::string remedy_sentence(const OccupancySetting& view, const Remedy& remedy) {
    const std::string gives = outcome(remedy.occupancy);
    if (remedy.changes.size() == 1) {
        const OccupancyChange& change = remedy.changes.front();
        const bool plural = change.knob == OccupancyKnob::threads ||
                            (change.knob != OccupancyKnob::carveout && change.from - change.to > 1);
        return fmt::format("{} {} {}.", change_phrase(view, change), plural ? "give" : "gives", gives);
    }
    std::string targets;
    for (std::size_t i = 0; i < remedy.changes.size(); ++i) {
        targets += i == 0 ? "" : i + 1 == remedy.changes.size() ? " and " : ", ";
        targets += target_phrase(remedy.changes[i]);
    }
    return fmt::format("Only together, {} give {}.", targets, gives);
}

Explanation explain_occupancy(const OccupancySetting& view) {
    const Occupancy now = compute_occupancy(view.facts, view.input);
    const std::vector<Remedy> remedies = find_remedies(view.facts, view.input);
    const std::string remedy = remedies.empty() ? "" : " " + remedy_sentence(view, remedies.front());
    if (now.blocks == 0) return said(refusal_sentence(view), remedy, beyond_the_compiler(view));
    const std::string of_threads = fmt::format("of {}", counted(view.input.threads, "thread"));
    if (now.full()) {
        return {fmt::format("{} {} fill all {} warp slots of an SM.", counted(now.blocks, "block"),
                            of_threads, now.max_warps),
                "That is the most, and no goal in itself: once latency is hidden, more warps add nothing." +
                    idle_lanes(view) + beyond_the_compiler(view),
                true};
    }
    const bool one = now.limits(Resource::shared) && (now.limiting & (now.limiting - 1)) == 0;
    return said(fmt::format("{} {} room for {} {}: {} of {} warps, {}", limiters_phrase(now),
                            one ? "leaves" : "leave", counted(now.blocks, "block"), of_threads, now.warps(),
                            now.max_warps, format_percent(now.warps(), now.max_warps)),
                "." + remedy, why_limited(view, now) + idle_lanes(view) + beyond_the_compiler(view));
}

}  // namespace warplens
