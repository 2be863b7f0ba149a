// Blocks stream tiles of global memory through shared memory: through registers, by copies of each thread
// that pass none (cp.async), or by the tensor memory accelerator (TMA), which copies a whole tile for one
// thread. As many tiles of a block are on their way at once as there are stages.
//
// Launch shape: blocks that stay until all is read, one to eight for each SM. Each walks down a strip of a
// matrix and stores the sum of what each of its threads has read.
#include "kernels/scenarios/async_copy.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

#include <cuda.h>

namespace warplens {
namespace async_copy {

/// A tile: some rows of a matrix. In shared memory it stands in boxes that are as wide as a span, one behind
/// the other.
struct Tile {
    int rows_log2, row_log2, span_log2;  // powers of two: rows, bytes of a row, bytes of a span
    int changed;                         // the bits of an address that the swizzle changes
    bool by_columns;                     // how threads read it
    size_t pitch;                        // from one row of the matrix to the next [bytes]
};
__device__ int bytes_of(const Tile& tile) { return 1 << (tile.rows_log2 + tile.row_log2); }

/// The place in global memory of a tile's byte `at`, counted row by row.
__device__ size_t place_in_matrix(const Tile& tile, int at) {
    return (at >> tile.row_log2) * tile.pitch + (at & ((1 << tile.row_log2) - 1));
}

/// The place in shared memory of a tile's byte `at`, counted row by row. The bits 4 to 6 of the address,
/// which count chunks of 16 bytes, are changed by the bits 7 to 9, which count 128 bytes. With `changed` = 0
/// nothing changes.
__device__ int place_in_tile(const Tile& tile, int at) {
    const int row = at >> tile.row_log2, column = at & ((1 << tile.row_log2) - 1);
    const int box = column >> tile.span_log2;
    const int place = (((box << tile.rows_log2) + row) << tile.span_log2) + column - (box << tile.span_log2);
    return place ^ (place >> 3 & tile.changed);
}

/// The sum of a thread's share of a tile, 16 bytes at a time: neighbours read what stands side by side in a
/// row, or in a column.
__device__ float add_up(const char* shared, const Tile& tile) {
    const float4* chunks = reinterpret_cast<const float4*>(shared);
    float sum = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < bytes_of(tile) / 16; i += blockDim.x) {
        const int row = i & ((1 << tile.rows_log2) - 1), column = i >> tile.rows_log2;
        const int at = tile.by_columns ? (row << tile.row_log2) + column * 16 : i * 16;
        const float4 four = chunks[place_in_tile(tile, at) / 16];  // access: read tile
        sum += four.x + four.y + four.z + four.w;
    }
    return sum;
}

/// Through registers. What is on its way needs a register for every word, and the thread waits for it when it
/// stores it to the tile.
/// @param tiles  of a block
template <class T, int kEach, int kStages>
__global__ void __launch_bounds__(256, 1)
    stream_through_registers(const char* __restrict__ in, float* out, int tiles, Tile tile) {
    extern __shared__ __align__(1024) char shared[];
    const char* strip = in + (blockIdx.x << tile.row_log2);
    T ahead[kStages][kEach];
    const auto fetch = [&](int t, int s) {
        const char* from = strip + (size_t(t) << tile.rows_log2) * tile.pitch;
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            const int at = (i * blockDim.x + threadIdx.x) * sizeof(T);
            ahead[s][i] = *reinterpret_cast<const T*>(from + place_in_matrix(tile, at));  // access: load in
        }
    };
#pragma unroll
    for (int s = 0; s < kStages; ++s)
        if (s < tiles) fetch(s, s);
    float sum = 0;
    for (int first = 0; first < tiles; first += kStages) {
#pragma unroll
        for (int s = 0; s < kStages; ++s) {
            const int t = first + s;
            if (t >= tiles) break;
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                const int at = (i * blockDim.x + threadIdx.x) * sizeof(T);
                *reinterpret_cast<T*>(shared + place_in_tile(tile, at)) = ahead[s][i];  // access: store tile
            }
            __syncthreads();
            if (t + kStages < tiles) fetch(t + kStages, s);
            sum += add_up(shared, tile);
            __syncthreads();  // the next tile takes its place
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // access: store out
}

/// Copies 4, 8 or 16 bytes to shared memory without passing registers, if the GPU can: from compute
/// capability 8.0 on. 16 bytes pass the L1 as well.
template <int kBytes>
__device__ void copy(char* to, const char* from) {
#if __CUDA_ARCH__ >= 800
    const auto address = unsigned(__cvta_generic_to_shared(to));
    if (kBytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(kBytes)
                     : "memory");
#endif
}

/// Ends a group of a thread's copies, which may be an empty one.
__device__ void end_group() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until all groups of the thread but the latest kLatest are there.
template <int kLatest>
__device__ void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(kLatest) : "memory");
#endif
}

/// By copies of each thread. A thread waits for its own, then the block for all of them.
/// @param tiles  of a block
template <class T, int kStages>
__global__ void __launch_bounds__(256, 1)
    stream_by_copies(const char* __restrict__ in, float* out, int tiles, Tile tile) {
    extern __shared__ __align__(1024) char shared[];
    const char* strip = in + (blockIdx.x << tile.row_log2);
    const auto fetch = [&](int t, char* to) {
        const char* from = strip + (size_t(t) << tile.rows_log2) * tile.pitch;
#pragma unroll 4
        for (int at = threadIdx.x * sizeof(T); at < bytes_of(tile); at += blockDim.x * sizeof(T)) {
            const char* source = from + place_in_matrix(tile, at);
            char* const place = to + place_in_tile(tile, at);
            copy<sizeof(T)>(place, source);  // access: copy in; copy in, into the tile
        }
    };
    for (int s = 0; s < kStages; ++s) {
        if (s < tiles) fetch(s, shared + s * bytes_of(tile));
        end_group();
    }
    float sum = 0;
    for (int t = 0, stage = 0; t < tiles; ++t, stage = stage + 1 == kStages ? 0 : stage + 1) {
        char* const there = shared + stage * bytes_of(tile);
        wait_for_groups<kStages - 1>();  // the thread's own copies
        __syncthreads();                 // those of all others
        sum += add_up(there, tile);
        __syncthreads();  // nobody reads it any more
        if (t + kStages < tiles) fetch(t + kStages, there);
        end_group();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // access: store out
}

// TMA, from compute capability 9.0 on. A barrier in shared memory (mbarrier) counts bytes: a thread announces
// how many will come, the copies count them off, and who wants them waits until none is missing.

__device__ unsigned shared_address(const void* of) { return unsigned(__cvta_generic_to_shared(of)); }

/// Barriers at which one thread arrives, seen by the copies as well.
__device__ void begin_barriers(unsigned long long* barriers, int count) {
#if __CUDA_ARCH__ >= 900
    for (int i = 0; i < count; ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barriers + i)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

__device__ void announce(unsigned long long* barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
#endif
}

/// Waits for the end of a phase of the barrier: phases are even and odd by turns.
__device__ void wait_for(unsigned long long* barrier, int parity) {
#if __CUDA_ARCH__ >= 900
    for (int passed = 0; passed == 0;)
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.s32 %0, 1, 0, p;\n}"
            : "=r"(passed)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
#endif
}

/// Has a line of memory copied.
__device__ void copy_line(char* to, const char* from, int bytes, unsigned long long* barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
#endif
}

/// Has a box of a matrix copied. The map knows the matrix, the size of the box and the swizzle.
__device__ void copy_box(char* to, const CUtensorMap& map, int column, int row, unsigned long long* barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(shared_address(to)),
        "l"(&map), "r"(column), "r"(row), "r"(shared_address(barrier))
        : "memory");
#endif
}

/// Adds up all tiles of a block. `fetch(t, to, barrier)` has a tile copied; one thread calls it, all wait.
template <class Fetch>
__device__ float stream_by_tma(char* shared, int tiles, int stages, const Tile& tile, Fetch fetch) {
    auto* const arrived = reinterpret_cast<unsigned long long*>(shared + stages * bytes_of(tile));
    const auto begin = [&](int t, int stage) {
        if (threadIdx.x != 0 || t >= tiles) return;
        announce(arrived + stage, bytes_of(tile));
        fetch(t, shared + stage * bytes_of(tile), arrived + stage);
    };
    if (threadIdx.x == 0) begin_barriers(arrived, stages);
    __syncthreads();  // now all see the mbarriers
    for (int s = 0; s < stages; ++s) begin(s, s);
    float sum = 0;
    for (int t = 0, stage = 0, parity = 0; t < tiles; ++t) {
        wait_for(arrived + stage, parity);
        sum += add_up(shared + stage * bytes_of(tile), tile);
        __syncthreads();  // nobody reads it any more
        begin(t + stages, stage);
        if (++stage == stages) stage = 0, parity ^= 1;
    }
    return sum;
}

/// By TMA, a line at a time.
/// @param tiles  of a block
__global__ void __launch_bounds__(256, 1)
    stream_lines(const char* __restrict__ in, float* out, int tiles, int stages, Tile tile) {
    extern __shared__ __align__(1024) char shared[];
    const char* strip = in + (blockIdx.x << tile.row_log2);
    const float sum =
        stream_by_tma(shared, tiles, stages, tile, [&](int t, char* to, unsigned long long* barrier) {
            const char* from = strip + t * tile.pitch;
            copy_line(to, from, bytes_of(tile), barrier);  // access: copy line; copy line, into the tile
        });
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // access: store out
}

/// By TMA, in boxes. A swizzle allows no wider ones than its span.
/// @param tiles  of a block
__global__ void __launch_bounds__(256, 1)
    stream_boxes(const __grid_constant__ CUtensorMap map, float* out, int tiles, int stages, Tile tile) {
    extern __shared__ __align__(1024) char shared[];
    const float sum =
        stream_by_tma(shared, tiles, stages, tile, [&](int t, char* to, unsigned long long* barrier) {
            const int first = blockIdx.x << tile.row_log2, row = t << tile.rows_log2;
            for (int byte = 0; byte < 1 << tile.row_log2; byte += 1 << tile.span_log2) {
                char* const box = to + (byte << tile.rows_log2);
                const int column = (first + byte) / 4;
                copy_box(box, map, column, row, barrier);  // access: copy box; copy box, into the tile
            }
        });
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;  // access: store out
}

using S = AsyncCopy;

__global__ void write_input(float* in, std::int64_t count) {
    const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all)
        in[i] = S::value_of(std::uint64_t(i));
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    LaunchShape shape = S::launch(p);
    shape.shared_bytes = 0;
    return launch_over(shape, stream, &write_input, array_of<float>(memory, 0),
                       shape.buffer_bytes[0] / S::kBytes);
}

Tile tile_of(const Params& p) {
    return {.rows_log2 = S::log2_of(S::rows(p)),
            .row_log2 = S::log2_of(S::row_bytes(p)),
            .span_log2 = S::log2_of(S::span(p)),
            .changed = S::changed_bits(p),
            .by_columns = p.walk == 1,
            .pitch = size_t(S::pitch(p))};
}

template <class T, int kEach>
std::optional<Unavailable> launch_each(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const int stages = S::stages(p);
    const auto kernel = stages == 1   ? &stream_through_registers<T, kEach, 1>
                        : stages == 2 ? &stream_through_registers<T, kEach, 2>
                        : stages == 3 ? &stream_through_registers<T, kEach, 3>
                                      : &stream_through_registers<T, kEach, 4>;
    return launch_over(S::launch(p), stream, kernel, array_of<const char>(memory, 0),
                       array_of<float>(memory, 1), S::tiles(p), tile_of(p));
}

template <class T>
std::optional<Unavailable> launch_element(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    constexpr int kOfChunk = S::kChunkBytes / sizeof(T);
    if (S::copies_by(p, CopyWay::registers)) {
        const int chunks = S::reads(p);
        return chunks == 1   ? launch_each<T, kOfChunk>(p, memory, stream)
               : chunks == 2 ? launch_each<T, 2 * kOfChunk>(p, memory, stream)
                             : launch_each<T, 4 * kOfChunk>(p, memory, stream);
    }
    const int stages = S::stages(p);
    const auto kernel = stages == 1   ? &stream_by_copies<T, 1>
                        : stages == 2 ? &stream_by_copies<T, 2>
                        : stages == 3 ? &stream_by_copies<T, 3>
                                      : &stream_by_copies<T, 4>;
    return launch_over(S::launch(p), stream, kernel, array_of<const char>(memory, 0),
                       array_of<float>(memory, 1), S::tiles(p), tile_of(p));
}

using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

/// The driver's function, or null. It is asked for at run time, so that the program starts without a driver.
EncodeTiled find_encoder() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    const auto status =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
    const auto status = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess || result != cudaDriverEntryPointSuccess) return nullptr;
    return reinterpret_cast<EncodeTiled>(found);
}

std::optional<Unavailable> launch_boxes(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    static const EncodeTiled encode = find_encoder();
    if (encode == nullptr) return Unavailable{"this driver makes no tensor maps, which boxes need"};
    constexpr CUtensorMapSwizzle kSwizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                                CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
    const auto pitch = cuuint64_t(S::pitch(p));
    const auto rows = cuuint32_t(S::rows(p));
    const cuuint64_t size[] = {pitch / S::kBytes, cuuint64_t{rows} * unsigned(S::tiles(p))};
    const cuuint32_t box[] = {cuuint32_t(S::span(p) / S::kBytes), rows}, steps[] = {1, 1};
    CUtensorMap map;
    if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, memory.buffer[0], size, &pitch, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, kSwizzles[S::swizzle_bits(p)], CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return Unavailable{"the driver makes no tensor map of this tile"};
    return launch_over(S::launch(p), stream, &stream_boxes, map, array_of<float>(memory, 1), S::tiles(p),
                       S::stages(p), tile_of(p));
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    if (S::copies_by(p, CopyWay::tma)) {
        if (p.width > 0) return launch_boxes(p, memory, stream);
        return launch_over(S::launch(p), stream, &stream_lines, array_of<const char>(memory, 0),
                           array_of<float>(memory, 1), S::tiles(p), S::stages(p), tile_of(p));
    }
    return p.element_bytes == 4   ? launch_element<unsigned>(p, memory, stream)
           : p.element_bytes == 8 ? launch_element<uint2>(p, memory, stream)
                                  : launch_element<uint4>(p, memory, stream);
}

ExpectedBytes expected(const Params& p) {
    ExpectedBytes result;
    const int threads = S::launch(p).grid.x * p.block_x;
    for (const std::int64_t i : spread_evenly(threads, 64)) {
        const int block = int(i / p.block_x), thread = int(i % p.block_x);
        float sum = 0;
        for (int step = 0; step < S::tiles(p) * S::reads(p); ++step) {
            const int at = S::read_at(p, step % S::reads(p), thread);
            const auto first = std::uint64_t(S::source(p, block, step / S::reads(p), at));
            for (std::uint64_t word = 0; word < 4; ++word) sum += S::value_of(first / S::kBytes + word);
        }
        result.add_value(std::uint64_t(i * S::kBytes), sum);
    }
    return result;
}

}  // namespace async_copy

template <>
ScenarioKernel kernel_of<AsyncCopy>() {
    return {
        .prepare = &async_copy::prepare, .launch = &async_copy::launch, .expected = &async_copy::expected};
}

}  // namespace warplens
