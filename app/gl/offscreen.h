#pragma once

#include "app/gl/painter.h"
#include "app/pictures/kit/palette.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace warplens {

/// Pixels, top row first, 4 bytes each: red, green, blue, alpha (not premultiplied).
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Reads the framebuffer that is bound for reading, from its lower left corner.
Image read_pixels(int width, int height);

/// Whether a piece of an Offscreen was waited for since the last call, where a window that draws would delay
/// it (kDrawnElsewhere).
bool take_waiting_for_pixels();

/// An image as a GL texture that may be drawn smaller than it is. Needs the same GL context current for its
/// whole life; it creates nothing in it before the first update.
class PixelTexture {
public:
    PixelTexture() = default;
    ~PixelTexture();
    PixelTexture& operator=(PixelTexture&&) = delete;

    void update(const Image& image);
    unsigned gl_texture() const { return texture_; }  ///< the first row is on top; 0 before the first update

private:
    unsigned texture_ = 0;
};

/// Draws pictures into an image with the window's own drawing code, in the current GL context. It draws piece
/// by piece, so that large images need little GPU memory and a window can show frames in between. Creates its
/// own ImGui context.
class Offscreen {
public:
    /// @param scale  pixels per point, 0.5 to 8
    /// Errors: std::runtime_error if the GL driver lacks a feature.
    explicit Offscreen(float scale);
    ~Offscreen();

    const Fonts& fonts() const;  ///< measures text for layouts

    /// One picture of the composition, at its position [points].
    struct Placed {
        const Picture* picture;
        Vec2 position;
        unsigned trace_texture = 0;
        unsigned image_texture = 0;
    };
    /// Begin an image. An image that was not taken is discarded. The pictures may be destroyed afterwards,
    /// but not their textures.
    /// @param size  of the whole image [points]; pixels are size * scale, rounded, 1 to 16384
    /// @param background  may be transparent
    /// Errors: std::runtime_error if the size is out of range, or if the GL driver has no memory for a piece.
    void begin(const std::vector<Placed>& pictures, Vec2 size, Color background);
    /// Draw the next piece, or read it.
    /// @param wait  whether to wait for the GPU. A window asks again in its next frame instead.
    /// @return  the finished share, 0 to 1: the same as before if the GPU is not done
    float draw_piece(bool wait = true);
    /// The image, after it is finished.
    Image take();
    /// Draw the whole image at once.
    Image draw(const std::vector<Placed>& pictures, Vec2 size, Color background);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
