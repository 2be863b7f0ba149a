// The fastest FP32 product that we know to write without tensor cores, with what can be chosen left open as
// macros: run.sh compiles it many times. Without macros it is the kernel `ladder_lean` of
// kernels/scenarios/cuda/matrix_ladder.cu. Matrices are n x n floats, stored row by row.
#ifndef DEPTH
#define DEPTH 8  // how many k are in a tile
#endif
#ifndef LANES_DOWN
#define LANES_DOWN 4  // lanes of a warp that stand below each other; a warp computes 8 times as many rows
#endif
#ifndef ORDER
#define ORDER 1  // of a thread's sums: 0 row by row, 1 column by column, 2 two columns at a time
#endif
#ifndef KEEP
#define KEEP 3  // the k before which a tile begins to go from registers to shared memory
#endif
#ifndef FETCH
#define FETCH (DEPTH - kLoads)  // the k before which the loads of the next one begin
#endif
#ifndef LOADS_AT_ONCE
#define LOADS_AT_ONCE 1  // loads from shared memory before each 16 multiply-adds
#endif
#ifndef STORE
#define STORE 1  // of C: 0 where the compiler likes, 1 one by one, 4 four at once
#endif
#ifndef PADDING
#define PADDING 4  // of a column of A's tile
#endif
#ifndef GROUP
#define GROUP 8  // rows of blocks that run together
#endif

constexpr int kRows = 128, kColumns = 256, kDepth = DEPTH, kThreads = 256, kFloat = sizeof(float);
constexpr int kPerRow = kThreads / kDepth, kPitch = kRows + PADDING;
constexpr int kLoadsA = kRows * kDepth / 4 / kThreads, kLoadsB = kColumns / 4 / kPerRow;
constexpr int kLoads = kLoadsA + kLoadsB, kRowsAtOnce = 4 * kThreads / kDepth;
constexpr int kTileA = kDepth * kPitch, kPair = (kTileA + kDepth * kColumns) * kFloat;
constexpr int kLanesDown = LANES_DOWN, kLanesAcross = 32 / kLanesDown;
constexpr int kWarpRows = 8 * kLanesDown, kWarpColumns = 16 * kLanesAcross;
static_assert(KEEP + kLoads <= kDepth && FETCH + kLoads <= kDepth, "each load has a k of its own");
static_assert(KEEP <= FETCH, "a register is stored before it is loaded again");

__device__ const float4& four(const float* first) { return *reinterpret_cast<const float4*>(first); }
__device__ unsigned address_in_shared(const float* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
// `volatile` keeps these between the multiply-adds; else the compiler gathers them.
__device__ void load_group(float* to, unsigned from) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(from));
}
__device__ void store_group(unsigned to, float4 v) {
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}
__device__ void store_value(unsigned to, float value) {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
}

/// The row and column of the sum that is number e in the order.
__device__ constexpr int row_of(int e) {
    if (ORDER == 0) return e / 16;
    if (ORDER == 1) return e / 8 % 2 == 0 ? e % 8 : 7 - e % 8;
    return e / 16 % 2 == 0 ? e % 16 / 2 : 7 - e % 16 / 2;
}
__device__ constexpr int column_of(int e) {
    if (ORDER == 0) return e / 16 % 2 == 0 ? e % 16 : 15 - e % 16;
    if (ORDER == 1) return e / 8;
    return e / 16 * 2 + (e % 2 ^ e / 2 % 2);
}

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    product(int n, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    extern __shared__ __align__(16) float shared[];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int of_group = GROUP * (n / kColumns), id = blockIdx.x, first_row = id / of_group * GROUP;
    const int down = min(n / kRows - first_row, GROUP);
    const int row = (first_row + id % of_group % down) * kRows, column = id % of_group / down * kColumns;
    constexpr bool kWide = kLanesDown == 4;  // lanes in the order in which they share their loads
    const int lane_row = lane / 2 % 2 + (kWide ? lane / 8 % 2 : lane / 8) * 2;
    const int lane_column = lane % 2 + lane / 4 % 2 * 2 + (kWide ? lane / 16 * 4 : 0);
    const int y = warp / (kColumns / kWarpColumns) * kWarpRows + lane_row * 4;
    const int x = warp % (kColumns / kWarpColumns) * kWarpColumns + lane_column * 4;
    const int row_a = 4 * thread / kDepth, k_a = 4 * thread % kDepth;
    const float* from_a = a + (row + row_a) * static_cast<size_t>(n) + k_a;
    const float* from_b = b + thread / kPerRow * static_cast<size_t>(n) + column + thread % kPerRow * 4;
    const unsigned to_a = address_in_shared(shared + k_a * kPitch + row_a);
    const unsigned to_b =
        address_in_shared(shared + kTileA + thread / kPerRow * kColumns + thread % kPerRow * 4);
    const unsigned tile_a = address_in_shared(shared + y), tile_b = address_in_shared(shared + kTileA + x);
    float4 next[kLoads];
    const auto fetch = [&](int i) {
        next[i] = i < kLoadsA ? four(from_a + i * kRowsAtOnce * static_cast<size_t>(n))
                              : four(from_b + (i - kLoadsA) * kPerRow * 4);
    };
    const auto keep = [&](unsigned pair, int i) {
        if (i >= kLoadsA) {
            store_group(to_b + pair + (i - kLoadsA) * kPerRow * 4 * kFloat, next[i]);
            return;
        }
        const unsigned to = to_a + pair + i * kRowsAtOnce * kFloat;
        store_value(to, next[i].x);
        store_value(to + kPitch * kFloat, next[i].y);
        store_value(to + 2 * kPitch * kFloat, next[i].z);
        store_value(to + 3 * kPitch * kFloat, next[i].w);
    };
    const auto advance = [&] {
        from_a += kDepth;
        from_b += kDepth * static_cast<size_t>(n);
    };
    float value_a[2][8], value_b[2][16], sum[8][16] = {};
    const auto load = [&](int to, unsigned pair, int k, int i) {  // 4 of the 24 values for one k
        if (i < 2)
            load_group(value_a[to] + 4 * i, tile_a + pair + (k * kPitch + 4 * kLanesDown * i) * kFloat);
        else
            load_group(value_b[to] + 4 * (i - 2),
                       tile_b + pair + (k * kColumns + 4 * kLanesAcross * (i - 2)) * kFloat);
    };
#pragma unroll
    for (int i = 0; i < kLoads; ++i) fetch(i);
    advance();
#pragma unroll
    for (int i = 0; i < kLoads; ++i) keep(0, i);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) fetch(i);
    advance();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 6; ++i) load(0, 0, 0, i);
    const int tiles = n / kDepth;
    unsigned used = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        const unsigned filled = used ^ kPair;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            const bool last = k == kDepth - 1;
            if (last) __syncthreads();
            if (tile + 1 < tiles && k >= KEEP && k < KEEP + kLoads) keep(filled, k - KEEP);
            if (tile + 2 < tiles && k >= FETCH && k < FETCH + kLoads) fetch(k - FETCH);
#pragma unroll
            for (int e = 0; e < 128; ++e) {
                if (e % 16 == 0) {
#pragma unroll
                    for (int i = 0; i < LOADS_AT_ONCE; ++i) {
                        const int which = e / 16 * LOADS_AT_ONCE + i;
                        if (which < 6) load((k + 1) % 2, last ? filled : used, last ? 0 : k + 1, which);
                    }
                }
                sum[row_of(e)][column_of(e)] += value_a[k % 2][row_of(e)] * value_b[k % 2][column_of(e)];
            }
        }
        advance();
        used = filled;
    }
    c += (row + y) * static_cast<size_t>(n) + column + x;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            float* const to = c + (i / 4 * 4 * kLanesDown + i % 4) * static_cast<size_t>(n) +
                              j / 4 * 4 * kLanesAcross + j % 4;
            if (STORE == 1)
                asm volatile("st.global.f32 [%0], %1;" ::"l"(to), "f"(sum[i][j]) : "memory");
            else if (STORE == 0)
                *to = sum[i][j];
            else if (j % 4 == 0)
                *reinterpret_cast<float4*>(to) =
                    make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
    }
}

/// What the launcher needs to know: rows, columns, threads, bytes of shared memory.
extern "C" __constant__ int shape[4] = {kRows, kColumns, kThreads, 2 * kPair};
