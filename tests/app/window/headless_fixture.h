#pragma once

#include "tests/app/window/headless_window.h"
#include "tests/app/window/shell_fixture.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <memory>
#include <string>

namespace warplens::test {

/// A window without a screen: what it can do, it does anywhere.
class HeadlessFixture : public ShellFixture {
protected:
    void SetUp() override { open(1280, 800); }
    void TearDown() override { close(); }
    Window& window() override { return *window_; }
    void open(int width, int height, bool shipped_recordings = false) {
        close();
        ui::items().clear();
        window_ = std::make_unique<HeadlessWindow>(width, height);
        WindowOptions options = plain_options();
        options.shipped_recordings = shipped_recordings;
        if (shipped_recordings) options.frames = 1;  // the second frame has them
        shell_ = fresh(options);
    }
    void close() {
        shell_.reset();
        window_.reset();
    }
    /// Goes to a place and draws it.
    void go(const std::string& link) {
        follow(link);
        fresh_items();
    }

    /// A key is pressed and let go; then two frames.
    void press(int key, int modifiers = 0) {
        window_->tap(key, modifiers);
        frame();
        frame();
    }
    void type(const std::string& text) {
        window_->type(text);
        frame();
    }
    /// The mouse at a place of an item, 0 to 1, pressed and let go.
    void click(const std::string& item, float x = 0.5f, float y = 0.5f, int times = 1) {
        const ui::ItemRect rect = ui::items().at(item);
        point_at(rect.x + rect.w * x, rect.y + rect.h * y);
        for (int i = 0; i < 2 * times; ++i) {
            window_->button(i % 2 == 0);
            frame();
        }
        frame();
    }
    /// Takes the mouse to a place [pixels].
    void point_at(float x, float y) {
        window_->point_at(x, y);
        frame();
    }

    std::unique_ptr<HeadlessWindow> window_;
};

}  // namespace warplens::test
