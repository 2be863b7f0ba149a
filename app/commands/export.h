#pragma once

#include "app/options.h"

#include <ostream>

namespace warplens {

/// `warplens export`: one figure as PNG, drawn by the window's GL code without a window.
/// Errors: UsageError for what does not exist, a view that does not fit, an unwritable file; NoDisplay
/// without OpenGL.
void run_export(const ExportCommand& command, std::ostream& out);

}  // namespace warplens
