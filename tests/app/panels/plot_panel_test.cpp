// The plot below the picture is high enough to be read, in a window that nobody has arranged.
#include "app/pictures/plot/bandwidth.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace warplens::test::plot_panel_tests {
namespace {

using PlotPanelTest = test::HeadlessFixture;

TEST_F(PlotPanelTest, DataOfEveryScenarioAreAtLeast160PointsHigh) {
    for (const auto& [width, height] : {std::pair{1024, 768}, {1280, 800}, {1440, 900}, {1920, 1080}}) {
        open(width, height, true);
        for (const Scenario& scenario : all_scenarios()) {
            SCOPED_TRACE(fmt::format("{} in {} x {}", scenario.info->id, width, height));
            go(std::string(scenario.info->id));
            act(action::set(&View::plot_open, true));
            fresh_items();
            // A small window shows it in place of the picture.
            if (!shows("plot")) {
                act(action::ShowSection{Section::plot});
                frame();
                fresh_items();
            }
            ASSERT_TRUE(shows("plot"));
            const ui::ItemRect rect = ui::items().at("plot");
            EXPECT_GE(rect.bottom - rect.top, rect.h - 1) << "it is cut";
            Style style = style_of(ThemeName::dark, {rect.w / window_->scale(), rect.h / window_->scale()});
            style.embedded = true;
            style.measure = &window_->fonts();
            const Curve& curve = *session().frame().curve;
            const Picture picture = draw_bandwidth(curve, style);
            ASSERT_TRUE(picture.plot.has_value());
            EXPECT_GE(picture.plot->rect.h, 160);
        }
    }
}

}  // namespace
}  // namespace warplens::test::plot_panel_tests
