// The texture units draw what the model draws: through a mapped GL texture, and through host memory.
#include "app/gl/context.h"
#include "app/interop/textures.h"
#include "app/model/access/texture.h"
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/trace/image_filter.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warplens::test::image_texture_gpu_tests {
namespace {

constexpr std::size_t kBytes = std::size_t{TextureFilter::kImage} * TextureFilter::kImage * 4;

/// Pixels that are more than one level of 255 apart, which rounding may cost.
int wrong_pixels(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    int wrong = 0;
    for (std::size_t i = 0; i < kBytes; i += 4) {
        bool same = true;
        for (std::size_t c = i; c < i + 4; ++c) same = same && std::abs(a.at(c) - b.at(c)) <= 1;
        wrong += !same;
    }
    return wrong;
}

/// Every filter, border and size, and some turns and zooms of each.
std::vector<Params> settings() {
    std::mt19937 random(5);
    const Scenario& scenario = *find_scenario("texture-filter");
    std::vector<Params> all = {TextureFilter::info.defaults};
    for (const int linear : {0, 1}) {
        for (const int border : {0, 1, 2, 3}) {
            for (const int size_log2 : {4, 6, 9, 10}) {
                for (int i = 0; i < 3; ++i) {
                    Params p = test::random_params(scenario, random);
                    p.linear = linear, p.border = border, p.texture_log2 = size_log2;
                    if (i == 0) p.angle = 0, p.zoom_percent = 100;
                    all.push_back(p);
                }
            }
        }
    }
    return all;
}

std::string describe(const Params& p) {
    return "linear " + std::to_string(p.linear) + ", border " + std::to_string(p.border) + ", texture 2^" +
           std::to_string(p.texture_log2) + ", zoom " + std::to_string(p.zoom_percent) + ", angle " +
           std::to_string(p.angle);
}

TEST(FilterGpu, DrawsWhatTheModelDraws) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    ImageFilter filter;
    FilterImage model;
    std::vector<std::uint8_t> rgba(kBytes);
    for (const Params& p : settings()) {
        const auto failure = filter.draw_to_host(p, rgba);
        ASSERT_FALSE(failure) << failure->reason;
        EXPECT_EQ(wrong_pixels(rgba, model.draw(p)), 0) << describe(p);
    }
}

TEST(FilterGpu, InteropEqualsCopy) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    auto context = HeadlessContext::create(std::get<0>(gpus).front().index);
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    ImageTexture by_interop(TraceMode::interop), by_copy(TraceMode::copy);
    for (const Params& p : settings()) {
        by_interop.update(p);
        by_copy.update(p);
        if (by_interop.mode() != TraceMode::interop) GTEST_SKIP() << by_interop.why();
        ASSERT_EQ(by_copy.mode(), TraceMode::copy) << by_copy.why();
        ASSERT_EQ(by_interop.read_back(), by_copy.read_back()) << describe(p);
    }
}

TEST(FilterGpu, ImagesComeAndGoWithoutLeaks) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    auto context = HeadlessContext::create(std::get<0>(gpus).front().index);
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    for (int i = 0; i < 30; ++i) {
        ImageTexture image(TraceMode::interop);
        image.update(TextureFilter::info.defaults);
        if (i == 0 && image.mode() != TraceMode::interop) GTEST_SKIP() << image.why();
        ASSERT_EQ(image.mode(), TraceMode::interop) << image.why();
    }
}

}  // namespace
}  // namespace warplens::test::image_texture_gpu_tests
