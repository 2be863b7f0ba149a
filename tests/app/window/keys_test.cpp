#include "app/window/keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warplens::test::keys_tests {

namespace {

KeyPress press_of(const KeyChord& chord) {
    return {chord.key, chord.key != 0 ? '\0' : chord.printed, chord.ctrl, chord.shift, false};
}

bool is_imguis(const KeyBinding& binding) {
    return binding.action == KeyAction::walk || binding.action == KeyAction::turn;
}

}  // namespace

TEST(Keys, EachChordOfTheTableLeadsToItsOwnAction) {
    for (const KeyBinding& binding : key_table()) {
        if (is_imguis(binding)) continue;
        ASSERT_FALSE(binding.chords.empty()) << binding.keys;
        for (std::size_t i = 0; i < binding.chords.size(); ++i) {
            const KeyMatch match = find_key(press_of(binding.chords[i]));
            EXPECT_EQ(match.binding, &binding) << binding.keys;
            EXPECT_EQ(match.number, static_cast<int>(i)) << binding.keys;
            EXPECT_EQ(match.direction, 1) << binding.keys;
        }
        for (const KeyChord& chord : binding.back) {
            EXPECT_EQ(find_key(press_of(chord)).binding, &binding) << binding.keys;
            EXPECT_EQ(find_key(press_of(chord)).direction, -1) << binding.keys;
        }
    }
}

TEST(Keys, AreAllNamedOnceAndGroupedTogether) {
    std::set<std::string_view> names;
    std::set<KeyGroup> seen;
    KeyGroup group = key_table().front().group;
    seen.insert(group);
    for (const KeyBinding& binding : key_table()) {
        EXPECT_TRUE(names.insert(binding.keys).second) << binding.keys;
        EXPECT_FALSE(binding.meaning.empty()) << binding.keys;
        if (binding.group != group) {
            EXPECT_TRUE(seen.insert(binding.group).second) << binding.keys;
        }
        group = binding.group;
    }
    EXPECT_EQ(seen.size(), std::size(kKeyGroups));
}

TEST(Keys, OtherKeysDoNothing) {
    EXPECT_EQ(find_key({.key = 'X', .printed = 'x'}).binding, nullptr);
    EXPECT_EQ(find_key({.key = 'T', .printed = 't'}).binding, nullptr) << "without ctrl";
    EXPECT_EQ(find_key({.key = 'P', .printed = 'p', .alt = true}).binding, nullptr);
    EXPECT_EQ(find_key({.key = 'P', .printed = 'p', .ctrl = true}).binding, nullptr);
}

// Clickers send these, whatever their keys are called.
TEST(Keys, AClickersKeysAreThere) {
    constexpr int kPageUp = 266, kPageDown = 267, kF5 = 294, kEscape = 256;
    EXPECT_EQ(find_key({.key = kPageDown}).binding->action, KeyAction::present);
    EXPECT_EQ(find_key({.key = kPageUp}).binding->action, KeyAction::present);
    EXPECT_EQ(find_key({.key = kPageUp}).direction, -1);
    EXPECT_EQ(find_key({.key = kF5}).binding->action, KeyAction::projector_full);
    EXPECT_EQ(find_key({.key = kEscape}).binding->action, KeyAction::leave);
    EXPECT_EQ(find_key({.key = '.', .printed = '.'}).binding->action, KeyAction::step);
}

TEST(Keys, HintsAreTheTables) {
    EXPECT_EQ(key_hint(KeyAction::theme), "(Ctrl+T)");
    EXPECT_EQ(key_hint(KeyAction::board, 2), "(3)");
    EXPECT_EQ(key_hint(KeyAction::tab, 2), "(L)");
    EXPECT_EQ(key_hint(KeyAction::tab, 3), "");
}

}  // namespace warplens::test::keys_tests
