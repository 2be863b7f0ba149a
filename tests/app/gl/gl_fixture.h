#pragma once

#include "app/gl/context.h"
#include "app/gl/offscreen.h"
#include "kernels/warp_access.h"

#include <gtest/gtest.h>

#include <glad/gl.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

namespace warplens {

inline std::ostream& operator<<(std::ostream& out, Color c) {
    return out << "rgba(" << +c.r << ", " << +c.g << ", " << +c.b << ", " << +c.a << ")";
}

/// Tests that draw without a window. Skipped, with the reason, where there is no EGL.
class GlTest : public testing::Test {
protected:
    void SetUp() override {
        auto created = HeadlessContext::create();
        if (auto* why = std::get_if<Unavailable>(&created)) GTEST_SKIP() << why->reason;
        context_ = std::move(std::get<std::unique_ptr<HeadlessContext>>(created));
    }
    void TearDown() override {
        if (context_ == nullptr) return;
        EXPECT_EQ(take_gl_errors(), "");
    }

    std::unique_ptr<HeadlessContext> context_;
};

/// A texture as TraceBuffer makes one, with words of our choice.
class TraceTexture {
public:
    explicit TraceTexture(const std::vector<std::uint32_t>& words) {
        std::vector<std::uint32_t> rows = words;
        rows.resize((words.size() + kWarpLanes - 1) / kWarpLanes * kWarpLanes);
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, kWarpLanes, static_cast<GLsizei>(rows.size()) / kWarpLanes,
                     0, GL_RED_INTEGER, GL_UNSIGNED_INT, rows.data());
    }
    ~TraceTexture() { glDeleteTextures(1, &texture_); }
    TraceTexture(const TraceTexture&) = delete;
    TraceTexture& operator=(const TraceTexture&) = delete;
    unsigned name() const { return texture_; }

private:
    GLuint texture_ = 0;
};

inline Color pixel(const Image& image, int x, int y) {
    const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + x) * 4;
    return {image.rgba.at(at), image.rgba.at(at + 1), image.rgba.at(at + 2), image.rgba.at(at + 3)};
}

inline int distance(Color a, Color b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

/// How many pixels of a part of the image differ from a colour.
inline int count_other(const Image& image, Rect part, Color color) {
    int others = 0;
    for (int y = static_cast<int>(part.y); y < static_cast<int>(part.y + part.h); ++y)
        for (int x = static_cast<int>(part.x); x < static_cast<int>(part.x + part.w); ++x)
            others += distance(pixel(image, x, y), color) > 2;
    return others;
}

}  // namespace warplens
