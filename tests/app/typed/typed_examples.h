#pragma once

#include "app/base/assets.h"
#include "app/typed/program.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::test {

/// Kernels in the subset with knobs that make small grids.
struct TypedExample {
    const char* name;
    const char* text;
};

inline std::span<const TypedExample> typed_examples() {
    static constexpr TypedExample kExamples[] = {
        {"stride", R"(// knob n = 4096 in 300..4400 "elements"
// knob stride = 1 in 1..9
// launch grid=(n+255)/256 block=256
__global__ void scale(const float* in,  // in float[n*stride] random
                      float* out,       // out float[n]
                      int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i * stride];
}
)"},
        {"transpose", R"(#include <cuda_runtime.h>
#define TILE 32
#define PAD 0
// knob n = 2^8 in 2^5..2^8
// knob PAD = 0 in 0..8
// launch grid=(n/TILE, n/TILE) block=(TILE, 8)
__global__ void transpose(const float* __restrict__ in,  // in float[n*n]
                          float* __restrict__ out,       // out float[n*n]
                          int n) {
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
)"},
        {"ragged", R"(// knob w = 70 in 1..200
// knob h = 50 in 1..90
// launch grid=((w+31)/32, (h+7)/8) block=(32, 8)
__global__ void blur(const float* in,  // in float[w*h]
                     float* out,       // out float[w*h]
                     int w, int h) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int d = -1; d <= 1; ++d)
        if (x + d >= 0 && x + d < w) sum += in[y * w + x + d];
    out[(h - 1 - y) * w + x] = sum;
}
)"},
        {"gather", R"(// let n = 2048
// knob shift = 3 in 0..9
// launch grid=n/128 block=128
__global__ void gather(const int* index,  // index int[n] permuted
                       const float2* in,  // in float2[n]
                       float* out,        // out float[n]
                       int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v = in[index[(i + shift) % n] & ~1];
    if (v.x > 0.0f) v.x = 1.0f;
    out[n - 1 - i] = v.x + v.y;
}
)"},
        {"swizzle", R"(// knob rows = 8 in 1..40
// launch grid=rows block=(32, 4)
__global__ void swizzle(float4* a,  // out float4[rows*128]
                        int rows) {
    __shared__ float4 s[4][32];
    float own[4];
    for (int i = 0; i < 4; ++i) own[i] = 0;
    const int column = threadIdx.x ^ (threadIdx.y * 2 + blockIdx.x % 2);
    s[threadIdx.y][column] = a[(blockIdx.x * 4 + threadIdx.y) * 32 + threadIdx.x];
    __syncthreads();
    own[threadIdx.x / 8] = 1.0f;
    if (blockIdx.x * 3 != 9) a[blockIdx.x * 128 + threadIdx.y * 32 + threadIdx.x] = s[column % 4][threadIdx.x];
}
)"},
    };
    return kExamples;
}

/// The kernels that come with the program, each under the name of its file without ".cu".
inline std::map<std::string, std::string> shipped_kernels() {
    constexpr std::string_view kFolder = "assets/typed/", kEnding = ".cu";
    std::map<std::string, std::string> all;
    for (std::string_view path : asset_paths()) {
        if (!path.starts_with(kFolder) || !path.ends_with(kEnding)) continue;
        const std::string text(asset(path));
        path.remove_prefix(kFolder.size());
        path.remove_suffix(kEnding.size());
        all.emplace(path, text);
    }
    return all;
}

/// A text at the initial values of its knobs.
inline std::shared_ptr<const typed::TypedLaunch> launch_of(const std::string& text,
                                                           const std::string& kernel = {}) {
    const typed::TypedProgram program(text, "my.cu", kernel);
    std::vector<std::int64_t> values;
    for (const typed::TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    return program.launch(values);
}

inline const TypedExample& typed_example(std::string_view name) {
    for (const TypedExample& example : typed_examples())
        if (example.name == name) return example;
    return typed_examples().front();
}

}  // namespace warplens::test
