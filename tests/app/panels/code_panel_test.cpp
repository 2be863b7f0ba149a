// Code and the board Choose in the window: everything can be seen at every size. tests/window/code.py clicks.
#include "app/boards/choose/decisions.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::test::code_panel_tests {

namespace {

constexpr int kWidth = 1280, kHeight = 720;

class CodePanelTest : public test::HeadlessFixture {
protected:
    void SetUp() override { open(kWidth, kHeight); }
};

}  // namespace

TEST_F(CodePanelTest, EveryInstructionHasItsLineAtEverySize) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const Scenario& scenario : all_scenarios()) {
            for (const char* tab : {"code", "source"}) {
                go(fmt::format("{}?tab={}", scenario.info->id, tab));
                const int count = scenario.instruction_count(scenario.info->defaults);
                for (int k = 0; k < count; ++k) {
                    const auto found = ui::items().find(fmt::format("code.{}", k));
                    ASSERT_NE(found, ui::items().end()) << scenario.info->id << ' ' << tab << ' ' << k;
                    EXPECT_GE(found->second.x, 0);
                    EXPECT_LE(found->second.x + found->second.w, kWidth);
                }
                for (const char* name : {"code.copy", "code.explorer", "code.head", "code.host"}) {
                    ASSERT_TRUE(ui::items().contains(name)) << scenario.info->id << ' ' << tab << ' ' << name;
                    const ui::ItemRect& rect = ui::items().at(name);
                    EXPECT_LE(rect.x + rect.w, kWidth) << name;
                }
            }
        }
    }
}

TEST_F(CodePanelTest, EveryAnswerCanBeReachedAtEverySize) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const int at : {0, 2, 23, 24, 2522, 242222141}) {
            go(decision_link(at));
            const DecisionPlace place =
                follow_path(decisions(), at, session().frame().devices->at(session().frame().state->device));
            const std::size_t answers = place.question == nullptr ? 0 : place.question->answers.size();
            for (std::size_t k = 0; k < answers; ++k) {
                const ui::ItemRect rect = ui::items().at(fmt::format("choose.answer.{}", k));
                EXPECT_LE(rect.x + rect.w, kWidth) << at;
                EXPECT_GE(rect.x, 0) << at;
            }
            EXPECT_TRUE(ui::items().contains("board.picture"));
        }
    }
}

}  // namespace warplens::test::code_panel_tests
