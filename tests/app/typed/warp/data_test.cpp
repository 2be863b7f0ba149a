// What follows from values in memory, and from floating-point numbers.
#include "tests/app/typed/parse/done_by.h"

#include <cmath>

namespace warplens::test::data_tests {
namespace {

// Where data decide, a variable of the branch is known in it, and one from before it has its number again
// in the other branch.
TEST(Data, ABranchOfDataIsFollowedWithItsOwnNumbers) {
    const std::string data = "if (a[t] > 0) ";
    expect_same("", data + "{ int j = t + 3; b[j] = 1; for (int k = 0; k < 20; ++k) b[j + k] = 1; }",
                data + "{ b[t + 3] = 1; for (int k = 0; k < 20; ++k) b[t + 3 + k] = 1; }");
    expect_same("", "int j = t; " + data + "{ j = 2 * t; b[j] = 1; } else { b[j] = 1; }",
                data + "{ b[2 * t] = 1; } else { b[t] = 1; }");
}

// Numbers that lanes read at one place are the same for all, whatever they are.
TEST(Data, WhatAllLanesReadAtOnePlaceIsOneNumber) {
    const auto launch = launch_of(
        "// launch grid=4 block=32\n__global__ void k(const int* begin, float* a, int* c) {\n"
        "a[begin[blockIdx.x] + threadIdx.x] = 1;\n"
        "a[atomicAdd(c, 1)] = 2;\n}\n");
    const auto distances = [](const Done& one) {
        std::vector<std::int64_t> found;
        for (std::size_t l = 1; l < kWarpLanes; ++l) found.push_back(one.address[l] - one.address[l - 1]);
        return found;
    };
    const std::vector<Done> done = done_by(*launch);
    ASSERT_EQ(done.size(), 4u);
    EXPECT_THAT(distances(done[1]), testing::Each(4));
    EXPECT_THAT(distances(done[3]), testing::Each(4)) << "one lane after the other adds 1";
    EXPECT_TRUE(launch->assumes());
}

TEST(Data, ComponentsOfVectorsAreFollowed) {
    expect_same("", "int2 p = make_int2(t, t * 2); p.x += p.y; int2 q = p; b[q.x] = 1;", "b[t * 3] = 1;");
    expect_same("", "int2 p = make_int2(t, 5); p = make_int2(p.y, p.x); b[p.x] = 1; b[p.y] = 1;",
                "b[5] = 1; b[t] = 1;");
    expect_same("", "uchar4 p = make_uchar4(t + 250, 0, 0, 0); b[p.x] = 1;",
                "b[(unsigned char)(t + 250)] = 1;");
    expect_same("", "int4 p; p.z = t; for (int i = 0; i < 100; ++i) { p.z++; b[p.z] = 1; }",
                "for (int i = 0; i < 100; ++i) b[t + i + 1] = 1;");
    expect_same("__device__ int sum(int2 p) { p.x += p.y; return p.x; }\n", "b[sum(make_int2(t, 7))] = 1;",
                "b[t + 7] = 1;");
    expect_same("__device__ int2 operator+(int2 p, int2 q) { return make_int2(p.x + q.x, p.y + q.y); }\n",
                "int2 p = make_int2(t, 9); p = p + make_int2(2, 3); b[p.x] = 1; b[(p + p).y] = 1;",
                "b[t + 2] = 1; b[24] = 1;");
    expect_same("", "int2 p = make_int2(t, 1); if ((p.x < (p.y | 4)) > (int)(p.y - 1)) b[t] = 1;",
                "if (t < 5) b[t] = 1;");
    expect_same("", "float2 p = make_float2(t, 0.5f); b[(int)(p.x * p.y)] = 1;", "b[t / 2] = 1;");
}

TEST(Data, BitsOfNumbersAndLanesAreFollowed) {
    expect_same(
        "", "b[__brev(t) >> 26] = 1;",
        "b[(t & 1) * 32 + (t & 2) * 8 + (t & 4) * 2 + (t & 8) / 2 + (t & 16) / 8 + (t & 32) / 32] = 1;");
    expect_same("", "b[__umulhi(t << 28, 64)] = 1; b[__mulhi(t - 40, 3) + 1] = 1;",
                "b[(unsigned)(t << 28) / 67108864u] = 1; b[t < 40 ? 0 : 1] = 1;");
    expect_same(
        "",
        "unsigned odd = __ballot_sync(0xffffffff, t % 3 == 0); b[__popc(odd & ((1u << t % 32) - 1))] = 1;",
        "int n = 0; for (int i = t / 32 * 32; i < t; ++i) if (i % 3 == 0) ++n; b[n] = 1;");
    expect_same("", "b[__popc(__activemask()) + t] = 1;", "b[32 + t] = 1;");
    EXPECT_TRUE(launch_of("// launch grid=1 block=32\n__global__ void k(float* a) {\n"
                          "if (threadIdx.x > 3) a[__popc(__activemask())] = 1; }")
                    ->assumes());
}

// nvcc makes jumps of it, and lanes that the second test sends to the other way come later than those that
// the first one does: an H200 made a request more for each warp.
TEST(Data, LanesThatMeetBehindTwoTestsMayComeApart) {
    const auto parts = [](const std::string& test, const std::string& other) {
        return launch_of(
                   "// launch grid=1 block=64\n__global__ void k(float* a, int n) {\n int t = threadIdx.x;\n if (" +
                   test + ") a[t] = 1;" + other + "\n}\n")
            ->lanes_part();
    };
    EXPECT_TRUE(parts("t > 8 && t % 18 < 4", " else a[t + 64] = 1;"));
    EXPECT_FALSE(parts("t > 8 && t % 18 < 4", ""));
    EXPECT_FALSE(parts("t > 8 && t < 20", " else a[t + 64] = 1;"))
        << "two numbers are compared without a jump";
    EXPECT_TRUE(parts("t < 8 || t % 18 < 4", ""));
}

// Rounded as an H200 did it: a product and a sum once, a quotient and a root to the nearest float.
TEST(Data, RealNumbersBecomeIndices) {
    expect_same("", "b[(int)(t * 0.5f)] = 1;", "b[t / 2] = 1;");
    expect_same("", "float x = t / 4.0f; b[(int)ceilf(x)] = 1;", "b[(t + 3) / 4] = 1;");
    expect_same("", "for (int i = 0; i < ceil(n / (float)7); ++i) b[i * 64 + t] = 1;",
                "for (int i = 0; i < 10; ++i) b[i * 64 + t] = 1;");
    expect_same("", "b[(int)sqrtf(t * t * 1.0f) + (int)(-2.9f + t * 3.0f + 8)] = 1;",
                "b[t + 3 * t + 5] = 1;");
    // In float 0.1 is more than a tenth, and 5 times it rounds to 0.5; joined with the sum it does not. Of
    // constants the compiler computes it, and rounds.
    static_assert(5.0f * 0.1f - 0.5f == 0);
    const std::string joined = std::to_string(int(std::fma(5.0f, 0.1f, -0.5f) * 1e9f));
    EXPECT_NE(joined, "0");
    expect_same("", "float five = t * 0 + 5; b[(int)((five * 0.1f - 0.5f) * 1e9f) + t] = 1;",
                "b[" + joined + " + t] = 1;");
    expect_same("", "b[(int)((5.0f * 0.1f - 0.5f) * 1e9f) + t] = 1;", "b[t] = 1;");
    EXPECT_TRUE(
        launch_of("// launch grid=1 block=32\n__global__ void k(float* a) { a[(int)powf(2.0f, 3.0f)] = 1; }")
            ->assumes())
        << "a GPU may be off by some bits";
}

}  // namespace
}  // namespace warplens::test::data_tests
