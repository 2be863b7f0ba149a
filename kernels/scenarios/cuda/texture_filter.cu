// Each thread samples a picture in a texture once, through the texture unit, enlarged and rotated, with or
// without bilinear filtering. The kernels below it draw the image that the window shows.
//
// The texture holds kernels/test_card.h as floats from 0 to 1 and is made once for each size. Positions are
// multiples of 1/256 texel, which float holds exactly, also after a division by the texture's size, a power
// of two: the texture unit gets exactly the position that the model computes.
#include "kernels/scenarios/texture_filter.h"

#include "kernels/cuda/device_texture.cuh"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/test_card.h"
#include "kernels/trace/image_filter.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace texture_filter {

constexpr int kBlock = TextureFilter::kBlock;
constexpr int kSide = TextureFilter::kImage;  // of the image [pixels]
constexpr std::size_t kImageBytes = std::size_t{kSide} * kSide * sizeof(uchar4);

/// One thread writes one texel.
__global__ void fill_card(cudaSurfaceObject_t card, int size) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= size || y >= size) return;
    const float level = static_cast<float>(test_card(x, y, size)) / 255.0f;
    surf2Dwrite(level, card, x * static_cast<int>(sizeof(float)), y);
}

/// The value of the texture at a pixel of the image. The middle of the image shows the middle of the texture.
/// @param u, v            how many half pixels to the right of the middle and below it the pixel lies
/// @param across, aslant  half a pixel to the right is (across, -aslant) in the texture, half a pixel down is
///                        (aslant, across) [1/256 texel / 65536]
/// @param middle          the middle of the texture [1/256 texel]
/// @param scale           from 1/256 texel to the coordinates of tex2D: texels, or fractions of the texture
__device__ float sample(cudaTextureObject_t card, long long u, long long v, int across, int aslant,
                        int middle, float scale) {
    // In whole numbers, because texture units know no finer position than 1/256 texel.
    const int x = middle + static_cast<int>((u * across + v * aslant + 32768) >> 16);
    const int y = middle + static_cast<int>((v * across - u * aslant + 32768) >> 16);
    return tex2D<float>(card, x * scale, y * scale);  // access: fetch, linear; fetch, nearest
}

/// Each thread samples one pixel. Further rows of blocks draw the image again.
/// @tparam kImage  pixels a side
template <int kImage>
__global__ void filter_image(cudaTextureObject_t card, int across, int aslant, int middle, float scale,
                             unsigned wanted, unsigned* found) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) % kImage;
    const float value = sample(card, 2 * x + 1 - kImage, 2 * y + 1 - kImage, across, aslant, middle, scale);
    // Nobody needs the value, but without a use for it the compiler would drop the fetch.
    if (__float_as_uint(value) == wanted) *found = x;
}

/// The arguments of `sample`.
struct Sampler {
    cudaTextureObject_t card;
    int across, aslant, middle;
    float scale;
};

struct ToSurface {
    cudaSurfaceObject_t surface;
    __device__ void store(uchar4 pixel, int x, int y) const {
        surf2Dwrite(pixel, surface, x * static_cast<int>(sizeof(uchar4)), y);
    }
};

struct ToMemory {
    uchar4* pixels;
    __device__ void store(uchar4 pixel, int x, int y) const {
        pixels[static_cast<unsigned>(y) * kSide + static_cast<unsigned>(x)] = pixel;
    }
};

template <class Target>
__global__ void __launch_bounds__(kBlock* kBlock)
    draw_image(const __grid_constant__ Sampler sampler, Target target) {
    const int x = static_cast<int>(blockIdx.x * kBlock + threadIdx.x),
              y = static_cast<int>(blockIdx.y * kBlock + threadIdx.y);
    const float value = sample(sampler.card, 2 * x + 1 - kSide, 2 * y + 1 - kSide, sampler.across,
                               sampler.aslant, sampler.middle, sampler.scale);
    const auto level = static_cast<unsigned char>(__float2int_rn(value * 255.0f));
    target.store(make_uchar4(level, level, level, 255), x, y);
}

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
        const float parts = has_normalized_coordinates(border)
                                ? float{kTexelParts} * static_cast<float>(grid.size)
                                : float{kTexelParts};
        return {texture(grid.size, p.linear != 0, border, stream), grid.across, grid.aslant,
                grid.size * (kTexelParts / 2), 1.0f / parts};
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
        reading.normalizedCoords = has_normalized_coordinates(border) ? 1 : 0;
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
    constexpr unsigned kBlocks = kSide / kBlock;
    draw_image<<<dim3(kBlocks, kBlocks), dim3(kBlock, kBlock), 0, stream>>>(sampler, target);
    CUDA_CHECK_LAUNCH();
}

/// The cards of the timed kernel. They are deliberately never freed: after a kernel has hung, freeing them
/// would never return.
Cards& timed_cards() {
    static Cards& cards = *new Cards;
    return cards;
}

std::optional<Unavailable> prepare(const Params& p, const KernelMemory&, cudaStream_t stream) {
    timed_cards().sampler(p, stream);
    return std::nullopt;
}

std::optional<Unavailable> launch(const Params& p, const KernelMemory& memory, cudaStream_t stream) {
    const Sampler sampler = timed_cards().sampler(p, stream);
    return launch_over(TextureFilter::launch(p), stream, &filter_image<kSide>, sampler.card, sampler.across,
                       sampler.aslant, sampler.middle, sampler.scale, kNever, memory.sink);
}

}  // namespace texture_filter

template <>
ScenarioKernel kernel_of<TextureFilter>() {
    return {.prepare = &texture_filter::prepare, .launch = &texture_filter::launch};
}

struct ImageFilter::State {
    texture_filter::Cards cards;
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
        if (on_device == nullptr) CUDA_CHECK(cudaMalloc(&on_device, texture_filter::kImageBytes));
        if (on_host == nullptr) CUDA_CHECK(cudaMallocHost(&on_host, texture_filter::kImageBytes));
    }
};

ImageFilter::ImageFilter() : state_(std::make_unique<State>()) {}
ImageFilter::~ImageFilter() = default;

std::optional<Unavailable> ImageFilter::draw(const Params& params, std::uint64_t surface, void* stream) {
    using namespace texture_filter;
    try {
        auto* const on = static_cast<cudaStream_t>(stream);
        launch_draw(state_->cards.sampler(params, on), ToSurface{surface}, on);
        return std::nullopt;
    } catch (const CudaError& error) {
        return Unavailable{std::string("the image could not be drawn on the GPU: ") + error.what()};
    }
}

std::optional<Unavailable> ImageFilter::draw_to_host(const Params& params, std::span<std::uint8_t> rgba) {
    using namespace texture_filter;
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
