#pragma once

#include "app/figures/figure_options.h"
#include "app/figures/figure_writer.h"

#include <ostream>

namespace warplens {

/// The options of `warplens export`.
struct ExportCommand : ExportRequest {
    bool all = false;  ///< Figures of all scenarios instead of one, as `warplens gallery` writes them.
};

/// `warplens export`: one figure, or the numbers behind it, in the format that the file's name says. PNG is
/// drawn by the window's GL code without a window.
/// Errors: UsageError for what does not exist, a view that does not fit, an unwritable file, a format that is
/// not known or not in this build; NoDisplay for a PNG without OpenGL.
void run_export(const ExportCommand& command, std::ostream& out);
/// The same for one of many, which all draw in the context of one writer.
void export_with(FigureWriter& writer, const ExportCommand& command, std::ostream& out);

/// Errors: UsageError if options are missing or exclude each other.
void check_export_command(ExportCommand& command);

}  // namespace warplens
