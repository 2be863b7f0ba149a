// Each thread of a 2-D block loads or stores one element of a row-major matrix: threadIdx.x is the column, or
// the row.
#include "kernels/scenarios/global_matrix.h"

#include "kernels/cuda/element.cuh"
#include "kernels/scenarios/plain_kernels.cuh"

namespace warplens {
namespace {

/// Look for a value, so that each element is needed.
template <class T, bool kByRows>
__global__ void find_in_matrix(const T* __restrict__ m, int width, int height, int pitch,
                               std::uint32_t wanted, std::uint32_t* found) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = kByRows ? y : x, column = kByRows ? x : y;
    if (row >= height || column >= width) return;
    const T value = m[row * pitch + column];  // access: load m, by rows; load m, by columns
    if (fold(value) == wanted) *found = row;
}

/// Store the low half of each element's own address.
template <class T, bool kByRows>
__global__ void fill_matrix(T* __restrict__ m, int width, int height, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = kByRows ? y : x, column = kByRows ? x : y;
    if (row >= height || column >= width) return;
    const unsigned at = row * pitch + column;
    m[at] = unfold<T>(at * static_cast<unsigned>(sizeof(T)));  // access: store m, by rows; store m, by columns
}

template <class T>
void launch_element(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    const LaunchShape shape = GlobalMatrix::launch(p);
    const bool by_rows = p.walk == static_cast<int>(MatrixWalk::rows);
    const int pitch = p.width + p.padding;
    if (p.operation == 1)
        launch_plain(by_rows ? &fill_matrix<T, true> : &fill_matrix<T, false>, shape, stream,
                     array_of<T>(memory, 1), p.width, p.height, pitch);
    else
        launch_plain(by_rows ? &find_in_matrix<T, true> : &find_in_matrix<T, false>, shape, stream,
                     array_of<const T>(memory, 0), p.width, p.height, pitch, kNever, memory.sink);
}

std::optional<Unavailable> launch(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    switch (p.element_bytes) {
        case 1:
            launch_element<Element<1>>(p, memory, stream);
            break;
        case 2:
            launch_element<Element<2>>(p, memory, stream);
            break;
        case 4:
            launch_element<Element<4>>(p, memory, stream);
            break;
        case 8:
            launch_element<Element<8>>(p, memory, stream);
            break;
        default:
            launch_element<Element<16>>(p, memory, stream);
    }
    return std::nullopt;
}

}  // namespace

template <>
OwnKernel plain_kernel<GlobalMatrix>() {
    return {.launch = &launch,
            .expected = [](const Params& p) { return expect_output(GlobalMatrix::info.id, p); }};
}

}  // namespace warplens
