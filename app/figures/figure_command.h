#pragma once

#include "app/experiment/state.h"
#include "app/figures/figure_options.h"
#include "app/model/device/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The command line for a shell that draws a figure again: the state, and how the figure is composed.
/// read_export (export_options.h) and make_export_experiment (export_job.h) read it.
/// @param state    In a comparison, B. The command then begins with A and names B after --compare.
/// @param out      the file's name, whose folder is left out. Empty to leave it out.
std::string export_command_line(const State& state, const std::vector<DeviceFacts>& devices,
                                const FigureOptions& options, const std::string& out = {});

/// A text quoted so that a shell reads it as one word.
std::string shell_word(std::string_view text);

/// The state that a figure shows if nothing is set: the scenario's initial state with the board or the plot.
State usual_state_of_view(const Scenario& scenario, std::size_t device, const FigureOptions& options);

/// Whether a file is such a picture, by its beginning.
bool is_png(std::string_view file);
/// Whether a file is such a picture: the beginning of its text names the element.
bool is_svg(std::string_view file);

/// The command line in a figure: the text "Command" of a PNG, or dc:source of an SVG.
/// @param file  the bytes of the file.
/// @return      "warplens export …". Empty if it is neither, or has no command.
std::optional<std::string> figure_command(std::string_view file);

/// A command line cut into words as a shell does, with spaces, double and single quotes and backslashes, but
/// without substitutions. @return  empty if a quote is not closed.
std::optional<std::vector<std::string>> split_command(std::string_view line);

/// The arguments that make the figure again, without the program's name: what read_export
/// (app/figures/export_options.h) takes.
/// @return  empty if the file is no figure of this program.
std::optional<std::vector<std::string>> figure_arguments(std::string_view file);

}  // namespace warplens
