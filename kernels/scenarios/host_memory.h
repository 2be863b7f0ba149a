#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// A kernel reads an array that lies in the memory of the host: it is copied before, or read where it is, or
/// its pages move on demand. What is timed is all of it, from the host's memory to the end of the kernel.
///
/// Row y of the grid reads the array for the y-th time.
struct HostMemory {
    enum class Way : int { pageable, pinned, mapped, managed, prefetched };
    static constexpr int kBytes = 4, kBlockThreads = 512;
    static constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;
    static constexpr Choice kWays[] = {{int(Way::pageable), "pageable"},
                                       {int(Way::pinned), "pinned"},
                                       {int(Way::mapped), "mapped"},
                                       {int(Way::managed), "managed"},
                                       {int(Way::prefetched), "prefetched"}};
    static constexpr Choice kFree[] = {{0, "all"}, {1, "1"}, {2, "2"}};

    WARPLENS_HD static constexpr Way way(const Params& p) { return static_cast<Way>(p.memory); }
    /// Whether the array is copied to the GPU before the kernel.
    static constexpr bool is_copied(const Params& p) { return way(p) <= Way::pinned; }
    static constexpr std::int64_t bytes(const Params& p) { return std::int64_t{1} << p.footprint_log2; }
    static constexpr int threads(const Params& p) { return int(bytes(p) / kBytes / p.stride); }
    static constexpr int last_warp(const Params& p) { return threads(p) / kWarpLanes * p.items - 1; }
    static constexpr std::string_view free_is_idle(const Params& p) {
        if (way(p) != Way::managed)
            return "Only managed memory may be larger than the GPU's: choose managed.";
        return bytes(p) < kGibibyte ? "The array fits in any case: choose more bytes." : "";
    }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::memory, "memory", "place", "Memory", "",
             "pageable, pinned: copied, then read. mapped: read over the link. managed: its pages move when they are "
             "touched. prefetched: managed, moved before.",
             KnobKind::choice, 0, 4, kWays}),
        {&Params::footprint_log2, "bytes", "", "Bytes", "bytes", "The size of the array.", KnobKind::power,
         16, 32, kNoChoices, false, true},
        {&Params::stride, "stride", "", "Stride", "elements",
         "From the element of one thread to that of the next. The elements between them are not read.",
         KnobKind::choice, 1, 32, kPowersTo32, false, true},
        {&Params::items, "reads", "", "Reads", "times", "How often the kernel reads it all.",
         KnobKind::choice, 1, 32, kPowersTo32, false, true},
        {&Params::left_free_gib, "free", "", "Free memory", "GiB",
         "What other work leaves free of the GPU's memory. A managed array may be larger than that.",
         KnobKind::choice, 0, 2, kFree, false, false, nullptr, &free_is_idle},
        warp_knob((1 << 30) - 1, &last_warp),
    };
    static constexpr Preset presets[] = {{"pageable", "memory=pageable"},
                                         {"pinned", "memory=pinned"},
                                         {"mapped", "memory=mapped"},
                                         {"mapped, a sector per lane", "memory=mapped,stride=8"},
                                         {"managed", "memory=managed"},
                                         {"prefetched", "memory=prefetched"},
                                         {"too large", "memory=managed,bytes=2^32,free=2"}};
    static constexpr ScenarioInfo info{
        .id = "host-memory",
        .title = "Host memory",
        .formula = "in[i * stride]",
        .summary = "A kernel reads an array of the host: copied, read over the link, or moved on demand.",
        .spaces = space_bit(Space::global),
        .knobs = knobs,
        .defaults = {.memory = int(Way::pinned), .footprint_log2 = 26, .items = 1},
        .presets = presets,
        .main_knobs = "memory,bytes,stride,reads",
        .first_axis = "bytes",
        .board = "traffic",
        .time = TimeModel::host,
        .cc_of = [](const Params& p) { return way(p) >= Way::managed ? 30 : 0; },
        // One address for host and GPU came with 2.0, page faults of a GPU and prefetches with 6.0.
        .modelled_from =
            [](const Params& p) { return way(p) >= Way::managed  ? 60
                                         : way(p) == Way::mapped ? 20
                                                                 : 0; },
        .instance = [](const Params&) { return 0; }};

    static constexpr LaunchShape launch(const Params& p) {
        constexpr HostKind kKinds[] = {HostKind::pageable, HostKind::pinned, HostKind::mapped,
                                       HostKind::managed, HostKind::managed};
        return {.grid = {threads(p) / kBlockThreads, p.items},
                .block = {kBlockThreads, 1},
                .buffer_bytes = {bytes(p), 0, 0},
                .host = kKinds[p.memory],
                .left_free = free_is_idle(p).empty() ? p.left_free_gib * kGibibyte : 0};
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params&, int) {
        return {.label = "load in", .object = "in", .code = "value = in[i * stride];"};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const std::int64_t i = std::int64_t{t.block_x} * kBlockThreads + t.x;
        return {static_cast<std::uint64_t>(i * p.stride * kBytes), true};
    }

    static KernelCode code(const Params&) { return {"read_strided"}; }
    static constexpr Sharing sharing{};

    static constexpr QuizTurn turns[] = {{"memory", "pinned,mapped,mapped"}, {"stride", "1,2,4,8,16,32"}};
    static constexpr QuizTell tells[] = {
        {"memory=mapped", "load in", "The array is in the host's memory.", "in[{stride} * i]"},
        {"", "load in", "The array was copied to the GPU.", "in[{stride} * i]"}};
    static constexpr QuizSource quiz[] = {{17, Space::global, turns, tells, "memory"}};
};

}  // namespace warplens
