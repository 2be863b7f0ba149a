#include "kernels/cuda/check.h"

#include "kernels/cuda/gpu.h"

#include <gtest/gtest.h>

#if defined(WARPLENS_HAS_CUDA)

#include <cuda_runtime_api.h>

namespace warplens::test::check_gpu_tests {
namespace {

class CheckGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }
};

TEST_F(CheckGpu, FailureIsNotBlamedOnTheNextCall) {
    EXPECT_THROW(CUDA_CHECK(cudaSetDevice(-1)), CudaError);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_NO_THROW(CUDA_CHECK_LAUNCH());
}

TEST_F(CheckGpu, DestructorsForgetFailures) {
    CUDA_FORGET(cudaSetDevice(-1));
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

}  // namespace
}  // namespace warplens::test::check_gpu_tests

#endif
