#pragma once

#include "app/panels/ui.h"

namespace warplens {

/// A|B, Export and Copy, for the top bar.
void show_figure_buttons(const Frame& frame, const View& view, Wishes& wishes);

/// The dialog of exports, over everything else while Frame::exporting is there.
void show_export_dialog(const Frame& frame, View& view, Wishes& wishes);

}  // namespace warplens
