#pragma once

#include "app/gl/offscreen.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <string>

namespace warplens::test {

/// A PNG file as pixels; a failed expectation, and no pixels, when it is none.
inline Image read_png(const std::string& path) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << path << ": " << png.message;
    png.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
    image.rgba.resize(PNG_IMAGE_SIZE(png));
    EXPECT_NE(png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr), 0) << png.message;
    return image;
}

}  // namespace warplens::test
