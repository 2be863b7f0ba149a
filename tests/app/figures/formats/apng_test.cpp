#include "app/figures/formats/png.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <stdexcept>

namespace warplens::test::apng_tests {
namespace {

using testing::ElementsAre;

std::string frame_of(std::uint8_t grey, int width = 5) {
    return encode_png(width, 3, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * 12, grey), 1,
                      {{"Command", std::to_string(grey)}});
}

std::uint32_t number(std::string_view data, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(data.at(i));
    return value;
}

TEST(Apng, FramesStandOneAfterTheOther) {
    const std::vector<ApngFrame> frames{{frame_of(1), 0.5}, {frame_of(2), 0.25}, {frame_of(3), 2}};
    const std::string file = join_apng(frames);
    std::vector<std::string> types;
    std::vector<std::uint32_t> sequence;
    std::string data[3];
    std::size_t frame = 0;
    for (const PngChunk& chunk : png_chunks(file)) {
        types.emplace_back(chunk.type);
        if (chunk.type == "fcTL" || chunk.type == "fdAT") sequence.push_back(number(chunk.data, 0));
        if (chunk.type == "fcTL") {
            frame = types.back() == "fcTL" && sequence.size() > 1 ? frame + 1 : 0;
            EXPECT_EQ(number(chunk.data, 4), 5u) << "width";
            EXPECT_EQ(number(chunk.data, 8), 3u) << "height";
            EXPECT_EQ(number(chunk.data, 20) >> 16, std::lround(1000 * frames[frame].seconds));
            EXPECT_EQ(number(chunk.data, 20) & 0xffff, 1000u) << "thousandths of a second";
        }
        if (chunk.type == "acTL") {
            EXPECT_EQ(number(chunk.data, 0), 3u);
        }
        if (chunk.type == "IDAT") data[frame] += chunk.data;
        if (chunk.type == "fdAT") data[frame] += chunk.data.substr(4);
    }
    EXPECT_EQ(types.front(), "IHDR");
    EXPECT_EQ(types.at(1), "acTL");
    EXPECT_EQ(types.back(), "IEND");
    EXPECT_THAT(sequence, ElementsAre(0, 1, 2, 3, 4)) << "counted over both kinds";
    for (std::size_t i = 0; i < 3; ++i) {
        std::string own;
        for (const PngChunk& chunk : png_chunks(frames[i].png))
            if (chunk.type == "IDAT") own += chunk.data;
        EXPECT_EQ(data[i], own) << i;
    }
    EXPECT_EQ(png_text(file, "Command"), "1");
}

/// Checksums are right: a reader that knows no animation takes the first frame.
TEST(Apng, OtherReadersSeeTheFirstFrame) {
    const std::string file = join_apng(std::vector<ApngFrame>{{frame_of(7)}, {frame_of(200)}});
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0) << image.message;
    image.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0) << image.message;
    EXPECT_EQ(pixels, std::vector<std::uint8_t>(45, 7));
}

TEST(Apng, WhatDoesNotFitIsRefused) {
    EXPECT_THROW(join_apng({}), std::runtime_error);
    EXPECT_THROW(join_apng(std::vector<ApngFrame>{{"hello"}}), std::runtime_error);
    EXPECT_THROW(join_apng(std::vector<ApngFrame>{{frame_of(1)}, {frame_of(1, 6)}}), std::runtime_error);
}

}  // namespace
}  // namespace warplens::test::apng_tests
