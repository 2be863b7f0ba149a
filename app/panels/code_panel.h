#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// The code of the setting: what one thread does, the address formula, the kernel, from their own files, with
/// present values behind the names that have one.
///
/// A line that is an instruction's has its number; pointing at it lights its picture, a click brings that to
/// the front. Lines are broken where the room ends.
void show_code(const PanelStyle& style, const Frame& frame, const View& view, ShownCode& shown,
               Actions& actions);

}  // namespace warplens
