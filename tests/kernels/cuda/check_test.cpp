#include "kernels/cuda/check.h"

#include <gtest/gtest.h>

#if defined(WARPLENS_HAS_CUDA)

#include <cuda_runtime_api.h>

namespace warplens::test::check_tests {
namespace {

TEST(Check, FailureNamesErrorCallAndLine) {
    try {
        CUDA_CHECK(cudaSetDevice(-1));  // fails with and without a GPU
        FAIL() << "nothing was thrown";
    } catch (const CudaError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("cudaError"), std::string::npos) << text;
        EXPECT_NE(text.find("cudaSetDevice(-1) at tests/kernels/cuda/check_test.cpp:"), std::string::npos)
            << text;
        EXPECT_NE(error.status(), cudaSuccess);
    }
}

}  // namespace
}  // namespace warplens::test::check_tests

#endif
