// One configuration of the fastest FP32 product that we know to write without tensor cores, for tune.sh,
// which compiles it many times: what is left open is set by macros. Matrices are n x n floats, stored row by
// row.
#ifndef ROWS
#define ROWS 128  // of C, that a block computes
#endif
#ifndef COLUMNS
#define COLUMNS 256
#endif
#ifndef DEPTH
#define DEPTH 8  // how many k are in a tile
#endif
#ifndef DOWN
#define DOWN 8  // rows of C, that a thread computes
#endif
#ifndef ACROSS
#define ACROSS 16
#endif
#ifndef BY_COLUMNS
#define BY_COLUMNS \
    1  // the order of a thread's sums: 0 row by row, 1 column by column, 2 two columns at a time
#endif
#ifndef STORE_ONE
#define STORE_ONE 1  // 1: sums are stored one by one, 0: four at once
#endif
#ifndef KEEP
#define KEEP 3  // k from the first load of the next tile to its first store into shared memory
#endif
#ifndef VOLATILE
#define VOLATILE 1  // 1: accesses of shared memory stay where they stand, 0: the compiler places them
#endif
#ifndef GROUP
#define GROUP 8  // rows of blocks that run together
#endif
#ifndef BLOCKS
#define BLOCKS 1  // on an SM, at least
#endif

constexpr int kThreads = ROWS * COLUMNS / (DOWN * ACROSS), kPitch = ROWS + 4;
constexpr int kTileA = DEPTH * kPitch, kPair = kTileA + DEPTH * COLUMNS;
constexpr int kLanesDown = 8, kLanesAcross = 4;
constexpr int kWarpRows = kLanesDown * DOWN, kWarpColumns = kLanesAcross * ACROSS;
constexpr int kPerRow = kThreads / DEPTH;  // threads that load a row of B's tile
constexpr int kLoadsA = ROWS * DEPTH / 4 / kThreads, kLoadsB = COLUMNS / 4 / kPerRow;
constexpr int kLoads = kLoadsA + kLoadsB, kPerStep = kLoads + KEEP < DEPTH ? 1 : 2;
static_assert(kLoadsA * kThreads * 4 == ROWS * DEPTH && kLoadsB * kPerRow * 4 == COLUMNS);

__device__ float4& four(float* first) { return *reinterpret_cast<float4*>(first); }
__device__ const float4& four(const float* first) { return *reinterpret_cast<const float4*>(first); }

__device__ unsigned address_in_shared(const float* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ void load_group(float* to, const float* from) {
    if (!VOLATILE) return void(four(to) = four(from));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(address_in_shared(from)));
}
__device__ void store_group(float* to, float4 v) {
    if (!VOLATILE) return void(four(to) = v);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address_in_shared(to)), "f"(v.x), "f"(v.y),
                 "f"(v.z), "f"(v.w)
                 : "memory");
}
__device__ void store_value(float* to, float value) {
    if (!VOLATILE) return void(*to = value);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address_in_shared(to)), "f"(value) : "memory");
}

/// The row and column of the sum that is number e in the order.
__device__ constexpr int row_of(int e) {
    if (BY_COLUMNS == 0) return e / ACROSS;
    if (BY_COLUMNS == 1) return e / DOWN % 2 == 0 ? e % DOWN : DOWN - 1 - e % DOWN;
    return e / (2 * DOWN) % 2 == 0 ? e % (2 * DOWN) / 2 : DOWN - 1 - e % (2 * DOWN) / 2;
}
__device__ constexpr int column_of(int e) {
    if (BY_COLUMNS == 0) return e / ACROSS % 2 == 0 ? e % ACROSS : ACROSS - 1 - e % ACROSS;
    if (BY_COLUMNS == 1) return e / DOWN;
    return e / (2 * DOWN) * 2 + (e % 2 ^ e / 2 % 2);
}

extern "C" __global__ void __launch_bounds__(kThreads, BLOCKS)
    product(int n, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    extern __shared__ __align__(16) float shared[];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int of_group = GROUP * (n / COLUMNS), id = blockIdx.x, first_row = id / of_group * GROUP;
    const int down = min(n / ROWS - first_row, GROUP);
    const int row = (first_row + id % of_group % down) * ROWS, column = id % of_group / down * COLUMNS;
    const int y = warp / (COLUMNS / kWarpColumns) * kWarpRows + (lane / 2 % 2 + lane / 8 * 2) * 4;
    const int x = warp % (COLUMNS / kWarpColumns) * kWarpColumns + (lane % 2 + lane / 4 % 2 * 2) * 4;
    const int row_a = 4 * thread / DEPTH, k_a = 4 * thread % DEPTH;
    a += (row + row_a) * n + k_a;
    b += thread / kPerRow * n + column + thread % kPerRow * 4;
    float* const to_a = shared + k_a * kPitch + row_a;
    float* const to_b = shared + kTileA + thread / kPerRow * COLUMNS + thread % kPerRow * 4;
    float4 next[kLoads];
    const auto fetch = [&](int i) {
        next[i] =
            i < kLoadsA ? four(a + i * (4 * kThreads / DEPTH) * n) : four(b + (i - kLoadsA) * kPerRow * 4);
    };
    const auto keep = [&](int pair, int i) {
        if (i >= kLoadsA) {
            store_group(to_b + pair + (i - kLoadsA) * kPerRow * 4, next[i]);
            return;
        }
        float* const to = to_a + pair + i * (4 * kThreads / DEPTH);
        store_value(to, next[i].x), store_value(to + kPitch, next[i].y);
        store_value(to + 2 * kPitch, next[i].z), store_value(to + 3 * kPitch, next[i].w);
    };
    const auto advance = [&] { a += DEPTH, b += DEPTH * n; };
    for (int i = 0; i < kLoads; ++i) fetch(i);
    for (int i = 0; i < kLoads; ++i) keep(0, i);
    advance();
    __align__(16) float from_a[2][DOWN], from_b[2][ACROSS];
    float sum[DOWN][ACROSS] = {};
    const auto load_values = [&](const float* tile, int k, int to) {
#pragma unroll
        for (int i = 0; i < DOWN; i += 4) load_group(from_a[to] + i, tile + k * kPitch + y + i * kLanesDown);
#pragma unroll
        for (int j = 0; j < ACROSS; j += 4)
            load_group(from_b[to] + j, tile + kTileA + k * COLUMNS + x + j * kLanesAcross);
    };
    __syncthreads();
    load_values(shared, 0, 0);
    for (int first = 0, used = 0; first < n; first += DEPTH) {
        const int filled = used ^ kPair;
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            for (int i = k * kPerStep; i < (k + 1) * kPerStep && i < kLoads; ++i)
                if (first + DEPTH < n) fetch(i);
            for (int i = (k - KEEP) * kPerStep; i < (k - KEEP + 1) * kPerStep && i < kLoads; ++i)
                if (i >= 0 && first + DEPTH < n) keep(filled, i);
            if (k == DEPTH - 1) __syncthreads();
            load_values(shared + (k == DEPTH - 1 ? filled : used), (k + 1) % DEPTH, (k + 1) % 2);
#pragma unroll
            for (int e = 0; e < DOWN * ACROSS; ++e)
                sum[row_of(e)][column_of(e)] += from_a[k % 2][row_of(e)] * from_b[k % 2][column_of(e)];
        }
        advance();
        used = filled;
    }
    c += (row + y) * n + column + x;
#pragma unroll
    for (int i = 0; i < DOWN; ++i) {
#pragma unroll
        for (int j = 0; j < ACROSS; j += 4) {
            float* const to = c + (i / 4 * 4 * kLanesDown + i % 4) * n + j * kLanesAcross;
            if (STORE_ONE)
                to[0] = sum[i][j], to[1] = sum[i][j + 1], to[2] = sum[i][j + 2], to[3] = sum[i][j + 3];
            else
                four(to) = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
    }
}

/// What the launcher needs to know: rows, columns, threads, bytes of shared memory.
extern "C" __constant__ int shape[4] = {ROWS, COLUMNS, kThreads, 2 * kPair * 4};
