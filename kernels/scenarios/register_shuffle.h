#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

/// Every lane of a warp gets a value of another lane: by a shuffle, which stays in the registers, through
/// shared memory, or through global memory.
///
/// Each block is one warp, and every block does the same.
struct RegisterShuffle {
    enum class Method : int { shuffle, shared, global };
    enum class Exchange : int { exclusive_or, up, down, rotate, broadcast };
    static constexpr Choice kMethods[] = {
        {int(Method::shuffle), "shuffle"}, {int(Method::shared), "shared"}, {int(Method::global), "global"}};
    static constexpr Choice kExchanges[] = {{int(Exchange::exclusive_or), "xor"},
                                            {int(Exchange::up), "up"},
                                            {int(Exchange::down), "down"},
                                            {int(Exchange::rotate), "rotate"},
                                            {int(Exchange::broadcast), "broadcast"}};
    static constexpr int kWordBytes = 4;
    static constexpr int kWarpBytes = kWarpLanes * kWordBytes;

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "way", "variant", "Method", "",
             "shuffle: from register to register. shared, global: each lane stores its value, then loads that of another lane.",
             KnobKind::choice, 0, 2, kMethods, false, true}),
        {&Params::pattern, "exchange", "pattern", "Exchange", "",
         "Whose value a lane gets. xor: of lane i ^ distance. up: i - distance. down: i + distance. rotate: down, "
         "modulo 32. broadcast: all get that of lane distance.",
         KnobKind::choice, 0, 4, kExchanges},
        {&Params::distance, "distance", "", "Distance", "lanes",
         "The distance to the other lane. A lane that has no partner keeps its own value.", KnobKind::slider,
         0, kWarpLanes - 1, kNoChoices, false, true},
        blocks_knob("How many blocks of one warp the grid has; each does the same.", 16),
    };
    static constexpr Preset presets[] = {{"butterfly", "exchange=xor,distance=16"},
                                         {"reduction step", "exchange=down,distance=8"},
                                         {"broadcast", "exchange=broadcast,distance=0"},
                                         {"through shared memory", "way=shared,exchange=xor,distance=16"},
                                         {"through global memory", "way=global,exchange=xor,distance=16"}};
    WARPLENS_HD static constexpr bool shuffles(const Params& p) { return p.variant == int(Method::shuffle); }
    static constexpr ScenarioInfo info{.id = "register-shuffle",
                                       .title = "Warp shuffle",
                                       .formula = "value of lane source(i)",
                                       .summary = "Each lane of a warp gets the value of another lane.",
                                       .spaces = space_bit(Space::registers),
                                       .knobs = knobs,
                                       .presets = presets,
                                       .main_knobs = "way,exchange,distance",
                                       .first_axis = "way",
                                       .speed_unit = [](const Params&) { return SpeedUnit::cycles; },
                                       .cc_of = [](const Params& p) { return shuffles(p) ? 30 : 0; },
                                       .earlier_title = "exchange between lanes"};

    static constexpr LaunchShape launch(const Params& p) {
        LaunchShape shape{.grid = {1 << p.blocks_log2, 1}, .block = {kWarpLanes, 1}};
        if (p.variant == int(Method::shared)) shape.shared_bytes = kWarpBytes;
        if (p.variant == int(Method::global)) shape.buffer_bytes[1] = std::int64_t{shape.grid.x} * kWarpBytes;
        return shape;
    }

    static constexpr int instruction_count(const Params& p) { return shuffles(p) ? 1 : 2; }

    /// A block is one warp. Through shared memory a barrier of the warp is enough for it; through global
    /// memory the kernel has one of the block.
    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        if (shuffles(p)) return order;
        const bool shared = p.variant == int(Method::shared);
        return order.access(0).barrier(shared ? Waits::warp : Waits::block).access(1);
    }

    static constexpr std::string_view shuffle_code(Exchange exchange) {
        switch (exchange) {
            case Exchange::exclusive_or:
                return "value = __shfl_xor_sync(~0u, value, distance);";
            case Exchange::up:
                return "value = __shfl_up_sync(~0u, value, distance);";
            case Exchange::down:
                return "value = __shfl_down_sync(~0u, value, distance);";
            case Exchange::rotate:
                return "value = __shfl_sync(~0u, value, lane + distance);";
            case Exchange::broadcast:
                break;
        }
        return "value = __shfl_sync(~0u, value, distance);";
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        if (shuffles(p)) {
            return {.label = "shuffle",
                    .code = shuffle_code(static_cast<Exchange>(p.pattern)),
                    .space = Space::registers,
                    .op = Op::load,
                    .bytes_per_lane = kWordBytes};
        }
        const bool shared = p.variant == int(Method::shared), store = index == 0;
        Instruction result{.label = {},
                           .code = {},
                           .space = shared ? Space::shared : Space::global,
                           .op = store ? Op::store : Op::load,
                           .bytes_per_lane = kWordBytes,
                           .buffer = shared ? 0 : 1,
                           .phase = index};
        if (store) {
            result.label = shared ? "store shared" : "store global";
            result.code = shared ? "tile[lane] = value;" : "out[i] = value;";
        } else {
            result.label = shared ? "load shared" : "load global";
            result.code = shared ? "value = tile[source(lane)];" : "value = out[i - lane + source(lane)];";
        }
        return result;
    }

    /// The lane whose value a lane gets. It is the lane itself if the partner lies outside the warp.
    WARPLENS_HD static constexpr int source(const Params& p, int lane) {
        switch (static_cast<Exchange>(p.pattern)) {
            case Exchange::exclusive_or:
                return lane ^ p.distance;
            case Exchange::up:
                return lane < p.distance ? lane : lane - p.distance;
            case Exchange::down:
                return lane + p.distance < kWarpLanes ? lane + p.distance : lane;
            case Exchange::rotate:
                return (lane + p.distance) % kWarpLanes;
            case Exchange::broadcast:
                break;
        }
        return p.distance;
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const bool shuffle = shuffles(p);
        const int lane = index == 0 && !shuffle ? t.x : source(p, t.x);
        const std::int64_t block = p.variant == int(Method::global) ? t.block_x : 0;
        return {static_cast<std::uint64_t>(block * kWarpBytes + lane * kWordBytes), true};
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kSources[] = {"Xor", "Up", "Down", "Rotate", "Broadcast"};
        constexpr const char* kShuffles[] = {
            "__shfl_xor_sync(~0u, value, distance)", "__shfl_up_sync(~0u, value, distance)",
            "__shfl_down_sync(~0u, value, distance)", "__shfl_sync(~0u, value, threadIdx.x + distance)",
            "__shfl_sync(~0u, value, distance)"};
        constexpr const char* kFunctions[] = {"exchange_", "exchange_shared", "exchange_global"};
        const bool shuffle = shuffles(p);
        return {kFunctions[p.variant] + std::string(shuffle ? kExchanges[p.pattern].name : ""),
                {{"Exchange", kSources[p.pattern]}},
                {{"source", kSources[p.pattern]}, {"exchange", kShuffles[p.pattern]}}};
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "lane i starts with i + 1",
                                                .result = "the value that * gets",
                                                .matters = &always_matters}};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
