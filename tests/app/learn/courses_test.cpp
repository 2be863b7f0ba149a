// Courses: each step can be set up, is short, and what it asks for can be reached from where it starts.
#include "app/learn/courses.h"
#include "app/base/assets.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/gl/fonts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace warplens::test::courses_tests {

namespace {

State start() {
    return initial_state(all_scenarios().front(), find_device(device_table(), kDefaultDevice).value());
}

int focus_of(const Place& place) { return place.instruction.value_or(0); }

bool holds(const Goal& goal, const Place& place) {
    return reached(goal, place.state, gather_evidence(place.state, device_table()), focus_of(place));
}

std::string text_of(const std::vector<Block>& blocks) {
    std::string text;
    for (const Block& block : blocks) text += plain_text(block) + " ";
    return text;
}

int count_words(const std::string& text) {
    std::istringstream words(text);
    int count = 0;
    for (std::string word; words >> word;) ++count;
    return count;
}

template <class F>
void for_each_step(F f) {
    for (const Course& course : courses()) {
        for (std::size_t i = 0; i < course.steps.size(); ++i) {
            SCOPED_TRACE(course.id + ", step " + std::to_string(i + 1));
            f(course.steps[i]);
        }
    }
}

}  // namespace

TEST(Courses, EachHasEightToFourteenSteps) {
    ASSERT_GE(courses().size(), 6u);
    std::set<std::string> ids;
    for (const Course& course : courses()) {
        EXPECT_GE(course.steps.size(), 8u) << course.id;
        EXPECT_LE(course.steps.size(), 14u) << course.id;
        EXPECT_EQ(find_course(course.id), &course);
        ids.insert(course.id);
    }
    EXPECT_EQ(ids.size(), courses().size());
    EXPECT_EQ(find_course("no-such-course"), nullptr);
}

TEST(Courses, EveryLinkLeadsToAStateInRange) {
    for_each_step([](const CourseStep& step) {
        for (const std::string& link : {step.link, step.shows}) {
            if (link.empty()) continue;
            SCOPED_TRACE(link);
            ASSERT_NO_THROW({
                const Place place = follow_link(link, start(), device_table());
                Params clamped = place.state.params;
                clamp_knobs(*place.state.scenario, clamped);
                EXPECT_EQ(clamped, place.state.params);
                BoardValues boards = place.state.boards;
                clamp_board(boards);
                EXPECT_EQ(boards, place.state.boards);
                EXPECT_TRUE(gather_evidence(place.state, device_table()).report.does_not_fit.empty());
            });
        }
        for (const std::vector<Block>* blocks : {&step.text, &step.task}) {
            for (const Block& block : *blocks) {
                for (const auto& run : block.runs) {
                    if (run.link.empty() || leads_out(run.link)) continue;
                    EXPECT_NO_THROW(follow_link(run.link, start(), device_table())) << run.link;
                }
            }
        }
    });
}

TEST(Courses, AGoalIsNotReachedAtFirstAndIsOnceItsTaskIsDone) {
    int goals = 0;
    for_each_step([&](const CourseStep& step) {
        if (!step.goal) return;
        ++goals;
        const Place before = follow_link(step.link, start(), device_table());
        EXPECT_FALSE(holds(*step.goal, before));
        EXPECT_TRUE(holds(*step.goal, follow_link(step.shows, before.state, device_table())));
    });
    EXPECT_GE(goals, 15);
}

/// How many characters of two texts of one length differ.
int characters_changed(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return -1;
    int changed = 0;
    for (std::size_t i = 0; i < a.size(); ++i) changed += a[i] != b[i] ? 1 : 0;
    return changed;
}

/// A person turns one knob; what it takes may not lie in another scenario. Or a person types one character.
TEST(Courses, ATaskStaysInItsScenario) {
    for_each_step([](const CourseStep& step) {
        if (!step.goal) return;
        const Place before = follow_link(step.link, start(), device_table());
        const Place after = follow_link(step.shows, before.state, device_table());
        const TypedKernel* typed = before.state.scenario->typed;
        if (typed != nullptr && before.state.scenario != after.state.scenario) {
            ASSERT_NE(after.state.scenario->typed, nullptr);
            EXPECT_EQ(characters_changed(typed->text(), after.state.scenario->typed->text()), 1);
            return;
        }
        EXPECT_EQ(before.state.scenario, after.state.scenario);
        int turned = 0;
        for (const Knob& knob : before.state.scenario->info->knobs)
            turned += before.state.params.*knob.field != after.state.params.*knob.field ? 1 : 0;
        for (const BoardKnob* knob : all_board_knobs())
            turned += before.state.boards[*knob] != after.state.boards[*knob] ? 1 : 0;
        EXPECT_EQ(turned, 1);
    });
}

TEST(Courses, EverythingThatIsAskedHasAnAnswer) {
    int asked = 0;
    for_each_step([&](const CourseStep& step) {
        if (!step.asks.any()) return;
        ++asked;
        const Place place = follow_link(step.link, start(), device_table());
        const Evidence evidence = gather_evidence(place.state, device_table());
        EXPECT_EQ(truth_of(place.state, device_table(), evidence, focus_of(place)).askable(step.asks),
                  step.asks);
        EXPECT_EQ(place.state.board, find_board("access")) << "other boards show no counts to be hidden";
    });
    EXPECT_GE(asked, 8);
}

TEST(Courses, TextsAreShort) {
    for_each_step([](const CourseStep& step) {
        EXPECT_GE(count_words(text_of(step.text)), 40);
        EXPECT_LE(count_words(text_of(step.text)), 90);
        EXPECT_LE(count_words(text_of(step.task)), 20);
        EXPECT_LE(step.title.size(), 42u) << step.title;
    });
}

TEST(Courses, UseOnlyLettersThatTheFontsHave) {
    for_each_step([](const CourseStep& step) {
        const std::string text = step.title + text_of(step.text) + text_of(step.task);
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte < 0x80) continue;
            const std::size_t size = byte >= 0xe0 ? 3 : 2;
            EXPECT_NE(kSymbols.find(text.substr(i, size)), std::string_view::npos) << text;
            i += size - 1;
        }
    });
}

TEST(Courses, TheFileHasNothingThatNobodyReads) {
    const std::set<std::string> known{"title", "text", "link", "task", "goal", "shows", "asks"},
        kinds{"count", "pace", "speed"};
    const nlohmann::json file = nlohmann::json::parse(asset("assets/courses.json"));
    for (const nlohmann::json& course : file.at("courses")) {
        EXPECT_EQ(course.size(), 4u) << course.at("id");
        for (const nlohmann::json& step : course.at("steps")) {
            for (const auto& [key, value] : step.items())
                EXPECT_TRUE(known.contains(key) && !value.empty()) << key;
            EXPECT_EQ(step.contains("goal"), step.contains("shows")) << step.at("title");
            EXPECT_FALSE(step.contains("goal") && step.contains("asks")) << step.at("title");
            for (const std::string kind : step.value("asks", nlohmann::json::array()))
                EXPECT_TRUE(kinds.contains(kind)) << kind;
        }
    }
}

}  // namespace warplens::test::courses_tests
