#include "app/gl/context.h"

#include <glad/gl.h>

#include <utility>

namespace warplens {
namespace {

std::string gl_string(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

}  // namespace

const char* const kGlslVersion = "#version 300 es";
const char* const kGlslHead = "#version 300 es\nprecision highp float;\nprecision highp int;\n";

const bool kDrawnElsewhere = true;

GlInfo read_gl_info(std::string how) {
    return {gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION), std::move(how)};
}

// Each question would wait for the GPU. WebGL 2 draws into any framebuffer of RGBA8, and the browser reports
// errors on its console.
bool framebuffer_is_complete() { return true; }
void report_gl_errors() {}
std::string take_gl_errors() { return {}; }

std::optional<Unavailable> missing_lib_gl() { return std::nullopt; }

std::variant<std::unique_ptr<HeadlessContext>, Unavailable> HeadlessContext::create(int) {
    return Unavailable{"A browser draws in its page only."};
}

}  // namespace warplens
