// Changes of a kernel's text: the same work, proved by counting the changed text; and none where the text
// does not allow it.
#include "app/typed/text_fixes.h"

#include "app/experiment/devices.h"
#include "app/experiment/typed_kernel.h"
#include "app/learn/fixes.h"

#include <gmock/gmock.h>

namespace warplens::test::text_fixes_tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using typed::TextFix;

std::vector<std::string> changes(const std::string& text) {
    const Scenario& scenario = open_kernel(text, "");
    std::vector<std::string> found;
    for (const TextFix& fix : typed::text_fixes(scenario, scenario.info->defaults)) found.push_back(fix.what);
    return found;
}

/// What find_fixes makes of a text.
Fixes fixes_of(const std::string& text) {
    const Scenario& scenario = open_kernel(text, "");
    return find_fixes({&scenario, scenario.info->defaults, find_device(device_table(), "H200").value()},
                      device_table(), {})
        .done();
}

std::string kernel(const std::string& before, const std::string& body, const std::string& launch) {
    return before + "__global__ void k(const float* in, float* out, int n) {\n" + body +
           "}\nint main() { int n = 64; float *a, *b; cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4);\n    k" +
           launch + "(a, b, n); }\n";
}

const std::string kColumns = kernel("#define TILE 32\n", R"(    __shared__ float tile[TILE][TILE];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
)",
                                    "<<<1, dim3(TILE, TILE)>>>");

/// Four loads of neighbours by a thread become one, which the counts prove: sixteen sectors a warp instead of
/// four times sixteen.
TEST(TextFixes, NeighboursOfAThreadAreLoadedAsAVector) {
    const std::string text =
        "// launch grid=4 block=64\n"
        "__global__ void k(const float* in, float* out) {\n"
        "    int i = blockIdx.x * 64 + threadIdx.x;\n"
        "    float sum = in[4 * i];\n"
        "    sum += in[4 * i + 1] + in[4 * i + 2];\n"
        "    out[i] = sum * in[i * 4 + 3];\n"
        "}\n";
    const Fixes fixes = fixes_of(text);
    ASSERT_EQ(fixes.answers.size(), 1u);
    EXPECT_EQ(fixes.answers[0].change, "Load in as float4");
    ASSERT_EQ(fixes.answers[0].lines.size(), 3u);
    EXPECT_EQ(fixes.answers[0].lines[0].after,
              "    const float4 in4 = reinterpret_cast<const float4*>(in)[i]; float sum = in4.x;");
    EXPECT_EQ(fixes.answers[0].lines[2].after, "    out[i] = sum * in4.w;");
    EXPECT_TRUE(fixes.answers[0].ideal);
    EXPECT_EQ(fixes.answers[0].gain, "16 to 4 sectors for the same data");
}

/// A store between them may change what is loaded; a branch may leave a load out; and the index may change.
TEST(TextFixes, LoadsThatSomethingPartsAreLeftAlone) {
    const auto with = [](const std::string& body) {
        return "// launch grid=4 block=64\n__global__ void k(const float* in, float* out) {\n"
               "    int i = blockIdx.x * 64 + threadIdx.x;\n" +
               body + "}\n";
    };
    EXPECT_THAT(changes(with("out[i] = in[2 * i]; out[i + 256] = in[2 * i + 1];")), IsEmpty());
    EXPECT_THAT(changes(with("out[i] = i > 5 ? in[2 * i] : in[2 * i + 1];")), IsEmpty());
    EXPECT_THAT(changes(with("float a = in[2 * i]; i = 3; out[i] = a + in[2 * i + 1];")), IsEmpty());
    EXPECT_THAT(changes(with("out[i] = in[2 * i] + in[2 * i + 1];")), ElementsAre("Load in as float2"));
}

TEST(TextFixes, ATileIsPaddedInItsDeclaration) {
    const Fixes fixes = fixes_of(kColumns);
    ASSERT_EQ(fixes.answers.size(), 1u);
    const FixAnswer& pad = fixes.answers.front();
    EXPECT_EQ(pad.change, "Pad tile to [TILE][TILE + 1]");
    EXPECT_TRUE(pad.ideal);
    EXPECT_EQ(pad.gain, "32 to 1 wavefronts a request");
    ASSERT_EQ(pad.lines.size(), 1u);
    EXPECT_EQ(pad.lines[0].number, 3);
    EXPECT_EQ(pad.lines[0].before, "    __shared__ float tile[TILE][TILE];");
    EXPECT_EQ(pad.lines[0].after, "    __shared__ float tile[TILE][TILE + 1];");
    // Who writes that text gets these counts: the answer is not said of another text.
    EXPECT_TRUE(fixes_of(pad.text).words.good);
}

TEST(TextFixes, AComputedIndexIsPaddedWhereverItStands) {
    const std::string flat = kernel("", R"(    __shared__ float s[32 * 32];
    s[threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x * 32 + threadIdx.y];
)",
                                    "<<<1, dim3(32, 32)>>>");
    const Fixes fixes = fixes_of(flat);
    ASSERT_EQ(fixes.answers.size(), 1u);
    EXPECT_EQ(fixes.answers[0].change, "Pad s to rows of 33");
    EXPECT_TRUE(fixes.answers[0].ideal);
    ASSERT_EQ(fixes.answers[0].lines.size(), 3u);
    EXPECT_EQ(fixes.answers[0].lines[2].after,
              "    out[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x * 33 + threadIdx.y];");
    // Used in another way as well, nobody knows what its rows are.
    std::string other = flat;
    other.replace(other.find("s[threadIdx.x * 32"), 18, "s[n - 64 + threadIdx.x * 31");
    EXPECT_THAT(changes(other), ElementsAre("Exchange threadIdx.x and threadIdx.y"));
}

TEST(TextFixes, TwoBytesNeedARowOfTwoMore) {
    const std::string halves = R"(__global__ void k(const half2* in, half* out) {
    __shared__ half t[64][64];
    for (int i = 0; i < 64; i++) t[i][threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 64; i++) out[i * 64 + threadIdx.x] = t[threadIdx.x][i];
}
int main() { k<<<1, 64>>>(a, b); }
)";
    const Fixes fixes = fixes_of(halves);
    ASSERT_FALSE(fixes.answers.empty());
    EXPECT_EQ(fixes.answers[0].change, "Pad t to [64][66]");
    EXPECT_TRUE(fixes.answers[0].ideal);
}

TEST(TextFixes, ThreadsOfASquareBlockAreRenamed) {
    const std::string naive =
        kernel("", R"(    int row = blockIdx.x * 16 + threadIdx.x, col = blockIdx.y * 16 + threadIdx.y;
    out[row * n + col] = in[row * n + col];
)",
               "<<<dim3(4, 4), dim3(16, 16)>>>");
    const Fixes fixes = fixes_of(naive);
    ASSERT_EQ(fixes.answers.size(), 1u);
    EXPECT_EQ(fixes.answers[0].change, "Exchange threadIdx.x and threadIdx.y");
    EXPECT_EQ(fixes.answers[0].gain, "16 to 4 sectors a request");
    EXPECT_TRUE(fixes.answers[0].ideal);
}

TEST(TextFixes, ThreadsStayWhereRenamingThemWouldChangeTheWork) {
    const auto of = [](const std::string& before, const std::string& body, const std::string& launch) {
        return changes(kernel(before, body, launch));
    };
    const std::string body = "    out[threadIdx.x * n + threadIdx.y] = in[threadIdx.x * n + threadIdx.y];\n";
    EXPECT_THAT(of("", body, "<<<1, dim3(16, 16)>>>"), ElementsAre("Exchange threadIdx.x and threadIdx.y"));
    EXPECT_THAT(of("", body, "<<<1, dim3(32, 16)>>>"), IsEmpty()) << "no square block";
    EXPECT_THAT(of("", body + "    out[0] = __shfl_sync(0xffffffff, in[0], 1);\n", "<<<1, dim3(16, 16)>>>"),
                IsEmpty())
        << "lanes of a warp have numbers";
    EXPECT_THAT(of("#define LANE threadIdx.x\n", body + "    out[LANE] = 1;\n", "<<<1, dim3(16, 16)>>>"),
                IsEmpty())
        << "a macro means a thread";
    EXPECT_THAT(of("__device__ int row() { return threadIdx.x; }\n", body + "    out[row()] = 1;\n",
                   "<<<1, dim3(16, 16)>>>"),
                IsEmpty())
        << "a function means a thread";
}

TEST(TextFixes, SeveralArraysArePaddedTogether) {
    const std::string two = kernel("", R"(    __shared__ float a[32][32], b[32][32];
    a[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x][threadIdx.y] + b[threadIdx.x][threadIdx.y];
)",
                                   "<<<1, dim3(32, 32)>>>");
    const Fixes fixes = fixes_of(two);
    ASSERT_EQ(fixes.answers.size(), 3u);
    EXPECT_EQ(fixes.answers[0].change, "Pad a to [32][33], pad b to [32][33]");
    EXPECT_TRUE(fixes.answers[0].ideal);
    EXPECT_FALSE(fixes.answers[1].ideal);
}

TEST(TextFixes, WhatBreaksTheTextIsNoAnswer) {
    // A longer row by one would leave the float4 unaligned.
    const std::string wide = R"(__global__ void k(float4* out) {
    __shared__ float t[32][32];
    for (int i = 0; i < 32; i++) t[i][threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<float4*>(&t[threadIdx.x][0]);
}
int main() { k<<<1, 32>>>(a); }
)";
    for (const FixAnswer& answer : fixes_of(wide).answers) EXPECT_EQ(answer.change, "Pad t to [32][36]");
}

}  // namespace
}  // namespace warplens::test::text_fixes_tests
