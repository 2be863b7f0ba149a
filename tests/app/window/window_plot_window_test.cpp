// The plot of the window with a GPU that is pretended: sweeps, cancelling, two knobs, cycles against
// wavefronts.
#include "app/experiment/devices.h"
#include "app/figures/formats/png.h"
#include "app/model/time/bank_loop.h"
#include "app/panels/shell.h"
#include "app/window/action.h"

#include "tests/app/window/shell_fixture.h"
#include "tests/app/window/turn_knobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace warplens::test::window_plot_window_tests {

namespace {

/// Answers from the model, a tenth slower; lets so many jobs pass, all by default.
class PretendedGpu {
public:
    MeasureBench bench() {
        const auto find = [] {
            return std::vector<GpuInfo>{{.name = "Pretended GPU",
                                         .cc_major = 9,
                                         .sm_count = 132,
                                         .clock_mhz = 1980,
                                         .peak_gb_per_s = 4800,
                                         .l2_bytes = 62'914'560,
                                         .shared_per_block_optin_bytes = 232'448,
                                         .max_threads_per_block = 1024}};
        };
        const auto time = [this](const MeasureJob& job, const StopRule&, const std::atomic<bool>* cancel) {
            return answer(job, cancel);
        };
        return {find, [time] { return time; }};
    }
    void pause() { paused_ = true; }
    void go_on() { paused_ = false; }

private:
    std::variant<Timing, Unavailable> answer(const MeasureJob& job, const std::atomic<bool>* cancel) {
        while (paused_ && !cancel->load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (cancel->load()) return Unavailable{"cancelled"};
        const Scenario& scenario = *find_scenario(job.scenario);
        static const std::vector<DeviceFacts> devices = device_table();
        const DeviceFacts& device = devices.at(find_device(devices, kDefaultDevice).value());
        const Prediction predicted = predict(scenario, job.params, device);
        Timing timing;
        timing.gpu = "Pretended GPU";
        timing.repeats = 9;
        timing.useful_bytes = predicted.useful_bytes;
        const double slower = 1.02 + 0.01 * ((job.params.stride * 7 + job.params.padding * 5) % 18);
        timing.median_us = predicted.value > 0 ? slower * predicted.useful_bytes / predicted.value * 1e-3 : 1;
        timing.lower_us = 0.98 * timing.median_us;
        timing.upper_us = 1.02 * timing.median_us;
        if (has_bank_loop(scenario, job.params)) {
            timing.bank_cycles = timing.cycles_per_request =
                1.01 * wavefronts_per_request(scenario, job.params, device) + 0.2;
            timing.cycles_lower = 0.97 * timing.cycles_per_request;
            timing.cycles_upper = 1.03 * timing.cycles_per_request;
        }
        return timing;
    }
    std::atomic<bool> paused_ = false;
};

class PlotTest : public ShellFixture {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1280, .height = 800});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        start("global-stride");
    }
    void TearDown() override {
        gpu_.go_on();
        shell_.reset();
        window_.reset();
    }
    Window& window() override { return *window_; }
    void start(const char* id, ThemeName theme = ThemeName::dark) {
        shell_.reset();
        WindowOptions options;
        options.look.theme = theme;
        const std::size_t device = find_device(devices_, kDefaultDevice).value();
        shell_ = std::make_unique<Shell>(*window_, initial_state(*find_scenario(id), device), devices_,
                                         options, gpu_.bench());
    }
    void frames_until(const auto& condition) {
        for (int i = 0; i < 20'000 && !condition(); ++i) frame();
        ASSERT_TRUE(condition());
    }
    /// The worker has done everything, and a frame has been drawn since.
    bool measured() {
        if (session().frame().gpu.empty() || session().frame().progress.running()) return false;
        frame();
        return true;
    }
    const Knob* knob(const char* key) { return find_knob(*session().frame().state->scenario, key); }
    void choose_second(const char* key) { set(&Look::second_axis, knob(key)); }
    /// A picture of the window where WARPLENS_SCREENSHOTS says, for a person to look at.
    void keep(const char* name) {
        frame();
        const char* folder = std::getenv("WARPLENS_SCREENSHOTS");
        if (folder == nullptr) return;
        window_->capture_next([&](Image image) {
            std::ofstream(std::string(folder) + "/" + name + ".png", std::ios::binary)
                << encode_png(image.width, image.height, image.rgba, 1, {});
        });
        frame();
    }

    PretendedGpu gpu_;
    std::unique_ptr<Window> window_;
};

}  // namespace

TEST_F(PlotTest, ASweepShowsHowFarItIsAndCanBeCancelled) {
    gpu_.pause();
    frames_until([&] { return session().frame().progress.running(); });
    EXPECT_EQ(session().frame().progress.total, 65u);
    keep("progress");
    act(action::Do::stop_measuring);
    EXPECT_FALSE(session().frame().progress.running());
    EXPECT_TRUE(session().frame().sweep_stopped);
    keep("cancelled");
    gpu_.go_on();
    act(action::Do::measure_again);
    EXPECT_FALSE(session().frame().sweep_stopped);
    frames_until([&] { return measured(); });
    EXPECT_EQ(session().frame().progress.done, 65u) << "all anew";
    EXPECT_TRUE(session().frame().evidence->observed.measured);
    keep("measured");
}

TEST_F(PlotTest, TwoKnobsAreMeasuredAllWithAllAndAClickSetsBoth) {
    choose_second("element");
    const Heatmap* map = session().frame().heatmap;
    ASSERT_NE(map, nullptr);
    EXPECT_EQ(map->cells.size(), 65u * 5);
    frames_until([&] { return measured() && session().frame().heatmap->measured_cells() == 65u * 5; });
    keep("heatmap-model");
    set(&Look::heatmap_show, HeatmapShow::difference);
    keep("heatmap-difference");
    act(action::SetAsCell{3 * 65 + 8});
    EXPECT_EQ(session().frame().state->params.stride, 8);
    EXPECT_EQ(session().frame().state->params.element_bytes, 8);
    EXPECT_EQ(session().frame().heatmap->here_x, 8);
    set(&Look::axis, knob("element"));
    EXPECT_EQ(session().frame().heatmap, nullptr) << "one parameter cannot be both axes";
    choose_second("op");
    set(&Look::second_axis, nullptr);
    EXPECT_EQ(session().frame().heatmap, nullptr);
}

TEST_F(PlotTest, CyclesAgainstWavefrontsFillWithEverySettingThatIsMeasured) {
    start("shared-stride", ThemeName::light);
    frames_until([&] { return measured(); });
    EXPECT_EQ(session().frame().fit, nullptr);
    set(&Look::fit, true);
    const FitPlot* fit = session().frame().fit;
    ASSERT_NE(fit, nullptr);
    EXPECT_EQ(fit->points.size(), 65u);
    ASSERT_TRUE(fit->fit);
    EXPECT_NEAR(fit->fit->slope, 1.01, 1e-6);
    EXPECT_NEAR(fit->fit->intercept, 0.2, 1e-6);
    keep("fit");
    const int stride = fit->points.back().params.stride;
    const std::size_t last = fit->points.size() - 1;
    act(action::SetAsPoint{last});
    EXPECT_EQ(session().frame().state->params.stride, stride);
    turn_knobs(session(), *find_scenario("global-stride"), find_scenario("global-stride")->info->defaults);
    frame();
    EXPECT_FALSE(session().frame().has_fit);
    EXPECT_EQ(session().frame().fit, nullptr);
}

TEST_F(PlotTest, HeatmapsOfEveryScenarioInTheWindow) {
    for (const Scenario& scenario : all_scenarios()) {
        turn_knobs(session(), scenario, scenario.info->defaults);
        frame();
        const Knob* second = usual_second_axis(scenario, session().frame().state->axis);
        if (second == nullptr) continue;
        set(&Look::second_axis, second);
        ASSERT_NE(session().frame().heatmap, nullptr) << scenario.info->id;
        frames_until([&] {
            const auto& cells = session().frame().heatmap->cells;
            return std::ranges::all_of(cells, [](const HeatmapCell& cell) { return cell.known; });
        });
    }
}

TEST_F(PlotTest, GoodExamplesLookRight) {
    if (std::getenv("WARPLENS_SCREENSHOTS") == nullptr) GTEST_SKIP() << "WARPLENS_SCREENSHOTS is not set";
    struct {
        const char *id, *x, *y, *name;
        ThemeName theme;
    } examples[] = {{"shared-tile", "width", "padding", "shared-tile", ThemeName::light},
                    {"shared-stride", "stride", "element", "shared-stride", ThemeName::dark},
                    {"transpose", "tile", "variant", "transpose", ThemeName::light}};
    for (const auto& [id, x, y, name, theme] : examples) {
        start(id, theme);
        frame();
        set(&Look::axis, knob(x));
        choose_second(y);
        frames_until([&] { return measured(); });
        keep(name);
    }
}

}  // namespace warplens::test::window_plot_window_tests
