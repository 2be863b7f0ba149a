#include "app/figures/formats/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <stdexcept>

namespace warplens::test::png_tests {
namespace {

std::vector<std::uint8_t> gradient(int width, int height) {
    std::vector<std::uint8_t> rgba;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (const int value : {x, y, x ^ y, 255}) rgba.push_back(static_cast<std::uint8_t>(value));
        }
    }
    return rgba;
}

/// Payload of the first chunk of a type; empty: none.
std::string chunk(const std::string& png, const std::string& type) {
    for (std::size_t at = 8; at + 8 <= png.size();) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(png[at + i]);
        if (png.substr(at + 4, 4) == type) return png.substr(at + 8, length);
        at += 12 + length;
    }
    return "";
}

TEST(Png, PixelsComeBack) {
    const auto rgba = gradient(37, 11);
    const std::string png = encode_png(37, 11, rgba, 1, {});
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_memory(&image, png.data(), png.size()), 0);
    EXPECT_EQ(image.width, 37u);
    EXPECT_EQ(image.height, 11u);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint8_t> back(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr), 0);
    EXPECT_EQ(back, rgba);
}

TEST(Png, SaysItsSizeColoursAndOrigin) {
    const std::string png = encode_png(4, 4, gradient(4, 4), 2, {{"Command", "warplens export x"}});
    EXPECT_EQ(chunk(png, "pHYs"), std::string("\0\0\x1d\x87\0\0\x1d\x87\1", 9))
        << "7559 pixels per metre: 192 per inch";
    EXPECT_EQ(chunk(png, "sRGB").size(), 1u);
    EXPECT_EQ(chunk(png, "tEXt"), std::string("Command\0warplens export x", 25));
}

TEST(Png, TheSameInputGivesTheSameBytes) {
    EXPECT_EQ(encode_png(64, 64, gradient(64, 64), 1, {{"a", "b"}}),
              encode_png(64, 64, gradient(64, 64), 1, {{"a", "b"}}));
}

TEST(Png, IsPackedAFewRowsAtATime) {
    const std::vector<std::uint8_t> rgba = gradient(1280, 100);
    PngPacker packer(1280, 100, rgba, 1, {});
    EXPECT_EQ(packer.how_far(), 0);
    ASSERT_TRUE(packer.step());
    EXPECT_GT(packer.how_far(), 0);
    EXPECT_LT(packer.how_far(), 0.5);
    while (packer.step()) {
    }
    EXPECT_EQ(packer.how_far(), 1);
    EXPECT_EQ(packer.take(), encode_png(1280, 100, rgba, 1, {}));
}

TEST(Png, NoPixelsAreAnError) {
    EXPECT_THROW(encode_png(0, 4, {}, 1, {}), std::runtime_error);
    EXPECT_THROW(encode_png(4, 4, gradient(4, 3), 1, {}), std::runtime_error);
    std::vector<std::uint8_t> row(4u * 2'000'000u);
    EXPECT_THROW(encode_png(2'000'000, 1, row, 1, {}), std::runtime_error)
        << "libpng's own limit is a million";
}

}  // namespace
}  // namespace warplens::test::png_tests
