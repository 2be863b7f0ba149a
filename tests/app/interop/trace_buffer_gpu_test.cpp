// A kernel writes the very GL buffer that shaders read; the copy and the model give the same words.
#include "app/gl/context.h"
#include "app/interop/textures.h"
#include "kernels/cuda/gpu.h"
#include "tests/kernels/trace/expected_trace.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

namespace warplens::test::trace_buffer_gpu_tests {
namespace {

TEST(InteropGpu, InteropEqualsCopyEqualsModel) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    auto context = HeadlessContext::create(std::get<0>(gpus).front().index);
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    TraceBuffer by_interop(TraceMode::interop), by_copy(TraceMode::copy), by_model(TraceMode::model);
    if (by_interop.mode() != TraceMode::interop) GTEST_SKIP() << by_interop.why();
    EXPECT_TRUE(by_interop.why().empty());
    ASSERT_EQ(by_copy.mode(), TraceMode::copy) << by_copy.why();
    EXPECT_FALSE(by_copy.why().empty());

    std::mt19937 random(7);
    const Trace wrong{};  // what a kernel must not need
    for (int i = 0; i < 200; ++i) {
        const auto scenarios = all_scenarios();
        const Scenario& scenario = scenarios[random() % scenarios.size()];
        const Params p = test::random_params(scenario, random);
        const WarpPlace place = place_of_warp(scenario.launch(p), p.warp);
        const TraceRequest request{.scenario = scenario.info->id,
                                   .params = p,
                                   .block = place.block,
                                   .warp_in_block = place.warp_in_block,
                                   .step = p.step,
                                   .rules = {}};
        const Trace expected = test::expected_trace(request);
        by_interop.update(request, wrong);
        by_copy.update(request, wrong);
        by_model.update(request, expected);
        ASSERT_TRUE(test::same_trace(by_interop.read_back(), expected)) << scenario.info->id << " " << i;
        ASSERT_TRUE(test::same_trace(by_copy.read_back(), expected)) << scenario.info->id << " " << i;
        ASSERT_TRUE(test::same_trace(by_model.read_back(), expected)) << scenario.info->id << " " << i;
        ASSERT_EQ(by_interop.mode(), TraceMode::interop) << by_interop.why();
        ASSERT_EQ(by_copy.mode(), TraceMode::copy) << by_copy.why();
    }
}

TEST(InteropGpu, BuffersComeAndGoWithoutLeaks) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    auto context = HeadlessContext::create(std::get<0>(gpus).front().index);
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    const TraceRequest request{.scenario = "shared-stride", .params = {}, .block = {}, .rules = {}};
    for (int i = 0; i < 50; ++i) {
        TraceBuffer buffer(TraceMode::interop);
        if (buffer.mode() != TraceMode::interop) GTEST_SKIP() << buffer.why();
        buffer.update(request, {});
        ASSERT_EQ(buffer.mode(), TraceMode::interop) << buffer.why();
    }
}

}  // namespace
}  // namespace warplens::test::trace_buffer_gpu_tests
