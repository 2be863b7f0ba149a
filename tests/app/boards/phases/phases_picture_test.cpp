#include "app/boards/phases/phases_picture.h"

#include "app/boards/board.h"
#include "app/boards/phases/knobs.h"
#include "app/experiment/link.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::phases_picture_tests {
namespace {

const Theme& kTheme = theme(ThemeName::light);

Picture draw(const PhasesView& view, Vec2 size = {1280, 800}, int hovered = -1) {
    Style style = style_of(ThemeName::light, size);
    style.hovered_lane = hovered;
    return draw_phases(view, style);
}

std::multiset<std::string> texts(const Picture& picture) {
    std::multiset<std::string> all;
    for (const Shape& shape : picture.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) all.insert(label->text);
    }
    return all;
}

State phases_state(const BoardValues& values) {
    State state = initial_state(all_scenarios().front(), 0);
    state.board = find_board("phases");
    state.boards = values;
    clamp_board(state.boards);
    return state;
}

TEST(PhasesPicture, AClickLeadsToTheThreadTheBlockOrTheStepThatItShows) {
    const PhasesView view = view_phases({.matrix = 4, .tile = 2}, 3, 0);
    const State state = phases_state({});
    std::set<int> threads, steps;
    std::set<std::pair<int, int>> blocks;
    for (const Hit& hit : draw(view).hits) {
        if (hit.link.empty()) continue;
        const Place place = follow_link(hit.link, state, all_devices());
        EXPECT_EQ(place.state.board, find_board("phases")) << hit.link;
        const BoardValues& there = place.state.boards;
        if (hit.link.find("phases.thread") != std::string::npos) {
            threads.insert(there[kPhasesThread]);
            EXPECT_EQ(there[kPhasesThread], hit.lane) << "the one under the mouse is the one that is chosen";
        }
        if (hit.link.find("phases.step") != std::string::npos) steps.insert(there[kPhasesStep]);
        if (hit.link.find("phases.row") != std::string::npos)
            blocks.emplace(there[kPhasesRow], there[kPhasesColumn]);
    }
    EXPECT_EQ(threads.size(), 4u);
    EXPECT_EQ(steps.size(), static_cast<std::size_t>(phase_steps(view.product)));
    EXPECT_EQ(blocks.size(), 3u) << "all but the one that is shown";
}

TEST(PhasesPicture, NamesEveryElementAndCountsItsUses) {
    const PhasesView view = view_phases({.matrix = 4, .tile = 2}, 3, 0);  // phase 1 multiplied to its end
    const auto names = texts(draw(view));
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            for (const char* matrix : {"A", "B", "C"})
                EXPECT_GE(names.count(element_name(matrix, {row, column})), 1u);
        }
    }
    EXPECT_EQ(names.count("2×"), 16u) << "8 elements, once in the matrices and once in shared memory";
    EXPECT_EQ(names.count("0×"), 0u);
    EXPECT_EQ(names.count("2 of 4"), 4u) << "each sum has two of its four terms";
}

TEST(PhasesPicture, AThreadHasOneColourWhateverItDoes) {
    for (const int tile : {1, 2, 4, 8}) {
        const int threads = tile * tile;
        std::set<int> reds;
        for (int thread = 0; thread < threads; ++thread) reds.insert(thread_color(kTheme, thread, threads).r);
        if (threads > 1) {
            EXPECT_EQ(thread_color(kTheme, 0, threads), lane_color(kTheme, 0));
            EXPECT_EQ(thread_color(kTheme, threads - 1, threads), lane_color(kTheme, 31));
        }
        EXPECT_GE(reds.size(), static_cast<std::size_t>(std::min(threads, 30)));
    }
    // While they load, thread 2's element of A, of B, their places and its sum are filled alike.
    const PhasesView view = view_phases({.matrix = 4, .tile = 2}, 0, 0);
    int filled = 0;
    for (const Shape& shape : draw(view).shapes) {
        const auto* box = std::get_if<Box>(&shape);
        filled += box != nullptr && box->fill == thread_color(kTheme, 2, 4) && box->rect.w > 30 ? 1 : 0;
    }
    EXPECT_EQ(filled, 2 + 2 + 1 + 2) << "matrices, shared memory, C, and two cells of the table";
}

TEST(PhasesPicture, TheThreadUnderTheMouseStandsOut) {
    const PhasesView view = view_phases({.matrix = 4, .tile = 2}, 2, 0);
    const auto sum_of = [&](int hovered) {
        for (const std::string& text : texts(draw(view, {1280, 800}, hovered))) {
            if (text.find(": C[") != std::string::npos) return text;
        }
        return std::string();
    };
    EXPECT_EQ(sum_of(-1), "thread (0, 0): C[0,0] = ");
    EXPECT_EQ(sum_of(3), "thread (1, 1): C[1,1] = ");
    EXPECT_EQ(sum_of(30), "thread (0, 0): C[0,0] = ") << "there is no such thread";
}

TEST(PhasesPicture, TheSentencesSayTheCounts) {
    const TileProduct product{.matrix = 8, .tile = 4};
    const auto verdict = [&](int step) { return explain_phases(view_phases(product, step, 5)).verdict; };
    EXPECT_NE(verdict(0).find("32 loads in all"), std::string::npos) << verdict(0);
    EXPECT_NE(verdict(2).find("8 elements in shared memory serve 32 reads"), std::string::npos) << verdict(2);
    const std::string end = verdict(phase_steps(product) - 1);
    EXPECT_NE(end.find("64 loads from global memory instead of 256"), std::string::npos) << end;
    EXPECT_NE(end.find("4 times"), std::string::npos) << end;
    EXPECT_FALSE(explain_phases(view_phases({.matrix = 4, .tile = 1}, 16, 0)).good);
}

TEST(PhasesPicture, StandsStillWhileStepsGoBy) {
    const TileProduct product{.matrix = 4, .tile = 2};
    const auto places = [&](int step) {
        std::set<std::pair<int, int>> all;
        for (const Hit& hit : draw(view_phases(product, step, 1), {640, 600}).hits)
            all.emplace(static_cast<int>(hit.rect.x), static_cast<int>(hit.rect.y));
        return all;
    };
    for (int step = 1; step < phase_steps(product); ++step) EXPECT_EQ(places(step), places(0)) << step;
}

TEST(PhasesBoard, TilesAreDivisorsAndTheStepStaysInRange) {
    for (int matrix = 1; matrix < 20; ++matrix) {
        for (int tile = 0; tile < 20; ++tile) {
            const BoardValues values = phases_state({{kPhasesMatrix, matrix},
                                                     {kPhasesTile, tile},
                                                     {kPhasesRow, 99},
                                                     {kPhasesStep, 999},
                                                     {kPhasesThread, 99}})
                                           .boards;
            const TileProduct product = phases_product(values);
            EXPECT_EQ(product.matrix % product.tile, 0);
            EXPECT_LT(values[kPhasesStep], phase_steps(product));
            EXPECT_LT(values[kPhasesThread], product.threads());
            EXPECT_LT(product.block_row, product.phases());
        }
    }
    const auto tile_of = [](int matrix, int tile) {
        return phases_state({{kPhasesMatrix, matrix}, {kPhasesTile, tile}}).boards[kPhasesTile];
    };
    EXPECT_EQ(tile_of(12, 5), 4) << "the nearest";
    EXPECT_EQ(tile_of(12, 7), 6);
    EXPECT_EQ(tile_of(7, 7), 7);
}

// Kirk and Hwu, draft of chapter 4: 86.4 GB/s let a GeForce 8800 GTX do 21.6 GFLOP/s without tiles, and
// 16 times as many with tiles of 16 x 16; with 8 x 8, 8 times.
TEST(PhasesBoard, SaysWhatTheLoadsAllow) {
    State state = phases_state({{kPhasesMatrix, 16}, {kPhasesTile, 8}});
    state.device = find_device(all_devices(), "8800 GTX").value();
    const Evidence evidence{};
    const BoardInput input{state, all_devices(), evidence};
    const auto value = [&](std::string_view name) {
        for (const Quantity& row : board_numbers(input)) {
            if (row.name == name) return row;
        }
        return Quantity{};
    };
    EXPECT_EQ(value("limit by loads").text, "173 GFLOP/s");
    EXPECT_EQ(value("limit by loads").provenance, Provenance::approximate);
    EXPECT_NE(value("limit by loads").source.find("21.6"), std::string::npos);
    EXPECT_EQ(value("traffic cut").text, "8 times");
    EXPECT_EQ(value("loads per element").text, "2, untiled 16");
}

}  // namespace
}  // namespace warplens::test::phases_picture_tests
