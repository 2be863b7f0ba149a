// Typed kernels on a GPU: compiled by NVIDIA's compiler they make the accesses of the model, hardware
// counters are as predicted, and they take the time of the same kernel compiled by nvcc.
#include "app/experiment/devices.h"
#include "app/experiment/state.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/counters/agreement.h"
#include "app/typed/on_gpu.h"
#include "app/typed/random_kernel.h"
#include "app/typed/scenario.h"
#include "app/window/typing.h"
#include "kernels/cuda/gpu.h"

#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

namespace warplens::test::on_gpu_tests {
namespace {

class TypedOnGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }

    /// Whether what was launched is what was predicted.
    void compare(const Scenario& scenario) {
        SCOPED_TRACE(scenario.info->title);
        const Params& params = scenario.info->defaults;
        scenario.typed->count_all(params, {}).done();
        const auto addresses = gpu_.compare(scenario, params, 8);
        ASSERT_TRUE(std::holds_alternative<typed::ComparedAddresses>(addresses))
            << std::get<Unavailable>(addresses).reason;
        const auto& compared = std::get<typed::ComparedAddresses>(addresses);
        EXPECT_EQ(compared.off, 0) << compared.first;
        EXPECT_GT(compared.accesses, 0);
    }

    typed::GpuKernels gpu_;
};

TEST_F(TypedOnGpu, ShippedKernelsAccessWhatTheModelSays) {
    for (const auto& [name, text] : shipped_kernels()) {
        const Scenario& scenario = open_kernel(text, name);
        // Which block is the last one is assumed.
        if (!typed::typed_launch(scenario, scenario.info->defaults)->assumes()) compare(scenario);
    }
}

TEST_F(TypedOnGpu, RandomKernelsAccessWhatTheModelSays) {
    for (std::uint64_t seed = 0; seed < 25; ++seed)
        compare(open_kernel(typed::random_kernel(seed), "random " + std::to_string(seed)));
}

// From a cold L2, because what one kernel leaves there would be the other one's gain.
TEST_F(TypedOnGpu, TheTransposeIsAsFastAsCompiledByNvcc) {
    TimedKernels kernels;
    const StopRule rule{.max_repeats = 200, .relative_error = 0.005, .max_seconds = 2, .cold = true};
    const Scenario& scenario = *find_scenario("transpose");
    const State state = initial_state(scenario, 0);
    const auto plain = kernels.time("transpose", state.params, rule);
    const Scenario& typed = open_kernel(kernel_to_edit(state), "transpose.cu");
    const auto own = gpu_.time(typed, typed.info->defaults, rule);
    ASSERT_TRUE(std::holds_alternative<Timing>(plain)) << std::get<Unavailable>(plain).reason;
    ASSERT_TRUE(std::holds_alternative<Timing>(own)) << std::get<Unavailable>(own).reason;
    EXPECT_NEAR(std::get<Timing>(own).median_us / std::get<Timing>(plain).median_us, 1, 0.05);
}

}  // namespace
}  // namespace warplens::test::on_gpu_tests
