#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// What can be copied (View::copy_menu opens it).
void show_copy_menu(const PanelStyle& style, View& view, Wishes& wishes);

/// The dialog of exports, over everything else while Frame::exporting is there.
void show_export_dialog(const PanelStyle& style, const Frame& frame, View& view, Wishes& wishes);

}  // namespace warplens
