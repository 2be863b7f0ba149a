#pragma once

#include "app/cli/command.h"
#include "app/figures/figure_options.h"
#include "app/model/device/device.h"

#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

namespace warplens {

struct AnalyzeCommand {
    std::string path;         ///< "-" for standard input
    std::string device;       ///< as in choose_device; empty for compute capability 9.0
    std::string output_path;  ///< empty for standard output; a picture is drawn, see ViewCommand
};

/// Whether a file's name asks for a picture: it ends in .png, .svg or .pdf.
inline bool names_a_picture(std::string_view path) {
    return path.ends_with(".png") || path.ends_with(".svg") || path.ends_with(".pdf");
}

/// A kind of access as the files name it: "ld", "st" or "ldmatrix".
inline std::string_view op_of_files(Op op) {
    constexpr std::string_view kNames[] = {"ld", "st", "ldmatrix", "atom", "red", "inc"};
    return kNames[int(op)];
}

/// Count every row of a CSV file of warp accesses, or every instruction of what mem_trace prints.
/// @param name  of the input, for messages.
/// @return      the whole CSV answer.
/// Errors: UsageError at the first malformed row.
std::string analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device);

/// The same, handed over piece by piece, in order: memory does not depend on the length of the file.
void analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device,
                  const std::function<void(std::string_view)>& take);

/// `warplens analyze`: nothing is written unless every row is good.
/// @param input  what "-" reads.
/// Errors: UsageError for a malformed or unreadable file, an unknown device, an unwritable output.
void run_analyze(const AnalyzeCommand& command, std::istream& input, std::ostream& out);

/// Look at recorded requests: in the window, as a list, or one of them as a figure.
struct ViewCommand {
    std::string path;                          ///< "-" for standard input, except for the window
    std::string device;                        ///< as AnalyzeCommand
    int row = 1;                               ///< which instruction of the list is drawn, from 1
    std::string beside = {};                   ///< another file for the window; empty if there is none
    bool list = false;                         ///< print the list
    ReportFormat format = ReportFormat::text;  ///< of the list
    ExportRequest figure;  ///< how a figure is drawn; its output_path is empty for no figure
};

/// `warplens view`. Errors: as run_analyze; NoDisplay where a window or OpenGL is needed and is not there.
void run_view(const ViewCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
