#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

#include <cstdint>
#include <string>

namespace warplens {

/// The text field of the kernel that is being typed, kept from frame to frame.
struct ShownEditor {
    std::string text;
    std::uint64_t replaced = 0;  ///< Typing::replaced when the text was taken
    std::uint64_t undone = 0;    ///< Typing::undone likewise
    int caret = 0;               ///< [bytes]
    bool caret_moved = false;    ///< the line of the caret has to come into view
    bool opened = false;         ///< it was shown in the last frame
    int frame = 0;               ///< in which it was shown last
    int asked = 0;               ///< the frame in which it asked for the keyboard
    bool active = false;         ///< it had the keyboard in the last frame since then
};

/// The kernel that is being typed: highlighted, its loads and stores numbered as their pictures, and what is
/// wrong with it at its place. Pointing at a number lights its picture, a click brings that to the front.
void show_editor(const PanelStyle& style, const Frame& frame, const View& view, ShownEditor& shown,
                 Actions& actions);

}  // namespace warplens
