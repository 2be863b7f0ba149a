// Accesses of a typed kernel as nvcc makes them, from lists of machine instructions as nvcc 13 makes them:
// the counts are worked out by hand.
#include "app/code/as_compiled.h"

#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"
#include "tests/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::as_compiled_tests {
namespace {

CompiledKernel compiled(const char* text, std::map<int, MemoryInstructions> lines) {
    const Scenario& scenario = open_kernel(text, "k.cu");
    return compiled_kernel(scenario, scenario.info->defaults, {.lines = std::move(lines)}, h200());
}

const AsCompiled& access(const CompiledKernel& kernel, std::string_view label) {
    const auto found = std::ranges::find(kernel.counts, label, &AsCompiled::label);
    return found == kernel.counts.end() ? throw std::out_of_range(std::string(label)) : *found;
}

constexpr const char* kTile = R"(// launch grid=(2, 2) block=(32, 32)
__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float as[32][32], bs[32][32];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    float sum = 0;
    for (int t = 0; t < 64; t += 32) {
        as[y][x] = a[row * 64 + t + x];
        bs[y][x] = b[(t + y) * 64 + column];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * 64 + column] = sum;
}
)";

}  // namespace

/// Each of 4 x 32 warps goes through two tiles, 32 words of a row of `as` and of a column of `bs` each.
TEST(AsCompiled, WordsOfAThreadThatAreNeighboursAreJoined) {
    const CompiledKernel made = compiled(kTile, {{7, {{"LDG", 1}, {"STS", 1}}},
                                                 {8, {{"LDG", 1}, {"STS", 1}}},
                                                 {10, {{"LDS", 32}, {"LDS.128", 8}}},
                                                 {13, {{"STG", 1}}}});
    constexpr std::int64_t kWarps = 4 * 32;
    const AsCompiled &row = access(made, "load as"), &column = access(made, "load bs");
    EXPECT_EQ(row.unknown, "");
    EXPECT_EQ(row.joined, 4);
    EXPECT_EQ(row.machine, "LDS.128");
    EXPECT_EQ(row.written.requests, kWarps * 2 * 32);
    EXPECT_EQ(row.written.wavefronts, kWarps * 2 * 32);
    EXPECT_EQ(row.compiled.requests, kWarps * 2 * 8);
    EXPECT_EQ(row.compiled.wavefronts, kWarps * 2 * 8 * 2) << "quarters of the warp are served in pairs";
    EXPECT_EQ(row.compiled.bytes_used, row.written.bytes_used);
    EXPECT_EQ(column.joined, 1);
    EXPECT_EQ(column.machine, "LDS");
    EXPECT_EQ(column.compiled, column.written);
    EXPECT_EQ(access(made, "store c").compiled.sectors, kWarps * 4);
    EXPECT_EQ(
        compiled_line(made, 10),
        "LDS x 32, LDS.128 x 8: load as, 4 in one LDS.128: 4\u2009096 wavefronts, not 8\u2009192; load bs as written");
    EXPECT_EQ(compiled_line(made, 9), "");
}

TEST(AsCompiled, NothingIsSaidOfWhatTheAddressesDoNotAllow) {
    const auto why = [](MemoryInstructions line_10) {
        return access(compiled(kTile, {{10, std::move(line_10)}}), "load bs").unknown;
    };
    EXPECT_THAT(why({{"LDS.128", 16}}), ::testing::HasSubstr("other pieces")) << "a column cannot be joined";
    EXPECT_THAT(why({{"LDS", 32}, {"LDS.128", 7}}), ::testing::HasSubstr("other pieces")) << "too few";
    EXPECT_THAT(why({{"LDSM", 8}}), ::testing::HasSubstr("other pieces"));
    EXPECT_THAT(why({}), ::testing::HasSubstr("no memory instruction"));
    EXPECT_EQ(why({{"LDS", 16}, {"LDS.128", 4}}), "") << "a loop, half of it written out";
}

TEST(AsCompiled, LinesThatFollowEachOtherAreJoined) {
    const CompiledKernel made = compiled(R"(// launch grid=3 block=64
__global__ void four(float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) s[t + 64 * i] = t;
    __syncthreads();
    float x = s[4 * t];
    float y = s[4 * t + 1];
    float z = s[4 * t + 2];
    float w = s[4 * t + 3];
    out[blockIdx.x * 64 + t] = x + y * z - w;
}
)",
                                         {{5, {{"STS", 4}}}, {7, {{"LDS.128", 1}}}, {11, {{"STG", 1}}}});
    const AsCompiled& loads = access(made, "load s, line 7");
    EXPECT_EQ(loads.unknown, "");
    EXPECT_EQ(loads.lines, (std::set<int>{7, 8, 9, 10}));
    EXPECT_EQ(loads.joined, 4);
    EXPECT_EQ(loads.written.wavefronts, 3 * 2 * 4 * 4) << "four lanes want each bank, in each of four loads";
    EXPECT_EQ(loads.compiled.wavefronts, 3 * 2 * 4) << "a quarter of the warp at a time";
    EXPECT_THAT(compiled_line(made, 9),
                ::testing::StartsWith("no memory instruction: load s, line 7, 4 in one LDS.128"));
}

/// A thread's a[i + 1] is its a[i] of the next round: written out four times, 5 loads are enough for 8.
TEST(AsCompiled, WhatIsAskedForAgainMayBeDropped) {
    const auto why = [](int loads) {
        const CompiledKernel made = compiled(R"(// launch grid=1 block=32
__global__ void slide(const float* a, float* out) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += a[threadIdx.x * 65 + i] * a[threadIdx.x * 65 + i + 1];
    out[threadIdx.x] = sum;
}
)",
                                             {{4, {{"LDG", loads}}}, {5, {{"STG", 1}}}});
        return made.counts.front().unknown;
    };
    EXPECT_THAT(why(5), ::testing::HasSubstr("again"));
    EXPECT_EQ(why(128), "") << "each execution has an instruction of its own";
}

TEST(AsCompiled, AtomicOperationsAreNeitherLoadsNorStores) {
    const CompiledKernel made = compiled(R"(// launch grid=1 block=32
__global__ void count(int* bins, const int* in) { atomicAdd(&bins[threadIdx.x], in[threadIdx.x]); }
)",
                                         {{2, {{"LDG", 1}, {"RED", 1}}}});
    EXPECT_THAT(access(made, "add to bins").unknown, ::testing::HasSubstr("atomic"));
    EXPECT_EQ(access(made, "load in").unknown, "");
}

}  // namespace warplens::test::as_compiled_tests
