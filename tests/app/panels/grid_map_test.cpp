// The map in place of the knobs `warp` and `step`: clicks and arrows choose the pictured warp.
#include "app/panels/controls.h"
#include "app/panels/screen.h"
#include "tests/app/window/headless_fixture.h"

#include <gtest/gtest.h>

namespace warplens::test::grid_map_panel_tests {
namespace {

class GridMapPanelTest : public HeadlessFixture {
protected:
    /// A frame of the map alone, as a panel calls it.
    void map_frame() {
        window().keep_awake(1);
        window().run_frame([this] {
            session().advance();
            const PanelStyle style{theme(ThemeName::dark), window().fonts(), window().painter(),
                                   window().scale()};
            Actions actions;
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize({260, 200});
            ImGui::Begin("map", nullptr, ImGuiWindowFlags_NoDecoration);
            show_grid_map({style, session().frame(), view(), memory_, actions});
            ImGui::End();
            for (const Action& one : actions.all) apply(session(), one);
        });
    }
    void click_at(float x, float y) {
        const ui::ItemRect rect = ui::items().at("grid.map");
        window_->point_at(rect.x + rect.w * x, rect.y + rect.h * y);
        map_frame();
        for (const bool down : {true, false}) {
            window_->button(down);
            map_frame();
        }
    }
    PanelMemory memory_;
};

TEST_F(GridMapPanelTest, AClickPicturesTheWorstWarpOfItsCell) {
    go("transpose?matrix=1000&warp=0");
    map_frame();
    ASSERT_NE(session().frame().grid_map, nullptr);
    const GridMap map = *session().frame().grid_map;
    click_at(0.5f, 0.6f);
    const int cell = map.cell_of(state().params.warp);
    ASSERT_GT(cell, 0) << "it moved";
    EXPECT_EQ(map.number_of(map.cells[cell].sums.worst.place), state().params.warp);
}

TEST_F(GridMapPanelTest, ThePicturedWarpAndStepMakeNoNewMap) {
    go("transpose?matrix=1000");
    map_frame();
    const GridMap* map = session().frame().grid_map;
    const std::size_t made = session().store.made<GridMapKey>();
    Params params = state().params;
    params.warp = 77;
    params.step = 1;
    set(&State::params, params);
    map_frame();
    EXPECT_EQ(session().frame().grid_map, map);
    EXPECT_EQ(session().store.made<GridMapKey>(), made);
    params.matrix = 999;
    set(&State::params, params);
    EXPECT_GT(session().store.made<GridMapKey>(), made);
}

TEST_F(GridMapPanelTest, ArrowsMoveByAWarpWhileItHasTheKeyboard) {
    go("global-stride?warp=5");
    map_frame();
    const auto press_here = [&](int key) {
        window_->tap(key, 0);
        map_frame();
        map_frame();
        map_frame();
    };
    press_here(GLFW_KEY_DOWN);  // now the ring of the keyboard's focus is on screen
    press_here(GLFW_KEY_RIGHT);
    EXPECT_EQ(state().params.warp, 6);
    press_here(GLFW_KEY_RIGHT);
    EXPECT_EQ(state().params.warp, 7);
    press_here(GLFW_KEY_LEFT);
    EXPECT_EQ(state().params.warp, 6);
}

}  // namespace
}  // namespace warplens::test::grid_map_panel_tests
