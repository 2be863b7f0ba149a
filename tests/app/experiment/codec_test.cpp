// The text form of a setting: laws over random ones, and what is said about wrong text.
#include "app/experiment/codec.h"
#include "app/boards/occupancy/knobs.h"

#include "app/base/errors.h"
#include "app/experiment/compare.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "tests/random_states.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::codec_tests {
namespace {

State start() { return initial_state(all_scenarios().front(), 0); }

State random_state(const Scenario& scenario, std::mt19937& random) {
    return test::random_state(scenario, device_table().size(), random);
}

constexpr int kRounds = 60;  // of each scenario

TEST(Codec, KeysAreOfOneThingEach) {
    std::set<std::string_view> keys;
    for (const Field& field : fields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_EQ(find_board_knob(field.key), nullptr) << field.key;
        for (const Scenario& scenario : all_scenarios())
            EXPECT_EQ(find_knob(scenario, field.key), nullptr) << scenario.info->id << " " << field.key;
    }
}

TEST(Codec, ALinkLeadsBackToItsState) {
    std::mt19937 random(11);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < kRounds; ++round) {
            const State state = random_state(scenario, random);
            const std::string link = link_to(state, device_table());
            EXPECT_EQ(follow_link(link, start(), device_table()).state, state) << link;
            EXPECT_EQ(link.find_first_of(" \n\"'"), std::string::npos) << link;
        }
    }
}

TEST(Codec, SettingsLeadToTheSameStateAsALink) {
    std::mt19937 random(12);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < kRounds / 6; ++round) {
            const State state = random_state(scenario, random);
            std::vector<std::string> settings;
            for (const Item& item :
                 write_items({state, {}, {}, {}}, {initial_state(scenario, 0), {}, {}, {}}, device_table()))
                if (find_knob(scenario, item.key) == nullptr) settings.push_back(item_text(item));
            for (const Knob& knob : scenario.info->knobs)
                settings.push_back(item_text({std::string(knob.key), format_knob(knob, state.params)}));
            settings.push_back("device=" + device_table()[state.device].name);
            std::shuffle(settings.begin(), settings.end(), random);  // the order does not matter
            const Experiment experiment = make_experiment({std::string(scenario.info->id), settings}, {});
            EXPECT_EQ(experiment.state, state);
        }
    }
}

TEST(Codec, SettingsComeOnTopOfALink) {
    const State state =
        make_experiment({"transpose?variant=padded&cold=1&device=A100", {"tile=16,log=1"}}, {}).state;
    EXPECT_EQ(describe_settings(*state.scenario, state.params), "variant=padded, tile=16");
    EXPECT_TRUE(state.cold && state.log_axes);
    EXPECT_EQ(state.device, find_device(device_table(), "A100"));
}

TEST(Codec, NoDescriptionHasAPercentSign) {
    std::mt19937 random(13);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < kRounds; ++round) {
            const State state = random_state(scenario, random);
            const std::string words = describe_link(link_to(state, device_table()));
            EXPECT_EQ(words.find('%'), std::string::npos) << words;
            EXPECT_EQ(words.find("  "), std::string::npos) << words;
            if (!state.compared) continue;
            for (const SetDifference& difference :
                 set_differences(state_of(*state.compared, state), state, device_table())) {
                const std::string text = difference.label + difference.a + difference.b;
                EXPECT_EQ(text.find('%'), std::string::npos) << text;
                EXPECT_NE(difference.a, difference.b) << difference.label;
            }
        }
    }
    for (const char* link :
         {"%41%", "x%?y%=%", "?stride=%2525", "?compare=%2525%253D1", "?compare=a%3Fb%3D%25&device=%25"})
        EXPECT_EQ(describe_link(link).find('%'), std::string::npos) << link;
}

TEST(Codec, DescribesEveryEscapeAndComparison) {
    EXPECT_EQ(describe_link("shared-tile?device=RTX%204090&compare=padding%3D0%2Cdevice%3DRTX%203090"),
              "Sets Tile: bank conflicts and padding: device RTX 4090, beside Padding 0, device RTX 3090.");
    EXPECT_EQ(
        describe_link("shared-tile?compare=transpose%3Fvariant%3Dpadded%26device%3DRTX%25204090"),
        "Sets Tile: bank conflicts and padding: beside Matrix transpose: Variant padded, device RTX 4090.");
    EXPECT_EQ(describe_link("?compare=none&bank-mode=8"), "Sets beside nothing, 8-byte bank mode.");
}

std::string mistake(const std::string& link) {
    try {
        follow_link(link, initial_state(*find_scenario("global-stride"), 0), device_table());
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

void expect_names(const std::string& key, const std::string& value) {
    const std::string sentence = mistake("?" + key + "=" + value);
    EXPECT_NE(sentence.find(key), std::string::npos) << key << "=" << value << ": " << sentence;
    EXPECT_NE(sentence.find(value), std::string::npos) << key << "=" << value << ": " << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    const bool says_what =
        sentence.find("expected") != std::string::npos || sentence.find("takes") != std::string::npos ||
        sentence.find("parameters:") != std::string::npos ||
        sentence.find("settings:") != std::string::npos || sentence.find("boards:") != std::string::npos ||
        sentence.find("scenarios:") != std::string::npos;
    EXPECT_TRUE(says_what) << sentence;
}

TEST(Codec, EveryWrongValueIsNamedWithWhatIsExpected) {
    for (const Field& field : fields()) expect_names(std::string(field.key), "no-such-value");
    for (const Knob& knob : find_scenario("global-stride")->info->knobs)
        expect_names(std::string(knob.key), "no-such-value");
    for (const BoardKnob* knob : all_board_knobs()) expect_names(std::string(knob->key), "no-such-value");
    for (const char* key : {"strid", "colde", "occupancy.thread", "x"}) expect_names(key, "1");
    expect_names("wavefront", "-1");
    expect_names("instruction", "-1");
    expect_names("axis", "mask");
    EXPECT_NE(mistake("?colde=1").find("did you mean 'cold'?"), std::string::npos);
    EXPECT_EQ(mistake("?cold=a%0Ab").find('\n'), std::string::npos);
    EXPECT_THROW(make_experiment({"transpose", {"tab=code"}}, {"H200", true}), UsageError);
}

// What older programs wrote: copied links, places of kept windows, lines of lessons.
TEST(Codec, LinksOfOlderProgramsOpenAsBefore) {
    const State state =
        follow_link(
            "transpose?variant=padded&matrix=512&axis=tile&second-axis=variant&log=1&cold=1&bank-mode=8"
            "&board=traffic&occupancy.threads=128&device=RTX%204090&compare=variant=naive%2Cdevice=A100",
            start(), device_table())
            .state;
    EXPECT_EQ(describe_settings(*state.scenario, state.params), "variant=padded, matrix=512");
    EXPECT_EQ(state.axis->key, "tile");
    EXPECT_EQ(state.second_axis->key, "variant");
    EXPECT_TRUE(state.log_axes && state.cold);
    EXPECT_EQ(state.bank_mode, BankMode::eight_bytes);
    EXPECT_EQ(state.board, find_board("traffic"));
    EXPECT_EQ(state.boards[kOccupancyThreads], 128);
    EXPECT_EQ(device_table()[state.device].name, "GeForce RTX 4090");
    ASSERT_TRUE(state.compared);
    EXPECT_EQ(describe_settings(*state.compared->scenario, state.compared->params),
              "variant=naive, matrix=512");
    EXPECT_EQ(state.compared->device, find_device(device_table(), "A100"));
    EXPECT_TRUE(state.compared->cold);
}

}  // namespace
}  // namespace warplens::test::codec_tests
