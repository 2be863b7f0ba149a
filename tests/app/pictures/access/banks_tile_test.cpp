// The tile as rows and columns of elements: each says its own bank, by the formula that a student works out
// by hand.
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warplens::test::banks_tile_tests {
namespace {

Picture tile_picture(const std::string& scenario, const std::vector<std::string>& settings, int instruction,
                     int hovered = -1) {
    static const FixedMeasure measure;
    Experiment e = make_experiment({scenario, settings}, {"H200", true});
    e.state.by_tile = true;
    const Evidence evidence = gather_evidence(e.state, e.devices);
    return draw_instruction(evidence, instruction, e.state,
                            {.theme = &theme({ThemeName::light, {}}),
                             .measure = &measure,
                             .size = {1200, 1000},
                             .hovered_lane = hovered});
}

/// The tooltip of an element, which is what a person reads who points at it.
std::string tip_of(const Picture& picture, int row, int column) {
    const std::string name = fmt::format("tile[{}][{}]\n", row, column);
    for (const Hit& hit : picture.hits)
        if (hit.tooltip.starts_with(name)) return hit.tooltip;
    return {};
}

TEST(BanksTile, EveryElementSaysItsBank) {
    for (const int padding : {0, 1, 3}) {
        const Picture picture =
            tile_picture("shared-tile", {fmt::format("padding={}", padding), "walk=column"}, 0);
        for (int row = 0; row < 32; ++row) {
            for (int column = 0; column < 32; ++column) {
                const int bank = (row * (32 + padding) + column) % 32;
                EXPECT_NE(tip_of(picture, row, column).find(fmt::format("\nbank {},", bank)),
                          std::string::npos)
                    << row << " " << column << ": " << tip_of(picture, row, column);
            }
        }
    }
}

TEST(BanksTile, LanesStandWhereTheyRead) {
    const Picture picture = tile_picture("shared-tile", {"padding=1", "walk=column"}, 0);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_NE(tip_of(picture, lane, 0).find(fmt::format("\nlane {}\n", lane)), std::string::npos);
    EXPECT_NE(tip_of(picture, 3, 1).find("no lane accesses it"), std::string::npos);
    EXPECT_TRUE(
        std::ranges::any_of(picture.hits, [](const Hit& hit) { return hit.tooltip.starts_with("padding"); }));
}

TEST(BanksTile, ASwizzleMovesElementsToOtherBanks) {
    const Picture picture = tile_picture("transpose", {"variant=swizzled"}, 2);
    std::array<int, 32> banks{};
    for (int row = 0; row < 32; ++row) {
        const std::string tip = tip_of(picture, row, 0);
        const std::size_t at = tip.find("bank ");
        ASSERT_NE(at, std::string::npos);
        ++banks[static_cast<std::size_t>(std::stoi(tip.substr(at + 5)))];
    }
    for (const int count : banks) EXPECT_EQ(count, 1) << "a column lies in all banks";
}

TEST(BanksTile, AScenarioWithoutATileIsDrawnAsBefore) {
    static const FixedMeasure measure;
    Experiment e = make_experiment({"shared-stride", {"stride=2"}}, {"H200", true});
    const Evidence evidence = gather_evidence(e.state, e.devices);
    const Style style{.theme = &theme({ThemeName::light, {}}), .measure = &measure, .size = {900, 700}};
    const std::size_t shapes = draw_instruction(evidence, 0, e.state, style).shapes.size();
    e.state.by_tile = true;
    EXPECT_EQ(draw_instruction(evidence, 0, e.state, style).shapes.size(), shapes);
}

}  // namespace
}  // namespace warplens::test::banks_tile_tests
