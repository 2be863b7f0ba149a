// The kernels of the scenario `texture-filter`: every thread samples a texture once, through the texture
// unit, with the filter and the address mode of the setting.
//
// Launch shape: blocks of 8 x 8 threads, one thread for each pixel of an image of 512 x 512; the timed launch
// draws it 16 times, one below the other. One thread computes its position in the texture by the scenario's
// own formula (kernels/texture_sample.h) and makes one texture fetch. The texture holds kernels/test_card.h
// as floats from 0 to 1 and is made once for each size. The timed kernel stores nothing: the compiler cannot
// remove its fetch because the value is compared with a kernel argument (pretend_to_need). The other kernel
// writes a pixel, into an array (a mapped GL texture) or into memory.
//
// Positions are multiples of 1/256 texel, which float holds exactly, also after a division by the texture's
// size, a power of two. So the texture unit gets exactly the position that the model computes.
#include "kernels/own/filter.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/own/own_kernels.cuh"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/test_card.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace {

constexpr unsigned kBlock = TextureFilter::kBlock;
constexpr unsigned kImage = TextureFilter::kImage;
constexpr std::size_t kImageBytes = std::size_t{kImage} * kImage * sizeof(uchar4);

/// One thread writes one texel.
__global__ void fill_card(cudaSurfaceObject_t card, int size) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= size || y >= size) return;
    const float level = static_cast<float>(test_card(x, y, size)) / 255.0f;
    surf2Dwrite(level, card, x * static_cast<int>(sizeof(float)), y);
}

/// What a kernel needs to sample the texture.
struct Sampler {
    SampleGrid grid;
    cudaTextureObject_t card;
    /// Factor from 1/256 texel to the coordinates of tex2D: texels, or fractions of the texture.
    float to_coordinate;

    __device__ float read(int pixel_x, int pixel_y) const {
        const SamplePoint at = grid.at(pixel_x, pixel_y);
        const float x = static_cast<float>(at.x) * to_coordinate,
                    y = static_cast<float>(at.y) * to_coordinate;
        return tex2D<float>(card, x, y);  // access: fetch
    }
};

__global__ void __launch_bounds__(kBlock* kBlock)
    timed_filter(const __grid_constant__ Sampler sampler, std::uint32_t never, std::uint32_t* sink) {
    const unsigned x = blockIdx.x * kBlock + threadIdx.x, y = blockIdx.y * kBlock + threadIdx.y;
    const float value = sampler.read(static_cast<int>(x), static_cast<int>(y % kImage));
    pretend_to_need(__float_as_uint(value), never, sink);
}

struct ToSurface {
    cudaSurfaceObject_t surface;
    __device__ void store(uchar4 pixel, int x, int y) const {
        surf2Dwrite(pixel, surface, x * static_cast<int>(sizeof(uchar4)), y);
    }
};

struct ToMemory {
    uchar4* pixels;
    __device__ void store(uchar4 pixel, int x, int y) const {
        pixels[static_cast<unsigned>(y) * kImage + static_cast<unsigned>(x)] = pixel;
    }
};

template <class Target>
__global__ void __launch_bounds__(kBlock* kBlock)
    draw_image(const __grid_constant__ Sampler sampler, Target target) {
    const int x = static_cast<int>(blockIdx.x * kBlock + threadIdx.x),
              y = static_cast<int>(blockIdx.y * kBlock + threadIdx.y);
    const auto level = static_cast<unsigned char>(__float2int_rn(sampler.read(x, y) * 255.0f));
    target.store(make_uchar4(level, level, level, 255), x, y);
}

/// CUDA wraps and mirrors only if coordinates are normalized.
bool wants_normalized(Border border) { return border == Border::wrap || border == Border::mirror; }

/// The test cards of all sizes that were requested, with their texture objects. They are kept until the end,
/// so that no running kernel loses its texture and changing a knob frees nothing.
class Cards {
public:
    Cards() = default;
    ~Cards() {
        for (const auto& [key, texture] : textures_) CUDA_FORGET(cudaDestroyTextureObject(texture));
        for (const auto& [size, card] : cards_) {
            CUDA_FORGET(cudaDestroySurfaceObject(card.surface));
            CUDA_FORGET(cudaFreeArray(card.array));
        }
    }
    Cards(const Cards&) = delete;
    Cards& operator=(const Cards&) = delete;

    /// Throws CudaError.
    Sampler sampler(const Params& p, cudaStream_t stream) {
        const SampleGrid grid = TextureFilter::grid_of(p);
        const auto border = static_cast<Border>(p.border);
        const float parts = wants_normalized(border) ? float{kTexelParts} * static_cast<float>(grid.size)
                                                     : float{kTexelParts};
        return {grid, texture(grid.size, p.linear != 0, border, stream), 1.0f / parts};
    }

private:
    struct Card {
        cudaArray_t array = nullptr;
        cudaSurfaceObject_t surface = 0;
    };

    cudaArray_t array(int size, cudaStream_t stream) {
        if (const auto found = cards_.find(size); found != cards_.end()) return found->second.array;
        Card& card = cards_[size];
        try {
            const auto side = static_cast<std::size_t>(size);
            const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
            CUDA_CHECK(cudaMallocArray(&card.array, &format, side, side, cudaArraySurfaceLoadStore));
            cudaResourceDesc resource{};
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = card.array;
            CUDA_CHECK(cudaCreateSurfaceObject(&card.surface, &resource));
            const dim3 threads(16, 16),
                blocks((static_cast<unsigned>(size) + 15) / 16, (static_cast<unsigned>(size) + 15) / 16);
            fill_card<<<blocks, threads, 0, stream>>>(card.surface, size);
            CUDA_CHECK_LAUNCH();
        } catch (...) {
            if (card.surface != 0) CUDA_FORGET(cudaDestroySurfaceObject(card.surface));
            if (card.array != nullptr) CUDA_FORGET(cudaFreeArray(card.array));
            cards_.erase(size);
            throw;
        }
        return card.array;
    }

    cudaTextureObject_t texture(int size, bool linear, Border border, cudaStream_t stream) {
        const auto key = std::make_tuple(size, linear, border);
        if (const auto found = textures_.find(key); found != textures_.end()) return found->second;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array(size, stream);
        cudaTextureDesc reading{};
        reading.addressMode[0] = reading.addressMode[1] = address_mode(border);
        reading.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        reading.readMode = cudaReadModeElementType;
        reading.normalizedCoords = wants_normalized(border) ? 1 : 0;
        cudaTextureObject_t created = 0;
        CUDA_CHECK(cudaCreateTextureObject(&created, &resource, &reading, nullptr));
        textures_.emplace(key, created);
        return created;
    }

    std::map<int, Card> cards_;
    std::map<std::tuple<int, bool, Border>, cudaTextureObject_t> textures_;
};

template <class Target>
void launch_draw(const Sampler& sampler, Target target, cudaStream_t stream) {
    constexpr unsigned kBlocks = kImage / kBlock;
    draw_image<<<dim3(kBlocks, kBlocks), dim3(kBlock, kBlock), 0, stream>>>(sampler, target);
    CUDA_CHECK_LAUNCH();
}

/// The cards of the timed kernel. They are deliberately never freed: after a kernel has hung, freeing them
/// would never return.
Cards& timed_cards() {
    static Cards& cards = *new Cards;
    return cards;
}

std::optional<Unavailable> prepare_timed(const Params& p, const ReplayMemory&, cudaStream_t stream) {
    timed_cards().sampler(p, stream);
    return std::nullopt;
}

std::optional<Unavailable> launch_timed(const Params& p, const ReplayMemory& memory, cudaStream_t stream) {
    timed_filter<<<dim3_of(TextureFilter::launch(p).grid), dim3(kBlock, kBlock), 0, stream>>>(
        timed_cards().sampler(p, stream), kNever, memory.sink);
    CUDA_CHECK_LAUNCH();
    return std::nullopt;
}

}  // namespace

OwnKernel filter_kernel() { return {.prepare = &prepare_timed, .launch = &launch_timed}; }

struct ImageFilter::State {
    Cards cards;
    cudaStream_t stream = nullptr;
    uchar4* on_device = nullptr;
    /// pinned memory, because otherwise the copy would wait for other streams too
    uchar4* on_host = nullptr;

    ~State() {
        CUDA_FORGET(cudaFree(on_device));
        CUDA_FORGET(cudaFreeHost(on_host));
        if (stream != nullptr) CUDA_FORGET(cudaStreamDestroy(stream));
    }
    void reserve() {
        if (stream == nullptr) {
            int lowest = 0, highest = 0;
            CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
            CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
        }
        if (on_device == nullptr) CUDA_CHECK(cudaMalloc(&on_device, kImageBytes));
        if (on_host == nullptr) CUDA_CHECK(cudaMallocHost(&on_host, kImageBytes));
    }
};

ImageFilter::ImageFilter() : state_(std::make_unique<State>()) {}
ImageFilter::~ImageFilter() = default;

std::optional<Unavailable> ImageFilter::draw(const Params& params, std::uint64_t surface, void* stream) {
    try {
        auto* const on = static_cast<cudaStream_t>(stream);
        launch_draw(state_->cards.sampler(params, on), ToSurface{surface}, on);
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the image could not be drawn on the GPU: ") + error.what()};
    }
}

std::optional<Unavailable> ImageFilter::draw_to_host(const Params& params, std::span<std::uint8_t> rgba) {
    State& state = *state_;
    try {
        state.reserve();
        launch_draw(state.cards.sampler(params, state.stream), ToMemory{state.on_device}, state.stream);
        CUDA_CHECK(cudaMemcpyAsync(state.on_host, state.on_device, kImageBytes, cudaMemcpyDeviceToHost,
                                   state.stream));
        CUDA_CHECK(cudaStreamSynchronize(state.stream));
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(state.on_host);
        std::copy_n(bytes, std::min(rgba.size(), kImageBytes), rgba.begin());
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the image could not be drawn on the GPU: ") + error.what()};
    }
}

}  // namespace warplens
