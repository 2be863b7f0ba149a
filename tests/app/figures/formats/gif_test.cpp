#include "app/figures/formats/gif.h"

#include <gtest/gtest.h>

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>

#include <cstring>
#include <memory>
#include <random>

namespace warplens::test::gif_tests {
namespace {

struct Decoded {
    std::vector<Image> frames;  ///< each as it is seen, on top of those before
    std::vector<int> hundredths;
    bool loops = false;
    std::string comment;
};

struct Source {
    const std::string& bytes;
    std::size_t at = 0;
};

int read_from(GifFileType* file, GifByteType* into, int count) {
    Source& source = *static_cast<Source*>(file->UserData);
    const std::size_t n = std::min(static_cast<std::size_t>(count), source.bytes.size() - source.at);
    std::memcpy(into, source.bytes.data() + source.at, n);
    source.at += n;
    return static_cast<int>(n);
}

Decoded decode(const std::string& bytes) {
    Source source{bytes};
    int error = 0;
    GifFileType* file = DGifOpen(&source, read_from, &error);
    EXPECT_NE(file, nullptr);
    EXPECT_EQ(DGifSlurp(file), GIF_OK);
    Decoded decoded;
    Image now{file->SWidth, file->SHeight, {}};
    now.rgba.resize(static_cast<std::size_t>(now.width) * static_cast<std::size_t>(now.height) * 4, 255);
    for (int i = 0; i < file->ImageCount; ++i) {
        const SavedImage& image = file->SavedImages[i];
        for (int e = 0; e < image.ExtensionBlockCount; ++e) {
            const ExtensionBlock& block = image.ExtensionBlocks[e];
            const std::string text(reinterpret_cast<const char*>(block.Bytes),
                                   static_cast<std::size_t>(block.ByteCount));
            decoded.loops |= text == "NETSCAPE2.0";
            if (block.Function == COMMENT_EXT_FUNC_CODE) decoded.comment += text;
        }
        GraphicsControlBlock control;
        EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
        decoded.hundredths.push_back(control.DelayTime);
        const GifImageDesc& d = image.ImageDesc;
        for (int y = 0; y < d.Height; ++y) {
            for (int x = 0; x < d.Width; ++x) {
                const GifColorType c = d.ColorMap->Colors[image.RasterBits[y * d.Width + x]];
                std::uint8_t* p =
                    &now.rgba[static_cast<std::size_t>(((d.Top + y) * now.width + d.Left + x) * 4)];
                p[0] = c.Red, p[1] = c.Green, p[2] = c.Blue;
            }
        }
        decoded.frames.push_back(now);
    }
    DGifCloseFile(file, &error);
    return decoded;
}

Image random_image(int width, int height, std::mt19937& random, unsigned colors) {
    std::vector<std::array<std::uint8_t, 3>> palette(colors);
    for (auto& one : palette)
        for (std::uint8_t& part : one) part = static_cast<std::uint8_t>(random());
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i) {
        const auto& c = palette[random() % colors];
        image.rgba.insert(image.rgba.end(), {c[0], c[1], c[2], 255});
    }
    return image;
}

TEST(Gif, FramesOfFewColoursComeBackAsTheyWere) {
    std::mt19937 random(3);
    for (const unsigned colors : {1u, 2u, 17u, 256u}) {
        GifWriter writer("warplens export it");
        std::vector<Image> frames;
        for (int i = 0; i < 4; ++i) {
            frames.push_back(i == 2 ? frames.back() : random_image(31, 17, random, colors));
            writer.add(frames.back(), 0.08 * (i + 1));
        }
        const Decoded decoded = decode(writer.take());
        ASSERT_EQ(decoded.frames.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(decoded.frames[i].rgba, frames[i].rgba);
        EXPECT_EQ(decoded.hundredths, (std::vector{8, 16, 24, 32}));
        EXPECT_TRUE(decoded.loops);
        EXPECT_EQ(decoded.comment, "warplens export it");
    }
}

TEST(Gif, OfManyColoursTheFrequentOnesStay) {
    std::mt19937 random(4);
    Image image = random_image(64, 64, random, 4096);
    for (std::size_t pixel = 0; pixel < 2048; ++pixel)
        for (std::size_t part = 0; part < 3; ++part) image.rgba[4 * pixel + part] = 77;
    GifWriter writer("");
    writer.add(image, 1);
    const Decoded decoded = decode(writer.take());
    for (std::size_t i = 0; i < 2048 * 4; ++i) EXPECT_EQ(decoded.frames[0].rgba[i], image.rgba[i]);
}

TEST(Gif, ALargeFrameTakesSeveralSteps) {
    std::mt19937 random(6);
    const Image image = random_image(400, 400, random, 4096);
    GifWriter in_steps(""), at_once("");
    in_steps.begin(image, 1);
    int steps = 1;
    while (in_steps.step()) ++steps;
    EXPECT_GT(steps, 10);
    at_once.add(image, 1);
    EXPECT_EQ(in_steps.take(), at_once.take());
}

TEST(Gif, FramesOfOtherSizesAreRefused) {
    std::mt19937 random(5);
    GifWriter writer("");
    writer.add(random_image(8, 8, random, 4), 1);
    EXPECT_THROW(writer.add(random_image(9, 8, random, 4), 1), std::runtime_error);
    EXPECT_THROW(writer.add({}, 1), std::runtime_error);
}

}  // namespace
}  // namespace warplens::test::gif_tests
#endif
