// Questions that a lecturer asks of each generation, answered by hand from NVIDIA's datasheets and the tables
// of the CUDA programming guide. The program has to give the same answers.
#include "app/base/assets.h"
#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/device/capability.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/arithmetic.h"
#include "app/model/time/prediction.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::lecturers_tests {
namespace {

InstructionReport first_of(const char* id, const char* settings, const char* name) {
    const Scenario& scenario = *find_scenario(id);
    return analyze(scenario, preset_params(scenario, {"", settings}), gpu(name)).instructions.front();
}

}  // namespace

TEST(Lecturers, HowManyBlocksFitOnAnSm) {
    struct Question {
        const char* gpu;
        int threads, registers, shared_kib, blocks;
        const char* by_hand;
    };
    constexpr Question kQuestions[] = {
        {"8800 GTX", 256, 10, 0, 3, "2,560 of 8,192 registers: 3; 768 threads: 3"},
        {"8800 GTX", 256, 11, 0, 2, "2,816 registers: 2, the cliff of Kirk and Hwu"},
        {"GTX 280", 256, 20, 0, 3, "5,120 of 16,384 registers"},
        {"GTX 480", 256, 40, 0, 3, "1,280 a warp: 25 of them, 24 in twos; 8 a block"},
        {"GTX 480", 192, 20, 12, 4, "48 KiB by 12"},
        {"K40", 64, 32, 0, 16, "16 blocks at most, half of the warps"},
        {"K40", 256, 64, 0, 4, "2,048 a warp of 65,536: 32 warps"},
        {"K80", 256, 64, 0, 8, "twice as many registers"},
        {"GTX 980", 256, 40, 0, 6, "1,280 a warp of 16,384 in each quarter: 12, so 48 warps"},
        {"GTX 980", 128, 32, 24, 4, "96 KiB by 24"},
        {"P100", 256, 32, 20, 3, "64 KiB by 20"},
        {"GTX 1080", 256, 32, 20, 4, "96 KiB by 20"},
        {"V100", 1024, 40, 0, 1, "12 warps in each quarter: 48, a block has 32"},
        {"V100", 256, 32, 48, 2, "96 KiB by 48"},
        {"T4", 640, 32, 0, 1, "1,024 threads"},
        {"T4", 512, 32, 0, 2, "1,024 threads, all of them"},
        {"A100", 256, 32, 48, 3, "164 KiB by 48 and 1 for the driver"},
        {"RTX 3090", 1024, 32, 0, 1, "1,536 threads: two thirds of them"},
        {"RTX 3090", 768, 32, 0, 2, "1,536 threads, all of them"},
        {"RTX 3090", 128, 32, 24, 4, "100 KiB by 24 and 1"},
        {"RTX 4090", 32, 32, 0, 24, "24 blocks at most, half of the warps"},
        {"RTX 4090", 128, 48, 0, 10, "1,536 a warp: 10 in each quarter, 40 warps"},
        {"H100", 256, 32, 64, 3, "228 KiB by 64 and 1"},
        {"H100", 256, 255, 0, 1, "8,192 a warp: 2 in each quarter"},
        {"B200", 1024, 32, 0, 2, "2,048 threads"},
        {"RTX 5090", 1024, 32, 0, 1, "1,536 threads"},
        {"RTX 5090", 512, 40, 0, 3, "12 warps in each quarter: 48; 16 a block"}};
    const std::vector<CapabilityFacts> rows = load_capabilities(asset("assets/gpus.json"));
    for (const Question& q : kQuestions) {
        const CapabilityFacts* facts = find_capability(rows, gpu(q.gpu).cc);
        ASSERT_NE(facts, nullptr);
        const OccupancyInput input{.threads = q.threads,
                                   .registers = q.registers,
                                   .static_shared = 1024 * q.shared_kib,
                                   .arguments = kNothingHidden};
        EXPECT_EQ(compute_occupancy(*facts, input).blocks, q.blocks) << q.gpu << ": " << q.by_hand;
    }
}

// Multiply-adds that an SM begins in a clock, times two, times SMs and boost clock; width of the memory's bus
// times what a pin transfers. SMs, clock, width and the memory's clock of all rows stand in
// reox007/RightNow-GPU-Database, data/nvidia/all.json at 77fae385 (after TechPowerUp), whose shader clock of
// the oldest three is in its FP32 peak. deviceQuery prints the same for a T4 (1590 and 2 x 5001 MHz) and an
// RTX 5090 (2407 and 2 x 14001), and 2619 MHz for an H100, where the database has 2 x 1313, in published
// logs.
TEST(Lecturers, WhatIsThePeak) {
    struct Question {
        const char* gpu;
        double sms, lanes, clock_ghz, gb_per_s;
    };
    constexpr Question kQuestions[] = {{"8800 GTX", 16, 8, 1.35, 384 / 8 * 2 * 0.900},
                                       {"GTX 280", 30, 8, 1.296, 512 / 8 * 2 * 1.107},
                                       {"GTX 480", 15, 32, 1.401, 384 / 8 * 4 * 0.924},
                                       {"K40", 15, 192, 0.875, 384 / 8 * 4 * 1.502},
                                       {"GTX 980", 16, 128, 1.216, 256 / 8 * 4 * 1.753},
                                       {"P100", 56, 64, 1.48, 4096 / 8 * 2 * 0.715},
                                       {"GTX 1080", 20, 128, 1.733, 256 / 8 * 8 * 1.251},
                                       {"V100 SXM2 32", 80, 64, 1.53, 4096 / 8 * 2 * 0.877},
                                       {"T4", 40, 64, 1.59, 256 / 8 * 8 * 1.250},
                                       {"A100 SXM4 40", 108, 64, 1.41, 5120 / 8 * 2 * 1.215},
                                       {"RTX 3090", 82, 128, 1.695, 384 / 8 * 16 * 1.219},
                                       {"RTX 4090", 128, 128, 2.52, 384 / 8 * 16 * 1.313},
                                       {"H100 SXM5", 132, 128, 1.98, 5120 / 8 * 2 * 2.619},
                                       {"RTX 5090", 170, 128, 2.407, 512 / 8 * 16 * 1.750}};
    for (const Question& q : kQuestions) {
        const double gflop_per_s = q.sms * q.lanes * q.clock_ghz * 2;
        EXPECT_NEAR(peak_gflop_per_s(gpu(q.gpu)), gflop_per_s, 2e-3 * gflop_per_s) << q.gpu;
        EXPECT_NEAR(gpu(q.gpu).peak_gb_per_s, q.gb_per_s, 2e-3 * q.gb_per_s) << q.gpu;
    }
}

// A warp loads floats two words apart, from an address that 128 divides: 256 bytes from the first to the
// last.
TEST(Lecturers, WhatDoesAStrideOfTwoLeaveOfThePeak) {
    struct Question {
        const char* gpu;
        int transactions, bytes;
        double share;  // of the peak that lanes can get at most
    };
    constexpr Question kQuestions[] = {{"8800 GTX", 32, 32 * 32, 1.0 / 8},  // no half warp is coalesced
                                       {"GTX 280", 2, 2 * 128, 0.5},        // a segment for each half warp
                                       {"GTX 480", 2, 2 * 128, 0.5},        // two lines
                                       {"K40", 8, 8 * 32, 0.5},             // sectors from here on
                                       {"GTX 980", 8, 8 * 32, 0.5},
                                       {"P100", 8, 8 * 32, 0.5},
                                       {"V100", 8, 8 * 32, 0.5},
                                       {"T4", 8, 8 * 32, 0.5},
                                       {"A100", 8, 8 * 32, 0.5},
                                       {"RTX 3090", 8, 8 * 32, 0.5},
                                       {"RTX 4090", 8, 8 * 32, 0.5},
                                       {"H100", 8, 8 * 32, 0.5},
                                       {"B200", 8, 8 * 32, 0.5},
                                       {"RTX 5090", 8, 8 * 32, 0.5}};
    constexpr const char* kSettings = "op=load,stride=2,elements=2^24";
    for (const Question& q : kQuestions) {
        const Totals warp = first_of("global-stride", kSettings, q.gpu).warp;
        EXPECT_EQ(warp.transactions, q.transactions) << q.gpu;
        EXPECT_EQ(warp.bytes_moved, q.bytes) << q.gpu;
        EXPECT_EQ(warp.bytes_used, 32 * 4) << q.gpu;
        const Scenario& stride = *find_scenario("global-stride");
        const Prediction cold = predict(stride, preset_params(stride, {"", kSettings}), gpu(q.gpu), true);
        EXPECT_LE(cold.value, q.share * gpu(q.gpu).peak_gb_per_s) << q.gpu;
    }
}

// A warp reads a column of a tile of 32 x 32 floats: 32 words apart, and 33 with padding.
TEST(Lecturers, HowManyWavefrontsDoesAColumnTake) {
    struct Question {
        const char* gpu;
        int plain, padded;
    };
    // 16 banks and half warps: twice 16 ways. On 3.x words i and i + 32 of 64 come at once, so two rows.
    for (const Question& q : {Question{"8800 GTX", 32, 2},
                              {"GTX 280", 32, 2},
                              {"GTX 480", 32, 1},
                              {"K40", 16, 1},
                              {"GTX 980", 32, 1},
                              {"P100", 32, 1},
                              {"V100", 32, 1},
                              {"T4", 32, 1},
                              {"A100", 32, 1},
                              {"RTX 3090", 32, 1},
                              {"RTX 4090", 32, 1},
                              {"H100", 32, 1},
                              {"B200", 32, 1},
                              {"RTX 5090", 32, 1}}) {
        EXPECT_EQ(first_of("shared-tile", "width=32,walk=column,padding=0", q.gpu).warp.wavefronts, q.plain)
            << q.gpu;
        EXPECT_EQ(first_of("shared-tile", "width=32,walk=column,padding=1", q.gpu).warp.wavefronts, q.padded)
            << q.gpu;
    }
}

namespace {

Prediction predict_on(const char* gpu_name, const char* id, const char* settings) {
    const Scenario& scenario = *find_scenario(id);
    return predict(scenario, preset_params(scenario, {"", settings}), gpu(gpu_name));
}

}  // namespace

// The rows of a matrix of 2,048 floats begin 8 KiB apart, in the same one of 8 partitions of 256 bytes each:
// what blocks of a row store goes there, and each byte takes 8 x 2 times as long. What they load is spread
// evenly.
TEST(Lecturers, WhyIsATransposeSoSlowOnAGtx280) {
    constexpr double kBytes = 2048.0 * 2048 * 4, kPeak = 141.7e9;
    const double tile = 2 * kBytes / ((kBytes + 16 * kBytes) / kPeak);
    const double naive = 2 * kBytes / ((kBytes + 8 * 16 * kBytes) / kPeak);  // 32 bytes for each float
    const char* const kRows = "matrix=2048,tile=32,block_rows=8,variant=";
    for (const auto& [variant, by_hand] : {std::pair{"tile", tile}, {"padded", tile}, {"naive", naive}}) {
        const Prediction found = predict_on("GTX 280", "transpose", (kRows + std::string(variant)).c_str());
        EXPECT_NEAR(found.value, by_hand * 1e-9, 0.03 * by_hand * 1e-9) << variant;
        EXPECT_EQ(found.limiter, Limiter::one_partition) << variant;
    }
    // float4 that lie 1,024 bytes apart find two of the partitions; 832 apart they find all, and from 2.0 on
    // addresses are scrambled.
    const char* const kTwo = "op=load,element=16,stride=64,elements=2^18";
    EXPECT_EQ(predict_on("GTX 280", "global-stride", kTwo).limiter, Limiter::one_partition);
    EXPECT_NE(predict_on("GTX 280", "global-stride", "op=load,element=16,stride=52,elements=2^18").limiter,
              Limiter::one_partition);
    EXPECT_NE(predict_on("GTX 480", "global-stride", kTwo).limiter, Limiter::one_partition);
}

// A block of 4 warps: 4 x 8 instructions around the kernel, 4 x 2 to load and 4 x 2 to store an element, 8
// warps that add in 7 steps by 3 accesses of 2 each, 4 x 7 x 6 around the steps, 2 x 2 for the sum; 4 clocks
// each.
TEST(Lecturers, HowLongDoesAReductionTakeOnAn8800Gtx) {
    constexpr double kInstructions = 4 * 8 + 4 * 2 + 4 * 2 + 8 * 3 * 2 + 4 * 7 * 6 + 2 * 2;
    constexpr double kSeconds = kInstructions * 4 * (32768 / 16) / 1.35e9;
    const Prediction found =
        predict_on("8800 GTX", "shared-reduction", "variant=sequential,block=128,blocks=2^15");
    EXPECT_NEAR(found.time_us, kSeconds * 1e6, 0.03 * kSeconds * 1e6);
    EXPECT_EQ(found.limiter, Limiter::issue);
    // Of the interleaved one the half warps take 2, 4, 8, 8, 4 and 2 wavefronts for 1 in three accesses, 4, 2
    // and then 1 of them, 2 clocks each, and each of 4 x 7 steps has a product of integers of 16 clocks.
    constexpr double kConflicts = 3 * (4 * 1 + 2 * 3 + 7 + 7 + 3 + 1) * 2;
    const auto slower = [&](const char* variant) {
        return predict_on("8800 GTX", "shared-reduction",
                          (std::string("block=128,blocks=2^15,variant=") + variant).c_str())
                   .time_us -
               found.time_us;
    };
    constexpr double kUsOfClock = 32768 / 16 / 1350.0;
    EXPECT_NEAR(slower("interleaved"), (4 * 7 * 16 + kConflicts) * kUsOfClock,
                0.1 * (4 * 7 * 16 + kConflicts) * kUsOfClock);
    // Of the divergent one all four warps work in five steps, where half of 8 x 7 / 2 + 4 did, and all
    // compute a remainder. M. Harris published 2.08 GB/s.
    EXPECT_GT(slower("divergent"), 4 * 7 * 24 * 4 * kUsOfClock);
    EXPECT_NEAR(slower("divergent") + found.time_us, 8054, 0.35 * 8054);
}

// C. Nugteren's tutorial has 139 and 370 GFLOP/s for a K40 at 745 MHz. Where nothing but the lanes' own loads
// counts, it is no faster than a GTX 480: both serve a warp in two clocks, on 15 SMs, and its clock is lower.
TEST(Lecturers, WhichGpuMultipliesFaster) {
    const auto speed = [](const char* name, const char* variant) {
        return predict_on(name, "matrix-multiply", (std::string("matrix=4096,variant=") + variant).c_str())
            .value;
    };
    EXPECT_NEAR(speed("K40", "naive"), 139 * 875 / 745.0, 0.2 * 139 * 875 / 745);
    EXPECT_NEAR(speed("K40", "tiled"), 370 * 875 / 745.0, 0.2 * 370 * 875 / 745);
    for (const char* later : {"K40", "GTX 980"})
        EXPECT_GT(speed(later, "tiled"), speed("GTX 480", "tiled")) << later;
}

}  // namespace warplens::test::lecturers_tests
