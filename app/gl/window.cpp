#include "app/gl/window.h"

#include "app/gl/beside_window.h"
#include "app/gl/glfw_window.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/window_system.h"

#include <glad/gl.h>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_glfw.h)
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

namespace warplens {
namespace {

constexpr int kFramesAfterEvent = 3;
constexpr int kTooltipFrames = 4;
constexpr double kTooltipSeconds = 0.15;
constexpr double kCaretSeconds = 0.4;

constexpr int kMinWidth = 960, kMinHeight = 600;  // [screen coordinates]

/// ImGui's context with both backends.
class ImGuiSession {
public:
    explicit ImGuiSession(GLFWwindow* window) : context_(ui::create_context()) {
        ImGui::SetCurrentContext(context_);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;  // no file is written into the current folder
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ready_ = ImGui_ImplOpenGL3_Init(kGlslVersion);
    }
    ~ImGuiSession() {
        ImGui::SetCurrentContext(context_);
        if (ready_) ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext(context_);
    }
    ImGuiSession& operator=(ImGuiSession&&) = delete;
    bool ready() const { return ready_; }

private:
    ImGuiContext* context_;
    bool ready_ = false;
};

class GlfwWindow final : public Window {
public:
    GlfwWindow(GlfwHandle handle, GlInfo info);

    bool ready() const { return session_->ready(); }
    const GlInfo& info() const override { return info_; }
    Fonts& fonts() override { return fonts_; }
    Painter& painter() override { return painter_; }
    float scale() const override { return fonts_.scale(); }
    void set_user_scale(float scale) override;
    float user_scale() const override { return user_scale_; }
    void fix_scale(float pixels_per_point) override;
    void set_theme(const Theme& theme) override;
    bool run_frame(const std::function<void()>& frame) override;
    const std::vector<KeyTap>& taps() const override { return taps_; }
    const std::vector<std::string>& dropped() const override { return dropped_; }
    bool close_asked() const override { return close_asked_; }
    void keep_awake(int frames) override { pacing_.keep_awake(frames); }
    void wake_within(double seconds) override { pacing_.wake_within(seconds); }
    void wake() override;
    void close() override { glfwSetWindowShouldClose(handle_.get(), GLFW_TRUE); }
    void toggle_fullscreen() override;
    bool is_full_screen() const override { return warplens::is_full_screen(handle_.get()); }
    void capture_next(std::function<void(Image)> done) override { capture_ = std::move(done); }
    long frames_drawn() const override { return frames_drawn_; }
    std::string open_beside(const std::string& title) override;
    void close_beside() override { beside_.reset(); }
    std::optional<Vec2> beside_size() const override;
    void show_beside(Picture picture, float scale) override {
        if (beside_) beside_->show(std::move(picture), scale, theme_.page);
    }

private:
    static GlfwWindow& of(GLFWwindow* window) {
        return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
    }
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers);
    static void on_button(GLFWwindow* window, int button, int action, int modifiers);
    static void on_damage(GLFWwindow* window);
    static void on_drop(GLFWwindow* window, int count, const char** paths);
    static void on_close(GLFWwindow* window);
    void install_callbacks();
    void watch(GLFWwindow* window);
    void note_event() { happened_ = true; }

    float wanted_scale() const;
    void renew_style();
    bool is_hidden() const;
    bool is_due();
    void draw(const std::function<void()>& frame);
    void show();

    GlfwHandle handle_;  // first, because all others need OpenGL until they are destroyed
    GlInfo info_;
    std::unique_ptr<ImGuiSession> session_;
    Fonts fonts_;
    Painter painter_;
    std::unique_ptr<BesideWindow> beside_;  ///< null if it is not open
    FramePacing pacing_;
    Theme theme_ = theme(ThemeName::dark);
    float user_scale_ = 1, fixed_scale_ = 0;
    bool style_is_old_ = true;
    std::optional<double> due_at_;        ///< the next frame, while its time is waited for [glfwGetTime]
    std::atomic<bool> happened_ = false;  ///< whether there was an event since the last sleep
    std::vector<KeyTap> taps_;
    /// where buttons went down or up, not seen by ImGui yet [screen coordinates]
    std::vector<ImVec2> clicks_;
    std::vector<std::string> dropped_;
    bool close_asked_ = false;
    std::function<void(Image)> capture_;
    int windowed_[4] = {0, 0, 1280, 800};  ///< position and size to return to from full screen
    long frames_drawn_ = 0;
};

GlfwWindow::GlfwWindow(GlfwHandle handle, GlInfo info) : handle_(std::move(handle)), info_(std::move(info)) {
    glfwSetWindowSizeLimits(handle_.get(), kMinWidth, kMinHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSwapInterval(1);
    report_gl_errors();
    install_callbacks();  // before those of ImGui, which call them
    session_ = std::make_unique<ImGuiSession>(handle_.get());
    connect_to_system(handle_.get());
    renew_style();  // so that fonts can measure before the first frame
}

// Any input ends the sleep. Keys and clicks are also kept here, because ImGui before 1.87 looks at them once
// per frame: a short tap can begin and end between two frames, and the mouse may already be elsewhere when
// its button is seen to be released.
void GlfwWindow::install_callbacks() {
    GLFWwindow* window = handle_.get();
    watch(window);
    glfwSetWindowCloseCallback(window, on_close);
    glfwSetDropCallback(window, on_drop);
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { of(w).note_event(); });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { of(w).note_event(); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { of(w).note_event(); });
    glfwSetMouseButtonCallback(window, on_button);
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { of(w).note_event(); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { of(w).note_event(); });
    glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { of(w).note_event(); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) {
        of(w).style_is_old_ = true;
        of(w).note_event();
    });
}

/// Both windows take keys, and are drawn again for the same reasons.
void GlfwWindow::watch(GLFWwindow* window) {
    glfwSetWindowUserPointer(window, this);
    glfwSetKeyCallback(window, on_key);
    glfwSetWindowRefreshCallback(window, on_damage);
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { of(w).note_event(); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { on_damage(w); });
}

std::string GlfwWindow::open_beside(const std::string& title) {
    auto opened = BesideWindow::open(title, handle_.get());
    if (const auto* why = std::get_if<Unavailable>(&opened)) return why->reason;
    beside_ = std::move(std::get<std::unique_ptr<BesideWindow>>(opened));
    watch(beside_->get());
    return {};
}

std::optional<Vec2> GlfwWindow::beside_size() const {
    if (beside_ == nullptr || beside_->closed()) return std::nullopt;
    return beside_->size();
}

void GlfwWindow::on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers) {
    GlfwWindow& self = of(window);
    self.note_event();
    if (action == GLFW_RELEASE) return;
    self.taps_.push_back({key, printed_on(key, scancode), (modifiers & GLFW_MOD_CONTROL) != 0,
                          (modifiers & GLFW_MOD_SHIFT) != 0, (modifiers & GLFW_MOD_ALT) != 0,
                          action == GLFW_REPEAT});
}

void GlfwWindow::on_button(GLFWwindow* window, int, int, int) {
    double x = 0, y = 0;
    glfwGetCursorPos(window, &x, &y);
    of(window).note_event();
    if (ui::kLooksAtInputOnceAFrame) of(window).clicks_.emplace_back(float(x), float(y));
}

void GlfwWindow::on_damage(GLFWwindow* window) {
    GlfwWindow& self = of(window);
    if (self.beside_ && self.beside_->get() == window) self.beside_->renew();
    self.note_event();
}

void GlfwWindow::on_drop(GLFWwindow* window, int count, const char** paths) {
    of(window).note_event();
    of(window).dropped_.insert(of(window).dropped_.end(), paths, paths + count);
}

void GlfwWindow::set_user_scale(float scale) {
    user_scale_ = std::clamp(scale, 0.5f, 3.0f);
    style_is_old_ = true;
    note_event();
}

void GlfwWindow::fix_scale(float pixels_per_point) {
    if (pixels_per_point == fixed_scale_) return;  // it is called in every frame
    fixed_scale_ = pixels_per_point;
    style_is_old_ = true;
    note_event();
}

void GlfwWindow::set_theme(const Theme& theme) {
    if (theme.name == theme_.name)
        return;  // it is called in every frame, and an event would keep the window awake
    theme_ = theme;
    style_is_old_ = true;
    note_event();
}

void GlfwWindow::on_close(GLFWwindow* window) {
    glfwSetWindowShouldClose(window, GLFW_FALSE);
    of(window).close_asked_ = true;
    of(window).note_event();
    // The answer may be a question, which nobody would see.
    if (glfwGetWindowAttrib(window, GLFW_ICONIFIED)) glfwRestoreWindow(window);
}

// If a framebuffer has more pixels than the window has coordinates (macOS, Wayland), the system has already
// scaled the window.
float GlfwWindow::wanted_scale() const {
    int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
    glfwGetWindowSize(handle_.get(), &width, &height);
    glfwGetFramebufferSize(handle_.get(), &pixels_x, &pixels_y);
    float x = 1, y = 1;
    glfwGetWindowContentScale(handle_.get(), &x, &y);
    if (fixed_scale_ > 0) return fixed_scale_;
    return user_scale_ * (width == pixels_x && x > 0 ? x : 1.0f);
}

void GlfwWindow::renew_style() {
    if (!std::exchange(style_is_old_, false)) return;
    const float scale = wanted_scale();
    if (fonts_.font(FontRole::body) == nullptr || scale != fonts_.scale()) {
        fonts_.load(scale, fixed_scale_ > 0);         // projector mode has titles
        if (frames_drawn_ > 0) renew_font_texture();  // earlier the backend has no font texture yet
    }
    apply_theme(theme_, fonts_.scale());
}

bool GlfwWindow::is_hidden() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_.get(), &width, &height);
    return glfwGetWindowAttrib(handle_.get(), GLFW_ICONIFIED) || width == 0 || height == 0;
}

/// Sleeps until the next frame is due, where a program may sleep.
bool GlfwWindow::is_due() {
    if (!due_at_)
        due_at_ = glfwGetTime() +
                  (is_hidden() ? FramePacing::kIdleSeconds : pacing_.next_wait(ImGui::GetIO().WantTextInput));
    glfwPollEvents();
    // The window system also wakes the program for events that do not matter; then it goes on sleeping.
    while (!happened_.exchange(false)) {
        const double left = *due_at_ - glfwGetTime();
        if (left <= 0 || glfwWindowShouldClose(handle_.get())) {
            due_at_.reset();
            return true;
        }
        if (!wait_for_events(left)) return false;
    }
    due_at_.reset();
    pacing_.event();
    return true;
}

bool GlfwWindow::run_frame(const std::function<void()>& frame) {
    if (!is_due()) return true;
    if (glfwWindowShouldClose(handle_.get())) return false;
    if (is_hidden()) return true;
    renew_style();
    draw(frame);
    if (!take_waiting_for_pixels()) show();
    if (beside_) beside_->draw();
    taps_.clear();
    dropped_.clear();
    close_asked_ = false;
    return true;
}

void GlfwWindow::draw(const std::function<void()>& frame) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (!clicks_.empty()) {  // each click is handled at its position, in a separate frame
        ImGui::GetIO().MousePos = clicks_.front();
        clicks_.erase(clicks_.begin());
        keep_awake(1);
    }
#if IMGUI_VERSION_NUM < 18700
    // A key that was let go again between two frames counts as down in this one: a text would lose line ends.
    auto& down = ImGui::GetIO().KeysDown;
    std::vector<int> let_go;
    for (const KeyTap& tap : taps_)
        if (tap.key >= 0 && tap.key < IM_ARRAYSIZE(down) && !std::exchange(down[tap.key], true))
            let_go.push_back(tap.key);
    if (!let_go.empty()) keep_awake(1);
#endif
    ImGui::NewFrame();
#if IMGUI_VERSION_NUM < 18700
    for (const int key : let_go) down[key] = false;
#endif
    painter_.begin_frame();
    frame();
    ImGui::Render();
}

void GlfwWindow::show() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_.get(), &width, &height);
    glViewport(0, 0, width, height);
    const auto part = [](std::uint8_t channel) { return float(channel) / 255.0f; };
    glClearColor(part(theme_.page.r), part(theme_.page.g), part(theme_.page.b), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (const auto done = std::exchange(capture_, nullptr)) {
        glReadBuffer(GL_BACK);  // before the swap, because the front buffer may not be read
        Image image = read_pixels(width, height);
        for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
        done(std::move(image));
    }
    glfwSwapBuffers(handle_.get());
    ++frames_drawn_;
}

void GlfwWindow::wake() {
    happened_ = true;
    glfwPostEmptyEvent();
}

void GlfwWindow::toggle_fullscreen() {
    note_event();
    toggle_full_screen(handle_.get(), windowed_);
}

}  // namespace

std::variant<std::unique_ptr<Window>, Unavailable> Window::open(const Options& options) {
    if (auto missing = missing_lib_gl()) return *missing;
    auto handle = GlfwHandle::open(options);
    if (auto* why = std::get_if<Unavailable>(&handle)) return *why;
    auto& opened = std::get<GlfwHandle>(handle);
    GlInfo info = read_gl_info(opened.how());
    try {
        auto window = std::make_unique<GlfwWindow>(std::move(opened), std::move(info));
        if (window->ready()) return window;
        return Unavailable{"Dear ImGui cannot use the OpenGL of this window."};
    } catch (const std::runtime_error& refused) {
        return Unavailable{refused.what()};
    }
}

void FramePacing::event() {
    keep_awake(kFramesAfterEvent);
    frames_soon_ = kTooltipFrames;
}

void FramePacing::keep_awake(int frames) { frames_now_ = std::max(frames_now_, frames); }

void FramePacing::wake_within(double seconds) { longest_ = std::clamp(seconds, 0.0, longest_); }

double FramePacing::next_wait(bool caret_blinks) {
    const double longest = std::exchange(longest_, kIdleSeconds);
    if (frames_now_ > 0) {
        --frames_now_;
        return 0;
    }
    if (frames_soon_ > 0) {
        --frames_soon_;
        return std::min(longest, kTooltipSeconds);
    }
    return std::min(longest, caret_blinks ? kCaretSeconds : kIdleSeconds);
}

}  // namespace warplens
