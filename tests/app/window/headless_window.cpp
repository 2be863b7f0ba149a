#include "tests/app/window/headless_window.h"

#include "app/base/recent.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace warplens::test {
namespace {

std::intptr_t do_nothing() { return 0; }
const GLubyte* version(GLenum) { return reinterpret_cast<const GLubyte*>("3.3 none"); }
void get_nothing(GLenum, GLint*) {}

GLADapiproc function_of(const char* name) {
    if (std::strcmp(name, "glGetString") == 0) return reinterpret_cast<GLADapiproc>(version);
    if (std::strcmp(name, "glGetIntegerv") == 0) return reinterpret_cast<GLADapiproc>(get_nothing);
    return reinterpret_cast<GLADapiproc>(do_nothing);
}

/// A function of any type that does nothing. Functions must be called through pointers of their own type.
template <class Pointer>
struct Nothing;
template <class Result, class... Arguments>
struct Nothing<Result (*)(Arguments...)> {
    static Result call(Arguments...) { return Result(); }
};

/// Gives the functions that textures and painters call, and no others, their own types.
void do_nothing_by_type() {
    // clang-format off
#define WARPLENS_DO_NOTHING(name) glad_##name = Nothing<decltype(glad_##name)>::call;
#define WARPLENS_CALLED(F) \
    F(glActiveTexture) F(glAttachShader) F(glBindBuffer) F(glBindTexture) F(glBindVertexArray) \
    F(glBufferData) F(glCompileShader) F(glCreateProgram) F(glCreateShader) \
    F(glDeleteBuffers) F(glDeleteProgram) F(glDeleteShader) F(glDeleteTextures) F(glDeleteVertexArrays) \
    F(glDrawArraysInstanced) F(glEnableVertexAttribArray) F(glGetError) F(glGenBuffers) F(glGenTextures) \
    F(glGenVertexArrays) F(glGetProgramInfoLog) F(glGetProgramiv) \
    F(glGetShaderInfoLog) F(glGetShaderiv) F(glGetString) F(glGetUniformLocation) \
    F(glLinkProgram) F(glPixelStorei) F(glScissor) F(glShaderSource) F(glTexImage2D) F(glTexParameteri) \
    F(glTexSubImage2D) F(glUniform1i) F(glUniform4f) F(glUseProgram) F(glVertexAttribDivisor) F(glVertexAttribIPointer) \
    F(glVertexAttribPointer)
    // clang-format on
    WARPLENS_CALLED(WARPLENS_DO_NOTHING)
#undef WARPLENS_CALLED
#undef WARPLENS_DO_NOTHING
}

/// Keys that Dear ImGui looks at itself.
constexpr struct {
    int glfw;
    ImGuiKey imgui;
} kKeys[] = {{GLFW_KEY_TAB, ImGuiKey_Tab},
             {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
             {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
             {GLFW_KEY_UP, ImGuiKey_UpArrow},
             {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
             {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
             {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
             {GLFW_KEY_HOME, ImGuiKey_Home},
             {GLFW_KEY_END, ImGuiKey_End},
             {GLFW_KEY_DELETE, ImGuiKey_Delete},
             {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
             {GLFW_KEY_SPACE, ImGuiKey_Space},
             {GLFW_KEY_ENTER, ImGuiKey_Enter},
             {GLFW_KEY_ESCAPE, ImGuiKey_Escape}};

void set_key([[maybe_unused]] int glfw_key, [[maybe_unused]] bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    for (const auto& [glfw, imgui] : kKeys)
        if (glfw == glfw_key) io.AddKeyEvent(imgui, down);
#else
    if (glfw_key >= 0 && glfw_key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[glfw_key] = down;
#endif
}

}  // namespace

/// Fonts that are loaded, and where their glyphs are.
struct HeadlessWindow::LoadedFonts {
    Fonts fonts;
    std::unique_ptr<ImFontAtlas> atlas = std::make_unique<ImFontAtlas>();
};

// To render all glyphs takes longer than many a test, so windows of the same scale share them.
void HeadlessWindow::load_fonts(float scale, bool titles) {
    static Recent<std::pair<float, bool>, LoadedFonts> recent(4);
    loaded_ = recent.get(std::pair(scale, titles), [&] {
        LoadedFonts made;
        ImGui::GetIO().Fonts = made.atlas.get();
        made.fonts.load(scale, titles);
        return made;
    });
    ImGui::GetIO().Fonts = loaded_->atlas.get();
    fonts_ = loaded_->fonts;
}

HeadlessWindow::HeadlessWindow(int width, int height) : context_(ui::create_context()) {
    gladLoadGL(function_of);
    do_nothing_by_type();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
#if IMGUI_VERSION_NUM < 18700
    for (const auto& [glfw, imgui] : kKeys) io.KeyMap[imgui] = glfw;
#endif
    own_atlas_ = io.Fonts;
    resize(width, height);
    renew_style();
}

HeadlessWindow::~HeadlessWindow() {
    {
        const ui::ContextScope scope(context_);  // another window may be there already
        ImGui::GetIO().Fonts->Locked = false;    // the last frame may have thrown
        ImGui::GetIO().Fonts = own_atlas_;
    }
    ImGui::DestroyContext(context_);
}

void HeadlessWindow::resize(int width, int height) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
}

void HeadlessWindow::renew_style() {
    if (!std::exchange(style_is_old_, false)) return;
    const float scale = fixed_scale_ > 0 ? fixed_scale_ : user_scale_;
    if (fonts_.font(FontRole::body) == nullptr || scale != fonts_.scale()) {
        if (ui::kDynamicFonts)  // only what is drawn is rendered, into an atlas of the context
            fonts_.load(scale, fixed_scale_ > 0);
        else
            load_fonts(scale, fixed_scale_ > 0);
    }
    apply_theme(theme_, fonts_.scale());
}

void HeadlessWindow::fix_scale(float pixels_per_point) {
    style_is_old_ |= fixed_scale_ != pixels_per_point;
    fixed_scale_ = pixels_per_point;
}

void HeadlessWindow::set_user_scale(float scale) {
    user_scale_ = std::clamp(scale, 0.5f, 3.0f);
    style_is_old_ = true;
}

void HeadlessWindow::set_theme(const Theme& theme) {
    style_is_old_ |= theme.name != theme_.name;
    theme_ = theme;
}

bool HeadlessWindow::run_frame(const std::function<void()>& frame) {
    if (!open_) return false;
    renew_style();
    awake_ = std::max(awake_ - 1, 0);
    wait_ = FramePacing::kIdleSeconds;
    ImGui::GetIO().DeltaTime = static_cast<float>(std::exchange(passing_, kFrameSeconds));
    ImGui::NewFrame();
    painter_.begin_frame();
    frame();
    ImGui::Render();
    taps_.clear();
    dropped_.clear();
    close_asked_ = false;
    if (key_down_ >= 0) set_key(std::exchange(key_down_, -1), false);
    ++frames_drawn_;
    return true;
}

void HeadlessWindow::capture_next(std::function<void(Image)> done) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Image image{static_cast<int>(size.x), static_cast<int>(size.y), {}};
    image.rgba.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    done(std::move(image));
}

void HeadlessWindow::tap(int key, int modifiers) {
    const bool letter = key >= GLFW_KEY_SPACE && key < 127;
    taps_.push_back({key, letter ? static_cast<char>(std::tolower(key)) : '\0',
                     (modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0,
                     (modifiers & GLFW_MOD_ALT) != 0, false});
    if (key_down_ >= 0) set_key(key_down_, false);
    set_key(key_down_ = key, true);
}

void HeadlessWindow::type(const std::string& text) { ImGui::GetIO().AddInputCharactersUTF8(text.c_str()); }
void HeadlessWindow::point_at(float x, float y) { ui::move_mouse(x, y); }
void HeadlessWindow::button(bool down, int which) { ui::set_mouse_button(which, down); }
int HeadlessWindow::corners() const { return ImGui::GetDrawData()->TotalVtxCount; }

}  // namespace warplens::test
