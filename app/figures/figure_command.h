#pragma once

#include "app/experiment/state.h"
#include "app/figures/figure_options.h"
#include "app/model/device/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The command line that draws a figure again, for a shell: the state and how the figure is composed. What
/// reads it is read_export (export_options.h) and make_export_experiment (export_job.h).
/// @param state    of a comparison B's: the command names A, and B behind --compare.
/// @param out      the file's name; empty: it is left out. Its folder is left out always.
std::string export_command_line(const State& state, const std::vector<DeviceFacts>& devices,
                                const FigureOptions& options, const std::string& out = {});

/// The state that a figure shows before anything is set: its board, or its plot.
State usual_state_of_view(const Scenario& scenario, std::size_t device, const FigureOptions& options);

/// The command line that a figure carries: of a PNG the text "Command", of an SVG dc:source.
/// @param file  the bytes of the file.
/// @return      "warplens export …"; empty: it is neither, or says nothing.
std::optional<std::string> figure_command(std::string_view file);

/// A command line cut into words as a shell does: spaces, double and single quotes, backslashes; nothing is
/// replaced. @return  empty when a quote stays open.
std::optional<std::vector<std::string>> split_command(std::string_view line);

/// The arguments that make the figure again, without the program's name: what read_export
/// (app/figures/export_options.h) takes.
/// @return  empty: the file is no figure of ours.
std::optional<std::vector<std::string>> figure_arguments(std::string_view file);

}  // namespace warplens
