#pragma once

#include "app/gl/window.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct ImFontAtlas;
struct ImGuiContext;

namespace warplens::test {

/// A window without a screen: Dear ImGui with no backend, and an OpenGL whose functions do nothing. Panels
/// lay themselves out in it, take keys and clicks and are painted, as in the real one; only pixels there are
/// none. One at a time; not beside a real OpenGL context.
class HeadlessWindow : public Window {
public:
    static constexpr double kFrameSeconds = 1.0 / 60;  ///< from frame to frame

    HeadlessWindow(int width, int height);
    ~HeadlessWindow() override;

    const GlInfo& info() const override { return info_; }
    Fonts& fonts() override { return fonts_; }
    Painter& painter() override { return painter_; }
    float scale() const override { return fonts_.scale(); }
    void fix_scale(float pixels_per_point) override;
    void set_user_scale(float scale) override;
    float user_scale() const override { return user_scale_; }
    void set_theme(const Theme& theme) override;
    /// Never sleeps: whether the real window would, next_wait() says.
    bool run_frame(const std::function<void()>& frame) override;
    const std::vector<KeyTap>& taps() const override { return taps_; }
    const std::vector<std::string>& dropped() const override { return dropped_; }
    bool close_asked() const override { return close_asked_; }
    void keep_awake(int frames) override { awake_ = awake_ > frames ? awake_ : frames; }
    void wake_within(double seconds) override { wait_ = seconds < wait_ ? seconds : wait_; }
    void wake() override {}
    void close() override { open_ = false; }
    void toggle_fullscreen() override { full_ = !full_; }
    bool is_full_screen() const override { return full_; }
    void capture_next(std::function<void(Image)> done) override;
    long frames_drawn() const override { return frames_drawn_; }
    std::string open_beside(const std::string&) override {
        beside_ = Beside{};
        return {};
    }
    void close_beside() override { beside_.reset(); }
    std::optional<Vec2> beside_size() const override {
        return beside_ && !beside_->closed ? std::optional(beside_->pixels) : std::nullopt;
    }
    void show_beside(Picture picture, float scale) override {
        beside_->picture = std::move(picture);
        beside_->scale = scale;
        ++beside_->shown;
    }

    // What the window system would say.
    /// A key goes down and up; the window sees it in the next frame. `key` is a GLFW_KEY_ code.
    void tap(int key, int modifiers);
    void type(const std::string& text);     ///< ASCII letters into a text field
    void point_at(float x, float y);        ///< [pixels]
    void button(bool down, int which = 0);  ///< 0 left, 1 right
    void resize(int width, int height);
    void drop(const std::string& path) { dropped_.push_back(path); }
    void ask_to_close() { close_asked_ = true; }
    bool is_open() const { return open_; }

    /// The second window.
    struct Beside {
        Vec2 pixels{800, 600};
        Picture picture;
        float scale = 0;
        int shown = 0;  ///< how often it got another picture
        bool closed = false;
    };
    std::optional<Beside>& beside() { return beside_; }  ///< empty if it is not open

    /// Frames that were asked for since the last one and are not drawn yet.
    int frames_asked() const { return awake_; }
    /// How long the real window may sleep before the next frame [s]. 0 for something that moves,
    /// FramePacing::kIdleSeconds if nothing was asked for.
    double next_wait() const { return awake_ > 0 ? 0 : wait_; }
    /// So long after this frame comes the next one, instead of a sixtieth of a second later [s].
    void pass(double seconds) { passing_ = seconds; }
    /// Corners and indices of what the last frame painted.
    int corners() const;

private:
    struct LoadedFonts;

    void renew_style();
    void load_fonts(float scale, bool titles);

    ImGuiContext* context_;
    ImFontAtlas* own_atlas_;  ///< of the context, which deletes it
    std::shared_ptr<const LoadedFonts> loaded_;
    GlInfo info_{"none", "nothing", "3.3", "no OpenGL"};
    Fonts fonts_;
    Painter painter_;
    Theme theme_ = theme(ThemeName::dark);
    float user_scale_ = 1, fixed_scale_ = 0;
    bool style_is_old_ = true, full_ = false, open_ = true;
    int awake_ = 0;
    double wait_ = FramePacing::kIdleSeconds;  ///< until the next frame [s]; asked for anew in each
    double passing_ = kFrameSeconds;           ///< until the next frame, for Dear ImGui [s]
    int key_down_ = -1;
    std::vector<KeyTap> taps_;
    std::vector<std::string> dropped_;
    bool close_asked_ = false;
    long frames_drawn_ = 0;
    std::optional<Beside> beside_;
};

}  // namespace warplens::test
