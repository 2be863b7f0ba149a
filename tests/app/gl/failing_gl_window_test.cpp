// OpenGL says at each of its answers once that something failed: an image is right, or there is a sentence
// instead of it, and the next image is right again.
#include "tests/app/gl/gl_fixture.h"

#include <glad/gl.h>

#include <stdexcept>
#include <string>

namespace warplens::test::failing_gl_window_tests {
namespace {

/// While it lives, the nth answer of OpenGL is bad: a shader that does not compile, a program that does not
/// link, a framebuffer that is not complete, an error. The functions of glad are variables, so they can be
/// replaced.
class BadAnswer {
public:
    explicit BadAnswer(long nth) {
        nth_ = nth;
        answers_ = 0;
        shader_ = glad_glGetShaderiv;
        program_ = glad_glGetProgramiv;
        framebuffer_ = glad_glCheckFramebufferStatus;
        error_ = glad_glGetError;
        glad_glGetShaderiv = [](GLuint shader, GLenum what, GLint* value) {
            shader_(shader, what, value);
            if (what == GL_COMPILE_STATUS && is_bad()) *value = GL_FALSE;
        };
        glad_glGetProgramiv = [](GLuint program, GLenum what, GLint* value) {
            program_(program, what, value);
            if (what == GL_LINK_STATUS && is_bad()) *value = GL_FALSE;
        };
        glad_glCheckFramebufferStatus = [](GLenum target) -> GLenum {
            const GLenum status = framebuffer_(target);
            return is_bad() ? GL_FRAMEBUFFER_UNSUPPORTED : status;
        };
        glad_glGetError = []() -> GLenum {
            const GLenum error = error_();
            return is_bad() ? GL_OUT_OF_MEMORY : error;
        };
    }
    ~BadAnswer() {
        glad_glGetShaderiv = shader_;
        glad_glGetProgramiv = program_;
        glad_glCheckFramebufferStatus = framebuffer_;
        glad_glGetError = error_;
    }
    BadAnswer(const BadAnswer&) = delete;
    BadAnswer& operator=(const BadAnswer&) = delete;

    static long answers() { return answers_; }

private:
    static bool is_bad() { return ++answers_ == nth_; }
    static inline long nth_ = 0, answers_ = 0;
    static inline PFNGLGETSHADERIVPROC shader_ = nullptr;
    static inline PFNGLGETPROGRAMIVPROC program_ = nullptr;
    static inline PFNGLCHECKFRAMEBUFFERSTATUSPROC framebuffer_ = nullptr;
    static inline PFNGLGETERRORPROC error_ = nullptr;
};

using FailingGl = GlTest;

TEST_F(FailingGl, AnImageIsRightOrASentenceSaysWhyThereIsNone) {
    Picture picture;
    picture.size = {60, 40};
    picture.shapes = {Box{.rect = {10, 10, 20, 20}, .fill = {200, 100, 0, 255}, .rounding = 6},
                      HeatCell{.rect = {40, 10, 10, 20}}};
    const TraceTexture trace({0, 1});
    const auto draw = [&] {
        return Offscreen(1).draw({{&picture, {0, 0}, trace.name()}}, picture.size, {0, 0, 0, 255});
    };
    const Image right = draw();
    int refused = 0;
    for (long nth = 1;; ++nth) {
        SCOPED_TRACE("answer " + std::to_string(nth));
        bool more = false;
        {
            const BadAnswer bad(nth);
            try {
                const Image image = draw();
                EXPECT_EQ(pixel(image, 20, 20), pixel(right, 20, 20)) << "if with rougher edges";
                EXPECT_EQ(pixel(image, 2, 2), pixel(right, 2, 2));
                EXPECT_EQ(pixel(image, 45, 20), pixel(right, 45, 20));
            } catch (const std::runtime_error& why) {
                EXPECT_GT(std::string(why.what()).size(), 10u);
                ++refused;
            }
            more = bad.answers() >= nth;
        }
        take_gl_errors();
        EXPECT_EQ(draw().rgba, right.rgba) << "everything works again";
        if (!more) break;
    }
    EXPECT_GE(refused, 4) << "two shaders, a program and the image that is read";
}

}  // namespace
}  // namespace warplens::test::failing_gl_window_tests
