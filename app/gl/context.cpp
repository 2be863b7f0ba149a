#include "app/gl/context.h"

#include <glad/egl.h>
#include <glad/gl.h>

#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>
#ifdef __linux__
#include <dlfcn.h>
#endif

namespace warplens {
namespace {

bool has_extension(const char* list, std::string_view name) {
    if (list == nullptr) return false;
    const std::string_view all = list;
    for (std::size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || all[at - 1] == ' ') && (end == all.size() || all[end] == ' ')) return true;
    }
    return false;
}

const char* egl_error() {
    constexpr std::pair<EGLint, const char*> kNames[] = {{EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED"},
                                                         {EGL_BAD_ACCESS, "EGL_BAD_ACCESS"},
                                                         {EGL_BAD_ALLOC, "EGL_BAD_ALLOC"},
                                                         {EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE"},
                                                         {EGL_BAD_CONFIG, "EGL_BAD_CONFIG"},
                                                         {EGL_BAD_CONTEXT, "EGL_BAD_CONTEXT"},
                                                         {EGL_BAD_DISPLAY, "EGL_BAD_DISPLAY"},
                                                         {EGL_BAD_MATCH, "EGL_BAD_MATCH"},
                                                         {EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER"}};
    const EGLint error = eglGetError();
    for (const auto& [code, name] : kNames)
        if (code == error) return name;
    return "no reason given";
}

/// One way to get an EGL display.
struct Rung {
    EGLDisplay display = EGL_NO_DISPLAY;
    std::string how;
};

/// Adds the GPUs that EGL knows: first the one that CUDA uses, then other hardware, then software.
void add_devices(std::vector<Rung>& rungs, int cuda_device) {
    EGLDeviceEXT devices[32];
    EGLint count = 0;
    if (!eglQueryDevicesEXT(32, devices, &count)) return;
    for (int wanted = 0; wanted < 3; ++wanted) {
        for (EGLint i = 0; i < count; ++i) {
            const char* extensions = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
            EGLAttrib ordinal = -1;
            if (has_extension(extensions, "EGL_NV_device_cuda"))
                eglQueryDeviceAttribEXT(devices[i], EGL_CUDA_DEVICE_NV, &ordinal);
            const bool software = has_extension(extensions, "EGL_MESA_device_software");
            const int rank = cuda_device >= 0 && ordinal == cuda_device ? 0 : software ? 2 : 1;
            if (rank != wanted) continue;
            std::string how = "EGL device " + std::to_string(i);
            if (ordinal >= 0) how += ", CUDA device " + std::to_string(ordinal);
            if (software) how += ", software";
            rungs.push_back(
                {eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), std::move(how)});
        }
    }
}

std::vector<Rung> find_rungs(int cuda_device) {
    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::vector<Rung> rungs;
    const bool platforms =
        has_extension(client, "EGL_EXT_platform_base") && eglGetPlatformDisplayEXT != nullptr;
    const bool devices = eglQueryDevicesEXT != nullptr && eglQueryDeviceStringEXT != nullptr &&
                         eglQueryDeviceAttribEXT != nullptr &&
                         has_extension(client, "EGL_EXT_platform_device");
    if (platforms && devices) add_devices(rungs, cuda_device);
    if (platforms && has_extension(client, "EGL_MESA_platform_surfaceless")) {
        void* native = reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY);
        rungs.push_back(
            {eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, native, nullptr), "surfaceless EGL"});
    }
    rungs.push_back({eglGetDisplay(EGL_DEFAULT_DISPLAY), "the default EGL display"});
    return rungs;
}

class EglContext final : public HeadlessContext {
public:
    /// @return  why it failed; empty if the context is current on this thread.
    std::string start(const Rung& rung);
    ~EglContext() override;
    const GlInfo& info() const override { return info_; }

private:
    std::string choose_config(EGLConfig& config, bool surfaceless) const;

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    GlInfo info_;
};

EglContext::~EglContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

std::string EglContext::choose_config(EGLConfig& config, bool surfaceless) const {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted, &config, 1, &count) && count > 0) return {};
    if (!surfaceless || !has_extension(eglQueryString(display_, EGL_EXTENSIONS), "EGL_KHR_no_config_context"))
        return "no configuration for OpenGL";
    config = EGL_NO_CONFIG_KHR;
    return {};
}

std::string EglContext::start(const Rung& rung) {
    if (rung.display == EGL_NO_DISPLAY) return "no display";
    if (!eglInitialize(rung.display, nullptr, nullptr)) return std::string("eglInitialize: ") + egl_error();
    display_ = rung.display;
    if (gladLoaderLoadEGL(display_) < GLAD_MAKE_VERSION(1, 4)) return "its EGL is older than 1.4";
    if (!eglBindAPI(EGL_OPENGL_API)) return "no desktop OpenGL";

    const bool surfaceless =
        has_extension(eglQueryString(display_, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
    EGLConfig config = nullptr;
    if (std::string why = choose_config(config, surfaceless); !why.empty()) return why;
#ifdef WARPLENS_GL_DEBUG
    constexpr EGLint debug = EGL_TRUE;
#else
    constexpr EGLint debug = EGL_FALSE;
#endif
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_CONTEXT_OPENGL_DEBUG,
                              debug,
                              EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT) return std::string("eglCreateContext for OpenGL 3.3: ") + egl_error();
    if (!surfaceless) {
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        surface_ = eglCreatePbufferSurface(display_, config, size);
    }
    if (!eglMakeCurrent(display_, surface_, surface_, context_))
        return std::string("eglMakeCurrent: ") + egl_error();
    if (!gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)))
        return "OpenGL's functions are missing";
    info_ = read_gl_info(rung.how);
    report_gl_errors();
    return {};
}

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

const char* const kGlslVersion = "#version 330 core";
const char* const kGlslHead = "#version 330 core\n";

GlInfo read_gl_info(std::string how) {
    return {gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION), std::move(how)};
}

const bool kDrawnElsewhere = false;

bool framebuffer_is_complete() {
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR;
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

std::variant<std::unique_ptr<HeadlessContext>, Unavailable> HeadlessContext::create(int cuda_device) {
    if (auto missing = missing_lib_gl()) return *missing;
    if (!gladLoaderLoadEGL(EGL_NO_DISPLAY))
        return Unavailable{
            "Drawing without a window needs libEGL.so.1, and it is not installed "
            "(on Debian or Ubuntu: apt install libegl1)."};
    std::string tried;
    for (const Rung& rung : find_rungs(cuda_device)) {
        auto context = std::make_unique<EglContext>();
        const std::string why = context->start(rung);
        if (why.empty()) return context;
        tried += "\n  " + rung.how + ": " + why;
    }
    return Unavailable{"No OpenGL 3.3 without a window. Tried:" + tried};
}

}  // namespace warplens
