// What a pasted kernel lacks is assumed as it is used: it does what a text does in which that is written.
#include "tests/app/typed/parse/done_by.h"

#include <gmock/gmock.h>

namespace warplens::test::assumed_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::shared_ptr<const TypedLaunch> of(const std::string& parameters, const std::string& body,
                                      const std::string& before = {}) {
    return launch_of("// launch grid=4 block=64\n" + before + "__global__ void k(" + parameters +
                     ") {\n  int t = threadIdx.x;\n" + body + "\n}\n");
}
auto said(const std::string& words) { return Contains(HasSubstr(words)); }

TEST(Assumed, StructsAreTheirMembersAsTheyAreUsed) {
    // As an argument its members are arguments, so addresses are exact.
    const auto argument = of("Args p, float* out", "if (t < p.n) out[t * p.step] = p.in[t];");
    EXPECT_EQ(done_by(*argument), done_by(*of("const float* in, float* out, int n, int step",
                                              "if (t < n) out[t * step] = in[t];")));
    EXPECT_THAT(argument->warnings(), said("a struct of n, step, in is assumed"));
    EXPECT_FALSE(argument->assumes());
    // In memory its layout counts, so it is a guess.
    const auto memory = of("Edge* all, float* out", "Edge e = all[t]; out[t] = e.from + e.to;");
    EXPECT_EQ(done_by(*memory),
              done_by(*of("Edge* all, float* out", "Edge e = all[t]; out[t] = e.from + e.to;",
                          "struct Edge { int from, to; };\n")));
    EXPECT_TRUE(memory->assumes());
    EXPECT_THAT(memory->warnings(), said("paste it, and its addresses are exact"));
    // A variable of the file, and one that has the type of another.
    EXPECT_THAT(of("float* out", "out[t] = table[t].weight;")->warnings(),
                said("a struct of weight is assumed"));
    EXPECT_EQ(of("Body* b", "auto one = b[t]; b[t].mass = one.speed;")->accesses().size(), 3u);
    // Its functions are not counted, and it may be indexed.
    EXPECT_THAT(of("Camera c, float* out", "out[t] = c.ray(t) + c.width;")->warnings(),
                said("what 'ray' may load"));
    EXPECT_EQ(done_by(*of("View<float> v, float* out", "out[t] = v[t + 1];")),
              done_by(*of("float* v, float* out", "out[t] = v[t + 1];")));
}

// The launches of CUDA by Example and of NVIDIA's articles, whose texts show the kernel alone.
TEST(Assumed, LaunchesAreAsLargeAsAKernelTellsItsThreadsApart) {
    struct Case {
        const char* parameters;
        const char* body;
        int grid, block;  ///< threads along x
    };
    const Case cases[] = {
        {"int* a, int* c", "*c = *a;", 1, 1},
        {"int* a, int* c", "c[threadIdx.x] = a[threadIdx.x];", 1, 256},
        {"int* a, int* c", "c[blockIdx.x] = a[blockIdx.x];", 1024, 1},
        {"float* y, int n", "for (int i = 0; i < n; i++) y[i] = y[i] + 1;", 1, 1},
        {"int* c", "atomicAdd(&c[threadIdx.x % 8], 1);", 1024, 256},  // meeting is what it is for
        {"int* c, int n", "for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = i;", 1, 256},
        {"int* d, int n",
         "extern __shared__ int s[]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); d[t] = s[n - t - 1];",
         1, 1024},
        {"int* d, int n",
         "__shared__ int s[64]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); d[t] = s[n - t - 1];", 1,
         64},
        {"int* d", "unsigned i; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(i)); d[threadIdx.x] = i;", 1, 256},
        {"int* d", "dim3 t = threadIdx, b = blockIdx; d[b.x * 256 + t.x] = 1;", 1024, 256},
        {"int* d, int n",
         "auto g = cooperative_groups::this_grid(); for (int i = g.thread_rank(); i < n; i += g.size()) d[i] = 1;",
         4, 256},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.body);
        const auto launch =
            launch_of("__global__ void k(" + std::string(one.parameters) + ") { " + one.body + " }\n");
        EXPECT_EQ(launch->launch().grid_x, one.grid);
        EXPECT_EQ(launch->launch().block_x, one.block);
        EXPECT_EQ(launch->launch().rows() * launch->launch().block_y * launch->launch().block_z, 1);
        EXPECT_EQ(launch->race(), "");
    }
}

TEST(Assumed, AStrideBetweenRowsIsTheirWidth) {
    const auto assumed = [](const std::string& index) {
        return launch_of(
                   "__global__ void k(float* a, int stride) { int x = threadIdx.x, y = threadIdx.y; a[" +
                   index + "] = 1; }\n")
            ->warnings();
    };
    const auto is = [](std::int64_t value) { return said("stride = " + std::to_string(value) + " is"); };
    EXPECT_THAT(assumed("y * stride + x"), is(1024));
    EXPECT_THAT(assumed("threadIdx.x + stride * y"), is(1024));
    EXPECT_THAT(assumed("(y * 16 + x) * stride"), is(1));
    EXPECT_THAT(assumed("(y * 16 + x) * stride + 1"), is(1));
}

TEST(Assumed, ViewsOfSeveralDimensionsLoadNoPointers) {
    const auto view = of("float* out, Accessor<float, 2> v", "if (t < v.size(1)) out[t] = v[3][t];");
    EXPECT_EQ(done_by(*view), done_by(*of("float* out, float* v", "out[t] = v[3 * 64 + t];")));
    EXPECT_TRUE(view->assumes());
    EXPECT_EQ(done_by(*of("float* out, float (*v)[33]", "out[t] = v[t][2];")),
              done_by(*of("float* out, float* v", "out[t] = v[33 * t + 2];")));
}

TEST(Assumed, TypesOfHeadersAreNumbersByTheirNames) {
    EXPECT_EQ(
        done_by(*of("float* out",
                    "for (uint64_T i{t}; i < static_cast<uint64_T>(128); i += 64) out[i] = (real_T)i;")),
        done_by(*of("float* out", "for (unsigned long long i = t; i < 128; i += 64) out[i] = i;")));
    EXPECT_EQ(done_by(*of("u8* a", "a[t] = 1;")), done_by(*of("unsigned char* a", "a[t] = 1;")));
    EXPECT_TRUE(of("Thing* a", "a[t] = a[t + 1];")->assumes()) << "nothing says how large it is";
    EXPECT_EQ(done_by(*of("thrust::complex<float>* a, float* b", "a[t] = a[t + 1]; b[t] = a[t].imag();")),
              done_by(*of("float2* a, float* b", "a[t] = a[t + 1]; b[t] = a[t].y;")));
    EXPECT_EQ(done_by(*of("float* a",
                          "std::conditional_t<sizeof(int) == 4, float4, float> v = ((float4*)a)[t];\n"
                          "((float4*)a)[t + 64] = v;")),
              done_by(*of("float* a", "float4 v = ((float4*)a)[t]; ((float4*)a)[t + 64] = v;")));
}

TEST(Assumed, NamesAreNumbersOrArrays) {
    EXPECT_THAT(of("float* a", "a[t * pitch] = 0;")->warnings(), said("pitch = "));
    EXPECT_THAT(of("float* a", "a[t] = weights[t][2];")->warnings(), said("rows of 16"));
    const auto counter = of("float* a", "a[t] = atomicAdd(&counter, 1);");
    EXPECT_EQ(counter->accesses().size(), 2u);
    EXPECT_THROW(of("float* a", "int index = t; a[idnex] = 0;"), SourceError) << "it is mistyped";
    EXPECT_THROW(of("float* a", "SETUP; a[site + 1] = 0;"), SourceError) << "a macro may declare it";
    EXPECT_THROW(of("float* a", "a[site] = 0;"), SourceError) << "hardly the same for all threads";
}

TEST(Assumed, MacrosThatManyFilesDefineMeanTheSame) {
    EXPECT_EQ(
        done_by(*of("float* a, float* b", "CUDA_KERNEL_LOOP(i, 512) { b[i] = a[i]; }")),
        done_by(*of(
            "float* a, float* b",
            "for (int i = blockIdx.x * blockDim.x + t; i < 512; i += blockDim.x * gridDim.x) b[i] = a[i];")));
    EXPECT_EQ(done_by(*of("float* a, float* b", "FLOAT4(b[4 * t]) = FETCH_FLOAT4(a[4 * t]);")),
              done_by(*of("float* a, float* b", "((float4*)b)[t] = ((float4*)a)[t];")));
    EXPECT_EQ(done_by(*of("float* a", "a[OFFSET(t, 1, 8) + CEIL_DIV(9, 4)] = 0;")),
              done_by(*of("float* a", "a[t * 8 + 4] = 0;")));
    const auto other = of("float* a, float* b", "b[t] = 1; OUT(t) = a[t];");
    EXPECT_EQ(other->accesses().size(), 2u);
    EXPECT_TRUE(other->assumes());
}

TEST(Assumed, WhatFunctionsOfOtherFilesAreGivenIsNotKnownAfterwards) {
    // The place is not known, so it is not taken for the one before the call.
    const auto launch = of("float* a", "int i = t; place(&i); a[i] = 0;");
    EXPECT_TRUE(launch->assumes());
    EXPECT_NE(done_by(*launch), done_by(*of("float* a", "int i = t; a[i] = 0;")));
    EXPECT_THAT(of("float* a", "float* p = shared_memory(); p[t] = a[t];")->warnings(),
                said("to whose begin this pointer points"));
    EXPECT_EQ(of("float* a", "Place p = place_of(t); a[p.x] = 0;")->accesses().size(), 1u);
    EXPECT_EQ(of("float* a, F f", "a[t] = f(a[t]);", "template <typename F>\n")->accesses().size(), 2u);
}

TEST(Assumed, LibrariesOfCudaKeepTheirStorageToThemselves) {
    const auto sum = of("float* a, float* b",
                        "typedef cub::BlockReduce<float, 64> Reduce;\n"
                        "__shared__ union { Reduce::TempStorage one; float other[64]; } temp;\n"
                        "float s = Reduce(temp.one).Sum(a[t]); if (t == 0) b[blockIdx.x] = s;");
    EXPECT_EQ(done_by(*sum),
              done_by(*of("float* a, float* b", "float s = a[t]; if (t == 0) b[blockIdx.x] = s;")));
    EXPECT_TRUE(sum->assumes());
    EXPECT_THAT(sum->warnings(), said("what functions of CUDA's libraries load and store is not counted"));
}

TEST(Assumed, PointersInMemoryPointToTheirOwnArrays) {
    const std::string text = "struct Row { int n; float* data; };\n";
    const auto rows = of("Row* rows, float* out", "out[t] = rows[t].data[3];", text);
    const std::vector<Done> done = done_by(*rows);
    ASSERT_EQ(done.size(), 6u);  // two warps: the pointers, what they point to, the results
    EXPECT_EQ(done[0].address[1] - done[0].address[0], 16);
    EXPECT_EQ(done[0].address[0] % 16, 8);
    const std::int64_t apart = done[1].address[1] - done[1].address[0];
    EXPECT_EQ(apart % 256, 0);
    EXPECT_GE(apart, 1024 * 4);
    EXPECT_EQ(done[1].address[5] - done[1].address[0], 5 * apart);
    EXPECT_EQ(done[1].address[0] % 256, 12);
    // One struct: as if its pointers were arguments.
    const std::vector<Done> one = done_by(*of("Row* r, float* out", "out[t] = r->data[t];", text));
    for (std::size_t l = 0; l < kWarpLanes; ++l)
        EXPECT_EQ(one[1].address[l] - one[1].address[0], std::int64_t(4 * l));
}

TEST(Assumed, WholeStructsAreLoadedMemberByMemberAndOnlyOnce) {
    const std::string text =
        "struct V { float x, y, z; };\nstruct P { float m; V v; };\n"
        "__device__ V operator*(V a, float b) { return {a.x * b, a.y * b, a.z * b}; }\n";
    EXPECT_EQ(done_by(*of("P* p", "p[t].v = p[t].v * 3;", text)),
              done_by(*of("P* p",
                          "float x = p[t].v.x, y = p[t].v.y, z = p[t].v.z;\n"
                          "p[t].v.x = 3 * x; p[t].v.y = 3 * y; p[t].v.z = 3 * z;",
                          text)));
}

TEST(Assumed, UnionsLieUponEachOther) {
    const std::string text =
        "struct V { int id; union { struct { float x, y; }; float e[2]; }; float w; };\n";
    EXPECT_EQ(done_by(*of("V* v", "v[t].y = v[t].e[0] + v[t].w;", text)),
              done_by(*of("float* v", "v[4 * t + 2] = v[4 * t + 1] + v[4 * t + 3];")));
    EXPECT_EQ(done_by(*of("Bits* v", "Bits one = v[t]; v[t + 1] = one;",
                          "union Bits { char c; int i; float f; };\n")),
              done_by(*of("float* v", "v[t + 1] = v[t];")))
        << "copied once";
    // What one member becomes by another is not known.
    EXPECT_TRUE(of("float* a", "union { int i; float f; } u; u.i = t; u.f = a[t]; a[u.i] = 0;")->assumes());
}

TEST(Assumed, LambdasAndBindings) {
    EXPECT_EQ(
        done_by(*of("float* a, float* b",
                    "auto at = [&](int x, int y) { return a[y * 64 + x]; };\n"
                    "auto [low, high] = both(t);\n b[high] = at(low, 2);",
                    "struct Two { int low, high; };\n__device__ Two both(int x) { return {x, x + 7}; }\n")),
        done_by(*of("float* a, float* b", "b[t + 7] = a[128 + t];")));
    EXPECT_EQ(
        done_by(
            *of("const float4* a, float* b",
                "float4 v = a[t]; float s = 0; for (int i = 0; i < 4; ++i) s += ((float*)&v)[i]; b[t] = s;")),
        done_by(*of("const float4* a, float* b", "float4 v = a[t]; b[t] = v.x;")));
}

TEST(Assumed, LoopsWithoutAnEndAreWalkedOnceWhereValuesEndThem) {
    const auto launch =
        of("int* next, float* a", "int i = t; while (true) { a[t] = 0; i = next[i]; if (i < 0) break; }");
    EXPECT_EQ(done_by(*launch).size(), 4u);
    EXPECT_TRUE(launch->assumes());
}

TEST(Assumed, WhatPrintfLoadsIsSaid) {
    EXPECT_THAT(of("float* a", "a[t] = 0; printf(\"%f\", a[t]);")->warnings(),
                said("what the arguments of printf load"));
    EXPECT_FALSE(of("float* a", "a[t] = 0; printf(\"%d\", t);")->assumes());
}

TEST(Assumed, SizesWithWhichNoThreadWorksAreNotTaken) {
    const auto launch = launch_of(
        "__global__ void k(float* a, int n) { int t = threadIdx.x; if (t < n) a[t] = 0; }\n"
        "int main() { float* a; cudaMalloc(&a, 4096); k<<<1, 64>>>(a, 0); }\n");
    EXPECT_THAT(launch->warnings(), said("n = 1024 is assumed"));
    EXPECT_EQ(launch->accesses().size(), 1u);
    EXPECT_EQ(launch_of("__global__ void k(float* a, int row, int n) {\n"
                        "for (int i = row + 1 + threadIdx.x; i < n; i += blockDim.x) a[row * n + i] = 0; }\n")
                  ->accesses()
                  .size(),
              1u);
}

}  // namespace
}  // namespace warplens::test::assumed_tests
