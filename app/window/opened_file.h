#pragma once

#include "app/figures/figure_options.h"
#include "app/window/saved_state.h"

#include <string>
#include <variant>

namespace warplens {

/// A recording, to be opened by Recordings::open.
struct RecordingFile {};

/// The kind of a file, which is determined by its content and not by its name.
using OpenedFile = std::variant<RecordingFile, SavedState, ExportRequest>;

/// Read a file that a person dropped, typed or named on the command line: a recording, a saved state, or a
/// figure (PNG, SVG or JSON) with the command that made it.
/// Errors: UsageError "cannot open 'x': …" with one sentence that says what it is not.
OpenedFile recognize_file(const std::string& path);

/// Whether a word of the command line names a file rather than a scenario or a link: those have neither dots
/// nor slashes before the first '?'.
bool names_a_file(const std::string& word);

}  // namespace warplens
