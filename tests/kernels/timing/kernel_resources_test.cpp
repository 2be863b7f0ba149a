#include "kernels/timing/timed.h"

#include <gtest/gtest.h>

namespace warplens::test::kernel_resources_tests {

TEST(KernelResources, NamesAreShort) {
    EXPECT_EQ(short_kernel_name("_ZN8warplens13replay_kernelINS_12GlobalStrideELi2ELb1EEEvNS_6ParamsE"),
              "replay_kernel");
    EXPECT_EQ(short_kernel_name("_ZN8warplens12_GLOBAL__N_112naive_kernelILNS_8MultiplyE0EEEvNS_6ParamsE"),
              "naive_kernel");
    EXPECT_EQ(short_kernel_name("plain_c_kernel"), "plain_c_kernel");
    EXPECT_EQ(short_kernel_name(""), "");
    EXPECT_EQ(short_kernel_name("_ZN"), "_ZN");
    EXPECT_EQ(short_kernel_name("_ZN99short"), "_ZN99short") << "cut off";
}

}  // namespace warplens::test::kernel_resources_tests
