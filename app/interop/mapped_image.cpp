#include "app/interop/transfer.h"

#if defined(WARPLENS_HAS_CUDA)

#include "app/interop/context_device.h"
#include "kernels/cuda/check.h"
#include "kernels/trace/image_filter.h"

#include <glad/gl.h>

// glad's header has to come first: it keeps the system's GL header, which the next line includes, from
// declaring anything.
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace warplens {
namespace {

class CudaMappedImage : public MappedImage {
public:
    explicit CudaMappedImage(unsigned gl_texture) {
        stream_ = create_stream_of_context();
        try {
            CUDA_CHECK(cudaGraphicsGLRegisterImage(&resource_, gl_texture, GL_TEXTURE_2D,
                                                   cudaGraphicsRegisterFlagsSurfaceLoadStore));
            map();  // some systems register the texture and then refuse to map it, which is found out now
            unmap();
        } catch (...) {
            release();
            throw;
        }
    }
    ~CudaMappedImage() override { release(); }
    CudaMappedImage(const CudaMappedImage&) = delete;
    CudaMappedImage& operator=(const CudaMappedImage&) = delete;

    std::optional<Unavailable> draw(const Params& params) override {
        try {
            destroy_done_surfaces();
            const cudaSurfaceObject_t surface = map();
            auto why = filter_.draw(params, surface, stream_);
            unmap();
            return why;
        } catch (const CudaError& error) {
            lost_ = true;
            release();
            return Unavailable{std::string("CUDA could not use the GL texture: ") + error.what()};
        }
    }

    bool lost() const override { return lost_; }

private:
    /// The texture may have another array after each mapping, so a surface is created each time.
    cudaSurfaceObject_t map() {
        CUDA_CHECK(cudaGraphicsMapResources(1, &resource_, stream_));
        mapped_ = true;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&resource.res.array.array, resource_, 0, 0));
        cudaSurfaceObject_t surface = 0;
        CUDA_CHECK(cudaCreateSurfaceObject(&surface, &resource));
        surfaces_.push_back(surface);
        return surface;
    }

    void unmap() {
        mapped_ = false;
        CUDA_CHECK(cudaGraphicsUnmapResources(1, &resource_, stream_));
    }

    /// A kernel may still draw through these surfaces; nobody waits for it.
    void destroy_done_surfaces() {
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

    cudaStream_t stream_ = nullptr;
    cudaGraphicsResource_t resource_ = nullptr;
    std::vector<cudaSurfaceObject_t> surfaces_;
    ImageFilter filter_;
    bool mapped_ = false;
    bool lost_ = false;
};

}  // namespace

std::variant<std::unique_ptr<MappedImage>, Unavailable> MappedImage::create(unsigned gl_texture) {
    try {
        return std::make_unique<CudaMappedImage>(gl_texture);
    } catch (const CudaError& error) {
        return Unavailable{std::string("CUDA and OpenGL do not share images here: ") + error.what()};
    }
}

}  // namespace warplens

#else

namespace warplens {

std::variant<std::unique_ptr<MappedImage>, Unavailable> MappedImage::create(unsigned) {
    return Unavailable{"this build has no CUDA"};
}

}  // namespace warplens

#endif
