// Wherever OpenGL runs, with any driver: the texture holds the image, whichever way it came.
#include "app/interop/textures.h"

#include "app/gl/context.h"
#include "app/model/access/texture.h"
#include "app/model/catalogue.h"
#include "kernels/scenarios/texture_filter.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warplens::test::image_texture_window_tests {
namespace {

/// The largest difference of two images [levels].
int largest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    int largest = a.size() == b.size() ? 0 : 256;
    for (std::size_t i = 0; largest < 256 && i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

TEST(ImageTextureWindow, HoldsTheImageInEveryMode) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    const Scenario& scenario = *find_scenario("texture-filter");
    std::mt19937 random(8);
    for (const TraceMode wanted : {TraceMode::model, TraceMode::copy, TraceMode::interop}) {
        ImageTexture image(wanted);
        EXPECT_EQ(image.gl_texture(), 0u) << "nothing is made before it is needed";
        FilterImage model;
        for (int i = 0; i < 6; ++i) {
            const Params params = test::random_params(scenario, random);
            image.update(params);
            const int allowed = image.mode() == TraceMode::model ? 0 : 1;
            EXPECT_LE(largest_difference(image.read_back(), model.draw(params)), allowed);
            EXPECT_EQ(image.why().empty(), image.mode() == TraceMode::interop);
        }
        EXPECT_NE(image.gl_texture(), 0u);
        EXPECT_EQ(take_gl_errors(), "");
    }
}

TEST(ImageTextureWindow, ModelModeNeverAsksTheGpu) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    ImageTexture image(TraceMode::model);
    image.update(TextureFilter::info.defaults);
    EXPECT_EQ(image.mode(), TraceMode::model);
    EXPECT_EQ(image.why(), "the CPU model was asked for");
}

TEST(ImageTextureWindow, WhatDoesNotChangeTheImageKeepsIt) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    ImageTexture image(TraceMode::model);
    Params params = TextureFilter::info.defaults;
    image.update(params);
    const std::vector<std::uint8_t> before = image.read_back();
    params.warp += 5;
    image.update(params);
    EXPECT_EQ(image.read_back(), before);
    params.angle += 5;
    image.update(params);
    EXPECT_NE(image.read_back(), before);
}

}  // namespace
}  // namespace warplens::test::image_texture_window_tests
