// A number in bold behind a link is what the program shows there: this test follows the link and compares.
//
//     [Stride 8](global-stride?stride=8&op=load): **32 sectors**       a count, of the pictured warp
//     [Naive](transpose?variant=naive): **load in: 4 sectors**         of the instruction with that label
//     **973 GB/s recorded**  **39.7 cycles predicted**                 as precise as it is written
//     **0.25 flop/byte**  **256 MiB of DRAM**  **260 MiB of L2**         of the whole launch
//     **6 blocks**                                                     on a board: among the numbers beside
//     it
#include "app/boards/board.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"

#include "tests/app/learn/lesson_texts.h"
#include "tests/app/learn/shown.h"

#include <gtest/gtest.h>

#include <regex>

namespace warplens::test::lessons_numbers_tests {

namespace {

struct Claim {
    std::string link, text;
};

/// Bold runs with a number, each with the link that stands before it in its block; "" when there is none.
std::vector<Claim> claims_of(std::span<const Block> blocks) {
    std::vector<Claim> claims;
    for (const Block& block : blocks) {
        std::string link;
        for (const auto& run : test::written_runs(block)) {
            if (!run.link.empty() && !leads_out(run.link)) link = run.link;
            if (run.strong && run.text.find_first_of("0123456789") != std::string::npos)
                claims.push_back({link, run.text});
        }
    }
    return claims;
}

}  // namespace

TEST(LessonNumbers, WhatStandsInBoldIsWhatTheProgramShows) {
    int checked = 0;
    for (const std::string& key : test::lesson_keys()) {
        for (const Claim& claim : claims_of(lesson(key))) {
            ++checked;
            ASSERT_FALSE(claim.link.empty()) << key << ": nothing to compare '" << claim.text << "' with";
            const std::string fault = ShownPlace(claim.link).fault(claim.text);
            EXPECT_EQ(fault, "") << key << ": " << claim.link << " says '" << claim.text << "'";
        }
    }
    EXPECT_GT(checked, 200);
}

TEST(LessonNumbers, WhatStandsInBoldInACourseIsWhatItsStepShows) {
    int checked = 0;
    for (const Course& course : courses()) {
        for (const CourseStep& step : course.steps) {
            for (const Claim& claim : claims_of(step.text)) {
                ++checked;
                const std::string& link = claim.link.empty() ? step.link : claim.link;
                EXPECT_EQ(ShownPlace(link).fault(claim.text), "")
                    << course.id << ", '" << step.title << "': " << link << " says '" << claim.text << "'";
            }
        }
    }
    EXPECT_GT(checked, 10);
}

/// Recorded numbers are compared with the recording of the default device.
TEST(LessonNumbers, WhereTheyAreRecordedTheirGpuIsNamed) {
    for (const std::string& key : test::lesson_keys()) {
        for (const char* heading : {"Try this", "Why", "On real hardware", "Where it bites"}) {
            std::string text;
            for (const Block& block : test::section(key, heading)) text += plain_text(block) + "\n";
            EXPECT_TRUE(text.find(" recorded") == std::string::npos ||
                        text.find(kDefaultDevice) != std::string::npos)
                << key << ", " << heading;
        }
    }
}

TEST(LessonNumbers, EveryLessonHasSomeToTry) {
    for (const std::string& key : test::lesson_keys())
        EXPECT_GE(claims_of(test::section(key, "Try this")).size(), 3u) << key;
}

/// Counts that are not in bold would not be compared with anything.
TEST(LessonNumbers, CountsOfThingsToTryStandInBold) {
    const std::regex count("[0-9] (sectors?|wavefronts?|requests?|GB/s|GFLOP/s|cycles)\\b");
    for (const std::string& key : test::lesson_keys()) {
        for (const Block& block : test::section(key, "Try this")) {
            for (const auto& run : test::written_runs(block))
                EXPECT_TRUE(run.strong || !std::regex_search(run.text, count)) << key << ": " << run.text;
        }
    }
}

TEST(LessonNumbers, AWrongNumberIsFound) {
    const ShownPlace stride("global-stride?stride=8&op=load"), all("transpose?variant=naive&instruction=all");
    EXPECT_EQ(stride.fault("32 sectors"), "");
    EXPECT_EQ(stride.fault("1 request"), "");
    EXPECT_NE(stride.fault("31 sectors"), "");
    EXPECT_NE(stride.fault("32 wavefronts"), "");
    EXPECT_NE(stride.fault("many sectors"), "");
    EXPECT_EQ(stride.fault("571 GB/s recorded"), "");
    EXPECT_EQ(stride.fault("571.3 GB/s recorded"), "");
    EXPECT_NE(stride.fault("564 GB/s recorded"), "");
    EXPECT_NE(stride.fault("565 GFLOP/s recorded"), "");
    EXPECT_NE(stride.fault("571 GB/s predicted"), "");
    EXPECT_EQ(all.fault("store out: 32 sectors"), "");
    EXPECT_NE(all.fault("32 sectors"), "") << "it is not said of which instruction";
    EXPECT_NE(all.fault("fetch out: 32 sectors"), "");
    EXPECT_NE(ShownPlace("global-stride?stride=1&board=traffic").fault("255 MiB of DRAM"), "");
}

}  // namespace warplens::test::lessons_numbers_tests
