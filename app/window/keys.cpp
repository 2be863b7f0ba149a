#include "app/window/keys.h"

#include "app/experiment/board_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warplens {
namespace {

using action::Do;
using action::Next;
using What = Next::What;

// GLFW's codes of keys that print nothing, and of digits, which some layouts print only with shift. The codes
// are stable, so GLFW need not be included here.
constexpr int kSpace = 32, kDigit1 = 49, kEscape = 256, kEnter = 257, kTab = 258, kDelete = 261, kRight = 262,
              kLeft = 263, kDown = 264, kUp = 265, kPageUp = 266, kPageDown = 267, kF1 = 290, kF5 = 294,
              kF11 = 300, kKeypadMinus = 333, kKeypadPlus = 334, kKeypadEnter = 335;
constexpr std::size_t kMostBoards = 9;

KeyChord key(int code, Action action = {}) { return {.key = code, .action = std::move(action)}; }
KeyChord letter(char printed, Action action) { return {.printed = printed, .action = std::move(action)}; }
KeyChord shifted(char printed, Action action) {
    return {.printed = printed, .shift = true, .action = std::move(action)};
}
KeyChord ctrl(char printed, Action action) {
    return {.printed = printed, .ctrl = true, .action = std::move(action)};
}
KeyChord ctrl_shift(char printed, Action action) {
    return {.printed = printed, .ctrl = true, .shift = true, .action = std::move(action)};
}
KeyChord ctrl_any(char printed, Action action) {
    return {.printed = printed, .ctrl = true, .any_shift = true, .action = std::move(action)};
}
KeyChord ctrl_key(int code, Action action) {
    return {.key = code, .ctrl = true, .any_shift = true, .action = std::move(action)};
}

std::vector<KeyChord> boards() {
    std::vector<KeyChord> all;
    for (std::size_t i = 0; i < std::min(all_boards().size(), kMostBoards); ++i)
        all.push_back({.key = kDigit1 + static_cast<int>(i),
                       .any_shift = true,
                       .action = action::ShowBoard{all_boards()[i]}});
    return all;
}

std::vector<KeyBinding> make_table() {
    constexpr KeyGroup present = KeyGroup::present, go = KeyGroup::go, set = KeyGroup::set,
                       look = KeyGroup::look;
    constexpr float kLarger = 1.1f;
    const Action larger = action::Scale{kLarger}, smaller = action::Scale{1 / kLarger};
    const Action next_card = Next{What::tour}, card_before = Next{What::tour, -1};
    return {
        {present, "F5", "projector mode on the full screen; Esc leaves it", {key(kF5, Do::projector_full)}},
        {present, "P", "projector mode in this window", {letter('p', Do::projector)}},
        {present,
         "PageDown, PageUp",
         "next, previous preset, then scenario; in a course its steps",
         {key(kPageDown, Next{What::lesson_or_stop}), key(kPageUp, Next{What::lesson_or_stop, -1})}},
        {present,
         "Right, Left",
         "the same, in projector mode",
         {key(kRight, Next{What::stop}), key(kLeft, Next{What::stop, -1})},
         When::projector},
        {.group = present,
         .keys = ". and ,",
         .meaning = "next, previous wavefront or step",
         .chords = {letter('.', Next{What::wavefront}), letter(',', Next{What::wavefront, -1})},
         .repeats = true},
        {present,
         "Space",
         "steps of a board: play, pause",
         {key(kSpace, Do::play_or_pause)},
         When::no_control},
        {present, "F11", "full screen", {key(kF11, Do::full_screen)}},

        {go,
         "N, Shift+N",
         "next, previous scenario",
         {letter('n', Next{What::scenario}), shifted('n', Next{What::scenario, -1})}},
        {.group = go,
         .keys = "1 to 9",
         .meaning = "board by its number",
         .chords = boards(),
         .one_each = true},
        {.group = go,
         .keys = "W, C, L",
         .meaning = "why, code, lesson",
         .chords = {letter('w', action::ShowTab{0}), letter('c', action::ShowTab{1}),
                    letter('l', action::ShowTab{2})},
         .one_each = true},
        {go,
         "V, Shift+V",
         "next, previous part of a folded window",
         {letter('v', Next{What::section}), shifted('v', Next{What::section, -1})}},
        {go, "G", "guided courses, quiz", {letter('g', action::Show{&View::learn_menu})}},
        {go, "Ctrl+O", "recordings", {ctrl('o', action::Show{&View::recordings})}},
        {go, "M", "messages of this run", {letter('m', action::Toggle{&View::messages})}},
        {.group = go,
         .keys = "Enter and Left",
         .meaning = "tour: next, previous card; Esc ends it",
         .chords = {key(kEnter, next_card), key(kKeypadEnter, next_card), key(kSpace, next_card),
                    key(kRight, next_card), key(kPageDown, next_card), key(kLeft, card_before),
                    key(kPageUp, card_before), key(kEscape, action::ShowTour{-1})},
         .when = When::tour,
         .repeats = true},

        {set,
         "Tab, arrows",
         "walk through the controls",
         {key(kTab), key(kRight), key(kLeft), key(kDown), key(kUp)},
         When::by_controls},
        {set, "Space, arrows", "press the one with the frame; turn it", {key(kSpace)}, When::by_controls},
        {set, "Delete", "this parameter back to its default", {key(kDelete, Do::reset_knob)}},
        {set, "R", "all parameters back", {letter('r', Do::reset_all)}},
        {set,
         "B, Shift+B",
         "keep this as A, set B beside it; swap",
         {letter('b', Do::compare), shifted('b', Do::swap_sides)}},
        {set, "Ctrl+Z", "take the last change back", {ctrl('z', Do::undo)}},
        {set, "Ctrl+Y", "do it again", {ctrl('y', Do::redo), ctrl_shift('z', Do::redo)}},

        {.group = look,
         .keys = "Ctrl+plus, Ctrl+minus",
         .meaning = "larger, smaller",
         .chords = {ctrl_any('+', larger), ctrl_any('=', larger), ctrl_key(kKeypadPlus, larger),
                    ctrl_any('-', smaller), ctrl_key(kKeypadMinus, smaller)},
         .repeats = true,
         .while_typing = true},
        {.group = look,
         .keys = "Ctrl+0",
         .meaning = "as large as at first",
         .chords = {ctrl('0', Do::scale_reset)},
         .while_typing = true},
        {.group = look,
         .keys = "Ctrl+T",
         .meaning = "dark or light",
         .chords = {ctrl('t', Do::toggle_theme)},
         .while_typing = true},
        {look, "Ctrl+E", "write a figure or its numbers", {ctrl('e', Do::open_export)}},
        {.group = look,
         .keys = "Enter, Esc",
         .meaning = "dialog of exports: write, close",
         .chords = {key(kEnter, Do::start_export), key(kKeypadEnter, Do::start_export),
                    key(kEscape, Do::close_export)},
         .when = When::export_dialog,
         .while_typing = true},
        {look,
         "Ctrl+C, Ctrl+Shift+C",
         "copy the numbers, the command",
         {ctrl('c', Do::copy_data), ctrl_shift('c', Do::copy_command)}},
        {look,
         "F1 or ?",
         "this page",
         {key(kF1, action::Toggle{&View::help}), shifted('/', action::Toggle{&View::help})}},
        {.group = look,
         .keys = "Esc",
         .meaning = "close what is open, stop measuring",
         .chords = {key(kEscape, Do::leave)},
         .when = When::no_menu,
         .while_typing = true},
        {.group = look,
         .keys = "Ctrl+Q",
         .meaning = "close the window",
         .chords = {ctrl('q', Do::quit)},
         .while_typing = true},
    };
}

bool fits(const KeyChord& chord, const KeyPress& press) {
    if (press.alt || chord.ctrl != press.ctrl) return false;
    if (!chord.any_shift && chord.shift != press.shift) return false;
    if (chord.key != 0) return chord.key == press.key;
    return chord.printed == std::tolower(static_cast<unsigned char>(press.printed));
}

bool counts_now(const KeyBinding& binding, const KeyPress& press, const KeyContext& now) {
    // Otherwise a key that is held down would toggle things many times.
    if (press.repeat && !binding.repeats) return false;
    if (now.typing && !binding.while_typing && binding.when != When::tour) return false;
    if (now.export_dialog) return binding.when == When::export_dialog;
    if (now.tour && binding.when != When::tour && !press.ctrl) return false;
    switch (binding.when) {
        case When::always:
            return true;
        case When::no_control:
            return !now.walking;
        case When::projector:
            return now.projector && !now.walking && !now.menu;
        case When::no_menu:
            return !now.menu || now.own_menu;
        case When::tour:
            return now.tour;
        case When::export_dialog:
        case When::by_controls:
            return false;
    }
    return false;
}

/// A chord as a tooltip names it.
std::string name_of(const KeyChord& chord) {
    const int shown = chord.key != 0 ? chord.key : std::toupper(static_cast<unsigned char>(chord.printed));
    return {static_cast<char>(shown)};
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
    static const std::vector<KeyBinding> table = make_table();
    return table;
}

Action find_key(const KeyPress& press, const KeyContext& context) {
    for (const KeyBinding& binding : key_table()) {
        if (!counts_now(binding, press, context)) continue;
        for (const KeyChord& chord : binding.chords) {
            if (fits(chord, press)) return chord.action;
        }
    }
    return {};
}

std::string key_hint(const Action& action) {
    for (const KeyBinding& binding : key_table()) {
        for (const KeyChord& chord : binding.chords) {
            if (chord.action == action)
                return fmt::format("({})", binding.one_each ? name_of(chord) : binding.keys);
        }
    }
    return {};
}

}  // namespace warplens
