#include "app/interop/transfer.h"

#if defined(WARPLENS_HAS_CUDA)

#include "app/interop/context_device.h"
#include "kernels/cuda/check.h"

#include <glad/gl.h>

// glad's header has to come first: it keeps the system's GL header, which the next line includes, from
// declaring anything.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace warplens {
namespace {

class CudaMappedTrace : public MappedTrace {
public:
    explicit CudaMappedTrace(unsigned gl_buffer) {
        stream_ = create_stream_of_context();
        try {
            CUDA_CHECK(
                cudaGraphicsGLRegisterBuffer(&resource_, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard));
            map();  // some systems register the buffer and then refuse to map it, which is found out now
            unmap();
        } catch (...) {
            release();
            throw;
        }
    }
    ~CudaMappedTrace() override { release(); }
    CudaMappedTrace(const CudaMappedTrace&) = delete;
    CudaMappedTrace& operator=(const CudaMappedTrace&) = delete;

    std::optional<Unavailable> fill(const TraceRequest& request) override {
        try {
            Trace* const trace = map();
            auto why = launch_trace(request, trace, stream_);
            unmap();
            return why;
        } catch (const CudaError& error) {
            lost_ = true;
            release();
            return Unavailable{std::string("CUDA could not use the GL buffer: ") + error.what()};
        }
    }

    bool lost() const override { return lost_; }

private:
    Trace* map() {
        CUDA_CHECK(cudaGraphicsMapResources(1, &resource_, stream_));
        mapped_ = true;
        void* memory = nullptr;
        std::size_t bytes = 0;
        CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, resource_));
        if (bytes < sizeof(Trace)) throw CudaError("the GL buffer is too small", cudaErrorInvalidValue);
        return static_cast<Trace*>(memory);
    }

    void unmap() {
        mapped_ = false;
        CUDA_CHECK(cudaGraphicsUnmapResources(1, &resource_, stream_));
    }

    void release() noexcept {
        if (mapped_) CUDA_FORGET(cudaGraphicsUnmapResources(1, &resource_, stream_));
        if (resource_ != nullptr) CUDA_FORGET(cudaGraphicsUnregisterResource(resource_));
        if (stream_ != nullptr) CUDA_FORGET(cudaStreamDestroy(stream_));
        mapped_ = false;
        resource_ = nullptr;
        stream_ = nullptr;
    }

    cudaStream_t stream_ = nullptr;
    cudaGraphicsResource_t resource_ = nullptr;
    bool mapped_ = false;
    bool lost_ = false;
};

}  // namespace

std::variant<std::unique_ptr<MappedTrace>, Unavailable> MappedTrace::create(unsigned gl_buffer) {
    try {
        return std::make_unique<CudaMappedTrace>(gl_buffer);
    } catch (const CudaError& error) {
        return Unavailable{std::string("CUDA and OpenGL do not share memory here: ") + error.what()};
    }
}

}  // namespace warplens

#else

namespace warplens {

std::variant<std::unique_ptr<MappedTrace>, Unavailable> MappedTrace::create(unsigned) {
    return Unavailable{"this build has no CUDA"};
}

}  // namespace warplens

#endif
