#include "app/base/format.h"
#include "app/boards/program/program.h"

#include "app/boards/board.h"
#include "app/experiment/link.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::program_picture_tests {
namespace {

const ProgramSetting kKinds[] = {{false, false}, {true, false}, {true, true}};

/// A letter for each step: where the value of a variable is.
std::string life_of(const ProgramSetting& setting, std::string_view name) {
    const Story story = program_story(setting, {}, nullptr, 0);
    for (const StoryPart& one : story.all().parts("variables"))
        if (one.text("name") == name) return one.text("life");
    return {};
}

// The lifetimes of the programming guide, for each of the three programs.
TEST(Program, EveryVariableLivesAsLongAsItsScopeSays) {
    constexpr int kLaunch = 5, kBetween = 6, kAgain = 7, kRelease = 9, kEnd = 10;
    for (const ProgramSetting& setting : kKinds) {
        const Story story = program_story(setting, {}, nullptr, 0);
        ASSERT_EQ(story.count(), kProgramSteps);
        EXPECT_EQ(story.all().parts("variables").size(), 8u);
        for (const StoryPart& one : story.all().parts("variables")) {
            SCOPED_TRACE(one.text("declaration"));
            const std::string life = one.text("life"), name = one.text("name"), seen = one.text("seen");
            ASSERT_EQ(life.size(), kProgramSteps);
            EXPECT_EQ(life.find_first_not_of(".?hg"), std::string::npos);
            const bool of_kernel = seen == "its thread only" || seen == "all threads of its block";
            EXPECT_NE(life[kLaunch], '.');
            EXPECT_EQ(life[kBetween] != '.', !of_kernel) << "what survives a launch";
            EXPECT_NE(life[kAgain], '.');
            EXPECT_EQ(life[kEnd], '.');
            const bool declared = name == "launches" || name == "scale";
            EXPECT_EQ(life[0] != '.', declared) << "before main begins";
            EXPECT_EQ(life[kRelease] != '.', declared || seen == "the host");
        }
    }
}

TEST(Program, AValueIsWhereTheLastOneTouchedIt) {
    EXPECT_EQ(life_of(kKinds[0], "d_a, d_b"), "..??ggggg..");
    EXPECT_EQ(life_of(kKinds[0], "d_c"), "..???gggg..");
    EXPECT_EQ(life_of(kKinds[0], "a, b"), ".hhhhhhhhh.") << "the copy stays";
    EXPECT_EQ(life_of(kKinds[1], "a"), ".?hhhgggg..");
    EXPECT_EQ(life_of(kKinds[2], "a"), ".?hhggggg..");
    EXPECT_EQ(life_of(kKinds[1], "c"), ".????gggh..");
}

// 2^20 elements in blocks of 96: 10 922.67 blocks, so 10 923, which have 32 threads too many.
TEST(Program, Versions) {
    const Story story = program_story({false, false, 20, 96}, {}, nullptr, 0);
    EXPECT_EQ(story.value("blocks").amount, 10923);
    EXPECT_EQ(story.value("threads").amount, 10923 * 96);
    EXPECT_EQ(story.value("idle").amount, 32);
    EXPECT_EQ(story.value("part").amount, 96 * 4);
    EXPECT_EQ(story.value("array").amount, 4 << 20);
}

TEST(ProgramPicture, AClickLeadsToEveryStep) {
    const Style style = style_of(ThemeName::light, {1280, 800});
    const State state = initial_state(all_scenarios().front(), 0);
    for (const ProgramSetting& setting : kKinds) {
        std::set<int> steps;
        for (const Hit& hit : draw_program(program_story(setting, {}, nullptr, 5), style).hits) {
            if (hit.link.empty()) continue;
            const Place place = follow_link(hit.link, state, all_devices());
            EXPECT_EQ(place.state.board, find_board("program"));
            steps.insert(place.state.boards[kProgramStep]);
        }
        EXPECT_EQ(steps.size(), std::size_t{kProgramSteps});
    }
}

TEST(ProgramPicture, StandsStillWhileStepsGoBy) {
    const auto places = [](int step) {
        std::vector<std::pair<int, int>> all;
        for (const Hit& hit :
             draw_program(program_story(kKinds[1], {}, nullptr, step), style_of(ThemeName::light, {900, 600}))
                 .hits)
            all.emplace_back(int(hit.rect.x), int(hit.rect.y));
        return all;
    };
    for (int step = 1; step < kProgramSteps; ++step) EXPECT_EQ(places(step), places(0)) << step;
}

TEST(ProgramBoard, PrefetchNeedsManagedMemory) {
    BoardValues values{{kProgramPrefetch, 1}};
    clamp_board(values);
    EXPECT_EQ(values[kProgramPrefetch], 0);
    values = {{kProgramManaged, 1}, {kProgramPrefetch, 1}, {kProgramElements, 21}};
    clamp_board(values);
    EXPECT_EQ(values[kProgramPrefetch], 1);
    EXPECT_EQ(values[kProgramElements], 20) << "the nearest of those that were recorded";
}

// Every step that takes time has one for every size and kind, on each GPU that was witnessed, and they hang
// together: a prefetched first launch is no longer than one that waits for its pages.
TEST(ProgramBoard, RecordedTimesAreComplete) {
    ASSERT_FALSE(shipped_witness().empty());
    for (const Witness& witness : shipped_witness()) {
        for (const int elements : {16, 20, 24, 26}) {
            for (ProgramSetting setting : kKinds) {
                setting.elements_log2 = elements;
                const Story story = program_story(setting, {}, &witness, 0);
                for (const StoryPart& step : story.steps()) {
                    if (step.is("time")) {
                        EXPECT_NE(time_of(story, step), nullptr) << step.text("name");
                    }
                }
            }
            const std::string size = std::to_string(elements);
            EXPECT_LT(witness.find("prefetch/" + size + "/first")->median,
                      witness.find("managed/" + size + "/first")->median);
            EXPECT_LT(witness.find("managed/" + size + "/second")->median,
                      witness.find("managed/" + size + "/first")->median);
        }
    }
}

TEST(ProgramBoard, TimesAsTheyAreRead) {
    EXPECT_EQ(format_duration(4.5), "4.5 µs");
    EXPECT_EQ(format_duration(850.4), "850 µs");
    EXPECT_EQ(format_duration(999.7), "1 ms");
    EXPECT_EQ(format_duration(12345), "12.3 ms");
    EXPECT_EQ(format_duration(2.5e6), "2.5 s");
}

}  // namespace
}  // namespace warplens::test::program_picture_tests
