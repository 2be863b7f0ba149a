#pragma once

#include "app/window/action.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

inline constexpr int kTabKey = 258;  ///< GLFW_KEY_TAB, which walks through the controls
/// GLFW's code of either key, which presses the control with the frame.
bool is_enter(int key);

enum class KeyGroup { present, go, set, look };
inline constexpr KeyGroup kKeyGroups[] = {KeyGroup::present, KeyGroup::go, KeyGroup::set, KeyGroup::look};
std::string_view key_group_name(KeyGroup group);

/// A key, alone or with others, and what it does.
struct KeyChord {
    int key = 0;       ///< GLFW_KEY_ code. 0 if `printed` identifies the key.
    char printed = 0;  ///< the character that the person's keyboard layout gives it, in lower case
    bool ctrl = false;
    bool shift = false;
    bool any_shift = false;  ///< shift does not matter, because only some layouts need it for this character
    Action action = {};
    std::string_view name = {};  ///< what it does, where its row has several actions
};

/// When a key counts.
enum class When {
    always,
    no_control,     ///< while no control has the keyboard's focus
    projector,      ///< in projector mode, while no control has the focus and no menu is open
    course,         ///< the same while a course is open, outside projector mode
    no_menu,        ///< while no popup is open, except the help page and the list of messages
    tour,           ///< while the tour is shown; of other keys F5 counts then, and those with Ctrl
    editing,        ///< while the text of a kernel has the keyboard
    export_dialog,  ///< while the export dialog is open; no other key counts then
    by_controls,    ///< never: the controls read these keys themselves
};

/// One row of the table of keys, which the window follows and which the help page and the tooltips show.
struct KeyBinding {
    KeyGroup group;
    std::string_view keys;     ///< as the help page writes them
    std::string_view meaning;  ///< what they do
    std::vector<KeyChord> chords;
    When when = When::always;
    bool repeats = false;       ///< whether it repeats while it is held down
    bool while_typing = false;  ///< whether it also counts while a text field has the keyboard
    bool one_each = false;      ///< whether each chord has its own tooltip: "(3)", not "(1 to 9)"
};

/// All keys, group by group, in the order of the help page.
std::span<const KeyBinding> key_table();

/// A key press, as the window system reports it.
struct KeyPress {
    int key = 0;
    char printed = 0;  ///< one ASCII character in lower case, or 0
    bool ctrl = false, shift = false, alt = false;
    bool repeat = false;  ///< whether it comes from a key that is held down
};

/// The circumstances in which a key is pressed.
struct KeyContext {
    bool typing = false;    ///< a text field has the keyboard
    bool editing = false;   ///< that field is the text of a kernel
    bool walking = false;   ///< a control has the keyboard's focus
    bool menu = false;      ///< a popup is open
    bool own_menu = false;  ///< that popup is the help page or the list of messages
    bool projector = false;
    bool course = false;  ///< a course is open
    bool tour = false;
    bool export_dialog = false;
};

/// The action that a key press asks for. An empty action if the key does nothing at present.
Action find_key(const KeyPress& press, const KeyContext& context = {});

/// Something of the table that can be done at any time, also without its keys.
struct KeyCommand {
    std::string title;  ///< "Next scenario"
    std::string keys;   ///< "N"
    Action action;
};
/// All of them, in the order of the table. Boards are not among them, because they have names of their own.
std::vector<KeyCommand> key_commands();

/// The keys for an action, as tooltips show them: "(Ctrl+T)". Empty if there are none.
std::string key_hint(const Action& action);

}  // namespace warplens
