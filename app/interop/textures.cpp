#include "app/interop/textures.h"

#include "app/interop/transfer.h"
#include "app/model/access/texture.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/trace/image_filter.h"

#include <glad/gl.h>

namespace warplens {
namespace {

constexpr int kSide = TextureFilter::kImage;

bool same_image(const Params& a, const Params& b) {
    return a.linear == b.linear && a.zoom_percent == b.zoom_percent && a.angle == b.angle &&
           a.border == b.border && a.texture_log2 == b.texture_log2;
}

void read_texture(GLuint texture, int width, int height, GLenum format, GLenum type, void* texels) {
    GLuint framebuffer = 0;
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, format, type, texels);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
    glDeleteFramebuffers(1, &framebuffer);
}

}  // namespace

struct TraceBuffer::State {
    static constexpr int kRows = sizeof(Trace) / sizeof(std::uint32_t) / kWarpLanes;

    GLuint buffer = 0;  ///< where a kernel writes; OpenGL copies it into the texture
    GLuint texture = 0;
    Transfer<MappedTrace> transfer;
    HostTracer tracer;  ///< for copying

    State() {
        const Trace empty{};
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof empty, nullptr, GL_DYNAMIC_DRAW);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        // Without mipmaps, and because integers are not mixed.
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, kWarpLanes, kRows, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                     &empty);
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    ~State() {
        transfer.release();  // CUDA must unregister the buffer before GL deletes it
        glDeleteTextures(1, &texture);
        glDeleteBuffers(1, &buffer);
    }

    State& operator=(State&&) = delete;

    void upload(const Trace& trace) { fill(&trace); }

    /// Without a wait: OpenGL copies after what the kernel does.
    std::optional<Unavailable> update_by_interop(MappedTrace& mapped, const TraceRequest& request) {
        auto failure = mapped.write(request);
        if (failure) return failure;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        fill(nullptr);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        return std::nullopt;
    }

    std::optional<Unavailable> update_by_copy(const TraceRequest& request) {
        Trace trace{};
        auto failure = tracer.trace({&request, 1}, {&trace, 1});
        if (!failure) upload(trace);
        return failure;
    }

private:
    /// @param words  where a bound buffer begins if null
    void fill(const Trace* words) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kWarpLanes, kRows, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
};

TraceBuffer::TraceBuffer(TraceMode wanted) : state_(std::make_unique<State>()) {
    state_->transfer.choose(wanted, state_->buffer);
}

TraceBuffer::~TraceBuffer() = default;

void TraceBuffer::update(const TraceRequest& request, const Trace& by_model) {
    state_->transfer.write([&](MappedTrace& mapped) { return state_->update_by_interop(mapped, request); },
                           [&] { return state_->update_by_copy(request); },
                           [&] { state_->upload(by_model); });
}

void TraceBuffer::show(const Trace& by_model) { state_->upload(by_model); }

Trace TraceBuffer::read_back() const {
    Trace trace{};
    read_texture(state_->texture, kWarpLanes, State::kRows, GL_RED_INTEGER, GL_UNSIGNED_INT, &trace);
    return trace;
}

unsigned TraceBuffer::gl_texture() const { return state_->texture; }
TraceMode TraceBuffer::mode() const { return state_->transfer.used(); }
const std::string& TraceBuffer::why() const { return state_->transfer.why(); }

struct ImageTexture::State {
    GLuint texture = 0;
    Transfer<MappedImage> transfer;
    ImageFilter filter;  ///< for copying
    FilterImage model;
    std::optional<Params> drawn;  ///< the setting that the texture shows

    explicit State(TraceMode wanted) {
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        // A reduced image is smoothed; an enlarged one shows its pixels.
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindTexture(GL_TEXTURE_2D, 0);
        transfer.choose(wanted, texture);
    }

    ~State() {
        transfer.release();  // CUDA must unregister the texture before GL deletes it
        glDeleteTextures(1, &texture);
    }

    State& operator=(State&&) = delete;

    void upload(const std::vector<std::uint8_t>& rgba) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    void draw(const Params& params) {
        transfer.write([&](MappedImage& mapped) { return mapped.write(params); },
                       [&] { return draw_by_copy(params); }, [&] { upload(model.draw(params)); });
    }

    std::optional<Unavailable> draw_by_copy(const Params& params) {
        std::vector<std::uint8_t> rgba(std::size_t{kSide} * kSide * 4);
        auto failure = filter.draw_to_host(params, rgba);
        if (!failure) upload(rgba);
        return failure;
    }
};

ImageTexture::ImageTexture(TraceMode wanted) : wanted_(wanted) {}
ImageTexture::~ImageTexture() = default;

void ImageTexture::update(const Params& params) {
    if (state_ == nullptr) state_ = std::make_unique<State>(wanted_);
    if (state_->drawn && same_image(*state_->drawn, params)) return;
    state_->draw(params);
    state_->drawn = params;
}

std::vector<std::uint8_t> ImageTexture::read_back() const {
    std::vector<std::uint8_t> rgba(std::size_t{kSide} * kSide * 4);
    if (state_ == nullptr) return rgba;
    read_texture(state_->texture, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return rgba;
}

unsigned ImageTexture::gl_texture() const { return state_ == nullptr ? 0 : state_->texture; }
TraceMode ImageTexture::mode() const {
    return state_ == nullptr ? TraceMode::model : state_->transfer.used();
}
const std::string& ImageTexture::why() const {
    static const std::string kNothingYet = "no image was drawn yet";
    return state_ == nullptr ? kNothingYet : state_->transfer.why();
}

}  // namespace warplens
