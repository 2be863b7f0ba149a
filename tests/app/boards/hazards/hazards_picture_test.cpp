// The board of hazards where nothing goes wrong: it shows what the barriers put in order.
#include "app/boards/hazards/hazards_picture.h"
#include "app/boards/board.h"
#include "app/experiment/link.h"
#include "app/model/catalogue.h"
#include "tests/app/pictures/kit/legible.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warplens::test::hazards_picture_tests {
namespace {

using testing::HasSubstr;

struct OnBoard {
    State state;
    Evidence evidence = gather_evidence(state, all_devices());
    BoardInput input() const { return {state, all_devices(), evidence}; }
};

OnBoard on(const std::string& link) {
    return {follow_link(link, initial_state(all_scenarios().front(), 0), all_devices()).state};
}

std::multiset<std::string> texts(const Picture& picture) {
    std::multiset<std::string> all;
    for (const Shape& shape : picture.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) all.insert(label->text);
    }
    return all;
}

}  // namespace

TEST(HazardsBoard, ShowsWhatABarrierPutsInOrder) {
    const OnBoard one = on("shared-reduction?board=hazards&device=H200");
    const Explanation words = explain_board(one.input());
    EXPECT_THAT(words.verdict, HasSubstr("Both barriers are in place"));
    EXPECT_THAT(words.why, HasSubstr("The wires show an exchange that a barrier puts in order"));
    EXPECT_THAT(words.why, HasSubstr("and 2 more, of 16 blocks and 1 block, add up the sums"));
    const Picture picture = draw_board(one.input(), style_of(ThemeName::light, {900, 700}));
    int wires = 0;
    for (const Shape& shape : picture.shapes) wires += std::holds_alternative<Wire>(shape) ? 1 : 0;
    EXPECT_EQ(wires, 4) << "two, and a rim of each";
    EXPECT_TRUE(std::ranges::any_of(picture.hits, [](const Hit& hit) {
        return hit.tooltip.find("accessed in order, for example first warp") != std::string::npos;
    }));
    EXPECT_THAT(explain_board(on("transpose?board=hazards&device=H200").input()).verdict,
                HasSubstr("The barrier is in place"));
}

TEST(HazardsBoard, NamesWordsAndBanks) {
    const auto names = texts(draw_board(on("shared-reduction?board=hazards&device=H200").input(),
                                        style_of(ThemeName::light, {900, 700})));
    for (const char* name : {"bank", "word 0", "word 32", "word 224"})
        EXPECT_EQ(names.count(name), 1u) << name;
    // A padded row has 33 words: below it are columns, as its words' banks move from row to row.
    const auto padded = texts(draw_board(on("transpose?variant=padded&board=hazards&device=H200").input(),
                                         style_of(ThemeName::light, {900, 900})));
    EXPECT_EQ(padded.count("bank"), 0u);
    EXPECT_EQ(padded.count("column"), 1u);
}

TEST(HazardsBoard, NamesBlocksAndTheScopeThatTheyShare) {
    const OnBoard wrong = on("kernel?example=last-block&FENCE=0&board=hazards&device=H200");
    const Explanation words = explain_board(wrong.input());
    EXPECT_THAT(words.verdict, HasSubstr("15 hazards on 15 of 16 words"));
    EXPECT_THAT(words.why, HasSubstr("__threadfence()"));
    const Picture picture = draw_board(wrong.input(), style_of(ThemeName::dark, {1200, 900}));
    const auto names = texts(picture);
    EXPECT_EQ(names.count("block (0, 0), warp 0, lane 0 should store first"), 1u);
    EXPECT_EQ(names.count("block (15, 0), warp 0, lane 0 then loads"), 1u);
    EXPECT_EQ(names.count("device: __threadfence(), grid.sync(), the end of a launch"), 1u);
    EXPECT_THAT(explain_board(on("kernel?example=last-block&board=hazards&device=H200").input()).verdict,
                "No two threads of the grid race for a word of global memory.");
}

// One thread has a tile copied: whatever the width of an element, all read what is stored, and without a wait
// that thread itself does not know either when it is there.
TEST(HazardsBoard, OneThreadHasABoxCopied) {
    const auto verdict = [](const char* setting) {
        return explain_board(
                   on(std::string("async-copy?stages=1&board=hazards&device=H200&") + setting).input())
            .verdict;
    };
    EXPECT_THAT(verdict("way=tma&hazards.barriers=1"),
                HasSubstr("Without barrier 1: " + counted(2048, "hazard")));
    EXPECT_THAT(verdict("way=tma&hazards.barriers=2"),
                HasSubstr("Without barrier 2: " + counted(1016, "hazard")));
    EXPECT_THAT(verdict("element=4&hazards.barriers=2"),
                HasSubstr("Without barrier 2: " + counted(1016, "hazard")));
    EXPECT_THAT(verdict("hazards.barriers=4"),
                HasSubstr("nothing goes wrong: no thread accesses a word that another one stores"))
        << "each copies what it reads";
}

// 256 lanes add 1 to one word. In step, all lanes of a warp load the same count: a warp adds 1, not 32.
TEST(HazardsBoard, PlainAdditionsAreLost) {
    const OnBoard one = on("atomic-histogram?update=plain&data=one&items=1&board=hazards&device=H200");
    const auto rows = board_numbers(one.input());
    const auto text = [&](std::string_view name) {
        const auto row = std::ranges::find(rows, name, &Quantity::name);
        return row == rows.end() ? std::string("none") : row->text;
    };
    EXPECT_EQ(text("wrong result"), "8");
    EXPECT_EQ(text("right result"), "256");
}

// 2^10 blocks of 256 elements that are 1: without one of them the total is 256 short.
TEST(HazardsBoard, WithoutTheFenceASumMayBeMissing) {
    const OnBoard wrong = on(
        "shared-reduction?variant=shuffle&blocks=2^4&finish=last-block&board=hazards&hazards.barriers=2&device=H200");
    const Explanation words = explain_board(wrong.input());
    EXPECT_THAT(words.headline, HasSubstr("15 hazards"));
    EXPECT_THAT(words.verdict, HasSubstr("Without the fence: "));
    EXPECT_EQ(words_of_board(wrong.input(), wrong.evidence).tone, Tone::bad) << "whatever its accesses cost";
    const auto rows = board_numbers(wrong.input());
    const auto text = [&](std::string_view name) {
        const auto row = std::ranges::find(rows, name, &Quantity::name);
        return row == rows.end() ? std::string("none") : row->text;
    };
    EXPECT_EQ(text("barriers"), "2 of 2") << "a fence makes nobody wait";
    EXPECT_EQ(text("fences"), "0 of 1");
    EXPECT_EQ(text("wrong result"), format_count(3840));
    EXPECT_EQ(text("right result"), format_count(4096));
    const auto names = texts(draw_board(wrong.input(), style_of(ThemeName::dark, {1300, 900})));
    const std::string run = "the sum of all is " + format_count(3840) + ", not " + format_count(4096);
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& name) {
        return name.find(run) != std::string::npos;
    })) << testing::PrintToString(names);
    EXPECT_THAT(
        explain_board(on("shared-reduction?variant=shuffle&blocks=2^4&finish=last-block&board=hazards&"
                         "hazards.barriers=3&device=H200")
                          .input())
            .verdict,
        HasSubstr("ithout barrier 2"));
}

TEST(HazardsBoard, NobodyAddsUpWhatBlocksAddThemselves) {
    for (const auto& [finish, adds_up] : {std::pair{"last-block", 1u}, {"atomic", 0u}}) {
        const auto picture = draw_board(on(std::string("shared-reduction?variant=shuffle&finish=") + finish +
                                           "&board=hazards&device=H200")
                                            .input(),
                                        style_of(ThemeName::dark, {1300, 1200}));
        EXPECT_EQ(texts(picture).count("1 block adds them up"), adds_up)
            << finish << ": " << testing::PrintToString(texts(picture));
    }
}

TEST(HazardsBoard, IsReadableAtEverySize) {
    for (const Vec2 size : {Vec2{380, 560}, Vec2{640, 660}, Vec2{1300, 900}}) {
        for (const char* link :
             {"shared-reduction?board=hazards", "matrix-multiply?board=hazards",
              "kernel?example=last-block&FENCE=0&board=hazards", "kernel?example=last-block&board=hazards",
              "shared-reduction?variant=shuffle&finish=last-block&board=hazards",
              "shared-reduction?variant=shuffle&finish=atomic&board=hazards",
              "transpose?board=hazards&hazards.barriers=1"}) {
            SCOPED_TRACE(std::string(link) + " " + std::to_string(size.x));
            const Picture picture =
                draw_board(on(std::string(link) + "&device=H200").input(), style_of(ThemeName::dark, size));
            for (const std::string& why : misplaced_texts({{picture, {0, 0}}}, FixedMeasure()))
                ADD_FAILURE() << why;
        }
    }
}

}  // namespace warplens::test::hazards_picture_tests
