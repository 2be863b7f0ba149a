#pragma once

#include "app/figures/figure_options.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One option of `warplens export`. The command line uses this table, and so does everything that opens a
/// figure again.
struct ExportOption {
    std::string name;        ///< "--title". Without dashes it is the operand. Commas separate spellings.
    std::string_view value;  ///< What help calls its value. Empty for a flag.
    std::string meaning;     ///< For help. The words of a list stand at its end, in brackets.
    /// Take a value, which is empty for a flag. Errors: UsageError that names the option.
    std::function<void(ExportRequest&, const std::string& text)> read;
    /// Options of `every_figure` are also options of `gallery`.
    enum class Of { figure, every_figure } of = Of::figure;
    bool repeats = false;  ///< It may be given several times.
};
std::span<const ExportOption> export_options();

/// Errors: UsageError if options are missing or exclude each other.
void check_export(const ExportRequest& request);
/// The size in pixels is limited. Errors: UsageError.
void check_size(const FigureOptions& figure);

/// Read the arguments of `warplens export`, for example those in a figure: "export", then options.
/// Errors: UsageError with one sentence.
ExportRequest read_export(const std::vector<std::string>& arguments);

}  // namespace warplens
