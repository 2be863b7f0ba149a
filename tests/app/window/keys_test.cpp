#include "app/window/keys.h"

#include "app/experiment/state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warplens::test::keys_tests {

using action::Do;
using action::Next;

namespace {

KeyPress press_of(const KeyChord& chord) {
    return {chord.key, chord.key != 0 ? '\0' : chord.printed, chord.ctrl, chord.shift, false};
}

/// The context in which a row of the table counts.
KeyContext context_of(const KeyBinding& binding) {
    return {.typing = binding.when == When::editing,
            .editing = binding.when == When::editing,
            .projector = binding.when == When::projector,
            .course = binding.when == When::course,
            .tour = binding.when == When::tour,
            .export_dialog = binding.when == When::export_dialog};
}

}  // namespace

TEST(Keys, EachChordOfTheTableMakesItsAction) {
    for (const KeyBinding& binding : key_table()) {
        ASSERT_FALSE(binding.chords.empty()) << binding.keys;
        for (const KeyChord& chord : binding.chords) {
            if (binding.when == When::by_controls) {
                EXPECT_EQ(chord.action, Action{}) << binding.keys;
                continue;
            }
            EXPECT_NE(chord.action, Action{}) << binding.keys;
            EXPECT_EQ(find_key(press_of(chord), context_of(binding)), chord.action) << binding.keys;
            EXPECT_FALSE(key_hint(chord.action).empty()) << binding.keys;
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
    EXPECT_EQ(find_key({.key = 'X', .printed = 'x'}), Action{});
    EXPECT_EQ(find_key({.key = 'E', .printed = 'e'}), Action{}) << "without ctrl";
    EXPECT_EQ(find_key({.key = 'P', .printed = 'p', .alt = true}), Action{});
    EXPECT_EQ(find_key({.key = 'P', .printed = 'p', .ctrl = true}), Action{});
}

// Clickers send these, whatever their keys are called.
TEST(Keys, AClickersKeysAreThere) {
    constexpr int kPageUp = 266, kPageDown = 267, kF5 = 294, kEscape = 256;
    EXPECT_EQ(find_key({.key = kPageDown}), Action(Next{Next::What::stop}));
    EXPECT_EQ(find_key({.key = kPageUp}), Action(Next{Next::What::stop, -1}));
    EXPECT_EQ(find_key({.key = kF5}), Action(Do::projector_full));
    EXPECT_EQ(find_key({.key = kEscape}), Action(Do::leave));
    EXPECT_EQ(find_key({.key = '.', .printed = '.'}), Action(Next{Next::What::wavefront}));
}

TEST(Keys, WhatIsOpenTakesThem) {
    constexpr int kEscape = 256, kEnter = 257, kRight = 262;
    const KeyPress escape{.key = kEscape}, enter{.key = kEnter}, right{.key = kRight};
    const KeyPress theme{.key = 'T', .printed = 't', .ctrl = true}, p{.key = 'P', .printed = 'p'};
    EXPECT_EQ(find_key(escape, {.export_dialog = true}), Action(Do::close_export));
    EXPECT_EQ(find_key({.printed = 'q', .ctrl = true}, {.export_dialog = true}), Action(Do::quit));
    EXPECT_EQ(find_key(enter, {.typing = true, .export_dialog = true}), Action(Do::start_export));
    EXPECT_EQ(find_key(theme, {.export_dialog = true}), Action{});
    EXPECT_EQ(find_key(escape, {.tour = true}), Action(action::set(&View::tour, -1)));
    EXPECT_EQ(find_key(p, {.tour = true}), Action{});
    EXPECT_EQ(find_key(theme, {.tour = true}), Action(Do::toggle_theme)) << "it belongs to the window";
    EXPECT_EQ(find_key(right), Action{}) << "outside of projector mode";
    EXPECT_EQ(find_key(right, {.projector = true}), Action(Next{Next::What::stop}));
    EXPECT_EQ(find_key(right, {.walking = true, .projector = true}), Action{});
    EXPECT_EQ(find_key(right, {.course = true}), Action(Next{Next::What::stop}));
    EXPECT_EQ(find_key(right, {.walking = true, .course = true}), Action{});
    EXPECT_EQ(find_key(p, {.typing = true}), Action{});
    EXPECT_EQ(find_key(theme, {.typing = true}), Action(Do::toggle_theme));
    EXPECT_EQ(find_key(escape, {.menu = true}), Action{}) << "the menu closes itself";
    EXPECT_EQ(find_key(escape, {.menu = true, .own_menu = true}), Action(Do::leave));
    KeyPress held = p;
    held.repeat = true;
    EXPECT_EQ(find_key(held), Action{});
}

TEST(Keys, HintsAreTheTables) {
    EXPECT_EQ(key_hint(Do::toggle_theme), "(Ctrl+T)");
    EXPECT_EQ(key_hint(action::ShowBoard{all_boards()[2]}), "(3)");
    EXPECT_EQ(key_hint(action::ShowTab{2}), "(L)");
    EXPECT_EQ(key_hint(action::ShowTab{3}), "");
}

}  // namespace warplens::test::keys_tests
