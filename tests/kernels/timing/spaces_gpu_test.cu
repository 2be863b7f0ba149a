// What a replayed scenario loads from each memory space is what lies there: compared with a replay on the
// CPU, for all scenarios that write to global memory and for one that takes every space in turn.
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/replay/instantiate.cuh"
#include "kernels/replay/reference_replay.h"
#include "kernels/scenarios/list.h"
#include "kernels/scramble.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warplens {
namespace {

enum class Road : int {
    constant,
    texture,
    local,
    local_filled,
    shuffle,
    shuffle_add,
    cluster_load,
    cluster_store,
    matrices,
    two_buffers,
    past_l1
};

/// Every thread brings one word along a road through one memory space to `out`. Each road is a loop of
/// `kSteps` steps where that makes sense.
struct Probe {
    static constexpr Choice kRoads[] = {{0, "constant"},     {1, "texture"},       {2, "local"},
                                        {3, "local-filled"}, {4, "shuffle"},       {5, "shuffle-add"},
                                        {6, "cluster-load"}, {7, "cluster-store"}, {8, "matrices"},
                                        {9, "two-buffers"},  {10, "past-l1"}};
    static constexpr Choice kMatrices[] = {{1, "1"}, {2, "2"}, {4, "4"}};
    static constexpr Knob knobs[] = {
        {&Params::variant, "road", "", "", "", "", KnobKind::choice, 0, 10, kRoads},
        {&Params::matrices, "matrices", "", "", "", "", KnobKind::choice, 1, 4, kMatrices},
        {&Params::distance, "distance", "", "", "", "", KnobKind::slider, 0, 31},
        {&Params::mask, "mask", "", "", "", "", KnobKind::mask},
    };
    static constexpr ScenarioInfo info{"probe", "", "", "", 0, knobs, {}};
    static constexpr int kBlock = 64, kBlocks = 8, kSteps = 6, kLocalWords = 16;
    static constexpr int kThreads = kBlock * kBlocks;

    WARPLENS_HD static constexpr Road road(const Params& p) { return static_cast<Road>(p.variant); }
    static constexpr bool in_cluster(const Params& p) {
        return road(p) == Road::cluster_load || road(p) == Road::cluster_store;
    }

    static constexpr LaunchShape launch(const Params& p) {
        LaunchShape shape{.grid = {kBlocks, 1}, .block = {kBlock, 1}};
        shape.buffer_bytes[0] = shape.buffer_bytes[2] = kThreads * kWordOf(p);
        shape.buffer_bytes[1] = std::int64_t{kSteps} * kThreads * kWordOf(p);
        shape.texture = {12, 20};
        shape.border = p.border;
        shape.local_bytes = kLocalWords * 4;
        shape.cluster = in_cluster(p) ? p.cluster : 1;
        shape.shared_bytes = kBlock * kWordOf(p);
        return shape;
    }
    WARPLENS_HD static constexpr int kWordOf(const Params& p) { return road(p) == Road::matrices ? 16 : 4; }

    static constexpr int instruction_count(const Params& p) {
        switch (road(p)) {
            case Road::constant:
            case Road::texture:
            case Road::local_filled:
            case Road::past_l1:
                return 2;
            case Road::local:
            case Road::two_buffers:
            case Road::shuffle:
            case Road::shuffle_add:
                return 3;
            default:
                return 4;
        }
    }

    static constexpr Instruction load_in(int phase = 0) {
        return {.label = "", .code = "in", .space = Space::global, .phase = phase};
    }
    static constexpr Instruction store_out(int phase = 0, int steps = 1) {
        return {.label = "",
                .code = "out",
                .space = Space::global,
                .op = Op::store,
                .buffer = 1,
                .phase = phase,
                .steps = steps};
    }
    static constexpr Instruction at(Space space, Op op, int phase = 0, int steps = 1) {
        return {.label = "", .code = "at", .space = space, .op = op, .phase = phase, .steps = steps};
    }

    static constexpr Instruction instruction(const Params& p, int index) {
        Instruction result = choose(p, index);
        if (road(p) == Road::matrices) result.bytes_per_lane = 16;
        if (result.space == Space::cluster) result.ranks_away = p.distance;
        return result;
    }

    static constexpr Instruction choose(const Params& p, int index) {
        switch (road(p)) {
            case Road::constant:
                return index == 0 ? at(Space::constant, Op::load, 0, kSteps) : store_out(0, kSteps);
            case Road::texture:
                return index == 0 ? at(Space::texture, Op::load, 0, kSteps) : store_out(0, kSteps);
            case Road::local:
                return index == 0   ? at(Space::local, Op::store, 0, kLocalWords)
                       : index == 1 ? at(Space::local, Op::load, 1, kSteps)
                                    : store_out(1, kSteps);
            case Road::local_filled:
                return index == 0 ? at(Space::local, Op::load, 0, kSteps) : store_out(0, kSteps);
            case Road::shuffle:
            case Road::shuffle_add: {
                Instruction exchange = at(Space::registers, Op::load, 1);
                exchange.code = road(p) == Road::shuffle ? "moves" : "x += other";
                return index == 0 ? load_in() : index == 1 ? exchange : store_out(2);
            }
            case Road::cluster_load:
            case Road::cluster_store: {
                const bool loads = road(p) == Road::cluster_load;
                return index == 0   ? load_in()
                       : index == 1 ? at(loads ? Space::shared : Space::cluster, Op::store)
                       : index == 2 ? at(loads ? Space::cluster : Space::shared, Op::load, 1)
                                    : store_out(1);
            }
            case Road::matrices: {
                Instruction load = at(Space::shared, Op::load_matrix, 1);
                load.code = p.matrices == 1 ? "x1" : p.matrices == 2 ? "x2" : "x4";
                return index == 0   ? load_in()
                       : index == 1 ? at(Space::shared, Op::store)
                       : index == 2 ? load
                                    : store_out(1);
            }
            case Road::two_buffers: {
                Instruction second = load_in();
                second.buffer = 2;
                return index == 0 ? load_in() : index == 1 ? second : store_out();
            }
            case Road::past_l1: {
                Instruction load = load_in();
                load.code = "__ldcg";
                return index == 0 ? load : store_out();
            }
        }
        return {};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int index, const ThreadId& t) {
        const int thread = t.block_x * kBlock + t.x, bytes = kWordOf(p);
        const bool active = lane_in_mask(p, t.x);
        const LaneAccess own{static_cast<std::uint64_t>(thread * bytes), active};
        const LaneAccess out{static_cast<std::uint64_t>((t.step * kThreads + thread) * bytes), active};
        const auto lane = static_cast<unsigned>(t.x);
        switch (road(p)) {
            case Road::constant:
                return index == 0
                           ? LaneAccess{static_cast<std::uint64_t>(
                                            (lane * 37u + static_cast<unsigned>(t.step * 5)) % 16384u * 4u),
                                        active}
                           : out;
            case Road::texture:
                return index == 0 ? LaneAccess{0, active, t.x - 20 + t.step * 3, t.block_x * 7 - 25 + t.x % 3}
                                  : out;
            case Road::local:
            case Road::local_filled: {
                const bool last = index == (road(p) == Road::local ? 2 : 1);
                return last ? out
                            : LaneAccess{(lane * 3u + static_cast<unsigned>(t.step)) % kLocalWords * 4u,
                                         active};
            }
            case Road::shuffle:
            case Road::shuffle_add:
                return index == 1 ? LaneAccess{(lane + static_cast<unsigned>(p.distance)) % 32u * 4u, active}
                                  : own;
            case Road::cluster_load:
            case Road::cluster_store:
                return index == 1   ? LaneAccess{lane * 4u, true}
                       : index == 2 ? LaneAccess{(lane ^ 5u) * 4u, active}
                                    : own;
            case Road::matrices:
                if (index == 1) return {lane * 16u, true};
                if (index == 2) return {(lane ^ 3u) * 16u, t.x % 32 < 8 * p.matrices};
                return {own.byte_address, true};
            default:
                return own;
        }
    }
};

class SpacesGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
        gpu_ = std::get<0>(gpus).front();
    }

    /// Empty: the GPU wrote what the CPU wrote. Else the first difference.
    template <class S>
    static std::string difference(const Params& p, const OwnKernel& kernel) {
        const LaunchShape shape = S::launch(p);
        ReplayOutput output;
        try {
            output = replay_once(kernel, shape, p);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        std::vector<int> blocks(static_cast<std::size_t>(shape.grid.x) * shape.grid.y);
        std::iota(blocks.begin(), blocks.end(), 0);
        const auto before = [&](int buffer, std::uint64_t at) {
            return (buffer == 0 ? output.in : buffer == 1 ? output.before : output.second).at(at);
        };
        ReferenceReplay<S> reference(p, blocks, before, [&](int x, int y) {
            return scramble(static_cast<std::uint64_t>(y * shape.texture.x + x));
        });
        std::vector<unsigned char> expected = output.before;
        for (const auto& [place, byte] : reference.run()) {
            if (place.first == 1) expected.at(place.second) = byte;
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (expected[i] != output.after.at(i))
                return "byte " + std::to_string(i) + " is " + std::to_string(output.after[i]) +
                       " instead of " + std::to_string(expected[i]);
        }
        return "";
    }

    static std::string probe(const Params& p) { return difference<Probe>(p, kernels_of<Probe>().grid); }

    GpuInfo gpu_;
};

TEST_F(SpacesGpu, EachRoadBringsWhatLiesThere) {
    for (const Choice& road : Probe::kRoads) {
        if (gpu_.cc_major < 9 && Probe::in_cluster({.variant = road.value})) continue;
        for (const int mask : {-1, 0x0ff0'5555}) {
            for (const int distance : {0, 1, 3, 31}) {
                Params p{.mask = mask, .variant = road.value, .distance = distance};
                EXPECT_EQ(probe(p), "") << road.name << " mask " << mask << " distance " << distance;
            }
        }
    }
}

TEST_F(SpacesGpu, EveryBorderGivesTheTexelOfTheFormula) {
    for (const Border border : {Border::clamp, Border::border, Border::wrap, Border::mirror}) {
        const Params p{.variant = static_cast<int>(Road::texture), .border = static_cast<int>(border)};
        EXPECT_EQ(probe(p), "") << "border " << p.border;
    }
}

TEST_F(SpacesGpu, MatricesAreSpreadOverTheLanes) {
    for (const int matrices : {1, 2, 4}) {
        const Params p{.variant = static_cast<int>(Road::matrices), .matrices = matrices};
        EXPECT_EQ(probe(p), "") << matrices;
    }
}

TEST_F(SpacesGpu, ClustersOfEverySizeSeeTheirNeighbours) {
    if (gpu_.cc_major < 9) GTEST_SKIP() << "clusters need compute capability 9.0";
    for (const int cluster : {2, 4, 8}) {
        for (const Road road : {Road::cluster_load, Road::cluster_store}) {
            const Params p{.variant = static_cast<int>(road), .distance = cluster - 1, .cluster = cluster};
            EXPECT_EQ(probe(p), "") << cluster;
        }
    }
}

/// Whether replaying it writes something that can be compared, and always the same.
template <class S>
bool comparable(const Params& p) {
    bool writes = false;
    for (int i = 0; i < S::instruction_count(p); ++i) {
        const Instruction instruction = S::instruction(p, i);
        writes = writes || (instruction.space == Space::global && instruction.op == Op::store);
    }
    return writes && follows_addresses(S::info.kernel);
}

template <class... S, class Check>
void for_each_scenario(ScenarioList<S...>, Check&& check) {
    (check.template operator()<S>(), ...);
}

TEST_F(SpacesGpu, EveryScenarioThatWritesWritesTheRightThing) {
    std::mt19937 random(11);
    for_each_scenario(AllScenarios{}, [&]<class S>() {
        if (gpu_.cc_major * 10 + gpu_.cc_minor < S::info.least_cc) return;
        const Scenario& scenario = *find_scenario(S::info.id);
        for (int i = 0; i < 40; ++i) {
            const Params p = test::small_random_params(scenario, random);
            if (!comparable<S>(p)) continue;
            std::string settings;
            for (const Knob& knob : S::info.knobs)
                settings += " " + std::string(knob.key) + "=" + format_knob(knob, p);
            ASSERT_EQ(difference<S>(p, scenario_kernels(S::info.id)->grid), "") << S::info.id << settings;
        }
    });
}

TEST_F(SpacesGpu, EveryReductionAddsUp) {
    for (const Choice& variant :
         {Choice{0, "interleaved"}, Choice{1, "divergent"}, Choice{2, "sequential"}, Choice{3, "shuffle"}}) {
        for (const int block : {64, 128, 256, 512, 1024}) {
            Params p = SharedReduction::info.defaults;
            p.variant = variant.value;
            p.block_x = block;
            p.blocks_log2 = 3;
            const auto result = replay_to_host("shared-reduction", p);
            ASSERT_TRUE(std::holds_alternative<ReplayOutput>(result)) << std::get<Unavailable>(result).reason;
            const auto& output = std::get<ReplayOutput>(result);
            const auto word = [](const std::vector<unsigned char>& bytes, int index) {
                std::uint32_t value = 0;
                std::memcpy(&value, &bytes.at(static_cast<std::size_t>(index) * 4), 4);
                return value;
            };
            for (int b = 0; b < 1 << p.blocks_log2; ++b) {
                std::uint32_t sum = 0;
                for (int x = 0; x < block; ++x) sum += word(output.in, b * block + x);
                ASSERT_EQ(word(output.after, b), sum) << variant.name << " block of " << block;
            }
        }
    }
}

}  // namespace
}  // namespace warplens
