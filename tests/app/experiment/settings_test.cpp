#include "app/experiment/settings.h"

#include "app/base/errors.h"
#include "app/base/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warplens::test::settings_tests {
namespace {

Params settings(const char* scenario, const std::vector<std::string>& texts) {
    return apply_settings(require_scenario(scenario), texts);
}

std::string complaint(const char* scenario, const std::vector<std::string>& texts) {
    try {
        settings(scenario, texts);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Settings, SeparateOrWithCommasAndTheLaterWins) {
    const Params a = settings("global-stride", {"stride=8", "op=load", "stride=9"});
    const Params b = settings("global-stride", {"op=store,stride=3,op=load,stride=9"});
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.stride, 9);
}

TEST(Settings, EveryWrittenKnobIsReadBack) {
    std::mt19937 random(7);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 200; ++round) {
            Params params = scenario.info->defaults;
            for (const Knob& knob : scenario.info->knobs) {
                if (knob.kind == KnobKind::mask)
                    params.*knob.field = static_cast<int>(random());
                else
                    params.*knob.field = knob.min + static_cast<int>(random() % (knob.max - knob.min + 1u));
            }
            clamp_knobs(scenario, params);
            clamp_knobs(scenario, params);  // limits may depend on knobs that come later
            std::vector<std::string> texts;
            for (const Knob& knob : scenario.info->knobs) {
                texts.push_back(std::string(knob.key) + "=" + format_knob(knob, params));
            }
            std::shuffle(texts.begin(), texts.end(), random);  // order must not matter
            EXPECT_EQ(apply_settings(scenario, texts), params) << scenario.info->id;
        }
    }
}

TEST(Settings, LimitsOfOtherKnobsCountAfterAllAreSet) {
    EXPECT_EQ(settings("transpose", {"block_rows=32", "tile=32"}).block_rows, 32);
    EXPECT_EQ(settings("transpose", {"tile=32", "block_rows=32"}).block_rows, 32);
    EXPECT_NE(complaint("transpose", {"block_rows=32", "tile=16"}), "");
    EXPECT_NE(complaint("transpose", {"tile=16", "block_rows=32"}), "");
    EXPECT_EQ(settings("global-stride", {"warp=40000", "elements=2^22"}).warp, 40000);
    EXPECT_NE(complaint("global-stride", {"warp=40000", "elements=2^10"}), "");
}

TEST(Settings, OutOfRangeSaysTheRange) {
    const std::string text = complaint("global-stride", {"stride=65"});
    EXPECT_NE(text.find("64"), std::string::npos) << text;
    EXPECT_NE(text.find("stride=65"), std::string::npos) << text;
}

TEST(Settings, MistakesAreOneSentence) {
    for (const char* text :
         {"stride", "=8", "stride=", "", ",", "stride=8,", "stride=x", "stride=-1", "stride=1.5",
          "stride=99999999999999999999", "strid=8", "op=fly", "elements=1000", "elements=2^99",
          "mask=0xfffffffff", "element=3", "stride=8=9", "warp=-1"}) {
        const std::string sentence = complaint("global-stride", {text});
        EXPECT_NE(sentence, "") << text;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << text;
    }
}

TEST(Settings, AxesAreKnobsThatMakeOne) {
    const Scenario& tile = require_scenario("shared-tile");
    EXPECT_EQ(require_axis(tile, "pad").key, "padding");
    EXPECT_EQ(require_axis(tile, "walk").key, "walk") << "any parameter with more than one value";
    EXPECT_THROW(require_axis(tile, "step"), UsageError) << "it only chooses the picture";
    EXPECT_THROW(require_axis(require_scenario("global-stride"), "mask"), UsageError);
    EXPECT_THROW(require_axis(tile, "nothing"), UsageError);
}

TEST(Settings, NearNamesAreSuggested) {
    EXPECT_NE(complaint("global-stride", {"strid=8"}).find("did you mean 'stride'?"), std::string::npos);
    EXPECT_EQ(complaint("global-stride", {"frobnicate=8"}).find("did you mean"), std::string::npos);
    try {
        require_scenario("global-strid");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("'global-stride'"), std::string::npos) << error.what();
    }
}

TEST(Nearest, WorkedExamples) {
    const std::vector<std::string_view> names{"stride", "offset", "element", "elements"};
    EXPECT_EQ(nearest_name("stirde", names), "stride");
    EXPECT_EQ(nearest_name("ofset", names), "offset");
    EXPECT_EQ(nearest_name("elem", names), "element");
    EXPECT_EQ(nearest_name("elementss", names), "elements");
    EXPECT_EQ(nearest_name("zzz", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name(std::string(100000, 'a'), names), "");
}

/// As the definition says it: the fewest letters to insert, remove, change or swap with a neighbour.
std::size_t plain_distance(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const std::string_view less_a = a.substr(1), less_b = b.substr(1);
    std::size_t least = std::min({plain_distance(less_a, b) + 1, plain_distance(a, less_b) + 1,
                                  plain_distance(less_a, less_b) + (a[0] == b[0] ? 0 : 1)});
    if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
        least = std::min(least, plain_distance(a.substr(2), b.substr(2)) + 1);
    return least;
}

TEST(Nearest, IsTheFirstOfTheLeastDistance) {
    std::mt19937 random(8);
    const auto word = [&] {
        std::string text;
        for (auto length = 1 + random() % 6; length > 0; --length)
            text += static_cast<char>('a' + random() % 4);
        return text;
    };
    int found = 0;
    for (int round = 0; round < 300; ++round) {
        const std::string typed = word();
        std::vector<std::string> words(5);
        std::ranges::generate(words, word);
        std::string_view expected;
        std::size_t least = typed.size() / 3 + 2;
        for (const std::string& name : words) {
            const std::size_t distance = name.starts_with(typed) ? 1 : plain_distance(typed, name);
            if (typed.size() > 1 && distance < least) expected = name, least = distance;
        }
        EXPECT_EQ(nearest_name(typed, {words.begin(), words.end()}), expected) << typed;
        found += !expected.empty();
    }
    EXPECT_GT(found, 50);
    EXPECT_LT(found, 290);
}

}  // namespace
}  // namespace warplens::test::settings_tests
