#pragma once

#include "app/experiment/devices.h"
#include "app/experiment/state.h"
#include "app/pictures/kit/palette.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace warplens {

/// The pictures in a figure of a board that shows instructions: all of them, the instructions without the
/// plot, the instructions of one kind of memory, the bits of their addresses, the plot, the plot of two
/// knobs, or cycles against wavefronts.
enum class FigureView { all, access, banks, sectors, bits, bandwidth, heatmap, fit };
/// The values of --view: the views in the order of the enumeration, then the keys of the other boards that
/// have a picture.
std::span<const std::string_view> view_names();
std::string_view view_name(FigureView view);

/// The format of a figure: a picture, the numbers behind it, or an animation.
enum class FigureFormat { png, svg, pdf, csv, json, gif };
/// The names of the formats in the order of the enumeration: what --format takes, and how file names end.
std::span<const std::string_view> format_names();
std::string_view format_name(FigureFormat format);
/// Empty if there is no such format.
std::optional<FigureFormat> find_format(std::string_view name);

/// How a figure is drawn and written.
struct FigureOptions {
    const BoardInfo* board = first_board();
    FigureView view = FigureView::all;  ///< Of a board that shows instructions.
    int width = 1280, height = 800;     ///< [points]
    float scale = 1;                    ///< Pixels per point.
    ThemeChoice look;
    int instruction = -1;  ///< Only this one, counted from 0; -1 for all.
    RecordingChoice recordings;
    std::optional<FigureFormat> format;  ///< Empty if the file's name decides.
    bool transparent = false;            ///< No page behind the panels.
    bool slide = false;                  ///< A slide: one headline, one picture, large type.
    bool outlines = false;               ///< SVG: text as shapes.
    std::string title;                   ///< Empty for the scenario's or the board's.
    bool caption = true, license = true;
    std::string web_address;  ///< of a page of Warplens, which opens what is shown. Empty if none is named.
    std::string compare;  ///< B, beside the state that is set, A (compared_state, link.h). Empty for none.
};

/// The view or the board, as --view takes it.
std::string_view view_name(const FigureOptions& figure);
/// Select a value of --view.
/// @param place  index into view_names()
void choose_view(FigureOptions& figure, std::size_t place);

/// The format of a file: the one in the options, else the ending of its name. PNG if it has no ending.
/// Errors: UsageError for an unknown ending.
FigureFormat format_of(const FigureOptions& figure, const std::string& path);

/// "1280x800", "16:9", "4:3" or "a4" (as wide as the text of an A4 page) as width and height [points].
/// Errors: UsageError.
std::pair<int, int> parse_figure_size(const std::string& text);

/// The shapes of slides, as --slide takes them, and their sizes. Type of 14 points has 20 points on a slide
/// that is 13.3 inches wide, or 10 in 4:3.
struct SlideShape {
    std::string_view name;
    int width, height;  ///< [points]
};
inline constexpr SlideShape kSlides[] = {{"16:9", 672, 378}, {"4:3", 504, 378}};
inline constexpr float kSlideScale = 3;  ///< pixels per point, unless --scale says another

/// The unit of a figure's steps.
enum class StepBy { any, wavefront, step };

/// One figure, or its steps, as `warplens export` and the window's dialog request it.
struct ExportRequest {
    ScenarioChoice choice;
    DeviceChoice device;
    FigureOptions figure;
    std::string output_path;
    bool steps = false;  ///< A picture of each step, and an animated one.
    StepBy step_by = StepBy::any;
    bool play = false;  ///< Bytes travel in the steps, which are wavefronts or sectors. Only with `steps`.
    std::optional<double>
        seconds;  ///< How long the animation shows a step. Empty for 1, or what `play` takes.
};

}  // namespace warplens
