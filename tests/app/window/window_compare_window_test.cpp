// Two settings side by side in the window.
#include "app/cli/report.h"
#include "app/experiment/compare.h"
#include "app/panels/compare_panel.h"

#include "tests/app/window/session_fixture.h"
#include "tests/app/window/turn_knobs.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace warplens::test::window_compare_window_tests {
namespace {

class CompareTest : public test::SessionFixture {
protected:
    void set(const char* scenario, const std::vector<std::string>& settings) {
        const Scenario& found = *find_scenario(scenario);
        turn_knobs(session(), found, apply_settings(found, settings));
        frame();
    }
    QuantityPair row(const std::string& name, int scope = 0) {
        View view;
        view.scope = scope;
        const Frame now = session().frame();
        if (now.other == nullptr) return {};
        for (const QuantityPair& number : compared_numbers(now, view)) {
            if (number.named().name == name) return number;
        }
        ADD_FAILURE() << "there is no row " << name;
        return {};
    }
    static nlohmann::json reported(const char* scenario, const std::vector<std::string>& settings) {
        std::ostringstream out;
        run_report({{scenario, settings}, {"H200", true}, ReportFormat::json}, out);
        return nlohmann::json::parse(out.str());
    }
};

TEST_F(CompareTest, DifferencesAreThoseOfTwoReports) {
    struct Case {
        const char* scenario;
        std::vector<std::string> a, b;
        const char *row, *key;
    };
    const Case cases[] = {{"shared-tile", {"padding=0"}, {"padding=1"}, "wavefronts", "wavefronts"},
                          {"shared-stride", {"stride=1"}, {"stride=12"}, "excessive", "excessive_wavefronts"},
                          {"global-stride", {"stride=1"}, {"stride=8"}, "sectors", "sectors"},
                          {"local-array", {}, {"index=different"}, "sectors", "sectors"}};
    for (const Case& one : cases) {
        start(one.scenario);
        set(one.scenario, one.a);
        act(action::Do::compare);
        set(one.scenario, one.b);
        const nlohmann::json a = reported(one.scenario, one.a), b = reported(one.scenario, one.b);
        for (const auto& [scope, name] : {std::pair{0, "warp"}, {2, "grid"}}) {
            const char* level = name;
            const QuantityPair number = row(one.row, scope);
            const auto of = [&](const nlohmann::json& report) {
                return report.at(level).at(0).at(one.key).get<double>();
            };
            EXPECT_EQ(number.a.amount, of(a)) << one.scenario << " " << level;
            EXPECT_EQ(number.b.amount, of(b)) << one.scenario << " " << level;
        }
    }
}

TEST_F(CompareTest, SaysWhichIsBetterAndByHowMuch) {
    start("shared-tile");
    act(action::Do::compare);
    EXPECT_EQ(change_of(row("wavefronts")), Change::none) << "nothing was turned yet";
    set("shared-tile", {"padding=1"});
    EXPECT_EQ(change_of(row("wavefronts")), Change::better);
    EXPECT_EQ(difference_text(row("wavefronts")), "32× less");
    EXPECT_EQ(change_of(row("useful GB/s")), Change::better);
    act(action::Do::swap_sides);
    EXPECT_EQ(change_of(row("wavefronts")), Change::worse);
    EXPECT_EQ(difference_text(row("wavefronts")), "32× more");
    EXPECT_EQ(state().params.padding, 0);
    EXPECT_EQ(state().compared->params.padding, 1);
}

TEST_F(CompareTest, IsTakenBackKeptAndLeft) {
    start("shared-tile");
    act(action::Do::compare);
    set("shared-tile", {"padding=1"});
    ASSERT_NE(session().frame().other, nullptr);
    const Subject a = *state().compared;
    const SavedState saved = read_state(write_state(session().saved()));
    apply(session(), action::Do::undo);
    EXPECT_EQ(state().params.padding, 0) << "the parameter first";
    apply(session(), action::Do::undo);
    EXPECT_FALSE(state().compared) << "then the comparison";
    for (int i = 0; i < 2; ++i) apply(session(), action::Do::redo);
    EXPECT_EQ(state().compared, a);
    act(action::Do::compare);
    EXPECT_FALSE(state().compared);
    EXPECT_EQ(state().params.padding, 1) << "what was set stays";
    session().restore(saved, true);
    frame();
    EXPECT_EQ(state().compared, a);
    EXPECT_EQ(state().params.padding, 1);
}

TEST_F(CompareTest, ThePlotHasBothSettingsWhereItIsOneKnob) {
    start("global-stride?stride=2");
    act(action::Do::compare);
    set("global-stride", {"stride=9"});
    ASSERT_TRUE(session().frame().curve->other);
    EXPECT_EQ(session().frame().curve->other->here, 2);
    EXPECT_EQ(session().frame().curve->here, 9);
    set("shared-tile", {});
    EXPECT_FALSE(session().frame().curve->other) << "another parameter";
    EXPECT_EQ(session().frame().other->state->scenario, find_scenario("global-stride"));
}

TEST_F(CompareTest, BoardsStandSideBySideToo) {
    for (const BoardInfo* board : all_boards()) {
        start("matrix-multiply?variant=naive");
        act(action::Do::compare);
        // Bytes come from DRAM in a transpose, not in a product whose matrices the L2 holds.
        const bool in_flight = board->key == "flight";
        follow((in_flight ? "transpose?" : "matrix-multiply?variant=tiled&") +
               std::string(
                   "occupancy.registers=200&phases.tile=4&choose.path=24&timeline.stages=1&journey.tiled=1&"
                   "journey.step=5&program.managed=1&program.step=4&device=A100&board=") +
               std::string(board->key));
        frame();
        const Frame now = session().frame();
        EXPECT_EQ(now.other != nullptr, board->can_compare()) << board->key;
        if (now.other == nullptr || board->instructions) continue;
        EXPECT_FALSE(now.other->board_words->numbers.empty()) << board->key;
        EXPECT_NE(now.other->board_words->explanation.verdict, now.board_words->explanation.verdict)
            << board->key;
    }
}

}  // namespace
}  // namespace warplens::test::window_compare_window_tests
