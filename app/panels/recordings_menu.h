#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

namespace warplens {

/// A button of the top bar, and the menu behind it: recordings with a tick each, and a field to open one
/// more.
void show_recordings_menu(const PanelStyle& style, const Frame& frame, View& view, Actions& actions);

}  // namespace warplens
