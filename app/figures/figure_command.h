#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The command line that a figure carries: of a PNG the text "Command", of an SVG dc:source.
/// @param file  the bytes of the file.
/// @return      "warplens export …"; empty: it is neither, or says nothing.
std::optional<std::string> figure_command(std::string_view file);

/// A command line cut into words as a shell does: spaces, double and single quotes, backslashes; nothing is
/// replaced. @return  empty when a quote stays open.
std::optional<std::vector<std::string>> split_command(std::string_view line);

/// The arguments that make the figure again, without the program's name: what parse_command_line
/// (app/cli/options.h) takes.
/// @return  empty: the file is no figure of ours.
std::optional<std::vector<std::string>> figure_arguments(std::string_view file);

}  // namespace warplens
