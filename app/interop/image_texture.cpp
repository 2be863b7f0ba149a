#include "app/interop/image_texture.h"

#include "app/interop/mapped_image.h"
#include "app/model/access/filter_image.h"
#include "kernels/cuda/gpu.h"
#include "kernels/own/filter.h"
#include "kernels/scenarios/texture_filter.h"

#include <glad/gl.h>

#include <optional>
#include <utility>
#include <variant>

namespace warplens {
namespace {

constexpr int kSide = TextureFilter::kImage;

bool same_image(const Params& a, const Params& b) {
    return a.linear == b.linear && a.zoom_percent == b.zoom_percent && a.angle == b.angle &&
           a.border == b.border && a.texture_log2 == b.texture_log2;
}

}  // namespace

struct ImageTexture::State {
    GLuint texture = 0;
    std::unique_ptr<MappedImage> mapped;  ///< null without interop
    ImageFilter filter;                   ///< for copying
    FilterImage model;
    std::optional<Params> drawn;        ///< the setting that the texture shows
    TraceMode best = TraceMode::model;  ///< the mode that is tried first
    std::string why_not_best;           ///< why interop is given up for good; empty while it is tried
    TraceMode used = TraceMode::model;  ///< the mode that drew the image last
    std::string why;                    ///< why it was not interop

    explicit State(TraceMode wanted);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void choose(TraceMode wanted);
    void upload(const std::vector<std::uint8_t>& rgba);
    void draw(const Params& params);
    std::optional<Unavailable> draw_by_interop(const Params& params);
    std::optional<Unavailable> draw_by_copy(const Params& params);
};

ImageTexture::State::State(TraceMode wanted) {
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    // A reduced image is smoothed; an enlarged one shows its pixels.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    choose(wanted);
}

ImageTexture::State::~State() {
    mapped.reset();  // CUDA must unregister the texture before GL deletes it
    glDeleteTextures(1, &texture);
}

void ImageTexture::State::choose(TraceMode wanted) {
    if (wanted == TraceMode::model) {
        why_not_best = "the CPU model was asked for";
    } else if (auto gpus = list_gpus(); std::holds_alternative<Unavailable>(gpus)) {
        why_not_best = std::get<Unavailable>(gpus).reason;
    } else if (wanted == TraceMode::copy) {
        best = TraceMode::copy;
        why_not_best = "the copy through host memory was asked for";
    } else if (auto created = MappedImage::create(texture); std::holds_alternative<Unavailable>(created)) {
        best = TraceMode::copy;
        why_not_best = std::get<Unavailable>(created).reason;
    } else {
        best = TraceMode::interop;
        mapped = std::move(std::get<0>(created));
    }
}

void ImageTexture::State::upload(const std::vector<std::uint8_t>& rgba) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

std::optional<Unavailable> ImageTexture::State::draw_by_interop(const Params& params) {
    auto failure = mapped->draw(params);
    if (failure && mapped->lost()) {
        mapped.reset();
        best = TraceMode::copy;
        why_not_best = failure->reason;
    }
    return failure;
}

std::optional<Unavailable> ImageTexture::State::draw_by_copy(const Params& params) {
    std::vector<std::uint8_t> rgba(std::size_t{kSide} * kSide * 4);
    auto failure = filter.draw_to_host(params, rgba);
    if (!failure) upload(rgba);
    return failure;
}

void ImageTexture::State::draw(const Params& params) {
    std::optional<Unavailable> failure;
    if (best == TraceMode::interop) {
        failure = draw_by_interop(params);
        if (!failure) {
            used = TraceMode::interop;
            why.clear();
            return;
        }
    }
    if (best == TraceMode::copy) {
        failure = draw_by_copy(params);
        if (!failure) {
            used = TraceMode::copy;
            why = why_not_best;
            return;
        }
    }
    upload(model.draw(params));
    used = TraceMode::model;
    why = failure ? failure->reason : why_not_best;
}

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
    glBindTexture(GL_TEXTURE_2D, state_->texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    return rgba;
}

unsigned ImageTexture::gl_texture() const { return state_ == nullptr ? 0 : state_->texture; }
TraceMode ImageTexture::mode() const { return state_ == nullptr ? TraceMode::model : state_->used; }
const std::string& ImageTexture::why() const {
    static const std::string kNothingYet = "no image was drawn yet";
    return state_ == nullptr ? kNothingYet : state_->why;
}

}  // namespace warplens
