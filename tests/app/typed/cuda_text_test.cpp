// What NVIDIA's compiler is given of a kernel, and that it takes it; and that the same text, compiled by the
// host's compiler, accesses what the model says.
#include "app/typed/cuda_text.h"
#include "app/typed/program.h"
#include "tests/app/typed/typed_examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::cuda_text_tests {
namespace {

using namespace typed;
using testing::HasSubstr;
using testing::Not;

const std::string kFile = R"(#include <cstdio>
#define HALF(x) ((x) / 2)
// knob width = 64 in 1..256
const int width = 32;
const int unused = width;
template <typename T> struct Pair { T a, b; };
template <typename T, int N> __global__ void sums(const Pair<T>* in, T* out) {
    // in [width]
    // out [width]
    int i = HALF(threadIdx.x) + N;
    out[i % width] += in[i % width].a;
}
int main() { sums<float, 4><<<1, width>>>(a, b); std::printf("done"); }
)";

TEST(CudaText, IsWhatTheKernelNeedsOfTheFile) {
    const CudaText plain = cuda_text(*launch_of(kFile), TextKind::plain);
    EXPECT_EQ(plain.name, "user::sums<float, 4>");
    EXPECT_THAT(plain.text, HasSubstr("int i = ( ( threadIdx . x ) / 2 ) + N ;"));
    EXPECT_THAT(plain.text, HasSubstr("out [ i % width ] += in [ i % width ] . a ;"));
    EXPECT_THAT(plain.text, HasSubstr("const int width = 64 ;")) << "what the knob says";
    EXPECT_THAT(plain.text, Not(HasSubstr("cstdio")));
    EXPECT_THAT(plain.text, Not(HasSubstr("main")));
    EXPECT_THAT(plain.text, Not(HasSubstr("unused")));
    EXPECT_TRUE(plain.sites.empty());
}

TEST(CudaText, HasWhatIsCalledWhereNothingIsExecuted) {
    // nvcc reads a branch that is never taken, and all functions of one name.
    const std::string text = cuda_text(*launch_of("__device__ int inner(int x) { return x; }\n"
                                                  "__device__ int of(int x) { return inner(x); }\n"
                                                  "__device__ int of(float x) { return 7; }\n"
                                                  "__device__ int other(int x) { return x; }\n"
                                                  "int host(int other) { return other; }\n"
                                                  "// launch grid=1 block=32\n"
                                                  "__global__ void k(float* a) {\n"
                                                  "  if (1 > 2) a[of(0.5f)] = 1;\n"
                                                  "  a[threadIdx.x] = 1;\n"
                                                  "}"),
                                       TextKind::plain)
                                 .text;
    for (const std::string_view said : {"int of ( float x )", "int of ( int x )", "int inner ( int x )"})
        EXPECT_NE(text.find(said), text.npos) << said;
    for (const std::string_view other : {"int other (", "int host ("}) EXPECT_EQ(text.find(other), text.npos);
}

TEST(CudaText, KeepsWhatTheTextSaysOfLoops) {
    const CudaText text = cuda_text(
        *launch_of("#define TIMES 4\n// launch grid=1 block=32\n__global__ void k(float* a) { // out [64]\n"
                   "#pragma unroll TIMES\nfor (int i = 0; i < 8; ++i) a[i] = 0; }"),
        TextKind::plain);
    EXPECT_THAT(text.text, HasSubstr("#pragma unroll 4\nfor ( int i = 0"));
}

TEST(CudaText, NamesEachAccess) {
    const CudaText traced = cuda_text(*launch_of(kFile), TextKind::traced);
    ASSERT_EQ(traced.sites.size(), 2u);
    EXPECT_THAT(traced.text, HasSubstr("(warplens_to<0>(0u, &(out [ i % width ] )))+= "
                                       "(warplens_load<0>(1u, &(in [ i % width ] . a )))"));
}

// Lanes that part meet behind the statement, and behind each round of a loop that nothing leaves.
TEST(CudaText, LanesMeetWhereTheTextSaysSo) {
    const CudaText text = cuda_text(
        *launch_of(
            "// launch grid=1 block=32\n__global__ void k(float* a) { // out [64]\n"
            "for (int i = 0; i < threadIdx.x; ++i) a[i] = 0;\nif (threadIdx.x > 3) return;\na[40] = 0; }"),
        TextKind::counted);
    const std::string kernel = text.text.substr(text.text.rfind("namespace user"));
    const auto count = [&](std::string_view what) {
        int found = 0;
        for (std::size_t at = kernel.find(what); at != std::string::npos; at = kernel.find(what, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("__syncwarp(warplens_lanes); }"), 2) << kernel;  // not behind what returns
    EXPECT_EQ(count("#pragma unroll 1\n"), 1) << kernel;
    EXPECT_EQ(count("{"), count("}"));
}

// Nothing of a text reaches the assembler, also not from what the model need not read.
TEST(CudaText, LetsNoAssemblerThrough) {
    const auto launch = launch_of(
        "// launch grid=1 block=32\nstruct S { float x; __device__ void f() { asm(\"trap;\"); } };\n"
        "__global__ void k(S* a) { // out [32]\na[threadIdx.x].x = 0; }");
    try {
        cuda_text(*launch, TextKind::plain);
        FAIL();
    } catch (const SourceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("line 2, column 43: not compiled: 'asm'"));
    }
}

TEST(CudaText, CopiesOfWholeStructsAreLaunchedButNotFollowed) {
    const auto launch = launch_of(
        "// launch grid=1 block=32\nstruct S { float x, y; };\n"
        "__global__ void k(const S* a, S* b) { // in a [32]\n// out b [32]\n"
        "S s = a[threadIdx.x]; b[threadIdx.x] = s; }");
    EXPECT_FALSE(cuda_text(*launch, TextKind::plain).text.empty());
    EXPECT_THROW(cuda_text(*launch, TextKind::traced), SourceError);
}

}  // namespace
}  // namespace warplens::test::cuda_text_tests
