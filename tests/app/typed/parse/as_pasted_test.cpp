// Kernels as people write them: each does what the plain kernel beside it does.
#include "tests/app/typed/parse/done_by.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace warplens::test::as_pasted_tests {
namespace {

using namespace typed;
using testing::HasSubstr;

struct Pair {
    const char *pasted, *plain;
};
// The record that a pointer in it points to is complete only behind it.
TEST(AsPasted, RecordsMayPointToOthersLikeThem) {
    const auto launch = launch_of(
        "struct Node { int value; Node* next; };\n"
        "__global__ void k(Node* list, int* out) { out[threadIdx.x] = list[threadIdx.x].value; }\n"
        "int main() { Node* l; int* o; cudaMalloc(&l, 32 * sizeof(Node)); cudaMalloc(&o, 128);\n"
        "k<<<1, 32>>>(l, o); }\n");
    EXPECT_EQ(launch->request(0, {}, 0, 0).byte_address[1] - launch->request(0, {}, 0, 0).byte_address[0],
              16u);
}

TEST(AsPasted, ContinueOfALoopWithinASwitch) {
    expect_same("struct P { enum { kStep = 3 }; };\n",
                "switch (t & 1) { case 1: for (int q = 0; q < 3; q++) { if (q == 1) continue; "
                "b[q * 64 + t * P::kStep] = 1; } break; }",
                "if (t & 1) { b[t * 3] = 1; b[128 + t * 3] = 1; }");
}

// The Programming Guide's own example of one load of 16 bytes.
TEST(AsPasted, AlignedRecordsAreCopiedInWholePieces) {
    const std::string pairs = "struct __align__(8) Pair { float x, y; };\n";
    expect_same(pairs, "Pair p = ((Pair*)a)[t]; b[t] = p.y;", "float2 p = ((float2*)a)[t]; b[t] = p.y;");
    expect_same(pairs, "((Pair*)b)[t] = ((Pair*)a)[t];", "((float2*)b)[t] = ((float2*)a)[t];");
    expect_same(pairs, "b[t] = ((Pair*)a)[t].y;", "b[t] = a[2 * t + 1];");
    expect_same("struct alignas(16) Ray { float3 from; int id; float to[4]; };\n",
                "Ray r = ((Ray*)a)[t]; r.id = 7; ((Ray*)b)[t] = r;",
                "float4 r = ((float4*)a)[2 * t], s = ((float4*)a)[2 * t + 1]; ((float4*)b)[2 * t] = r; "
                "((float4*)b)[2 * t + 1] = s;");
    expect_same("struct Plain { float x, y; };\n", "((Plain*)b)[t] = ((Plain*)a)[t];",
                "b[2 * t] = a[2 * t]; b[2 * t + 1] = a[2 * t + 1];");
}

TEST(AsPasted, DoesWhatThePlainKernelDoes) {
    expect_same("struct Body { float x, y; int kind; float4 v; };\n",
                "Body* p = (Body*)a; b[t] = p[t].y; p[t].kind = 3; p[t].v.z = 1;",
                "b[t] = a[t * 8 + 1]; a[t * 8 + 2] = 3; a[t * 8 + 6] = 1;");
    expect_same(
        "struct P { float x, y; __device__ P operator+(P o) const { return {x + o.x, y + o.y}; } };\n"
        "__device__ void put(P& p, float* to) { to[0] = p.x; to[1] = p.y; }\n",
        "P p = ((P*)a)[t]; P q = p + p; put(q, b + 2 * t);",
        "float x = a[2 * t]; float y = a[2 * t + 1]; b[2 * t] = x; b[2 * t + 1] = y;");
    expect_same(
        "template <typename T, int N> __device__ T sum(const T* p) { T s = 0; for (int i = 0; i < N; ++i) s "
        "+= p[i]; return s; }\n",
        "b[t] = sum<float, 3>(a + t);", "b[t] = a[t] + a[t + 1] + a[t + 2];");
    expect_same(
        "#define AT(p, i) p[(i) * 2]\n#define UNUSED(x) @ x\n#ifdef __CUDACC__\n#define OUT b\n#else\n#error\n"
        "#endif\n",
        "AT(OUT, t) = AT(a, t + 1);", "b[t * 2] = a[(t + 1) * 2];");
    expect_same("", "float3* p = (float3*)a; float3 v = p[t]; b[t] = v.x + v.y + v.z;",
                "b[t] = a[3 * t] + a[3 * t + 1] + a[3 * t + 2];");
    expect_same("",
                "switch (t & 3) { case 0: case 1: b[t] = 0; break; case 2: b[t] = a[t]; default: a[t] = 0; }",
                "if ((t & 3) < 2) b[t] = 0; if ((t & 3) == 2) b[t] = a[t]; if ((t & 3) >= 2) a[t] = 0;");
    expect_same("",
                "switch (t & 3) { case 0: b[t] = 0; default: a[t] = 0; break; case 2: case 1: b[t] = a[t]; }",
                "if ((t & 3) == 0) b[t] = 0; if ((t & 3) % 3 == 0) a[t] = 0; else b[t] = a[t];");
    const std::string own = "int own[2][4]; for (int i = 0; i < 4; ++i) own[1][i] = t; int k = 1; ";
    expect_same("", own + "int* p = &own[1][0]; b[p[2]] = a[t];", "b[t] = a[t];");
    expect_same("", own + "int* p = &own[k][0]; k = 0; b[t] = a[p[1]];", own + "b[t] = a[own[k][1]];");
    expect_same("", "uint3 at = threadIdx; dim3 of = blockDim; b[at.x] = a[of.x + at.x];",
                "b[t] = a[blockDim.x + t];");
    expect_same(
        "__shared__ float kept[64];\n__shared__ bool last;\n", "kept[t] = a[t]; last = true; b[t] = kept[t];",
        "__shared__ float kept[64]; __shared__ bool last; kept[t] = a[t]; last = true; b[t] = kept[t];");
    expect_same(
        "template <const int N, unsigned long long M> __device__ int f(int x) { return x * N + M; }\n"
        "template <unsigned int N> __device__ int g(int x) { return f<N, 3ull>(x); }\n",
        "b[g<2>(t)] = 0;", "b[2 * t + 3] = 0;");
    expect_same("namespace cg = cooperative_groups;\n",
                "cg::thread_block g = cg::this_thread_block(); auto w = cg::tiled_partition<32>(g); "
                "b[g.thread_rank()] = a[w.thread_rank()]; g.sync();",
                "b[t] = a[t % 32]; __syncthreads();");
    expect_same("#include <cuda_fp16.h>\n", "half* h = (half*)a; h[t] = __float2half(b[t]);",
                "float x = b[t]; short* h = (short*)a; h[t] = 1;");
    expect_same("", "atomicAdd(&a[t / 2], 1.0f); printf(\"%d\", t); assert(n > 0);", "a[t / 2] = 1;");
    expect_same("", "float& x = a[t]; t = 0; x = b[0]; const char c = 'a'; if (c == 97) x = INFINITY;",
                "a[threadIdx.x] = b[0]; a[threadIdx.x] = 1;");
    expect_same(
        "", "__shared__ float4 s[64]; __pipeline_memcpy_async(&s[t], &a[4 * t], 16); __pipeline_commit();",
        "__shared__ float4 s[64]; s[t] = reinterpret_cast<float4*>(a)[t];");
    expect_same(
        "class Grid { int n_; public: __device__ Grid(int n) : n_(n) {} __device__ int at(int r, int c) const "
        "{ return r * n_ + c; } };\nenum Kind { first, second = 5 };\n",
        "Grid g(n); b[g.at(1, t)] = a[second + t];", "b[n + t] = a[5 + t];");
    expect_same("__device__ void put(float& to, int& i) { i = 0; to = 1; }\n",
                "int i = t; put(a[i], i); b[i] = 0;", "a[t] = 1; b[0] = 0;");
    expect_same("static __device__ __forceinline__ void twice(float* p) { p[0] = 1; p[1] = 2; }\n",
                "float own[2]; twice(own); b[t] = own[1]; __shared__ float one; if (t == 0) one = a[0];",
                "b[t] = 2; __shared__ float one[1]; if (t == 0) one[0] = a[0];");
}

constexpr const char* kWholeFile = R"(
#include <cstdio>
#include "helper.h"
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", #x); exit(1); } } while (0)
constexpr int TILE = 16;
template <typename T, int BLOCK>
__global__ void __launch_bounds__(256) copy(const T* __restrict__ in, T* out, int n, int offset) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] = in[i + offset];
}
extern "C" __global__ void transpose(float* out, const float* in, int width) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    out[(blockIdx.x * TILE + threadIdx.y) * width + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
static int divide(int a, int b) { return (a + b - 1) / b; }
void run(float* d_in, float* d_out, int width) {
    dim3 block(TILE, TILE);
    dim3 grid(divide(width, block.x), divide(width, block.y));
    transpose<<<grid, block>>>(d_out, d_in, width);
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 14;
    size_t bytes = n * sizeof(float);
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc((void**)&d_out, bytes));
    std::vector<float> host(n);
    copy<float, 128><<<(n + 127) / 128, 128>>>(d_in, d_out, n - 4, 4);
    run(d_in, d_out, 128);
    CHECK(cudaDeviceSynchronize());
}
)";

TEST(AsPasted, AWholeFileSaysHowItIsLaunched) {
    const TypedProgram program(kWholeFile, "whole.cu");
    EXPECT_THAT(program.kernels(), testing::ElementsAre("copy", "transpose"));
    EXPECT_EQ(program.kernel(), "transpose") << "the one with most to say";
    const auto transposed = launch_of(kWholeFile);
    EXPECT_EQ(transposed->launch().grid_x, 8);
    EXPECT_EQ(transposed->launch().block_y, 16);
    EXPECT_EQ(transposed->memories()[0].bytes, 4 << 14);
    EXPECT_THAT(transposed->warnings(),
                testing::ElementsAre(HasSubstr("launched as in line 22"),
                                     HasSubstr("of the kernels copy, transpose this is transpose")))
        << "nothing is assumed";
    EXPECT_EQ(TypedProgram(with_kernel(kWholeFile, "copy"), "whole.cu").kernel(), "copy");
    EXPECT_EQ(TypedProgram(with_kernel(with_kernel(kWholeFile, "copy"), "transpose"), "whole.cu").kernel(),
              "transpose");
    const auto copied = launch_of(kWholeFile, "copy");
    EXPECT_EQ(copied->launch().grid_x, 128);
    EXPECT_EQ(copied->launch().block_x, 128);
    EXPECT_THAT(copied->warnings(), testing::ElementsAre("launched as in line 31"));
    const std::string undecided =
        "__global__ void k(int* a, int n) { a[threadIdx.x] = n; }\n"
        "int main(int argc, char** argv) { int *a, n = 1; cudaMalloc(&a, 128);\n";
    EXPECT_THAT(launch_of(undecided + "if (argc > 1) n = 2; k<<<1, 32>>>(a, n); }")->warnings(),
                testing::ElementsAre(HasSubstr("ifs that the text does not decide")));
    EXPECT_THAT(launch_of(undecided + "for (int i = 1; i < 9; i *= 2) k<<<i, 32>>>(a, n); }")->warnings(),
                testing::ElementsAre(HasSubstr("of loops the first round")));
    EXPECT_THAT(launch_of(undecided + "if (argc > 1) return 1; k<<<1, 32>>>(a, n); }")->warnings(),
                testing::ElementsAre("launched as in line 3"));
    EXPECT_EQ(copied->accesses().size(), 2u);
    EXPECT_THROW(launch_of(kWholeFile, "other"), UsageError);
}

// As NVIDIA's samples choose between two templates, pass pointers into arrays, and allocate structs.
TEST(AsPasted, HostCodeIsFollowedWhereItIsKnown) {
    const auto launch = launch_of(R"(
struct Ball { float x, y; double mass; char name[3]; float reach() const { return x; } };
template <int SIZE> __global__ void k(float* out, const float* in, Ball* balls, clock_t* times) {
    __shared__ float s[SIZE];
    s[threadIdx.x] = in[int(threadIdx.x) - 3] + balls[threadIdx.x].x;
    out[threadIdx.x] = s[threadIdx.x];
    times[threadIdx.x] = clock();
}
int main(int argc, char** argv) {
    int size = 32, n = 1024, blocks = 1;
    if (argc > 1) n = atoi(argv[1]);
    if (n > 500) size = 64; else size = 128;
    switch (size) { case 32: blocks = 2; break; case 64: blocks = 3; break; default: blocks = 4; }
    float *a, *b; Ball* c; clock_t* d;
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, 64 * sizeof(Ball)); cudaMalloc(&d, 64 * sizeof(clock_t));
    if (size == 16) k<16><<<blocks, 16>>>(a, b, c, d);
    else if (size == 32) { k<32><<<blocks, 32>>>(a, b, c, d); }
    else k<64><<<blocks, 64>>>(a + 8, b + 3, c, d);
}
)");
    EXPECT_EQ(launch->launch().grid_x, 3);
    EXPECT_EQ(launch->launch().block_x, 64);
    const auto& memories = launch->memories();
    EXPECT_EQ(memories[0].before, 32);
    EXPECT_EQ(memories[0].bytes, 4096 - 32);
    EXPECT_EQ(memories[1].before, 12) << "so that in[-3] lies in its array";
    EXPECT_EQ(memories[2].bytes, 64 * 24);
    EXPECT_EQ(memories[3].bytes, 64 * 8);
    EXPECT_EQ(done_by(*launch)[0].address[0], memories[1].begin - 12);
}

// As CUDA's own functions launch a kernel, and as structs are given to it.
TEST(AsPasted, LaunchesByCallAndStructsAreFollowed) {
    const auto launch = launch_of(R"(
struct Rows { int n; int* begin; };
__global__ void k(Rows rows, float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows.n) a[rows.begin[i] & 63] = n;
}
int main() {
    int n = 5000, *b; float* a;
    cudaMalloc(&a, 64 * 4); cudaMalloc(&b, n * 4);
    Rows rows{n, b};
    void* args[] = {&rows, &a, (void*)&n};
    dim3 grid((n + 127) / 128), block(128);
    cudaLaunchCooperativeKernel((void*)k, grid, block, args);
}
)");
    EXPECT_EQ(launch->launch().grid_x, 40);
    EXPECT_EQ(launch->launch().block_x, 128);
    EXPECT_THAT(launch->assumed(), testing::IsEmpty());
    EXPECT_EQ(launch->memories()[0].bytes, 4 * 5000);
    EXPECT_EQ(launch->memories()[1].bytes, 4 * 64);
    EXPECT_THAT(launch->warnings(), testing::Contains(HasSubstr("launched as in line 13")));
}

// As benchmarks time a launch.
TEST(AsPasted, LaunchesInLambdasAreFollowed) {
    const auto launch = launch_of(R"(
__global__ void k(float* out, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = n; }
template <class Launch> void timed(const char* name, int times, Launch launch);
int main() {
    const int n = 4096;
    float* a; cudaMalloc(&a, n * sizeof(float));
    auto never = [](int n) -> int { return n; };
    timed("k", 9, [&, n](int block) mutable { k<<<n / 128, 128>>>(a, n); });
}
)");
    EXPECT_EQ(launch->launch().grid_x, 32);
    EXPECT_EQ(launch->launch().block_x, 128);
    EXPECT_EQ(launch->memories()[0].bytes, 4 * 4096);
}

TEST(AsPasted, WhatOtherFilesHaveIsAssumedAndSaid) {
    const auto of = [](const std::string& before, const std::string& body) {
        return launch_of("// launch grid=4 block=64\n" + before +
                         "__global__ void k(float* a, float* b) {\n  int t = threadIdx.x;\n" + body +
                         "\n}\n");
    };
    const auto said = [](const std::string& words) { return testing::Contains(HasSubstr(words)); };
    EXPECT_THAT(of("", "a[t * kTileWidth] = 0;")->warnings(), said("kTileWidth = "));
    const auto function = of("", "a[t] = shade(b[t], t);");
    EXPECT_THAT(function->warnings(), said("what 'shade' may load and store"));
    EXPECT_TRUE(function->assumes());
    EXPECT_EQ(function->accesses().size(), 2u);
    EXPECT_THAT(of("", "Pixel x = b[t]; Pixel* p = a; p[t] = x;")->warnings(),
                said("Pixel = float is assumed"));
    const auto texture = of("texture<float2, 2> image;\n", "float2 x = tex2D(image, t, 0); a[t] = x.y;");
    EXPECT_EQ(texture->accesses().size(), 1u);
    EXPECT_THAT(texture->warnings(), said("what textures and surfaces load and store"));
    EXPECT_THAT(of("__global__ void leaf() {}\n", "leaf<<<1, 32>>>(); a[t] = 0;")->warnings(),
                said("launched from here"));
    EXPECT_THAT(
        of("", "unsigned x; asm volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(x) :: \"memory\"); a[t] = x;")
            ->warnings(),
        said("inline PTX"));
    EXPECT_EQ(done_by(*of("", "unsigned lane; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)); a[lane] = 0;")),
              done_by(*of("", "a[t % 32] = 0;")));
    EXPECT_EQ(done_by(*of("", "a[t + (1 << (t + 40))] = 0;")), done_by(*of("", "a[t] = 0;")))
        << "as the GPU shifts";
    // A macro may stand for loads, and a function that is given a pointer may follow it.
    EXPECT_TRUE(of("", "a[t] = AT(b, t);")->assumes());
    EXPECT_THAT(of("", "a[t] = sum(b);")->warnings(), said("what 'sum' may load and store"));
    EXPECT_THROW(of("", "asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(a[0]) : \"l\"(b));"), SourceError);
    EXPECT_THROW(of("", "a[index] = 0;"), SourceError) << "no constant is called so: a slip";
}

TEST(AsPasted, WhatNothingSaysIsAssumedAndCanBeChanged) {
    const std::string text =
        "template <typename T, int TILE>\n__global__ void k(T* a, const T* b, int width, int height, int offset) {\n"
        "  __shared__ T s[TILE][TILE];\n  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
        "  if (x >= width || y >= height) return;\n  s[threadIdx.y][threadIdx.x] = b[y * width + x + offset];\n"
        "  a[y * width + x] = s[threadIdx.y][threadIdx.x];\n}\n";
    const TypedProgram program(text, "my.cu");
    std::vector<std::string> names;
    for (const TypedKnob& knob : program.knobs()) names.push_back(knob.name);
    EXPECT_THAT(names, testing::ElementsAre("TILE", "width", "height", "offset"));
    const auto launch = launch_of(text);
    EXPECT_EQ(launch->launch().block_x, 16);
    EXPECT_EQ(launch->launch().block_y, 16);
    EXPECT_EQ(launch->launch().grid_y, 64);
    EXPECT_THAT(launch->warnings(), testing::Contains(HasSubstr("T = float is assumed")));
    EXPECT_THAT(launch->warnings(), testing::Contains(HasSubstr("offset = 0 is assumed")));
    EXPECT_EQ(launch_of("// let T = double\n" + text)->accesses()[0].bytes, 8);
}

TEST(AsPasted, ValuesThatDecideAreAssumedAndSaid) {
    const auto launch = launch_of(
        "// launch grid=4 block=64\n__global__ void k(float* a, int* b) {\n  int t = threadIdx.x;\n"
        "  if (a[t] < 0) a[t] = 0;\n  a[b[t]] = 1;\n  for (int j = b[t]; j < b[t + 1]; ++j) a[j] = 2;\n}\n");
    EXPECT_TRUE(launch->assumes());
    EXPECT_THAT(launch->warnings(),
                testing::Contains(
                    HasSubstr("lines 4, 5, 6: what follows from values that are not known is assumed")));
    EXPECT_EQ(launch->accesses().size(), 7u);
    EXPECT_EQ(launch->race(), "");
    EXPECT_FALSE(
        launch_of(
            "// launch grid=4 block=64\n// index b int[256] permuted\n__global__ void k(float* a, int* b) {\n"
            "  a[b[threadIdx.x]] = 1;\n}\n")
            ->assumes());
}

// What would be counted wrongly is refused, or said to be left out.
TEST(AsPasted, NothingIsLeftOutSilently) {
    const auto with = [](const std::string& before, const std::string& body) {
        return launch_of("// launch grid=4 block=64\n" + before +
                         "__global__ void k(float* a, float* b) {\n  a[threadIdx.x] = 0;\n" + body + "\n}\n");
    };
    for (const char* record :
         {"struct V { virtual __device__ void f() {} float x; };\n",
          "struct V { char c; __align__(16) float x; };\n", "struct V { int bits : 3; };\n"})
        EXPECT_THROW(with(record, "V* v = (V*)b; V one = v[threadIdx.x];"), SourceError) << record;
    EXPECT_FALSE(with("", "")->assumes());
    EXPECT_TRUE(with("", "memcpy(a, b, 16);")->assumes());
    EXPECT_TRUE(with("", "float x = tex2D<float>(3, 0, 0);")->assumes());
    EXPECT_TRUE(with("", "float x = curand_uniform((curandState*)b);")->assumes());
}

// Each call reads its function anew, while the one that calls is still being read.
TEST(AsPasted, FunctionsCallEachOtherDeeply) {
    std::string text = "// launch grid=1 block=32\n__device__ float f0(const float* p) { return p[0]; }\n";
    for (int i = 1; i < 12; ++i)
        text += "__device__ float f" + std::to_string(i) + "(const float* p) { return f" +
                std::to_string(i - 1) + "(p) + f" + std::to_string(i - 1) + "(p + 32); }\n";
    const auto launch =
        launch_of(text + "__global__ void k(float* a) { a[threadIdx.x] = f9(a + threadIdx.x); }\n");
    EXPECT_EQ(done_by(*launch).size(), 513u);
    EXPECT_THROW(launch_of(text + "__global__ void k(float* a) { a[threadIdx.x] = f11(a) + f11(a); }\n"),
                 SourceError);
}

TEST(AsPasted, WhatNeverEndsIsASentence) {
    for (const char* before :
         {"template <typename T> using item = typename std::item<T>;\n",
          "typedef thrust::item<float> item;\n",
          "template <int N> struct S { S<N + 1> x; };\nusing item = S<0>;\n", "struct item { item x; };\n",
          "#define item item item\n", "__device__ item again(item x) { return again(x); }\n"})
        EXPECT_THROW(launch_of(std::string(before) +
                               "__global__ void k(item<float>* a) { a[threadIdx.x] = again(a[0]); }\n"),
                     SourceError)
            << before;
}

// The pointers lie side by side, and their rows one behind the other, each as long as the largest number.
TEST(AsPasted, RowsAreReachedByTheirPointers) {
    const auto launch = launch_of(
        "// launch grid=4 block=64\n// let n = 64\n__global__ void k(float** a, float* rows[], int n) {\n"
        "  rows[blockIdx.x][threadIdx.x] = a[threadIdx.x][3];\n}\n");
    const std::vector<Done> done = done_by(*launch, 2);
    ASSERT_EQ(done.size(), 8u) << "two warps, each loads two pointers and a value, and stores one";
    const auto at = [&](const char* name) {
        const auto& all = launch->memories();
        return std::ranges::find(all, std::string(name), &typed::Memory::name)->begin;
    };
    const std::int64_t pitch = 64 * 4;
    for (int l = 0; l < 32; ++l) {
        EXPECT_EQ(done[0].address[l], at("a") + 8 * l);
        EXPECT_EQ(done[1].address[l], at("a[]") + pitch * l + 3 * 4);
        EXPECT_EQ(done[2].address[l], at("rows") + 2 * 8);
        EXPECT_EQ(done[3].address[l], at("rows[]") + 2 * pitch + 4 * l);
    }
    EXPECT_EQ(done[0].bytes, 8);
    EXPECT_EQ(done[1].bytes, 4);
    EXPECT_THAT(launch->warnings(),
                testing::Contains(HasSubstr("rows of 'a' are assumed to have 256 bytes")));
    EXPECT_EQ(launch->only_counted(), "pointers to pointers");
    EXPECT_THROW(launch_of("__global__ void k(float*** a) { a[0][0][0] = 1; }\n"), SourceError);
}

TEST(AsPasted, DynamicMemoryOfNvidiasSamples) {
    const std::string body =
        "  s[threadIdx.x] = a[threadIdx.x];\n  __syncthreads();\n  a[threadIdx.x] = s[31 - "
        "threadIdx.x];\n}\n";
    const std::string
        launch = "// launch grid=1 block=32 shared=128\n",
        helper =
            "template <class T> struct SharedMemory {\n"
            "  __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }\n"
            "  __device__ inline operator const T *() const { extern __shared__ int __smem[]; "
            "return (T *)__smem; }\n};\n";
    const auto plain = done_by(
        *launch_of(launch + "__global__ void k(float* a) {\n  extern __shared__ float s[];\n" + body));
    const std::string kernel =
        "template <class T> __global__ void k(T* a) {\n  T* s = SharedMemory<T>();\n" + body;
    EXPECT_EQ(done_by(*launch_of(launch + helper + kernel)), plain);
    EXPECT_EQ(done_by(*launch_of(launch + kernel)), plain) << "where the helper is in another file";
}

TEST(AsPasted, ArraysOfOtherFilesAreAssumedUnlessTheyAreMistyped) {
    const auto launch = launch_of(
        "// launch grid=1 block=32\n__global__ void k(float* out) { out[threadIdx.x] = M[threadIdx.x] + c_table[1]; }\n");
    EXPECT_EQ(launch->accesses().size(), 3u);
    EXPECT_THAT(launch->warnings(), testing::Contains(HasSubstr("'c_table' is not in this text")));
    EXPECT_EQ(launch->only_counted(), "arrays of other files");
    EXPECT_THROW(launch_of("__global__ void k(float* out) { ou[threadIdx.x] = 1; }\n"), SourceError);
    EXPECT_THROW(launch_of("__global__ void k(float* values) { value[threadIdx.x] = 1; }\n"), SourceError);
}

TEST(AsPasted, WhatTheHostReadsIsNotKnown) {
    for (const char* reads : {"scanf(\"%d\", &threads);", "std::cin >> threads;", "getThreads(&threads);"}) {
        const auto launch = launch_of(
            "__global__ void k(float* a) { a[threadIdx.y * blockDim.x + threadIdx.x] = 1; }\n"
            "int main() { int threads = 0; " +
            std::string(reads) + " dim3 block(threads, threads); k<<<4, block>>>(a); }\n");
        EXPECT_EQ(launch->launch().grid_x, 4) << reads;
        EXPECT_EQ(launch->launch().block_x, 16) << reads;
    }
}

// A launch that the text decides is refused as a comment's is. One that may be another when it runs is
// replaced.
TEST(AsPasted, ALaunchThatNoGpuCanDoIsRefused) {
    const std::string kernel = "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n";
    const std::pair<const char*, const char*> kWrong[] = {
        {"k<<<2, 2048>>>(a);", "a block of (2048, 1, 1) cannot be launched: it has 1 to 1024 threads"},
        {"dim3 t(64, 64); k<<<2, t>>>(a);", "a block of (64, 64, 1) cannot be launched"},
        {"dim3 t(1, 1, 128); k<<<2, t>>>(a);", "a block of (1, 1, 128) cannot be launched"},
        {"dim3 g(1, 70000); k<<<g, 64>>>(a);", "a grid of (1, 70000, 1) cannot be launched"},
        {"k<<<0, 256>>>(a);", "a grid of (0, 1, 1) cannot be launched"},
    };
    for (const auto& [host, sentence] : kWrong) {
        try {
            launch_of(kernel + "int main() { " + host + " }\n");
            ADD_FAILURE() << host;
        } catch (const SourceError& error) {
            EXPECT_THAT(error.what(), HasSubstr(sentence));
            EXPECT_EQ(error.position().line, 2) << host;
        }
    }
    const auto launch =
        launch_of(kernel + "int main(int argc) { int t = 2048; if (argc) t = 4096; k<<<2, t>>>(a); }\n");
    EXPECT_EQ(launch->launch().block_x, 256);
    EXPECT_THAT(launch->warnings(), testing::Contains(HasSubstr("cannot be launched")));
}

// A launch without a third number has no dynamic shared memory: what is done there is wrong, and is said.
TEST(AsPasted, ALaunchThatGivesNoSharedMemoryIsSaidToBeWrong) {
    const std::string kernel =
        "__global__ void k(float* a) { extern __shared__ float s[]; s[threadIdx.x] = 1; }\n";
    const auto none = launch_of(kernel + "int main() { k<<<10, 256>>>(a); }\n");
    EXPECT_THAT(none->out_of_bounds(), HasSubstr("'s' has no byte"));
    EXPECT_THAT(none->warnings(), testing::Not(testing::Contains(HasSubstr("assumed"))));
    EXPECT_EQ(none->only_counted(), "accesses out of bounds");
    const auto given = launch_of(kernel + "int main() { k<<<10, 256, 1024>>>(a); }\n");
    EXPECT_EQ(given->out_of_bounds(), "");
    EXPECT_EQ(given->shared_bytes(), 1024);
    const auto unknown = launch_of(kernel + "int main() { k<<<10, 256, bytes()>>>(a); }\n");
    EXPECT_EQ(unknown->out_of_bounds(), "");
    EXPECT_THAT(unknown->warnings(), testing::Contains(HasSubstr("49152 bytes of dynamic shared memory")));
}

// A comment that gives an array its size refuses what leaves it; the host code of a file does not, because
// the file is what somebody wants to look at.
TEST(AsPasted, WhatLeavesItsArrayIsSaidAndPictured) {
    const std::string kernel = "__global__ void k(float* a) { a[threadIdx.x + 32] = 1; }\n";
    const auto launch =
        launch_of(kernel + "int main() { float* d; cudaMalloc(&d, 128); k<<<1, 32>>>(d); }\n");
    EXPECT_EQ(done_by(*launch)[0].address[31] - launch->memories()[0].begin, 63 * 4);
    EXPECT_THAT(launch->out_of_bounds(), HasSubstr("accesses byte 128 of 'a', which has 128 bytes"));
    EXPECT_EQ(launch->only_counted(), "accesses out of bounds");
    EXPECT_THROW(launch_of("// launch grid=1 block=32\n// out a float[32]\n" + kernel), SourceError);
}

// 2^62 elements of 4 bytes are 0 bytes modulo 2^64.
TEST(AsPasted, AddressesThatWrapAreOutOfBounds) {
    for (const char* body : {"a[threadIdx.x + (1ll << 62)] = 1;", "float* p = a + (1ll << 62); *p = 1;",
                             "a += (1ll << 62); a[0] = 1;", "a[-(1ll << 60) - threadIdx.x] = 1;"}) {
        const std::string kernel = std::string("__global__ void k(float* a) { ") + body + " }\n";
        EXPECT_THROW(launch_of("// launch grid=1 block=32\n// out a float[64]\n" + kernel), SourceError)
            << body;
        EXPECT_THROW(launch_of("// launch grid=1 block=32\n" + kernel), SourceError) << body;
    }
}

TEST(AsPasted, NumbersDifferWhereEqualOnesDoNothing) {
    const auto launch = launch_of(
        "__global__ void k(float* a, int n, int x1, int x2) {\n"
        "  if (x1 == x2) return;\n  if (threadIdx.x < n) a[threadIdx.x] = 1;\n}\n");
    EXPECT_EQ(launch->accesses().size(), 1u);
}

TEST(AsPasted, SmallThingsOfOldCode) {
    expect_same("", "b[t] = (long double)a[t]; __syncthreads;", "b[t] = a[t];");
    const auto access = [](const std::string& body) {
        launch_of("__global__ void k(float* a) { " + body + " }\n");
    };
    EXPECT_THROW(
        {
            try {
                access("int i = forloop(); printf(\"%d\", i);");
            } catch (const SourceError& error) {
                EXPECT_EQ(error.kind(), SourceError::Kind::no_access);
                EXPECT_THAT(error.what(), HasSubstr("anything but what is left out"));
                throw;
            }
        },
        SourceError);
}

TEST(AsPasted, AGridHasThreeDimensions) {
    const auto launch = launch_of(
        "// launch grid=(2, 3, 4) block=32\n__global__ void k(float* a) {\n"
        "  a[((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * 32 + threadIdx.x] = 0;\n}\n");
    EXPECT_EQ(launch->launch().rows(), 12);
    for (int y = 0; y < 12; ++y) EXPECT_EQ(done_by(*launch, 1, y)[0].address[0], (y * 2 + 1) * 128);
}

// An array's first values may follow from the thread, and from memory.
TEST(AsPasted, AnArrayBeginsWithWhatItsBracesSay) {
    expect_same("", "int i[4] = {t, 1, 2, 3}; b[i[0] + i[1]] = 1;", "b[t + 1] = 1;");
    expect_same("", "float f[2] = {a[t], a[t + 64]}; b[t] = f[0] + f[1];", "b[t] = a[t] + a[t + 64];");
    expect_same("", "const int i[2][3] = {{t}, {t * 2, 5}}; b[i[1][0] + i[1][1] + i[0][2]] = 1;",
                "b[t * 2 + 5] = 1;");
}

// Of functions with one name that one is called whose parameters are of the arguments' types.
TEST(AsPasted, OverloadsAndSpecializationsAreToldApart) {
    expect_same("__device__ int f(int x) { return x; }\n__device__ int f(float) { return 7; }\n",
                "b[f(t) * 2 + f(1.0f)] = 1;", "b[t * 2 + 7] = 1;");
    expect_same("__device__ int f(const int*) { return 3; }\n__device__ int f(const float*) { return 5; }\n",
                "int i[1] = {0}; float x[1] = {0}; b[f(i) * t + f(x)] = 1;", "b[3 * t + 5] = 1;");
    expect_same("__device__ int f(int x) { return x; }\n__device__ int f(unsigned x) { return 4 * x; }\n",
                "b[f(t) + f(3u)] = 1;", "b[t + 12] = 1;");
    expect_same("template <class T> __device__ int f(T) { return 2; }\n__device__ int f(int) { return 3; }\n",
                "b[f(t) * t + f(1.0)] = 1;", "b[3 * t + 2] = 1;");
    expect_same(
        "template <int N> __device__ int f(int x) { return N * x; }\n"
        "template <> __device__ int f<2>(int x) { return 5; }\n",
        "b[f<3>(t) + f<2>(t)] = 1;", "b[3 * t + 5] = 1;");
    expect_same(
        "template <class T> struct Z { static const int v = 1; };\n"
        "template <> struct Z<double> { static const int v = 2; };\n",
        "b[Z<float>::v * t + Z<double>::v * t] = 1;", "b[3 * t] = 1;");
}

// An index made of a real number that a function of the text returns was not known.
TEST(AsPasted, IndicesFollowFromRealNumbersThatFunctionsReturn) {
    expect_same("__device__ int f(int x) { return x + 1; }\n", "b[(int)(f(t) * 0.5f + 1.75f)] = 1;",
                "b[(t + 1) / 2 + 1 + (t + 1) % 2] = 1;");
    expect_same("__device__ float f(int x) { return x * 0.5f; }\n", "b[(int)f(t)] = 1;", "b[t / 2] = 1;");
}

// What stands for certain arguments only is not there for others.
TEST(AsPasted, ATemplateWithoutABodyIsASentence) {
    const std::string before =
        "template <int N> __device__ int f(int x);\n"
        "template <> __device__ int f<0>(int x) { return 2 * x; }\n";
    expect_same(before, "b[f<0>(t)] = 1;", "b[2 * t] = 1;");
    EXPECT_THROW(TypedProgram(before + "__global__ void k(float* a) { a[f<1>(threadIdx.x)] = 1; }", "my.cu"),
                 SourceError);
}

// Kirk and Hwu's launches: "ceil(n / (float)28)" is 36 for 1000.
TEST(AsPasted, TheHostDividesRealNumbersWithoutCuttingThemOff) {
    for (const char* blocks : {"ceil(n / (float)28)", "ceil((float)n / 28)", "ceil(double(n) / 28)",
                               "ceil(static_cast<double>(n) / 28)", "ceil(w / 28)", "(n + 27) / 28"}) {
        const auto launch =
            launch_of(std::string("__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
                                  "int main() { int n = 1000; float w = n; float* a; cudaMalloc(&a, 4096);\n"
                                  "k<<<") +
                      blocks + ", 32>>>(a); }\n");
        EXPECT_EQ(launch->launch().grid_x, 36) << blocks;
    }
}

// Found by fuzzing: "operator" as the last word of a text.
TEST(AsPasted, ATextMayEndInTheMiddleOfADeclaration) {
    EXPECT_NO_THROW(TypedProgram("__global__ void k(float* a) { a[0] = 1; }\nint b operator", "my.cu"));
}

}  // namespace
}  // namespace warplens::test::as_pasted_tests
