// Where the bytes of a launch go: laws over all scenarios, random settings and all GPUs of the table.
#include "app/model/time/flow.h"
#include "app/base/assets.h"
#include "app/model/access/constant.h"
#include "app/model/counters/agreement.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace warplens::test::flow_tests {
namespace {

/// A launch with everything that is known of it.
struct Launch {
    const Scenario& scenario;
    Params params;
    const DeviceFacts& device;
    bool cold;
    Report report = analyze(scenario, params, device);
    Prediction prediction = predict(scenario, params, device, cold);
    FlowReport flows = follow_bytes(scenario, params, device, report, prediction, cold);
};

Launch launch(const char* id, const std::string& settings, const char* name = "H200", bool cold = false) {
    const Scenario& scenario = *find_scenario(id);
    return {scenario, preset_params(scenario, {"", settings}), gpu(name), cold};
}

/// Some settings of every scenario on some GPU each, warm and cold in turn; many with WARPLENS_ALL set.
template <class Law>
void for_launches(int settings, Law law) {
    if (all_cases()) settings *= 100;
    std::mt19937 random(seed(7));
    std::size_t turn = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < settings; ++i, ++turn) {
            const DeviceFacts& device = device_table()[random() % device_table().size()];
            const Launch one{scenario, random_launch(scenario, random), device, turn % 2 == 1};
            SCOPED_TRACE(std::string(scenario.info->id) + " on " + device.name + (one.cold ? ", cold" : ""));
            law(one);
        }
    }
}

double sum_at_registers(const FlowReport& flows, double Flow::*field) {
    double sum = 0;
    for (const Flow& flow : flows.flows) sum += flow.at_registers() ? flow.*field : 0;
    return sum;
}

// Not through the report: lane by lane.
double bytes_of_all_lanes(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    const std::int64_t warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
    double bytes = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const int steps = steps_of(shape, scenario.instruction(params, k));
        for (std::int64_t w = 0; w < warps; ++w) {
            const WarpPlace place = place_of_warp(shape, w);
            for (int step = 0; step < steps; ++step) {
                const WarpAccess access = scenario.warp(params, k, place.block, place.warp_in_block, step);
                bytes += double(std::popcount(access.active)) * access.bytes_per_lane;
            }
        }
    }
    return bytes;
}

}  // namespace

// What a prediction says of the L2 is what Traffic counts: all of the footprint is kept, or not.
void expect_one_word(const Launch& one) {
    const Prediction& said = one.prediction;
    if (one.flows.touched <= 0 || said.footprint_bytes <= 0 || said.transfer.carrier != Carrier::none) return;
    EXPECT_EQ(said.fits_l2, one.flows.in_l2 >= 1) << said.footprint_bytes << " bytes";
    double local = 0, past_dram = one.flows.through(Memory::dram);
    for (const Flow& flow : one.flows.flows)
        if (flow.space == Space::local && (flow.from == Memory::dram || flow.to == Memory::dram))
            local += flow.bytes;
    if (!said.fits_l2 || one.cold) return;
    EXPECT_EQ(past_dram - local, 0);
    EXPECT_TRUE(local > 0 || said.limiter != Limiter::dram);
}

TEST(Flow, WhatFitsTheL2IsKeptThere) {
    for_launches(10, [](const Launch& one) { expect_one_word(one); });
    const Scenario& add = *find_scenario("vector-add");
    std::array<int, 2> seen{};
    for (const DeviceFacts& device : device_table()) {
        for (const int percent : {60, 75, 85, 93, 96, 97, 99, 101, 107}) {
            if (device.l2_bytes == 0) continue;
            const std::string n = std::to_string(device.l2_bytes * percent / 100 / 12);
            const Launch one{add, preset_params(add, {"", "n=" + n}), device, false};
            SCOPED_TRACE(device.name + ": " + std::to_string(percent) + " % of its L2");
            expect_one_word(one);
            ++seen[std::size_t(one.prediction.fits_l2)];
        }
    }
    EXPECT_GT(seen[0], 90);
    EXPECT_GT(seen[1], 90);
    EXPECT_FALSE(launch("transpose", "variant=tile,tile=16", "GB300").prediction.fits_l2) << "57.8 % is kept";
    EXPECT_TRUE(launch("cache-footprint", "", "GTX 1080").prediction.fits_l2) << "1 MiB of 2 MiB";
}

TEST(Flow, WhatLanesWantIsWhatPassesTheRegisters) {
    for_launches(12, [](const Launch& one) {
        double wanted = 0;
        for (const InstructionReport& row : one.report.instructions) wanted += double(row.grid.bytes_wanted);
        EXPECT_DOUBLE_EQ(sum_at_registers(one.flows, &Flow::wanted) + one.flows.kept, wanted);
    });
}

TEST(Flow, WantedBytesAreThoseOfEveryLane) {
    std::mt19937 random(seed(3));
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->irregular || scenario.info->id == "matrix-multiply" ||
            scenario.info->time == TimeModel::spills || scenario.info->time == TimeModel::walk)
            continue;  // sampled, or too many steps to go through one by one
        const Params params = small_random_params(scenario, random);
        double counted = 0;
        for (const InstructionReport& row : analyze(scenario, params, gpu("H200")).instructions)
            counted += double(row.grid.bytes_wanted);
        EXPECT_EQ(counted, bytes_of_all_lanes(scenario, params)) << scenario.info->id;
    }
}

TEST(Flow, TheFirstMemoryMovesWhatTheReportCounts) {
    for_launches(8, [](const Launch& one) {
        double global = 0, shared = 0, other = 0;
        for (const InstructionReport& row : one.report.instructions) {
            if (row.instruction.space == Space::global)
                global += 32.0 * double(row.grid.sectors);
            else if (has_banks(row.instruction.space))
                shared += double(row.grid.bytes_used);
            else if (row.instruction.space == Space::constant)
                other += double(row.grid.bytes_used);
            else if (row.instruction.space != Space::registers)
                other += double(row.grid.bytes_moved);
        }
        double at_global = 0, at_banks = 0, at_other = 0;
        for (const Flow& flow : one.flows.flows) {
            if (!flow.at_registers()) continue;
            (flow.space == Space::global ? at_global
             : has_banks(flow.space)     ? at_banks
                                         : at_other) += flow.bytes;
        }
        EXPECT_DOUBLE_EQ(at_global, global);
        EXPECT_DOUBLE_EQ(at_banks, shared);
        EXPECT_DOUBLE_EQ(at_other, other);
    });
}

TEST(Flow, AgreesWithThePredictionAboutL2AndDram) {
    int compared = 0;
    for_launches(12, [&](const Launch& one) {
        const Prediction& prediction = one.prediction;
        if (prediction.speed_unit == SpeedUnit::cycles || prediction.value <= 0) return;
        ++compared;
        EXPECT_NEAR(one.flows.through(Memory::dram), prediction.dram_bytes,
                    1e-9 * prediction.dram_bytes + 1e-3);
        if (prediction.l2_bytes > 0 && has_l2(one.device)) {
            EXPECT_NEAR(one.flows.through(Memory::l2), prediction.l2_bytes, 1e-9 * prediction.l2_bytes);
        }
    });
    EXPECT_GT(compared, 100);
}

TEST(Flow, AgreesWithTheCountersOfAColdLaunch) {
    std::mt19937 random(seed(5));
    int compared = 0;
    for (const char* id : {"global-stride", "global-matrix", "global-struct", "texture-walk", "transpose"}) {
        const Scenario& scenario = *find_scenario(id);
        for (int i = 0; i < 10; ++i) {
            const Launch one{scenario, random_launch(scenario, random), gpu("H200"), true};
            const ExpectedLaunch expected = expect_counters(scenario, one.params, one.device);
            const auto bytes = [&](const char* metric) {
                const ExpectedCounter* counter = expected.find(metric);
                return counter == nullptr ? 0 : 32 * counter->expected;
            };
            const double read = bytes("lts__t_sectors_srcunit_tex_op_read.sum");
            EXPECT_NEAR(one.flows.bytes(Memory::l2, Memory::l1), read, 1e-9 * read);
            const double written = bytes("lts__t_sectors_srcunit_tex_op_write.sum");
            EXPECT_NEAR(one.flows.bytes(Memory::l1, Memory::l2), written, 1e-9 * written);
            const double from_dram = bytes("dram__sectors_read.sum");
            EXPECT_NEAR(one.flows.bytes(Memory::dram, Memory::l2), from_dram, 1e-9 * from_dram);
            compared += read + written > 0;
        }
    }
    EXPECT_GT(compared, 40);
}

// Each once had two numbers: half warps of a P100 in pieces of DRAM, an array that no cache of a GPU keeps,
// and one whose sectors are written in part.
TEST(Flow, AgreesWithThePredictionAboutRareWays) {
    struct Example {
        const char *id, *settings, *gpu;
        double dram;  // bytes, by hand
    };
    constexpr double kRead = 2.0 * (1 << 30);  // by 8,192 blocks of 256 threads, 64 vectors of 16 bytes each
    for (const Example& e : {Example{"cache-footprint", "measure=bandwidth,footprint=2^30", "P100",
                                     kRead * (1 - 1.0 / 65536)},  // 4 MiB of 1 GiB are held, squared
                             {"cache-footprint", "measure=bandwidth,footprint=2^28", "8800 GTX", kRead}}) {
        const Launch one = launch(e.id, e.settings, e.gpu);
        EXPECT_NEAR(one.prediction.dram_bytes, e.dram, 1e-3 * e.dram) << e.gpu;
        EXPECT_NEAR(one.flows.through(Memory::dram), e.dram, 1e-3 * e.dram) << e.gpu;
    }
    for (const char* settings : {"", "stride=3", "words=8"}) {
        const Launch one = launch("local-array", settings, "8800 GTX");
        double moved = 0;
        for (const InstructionReport& row : one.report.instructions) moved += double(row.grid.bytes_moved);
        EXPECT_EQ(one.flows.through(Memory::dram), moved) << settings;
        EXPECT_EQ(one.prediction.dram_bytes, moved) << settings;
    }
}

TEST(Flow, AWarmLaunchThatFitsTheL2LeavesDramAlone) {
    for (const char* id : {"global-stride", "matrix-multiply", "transpose", "constant-convolution"}) {
        const Launch warm = launch(id, id == std::string("global-stride") ? "elements=2^20" : "matrix=512");
        EXPECT_EQ(warm.flows.through(Memory::dram), 0) << id;
        EXPECT_GT(warm.flows.through(Memory::l2), 0) << id;
        EXPECT_EQ(warm.flows.in_l2, 1) << id;
        const Launch cold =
            launch(id, id == std::string("global-stride") ? "elements=2^20" : "matrix=512", "H200", true);
        EXPECT_GT(cold.flows.through(Memory::dram), 0) << id;
    }
}

TEST(Flow, TilesOfSixteenCutGlobalTrafficSixteenfold) {
    const auto loads = [](const char* settings, const char* name) {
        const FlowReport flows = launch("matrix-multiply", settings, name).flows;
        double wanted = 0;
        for (const Flow& flow : flows.flows)
            wanted +=
                flow.space == Space::global && flow.at_registers() && !flow.is_store() ? flow.wanted : 0;
        return wanted;
    };
    for (const char* name : {"8800 GTX", "GTX 980", "H200"}) {
        const double naive = loads("variant=naive", name);
        EXPECT_EQ(naive, 2 * 4.0 * 1024 * 1024 * 1024) << "A and B, once for each product";
        EXPECT_EQ(naive, 16 * loads("variant=tiled,tile=16", name));
        EXPECT_EQ(naive, 32 * loads("variant=tiled,tile=32", name));
    }
    // Where nothing is kept, DRAM sees it: half-warps of a tile's rows are coalesced on the first GPU.
    const FlowReport tiled = launch("matrix-multiply", "variant=tiled,tile=16", "8800 GTX").flows;
    EXPECT_EQ(tiled.bytes(Memory::dram, Memory::registers), 2 * 4.0 * 1024 * 1024 * 1024 / 16);
}

TEST(Flow, SharedMemoryAloneTouchesNothingElse) {
    for (const char* id : {"shared-stride", "shared-broadcast", "shared-tile", "shared-matrix-load"}) {
        const FlowReport flows = launch(id, "").flows;
        EXPECT_GT(flows.through(Memory::shared), 0) << id;
        for (const Memory memory : {Memory::l1, Memory::l2, Memory::dram, Memory::constant})
            EXPECT_EQ(flows.through(memory), 0) << id;
    }
}

TEST(Flow, EachGenerationHasItsOwnWay) {
    struct Way {
        const char* gpu;
        Memory loads, stores;
    };
    constexpr Way kWays[] = {
        {"8800 GTX", Memory::dram, Memory::dram}, {"GTX 280", Memory::dram, Memory::dram},
        {"GTX 480", Memory::l1, Memory::l1},      {"GTX 680", Memory::l2, Memory::l2},
        {"K40", Memory::texture, Memory::l2},     {"GTX 980", Memory::l1, Memory::l2},
        {"P100", Memory::l1, Memory::l1},         {"GTX 1080", Memory::l1, Memory::l2},
        {"V100", Memory::l1, Memory::l1},         {"B200", Memory::l1, Memory::l1}};
    for (const Way& way : kWays) {
        const char* const name = way.gpu;
        const auto takes_only = [&](const FlowReport& flows, Memory first) {
            for (const Memory one : {Memory::l1, Memory::texture, Memory::l2, Memory::dram}) {
                const double bytes =
                    flows.bytes(one, Memory::registers) + flows.bytes(Memory::registers, one);
                EXPECT_EQ(bytes > 0, one == first) << name;
            }
        };
        takes_only(launch("global-stride", "stride=2,op=load", name).flows, way.loads);
        takes_only(launch("global-stride", "stride=2,op=store", name).flows, way.stores);
        const FlowReport texture = launch("texture-walk", "", name).flows;
        const bool own = gpu(name).cc.major < 5;
        EXPECT_GT(texture.bytes(own ? Memory::texture : Memory::l1, Memory::registers), 0) << name;
    }
    const FlowReport local = launch("local-array", "", "K40").flows;
    EXPECT_GT(local.bytes(Memory::l1, Memory::registers), 0) << "Kepler's L1 is for local memory";
}

TEST(Flow, AnotherBlocksMemoryAndConstantsHaveTheirOwnWays) {
    EXPECT_GT(
        launch("cluster-shared", "place=neighbour").flows.bytes(Memory::other_shared, Memory::registers), 0);
    EXPECT_EQ(launch("cluster-shared", "place=global").flows.through(Memory::other_shared), 0);
    const FlowReport constant = launch("constant-lookup", "words=1").flows;
    EXPECT_EQ(constant.wanted(Memory::constant, Memory::registers),
              32 * constant.bytes(Memory::constant, Memory::registers))
        << "one word for 32 lanes";
}

TEST(Flow, StoresPassTheL1SectorBySector) {
    const FlowReport flows = launch("global-stride", "op=store,stride=8").flows;
    EXPECT_EQ(flows.bytes(Memory::registers, Memory::l1), 32.0 * (1 << 25));
    EXPECT_EQ(flows.bytes(Memory::l1, Memory::l2), 32.0 * (1 << 25));
    EXPECT_EQ(flows.wanted(Memory::registers, Memory::l1), 4.0 * (1 << 25));
    double filled = 0;
    for (const Flow& flow : flows.flows) filled += flow.rule == FlowRule::filled ? flow.bytes : 0;
    EXPECT_EQ(filled, 32.0 * (1 << 25)) << "sectors written in part are read first";
}

TEST(Flow, TheMemoryThatSetsThePaceIsTheBusiest) {
    int marked = 0;
    for_launches(20, [&](const Launch& one) {
        if (one.flows.time_us <= 0 || !one.flows.limiting) return;
        ++marked;
        const auto pace = static_cast<std::size_t>(*one.flows.limiting);
        for (const double busy : one.flows.busy) EXPECT_LE(busy, one.flows.busy[pace] * (1 + 1e-9));
        EXPECT_EQ(one.flows.limiting, memory_of(one.prediction.limiter, one.device));
        EXPECT_GT(one.flows.through(*one.flows.limiting), 0);
    });
    EXPECT_GT(marked, 60);
}

TEST(Flow, AllocationsHaveTheSizesOfTheLaunch) {
    const FlowReport flows = launch("matrix-multiply", "variant=tiled,tile=16").flows;
    ASSERT_EQ(flows.allocations.size(), 4u);
    constexpr const char* kNames[] = {"A", "B", "C"};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(flows.allocations[i].name, kNames[i]);
        EXPECT_EQ(flows.allocations[i].home, Memory::dram);
        EXPECT_EQ(flows.allocations[i].bytes, 4.0 * 1024 * 1024);
    }
    EXPECT_EQ(flows.allocations[3].home, Memory::shared);
    EXPECT_EQ(flows.allocations[3].bytes, 2 * 16 * 16 * 4.0);
}

TEST(Memories, SpeedsFollowTheTable) {
    const struct {
        const char* gpu;
        double shared_gb_per_s;  // SMs x clock x bytes per clock
    } kShared[] = {{"8800 GTX", 691.2}, {"GTX 480", 1345}, {"K40", 3360}, {"V100", 15667}, {"H200", 33454}};
    for (const auto& [name, speed] : kShared)
        EXPECT_NEAR(memory_info(Memory::shared, gpu(name)).gb_per_s, speed, 1e-3 * speed) << name;
    // A B300 has the SMs of a B200, which was measured, and had half of their bandwidth of the L2.
    const std::pair<const char*, double> kL2[] = {
        {"K80", 333}, {"P100 PCIe 16 GB", 1624}, {"B200", 21240}, {"B300", 148 * 2.032 * 73}};
    for (const auto& [name, speed] : kL2)
        EXPECT_NEAR(memory_info(Memory::l2, gpu(name)).gb_per_s, speed, 5e-3 * speed) << name;
    for (const DeviceFacts& device : device_table()) {
        EXPECT_EQ(memory_info(Memory::dram, device).gb_per_s, device.peak_gb_per_s);
        EXPECT_EQ(memory_info(Memory::l2, device).there, device.l2_bytes > 0) << device.name;
        EXPECT_GT(memory_info(Memory::registers, device).bytes, 0) << device.name;
        EXPECT_EQ(clocks_of_wavefront(device), device.cc.major < 3 ? 2 : 1) << device.name;
        if (device.cc.major >= 7 && device.cc <= ComputeCapability{9, 0}) {
            EXPECT_EQ(memory_info(Memory::constant, device).bytes, kConstantL1Bytes) << device.name;
        }
    }
    EXPECT_EQ(memory_info(Memory::l1, gpu("RTX 5090")).gb_per_s, 0) << "nobody has measured it for us";
}

}  // namespace warplens::test::flow_tests
