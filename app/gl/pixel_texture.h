#pragma once

#include "app/gl/offscreen.h"

namespace warplens {

/// An image as a GL texture that may be drawn smaller than it is. Needs the same GL context current for its
/// whole life; it creates nothing in it before the first update.
class PixelTexture {
public:
    PixelTexture() = default;
    ~PixelTexture();
    PixelTexture(const PixelTexture&) = delete;
    PixelTexture& operator=(const PixelTexture&) = delete;

    void update(const Image& image);
    unsigned gl_texture() const { return texture_; }  ///< the first row is on top; 0 before the first update

private:
    unsigned texture_ = 0;
};

}  // namespace warplens
