#include "app/cli/measure/measure.h"

#include "app/base/errors.h"
#include "app/experiment/settings.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace warplens::test::measure_tests {
namespace {

std::vector<int> swept(const char* scenario, const std::string& text, int Params::*field) {
    const Scenario& s = require_scenario(scenario);
    std::vector<int> values;
    for (const Params& params : parse_sweep(s, s.info->defaults, text).settings)
        values.push_back(params.*field);
    return values;
}

TEST(Sweep, WorkedExamples) {
    EXPECT_EQ(swept("global-stride", "stride=1..4", &Params::stride), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(swept("global-stride", "stride=0..10:4", &Params::stride), (std::vector<int>{0, 4, 8}));
    EXPECT_EQ(swept("global-stride", "stride=7..7", &Params::stride), (std::vector<int>{7}));
    EXPECT_EQ(swept("global-stride", "element", &Params::element_bytes), (std::vector<int>{1, 2, 4, 8, 16}));
    EXPECT_EQ(swept("global-stride", "element=2..8", &Params::element_bytes), (std::vector<int>{2, 4, 8}));
    EXPECT_EQ(swept("global-stride", "elements=1024..2^12", &Params::elements_log2),
              (std::vector<int>{10, 11, 12}));
    EXPECT_EQ(swept("transpose", "variant=tile..swizzled", &Params::variant), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(swept("global-stride", "stride", &Params::stride).size(), 65u);
    EXPECT_EQ(swept("global-stride", "", &Params::stride).size(), 1u);
    EXPECT_EQ(swept("vector-add", "n=1..67108864:33554432", &Params::width), (std::vector<int>{1, 33554433}));
}

TEST(Sweep, KnobsThatDependOnItFollow) {
    const Scenario& s = require_scenario("transpose");
    const Params wide = apply_settings(s, {"block_rows=32"});
    for (const Params& params : parse_sweep(s, wide, "tile").settings)
        EXPECT_LE(params.block_rows, params.tile);
}

TEST(Sweep, MistakesAreRefused) {
    const Scenario& s = require_scenario("global-stride");
    for (const char* text : {"strid=1..2", "stride=1", "stride=..", "stride=1..", "stride=2..1",
                             "stride=1..65", "stride=1..4:0", "stride=1..4:x", "stride=1..4:", "mask", "warp",
                             "=1..2", "stride=1...4", "stride=1..4:99999999999"}) {
        EXPECT_THROW(parse_sweep(s, s.info->defaults, text), UsageError) << text;
    }
    const Scenario& many = require_scenario("vector-add");  // 67 million values of n
    EXPECT_THROW(parse_sweep(many, many.info->defaults, "n"), UsageError);
}

GpuInfo test_gpu() {
    GpuInfo gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc_major = 9;
    gpu.sm_count = 132;
    gpu.clock_mhz = 1980;
    return gpu;
}

/// As a clock would: more for larger strides, and a failure for the largest.
std::variant<Timing, Unavailable> pretend(const Params& params) {
    if (params.stride == 3) return Unavailable{"not enough memory"};
    Timing timing;
    timing.median_us = 100.0 * params.stride;
    timing.lower_us = 0.9 * timing.median_us;
    timing.upper_us = 1.1 * timing.median_us;
    timing.repeats = 9;
    timing.useful_bytes = 1e6;
    timing.cycles_per_request = timing.bank_cycles = params.stride;
    timing.fits_l2 = params.stride == 1;
    timing.method = "pretended";
    return timing;
}

MeasureCommand sweep_command(const char* scenario) {
    MeasureCommand command;
    command.choice.scenario = scenario;
    command.sweep = "stride=1..3";
    return command;
}

TEST(Measure, TableStandsBesideThePrediction) {
    const std::string text =
        measurement_text(measure_settings(sweep_command("shared-stride"), test_gpu(), pretend));
    EXPECT_NE(text.find("◆ useful GB/s"), std::string::npos) << text;
    EXPECT_NE(text.find("○ predicted"), std::string::npos) << text;
    EXPECT_NE(text.find("10.0"), std::string::npos) << "1 MB in 100 us: " << text;
    EXPECT_NE(text.find("3: not timed: not enough memory"), std::string::npos) << text;
    EXPECT_NE(text.find("1*"), std::string::npos) << "fits the L2: " << text;
    EXPECT_NE(text.find("pretended"), std::string::npos) << text;
}

TEST(Measure, JsonKeepsEverySetting) {
    const auto json = nlohmann::json::parse(
        measurement_to_json(measure_settings(sweep_command("shared-stride"), test_gpu(), pretend)).dump());
    EXPECT_EQ(json["kind"], "measured");
    EXPECT_EQ(json["swept"], "stride");
    EXPECT_EQ(json["gpu"]["cc"], "9.0");
    ASSERT_EQ(json["settings"].size(), 3u);
    EXPECT_EQ(json["settings"][1]["params"]["stride"], 2);
    EXPECT_EQ(json["settings"][1]["median_us"], 200.0);
    EXPECT_EQ(json["settings"][1]["useful_gb_per_s"], 5.0);
    EXPECT_EQ(json["settings"][1]["predicted"]["kind"], "approximate");
    EXPECT_EQ(json["settings"][1]["predicted"]["bank_cycles"], 2.0);
    EXPECT_EQ(json["settings"][2]["unavailable"], "not enough memory");
}

TEST(Sweep, TwoKnobsAllWithAll) {
    const Scenario& s = require_scenario("global-stride");
    const Sweep sweep = parse_sweeps(s, s.info->defaults, "stride=0..2", "element=4..8");
    ASSERT_EQ(sweep.settings.size(), 6u);
    EXPECT_EQ(sweep.settings[1].stride, 1) << "the first parameter moves fastest";
    EXPECT_EQ(sweep.settings[1].element_bytes, 4);
    EXPECT_EQ(sweep.settings[5].stride, 2);
    EXPECT_EQ(sweep.settings[5].element_bytes, 8);
    EXPECT_EQ(parse_sweeps(s, s.info->defaults, "stride=0..2", "").settings.size(), 3u);
    EXPECT_THROW(parse_sweeps(s, s.info->defaults, "stride=0..2", "stride"), UsageError) << "the same twice";
    EXPECT_THROW(parse_sweeps(s, s.info->defaults, "stride", "offset"), UsageError) << "65 x 33 settings";
}

TEST(Sweep, SettingsThatCannotBeAreLeftOut) {
    const Scenario& s = require_scenario("transpose");
    const Params wide = apply_settings(s, {"block_rows=32"});
    const Sweep sweep = parse_sweeps(s, wide, "tile", "block_rows");
    EXPECT_EQ(sweep.settings.size(), 4u + 5u + 6u) << "rows up to 8, 16, 32";
    for (const Params& params : sweep.settings) EXPECT_LE(params.block_rows, params.tile);
}

TEST(Measure, TwoKnobsGiveAMatrix) {
    MeasureCommand command = sweep_command("shared-stride");
    command.second_sweep = "element=4..8";
    const Measurement measurement = measure_settings(command, test_gpu(), pretend);
    const std::string text = measurement_text(measurement);
    EXPECT_NE(text.find("cycles/request, median; rows: element, columns: stride"), std::string::npos) << text;
    EXPECT_NE(text.find(" 1.00  2.00  -\n8 "), std::string::npos) << text;
    EXPECT_NE(text.find("stride, element"), std::string::npos) << text;
    EXPECT_NE(text.find("3, 8: not timed"), std::string::npos) << text;
    const auto json = nlohmann::json::parse(measurement_to_json(measurement).dump());
    EXPECT_EQ(json["swept"], "stride");
    EXPECT_EQ(json["swept_second"], "element");
    EXPECT_EQ(json["settings"].size(), 6u);
}

TEST(Measure, CyclesAreFittedToWavefronts) {
    MeasureCommand command = sweep_command("shared-stride");
    command.sweep = "stride=1..8";
    const auto by_wavefronts = [](const Params& params) -> std::variant<Timing, Unavailable> {
        Timing timing;
        timing.median_us = 1;
        const int wavefronts = params.stride & -params.stride;  // strides 1 to 8 on 32 banks
        timing.cycles_per_request = timing.bank_cycles = 1.25 * wavefronts + 0.5;
        return timing;
    };
    const Measurement measurement = measure_settings(command, test_gpu(), by_wavefronts);
    const std::string text = measurement_text(measurement);
    EXPECT_NE(text.find("fit: cycles = 1.250 x wavefronts + 0.50, R² 1.0000, 8 points\n"), std::string::npos)
        << text;
    const auto json = measurement_to_json(measurement);
    EXPECT_NEAR(json["fit"]["slope"], 1.25, 1e-9);
    EXPECT_EQ(json["fit"]["points"], 8);
    command.choice.scenario = "global-stride";
    const std::string global = measurement_text(measure_settings(command, test_gpu(), by_wavefronts));
    EXPECT_EQ(global.find("fit:"), std::string::npos) << "no shared memory, no wavefronts";
}

TEST(Measure, WithoutAGpuThatIsAnErrorOfItsOwn) {
    std::ostringstream out;
    MeasureCommand command = sweep_command("global-stride");
    command.cpu = true;
    EXPECT_THROW(run_measure(command, out), NoGpu);
    command.sweep = "nothing";
    EXPECT_THROW(run_measure(command, out), UsageError) << "mistakes come first";
    EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace warplens::test::measure_tests
