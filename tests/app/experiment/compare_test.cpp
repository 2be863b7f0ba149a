#include "app/experiment/compare.h"

#include "app/base/errors.h"
#include "app/boards/occupancy/knobs.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/export_job.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/figures/figure_data.h"

#include "tests/random_params.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace warplens::test::compare_tests {
namespace {

QuantityPair number(double a, double b, Better better = Better::less) {
    const auto side = [better](double value) {
        return Quantity{.name = "x", .text = std::to_string(value), .amount = value, .better = better};
    };
    return {side(a), side(b)};
}

TEST(Compare, SaysByHowMuch) {
    const std::pair<QuantityPair, const char*> examples[] = {{number(32, 1), "32× less"},
                                                             {number(1, 32), "32× more"},
                                                             {number(3, 2), "−33 %"},
                                                             {number(100, 112), "+12 %"},
                                                             {number(100, 104.25), "+4.2 %"},
                                                             {number(31, 0), "−31"},
                                                             {number(0, 7), "+7"},
                                                             {number(5, 5), ""},
                                                             {number(1000, 1000.1), "+<0.1 %"},
                                                             {number(1, 12345),
                                                              "12\u2009"
                                                              "345× more"}};
    for (const auto& [example, words] : examples) EXPECT_EQ(difference_text(example), words);
    EXPECT_EQ(difference_text({{.name = "x", .text = "any"}, {.name = "x", .text = "3", .amount = 3.0}}), "")
        << "not comparable";
}

TEST(Compare, BetterIsLessOrMoreAsTheNumberMeans) {
    EXPECT_EQ(change_of(number(2, 1)), Change::better);
    EXPECT_EQ(change_of(number(2, 1, Better::more)), Change::worse);
    EXPECT_EQ(change_of(number(2, 1, Better::neither)), Change::other);
    EXPECT_EQ(change_of(number(2, 2)), Change::none);
    EXPECT_EQ(change_of({{.name = "x", .text = "a"}, {.name = "x", .text = "b"}}), Change::other);
}

TEST(Compare, RowsFindTheirLikeByNameAndOrder) {
    const auto of = [](const char* name, const char* value) { return Quantity{name, value}; };
    const auto rows = compare_numbers({of("a", "1"), of("twice", "2"), of("twice", "3"), of("old", "4")},
                                      {of("twice", "5"), of("new", "6"), of("a", "7"), of("twice", "8")});
    ASSERT_EQ(rows.size(), 5u);
    const char* expected[][3] = {
        {"twice", "2", "5"}, {"new", "", "6"}, {"a", "1", "7"}, {"twice", "3", "8"}, {"old", "4", ""}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].named().name, expected[i][0]);
        EXPECT_EQ(rows[i].a.text, expected[i][1]);
        EXPECT_EQ(rows[i].b.text, expected[i][2]);
    }
}

// A law: whatever is compared, the link and the short text lead to the same pair again.
TEST(Compare, LinksAndTextsLeadToTheSamePair) {
    const std::vector<DeviceFacts> devices = device_table();
    std::mt19937 random(5);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 6; ++i) {
            State b = initial_state(scenario, random() % devices.size());
            b.params = test::random_params(scenario, random);
            State a = b;
            if (i > 0) a.params = test::random_params(scenario, random);
            if (i > 3) a = initial_state(all_scenarios()[random() % all_scenarios().size()], b.device);
            a.cold = i % 2 == 1;
            a.boards.set(kOccupancyThreads, 64 * (i + 1));
            b.compared = a;
            const std::string text = compared_text(state_of(a, b), b, devices);
            EXPECT_EQ(static_cast<Subject>(compared_state(text, b, devices)), *b.compared) << text;
            const std::string link = link_to(b, devices);
            EXPECT_EQ(follow_link(link, initial_state(all_scenarios().front(), 0), devices).state.compared,
                      b.compared)
                << link;
        }
    }
}

TEST(Compare, WhatALinkDoesNotSayStaysAndNoneEndsIt) {
    const std::vector<DeviceFacts> devices = device_table();
    State now = initial_state(*find_scenario("shared-tile"), 0);
    now.compared = now;
    EXPECT_EQ(follow_link("global-stride?stride=2", now, devices).state.compared, now.compared);
    EXPECT_FALSE(follow_link("?compare=none", now, devices).state.compared);
    EXPECT_THROW(follow_link("?compare=padding%3D99", now, devices), UsageError);
    EXPECT_THROW(follow_link("?compare=nowhere", now, devices), UsageError);
}

ExportRequest exported(const std::string& compare, FigureView view = FigureView::all,
                       const BoardInfo* board = first_board()) {
    ExportRequest command;
    command.choice = {"shared-tile", {"padding=2"}};
    command.device = {"H200", true, ""};
    command.figure.board = board;
    command.figure.view = view;
    command.figure.compare = compare;
    command.output_path = "x.csv";
    return command;
}

TEST(Compare, AnExportHasBothSidesAndItsCommandMakesThemAgain) {
    const Experiment experiment = make_export_experiment(exported("padding=1"));
    EXPECT_EQ(experiment.state.params.padding, 1) << "B is what --compare says";
    EXPECT_EQ(experiment.state.compared->params.padding, 2);
    const FigurePlan plan(experiment.state, experiment.devices, exported("padding=1").figure);
    const std::string command = plan.metadata("x.csv").command;
    EXPECT_NE(command.find("--set padding=2 "), std::string::npos) << command;
    EXPECT_NE(command.find("--compare \"padding=1\""), std::string::npos) << command;
    std::vector<std::string> words = split_command(command).value();
    words.erase(words.begin());
    const auto again = read_export(words);
    EXPECT_EQ(make_export_experiment(again).state, experiment.state);
    std::size_t a = 0, b = 0;
    for (const FigureNumber& row : figure_rows(plan)) {
        a += row.series.starts_with("A: ");
        b += row.series.starts_with("B: ");
    }
    EXPECT_EQ(a, b);
    EXPECT_EQ(a + b, figure_rows(plan).size());
    EXPECT_GT(a, 10u);
}

// "1 325 504" on screen.
TEST(Compare, CountsOfABoardAreNumbersToPrograms) {
    ExportRequest command = exported("", FigureView::all, find_board("hazards"));
    command.choice = {"atomic-histogram", {"update=plain"}};
    const Experiment experiment = make_export_experiment(command);
    const FigurePlan plan(experiment.state, experiment.devices, command.figure);
    std::int64_t most = 0;
    const nlohmann::ordered_json json = figure_to_json(plan, "x.json");
    for (const auto& row : json["rows"])
        if (row["value"].is_number_integer()) most = std::max(most, row["value"].get<std::int64_t>());
    EXPECT_GT(most, 1'000'000);
}

TEST(Compare, ExportsThatCannotShowTwoSaySo) {
    for (const char* view : {"heatmap", "fit", "spaces"}) {
        EXPECT_THROW(read_export({"export", "shared-tile", "--compare", "padding=1", "--view", view, "--out",
                                  "x.png"}),
                     UsageError)
            << view;
    }
    EXPECT_THROW(make_export_experiment(exported("padding=99")), UsageError);
    EXPECT_THROW(make_export_experiment(exported("no-such-scenario?x=1")), UsageError);
}

bool overlap(const Rect& a, const Rect& b) {
    constexpr float kRounding = 0.1f;
    return a.x + kRounding < b.x + b.w && b.x + kRounding < a.x + a.w && a.y + kRounding < b.y + b.h &&
           b.y + kRounding < a.y + a.h;
}

TEST(Compare, PicturesOfBothLieInsideAndApart) {
    struct FixedMeasure : TextMeasure {
        float width(std::string_view utf8, FontRole font) const override {
            return 0.55f * font_points(font) * static_cast<float>(utf8.size());
        }
    };
    std::vector<std::pair<const BoardInfo*, FigureView>> all{{first_board(), FigureView::access},
                                                             {first_board(), FigureView::bandwidth}};
    for (const BoardInfo* board : all_boards()) {
        if (board->can_compare()) all.emplace_back(board, FigureView::all);
    }
    for (const auto& [board, view] : all) {
        ExportRequest command = exported("padding=1,occupancy.threads=96", view, board);
        for (const auto& [width, height] : {std::pair{320, 320}, {642, 480}, {1280, 720}, {500, 1400}}) {
            command.figure.width = width, command.figure.height = height;
            const Experiment experiment = make_export_experiment(command);
            const FigurePlan plan(experiment.state, experiment.devices, command.figure);
            std::vector<Rect> places;
            bool of_a = false, of_b = false;
            for (const PlacedPicture& part : plan.compose(FixedMeasure())) {
                const Rect place{part.position.x, part.position.y, part.picture.size.x, part.picture.size.y};
                EXPECT_GE(place.x, 0);
                EXPECT_GE(place.y, 0);
                EXPECT_LE(place.x + place.w, static_cast<float>(width) + 0.1f);
                EXPECT_LE(place.y + place.h, static_cast<float>(height) + 0.1f);
                // The first is the page, on which the others lie.
                for (std::size_t i = 1; i < places.size(); ++i)
                    EXPECT_FALSE(overlap(places[i], place)) << width;
                places.push_back(place);
                (part.of_a ? of_a : of_b) = true;
            }
            EXPECT_TRUE(of_b);
            if (width == 320) continue;  // the caption may leave no room
            EXPECT_EQ(of_a, view != FigureView::bandwidth) << view_name(command.figure);
        }
    }
}

/// Two texts of a file have one title, so they are told apart by which came first, and kernels by their
/// names.
TEST(Compare, TwoTextsOfAFileHaveNamesOfTheirOwn) {
    const auto state = [](const std::string& width, const std::string& kernel) {
        State made;
        made.scenario = &open_kernel("// launch grid=1 block=32\n__global__ void " + kernel +
                                         "(float* a) { __shared__ float s[32][" + width +
                                         "]; s[threadIdx.x][0] = 1; a[0] = s[0][0]; }\n",
                                     "tile.cu");
        made.params = made.scenario->info->defaults;
        return made;
    };
    const SideNames fixed = side_names(state("32", "k"), state("33", "k"), device_table());
    EXPECT_EQ(fixed.a, "as written");
    EXPECT_EQ(fixed.b, "changed");
    EXPECT_EQ(side_names(state("32", "first"), state("32", "second"), device_table()).b, "second");
    EXPECT_EQ(side_names(state("32", "k"), state("32", "k"), device_table()).a, "");
}

}  // namespace
}  // namespace warplens::test::compare_tests
