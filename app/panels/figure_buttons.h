#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// What can be copied (View::copy_menu opens it).
void show_copy_menu(const PanelStyle& style, View& view, Wishes& wishes);

/// The dialog of exports, over everything else.
/// @param dialog  Null while it is closed.
void show_export_dialog(const PanelStyle& style, const ExportView* dialog, View& view, Wishes& wishes);

}  // namespace warplens
