#include "app/window/keys.h"
#include "app/base/text.h"

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
constexpr int kSpace = 32, kDigit1 = 49, kEscape = 256, kEnter = 257, kDelete = 261, kRight = 262,
              kLeft = 263, kDown = 264, kUp = 265, kPageUp = 266, kPageDown = 267, kF1 = 290, kF5 = 294,
              kF11 = 300, kKeypadMinus = 333, kKeypadPlus = 334, kKeypadEnter = 335, kF10 = 299, kMenu = 348;
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
KeyChord named(std::string_view name, KeyChord chord) {
    chord.name = name;
    return chord;
}
KeyChord ctrl_key(int code, Action action) {
    return {.key = code, .ctrl = true, .any_shift = true, .action = std::move(action)};
}

std::vector<KeyChord> boards() {
    std::vector<KeyChord> all;
    for (std::size_t i = 0; i < std::min(all_boards().size(), kMostBoards); ++i)
        all.push_back(
            {.key = kDigit1 + int(i), .any_shift = true, .action = action::ShowBoard{all_boards()[i]}});
    return all;
}

/// The traits of a row of the table, besides when it counts.
enum Trait { kRepeats = 1, kWhileTyping = 2, kOneEach = 4 };

std::vector<KeyBinding> make_table() {
    constexpr KeyGroup present = KeyGroup::present, go = KeyGroup::go, set = KeyGroup::set,
                       look = KeyGroup::look;
    constexpr float kLarger = 1.1f;
    const Action larger = action::Scale{kLarger}, smaller = action::Scale{1 / kLarger};
    const Action next_card = Next{What::tour}, card_before = Next{What::tour, -1};
    std::vector<KeyBinding> table;
    const auto row = [&table](KeyGroup group, std::string_view keys, std::string_view meaning,
                              std::vector<KeyChord> chords, When when = When::always, int traits = 0) {
        table.push_back({group, keys, meaning, std::move(chords), when, (traits & kRepeats) != 0,
                         (traits & kWhileTyping) != 0, (traits & kOneEach) != 0});
    };
    row(present, "F5, P", "projector mode: full screen, in this window",
        {named("projector mode, full screen; Esc leaves it", key(kF5, Do::projector_full)),
         named("projector mode in this window", letter('p', Do::projector))},
        When::always, kOneEach | kWhileTyping);
    row(present, "PageDown, PageUp", "next, previous stop: preset, demo, course",
        {named("next preset, or step of a course", key(kPageDown, Next{What::stop})),
         named("previous preset, or step of a course", key(kPageUp, Next{What::stop, -1}))});
    row(present, "Right, Left, B", "in projector mode the same; B: black screen",
        {key(kRight, Next{What::stop}), key(kLeft, Next{What::stop, -1}),
         letter('b', action::Toggle{&View::black})},
        When::projector);
    row(present, "Right, Left", "in a course: its next, previous step",
        {key(kRight, Next{What::stop}), key(kLeft, Next{What::stop, -1})}, When::course);
    row(present, ". and ,", "next, previous wavefront or step",
        {named("next wavefront or step", letter('.', Next{What::wavefront})),
         named("previous wavefront or step", letter(',', Next{What::wavefront, -1}))},
        When::always, kRepeats);
    row(present, "Space", "wavefronts, sectors, steps: play, pause", {key(kSpace, Do::play_or_pause)},
        When::no_control);
    row(present, "T, Shift+T", "a demo's note: here, in a window of its own",
        {named("note of a demo's stop: show or hide", letter('t', Do::toggle_note)),
         named("notes of a demo in a window of their own", shifted('t', Do::notes_window))});
    row(present, "F11", "full screen", {key(kF11, Do::full_screen)});

    row(go, "S, Ctrl+N", "start page: all scenarios; a new kernel of your own",
        {named("start page: all scenarios as pictures", letter('s', action::Toggle{&View::start_page})),
         named("your kernel: type CUDA, and the pictures follow", ctrl('n', Do::new_kernel))},
        When::always, kOneEach | kWhileTyping);
    row(go, "Q", "recorded requests of a file", {letter('q', action::Toggle{&View::requests})});
    row(go, "N, Shift+N", "next, previous scenario",
        {named("next scenario", letter('n', Next{What::scenario})),
         named("previous scenario", shifted('n', Next{What::scenario, -1}))});
    row(go, "1 to 9", "board by its number", boards(), When::always, kOneEach);
    row(go, "W, C, L", "why, code, lesson",
        {named("why: the reason in a sentence", letter('w', action::ShowTab{0})),
         named("code of the kernel", letter('c', action::ShowTab{1})),
         named("lesson beside the picture", letter('l', action::ShowTab{2}))},
        When::always, kOneEach);
    row(go, "V, Shift+V", "next, previous part of a folded window",
        {named("next part of a folded window", letter('v', Next{What::section})),
         named("previous part of a folded window", shifted('v', Next{What::section, -1}))});
    row(go, "G", "guided courses, quiz", {letter('g', action::Show{&View::learn_menu})});
    row(go, "Ctrl+R, Ctrl+K", "run the kernel that is typed; find anything",
        {named("your kernel: launch it on the GPU, or stop it", ctrl('r', Do::run_kernel)),
         ctrl('k', action::Toggle{&View::finder})},
        When::always, kWhileTyping | kOneEach);
    row(go, "D, Shift+D", "demos; record a stop",
        {named("demos", letter('d', action::Show{&View::demo_menu})),
         named("record a stop of a demo", shifted('d', action::EditDemo{action::EditDemo::What::record}))});
    row(go, "Ctrl+O", "recordings", {ctrl('o', action::Show{&View::recordings})});
    row(go, "M", "messages of this run", {letter('m', action::Toggle{&View::messages})});
    row(go, "Enter and Left", "tour: next, previous card; Esc ends it",
        {key(kEnter, next_card), key(kKeypadEnter, next_card), key(kSpace, next_card), key(kRight, next_card),
         key(kPageDown, next_card), key(kLeft, card_before), key(kPageUp, card_before),
         key(kEscape, action::set(&View::tour, -1))},
        When::tour, kRepeats);

    row(set, "Tab, arrows", "walk through the controls",
        {key(kTabKey), key(kRight), key(kLeft), key(kDown), key(kUp)}, When::by_controls);
    row(set, "Enter, Space", "press the one with the frame; arrows change it", {key(kEnter), key(kSpace)},
        When::by_controls);
    row(set, "Delete", "this parameter back to its default", {key(kDelete, Do::reset_knob)});
    row(set, "R", "all parameters back", {letter('r', Do::reset_all)});
    row(set, "B, Shift+B", "keep this as A, set B beside it; swap",
        {named("compare A with B: keep this as A, or stop", letter('b', Do::compare)),
         named("swap A and B", shifted('b', Do::swap_sides))});
    row(set, "F", "what would fix it", {letter('f', action::Toggle{&View::fixes})});
    row(set, "Ctrl+Z, Ctrl+Y", "take the last change back, do it again",
        {named("take the last change back", ctrl('z', Do::undo)), named("do it again", ctrl('y', Do::redo)),
         ctrl_shift('z', Do::redo)},
        When::always, kOneEach);
    row(set, "Ctrl+Z, Y", "in the text of a kernel: a word back, and again",
        {ctrl('z', Do::undo_typing), ctrl('y', Do::redo_typing), ctrl_shift('z', Do::redo_typing)},
        When::editing, kWhileTyping | kRepeats);

    row(look, "Ctrl+plus, Ctrl+minus", "larger, smaller",
        {named("larger", ctrl_any('+', larger)), ctrl_any('=', larger), ctrl_key(kKeypadPlus, larger),
         named("smaller", ctrl_any('-', smaller)), ctrl_key(kKeypadMinus, smaller)},
        When::always, kRepeats | kWhileTyping);
    row(look, "I", "accesses: memory, or bits of addresses", {letter('i', Do::toggle_bits)});
    row(look, "Ctrl+0", "as large as at first", {ctrl('0', Do::scale_reset)}, When::always, kWhileTyping);
    row(look, "Ctrl+T", "dark or light", {ctrl('t', Do::toggle_theme)}, When::always, kWhileTyping);
    row(look, "Ctrl+E", "write a figure or its numbers", {ctrl('e', Do::open_export)});
    row(look, "Enter, Esc", "dialog of exports: write, close",
        {key(kEnter, Do::start_export), key(kKeypadEnter, Do::start_export), key(kEscape, Do::close_export),
         ctrl('q', Do::quit)},
        When::export_dialog, kWhileTyping);
    row(look, "Menu, Shift+F10", "menu of the picture: copy, export, explain a lane",
        {key(kMenu, action::Show{&View::picture_menu}),
         {.key = kF10, .shift = true, .action = action::Show{&View::picture_menu}}});
    row(look, "Ctrl+C, Ctrl+Shift+C", "copy the numbers, the command",
        {named("copy the numbers as CSV", ctrl('c', Do::copy_data)),
         named("copy the command that makes this figure", ctrl_shift('c', Do::copy_command))});
    row(look, "F1 or ?", "this page",
        {key(kF1, action::Toggle{&View::help}), shifted('/', action::Toggle{&View::help})});
    row(look, "Esc", "close what is open, stop measuring, stop comparing", {key(kEscape, Do::leave)},
        When::no_menu, kWhileTyping);
    row(look, "Ctrl+Q", "close the window", {ctrl('q', Do::quit)}, When::always, kWhileTyping);
    return table;
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
    const bool letter = press.printed != 0 && !press.ctrl;  // belongs to the text
    // A clicker's keys lead on from a step of a course that has a kernel to be typed.
    const bool leads_on = now.course && (press.key == kPageDown || press.key == kPageUp);
    if (now.typing && (!binding.while_typing || letter) && binding.when != When::tour && !leads_on)
        return false;
    // Enter writes there, wherever the frame is; Space presses.
    if (now.export_dialog) return binding.when == When::export_dialog;
    if (now.tour && binding.when != When::tour && !press.ctrl && press.key != kF5) return false;
    switch (binding.when) {
        case When::always:
            return true;
        case When::no_control:
            return !now.walking;
        case When::projector:
            return now.projector && !now.walking && !now.menu;
        case When::course:
            return now.course && !now.projector && !now.walking && !now.menu;
        case When::no_menu:
            return !now.menu || now.own_menu;
        case When::tour:
            return now.tour;
        case When::editing:
            return now.editing;
        case When::export_dialog:
        case When::by_controls:
            return false;
    }
    return false;
}

/// A chord as a tooltip names it.
std::string name_of(const KeyChord& chord) {
    const int shown = chord.key != 0 ? chord.key : std::toupper(static_cast<unsigned char>(chord.printed));
    return fmt::format("{}{}", chord.ctrl ? "Ctrl+" : "", static_cast<char>(shown));
}

/// The keys of a row one by one: "N" and "Shift+N".
std::vector<std::string_view> split_keys(std::string_view keys) {
    std::vector<std::string_view> all;
    for (const std::string_view separator : {" and ", ", "}) {
        if (keys.find(separator) == std::string_view::npos) continue;
        for (std::size_t at; (at = keys.find(separator)) != std::string_view::npos;) {
            all.push_back(keys.substr(0, at));
            keys.remove_prefix(at + separator.size());
        }
        break;
    }
    all.push_back(keys);
    return all;
}

bool is_command(const KeyBinding& binding) {
    const bool any_time = binding.when == When::always || binding.when == When::no_control;
    return any_time && !std::holds_alternative<action::ShowBoard>(binding.chords.front().action) &&
           binding.chords.front().action != Action(action::Toggle{&View::finder});
}

}  // namespace

bool is_enter(int key) { return key == kEnter || key == kKeypadEnter; }

std::string_view key_group_name(KeyGroup group) {
    constexpr std::string_view kNames[] = {"Present", "Go", "Set", "Look"};
    return kNames[int(group)];
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

std::vector<KeyCommand> key_commands() {
    std::vector<KeyCommand> all;
    for (const KeyBinding& binding : key_table()) {
        if (!is_command(binding)) continue;
        const std::vector<std::string_view> keys = split_keys(binding.keys);
        const bool one = binding.chords.front().name.empty();
        std::size_t next = 0;
        for (const KeyChord& chord : binding.chords)
            if (!chord.name.empty())
                all.push_back(
                    {capitalized(std::string(chord.name)), std::string(keys[next++]), chord.action});
        if (one)
            all.push_back({capitalized(std::string(binding.meaning)), std::string(binding.keys),
                           binding.chords.front().action});
    }
    return all;
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
