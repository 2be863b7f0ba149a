// Pictures with their counts hidden: no text, tooltip or colour gives away what a request costs.
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/model/access/counts.h"
#include "app/pictures/kit/canvas.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace warplens::test::hidden_counts_tests {

namespace {

/// Every character is as wide as half its size.
class FixedMeasure final : public TextMeasure {
public:
    float width(std::string_view utf8, FontRole font) const override {
        return 0.5f * font_points(font) * static_cast<float>(utf8.size());
    }
};

std::string all_texts(const Picture& picture) {
    std::string text;
    for (const Shape& shape : picture.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) text += label->text + "\n";
    }
    for (const Hit& hit : picture.hits) text += hit.tooltip + "\n";
    return text;
}

Picture drawn(const State& state, bool hidden, bool compact = false) {
    static const FixedMeasure measure;
    const Style style{&theme(ThemeName::dark), &measure, {900, 560}, -1, true, compact, hidden};
    return draw_instruction(gather_evidence(state, device_table()), 0, state, style);
}

State setting(const char* scenario, int Params::*field, int value) {
    State state =
        initial_state(*find_scenario(scenario), find_device(device_table(), kDefaultDevice).value());
    state.params.*field = value;
    clamp_knobs(*state.scenario, state.params);
    return state;
}

}  // namespace

TEST(HiddenCounts, NoTextTellsWhatARequestCosts) {
    std::mt19937 random(5);
    const std::regex telling(
        "[0-9] (wavefront|sector|request|pass|transaction|line)s?\\b|[0-9] of [0-9]|[0-9] %|ideal [0-9]|[0-9] (bytes|texels) used|[0-9] (distinct|times)");
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 6; ++i) {
            State state = initial_state(scenario, find_device(device_table(), kDefaultDevice).value());
            state.params = small_random_params(scenario, random);
            for (const bool compact : {false, true}) {
                const std::string text = all_texts(drawn(state, true, compact));
                std::smatch found;
                EXPECT_FALSE(std::regex_search(text, found, telling))
                    << scenario.info->id << " " << describe_settings(scenario, state.params) << ": "
                    << found.str();
                const Explanation said = explain(view_of(gather_evidence(state, device_table()), 0));
                EXPECT_EQ(text.find(said.verdict), std::string::npos) << said.verdict;
            }
        }
    }
}

TEST(HiddenCounts, TheyAreThereOtherwise) {
    const State state = setting("global-stride", &Params::stride, 8);
    EXPECT_NE(all_texts(drawn(state, false)).find("32 sectors"), std::string::npos);
    EXPECT_EQ(all_texts(drawn(state, true)).find("32 sectors"), std::string::npos);
}

/// Colours of wavefronts, bars and the line of the ideal would tell.
TEST(HiddenCounts, CellsOfBanksHaveOneColour) {
    const State state = setting("shared-stride", &Params::stride, 8);
    int cells = 0;
    for (const bool hidden : {false, true}) {
        const Picture picture = drawn(state, hidden);
        bool one_colour = true, line_of_ideal = false;
        for (const Shape& shape : picture.shapes) {
            if (const auto* cell = std::get_if<HeatCell>(&shape)) {
                one_colour = one_colour && cell->max <= cell->first;
                ++cells;
            }
            const auto* path = std::get_if<Path>(&shape);
            line_of_ideal = line_of_ideal || (path != nullptr && path->dash == Dash::dashed);
        }
        EXPECT_EQ(one_colour, hidden);
        EXPECT_EQ(line_of_ideal, !hidden);
    }
    EXPECT_EQ(cells, 64);
}

/// A learner counts in the picture: what is wanted, and where it lies, stays.
TEST(HiddenCounts, WiresAndPlacesStay) {
    const State state = setting("global-stride", &Params::stride, 4);
    const auto wires = [](const Picture& picture) {
        return std::ranges::count_if(picture.shapes,
                                     [](const Shape& shape) { return std::holds_alternative<Wire>(shape); });
    };
    EXPECT_EQ(wires(drawn(state, true)), wires(drawn(state, false)));
    EXPECT_NE(all_texts(drawn(state, true)).find("0x080"), std::string::npos);
}

}  // namespace warplens::test::hidden_counts_tests
