#pragma once

#include "app/gl/imgui_compat.h"

#include <string>
#include <string_view>

// Tab walks through all controls, from the first of the window to the last and round again. Dear ImGui itself
// only goes from one field for text to the next, and not out of a panel.
namespace warplens::ui {

/// Gives the keyboard to the next control, or the one before for -1: in the menu or the part that lies on
/// top, if there is any.
void walk(int by);

/// Presses the control that has the frame, as Enter does. From 1.89 on Dear ImGui does so itself.
void press_walked_to();

/// The last item gets the keyboard, where keys may walk.
void walk_to_last();

/// To be called before each frame is drawn. @param indents  whether Tab belongs to the text being typed
void begin_walk(bool indents);

/// Which control the last item is; 0 for a text.
ImGuiID last_item_id();

/// The last item is a place to walk to, if it is a control that is not disabled. One that has the keyboard
/// gets a frame.
void stop_of_walk(std::string_view name);
/// A field for text, the last item, is typed into as soon as somebody has walked to it: its digits are no
/// shortcuts.
void type_if_walked_to();
/// The name of the control that has the keyboard. Empty if none has, or if that is not shown.
const std::string& walked_to();

/// How often an arrow of a pair was pressed while the last item has the keyboard, -1 for `less` and 1 for
/// `more`. Then it keeps the keyboard.
int take_arrows(ImGuiKey less, ImGuiKey more);

/// The colour of that frame.
void set_walk_color(ImU32 color, float width);

/// Whether a number is typed into the slider of this name.
bool is_typed_into(const char* id);

}  // namespace warplens::ui
