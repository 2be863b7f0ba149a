#pragma once

#include "app/window/action.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

enum class KeyGroup { present, go, set, look };
inline constexpr KeyGroup kKeyGroups[] = {KeyGroup::present, KeyGroup::go, KeyGroup::set, KeyGroup::look};
std::string_view key_group_name(KeyGroup group);

/// A key, alone or with others, and what it does.
struct KeyChord {
    int key = 0;       ///< GLFW_KEY_ code; 0: `printed` counts
    char printed = 0;  ///< what the person's layout prints on it, in lower case
    bool ctrl = false;
    bool shift = false;
    bool any_shift = false;  ///< layouts differ in whether it takes the shift key
    Action action = {};
};

/// When a key counts.
enum class When {
    always,
    no_control,     ///< while no control has the frame of the keyboard's focus
    projector,      ///< in projector mode, while no control has it and no menu is open
    no_menu,        ///< while no menu is open that closes itself
    tour,           ///< while the tour is shown; then no other key counts unless it is held with Ctrl
    export_dialog,  ///< while the dialog of exports is open; then no other key counts
    by_controls,    ///< never: the controls read these keys themselves
};

/// One row of the table of keys: the window reads keys by it, the help page and the tooltips show it.
struct KeyBinding {
    KeyGroup group;
    std::string_view keys;     ///< as a person reads them
    std::string_view meaning;  ///< what they do
    std::vector<KeyChord> chords;
    When when = When::always;
    bool repeats = false;       ///< goes on while it is held
    bool while_typing = false;  ///< also when a text field has the keyboard
    bool one_each = false;      ///< each chord has a tooltip of its own: "(3)", not "(1 to 9)"
};

/// All keys, group by group, in the order of the page that shows them.
std::span<const KeyBinding> key_table();

/// A key press, as the window system says it.
struct KeyPress {
    int key = 0;
    char printed = 0;  ///< one ASCII character in lower case, or 0
    bool ctrl = false, shift = false, alt = false;
    bool repeat = false;  ///< it is being held down, and this is not the first time
};

/// What is going on while a key is pressed.
struct KeyContext {
    bool typing = false;    ///< a text field has the keyboard
    bool walking = false;   ///< a control has the frame of the keyboard's focus
    bool menu = false;      ///< something lies over the panels
    bool own_menu = false;  ///< it is the help page or the list of messages
    bool projector = false;
    bool tour = false;
    bool export_dialog = false;
};

/// What a key press asks for; nothing: this key does nothing now.
Action find_key(const KeyPress& press, const KeyContext& context = {});

/// "(Ctrl+T)": the keys that do this, for tooltips; empty: there are none.
std::string key_hint(const Action& action);

}  // namespace warplens
