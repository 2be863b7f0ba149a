// Without a GPU, or without CUDA in the build, everything says why it is not here, and the program goes on.
#include "kernels/cuda/gpu.h"
#include "kernels/timing/timed.h"
#include "kernels/trace/trace.h"

#include <gtest/gtest.h>

namespace warplens::test::no_gpu_tests {
namespace {

class NoGpu : public testing::Test {
protected:
    void SetUp() override {
        if (!std::holds_alternative<Unavailable>(list_gpus())) GTEST_SKIP() << "there is a GPU here";
    }
};

TEST_F(NoGpu, ListSaysWhy) {
    EXPECT_FALSE(std::get<Unavailable>(list_gpus()).reason.empty());
    EXPECT_EQ(std::get<Unavailable>(list_gpus()).reason, std::get<Unavailable>(list_gpus()).reason)
        << "twice the same";
}

TEST_F(NoGpu, TraceSaysWhy) {
    const TraceRequest request{.scenario = "shared-stride", .params = {}, .block = {}, .rules = {}};
    Trace trace{};
    const auto why = trace_to_host({&request, 1}, {&trace, 1});
    ASSERT_TRUE(why);
    EXPECT_FALSE(why->reason.empty());
}

TEST_F(NoGpu, TimingSaysWhyAgainAndAgain) {
    TimedKernels kernels;
    for (int i = 0; i < 3; ++i) {
        const auto outcome = kernels.time("global-stride", {}, {});
        ASSERT_TRUE(std::holds_alternative<Unavailable>(outcome));
        EXPECT_FALSE(std::get<Unavailable>(outcome).reason.empty());
        EXPECT_TRUE(std::holds_alternative<Unavailable>(kernels.launch_once("transpose", {})));
    }
}

TEST_F(NoGpu, VersionsAreHarmless) {
    const CudaVersions versions = cuda_versions();
    EXPECT_EQ(versions.built_with_cuda, versions.runtime != 0);
}

}  // namespace
}  // namespace warplens::test::no_gpu_tests
