#pragma once

#include "app/boards/board_params.h"
#include "app/experiment/choice.h"
#include "app/pictures/kit/palette.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace warplens {

/// Which pictures a figure has: all of them, the instructions without the plot, the instructions of one kind
/// of memory, the plot, the plot of two knobs, cycles against wavefronts, or one of the boards.
enum class FigureView {
    all,
    access,
    banks,
    sectors,
    bandwidth,
    heatmap,
    fit,
    traffic,
    phases,
    occupancy,
    roofline,
    spaces,
    choose
};
/// The names of the views in the order of the enumeration, as --view takes them.
std::span<const std::string_view> view_names();
std::string_view view_name(FigureView view);
/// The board that a view shows; Board::access for views that show none.
Board board_of(FigureView view);
/// Whether a view shows a scenario; otherwise none has to be named.
bool is_about_scenario(FigureView view);
/// The view that shows a board alone. Empty if there is none.
std::optional<FigureView> view_of_board(Board board);

/// What a figure is written as: pictures, or the numbers behind them.
enum class FigureFormat { png, svg, pdf, csv, json };
/// The names of the formats in the order of the enumeration: what --format takes, and how file names end.
std::span<const std::string_view> format_names();
std::string_view format_name(FigureFormat format);
/// Empty if there is no such format.
std::optional<FigureFormat> find_format(std::string_view name);

/// How a figure is drawn and written.
struct FigureOptions {
    FigureView view = FigureView::all;
    int width = 1280, height = 800;  ///< [points]
    float scale = 1;                 ///< Pixels per point.
    ThemeChoice look;
    int instruction = -1;  ///< Only this one, counted from 0; -1 for all.
    RecordingChoice recordings;
    std::optional<FigureFormat> format;  ///< Empty if the file's name decides.
    bool transparent = false;            ///< No page behind the panels.
    bool outlines = false;               ///< SVG: text as shapes.
    std::string title;                   ///< Empty for the scenario's or the board's.
    bool caption = true, license = true;
    std::string compare;  ///< B, beside the state that is set, A (compared_state, link.h). Empty for none.
};

/// The format of a file: as the options say, else as its name ends; PNG if it has no ending.
/// Errors: UsageError for an ending that is no format.
FigureFormat format_of(const FigureOptions& figure, const std::string& path);

/// "1280x800", "16:9", "4:3" or "a4" (as wide as the text of an A4 page) as width and height [points].
/// Errors: UsageError.
std::pair<int, int> parse_figure_size(const std::string& text);

/// What the steps of a figure go through.
enum class StepBy { any, wavefront, step };

/// One figure, or its steps, as `warplens export` and the window's dialog ask for it.
struct ExportRequest {
    ScenarioChoice choice;
    DeviceChoice device;
    FigureOptions figure;
    std::string output_path;
    bool steps = false;  ///< A picture of each step, and an animated one.
    StepBy step_by = StepBy::any;
    double seconds = 1;  ///< How long the animation shows a step.
};

}  // namespace warplens
