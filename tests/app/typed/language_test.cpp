// What can be typed, and the one sentence about what cannot.
#include "app/typed/program.h"

#include "app/base/assets.h"
#include "tests/app/typed/typed_examples.h"
#include "tests/damaged.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace warplens::test::typed_language_tests {
namespace {

using typed::SourceError;
using typed::TypedProgram;

std::string problem_of(const std::string& text) {
    try {
        const TypedProgram program(text, "my.cu");
        return "";
    } catch (const SourceError& error) {
        return error.what();
    }
}

/// A kernel with these statements in it.
std::string kernel(const std::string& body, const std::string& before = "") {
    return before + "\n// launch grid=4 block=64\n__global__ void k(float* a, const int* b, int n) {\n" +
           body + "\na[threadIdx.x] = 1.0f;\n}\n";
}

TEST(TypedLanguage, WhatTheSubsetHasIsUnderstood) {
    for (
        const char* body : {
            "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2.0f * a[i];",
            "const unsigned int i = threadIdx.x, j = i << 2; a[j % 64u] += 1;",
            "for (int i = threadIdx.x; i < 64; i += blockDim.x) a[i] = i > 3 ? 1.0f : 0.0f;",
            "int i = 0; while (i < 4) { a[i * 64 + threadIdx.x] = 0; ++i; }",
            "int i = 0; do { a[i] = 0; i++; if (i == 2) continue; if (i > 2) break; } while (true);",
            "__shared__ float s[8][32][2]; s[threadIdx.x % 8][threadIdx.x % 32][1] = 0; __syncthreads();",
            "float4 v = reinterpret_cast<const float4*>(a)[threadIdx.x]; v.x = v.y; a[0] = v.w;",
            "reinterpret_cast<float4*>(a)[threadIdx.x] = make_float4(0, 1, 2, 3);",
            "float* row = a + 32 * threadIdx.y; row[threadIdx.x] = *row; row += 4; row[0] = 1;",
            "float acc[4] = {0, 0, 0, 0}; for (int i = 0; i < 4; ++i) acc[i] += a[i]; a[1] = acc[0] + acc[3];",
            "a[__shfl_xor_sync(0xffffffff, threadIdx.x, 1)] = 0;",
            "a[min((int)threadIdx.x, n - 1)] = fmaxf(sqrtf(a[0]), __ldg(&a[3]));",
            "auto i = threadIdx.x & 31; a[i ^ 5] = 0; __syncwarp();",
            "long long i = 1LL << 3; size_t k = sizeof_is_not_here_but_this_is;",
        }) {
        const std::string text =
            kernel(body, "#define sizeof_is_not_here_but_this_is 7\n#include <cstdio>\n");
        EXPECT_EQ(problem_of(text), "") << body;
    }
    EXPECT_EQ(
        problem_of("constexpr int N = 4 * 8;\ntypedef float real;\nusing index = unsigned;\n"
                   "__constant__ float w[N];\n__device__ index at(index r, index c) { return r * N + c; }\n"
                   "template <int TILE = 32>\n__global__ void __launch_bounds__(256) k(real* a) {\n"
                   "  a[at(threadIdx.x / TILE, threadIdx.x % TILE)] = w[3];\n}\n"),
        "");
}

TEST(TypedLanguage, AnythingElseIsOneSentenceWithItsPlace) {
    const std::pair<const char*, const char*> kWrong[] = {
        {"cudaMalloc(&a, 4);", "line 4, column 1: not in the subset: 'cudaMalloc'"},
        {"asm volatile(\"bar.sync 0;\");",
         "line 4, column 1: not in the subset: inline PTX; write in C++ what it computes"},
        {"a[threadIdx.w] = 0;", "line 4, column 13: threadIdx has the members x, y and z"},
        {"x = 3;", "line 4, column 1: 'x' is not declared"},
        {"int i = 3", "line 5, column 1: expected ';' after a declaration, found 'a'"},
        {"n = 3 +;", "line 4, column 8: not in the subset: ';'"},
        {"const int i = 3; i = 4;", "line 4, column 18: 'i' is constant"},
        {"int i; int i;", "line 4, column 12: 'i' is declared twice"},
        {"float f = 1.0f % 2;", "line 4, column 16: '%' is for integers"},
        {"a[a[0]] = 1;", "line 4, column 4: an index has to be an integer"},
        {"break;", "line 4, column 1: there is no loop to leave"},
        {"return 3;", "line 4, column 1: a kernel returns void"},
        {"__shared__ float s[n];",
         "line 4, column 20: the size of an array has to be a constant: a number, constexpr, #define, template parameter "
         "or '// knob'"},
        {"a[1 / (n - n)] = 0;", "line 4, column 5: this divides by 0"},
        {"if (threadIdx.x < 5) __syncthreads();",
         "line 4, column 22: not all threads reach __syncthreads(): 27 lanes, the first is 5 of warp 0 in block (0, 0) do "
         "not, so the others wait for ever"},
        {"while (true) n += 0;",
         "line 4, column 1: a block takes more than 800000 steps; make its loops shorter"},
        {"reinterpret_cast<float4*>(a)[0] = make_float4(0, 0, 0, 0); reinterpret_cast<float2*>(a + 1)[0] = make_float2(1, 1);",
         "line 4, column 92: misaligned: lane 0 accesses 8 bytes at byte 4 of 'a'"},
        {"if (threadIdx.x < 40) a[__shfl_xor_sync(0xff, threadIdx.x, 1)] = 0;",
         "line 4, column 25: the mask of this shuffle leaves out 24 lanes, the first is 8 of warp 0, which execute it: "
         "what they get is undefined; a mask names every lane that comes here, 0xffffffff a whole warp"},
        {"__shared__ char s[49153]; s[0] = 1;",
         "line 3, column 17: nvcc takes at most 49152 bytes of shared memory that is declared with its size, these are "
         "49168: declare 'extern __shared__' and give the size with the launch"},
        {"int i = 3 @ 4;", "line 4, column 11: this is no character of CUDA C++: '@'"},
        {"long long i = -9223372036854775807LL - 1; a[i % -1] = 0;",
         "line 4, column 47: this divides the least number by -1, and no type has the result"},
        {"if (threadIdx.x < 32) __syncthreads();",
         "line 4, column 23: not all warps reach this __syncthreads() equally often: warp 0 1 times, warp 1 0; those "
         "that are behind it wait for the others for ever"},
        {"int v[4]; for (int x : v) a[x] = 0;",
         "line 4, column 22: not in the subset: a for over a range; write 'for (int i = 0; i < n; ++i)'"},
        {"again: a[0] = 0;", "line 4, column 1: not in the subset: 'again', a label; write a loop"},
        {"goto again;", "line 4, column 1: not in the subset: 'goto'; write a loop"},
    };
    for (const auto& [body, sentence] : kWrong) EXPECT_EQ(problem_of(kernel(body)), sentence) << body;
    for (const char* body : {"__shared__ char s[49152]; s[0] = 1;",
                             "if (threadIdx.x < 8) a[__shfl_xor_sync(0xff, threadIdx.x, 1)] = 0;"})
        EXPECT_EQ(problem_of(kernel(body)), "");
    const std::string bounded = "__global__ void __launch_bounds__(256) k(float* a) { a[threadIdx.x] = 1; }";
    EXPECT_EQ(problem_of("// launch grid=4 block=256\n" + bounded), "");
    EXPECT_THAT(problem_of("// launch grid=4 block=257\n" + bounded),
                testing::HasSubstr("__launch_bounds__(256) is broken by a block of 257 threads"));
    EXPECT_EQ(problem_of(""), "line 1, column 1: there is no kernel: expected '__global__ void name(...)'");
    EXPECT_EQ(problem_of("__global__ void f(float* a) { a[0] = 1; }\nint x = ;"),
              "line 2, column 9: expected a value between '=' and ';'")
        << "behind the last kernel, where the host's code would stand";
    EXPECT_EQ(problem_of("/* no end"), "line 1, column 1: a comment does not end");
    EXPECT_EQ(
        problem_of("__global__ void k(float* a) { int i = 3; }"),
        "line 1, column 17: k neither loads nor stores anything: 1024 blocks of 256 threads make no request "
        "to memory");
    EXPECT_EQ(problem_of("// launch grid=1/0 block=32\n__global__ void k(float* a) { a[0] = 1; }"),
              "line 1, column 17: this divides by 0");
    EXPECT_THAT(problem_of("__device__ int f(int n) { return n < 2 ? n : f(n - 1); }\n"
                           "__global__ void k(float* a) { a[f(threadIdx.x)] = 1; }"),
                testing::HasSubstr("functions that call themselves, as 'f' may; write a loop"));
    EXPECT_THAT(problem_of("struct F { unsigned a : 4; };\n__global__ void k(F* f) { f->a = 1; }"),
                testing::HasSubstr("single bits; shift and mask an integer"));
    EXPECT_THAT(problem_of("struct A { __device__ int g() { return 1; } }; struct B : A {};\n"
                           "__global__ void k(float* a) { B b; a[b.A::g()] = 1; }"),
                testing::HasSubstr("a member by the name of its base; leave 'A::' out"));
    EXPECT_THAT(problem_of(std::string(300'000, ' ')), testing::HasSubstr("256 KiB of text"));
    EXPECT_THAT(problem_of("__global__ void k(float* a) { a[" + std::string(5000, '(') + "0"),
                testing::HasSubstr("nested too deeply"));
    EXPECT_THAT(problem_of("__global__ void k(float* a) " + std::string(5000, '{')),
                testing::HasSubstr("nested too deeply"));
    std::string chain;
    for (int i = 0; i < 20'000; ++i) chain += "t + ";
    EXPECT_THAT(problem_of(kernel("int t = threadIdx.x; a[" + chain + "0] = 0;")),
                testing::HasSubstr("so many operators in a row"));
    std::string nested = "struct S0 { float x, y; };\n";  // each twice as large as the one before
    for (int i = 1; i < 20; ++i)
        nested += "struct S" + std::to_string(i) + " { S" + std::to_string(i - 1) + " a, b; };\n";
    EXPECT_THAT(problem_of(nested + "__global__ void k(S19* to, S19* from) { to[1] = from[0]; }"),
                testing::HasSubstr("copies of structs above"));
}

TEST(TypedLanguage, KnobsLaunchesAndArraysAreDeclaredInComments) {
    const std::string text =
        "// knob n = 2^12 in 2^10..2^20 \"elements\"\n// knob PAD = 1 in 0..8\n// let rows = n / 64\n"
        "constexpr int PAD = 0;\n// launch grid=(rows, 2) block=(32, 4)\n"
        "__global__ void k(float* a, // out float[n * 2] random\n                  int n, int rows) {\n"
        "  __shared__ float s[32][32 + PAD];\n  s[threadIdx.y][threadIdx.x] = 0;\n"
        "  a[(blockIdx.y * rows + blockIdx.x) * 64 + threadIdx.x] = 0;\n}\n";
    const TypedProgram program(text, "my.cu");
    ASSERT_EQ(program.knobs().size(), 2u);
    EXPECT_EQ(program.knobs()[0].unit, "elements");
    EXPECT_TRUE(program.knobs()[0].power);
    const auto launch = program.launch({1 << 14, 3});
    EXPECT_EQ(launch->launch().grid_x, (1 << 14) / 64);
    EXPECT_EQ(launch->launch().grid_y, 2);
    EXPECT_EQ(launch->launch().block_y, 4);
    EXPECT_EQ(launch->shared_bytes(), 32 * 35 * 4) << "the knob takes the place of the constant";
    EXPECT_EQ(launch->memories()[0].bytes, (1 << 14) * 2 * 4);
    const std::pair<const char*, const char*> kWrong[] = {
        {"// knob n = 1", "expected '// knob stride = 1 in 0..64'"},
        {"// knob n = 9 in 0..8", "n has to lie in its range of 0 to 8"},
        {"// knob n = x in 0..8", "expected a number, found 'x'"},
        {"// knob n = 2^2 in 2^0..9", "takes powers of two only"},
        {"// launch grid=0", "a grid of (0) cannot be launched"},
        {"// launch block=(64, 32)", "a block of (64, 32) cannot be launched"},
        {"// launch grid=(2, 2, 70000)", "a grid of (2, 2, 70000) cannot be launched"},
        {"// launch grid=(2, 2", "expected ')'"},
        {"// out a float[4", "expected ']'"},
        {"// launch colour=3", "a launch has grid, block and shared, not 'colour'"},
        {"// launch grid=m", "'m' is not declared"},
        {"// index a int[n] permuted", "expected '// index int[n] permuted'"},
    };
    for (const auto& [line, sentence] : kWrong)
        EXPECT_THAT(
            problem_of(std::string(line) + "\n__global__ void k(float* a, int n) { a[threadIdx.x] = 0; }\n"),
            testing::HasSubstr(sentence))
            << line;
}

TEST(TypedLanguage, WordsOfAPersonAreNoDirectives) {
    for (const char* comment :
         {"// in this kernel each thread adds", "// out of bounds threads leave",
          "// launch one thread per element", "// let us begin with x", "// index of the row",
          "// let n be the size = rows times columns", "// knob by knob"})
        EXPECT_EQ(
            problem_of(std::string(comment) + "\n__global__ void k(float* a) { a[threadIdx.x] = 0; }\n"), "")
            << comment;
    const auto launch =
        TypedProgram("// out nothing[4]\n__global__ void k(float* a) { a[threadIdx.x] = 0; }\n", "my.cu")
            .launch({});
    EXPECT_THAT(launch->warnings(),
                testing::Contains(testing::HasSubstr("line 1: this comment names no array")));
}

// Law: any text is understood or refused in one sentence.
TEST(TypedLanguage, DamagedTextsAreUnderstoodOrRefused) {
    std::mt19937 random(7);
    int understood = 0, refused = 0;
    for (int i = 0; i < 400; ++i) {
        const auto examples = typed_examples();
        const std::string text = damaged(examples[random() % examples.size()].text,
                                         "()[]{};=+-*/%<>&|^~?:,.0123456789abnxy \n\"#", random);
        ++(problem_of(text).empty() ? understood : refused);
    }
    EXPECT_GT(understood, 0);
    EXPECT_GT(refused, 100);
}

TEST(TypedLanguage, TheExampleOfTheManualIsOne) {
    const std::string_view chapter = asset("assets/manual/kernel.md");
    const std::size_t begin = chapter.find("// knob n = 2^20");
    ASSERT_NE(begin, std::string::npos);
    const std::string text(chapter.substr(begin, chapter.find("```", begin) - begin));
    const TypedProgram program(text, "kernel.md");
    EXPECT_EQ(program.kernel(), "scale");
    const auto launch = program.launch({1 << 12, 2});
    EXPECT_THAT(launch->warnings(), testing::IsEmpty());
    EXPECT_EQ(launch->accesses().size(), 3u);
    EXPECT_EQ(launch->memories()[0].bytes, (1 << 12) * 2 * 4);
}

TEST(TypedLanguage, WhatTheTextDoesNotSayIsAssumedAndSaid) {
    const TypedProgram program("__global__ void k(float* a, int n, int w) { a[threadIdx.x] = 0; }", "my.cu");
    const auto launch = program.launch({});
    EXPECT_THAT(launch->warnings(),
                testing::ElementsAre(testing::HasSubstr("n = 1024 is assumed"),
                                     testing::HasSubstr("w = 1024 is assumed"),
                                     testing::HasSubstr("1 block of 256 threads is assumed")));
}

TEST(TypedLanguage, ARaceIsFoundWithItsTwoLines) {
    const auto race_with = [](const std::string& between) {
        const TypedProgram program(
            "// launch grid=1 block=64\n__global__ void k(float* a) { // out float[64]\n"
            "__shared__ float s[64];\ns[threadIdx.x] = 1;\n" +
                between + "\na[threadIdx.x] = s[63 - threadIdx.x];\n}",
            "my.cu");
        return program.launch({})->race();
    };
    EXPECT_EQ(race_with("__syncthreads();"), "");
    EXPECT_EQ(
        race_with(""),
        "a race: thread 0 (warp 0, lane 0) stores to word 0 of shared memory in line 4, thread 63 (warp 1, "
        "lane 31) loads it in line 6, and no barrier stands between them");
    EXPECT_NE(race_with("__syncwarp();"), "") << "it waits for the lanes of one warp only";
}

// Each thread has a byte of its own. Threads share words, but no bytes.
TEST(TypedLanguage, NeighbouringBytesOfAWordAreNoRace) {
    const TypedProgram program(
        "// launch grid=1 block=64\n__global__ void k(char* a) { // out char[64]\n"
        "__shared__ char s[64];\ns[threadIdx.x] = 1;\na[threadIdx.x] = s[threadIdx.x];\n}",
        "my.cu");
    EXPECT_EQ(program.launch({})->race(), "");
}

}  // namespace
}  // namespace warplens::test::typed_language_tests
