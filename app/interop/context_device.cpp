#include "app/interop/context_device.h"

#if defined(WARPLENS_HAS_CUDA)

#include "kernels/cuda/check.h"

#include <glad/gl.h>

// glad's header has to come first: it keeps the system's GL header, which the next line includes, from
// declaring anything.
#include <cuda_gl_interop.h>

namespace warplens {

cudaStream_t create_stream_of_context() {
    unsigned count = 0;
    int device = 0;
    CUDA_CHECK(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
    if (count == 0) throw CudaError("OpenGL draws on a device that CUDA does not know", cudaErrorNoDevice);
    CUDA_CHECK(cudaSetDevice(device));
    int least = 0, greatest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    return stream;
}

}  // namespace warplens

#endif
