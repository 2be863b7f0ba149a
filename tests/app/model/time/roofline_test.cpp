// The roof of every GPU in the project's table, the textbook's tiles, and that nothing lies above a roof.
#include "app/model/time/roofline.h"
#include "app/base/assets.h"
#include "app/model/time/arithmetic.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace warplens::test::roofline_tests {
namespace {

Roofline roofline_of(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                     bool cold = false) {
    const Report report = analyze(scenario, params, device);
    const Prediction prediction = predict(scenario, params, device, cold);
    return make_roofline(scenario, params, device, prediction,
                         follow_bytes(scenario, params, device, report, prediction, cold),
                         follow_bytes(scenario, params, device, report, prediction, true));
}
Roofline roofline_of(const char* id, const std::string& settings, const std::string& name,
                     bool cold = false) {
    const Scenario& scenario = *find_scenario(id);
    return roofline_of(scenario, preset_params(scenario, {"", settings}), gpu(name), cold);
}

/// Published FP32 speed, and the ridge as it is printed.
struct Published {
    const char* gpu;
    double tflops;
    const char* ridge;
};
constexpr Published kPublished[] = {{"GeForce 8800 GTX", 0.3456, "4"},
                                    {"GeForce GTX 280", 0.622, "4.39"},
                                    {"Tesla C1060", 0.622, "6.07"},
                                    {"GeForce GTX 480", 1.345, "7.58"},
                                    {"Tesla C2050", 1.03, "7.15"},
                                    {"GeForce GTX 680", 3.25, "16.9"},
                                    {"Tesla K40", 5.04, "17.48"},
                                    {"Tesla K80 (one of two GPUs)", 4.37, "18.16"},
                                    {"GeForce GTX 980", 4.98, "22.19"},
                                    {"GeForce GTX 1080", 8.87, "27.69"},
                                    {"GeForce GTX 1080 Ti", 11.34, "23.41"},
                                    {"Tesla P100 SXM2 16 GB", 10.61, "14.49"},
                                    {"Tesla V100 SXM2 32 GB", 15.67, "17.45"},
                                    {"Tesla T4", 8.14, "25.44"},
                                    {"GeForce RTX 2080 Ti", 13.45, "21.83"},
                                    {"A100 SXM4 40 GB", 19.49, "12.53"},
                                    {"A100 SXM4 80 GB", 19.49, "9.56"},
                                    {"GeForce RTX 3090", 35.58, "38"},
                                    {"RTX A6000", 38.71, "50.4"},
                                    {"A40", 37.42, "53.78"},
                                    {"GeForce RTX 4090", 82.58, "81.92"},
                                    {"L40", 90.52, "104.77"},
                                    {"L4", 30.29, "100.93"},
                                    {"H100 SXM5 80 GB", 66.91, "19.96"},
                                    {"H100 PCIe 80 GB", 51.22, "25.12"},
                                    {"H200 SXM 141 GB", 66.91, "13.94"},
                                    {"GH200 (96 GB HBM3)", 66.91, "16.73"},
                                    {"GH200 (144 GB HBM3e)", 66.91, "13.66"},
                                    {"B200", 74.45, "9.31"},
                                    {"GeForce RTX 5080", 56.28, "58.62"},
                                    {"GeForce RTX 5090", 104.8, "58.48"}};

void expect_under(const Roofline& roofline, const RooflinePoint& point) {
    EXPECT_LE(point.gflop_per_s, roofline.attainable(point.memory, point.intensity) * (1 + 1e-9))
        << point.name;
}

}  // namespace

TEST(Roofline, EveryGpuHasItsPublishedPeakAndRidge) {
    for (const Published& row : kPublished) {
        const DeviceFacts& device = gpu(row.gpu);
        ASSERT_EQ(device.name, row.gpu);
        EXPECT_NEAR(peak_gflop_per_s(device), row.tflops * 1000, 1e-3 * row.tflops * 1000) << row.gpu;
        const Roofline roofline = roofline_of("global-stride", "elements=2^14", row.gpu);
        const std::string printed(row.ridge);
        const std::size_t dot = printed.find('.');
        const double unit =
            std::pow(10.0, dot == std::string::npos ? -2.0 : -double(printed.size() - dot - 1));
        // Printed ridges are of printed, rounded TFLOPS: half a unit, and what a rounded figure moves it.
        EXPECT_NEAR(roofline.ridge(), std::stod(printed), unit / 2 + 1e-3 * std::stod(printed)) << row.gpu;
        EXPECT_DOUBLE_EQ(roofline.ridge(), peak_gflop_per_s(device) / device.peak_gb_per_s) << row.gpu;
    }
}

TEST(Roofline, PeaksAreThoseOfTheTableOfGpus) {
    const auto table = nlohmann::json::parse(asset("assets/gpus.json"));
    for (const nlohmann::json& row : table.at("gpus")) {
        const DeviceFacts& device = gpu(row.at("name").get<std::string>());
        const double published = row.at("fp32_peak_tflops").get<double>() * 1000;
        EXPECT_NEAR(peak_gflop_per_s(device), published, 0.02 * published) << device.name;
    }
}

TEST(Roofline, RoofsAreLevelBehindTheirRidgeAndRiseBeforeIt) {
    const Roofline roofline = roofline_of("matrix-multiply", "", "H200");
    const double ridge = roofline.ridge();
    EXPECT_DOUBLE_EQ(roofline.attainable(Memory::dram, ridge), roofline.peak);
    EXPECT_DOUBLE_EQ(roofline.attainable(Memory::dram, 10 * ridge), roofline.peak);
    EXPECT_DOUBLE_EQ(roofline.attainable(Memory::dram, ridge / 4), roofline.peak / 4);
    EXPECT_GT(roofline.speed_of(Memory::l2), roofline.speed_of(Memory::dram));
    EXPECT_GT(roofline.speed_of(Memory::shared), roofline.speed_of(Memory::l2));
}

// 86.4 GB/s / 4 B = 21.6 GFLOP/s at 0.25 FLOP/B; tiles of 16: 345.6, the MAD peak (Kirk and Hwu, draft of
// chapter 4).
TEST(Roofline, TheTextbooksTiles) {
    const Roofline roofline = roofline_of("matrix-multiply", "tile=16", "8800 GTX");
    const auto ladder = textbook_ladder(roofline, gpu("8800 GTX"), 1024);
    const struct {
        const char* name;
        double intensity, gflop_per_s;
    } kRungs[] = {{"naive", 0.25, 21.6},
                  {"tiled 8", 2, 172.8},
                  {"tiled 16", 4, 345.6},
                  {"tiled 32", 8, 345.6},
                  {"register-blocked 64", 16, 345.6},
                  {"register-blocked 128", 32, 345.6}};
    ASSERT_EQ(ladder.size(), std::size(kRungs));
    for (std::size_t i = 0; i < ladder.size(); ++i) {
        EXPECT_EQ(ladder[i].name, kRungs[i].name);
        EXPECT_DOUBLE_EQ(ladder[i].intensity, kRungs[i].intensity);
        EXPECT_NEAR(ladder[i].gflop_per_s, kRungs[i].gflop_per_s, 1e-9);
        EXPECT_EQ(ladder[i].refused.empty(), i < 3) << "a block may have 512 threads and 8,192 registers";
    }
    EXPECT_DOUBLE_EQ(roofline.requested, 4);
}

TEST(Roofline, NothingLiesAboveItsRoof) {
    std::mt19937 random(seed(11));
    int points = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 16; ++i) {
            const DeviceFacts& device = device_table()[random() % device_table().size()];
            const Params params = random_launch(scenario, random);
            SCOPED_TRACE(std::string(scenario.info->id) + " on " + device.name);
            const Roofline roofline = roofline_of(scenario, params, device, i % 2 == 1);
            for (const RooflinePoint& point : roofline.points) expect_under(roofline, point), ++points;
            for (const Roof& moved : roofline.moved)
                EXPECT_LE(moved.gb_per_s, roofline.speed_of(moved.memory) * (1 + 1e-9));
            // Only what launches before left in the L2 may be missing.
            if (roofline.in_l2) {
                EXPECT_EQ(i % 2, 0);
            }
        }
    }
    EXPECT_GT(points, 40);
    for (const char* name : {"8800 GTX", "K40", "H200"}) {
        const DeviceFacts& device = gpu(name);
        const Roofline roofline = roofline_of("matrix-multiply", "", name);
        const Params params = find_scenario("matrix-multiply")->info->defaults;
        for (const auto& point : predicted_ladder(roofline, params, device, false))
            expect_under(roofline, point);
        for (const auto& point : textbook_ladder(roofline, device, 512)) expect_under(roofline, point);
    }
}

TEST(Roofline, IntensityIsFlopOverTheBytesOfEachMemory) {
    const Roofline roofline = roofline_of("matrix-multiply", "variant=tiled,tile=32", "H200");
    constexpr double kMatrix = 4.0 * 1024 * 1024, kFlop = 2.0 * 1024 * 1024 * 1024;
    ASSERT_NE(roofline.point(Memory::dram), nullptr);
    EXPECT_DOUBLE_EQ(roofline.point(Memory::dram)->intensity, kFlop / (3 * kMatrix));
    EXPECT_DOUBLE_EQ(roofline.point(Memory::l2)->intensity, kFlop / (65 * kMatrix));
    EXPECT_DOUBLE_EQ(roofline.requested, 8);
    EXPECT_EQ(roofline.point(Memory::dram)->gflop_per_s, roofline.gflop_per_s);
}

TEST(Roofline, ACopyHasNoFlopAndNoPoint) {
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->flop != nullptr) continue;
        const Roofline roofline = roofline_of(scenario, scenario.info->defaults, gpu("H200"));
        EXPECT_EQ(roofline.flop, 0) << scenario.info->id;
        EXPECT_TRUE(roofline.points.empty()) << scenario.info->id;
    }
    const Roofline copy = roofline_of("global-stride", "op=copy", "H200");
    ASSERT_FALSE(copy.moved.empty());
    EXPECT_EQ(copy.moved.front().memory, Memory::dram);
    EXPECT_GT(copy.moved.front().gb_per_s, 1000);
}

TEST(Roofline, AGpuOfWhichTooLittleIsKnownHasNone) {
    DeviceFacts bare;
    bare.cc = {9, 0};
    const Scenario& scenario = *find_scenario("matrix-multiply");
    const Roofline roofline = roofline_of(scenario, scenario.info->defaults, bare);
    EXPECT_EQ(roofline.peak, 0);
    EXPECT_EQ(roofline.ridge(), 0);
    EXPECT_TRUE(roofline.roofs.empty());
    EXPECT_TRUE(roofline.points.empty());
}

}  // namespace warplens::test::roofline_tests
