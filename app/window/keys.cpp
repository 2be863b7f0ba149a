#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warplens {
namespace {

// GLFW's codes of keys that print nothing, and of digits, which some layouts print only with shift; stable,
// and no reason to include GLFW here.
constexpr int kSpace = 32, kDigit1 = 49, kEscape = 256, kTab = 258, kDelete = 261, kRight = 262, kLeft = 263,
              kPageUp = 266, kPageDown = 267, kF1 = 290, kF5 = 294, kF11 = 300, kKeypadMinus = 333,
              kKeypadPlus = 334;
constexpr int kMostBoards = 9;

KeyChord key(int code) { return {.key = code}; }
KeyChord letter(char printed) { return {.printed = printed}; }
KeyChord shifted(char printed) { return {.printed = printed, .shift = true}; }
KeyChord ctrl(char printed) { return {.printed = printed, .ctrl = true}; }
KeyChord ctrl_shift(char printed) { return {.printed = printed, .ctrl = true, .shift = true}; }
KeyChord ctrl_any(char printed) { return {.printed = printed, .ctrl = true, .any_shift = true}; }
KeyChord ctrl_key(int code) { return {.key = code, .ctrl = true, .any_shift = true}; }

std::vector<KeyChord> digits() {
    std::vector<KeyChord> all;
    for (int i = 0; i < kMostBoards; ++i) all.push_back({.key = kDigit1 + i, .any_shift = true});
    return all;
}

std::vector<KeyBinding> presenting() {
    constexpr KeyGroup group = KeyGroup::present;
    return {
        {KeyAction::projector_full,
         group,
         "F5",
         "projector mode on the full screen; Esc leaves it",
         {key(kF5)}},
        {KeyAction::projector, group, "P", "projector mode in this window", {letter('p')}},
        {KeyAction::present,
         group,
         "PageDown, PageUp",
         "next, previous preset, then scenario; in a course its steps",
         {key(kPageDown)},
         {key(kPageUp)}},
        {KeyAction::present_arrows,
         group,
         "Right, Left",
         "the same, in projector mode",
         {key(kRight)},
         {key(kLeft)}},
        {KeyAction::step,
         group,
         ". and ,",
         "next, previous wavefront or step",
         {letter('.')},
         {letter(',')},
         true},
        {KeyAction::play, group, "Space", "steps of a board: play, pause", {key(kSpace)}},
        {KeyAction::full_screen, group, "F11", "full screen", {key(kF11)}},
    };
}

std::vector<KeyBinding> going() {
    constexpr KeyGroup group = KeyGroup::go;
    return {
        {KeyAction::scenario, group, "N, Shift+N", "next, previous scenario", {letter('n')}, {shifted('n')}},
        {KeyAction::board, group, "1 to 9", "board by its number", digits()},
        {KeyAction::tab, group, "W, C, L", "why, code, lesson", {letter('w'), letter('c'), letter('l')}},
        {KeyAction::section,
         group,
         "V, Shift+V",
         "next, previous part of a folded window",
         {letter('v')},
         {shifted('v')}},
        {KeyAction::learn, group, "G", "guided courses, quiz", {letter('g')}},
        {KeyAction::recordings, group, "Ctrl+O", "recordings", {ctrl('o')}},
        {KeyAction::messages, group, "M", "messages of this run", {letter('m')}},
    };
}

std::vector<KeyBinding> setting() {
    constexpr KeyGroup group = KeyGroup::set;
    return {
        {KeyAction::walk,
         group,
         "Tab, arrows",
         "walk through the controls",
         {key(kTab), key(kRight), key(kLeft), key(kRight + 2), key(kRight + 3)}},
        {KeyAction::turn, group, "Space, arrows", "press the one with the frame; turn it", {key(kSpace)}},
        {KeyAction::reset_knob, group, "Delete", "this parameter back to its default", {key(kDelete)}},
        {KeyAction::reset_all, group, "R", "all parameters back", {letter('r')}},
        {KeyAction::compare,
         group,
         "B, Shift+B",
         "keep this as A, set B beside it; swap",
         {letter('b')},
         {shifted('b')}},
        {KeyAction::undo, group, "Ctrl+Z", "take the last change back", {ctrl('z')}},
        {KeyAction::redo, group, "Ctrl+Y", "do it again", {ctrl('y'), ctrl_shift('z')}},
    };
}

std::vector<KeyBinding> looking() {
    constexpr KeyGroup group = KeyGroup::look;
    return {
        {KeyAction::scale,
         group,
         "Ctrl+plus, Ctrl+minus",
         "larger, smaller",
         {ctrl_any('+'), ctrl_any('='), ctrl_key(kKeypadPlus)},
         {ctrl_any('-'), ctrl_key(kKeypadMinus)},
         true,
         true},
        {KeyAction::scale_reset, group, "Ctrl+0", "as large as at first", {ctrl('0')}, {}, false, true},
        {KeyAction::theme, group, "Ctrl+T", "dark or light", {ctrl('t')}, {}, false, true},
        {KeyAction::export_figure, group, "Ctrl+E", "write a figure or its numbers", {ctrl('e')}},
        {KeyAction::copy,
         group,
         "Ctrl+C, Ctrl+Shift+C",
         "copy the numbers, the command",
         {ctrl('c'), ctrl_shift('c')}},
        {KeyAction::help,
         group,
         "F1 or ?",
         "this page",
         {key(kF1), {.printed = '/', .shift = true}},
         {},
         false,
         false},
        {KeyAction::leave,
         group,
         "Esc",
         "close what is open, stop measuring",
         {key(kEscape)},
         {},
         false,
         true},
        {KeyAction::quit, group, "Ctrl+Q", "close the window", {ctrl('q')}, {}, false, true},
    };
}

bool fits(const KeyChord& chord, const KeyPress& press) {
    if (press.alt || chord.ctrl != press.ctrl) return false;
    if (!chord.any_shift && chord.shift != press.shift) return false;
    if (chord.key != 0) return chord.key == press.key;
    return chord.printed == std::tolower(static_cast<unsigned char>(press.printed));
}

int place_in(const std::vector<KeyChord>& chords, const KeyPress& press) {
    const auto found =
        std::ranges::find_if(chords, [&](const KeyChord& chord) { return fits(chord, press); });
    return found == chords.end() ? -1 : static_cast<int>(found - chords.begin());
}

const KeyBinding& binding_of(KeyAction action) {
    return *std::ranges::find(key_table(), action, &KeyBinding::action);
}

}  // namespace

std::string_view key_group_name(KeyGroup group) {
    switch (group) {
        case KeyGroup::present:
            return "Present";
        case KeyGroup::go:
            return "Go";
        case KeyGroup::set:
            return "Set";
        case KeyGroup::look:
            return "Look";
    }
    return "";
}

std::span<const KeyBinding> key_table() {
    static const std::vector<KeyBinding> table = [] {
        std::vector<KeyBinding> all;
        for (const auto& part : {presenting(), going(), setting(), looking()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

KeyMatch find_key(const KeyPress& press) {
    for (const KeyBinding& binding : key_table()) {
        if (binding.action == KeyAction::walk || binding.action == KeyAction::turn) continue;
        if (const int i = place_in(binding.chords, press); i >= 0) return {&binding, 1, i};
        if (const int i = place_in(binding.back, press); i >= 0) return {&binding, -1, i};
    }
    return {};
}

std::string key_hint(KeyAction action) { return fmt::format("({})", binding_of(action).keys); }

std::string key_hint(KeyAction action, int number) {
    const std::vector<KeyChord>& chords = binding_of(action).chords;
    if (number < 0 || static_cast<std::size_t>(number) >= chords.size()) return {};
    const KeyChord& chord = chords[static_cast<std::size_t>(number)];
    const int shown = chord.key != 0 ? chord.key : std::toupper(static_cast<unsigned char>(chord.printed));
    return fmt::format("({})", static_cast<char>(shown));
}

}  // namespace warplens
