#include "app/interop/transfer.h"

#if defined(WARPLENS_HAS_CUDA)

#include "kernels/cuda/check.h"
#include "kernels/trace/image_filter.h"

#include <glad/gl.h>

// glad's header has to come first: it keeps the system's GL header, which the next line includes, from
// declaring anything.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace warplens {
namespace {

/// Make the CUDA device of the current GL context this thread's device, and create a stream on it with the
/// highest priority: what is drawn for a person is tiny, and a measurement may occupy the GPU for half a
/// second.
/// Errors: CudaError, also if there is no such device.
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

/// The common part of buffers and textures.
/// @tparam Memory  what a kernel writes to while the object is mapped
template <class Request, class Memory>
class CudaMapped : public Mapped<Request> {
public:
    CudaMapped() = default;
    CudaMapped& operator=(CudaMapped&&) = delete;
    ~CudaMapped() override { release(); }

    /// Errors: CudaError.
    void begin(unsigned gl_object) {
        stream_ = create_stream_of_context();
        register_object(gl_object);
        map();  // some systems register the object and then refuse to map it, which is found out now
        unmap();
    }

    std::optional<Unavailable> write(const Request& request) override {
        try {
            destroy_done_surfaces();
            auto why = launch(request, map());
            unmap();
            return why;
        } catch (const CudaError& error) {
            lost_ = true;
            release();
            return Unavailable{std::string("CUDA could not use the GL object: ") + error.what()};
        }
    }

    bool lost() const override { return lost_; }

protected:
    virtual void register_object(unsigned gl_object) = 0;
    virtual Memory reach() = 0;  ///< of the mapped object
    virtual std::optional<Unavailable> launch(const Request& request, Memory memory) = 0;

    cudaStream_t stream_ = nullptr;
    cudaGraphicsResource_t resource_ = nullptr;
    std::vector<cudaSurfaceObject_t> surfaces_;  ///< of a texture, through which a kernel may still draw

private:
    Memory map() {
        CUDA_CHECK(cudaGraphicsMapResources(1, &resource_, stream_));
        mapped_ = true;
        return reach();
    }

    void unmap() {
        mapped_ = false;
        CUDA_CHECK(cudaGraphicsUnmapResources(1, &resource_, stream_));
    }

    /// Nobody waits for a kernel that may still draw through them.
    void destroy_done_surfaces() {
        if (surfaces_.empty()) return;
        if (cudaStreamQuery(stream_) == cudaSuccess) {
            for (const cudaSurfaceObject_t surface : surfaces_)
                CUDA_FORGET(cudaDestroySurfaceObject(surface));
            surfaces_.clear();
        } else {
            cudaGetLastError();  // "not ready" is a result, not an error
        }
    }

    void release() noexcept {
        if (mapped_) CUDA_FORGET(cudaGraphicsUnmapResources(1, &resource_, stream_));
        if (stream_ != nullptr) CUDA_FORGET(cudaStreamSynchronize(stream_));
        for (const cudaSurfaceObject_t surface : surfaces_) CUDA_FORGET(cudaDestroySurfaceObject(surface));
        if (resource_ != nullptr) CUDA_FORGET(cudaGraphicsUnregisterResource(resource_));
        if (stream_ != nullptr) CUDA_FORGET(cudaStreamDestroy(stream_));
        mapped_ = false;
        surfaces_.clear();
        resource_ = nullptr;
        stream_ = nullptr;
    }

    bool mapped_ = false;
    bool lost_ = false;
};

class CudaMappedTrace final : public CudaMapped<TraceRequest, Trace*> {
    void register_object(unsigned gl_buffer) override {
        CUDA_CHECK(
            cudaGraphicsGLRegisterBuffer(&resource_, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    }

    Trace* reach() override {
        void* memory = nullptr;
        std::size_t bytes = 0;
        CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, resource_));
        if (bytes < sizeof(Trace)) throw CudaError("the GL buffer is too small", cudaErrorInvalidValue);
        return static_cast<Trace*>(memory);
    }

    std::optional<Unavailable> launch(const TraceRequest& request, Trace* trace) override {
        return launch_trace(request, trace, stream_);
    }
};

class CudaMappedImage final : public CudaMapped<Params, cudaSurfaceObject_t> {
    void register_object(unsigned gl_texture) override {
        CUDA_CHECK(cudaGraphicsGLRegisterImage(&resource_, gl_texture, GL_TEXTURE_2D,
                                               cudaGraphicsRegisterFlagsSurfaceLoadStore));
    }

    /// The texture may have another array after each mapping, so a surface is created each time.
    cudaSurfaceObject_t reach() override {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&resource.res.array.array, resource_, 0, 0));
        cudaSurfaceObject_t surface = 0;
        CUDA_CHECK(cudaCreateSurfaceObject(&surface, &resource));
        surfaces_.push_back(surface);
        return surface;
    }

    std::optional<Unavailable> launch(const Params& params, cudaSurfaceObject_t surface) override {
        return filter_.draw(params, surface, stream_);
    }

    ImageFilter filter_;
};

template <class Request>
using CudaObject =
    std::conditional_t<std::is_same_v<Request, TraceRequest>, CudaMappedTrace, CudaMappedImage>;

}  // namespace

template <class Request>
std::variant<std::unique_ptr<Mapped<Request>>, Unavailable> Mapped<Request>::create(unsigned gl_object) {
    try {
        auto object = std::make_unique<CudaObject<Request>>();
        object->begin(gl_object);
        return std::unique_ptr<Mapped>(std::move(object));
    } catch (const CudaError& error) {
        return Unavailable{std::string("CUDA and OpenGL do not share memory here: ") + error.what()};
    }
}

}  // namespace warplens

#else

namespace warplens {

template <class Request>
std::variant<std::unique_ptr<Mapped<Request>>, Unavailable> Mapped<Request>::create(unsigned) {
    return Unavailable{"this build has no CUDA"};
}

}  // namespace warplens

#endif

template class warplens::Mapped<warplens::TraceRequest>;
template class warplens::Mapped<warplens::Params>;
