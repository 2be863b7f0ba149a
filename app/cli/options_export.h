#pragma once

#include "app/cli/options.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace CLI {
class App;
}

namespace warplens {

/// What `export` takes beside the scenario, the device and the pictures: format, words round the picture,
/// what a player shows.
void add_export_options(CLI::App& command, ExportCommand& parsed);

/// The options that are fields of codec.h, except those that the command has already. They are added to
/// `settings`, which outlives the parsing.
void add_field_options(CLI::App& command, std::vector<std::string>& settings);

/// How figures look, in every command that writes some: caption, licence, page.
void add_figure_look(CLI::App& command, FigureOptions& figure);

/// "1280x800", "16:9", "4:3" or "a4" (as wide as the text of an A4 page) in points.
/// Errors: UsageError.
std::pair<int, int> parse_figure_size(const std::string& text);

/// What `export` was asked for: one figure, its steps, or the gallery.
/// Errors: UsageError when options exclude each other or are missing.
Command make_export(ExportCommand&& parsed);

/// "png": as --format takes it, and what a file's name ends in.
std::string_view format_name(FigureFormat format);

/// By that name; empty: there is no such format.
std::optional<FigureFormat> find_format(std::string_view name);

/// The format of a file: as asked for, else by how its name ends; no ending: PNG.
/// Errors: UsageError for an ending that is none.
FigureFormat format_of(const FigureOptions& figure, const std::string& path);

}  // namespace warplens
