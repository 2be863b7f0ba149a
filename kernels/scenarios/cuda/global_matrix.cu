// Each thread of a 2-D block loads or stores one element of a row-major matrix: threadIdx.x is the column, or
// the row.
#include "kernels/scenarios/global_matrix.h"

#include "kernels/scenarios/cuda/scenario_kernel.cuh"

namespace warplens {
namespace global_matrix {

/// Look for a value, so that each element is needed.
template <class T, bool kByRows>
__global__ void find_in_matrix(const T* __restrict__ m, int width, int height, int pitch, unsigned wanted,
                               unsigned* found) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = kByRows ? y : x, column = kByRows ? x : y;
    if (row >= height || column >= width) return;
    const T value = m[row * pitch + column];  // access: load m, by rows; load m, by columns
    if (fold(value) == wanted) *found = row;
}

/// Make each element from the low half of its own address.
template <class T, bool kByRows>
__global__ void fill_matrix(T* __restrict__ m, int width, int height, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = kByRows ? y : x, column = kByRows ? x : y;
    if (row >= height || column >= width) return;
    const int at = row * pitch + column;
    m[at] = unfold<T>(at * sizeof(T));  // access: store m, by rows; store m, by columns
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    return with_element(p.element_bytes, [&]<class T>() {
        const LaunchShape shape = GlobalMatrix::launch(p);
        const bool by_rows = p.walk == int(MatrixWalk::rows);
        const int pitch = p.width + p.padding;
        if (p.operation == 1)
            return launch_over(shape, stream, by_rows ? &fill_matrix<T, true> : &fill_matrix<T, false>,
                               array_of<T>(memory, 1), p.width, p.height, pitch);
        return launch_over(shape, stream, by_rows ? &find_in_matrix<T, true> : &find_in_matrix<T, false>,
                           array_of<const T>(memory, 0), p.width, p.height, pitch, kNever, memory.sink);
    });
}

ExpectedBytes expected(const Params& p) {
    ExpectedBytes right;
    if (p.operation != 1) return right;
    for (const std::int64_t i : spread_evenly(std::int64_t{p.width} * p.height, 256)) {
        const std::int64_t row = i / p.width, column = i % p.width;
        const auto at = static_cast<std::uint64_t>(row * (p.width + p.padding) + column);
        with_element(p.element_bytes, [&]<class T>() {
            right.add_value(at * sizeof(T), unfold<T>(static_cast<std::uint32_t>(at * sizeof(T))));
        });
    }
    return right;
}

}  // namespace global_matrix

template <>
ScenarioKernel kernel_of<GlobalMatrix>() {
    return {.launch = &global_matrix::launch, .expected = &global_matrix::expected};
}

}  // namespace warplens
