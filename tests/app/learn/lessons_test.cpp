// Lessons: one for each scenario and board, of one shape, and every link in them leads somewhere.
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/link.h"

#include "tests/app/learn/lesson_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace warplens::test::lessons_tests {

namespace {

int count_words(const std::string& key) {
    int count = 0;
    for (const Block& block : lesson(key)) {
        std::istringstream words(plain_text(block));
        for (std::string word; words >> word;) ++count;
    }
    return count;
}

std::vector<std::string> links_of(std::span<const Block> blocks) {
    std::vector<std::string> links;
    for (const Block& block : blocks)
        for (const auto& run : block.runs)
            if (!run.link.empty()) links.push_back(run.link);
    return links;
}

void expect_in_range(const Scenario& scenario, const Params& params) {
    Params clamped = params;
    clamp_knobs(scenario, clamped);
    EXPECT_EQ(clamped, params);
    for (const Knob& knob : scenario.info->knobs) {
        if (knob.kind == KnobKind::mask) continue;
        EXPECT_GE(params.*knob.field, knob.min) << knob.key;
        EXPECT_LE(params.*knob.field, knob_limit(knob, params)) << knob.key;
    }
}

}  // namespace

TEST(Lessons, ThereIsOneForEachScenarioAndBoard) {
    for (const std::string& key : test::lesson_keys()) EXPECT_FALSE(lesson(key).empty()) << key;
    EXPECT_EQ(test::lesson_keys().size(), all_scenarios().size() + 12);
    EXPECT_TRUE(lesson("no-such-lesson").empty());
}

TEST(Lessons, TheBoardInFrontDecides) {
    State state = initial_state(*find_scenario("transpose"), 0);
    EXPECT_EQ(lesson_key(state), "transpose");
    state.board = find_board("traffic");
    EXPECT_EQ(lesson_key(state), "board-traffic");
    state.board = find_board("claims");
    EXPECT_EQ(lesson_key(state), "transpose") << "the list of claims has no lesson of its own";
}

TEST(Lessons, HaveTwoHundredToSixHundredWords) {
    for (const std::string& key : test::lesson_keys()) {
        EXPECT_GE(count_words(key), 200) << key;
        EXPECT_LE(count_words(key), 600) << key;
    }
}

TEST(Lessons, AskAQuestionAndAnswerItInTheSameOrder) {
    const std::vector<std::string> sections = {"What you see",     "Try this",       "Why",
                                               "On real hardware", "Where it bites", "Further reading"};
    for (const std::string& key : test::lesson_keys()) {
        std::vector<std::string> found;
        for (const Block& block : lesson(key)) {
            if (block.kind != BlockKind::heading) continue;
            if (block.level == 1)
                EXPECT_TRUE(found.empty() && plain_text(block).ends_with("?")) << key;
            else
                found.push_back(plain_text(block));
        }
        EXPECT_EQ(found, sections) << key;
        for (const std::string& heading : sections)
            EXPECT_FALSE(test::section(key, heading).empty()) << key << ": " << heading;
    }
}

TEST(Lessons, TellTheTrueStories) {
    const auto tells = [](const char* key, std::initializer_list<const char*> words) {
        std::string text;
        for (const Block& block : test::section(key, "Where it bites")) text += plain_text(block) + "\n";
        for (const char* word : words)
            EXPECT_NE(text.find(word), std::string::npos) << key << " says nothing of " << word;
    };
    tells("transpose", {"tile of 16 rows", "Padding 1", "2 wavefronts"});  // +1 does not mend it
    tells("shared-tile", {"a tile of 16 rows", "padding 2"});
    tells("shared-stride", {"float4", "4-way conflict", "It is not."});
    tells("cache-footprint", {"measures the L2", "above the data sheet"});
    tells("global-stride", {"fit the L2", "calls it DRAM"});
}

TEST(Lessons, GiveThreeToSixThingsToTry) {
    for (const std::string& key : test::lesson_keys()) {
        int items = 0;
        for (const Block& block : test::section(key, "Try this"))
            items += !block.marker.empty() && !links_of({{block}}).empty() ? 1 : 0;
        EXPECT_GE(items, 3) << key;
        EXPECT_LE(items, 6) << key;
    }
}

TEST(Lessons, EveryLinkLeadsToAStateInRange) {
    const State now =
        initial_state(all_scenarios().front(), find_device(device_table(), kDefaultDevice).value());
    int followed = 0;
    for (const std::string& key : test::lesson_keys()) {
        for (const std::string& link : links_of(lesson(key))) {
            if (leads_out(link)) continue;
            SCOPED_TRACE(key + ": " + link);
            ++followed;
            ASSERT_NO_THROW({
                const Place place = follow_link(link, now, device_table());
                expect_in_range(*place.state.scenario, place.state.params);
                BoardValues clamped = place.state.boards;
                clamp_board(clamped);
                EXPECT_EQ(clamped, place.state.boards);
                const Evidence evidence = gather_evidence(place.state, device_table());
                const bool other_gpu = link.find("device=") != std::string::npos;
                EXPECT_TRUE(other_gpu || evidence.report.does_not_fit.empty());
            });
        }
    }
    EXPECT_GT(followed, 150);
}

TEST(Lessons, LinksStayInTheLessonTheyAreTriedIn) {
    for (const std::string& key : test::lesson_keys()) {
        for (const std::string& link : links_of(test::section(key, "Try this"))) {
            const bool own = key.starts_with("board-") || link.starts_with(key);
            EXPECT_TRUE(own) << key << " sends the reader to " << link;
        }
    }
}

TEST(Lessons, AddressesOutsideAreSafeAndKnown) {
    const std::set<std::string> hosts = {"docs.nvidia.com", "siboehm.com", "github.com"};
    for (const std::string& key : test::lesson_keys()) {
        for (const std::string& link : links_of(lesson(key))) {
            if (!leads_out(link)) continue;
            ASSERT_TRUE(link.starts_with("https://")) << link;
            EXPECT_TRUE(hosts.contains(link.substr(8, link.find('/', 8) - 8))) << link;
        }
    }
}

TEST(Lessons, UseOnlyLettersThatTheFontsHave) {
    for (const std::string& key : test::lesson_keys())
        for (const Block& block : lesson(key))
            EXPECT_EQ(letter_without_glyph(plain_text(block)), "") << key << ": " << plain_text(block);
}

}  // namespace warplens::test::lessons_tests
