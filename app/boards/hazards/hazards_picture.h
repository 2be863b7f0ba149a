#pragma once

#include "app/model/access/hazard_run.h"
#include "app/model/access/hazards.h"
#include "app/pictures/kit/canvas.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// How the sums of all blocks are added up, if each block leaves one: launch after launch, because a grid has
/// no barrier.
struct GridEnd {
    std::vector<std::int64_t> launches;  ///< blocks of each launch; empty if blocks leave no sums
    std::int64_t resident = 0;           ///< blocks that the GPU holds at once. 0 if that is not known.
    std::string_view between = {};       ///< see Sharing; then there are `launches` but these two parts
};

/// The facts that the picture of hazards is drawn from.
struct HazardsView {
    const HazardReport* report = nullptr;
    const std::optional<HazardRun>* run = nullptr;
    const Scenario* scenario = nullptr;
    const Params* params = nullptr;
    GridEnd end;
    std::string gpu;
    /// A pair that would race without any barrier, if none does with all: the barriers put it in order. Null
    /// elsewhere.
    const HazardReport* unordered = nullptr;

    const HazardReport& hazards() const { return *report; }
    /// The one that is told. Null if there is none.
    const LinePair* main_pair() const { return report->pairs.empty() ? nullptr : &report->pairs.front(); }
    /// The one that is drawn: the same, or one that a barrier puts in order.
    const LinePair* drawn_pair() const {
        if (main_pair() != nullptr || unordered == nullptr || unordered->pairs.empty()) return main_pair();
        return &unordered->pairs.front();
    }
};

/// The kernel's lines in their order with its barriers, two lanes that race for a word with their wires to
/// it, the words as rows and columns of the tile, a run that goes wrong.
Picture draw_hazards(const HazardsView& view, const Style& style);

/// How many hazards there are, between which lines, and the rule.
Explanation explain_hazards(const HazardsView& view);

/// Whether the kernel uses shared memory, but the scenario does not say in which order.
bool is_order_unknown(const HazardsView& view);

/// "read after write"
std::string_view hazard_name(HazardKind kind);
/// The name of an instruction or a fill, and its line of code.
std::string line_name(const HazardsView& view, int line);
std::string line_code(const HazardsView& view, int line);
/// "warp 4, lane 0"; in a cluster "warp 0 of the neighbour, lane 3"; in a grid "block (1, 0), warp 0, lane
/// 3".
std::string lane_name(const HazardReport& report, int thread);
/// "between barrier 2 of round 1 and barrier 1 of round 2".
std::string interval_text(const HazardReport& report, int interval);
/// "If warp 0 runs first, the sum of the block is 128, not 256: 128 short."; empty without a wrong run.
std::string run_text(const HazardsView& view);
/// "8 blocks", or "block (0, 0)" alone.
std::string blocks_text(const HazardReport& report);
/// Whether the barrier with this number makes nobody wait, and only lets others see what was stored.
bool is_fence(const KernelOrder& order, int number);
int count_fences(const KernelOrder& order);
/// "barrier 2", or "fence", which does not count among them. @param number  see barrier_number
std::string barrier_name(const KernelOrder& order, int number);
/// "barrier 1" or, if several are left out, "its barriers".
std::string missing_text(const HazardReport& report);

/// Shared memory as the kernel sees it: its tiles, or rows of 32 words.
std::vector<SharedRegion> hazard_regions(const HazardsView& view);

}  // namespace warplens
