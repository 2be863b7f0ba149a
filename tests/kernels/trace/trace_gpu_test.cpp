// The GPU evaluates the same address formula and the same bank rules as the model: for every scenario and
// random settings, every word of the trace is the same.
#include "app/model/device/device.h"
#include "kernels/cuda/gpu.h"
#include "kernels/trace/trace.h"
#include "tests/kernels/trace/expected_trace.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace warplens::test::trace_gpu_tests {
namespace {

constexpr int kSettings = 1000;

class TraceGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }
};

/// A random warp of a random setting, with the bank rules of some generation.
TraceRequest random_request(const Scenario& scenario, std::mt19937& random) {
    constexpr ComputeCapability kGenerations[] = {{5, 0}, {6, 1}, {7, 5}, {9, 0}, {9, 0}, {9, 0}, {12, 0}};
    const Params p = test::random_params(scenario, random);
    const LaunchShape shape = scenario.launch(p);
    const std::int64_t warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
    const WarpPlace place =
        place_of_warp(shape, std::uniform_int_distribution<std::int64_t>(0, warps - 1)(random));
    int steps = 1;
    for (int i = 0; i < scenario.instruction_count(p); ++i)
        steps = std::max(steps, steps_of(shape, scenario.instruction(p, i)));
    return {scenario.info->id,
            p,
            place.block,
            place.warp_in_block,
            static_cast<int>(random() % static_cast<unsigned>(steps)),
            bank_rules_for(kGenerations[random() % std::size(kGenerations)])};
}

std::string describe(const Scenario& scenario, const TraceRequest& request) {
    std::string text(scenario.info->id);
    for (const Knob& knob : scenario.info->knobs) {
        text += " " + std::string(knob.key) + "=" + format_knob(knob, request.params);
    }
    return text + " block " + std::to_string(request.block.x) + "," + std::to_string(request.block.y) +
           " warp " + std::to_string(request.warp_in_block) + " step " + std::to_string(request.step);
}

TEST_F(TraceGpu, EqualsTheModelForEveryScenario) {
    std::mt19937 random(20240607);
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<TraceRequest> requests;
        while (requests.size() < kSettings) requests.push_back(random_request(scenario, random));
        std::vector<Trace> traces(requests.size());
        const auto why = trace_to_host(requests, traces);
        ASSERT_FALSE(why) << why->reason;
        int wrong = 0;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (test::same_trace(traces[i], test::expected_trace(requests[i]))) continue;
            if (++wrong <= 3) ADD_FAILURE() << describe(scenario, requests[i]);
        }
        EXPECT_EQ(wrong, 0) << scenario.info->id << ": settings of " << kSettings;
    }
}

TEST_F(TraceGpu, FourThousandRequestsAtOnce) {
    const Scenario& scenario = *find_scenario("shared-stride");
    std::mt19937 random(1);
    std::vector<TraceRequest> requests;
    while (requests.size() < 4000) requests.push_back(random_request(scenario, random));
    std::vector<Trace> traces(requests.size());
    ASSERT_FALSE(trace_to_host(requests, traces));
    for (std::size_t i = 0; i < requests.size(); ++i)
        ASSERT_TRUE(test::same_trace(traces[i], test::expected_trace(requests[i])))
            << describe(scenario, requests[i]);
}

TEST_F(TraceGpu, RulesOfOldGenerationsAreTheModelsAlone) {
    TraceRequest request{
        .scenario = "shared-stride", .params = {}, .block = {}, .rules = bank_rules_for({3, 5})};
    Trace trace{};
    EXPECT_TRUE(trace_to_host({&request, 1}, {&trace, 1}));
    for (const ComputeCapability old : {ComputeCapability{1, 0}, {2, 0}}) {
        request.rules = bank_rules_for(old);
        EXPECT_TRUE(trace_to_host({&request, 1}, {&trace, 1}));
    }
    request.rules = bank_rules_for({9, 0});
    EXPECT_FALSE(trace_to_host({&request, 1}, {&trace, 1}));
    request.scenario = "no-such-thing";
    EXPECT_TRUE(trace_to_host({&request, 1}, {&trace, 1}));
}

}  // namespace
}  // namespace warplens::test::trace_gpu_tests
