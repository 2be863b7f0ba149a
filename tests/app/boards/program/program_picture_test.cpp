#include "app/boards/program/program_picture.h"

#include "app/boards/board.h"
#include "app/boards/program/knobs.h"
#include "app/experiment/link.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::program_picture_tests {
namespace {

const ProgramKind kKinds[] = {{false, false}, {true, false}, {true, true}};

const ProgramVariable& variable(const std::array<ProgramVariable, 8>& all, std::string_view name) {
    return *std::ranges::find(all, name, &ProgramVariable::name);
}

bool exists(const ProgramVariable& one, ProgramStep step) { return one.at(step) != ValuePlace::nowhere; }

// The lifetimes of the programming guide, for each of the three programs.
TEST(Program, WhatLivesHowLong) {
    for (const ProgramKind& kind : kKinds) {
        for (const ProgramVariable& one : program_variables({kind, 20, 256})) {
            SCOPED_TRACE(one.declaration);
            const bool of_kernel = one.scope == ProgramScope::thread || one.scope == ProgramScope::block;
            EXPECT_EQ(exists(one, ProgramStep::launch), true);
            EXPECT_EQ(exists(one, ProgramStep::between), !of_kernel) << "what survives a launch";
            EXPECT_EQ(exists(one, ProgramStep::again), true);
            EXPECT_FALSE(exists(one, ProgramStep::end));
            const bool declared = one.name == "launches" || one.name == "scale";
            EXPECT_EQ(exists(one, ProgramStep::begin), declared) << "before main begins";
            EXPECT_EQ(exists(one, ProgramStep::release), declared || one.scope == ProgramScope::host);
        }
    }
}

TEST(Program, AValueIsWhereTheLastOneTouchedIt) {
    const auto copied = program_variables({{false, false}, 20, 256});
    EXPECT_EQ(variable(copied, "d_a, d_b").at(ProgramStep::second), ValuePlace::undefined);
    EXPECT_EQ(variable(copied, "d_a, d_b").at(ProgramStep::bring), ValuePlace::gpu);
    EXPECT_EQ(variable(copied, "d_c").at(ProgramStep::bring), ValuePlace::undefined);
    EXPECT_EQ(variable(copied, "a, b").at(ProgramStep::again), ValuePlace::host) << "the copy stays";
    const auto managed = program_variables({{true, false}, 20, 256}),
               prefetched = program_variables({{true, true}, 20, 256});
    EXPECT_EQ(variable(managed, "a").at(ProgramStep::bring), ValuePlace::host);
    EXPECT_EQ(variable(managed, "a").at(ProgramStep::launch), ValuePlace::gpu);
    EXPECT_EQ(variable(prefetched, "a").at(ProgramStep::bring), ValuePlace::gpu);
    EXPECT_EQ(variable(managed, "c").at(ProgramStep::fetch), ValuePlace::host);
}

// 2^20 elements in blocks of 96: 10 922.67 blocks, so 10 923, which have 32 threads too many.
TEST(Program, Versions) {
    const ProgramSetting setting{{false, false}, 20, 96};
    EXPECT_EQ(setting.blocks(), 10923);
    EXPECT_EQ(setting.threads() - setting.elements(), 32);
    const auto all = program_variables(setting);
    EXPECT_EQ(variable(all, "i").versions, 10923 * 96);
    EXPECT_EQ(variable(all, "part").versions, 10923);
    EXPECT_EQ(variable(all, "part").bytes, 96 * 4);
    EXPECT_EQ(variable(all, "scale").versions, 1);
    EXPECT_EQ(variable(all, "d_c").bytes, 4 << 20);
}

TEST(ProgramPicture, AClickLeadsToEveryStep) {
    const Style style = style_of(ThemeName::light, {1280, 800});
    State state = initial_state(all_scenarios().front(), 0);
    for (const ProgramKind& kind : kKinds) {
        std::set<int> steps;
        for (const Hit& hit : draw_program({{kind, 20, 256}, ProgramStep::launch}, style).hits) {
            if (hit.link.empty()) continue;
            const Place place = follow_link(hit.link, state, all_devices());
            EXPECT_EQ(place.state.board, find_board("program"));
            steps.insert(place.state.boards[kProgramStep]);
        }
        EXPECT_EQ(steps.size(), static_cast<std::size_t>(kProgramSteps));
    }
}

TEST(ProgramPicture, StandsStillWhileStepsGoBy) {
    const auto places = [](int step) {
        std::vector<std::pair<int, int>> all;
        for (const Hit& hit : draw_program({{{true, false}, 20, 256}, ProgramStep(step)},
                                           style_of(ThemeName::light, {900, 600}))
                                  .hits)
            all.emplace_back(static_cast<int>(hit.rect.x), static_cast<int>(hit.rect.y));
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
            for (const ProgramKind& kind : kKinds) {
                for (int step = 0; step < kProgramSteps; ++step) {
                    const std::string name = program_time({kind, elements, 256}, ProgramStep(step));
                    if (!name.empty()) {
                        EXPECT_NE(witness.find(name), nullptr) << name;
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
    EXPECT_EQ(microseconds_text(4.5), "4.5 µs");
    EXPECT_EQ(microseconds_text(850.4), "850 µs");
    EXPECT_EQ(microseconds_text(999.7), "1 ms");
    EXPECT_EQ(microseconds_text(12345), "12.3 ms");
    EXPECT_EQ(microseconds_text(2.5e6), "2.5 s");
}

}  // namespace
}  // namespace warplens::test::program_picture_tests
