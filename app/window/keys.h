#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What a key does. One table says which: the window reads keys by it, the page of keys and the tooltips show
/// it.
enum class KeyAction {
    projector_full,  ///< projector mode on the full screen, as slide programs do
    projector,       ///< projector mode in the window
    present,         ///< next or previous preset, scenario after scenario
    present_arrows,  ///< the same; only in projector mode, where arrows walk through no controls
    step,            ///< the player of the board that is shown
    play,            ///< let the steps go by, or stop them
    full_screen,
    scenario,  ///< next or previous one
    board,     ///< by its number, from 0
    tab,       ///< 0 why, 1 code, 2 lesson
    section,   ///< next or previous part of a folded window
    learn,     ///< courses and the quiz
    recordings,
    messages,
    export_figure,
    copy,        ///< the numbers, or the command that makes the figure
    compare,     ///< keep what is set as A; the other way round: exchange A and B
    reset_knob,  ///< the one with the focus or under the mouse
    reset_all,
    undo,
    redo,
    scale,
    scale_reset,
    theme,
    help,
    leave,  ///< whatever is open, or measuring
    quit,
    walk,  ///< ImGui reads it
    turn,  ///< ImGui reads it
};

enum class KeyGroup { present, go, set, look };
inline constexpr KeyGroup kKeyGroups[] = {KeyGroup::present, KeyGroup::go, KeyGroup::set, KeyGroup::look};
std::string_view key_group_name(KeyGroup group);

/// A key, alone or with others.
struct KeyChord {
    int key = 0;       ///< GLFW_KEY_ code; 0: `printed` counts
    char printed = 0;  ///< what the person's layout prints on it, in lower case
    bool ctrl = false;
    bool shift = false;
    bool any_shift = false;  ///< layouts differ in whether it takes the shift key
};

struct KeyBinding {
    KeyAction action;
    KeyGroup group;
    std::string_view keys;     ///< as a person reads them
    std::string_view meaning;  ///< what they do
    std::vector<KeyChord> chords;
    std::vector<KeyChord> back = {};  ///< the same the other way round: previous, smaller
    bool repeats = false;             ///< goes on while it is held
    bool while_typing = false;        ///< also when a text field has the keyboard
};

/// All keys, group by group, in the order of the page that shows them.
std::span<const KeyBinding> key_table();

/// A key press, as the window system says it.
struct KeyPress {
    int key = 0;
    char printed = 0;  ///< one ASCII character in lower case, or 0
    bool ctrl = false, shift = false, alt = false;
};

/// What was asked for by a key press.
struct KeyMatch {
    const KeyBinding* binding = nullptr;  ///< null: this key does nothing
    int direction = 1;                    ///< 1, or -1 for `back`
    int number = 0;                       ///< which of the chords
};
/// Keys that ImGui reads by itself are not found.
KeyMatch find_key(const KeyPress& press);

/// "(Ctrl+T)": for tooltips.
std::string key_hint(KeyAction action);
/// "(3)": the key of one of several.
std::string key_hint(KeyAction action, int number);

}  // namespace warplens
