#include "app/gl/offscreen.h"

#include "app/gl/context.h"
#include "app/gl/imgui_compat.h"

#include <glad/gl.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

namespace warplens {
namespace {

/// Copies pixels into an image, whose first row is the highest one; of GL it is the lowest.
void put(Image& image, int left, int top, int width, int height,
         const std::vector<std::uint8_t>& upside_down) {
    const auto row = static_cast<std::size_t>(width) * 4;
    for (int y = 0; y < height; ++y) {
        const auto at = static_cast<std::size_t>(top + y) * static_cast<std::size_t>(image.width) +
                        static_cast<std::size_t>(left);
        std::memcpy(&image.rgba[at * 4], &upside_down[row * static_cast<std::size_t>(height - 1 - y)], row);
    }
}

/// A framebuffer with one colour renderbuffer.
class Target {
public:
    Target(int width, int height, int samples) {
        glGenFramebuffers(1, &framebuffer_);
        glGenRenderbuffers(1, &color_);
        glBindRenderbuffer(GL_RENDERBUFFER, color_);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
        glBindRenderbuffer(GL_RENDERBUFFER, 0);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
        complete_ = framebuffer_is_complete();
    }
    ~Target() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteRenderbuffers(1, &color_);
    }
    Target& operator=(Target&&) = delete;

    GLuint name() const { return framebuffer_; }
    bool complete() const { return complete_; }

private:
    GLuint framebuffer_ = 0, color_ = 0;
    bool complete_ = false;
};

/// Restores the framebuffer of the window.
class KeepTarget {
public:
    KeepTarget() {
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer_);
        glGetIntegerv(GL_VIEWPORT, viewport_);
    }
    ~KeepTarget() {
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
        glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    }
    KeepTarget& operator=(KeepTarget&&) = delete;

private:
    GLint framebuffer_ = 0, viewport_[4] = {};
};

bool waiting_for_pixels = false;

/// Pixels on their way from the GPU.
class Readback {
public:
    explicit Readback(std::size_t most) : pixels_(most) {
        glGenBuffers(1, &buffer_);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
        glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(most), nullptr, GL_STREAM_READ);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }
    ~Readback() { glDeleteBuffers(1, &buffer_); }
    Readback& operator=(Readback&&) = delete;

    /// From the framebuffer that is bound for reading.
    void begin(int width, int height) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }
    std::vector<std::uint8_t>& end(int width, int height) {
        pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
        glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(pixels_.size()), pixels_.data());
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        return pixels_;
    }

private:
    GLuint buffer_ = 0;
    std::vector<std::uint8_t> pixels_;
};

constexpr int kSamples = 4;       // all drivers have as many
constexpr int kPiece = 1024;      // pixels a side
constexpr int kMostSide = 16384;  // limit of the image, because most programs open no larger ones

void check_size(int width, int height) {
    if (width >= 1 && height >= 1 && width <= kMostSide && height <= kMostSide) return;
    throw std::runtime_error("an image of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels cannot be drawn: each side may have 1 to " + std::to_string(kMostSide));
}

void divide_by_alpha(std::vector<std::uint8_t>& rgba) {
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const unsigned alpha = rgba[i + 3];
        if (alpha == 255 || alpha == 0) continue;
        for (std::size_t c = i; c < i + 3; ++c)
            rgba[c] = static_cast<std::uint8_t>(std::min(255u, (rgba[c] * 255u + alpha / 2) / alpha));
    }
}

}  // namespace

Image read_pixels(int width, int height) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    Image image{width, height, std::vector<std::uint8_t>(pixels.size())};
    put(image, 0, 0, width, height, pixels);
    return image;
}

bool take_waiting_for_pixels() { return std::exchange(waiting_for_pixels, false); }

struct Offscreen::State {
    explicit State(float scale);
    ~State();
    void lay_out(const std::vector<Placed>& pictures);
    void draw(ImVec2 corner, int width, int height);
    void forget_fence() { glDeleteSync(std::exchange(fence, nullptr)); }

    ImGuiContext* context = nullptr;
    Fonts fonts;
    std::unique_ptr<Painter> painter;
    std::unique_ptr<Target> drawn, resolved;  ///< for one piece
    std::unique_ptr<Readback> readback;       ///< likewise
    Image image;                              ///< as far as it is finished
    Color background;
    int pieces_done = 0;
    GLsync fence = nullptr;  ///< passed when the GPU has drawn a piece; null if none is drawn
};

Offscreen::State::State(float scale) {
    if (auto missing = missing_lib_gl()) throw std::runtime_error(missing->reason);
    auto new_painter = std::make_unique<Painter>();  // created first, because it may throw
    context = ui::create_context();
    const ui::ContextScope scope(context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DeltaTime = 1.0f / 60;
    fonts.load(scale, true);
    // If no OpenGL is current, Dear ImGui 1.92 notices it the first time and crashes the second.
    if (glGetString(GL_VERSION) == nullptr || !ImGui_ImplOpenGL3_Init(kGlslVersion)) {
        ImGui::DestroyContext(context);
        throw std::runtime_error("Dear ImGui cannot use this OpenGL");
    }
    painter = std::move(new_painter);
}

Offscreen::State::~State() {
    forget_fence();
    {
        const ui::ContextScope scope(context);
        ImGui_ImplOpenGL3_Shutdown();
    }
    ImGui::DestroyContext(context);
}

void Offscreen::State::lay_out(const std::vector<Placed>& pictures) {
    ImGui::GetIO().DisplaySize = ImVec2(float(image.width), float(image.height));
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    painter->begin_frame();
    const float scale = fonts.scale();
    for (const Placed& placed : pictures)
        painter->paint(*placed.picture, ImGui::GetBackgroundDrawList(), placed.position.x * scale,
                       placed.position.y * scale, scale, fonts, placed.trace_texture, placed.image_texture);
    ImGui::Render();
}

/// Draws the part of the image that begins at this corner, into the lower left of `drawn`.
void Offscreen::State::draw(ImVec2 corner, int width, int height) {
    const auto part = [&](std::uint8_t channel) {
        return float(channel) / 255.0f * float(background.a) / 255.0f;
    };
    glBindFramebuffer(GL_FRAMEBUFFER, drawn->name());
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(part(background.r), part(background.g), part(background.b), float(background.a) / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    ImDrawData* data = ImGui::GetDrawData();
    data->DisplayPos = corner;
    data->DisplaySize = ImVec2(float(width), float(height));
    ImGui_ImplOpenGL3_RenderDrawData(data);
}

Offscreen::Offscreen(float scale) : state_(std::make_unique<State>(scale)) {}
Offscreen::~Offscreen() = default;
const Fonts& Offscreen::fonts() const { return state_->fonts; }

void Offscreen::begin(const std::vector<Placed>& pictures, Vec2 size, Color background) {
    State& s = *state_;
    const float scale = s.fonts.scale();
    const int width = int(std::lround(size.x * scale));
    const int height = int(std::lround(size.y * scale));
    check_size(width, height);
    s.image = {width, height, {}};
    s.background = background;
    s.pieces_done = 0;
    s.forget_fence();

    const ui::ContextScope scope(s.context);
    const KeepTarget keep;
    if (s.drawn == nullptr) {
        s.resolved = std::make_unique<Target>(kPiece, kPiece, 0);
        s.readback = std::make_unique<Readback>(std::size_t{kPiece} * kPiece * 4);
        s.drawn = std::make_unique<Target>(kPiece, kPiece, kSamples);
        if (!s.drawn->complete())  // with rougher edges and less memory
            s.drawn = std::make_unique<Target>(kPiece, kPiece, 0);
    }
    if (!s.resolved->complete() || !s.drawn->complete()) {
        s.drawn.reset();
        throw std::runtime_error("the GPU has no memory left to draw an image");
    }
    s.image.rgba.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    s.lay_out(pictures);
}

float Offscreen::draw_piece(bool wait) {
    State& s = *state_;
    const int across = (s.image.width + kPiece - 1) / kPiece, down = (s.image.height + kPiece - 1) / kPiece;
    if (s.pieces_done == across * down) return 1;
    const int left = s.pieces_done % across * kPiece, top = s.pieces_done / across * kPiece;
    const int width = std::min(kPiece, s.image.width - left), height = std::min(kPiece, s.image.height - top);
    const ui::ContextScope scope(s.context);
    const KeepTarget keep;
    if (s.fence == nullptr) {
        s.image.rgba.resize(static_cast<std::size_t>(s.image.width) * static_cast<std::size_t>(top + height) *
                            4);  // a band at a time, because it is filled
        s.draw(ImVec2(float(left), float(top)), width, height);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, s.drawn->name());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.resolved->name());
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, s.resolved->name());
        s.readback->begin(width, height);
        s.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    } else if (wait || glClientWaitSync(s.fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_TIMEOUT_EXPIRED) {
        s.forget_fence();
        std::vector<std::uint8_t>& piece = s.readback->end(width, height);
        divide_by_alpha(piece);
        put(s.image, left, top, width, height, piece);
        ++s.pieces_done;
    }
    waiting_for_pixels = kDrawnElsewhere && s.fence != nullptr;
    return (float(s.pieces_done) + (s.fence != nullptr ? 0.5f : 0.0f)) / float(across * down);
}

Image Offscreen::take() { return std::move(state_->image); }

Image Offscreen::draw(const std::vector<Placed>& pictures, Vec2 size, Color background) {
    begin(pictures, size, background);
    while (draw_piece() < 1) {
    }
    return take();
}

PixelTexture::~PixelTexture() {
    if (texture_ != 0) glDeleteTextures(1, &texture_);
}

void PixelTexture::update(const Image& image) {
    if (texture_ == 0) glGenTextures(1, &texture_);
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.rgba.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
}

}  // namespace warplens
