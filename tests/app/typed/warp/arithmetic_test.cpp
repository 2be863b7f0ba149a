// What a warp computes beside its loads and stores, counted as nvcc makes instructions of it.
#include "app/typed/scenario.h"

#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/access/demand.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::arithmetic_tests {
namespace {

Arithmetic computed(const std::string& body, const std::string& launch = "grid=3 block=64") {
    const Scenario& kernel = open_kernel(
        "// launch " + launch + "\n__global__ void k(float* a, double* d, int n) {\n" + body + "\n}\n", "");
    return kernel.typed->arithmetic(kernel.info->defaults, h200());
}
constexpr double kWarps = 6;

TEST(Arithmetic, AProductThatIsAddedIsOneInstruction) {
    EXPECT_EQ(computed("a[threadIdx.x] = 2.0f;").instructions, 0);
    EXPECT_EQ(computed("float x = a[0]; a[threadIdx.x] = x * x;").instructions, kWarps);
    EXPECT_EQ(computed("float x = a[0]; a[threadIdx.x] = x * x + x;").instructions, kWarps);
    EXPECT_EQ(computed("float x = a[0]; x += x * x; a[threadIdx.x] = x;").instructions, kWarps);
    EXPECT_EQ(computed("float x = a[0]; a[threadIdx.x] = x + x - x;").instructions, 2 * kWarps);
}

/// Rounds that are executed at once count as often as they are.
TEST(Arithmetic, LoopsCountTheirRounds) {
    for (const int rounds : {3, 10, 1000})
        EXPECT_EQ(computed("float x = a[0];\nfor (int i = 0; i < " + std::to_string(rounds) +
                           "; ++i) x = x * x + a[i];\na[threadIdx.x] = x;")
                      .instructions,
                  rounds * kWarps);
}

/// A warp issues an instruction for as many lanes as take part, so a divided warp issues both.
TEST(Arithmetic, BranchesCountForWarpsThatTakeThem) {
    EXPECT_EQ(computed("float x = a[0]; if (threadIdx.x < 32) x = x * x; a[threadIdx.x] = x;").instructions,
              kWarps / 2);
    EXPECT_EQ(
        computed("float x = a[0]; if (threadIdx.x % 2 == 0) x = x * x; else x = x + x; a[threadIdx.x] = x;")
            .instructions,
        2 * kWarps);
}

TEST(Arithmetic, QuotientsAndSpecialFunctionsTakeSeveral) {
    const Arithmetic remainder =
        computed("for (int d = 1; d < 5; ++d) if (threadIdx.x % (2 * d) == 0) a[threadIdx.x] = 1;");
    EXPECT_GE(remainder.instructions, 4 * 20 * kWarps);
    EXPECT_GT(remainder.special, 0);
    EXPECT_EQ(computed("if (threadIdx.x % 4 == 0) a[threadIdx.x] = 1;").instructions, 0) << "a shift";
    EXPECT_EQ(computed("a[threadIdx.x] = rsqrtf(a[0]);").special, kWarps);
    EXPECT_EQ(computed("d[threadIdx.x] = d[0] * d[1];").doubles, kWarps);
    EXPECT_EQ(computed("a[threadIdx.x] = fmaf(a[0], a[1], a[2]);").instructions, kWarps);
}

/// As the machine code of nvcc 13.0 has it.
TEST(Arithmetic, LoopsAreUnrolledAsByNvcc) {
    const auto under_way = [](const std::string& loop) {
        const Scenario& kernel = open_kernel(
            "// launch grid=3 block=64\n// let n = 64\n__global__ void k(const float* a, float* out, int n) {\n"
            "__shared__ float s[64];\nfloat x = 0;\n" +
                loop + "\nout[threadIdx.x] = x + s[0];\n}\n",
            "");
        return kernel.instruction(kernel.info->defaults, 0).under_way;
    };
    EXPECT_EQ(under_way("x = a[threadIdx.x];"), 0) << "no loop";
    EXPECT_EQ(under_way("for (int k = 0; k < n; ++k) x += a[k];"), 16);
    EXPECT_EQ(under_way("for (int k = 0; k < n; k += 32) x += a[k];"), 16);
    EXPECT_EQ(under_way("for (int k = 0; k < n; ++k) x += a[k] * a[k + n];"), 8)
        << "registers for sixteen values";
    EXPECT_EQ(under_way("for (int k = 0; k < n; k += blockDim.x) x += a[k];"), 1) << "the step is not known";
    EXPECT_EQ(under_way("for (int k = -3; k <= 3; ++k) x += a[k + 3];"), 7) << "written out";
    EXPECT_EQ(under_way("for (int k = 0; k < n; ++k) out[k] = a[k];"), 4)
        << "a store may change what follows";
    EXPECT_EQ(under_way("for (int k = 0; k < n; ++k) { x += a[k]; __syncthreads(); }"), 1);
    EXPECT_EQ(under_way("#pragma unroll 2\nfor (int k = 0; k < n; ++k) x += a[k];"), 2);
}

/// nvcc loads the vector once of which the text names four components.
TEST(Arithmetic, ComponentsOfAVectorAreOneLoad) {
    const auto wavefronts = [](const std::string& load) {
        const Scenario& kernel = open_kernel(
            "// launch grid=3 block=64\n__global__ void k(float* out) {\n"
            "__shared__ float4 s[64];\ns[threadIdx.x] = make_float4(1, 2, 3, 4);\n"
            "__syncthreads();\nout[threadIdx.x] = " +
                load + ";\n}\n",
            "");
        const Params& params = kernel.info->defaults;
        LaunchCounts launch(kernel, params, h200());
        return count_demand(launch, false).wavefronts;
    };
    EXPECT_EQ(wavefronts("s[threadIdx.x].x + s[threadIdx.x].y + s[threadIdx.x].z"),
              wavefronts("s[threadIdx.x].x"));
    EXPECT_GT(wavefronts("s[threadIdx.x].x + s[threadIdx.x ^ 1].y"), wavefronts("s[threadIdx.x].x"));
}

}  // namespace
}  // namespace warplens::test::arithmetic_tests
