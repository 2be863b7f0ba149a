// The real window. Runs where DISPLAY names an X server (xvfb-run), else it is skipped.
#include "app/gl/window.h"

#include "app/gl/imgui_compat.h"
#include "tests/app/gl/gl_fixture.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace warplens::test::window_window_tests {
namespace {

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1100, .height = 700});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
    }
    void run(
        int frames, const std::function<void()>& frame = [] {}) {
        window_->keep_awake(frames);
        for (int i = 0; i < frames; ++i) ASSERT_TRUE(window_->run_frame(frame));
    }
    Image capture(const std::function<void()>& frame) {
        Image image;
        window_->capture_next([&image](Image taken) { image = std::move(taken); });
        run(1, frame);
        return image;
    }

    std::unique_ptr<Window> window_;
};

TEST_F(WindowTest, DrawsWhatItIsGiven) {
    window_->set_theme(theme(ThemeName::light));
    run(3);
    Picture picture;
    picture.size = {100, 100};
    picture.shapes = {Box{.rect = {0, 0, 100, 100}, .fill = {200, 0, 0, 255}}};
    const Image image = capture([&] {
        window_->painter().paint(picture, ImGui::GetBackgroundDrawList(), 200, 300, 1, window_->fonts(), 0);
    });
    ASSERT_EQ(image.width, 1100);
    ASSERT_EQ(image.height, 700);
    EXPECT_EQ(pixel(image, 250, 350), (Color{200, 0, 0, 255}));
    EXPECT_EQ(pixel(image, 350, 350), theme(ThemeName::light).page);
    EXPECT_EQ(take_gl_errors(), "");
}

TEST_F(WindowTest, HeatCellsStayInTheirClipRectangle) {
    run(2);
    const TraceTexture trace({3});
    Picture picture;
    picture.shapes = {HeatCell{.rect = {0, 0, 100, 100}, .max = 3}};
    const Image image = capture([&] {
        ImDrawList* list = ImGui::GetBackgroundDrawList();
        list->PushClipRect(ImVec2(220, 310), ImVec2(260, 350));
        window_->painter().paint(picture, list, 200, 300, 1, window_->fonts(), trace.name());
        list->PopClipRect();
    });
    EXPECT_LE(distance(pixel(image, 240, 330), ramp_color(Ramp::blue_vermilion, 1)), 2);
    EXPECT_LE(distance(pixel(image, 221, 311), ramp_color(Ramp::blue_vermilion, 1)), 2);
    for (const auto& [x, y] : {std::pair{218, 330}, {262, 330}, {240, 308}, {240, 352}})
        EXPECT_EQ(pixel(image, x, y), theme(ThemeName::dark).page) << x << ", " << y;
    EXPECT_EQ(take_gl_errors(), "");
}

TEST_F(WindowTest, TextAfterHeatCellsIsStillDrawn) {
    run(2);
    const TraceTexture trace({3});
    Picture picture;
    picture.shapes = {HeatCell{.rect = {0, 0, 100, 100}, .max = 3},
                      Label{.position = {10, 60}, .text = "HHHHHH", .color = {255, 255, 255, 255}}};
    const auto frame = [&] {
        window_->painter().paint(picture, ImGui::GetBackgroundDrawList(), 200, 300, 1, window_->fonts(),
                                 trace.name());
    };
    EXPECT_GT(count_other(capture(frame), {210, 348, 60, 12}, ramp_color(Ramp::blue_vermilion, 1)), 100);
}

TEST_F(WindowTest, TheScaleChangesFontsAndStyle) {
    run(2);
    const float body = window_->fonts().imgui_size(FontRole::body);
    const float padding = ImGui::GetStyle().WindowPadding.x;
    const float points = window_->fonts().width("sectors", FontRole::body);
    for (const float scale : {2.0f, 1.25f, 1.0f}) {
        window_->set_user_scale(scale);
        run(2, [] { ImGui::Text("sectors"); });
        EXPECT_FLOAT_EQ(window_->scale(), scale);
        EXPECT_NEAR(window_->fonts().imgui_size(FontRole::body), scale * body, 0.01);
        EXPECT_NEAR(ImGui::GetStyle().WindowPadding.x, scale * padding, 1);
        EXPECT_NEAR(window_->fonts().width("sectors", FontRole::body), points, 0.03 * points);
    }
    window_->set_user_scale(100);
    EXPECT_EQ(window_->user_scale(), 3);
    EXPECT_EQ(take_gl_errors(), "");
}

TEST_F(WindowTest, PicturesCanBeExportedWhileItIsOpen) {
    Picture picture;
    picture.size = {20, 20};
    picture.shapes = {Box{.rect = {0, 0, 20, 20}, .fill = {0, 200, 0, 255}}};
    Image exported;
    run(2, [&] { exported = Offscreen(3).draw({{&picture, {0, 0}}}, picture.size, {}); });
    EXPECT_EQ(pixel(exported, 30, 30), (Color{0, 200, 0, 255}));
    run(2);
    EXPECT_EQ(take_gl_errors(), "");
}

TEST_F(WindowTest, AnIdleWindowSleeps) {
    run(5);
    const long before = window_->frames_drawn();
    std::thread later([this] {
        std::this_thread::sleep_for(std::chrono::seconds(3));
        window_->close();
        window_->wake();
    });
    while (window_->run_frame([] {})) continue;
    later.join();
    // Whatever a window manager still sends at the start, and nothing after it: polling would give hundreds.
    EXPECT_LE(window_->frames_drawn() - before, 30);
}

TEST_F(WindowTest, WakeEndsTheSleepOnce) {
    run(5);
    std::thread later([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        window_->wake();
    });
    int frames = 0;
    const auto start = std::chrono::steady_clock::now();
    for (bool woken = false; !woken; ++frames) {
        ASSERT_TRUE(window_->run_frame([] {}));
        woken = std::chrono::steady_clock::now() - start > std::chrono::milliseconds(1500);
    }
    later.join();
    EXPECT_LE(frames, 30);
}

TEST(WindowWithoutDisplay, SaysWhyInOneSentence) {
    const char* display = std::getenv("DISPLAY");
    const std::string before = display != nullptr ? display : "";
    setenv("DISPLAY", ":4711", 1);
    const char* wayland = std::getenv("WAYLAND_DISPLAY");
    auto opened = Window::open({});
    if (display != nullptr)
        setenv("DISPLAY", before.c_str(), 1);
    else
        unsetenv("DISPLAY");
    auto* why = std::get_if<Unavailable>(&opened);
    if (why == nullptr && wayland != nullptr) GTEST_SKIP() << "GLFW used Wayland";
    ASSERT_NE(why, nullptr);
    EXPECT_NE(why->reason.find("display"), std::string::npos) << why->reason;
    EXPECT_EQ(why->reason.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace warplens::test::window_window_tests
