#include "kernels/check.h"

#include <gtest/gtest.h>

#if defined(WARPLENS_HAS_CUDA)

#include <cuda_runtime_api.h>

namespace warplens {
namespace {

// cudaSetDevice(-1) fails with and without a GPU.

TEST(Check, FailureNamesErrorCallAndLine) {
    try {
        CUDA_CHECK(cudaSetDevice(-1));
        FAIL() << "nothing was thrown";
    } catch (const CudaError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("cudaError"), std::string::npos) << text;
        EXPECT_NE(text.find("cudaSetDevice(-1)"), std::string::npos) << text;
        EXPECT_NE(text.find("tests/kernels/check_test.cpp:"), std::string::npos) << text;
        EXPECT_NE(error.status(), cudaSuccess);
    }
}

TEST(Check, FailureIsNotRememberedByCuda) {
    EXPECT_THROW(CUDA_CHECK(cudaSetDevice(-1)), CudaError);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_NO_THROW(CUDA_CHECK_LAUNCH());
}

TEST(Check, DestructorsForgetFailures) {
    CUDA_FORGET(cudaSetDevice(-1));
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

}  // namespace
}  // namespace warplens

#endif
