#pragma once

#if defined(WARPLENS_HAS_CUDA)

#include <cuda_runtime_api.h>

namespace warplens {

/// Make the CUDA device of the current GL context this thread's device, and create a stream on it with the
/// highest priority: what is drawn for a person is tiny, and a measurement may occupy the GPU for half a
/// second.
/// Errors: CudaError, also if there is no such device.
cudaStream_t create_stream_of_context();

}  // namespace warplens

#endif
