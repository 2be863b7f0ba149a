#pragma once

#include "kernels/scenarios/shared_knobs.h"

namespace warplens {

enum class ReductionVariant : int { interleaved, divergent, sequential, shuffle };
/// How the sums of the blocks become one.
enum class ReductionFinish : int { sums, launch, last_block, sync, atomic };

/// Each block adds up its elements, by halving the number of active threads in shared memory step by step, or
/// by exchanging registers within warps.
///
/// A store writes the sum of what its step has loaded. An exchange adds the value of the lane that is `far`
/// lanes further; a lane with no such partner adds its own value, and its sum is not used any more.
///
/// The loads by which one block adds up the sums of all are not among the instructions: they are few, and no
/// other block makes them.
struct SharedReduction {
    static constexpr int kBytes = 4;
    static constexpr Choice kVariants[] = {{int(ReductionVariant::interleaved), "interleaved"},
                                           {int(ReductionVariant::divergent), "divergent"},
                                           {int(ReductionVariant::sequential), "sequential"},
                                           {int(ReductionVariant::shuffle), "shuffle"}};
    static constexpr Choice kBlocks[] = {
        {64, "64"}, {128, "128"}, {256, "256"}, {512, "512"}, {1024, "1024"}};

    static constexpr Choice kFinishes[] = {{int(ReductionFinish::sums), "sums"},
                                           {int(ReductionFinish::launch), "launch"},
                                           {int(ReductionFinish::last_block), "last-block"},
                                           {int(ReductionFinish::sync), "sync"},
                                           {int(ReductionFinish::atomic), "atomic"}};

    WARPLENS_HD static constexpr bool shuffles(const Params& p) {
        return p.variant == int(ReductionVariant::shuffle);
    }
    WARPLENS_HD static constexpr int warps(const Params& p) { return p.block_x / kWarpLanes; }
    static constexpr ReductionFinish finish(const Params& p) {
        return shuffles(p) ? static_cast<ReductionFinish>(p.operation) : ReductionFinish::sums;
    }
    static constexpr bool ends_with(const Params& p, ReductionFinish how) { return finish(p) == how; }
    WARPLENS_HD static constexpr bool adds(const Params& p) {
        return shuffles(p) && p.operation == int(ReductionFinish::atomic);
    }
    /// Whether one block adds up the sums that all have stored.
    static constexpr bool collects(const Params& p) {
        return !adds(p) && !ends_with(p, ReductionFinish::sums);
    }
    /// For grid.sync() all blocks must be on the GPU at once: an H100 and an H200 have room for these.
    static constexpr int most_blocks(const Params& p) {
        return ends_with(p, ReductionFinish::sync) ? 18 - log2_of(p.block_x) : 18;
    }
    static constexpr std::string_view finish_is_idle(const Params& p) {
        return shuffles(p) ? "" : "Only the variant shuffle goes on to one sum.";
    }
    static constexpr int log2_of(int power) {
        int log2 = 0;
        while (1 << log2 < power) ++log2;
        return log2;
    }
    /// The number of halvings: of the block in the tree, of the warp in the first round of exchanges.
    static constexpr int halvings(const Params& p) { return log2_of(shuffles(p) ? kWarpLanes : p.block_x); }
    static constexpr int last_step(const Params& p) { return halvings(p) - 1; }
    static constexpr int last_warp(const Params& p) { return (warps(p) << p.blocks_log2) - 1; }

    static constexpr Knob knobs[] = {
        remedy(
            {&Params::variant, "variant", "", "Variant", "",
             "interleaved: thread x adds word 2*s*x + s to word 2*s*x. divergent: the threads with x % (2*s) == 0 work. "
             "sequential: the threads with x < s, s falling. shuffle: within warps, in registers.",
             KnobKind::choice, 0, 3, kVariants}),
        {&Params::block_x, "block", "block_x", "Block", "threads",
         "Threads of a block; each loads one element.", KnobKind::choice, 64, 1024, kBlocks, false, true},
        step_knob("Which halving step the pictures show.", 9, &last_step),
        warp_knob((32 << 18) - 1, &last_warp),
        {&Params::blocks_log2, "blocks", "", "Blocks", "blocks",
         "How many blocks the grid has; each writes one sum.", KnobKind::power, 0, 18, kNoChoices, false,
         false, &most_blocks},
        {&Params::operation, "finish", "", "Blocks' sums", "",
         "sums: one for each block is left. launch: a second launch of one block adds them up. last-block: the block "
         "that is ready last does. sync: after grid.sync() the first one does. atomic: each adds its own to the total.",
         KnobKind::choice, 0, 4, kFinishes, false, true, nullptr, &finish_is_idle},
    };
    static constexpr Preset presets[] = {{"interleaved", "variant=interleaved"},
                                         {"one bank", "variant=interleaved,block=1024,step=4"},
                                         {"divergent", "variant=divergent"},
                                         {"sequential", "variant=sequential"},
                                         {"shuffle", "variant=shuffle"},
                                         {"second launch", "variant=shuffle,blocks=2^10,finish=launch"},
                                         {"last block", "variant=shuffle,blocks=2^10,finish=last-block"},
                                         {"grid sync", "variant=shuffle,blocks=2^10,finish=sync"},
                                         {"atomic add", "variant=shuffle,blocks=2^10,finish=atomic"}};
    static constexpr ScenarioInfo info{
        .id = "shared-reduction",
        .title = "Reduction",
        .formula = "tile[own] += tile[own + s]",
        .summary =
            "Each block adds up its elements: in shared memory with three access patterns, or with warp shuffles.",
        .spaces = space_bit(Space::shared) | space_bit(Space::registers),
        .knobs = knobs,
        .defaults = {.blocks_log2 = 12, .block_x = 256},
        .presets = presets,
        .main_knobs = "variant,block",
        .cc_of =
            [](const Params& p) {  // __shfl: PTX ISA, sm_30; cooperative launches: Programming Guide
                return ends_with(p, ReductionFinish::sync) ? 60 : shuffles(p) ? 30 : 0;
            },
        // Measured on an H200 with 64 to 1,024 blocks: 1.2 to 1.8, 1.5 to 1.8 and 1.8 to 3. The one block
        // waits
        // for each round of its loads: with 16,384 blocks of 256 threads it takes 15 to 16. What makes the
        // total
        // 0 before blocks add to it is not timed.
        .tail_us =
            [](const Params& p) {
                constexpr double kTails[] = {0, 1.1, 1.3, 1.7}, kRound = 0.22;
                const int rounds = ((1 << p.blocks_log2) + p.block_x - 1) / p.block_x;
                return collects(p) ? kTails[int(finish(p))] + kRound * (rounds - 1) : 0;
            },
        .not_counted = [](const Params& p) -> std::string_view {
            return collects(p) ? "one block also loads the sums of all" : "";
        }};

    static constexpr LaunchShape launch(const Params& p) {
        const std::int64_t blocks = std::int64_t{1} << p.blocks_log2;
        // Behind them the sum of all, and the counter of blocks that are ready.
        const std::int64_t sums = adds(p) ? 1 : blocks + (collects(p) ? 2 : 0);
        return {.grid = {1 << p.blocks_log2, 1},
                .block = {p.block_x, 1},
                // In the last block's kernel also whether it is the last one.
                .shared_bytes = (std::int64_t{shuffles(p) ? warps(p) : p.block_x} +
                                 (ends_with(p, ReductionFinish::last_block) ? 1 : 0)) *
                                kBytes,
                .buffer_bytes = {blocks * p.block_x * kBytes, sums * kBytes},
                .cooperative = ends_with(p, ReductionFinish::sync),
                .barrier_each_step = !shuffles(p),
                .step_index = p.variant == int(ReductionVariant::interleaved) ? StepIndex::product
                              : p.variant == int(ReductionVariant::divergent) ? StepIndex::remainder
                                                                              : StepIndex::shift};
    }

    static constexpr int instruction_count(const Params& p) { return shuffles(p) ? 6 : 7; }

    static constexpr KernelOrder order(const Params& p) {
        KernelOrder order;
        const bool last_block = ends_with(p, ReductionFinish::last_block);
        if (last_block || ends_with(p, ReductionFinish::sync)) {
            // The block that adds up all sums does the same with them once more.
            order.loop(2, 1).access(2).barrier().access(3).access(5, 1, 1);
            if (last_block) order.barrier(Waits::counted);
            order.barrier(last_block ? Waits::block : Waits::grid);
            return order.collect(5, last_block ? Waits::counted : Waits::grid, "sum += __ldcg(&sums[i]);", 1)
                .end_loop();
        }
        order.of_grid = adds(p);
        if (adds(p)) return order.access(2).barrier().access(3).access(5);
        if (shuffles(p)) return order.access(2).barrier().access(3);
        order.access(1).barrier().loop(halvings(p), 0).access(2).access(3).access(4).barrier().end_loop();
        return order.access(5);
    }

    static constexpr Instruction tree_instruction(const Params& p, int index) {
        constexpr std::string_view kOther[] = {"other = tile[2 * s * x + s];", "other = tile[x + s];",
                                               "other = tile[x + s];"};
        constexpr std::string_view kOwn[] = {"own = tile[2 * s * x];", "own = tile[x];", "own = tile[x];"};
        constexpr std::string_view kSum[] = {"tile[2 * s * x] = own + other;", "tile[x] = own + other;",
                                             "tile[x] = own + other;"};
        const int n = halvings(p);
        switch (index) {
            case 0:
                return {"load in", "in", "value = in[i];", Space::global, Op::load};
            case 1:
                return {"store tile", "tile", "tile[x] = value;", Space::shared, Op::store};
            case 2:
                return {"load other", "", kOther[p.variant], Space::shared, Op::load, kBytes, 0, 1, n};
            case 3:
                return {"load own", "", kOwn[p.variant], Space::shared, Op::load, kBytes, 0, 1, n};
            case 4:
                return {"store sum", "", kSum[p.variant], Space::shared, Op::store, kBytes, 0, 1, n};
            case 5:
                return {"load result", "", "value = tile[0];", Space::shared, Op::load, kBytes, 0, 2};
            default:
                return {"store out", "out", "out[block] = value;", Space::global, Op::store, kBytes, 1, 2};
        }
    }

    static constexpr Instruction shuffle_instruction(const Params& p, int index) {
        constexpr std::string_view kExchange = "sum += __shfl_down_sync(active, sum, far);";
        switch (index) {
            case 0:
                return {"load in", "in", "sum = in[i];", Space::global, Op::load};
            case 1:
                return {"exchange in each warp",
                        "",
                        kExchange,
                        Space::registers,
                        Op::load,
                        kBytes,
                        0,
                        1,
                        halvings(p),
                        1};
            case 2:
                return {
                    "store a sum per warp", "", "tile[warp] = sum;", Space::shared, Op::store, kBytes, 0, 2};
            case 3:
                return {
                    "load them in warp 0", "", "sum = tile[lane];", Space::shared, Op::load, kBytes, 0, 3};
            case 4:
                return {"exchange in warp 0", "", kExchange, Space::registers, Op::load, kBytes, 0, 4,
                        log2_of(warps(p)),    1};
            default:
                if (adds(p))
                    return {"add to total",
                            "total",
                            "atomicAdd(total, sum);",
                            Space::global,
                            Op::reduction,
                            kBytes,
                            1,
                            5};
                if (!ends_with(p, ReductionFinish::sums))
                    return {"store out", "sums", "sums[block] = sum;", Space::global, Op::store, kBytes,
                            1,           5};
                return {"store out", "out", "out[block] = sum;", Space::global, Op::store, kBytes, 1, 5};
        }
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        return shuffles(p) ? shuffle_instruction(p, index) : tree_instruction(p, index);
    }

    /// The two words that a thread adds in one step of the tree. In all variants the other one is `far` words
    /// further.
    struct Pair {
        int own = 0, far = 0;
        bool active = false;
    };
    WARPLENS_HD static constexpr Pair tree_pair(const Params& p, int thread, int step) {
        const int rising = 1 << step, falling = p.block_x >> (step + 1);
        switch (static_cast<ReductionVariant>(p.variant)) {
            case ReductionVariant::interleaved:
                if (thread < falling) return {2 * rising * thread, rising, true};
                break;
            case ReductionVariant::divergent:
                if (thread % (2 * rising) == 0) return {thread, rising, true};
                break;
            default:
                if (thread < falling) return {thread, falling, true};
        }
        return {};
    }

    /// An exchange among the first `lanes` lanes of a warp: gives the lane whose value is read.
    WARPLENS_HD static constexpr LaneAccess exchange(int lane, int lanes, int step) {
        const int other = lane + (lanes >> (step + 1));
        const int taken = other < lanes ? other : lane;
        return {static_cast<std::uint64_t>(taken * kBytes), lane < lanes};
    }

    WARPLENS_HD static constexpr LaneAccess word(std::int64_t index, bool active = true) {
        return {static_cast<std::uint64_t>(active ? index * kBytes : 0), active};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        if (index == 0) return word(std::int64_t{t.block_x} * p.block_x + t.x);  // address of: load in
        const int lane = t.x % kWarpLanes, warp = t.x / kWarpLanes;
        if (shuffles(p)) {
            if (index == 1) return exchange(lane, kWarpLanes, t.step);  // address of: exchange in each warp
            if (index == 2) return word(warp, lane == 0);               // address of: store a sum per warp
            if (index == 3)
                return word(lane, warp == 0 && lane < warps(p));  // address of: load them in warp 0
            if (index == 4) {
                LaneAccess taken = exchange(lane, warps(p), t.step);  // address of: exchange in warp 0
                taken.active = taken.active && warp == 0;
                return taken;
            }
            if (adds(p)) return word(0, t.x == 0);  // address of: add to total
            return word(t.block_x, t.x == 0);       // address of: store out
        }
        if (index == 1) return word(t.x);                  // address of: store tile
        if (index == 5) return word(0, t.x == 0);          // address of: load result
        if (index == 6) return word(t.block_x, t.x == 0);  // address of: store out
        const Pair pair = tree_pair(p, t.x, t.step);
        const int far = index == 2 ? pair.far : 0;
        return word(pair.own + far, pair.active);  // address of: load other; load own; store sum
    }

    static KernelCode code(const Params& p) {
        constexpr const char* kKernels[] = {"reduce_shuffle", "reduce_part", "reduce_last_block",
                                            "reduce_grid_sync", "reduce_atomic"};
        return {shuffles(p) ? kKernels[p.operation] : "reduce_" + std::string(kVariants[p.variant].name),
                {{"kBlock", p.block_x}}};
    }

    static std::int64_t stored_value(const WordAccess& a, const HeldValues& held) {
        if (shuffles(a.params)) return kWarpLanes;  // the sum of a warp
        return a.instruction == 1 ? 1 : held.value + held.other;
    }
    static void take_value(const WordAccess& a, std::int64_t value, HeldValues& held) {
        const bool other = !shuffles(a.params) && a.instruction == 2;
        (other ? held.other : held.value) = value;
    }
    static int threads_summed(const Params& p) { return shuffles(p) ? warps(p) : 1; }
    static std::string_view between_blocks(const Params& p) {
        constexpr std::string_view kHow[] = {
            "", "The end of the first launch makes the second one wait for all blocks.",
            "The block that is counted last adds up: a __threadfence() stands between each sum and its count.",
            "grid.sync() makes all blocks wait: a cooperative launch promises that all are there.",
            "Each block adds its sum when it has it, and nobody waits: an atomic operation keeps all."};
        return kHow[int(finish(p))];
    }
    static constexpr Sharing sharing{.order = &order,
                                     .values = {.input = "each element of the input is 1",
                                                .result = "the sum of the block",
                                                .is_sum = true,
                                                .stored = &stored_value,
                                                .loaded = &take_value,
                                                .matters = &always_matters,
                                                .stores_what_it_loaded = true,
                                                .threads_summed = &threads_summed},
                                     .between_blocks = &between_blocks};

    static constexpr std::string_view kRising = "Step {step} of a block of {block} threads: s = 1 << {step}.";
    static constexpr std::string_view kFalling =
        "Step {step} of a block of {block} threads: s = {block} >> ({step} + 1).";
    static constexpr QuizTurn turns[] = {{"variant", "interleaved,interleaved,divergent,sequential"},
                                         {"step", "0,1,2,3,4"}};
    static constexpr QuizTell tells[] = {
        {"variant=interleaved", "load other", kRising, "tile[2 * s * i + s]"},
        {"variant=interleaved", "load own", kRising, "tile[2 * s * i]"},
        {"variant=interleaved", "store sum", kRising, "tile[2 * s * i]"},
        {"variant=divergent", "load other", kRising, "tile[i + s]"},
        {"variant=sequential", "load other", kFalling, "tile[i + s]"}};
    static constexpr QuizSource quiz[] = {{11, Space::shared, turns, tells, "variant"}};
};

}  // namespace warplens
