// Host code is followed as C++ runs it, or what it sets is assumed and said: never kept as it was before.
#include "tests/app/typed/typed_examples.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens::test::host_tests {
namespace {

using namespace typed;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kKernel =
    "__global__ void k(float* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1; }\n";

/// What a kernel is given for a parameter; nothing if that is assumed.
std::optional<std::int64_t> value_of(const TypedLaunch& launch, std::string_view name) {
    for (const std::string& said : launch.warnings())
        if (said.starts_with(std::string(name) + " = ")) return std::nullopt;
    const auto& symbols = launch.unit().symbols;
    const auto found = std::ranges::find(symbols, name, &Symbol::name);
    return found == symbols.end()
               ? std::nullopt
               : std::optional(launch.bound().values[std::size_t(found - symbols.begin())]);
}

std::optional<std::int64_t> given(const std::string& statements, const std::string& before = "") {
    const auto launch = launch_of(kKernel + before + "int main(int argc, char** argv) { " + statements +
                                  " float* p; cudaMalloc(&p, 4096); k<<<1, 128>>>(p, n); }\n");
    return value_of(*launch, "n");
}

struct Example {
    const char* statements;
    std::optional<std::int64_t> n;
};

TEST(HostCode, ValuesAreThoseOfCpp) {
    const Example examples[] = {
        {"int n = 5; n++;", 6},
        {"int n = 5; --n;", 4},
        {"int n = 40; n >>= 1; n %= 7; n |= 8; n ^= 3; n &= 29; n <<= 2;", 52},
        {"int n = 100, t = 32, b = n / t; if (n % t != 0) b++; n = b;", 4},
        {"int m = 5, n = m-- * 2 + m;", 14},
        {"int m = 5, n = ++m * 2 + m++;", 18},
        {"char c = 300; unsigned char u = 255; u++; short s = 65556; int n = c + u + s;", 64},
        {"unsigned u = 5; u -= 6; int n = u >> 27;", 31},
        {"int n = 017 + 0x1F + 0b11 + 'a' - 60;", 86},
        {"int n = 1; 0 && n++; 1 || n++; n = true ? n : n++;", 1},
        {"int n = 64; n = n >> 1 | 1;", 33},
        {"int a[] = {1, 2, 3, 4, 5, 6}; int n = sizeof(a) / sizeof(a[0]) + sizeof(a) / sizeof(int);", 12},
        {"float a[4][5]; int n = sizeof(a) / sizeof(a[0]) + sizeof a[0] / sizeof **a;", 9},
        {"long unsigned int a = 1; int n = sizeof(a) + sizeof(unsigned long) + sizeof(&a);", 24},
        {"int n = sizeof(curandState);", std::nullopt},
        {"int n = 3; switch (n) { case 3: n = 10; case 4: n += 5; break; default: n = 1; }", 15},
        {"int n = 3; switch (n) { case 1: n = 10; break; default: n = 7; }", 7},
        {"int n = 3; switch (argc) { case 1: n = 10; break; case 2: ++n; }", 11},
        {"int n = 5; { int n = 7; n++; } for (int n = 0; n < 3; n++);", 5},
        {"dim3 d(4, 5); d.x *= 3; int n = d.x + d.y;", 17},
    };
    for (const Example& one : examples) EXPECT_EQ(given(one.statements), one.n) << one.statements;
    EXPECT_EQ(given("int n = next(100);",
                    "unsigned next(unsigned x) { --x; x |= x >> 1; x |= x >> 2; x |= x >> 4; "
                    "x |= x >> 8; return ++x; }\n"),
              128);
    EXPECT_EQ(given("int n = first(7);", "int first(int a) { if (a > 3) return 5; return 6; }\n"), 5);
}

TEST(HostCode, LoopsRunOrWhatTheySetIsNotKnown) {
    const Example examples[] = {
        {"int n = 5; while (n < 60) n *= 2;", 80},
        {"int n; for (n = 32; n < 300; n *= 2);", 512},
        {"int n = 5; do { n += 3; } while (n < 20);", 20},
        {"int n = 5; do n++; while (0); do { n++; break; } while (true);", 7},
        {"int n = 5, i; for (i = 0; i < 10; i++) { if (i == 1) continue; if (i == 4) break; n += i; } n += i;",
         14},
        {"int n = 1; for (int i = 3; i-- > 0;) for (int j = 0; j < 2; ++j) n *= 2;", 64},
        {"int n = 5; while (more()) n *= 2;", std::nullopt},
        {"int n = 5; while (true) { n++; if (more()) break; }", std::nullopt},
        {"int n = 5; for (int i : sizes) n += 2;", std::nullopt},
        {"int n = 5; for (int i = 0; i < 1 << 30; ++i) n = i % 7;", std::nullopt},
        {"int n = 5; for (int i = 0; i < more(); ++i) change(&n);", std::nullopt},
        {"int n = 5; for (int i = 1; i < argc; ++i) n = atoi(argv[i]);", 5},
    };
    for (const Example& one : examples) EXPECT_EQ(given(one.statements), one.n) << one.statements;
    const auto first = launch_of(std::string(kKernel) +
                                 "int main() { float* p; cudaMalloc(&p, 4096); int n = 32;\n"
                                 "for (; n <= 128; n *= 2) k<<<1, n>>>(p, n); }\n");
    EXPECT_EQ(first->launch().block_x, 32);
    EXPECT_THAT(first->warnings(), Contains(HasSubstr("of loops the first round")));
}

TEST(HostCode, WhatIsSetBesideItsNameIsFollowedOrNotKnown) {
    const Example examples[] = {
        {"int n = 5; int& r = n; r = 14;", 14},
        {"int n = 5; int* q = &n; *q = 14; (*q)++;", 15},
        {"int n = 5, m = 9; std::swap(n, m);", std::nullopt},
        {"int n = 5; by_reference(n);", 14},
        {"int n = 5; by_pointer(&n);", 14},
        {"int n = 5; elsewhere(&n);", std::nullopt},
        {"int n = 5; cudaMemcpyToSymbol(c, &n, sizeof(n)); cudaMemcpy(p, &n, 4, d);", 5},
        {"int n = 5; cudaMemcpy(&n, p, 4, d);", std::nullopt},
        {"int n = 5; auto f = [&] { n++; }; f(); f();", std::nullopt},
        {"std::vector<int> v(5); int n = v.size();", 5},
        {"std::vector<int> v(5); v.resize(9); int n = v.size();", std::nullopt},
        {"std::vector<int> v(more()); int n = v.size();", std::nullopt},
        {"set(); int n = g;", 14},
        {"Own own; own.set(); int n = h;", std::nullopt},
    };
    const std::string before =
        "int g = 5, h = 5;\nvoid set() { g = 14; }\nstruct Own { void set() { h = 14; } };\n"
        "void by_reference(int& m) { m = 14; }\nvoid by_pointer(int* m) { *m = 14; }\n";
    for (const Example& one : examples) EXPECT_EQ(given(one.statements, before), one.n) << one.statements;
    const auto apart = launch_of(std::string(kKernel) +
                                 "int g = 5;\nvoid set() { g = 14; }\n"
                                 "void run(float* p) { k<<<1, 128>>>(p, g); }\n");
    EXPECT_THAT(apart->warnings(), Contains(HasSubstr("n = 1024 is assumed"))) << "set may be called before";
}

TEST(HostCode, MembersOfStructsAreFollowed) {
    const auto of = [](const std::string& statements) {
        const auto launch = launch_of(
            "struct G { float* p; int w, h; };\n"
            "__global__ void k(float* a, G g, int n) {\n"
            "  if (threadIdx.x < g.h && threadIdx.x < n) a[g.w] = g.p[threadIdx.x]; }\n"
            "int main() { float* a; cudaMalloc(&a, 64); " +
            statements + " k<<<1, 128>>>(a, g, 50); }\n");
        std::string all;
        for (const char* name : {"g.w", "g.h"})
            all += std::to_string(value_of(*launch, name).value_or(-1)) + " ";
        for (const typed::Memory& memory : launch->memories()) all += std::to_string(memory.bytes) + " ";
        return all;
    };
    EXPECT_EQ(of("G g = {0, 4, 5}; cudaMalloc(&g.p, 4096); g.h = g.w * 2; g.h++;"), "4 9 64 4096 ");
    EXPECT_EQ(of("G o = {0, 4, 5}, g = o; g.h = 20; cudaMalloc(&g.p, 100); G* q = &g; q->h += 5;"),
              "4 25 64 100 ");
    EXPECT_EQ(of("G g = {0, 4, 5}; for (int i = 0; i < 3; ++i) g.h *= 2;"), "4 40 64 0 ");
    EXPECT_EQ(of("G g; g.w = 4; cudaMalloc(&g.p, 96);"), "4 -1 64 96 ") << "the others are known";
    EXPECT_EQ(of("G g = {0, 4, 5}; fill(&g); g.h = 6;"), "-1 6 64 0 ");
}

TEST(HostCode, ATypeOfUnknownSizeMakesNoArrayTooSmall) {
    const auto launch = launch_of(
        "template <class T, int R> struct Mat { T e[R][4]; };\n"
        "__global__ void k(Mat<float, 3>* m, int n) { int i = threadIdx.x; if (i < n) m[i].e[2][1] = 1; }\n"
        "int main() { Mat<float, 3>* m; cudaMalloc(&m, 256 * sizeof(Mat<float, 3>)); k<<<1, 128>>>(m, 128); }\n");
    EXPECT_EQ(launch->out_of_bounds(), "");
}

}  // namespace
}  // namespace warplens::test::host_tests
