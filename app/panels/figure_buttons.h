#pragma once

#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

namespace warplens {

/// What can be copied (View::copy_menu opens it).
void show_copy_menu(const PanelStyle& style, View& view, Actions& actions);

/// The dialog of exports, over everything else.
/// @param dialog  Null while it is closed.
void show_export_dialog(const PanelStyle& style, const ExportView* dialog, View& view, Actions& actions);

}  // namespace warplens
