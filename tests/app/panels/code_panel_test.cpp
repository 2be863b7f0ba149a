// Code and the board Choose in the window: everything can be seen at every size. tests/window/code.py clicks.
#include "app/boards/choose/decisions.h"
#include "app/code/code_page.h"
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

std::string line_of(CodePart part, int instruction) {
    return fmt::format("code.{}.{}", static_cast<int>(part), instruction);
}

}  // namespace

TEST_F(CodePanelTest, EveryInstructionHasItsLineAtEverySize) {
    for (const float scale : {1.0f, 2.0f}) {
        window_->set_user_scale(scale);
        for (const Scenario& scenario : all_scenarios()) {
            for (const char* tab : {"code", "source"}) {
                go(fmt::format("{}?tab={}", scenario.info->id, tab));
                const int count = scenario.instruction_count(scenario.info->defaults);
                for (int k = 0; k < count; ++k) {
                    for (const CodePart part : {CodePart::steps, CodePart::kernel}) {
                        const auto found = ui::items().find(line_of(part, k));
                        ASSERT_NE(found, ui::items().end()) << scenario.info->id << ' ' << tab << ' ' << k;
                        EXPECT_GE(found->second.x, 0);
                        EXPECT_LE(found->second.x + found->second.w, kWidth);
                    }
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
