#include "app/gl/gl_check.h"

#include "app/gl/imgui_compat.h"

#include <glad/gl.h>
#include <cstdio>
#include <utility>
#ifdef __linux__
#include <dlfcn.h>
#endif

namespace warplens {
namespace {

std::string gl_string(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

const char* error_name(GLenum error) {
    constexpr std::pair<GLenum, const char*> kNames[] = {
        {GL_INVALID_ENUM, "GL_INVALID_ENUM"},
        {GL_INVALID_VALUE, "GL_INVALID_VALUE"},
        {GL_INVALID_OPERATION, "GL_INVALID_OPERATION"},
        {GL_INVALID_FRAMEBUFFER_OPERATION, "GL_INVALID_FRAMEBUFFER_OPERATION"},
        {GL_OUT_OF_MEMORY, "GL_OUT_OF_MEMORY"}};
    for (const auto& [code, name] : kNames)
        if (code == error) return name;
    return "unknown GL error";
}

#ifdef WARPLENS_GL_DEBUG
void GLAD_API_PTR print_message(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text,
                                const void*) {
    if (type == GL_DEBUG_TYPE_ERROR) std::fprintf(stderr, "OpenGL: %s\n", text);
}
#endif

}  // namespace

GlInfo read_gl_info(std::string how) {
    return {gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION), std::move(how)};
}

void report_gl_errors() {
#ifdef WARPLENS_GL_DEBUG
    if (!GLAD_GL_KHR_debug) return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // so that a debugger stops in the call that was wrong
    glDebugMessageCallback(print_message, nullptr);
#endif
}

std::string take_gl_errors() {
    std::string errors;
    for (int i = 0; i < 16; ++i) {  // a limit, because without a context glGetError never returns 0
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) break;
        if (!errors.empty()) errors += ", ";
        errors += error_name(error);
    }
    return errors;
}

std::optional<Unavailable> missing_lib_gl() {
#if defined(__linux__) && IMGUI_VERSION_NUM >= 19200
    // ImGui 1.92 closes the library when a context ends, and the next context would call into unmapped code.
    dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    return std::nullopt;
#elif defined(__linux__)
    if (dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) != nullptr) return std::nullopt;
    return Unavailable{
        "Drawing needs libGL.so.1, and it is not installed (on Debian or Ubuntu: apt install libgl1)."};
#else
    return std::nullopt;
#endif
}

}  // namespace warplens
