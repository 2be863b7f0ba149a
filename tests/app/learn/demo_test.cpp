// Demos: the file, how it plays and changes, and the one that comes with the program.
#include "app/learn/demo.h"
#include "app/experiment/evidence.h"

#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "tests/damaged.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

namespace warplens::test::demo_tests {
namespace {

using testing::HasSubstr;

Demo sample() {
    return {
        "A talk",
        {{"transpose?variant=padded", "First.\nThen this."}, {"shared-tile", ""}, {"?board=spaces", "x"}}};
}

std::string problem_of(const std::string& json) {
    try {
        parse_demo(json);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

std::string with_stops(const std::string& stops) {
    return R"({"format":"warplens demo","version":1,"title":"t","stops":)" + stops + "}";
}

}  // namespace

TEST(Demo, ComesBackAsItWasWritten) {
    EXPECT_EQ(parse_demo(write_demo(sample())), sample());
    EXPECT_EQ(parse_demo(write_demo({})), Demo());
    EXPECT_TRUE(write_demo(sample()).starts_with("{\n  \"format\": \"warplens demo\""))
        << "its kind comes first";
}

TEST(Demo, SaysWhatIsWrongAndWhere) {
    EXPECT_THAT(problem_of("{}"), HasSubstr("format is missing"));
    EXPECT_THAT(problem_of(R"({"format":"something"})"), HasSubstr("expected \"warplens demo\""));
    EXPECT_THAT(problem_of(with_stops("[{}]")), HasSubstr("stops[0].link is missing"));
    EXPECT_THAT(problem_of(with_stops(R"([{"link":"a"},{"link":7}])")),
                HasSubstr("stops[1].link: expected a text"));
    EXPECT_THAT(problem_of(with_stops(R"([{"link":"a","not":"b"}])")), HasSubstr("unknown field 'not'"));
    EXPECT_THAT(problem_of(with_stops("[{\"link\":\"a\",\"note\":\"" + std::string(5000, 'n') + "\"}]")),
                HasSubstr("stops[0].note: expected at most 4000 bytes"));
    std::string many = "[";
    for (int i = 0; i < 201; ++i) many += fmt::format("{}{{\"link\":\"a\"}}", i == 0 ? "" : ",");
    EXPECT_THAT(problem_of(with_stops(many + "]")), HasSubstr("at most 200 stops, found 201"));
    EXPECT_THAT(problem_of(R"({"format":"warplens demo","version":2,"title":"","stops":[]})"),
                HasSubstr("newer program"));
    EXPECT_THAT(problem_of(write_demo(sample()).substr(0, 100)), HasSubstr("ends too early"));
    try {
        check_stops({"t", {{"transpose", ""}, {"transpose?variant=best", ""}}}, device_table());
        ADD_FAILURE();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the link of stop 2 leads nowhere: variant=best"));
    }
}

TEST(Demo, ADamagedOneIsRefusedInOneSentenceOrIsAnother) {
    const std::string whole = write_demo(shipped_demos().front().demo);
    std::mt19937 random(3);
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        const std::string said = problem_of(damaged(whole, "\"{}[],:\\0a\xff", random));
        refused += said.empty() ? 0 : 1;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
    EXPECT_GT(refused, 200);
}

TEST(Demo, ANoteKeepsItsLinesAndSteersNoTerminal) {
    const Demo demo = parse_demo(with_stops(R"([{"link":"a","note":"one\ntwo\u001b[31m"}])"));
    EXPECT_EQ(demo.stops[0].note, "one\ntwo [31m");
}

TEST(DemoRun, GoesThroughItsStopsToTheEndAndBack) {
    DemoRun run;
    run.open(sample(), "a.json");
    EXPECT_FALSE(run.playing());
    run.play(0, 0);
    EXPECT_FALSE(run.go(-1));
    EXPECT_EQ(run.at(), 0u);
    EXPECT_TRUE(run.go(1));
    EXPECT_TRUE(run.go(1));
    EXPECT_FALSE(run.ended());
    EXPECT_FALSE(run.go(1));
    EXPECT_TRUE(run.ended());
    EXPECT_FALSE(run.go(1));
    EXPECT_FALSE(run.go(-1)) << "back from the end to the last stop, which is shown already";
    EXPECT_FALSE(run.ended());
    EXPECT_TRUE(run.go(-1));
    EXPECT_EQ(run.at(), 1u);
    EXPECT_FALSE(run.changed());
}

TEST(DemoRun, KeepsTheStopThatIsShownWhileOthersMove) {
    DemoRun run;
    run.open(sample(), "a.json");
    run.play(1, 0);
    run.move(1, 1);
    EXPECT_EQ(run.at(), 2u);
    EXPECT_EQ(run.demo().stops[2].link, "shared-tile");
    run.move(2, 1);
    run.remove(0);
    EXPECT_EQ(run.at(), 1u);
    EXPECT_EQ(run.demo().stops[1].link, "shared-tile");
    EXPECT_TRUE(run.changed());
    run.saved("b.json");
    EXPECT_FALSE(run.changed());
    run.remove(1);
    run.remove(0);
    EXPECT_FALSE(run.playing()) << "nothing is left";
    EXPECT_FALSE(run.go(1));
    for (std::size_t i = 0; i < kMostDemoStops; ++i) run.record("transpose");
    EXPECT_THROW(run.record("transpose"), UsageError);
}

// What the notes of the shipped demo count, beside what the model counts. speed_sentences_test.cpp checks
// what they say of speed.
struct Said {
    const char* scenario;
    int instruction;
    int cost;               ///< wavefronts or sectors of the warp
    const char* words;      ///< in the note
    int shared_bytes;       ///< of a block. 0 if the note does not say.
    const char* and_bytes;  ///< how the note says it
};
constexpr Said kSaid[] = {
    {"shared-tile", 0, 1, "1 wavefront.", 0, ""}, {"shared-tile", 0, 32, "32 wavefronts", 0, ""},
    {"shared-tile", 0, 32, "32 times", 0, ""},    {"shared-tile", 0, 1, "1 wavefront ", 4224, "4,224 bytes"},
    {"shared-tile", 0, 2, "2 wavefronts", 0, ""}, {"shared-tile", 0, 1, "1 wavefront,", 4096, "4,096 bytes"},
    {"transpose", 1, 32, "32 sectors", 0, ""},    {"transpose", 2, 32, "32 wavefronts", 0, ""},
    {"transpose", 2, 1, "1 wavefront,", 0, ""},   {"transpose", 2, 1, "side by side", 0, ""},
};

TEST(ShippedDemo, EachStopSetsWhatItsNoteSays) {
    ASSERT_EQ(shipped_demos().size(), 1u);
    const Demo& demo = shipped_demos().front().demo;
    EXPECT_EQ(demo.title, "Why padding removes bank conflicts, in five minutes");
    ASSERT_EQ(demo.stops.size(), std::size(kSaid));
    EXPECT_NO_THROW(check_stops(demo, device_table()));
    for (std::size_t i = 0; i < demo.stops.size(); ++i) {
        SCOPED_TRACE(i + 1);
        const Said& said = kSaid[i];
        const std::string& note = demo.stops[i].note;
        const Place place = place_of(demo.stops[i], 0, device_table());
        EXPECT_EQ(place.state.scenario->info->id, said.scenario);
        EXPECT_EQ(device_table()[place.state.device].name, "H200 SXM 141 GB");
        if (place.instruction) {
            EXPECT_EQ(*place.instruction, said.instruction);
        }
        const Evidence evidence = gather_evidence(place.state, device_table());
        const auto k = static_cast<std::size_t>(said.instruction);
        const InstructionReport& row = evidence.report.instructions.at(k);
        const int cost = row.instruction.space == Space::shared ? evidence.banks.at(k).count.wavefronts
                                                                : evidence.sectors.at(k).count.sectors;
        EXPECT_EQ(cost, said.cost);
        EXPECT_THAT(note, HasSubstr(said.words));
        if (said.shared_bytes > 0) {
            EXPECT_EQ(evidence.report.shape.shared_bytes, said.shared_bytes);
            EXPECT_THAT(note, HasSubstr(said.and_bytes));
        }
    }
    EXPECT_EQ(place_of(demo.stops[2], 0, device_table()).state.player_step, 0);
    EXPECT_TRUE(place_of(demo.stops[9], 0, device_table()).state.compared);
}

}  // namespace warplens::test::demo_tests
