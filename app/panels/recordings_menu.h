#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// A button of the top bar, and the menu behind it: recordings with a tick each, and a field to open one
/// more.
void show_recordings_menu(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes);

}  // namespace warplens
