#pragma once

#include "app/boards/board_params.h"
#include "app/model/device/occupancy.h"
#include "app/pictures/kit/palette.h"
#include "app/pictures/kit/pictures.h"
#include "app/pictures/plot/heatmap.h"
#include "app/window/window_app.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// A scenario and how its knobs are set, as typed: app/experiment/settings.h makes sense of it.
struct ScenarioChoice {
    std::string scenario;  ///< id; empty: the first one (window only)
    /// "key=value" or several with commas, in order; later ones win. Options that are fields of codec.h
    /// (`export --axis`) stand here, too.
    std::vector<std::string> settings;
};

struct DeviceChoice {
    std::string name;       ///< as in choose_device (app/experiment/devices.h)
    bool cpu = false;       ///< never touch CUDA
    std::string bank_mode;  ///< "4" or "8", for CC 3.x; empty: not said
};

/// Which pictures a figure has: all, the instructions without the plot, those of one kind of memory, the
/// plot, the plot of two knobs, cycles against wavefronts, or one of the boards (app/boards/board_params.h).
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
/// The board that a view is; Board::access: it is none.
Board board_of(FigureView view);
/// Whether a view shows a scenario; else there is no need to name one.
bool is_about_scenario(FigureView view);
/// The view that shows a board alone; empty: none does.
std::optional<FigureView> view_of_board(Board board);

/// Recordings beside the model.
struct RecordingChoice {
    std::vector<std::string> files;  ///< to open, in order
    bool shipped = true;             ///< those that come with the program, where they are of the chosen GPU
};

/// What a figure is written as: pictures, or the numbers behind them.
enum class FigureFormat { png, svg, pdf, csv, json };

struct FigureOptions {
    FigureView view = FigureView::all;
    int width = 1280, height = 800;  ///< [points]
    float scale = 1;                 ///< pixels per point
    ThemeChoice look;
    int instruction = -1;  ///< only this one, counted from 0; -1: all
    RecordingChoice recordings;
    std::optional<FigureFormat> format;  ///< empty: by the file's name
    bool transparent = false;            ///< no page behind the panels
    bool outlines = false;               ///< SVG: text as shapes
    std::string title;                   ///< empty: the scenario's or the board's
    bool caption = true, license = true;
    std::string compare;  ///< B, beside the state that is set, A (compared_state, link.h); empty: none
};

// One struct per command.
struct HelpCommand {
    std::string text;
};
struct VersionCommand {};
struct WindowCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    WindowOptions window;
};
struct ScenariosCommand {
    bool json = false;
};
enum class ReportFormat { text, json, csv };
struct ReportCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    ReportFormat format = ReportFormat::text;
};
struct AnalyzeCommand {
    std::string path;         ///< "-": standard input
    std::string device;       ///< as in choose_device; empty: compute capability 9.0
    std::string output_path;  ///< empty: standard output
};
/// Lay a profiler's counters beside a prediction.
struct ImportNcuCommand {
    std::string path;           ///< "-": standard input
    ScenarioChoice choice;      ///< its scenario empty: no prediction of one
    std::string accesses_path;  ///< as AnalyzeCommand::path; empty: none
    std::string kernel;         ///< regular expression; empty: all kernels
    std::string launch;         ///< Nsight Compute's number of the launch; empty: all
    std::string device;         ///< as in choose_device; empty: as the file says
    ReportFormat format = ReportFormat::text;
    std::string output_path;  ///< empty: standard output
    bool metrics = false;     ///< only print what `ncu --metrics` is to collect
};
/// What `export --steps` plays.
enum class StepBy { any, wavefront, step };
struct ExportCommand {
    ScenarioChoice choice;
    DeviceChoice device;
    FigureOptions figure;
    std::string output_path;
    bool all = false;    ///< every scenario instead of one: becomes a GalleryCommand
    bool steps = false;  ///< a picture of each step
    StepBy step_by = StepBy::any;
    double seconds = 1;  ///< that the animation of the steps shows each
};
struct GalleryCommand {
    DeviceChoice device;
    FigureOptions figure;
    std::string folder = "gallery";
};
struct MeasureCommand {
    ScenarioChoice choice;
    bool cpu = false;          ///< then there is no GPU to measure, which is an error
    std::string sweep;         ///< "key=a..b:step", "key=a..b" or "key"; empty: the one setting
    std::string second_sweep;  ///< the same for a second knob; empty: none
    std::string json_path;     ///< empty: no file
    int repeat_limit = 100;
    double seconds_limit = 0.25;  ///< per setting
    bool once = false;            ///< launch exactly once, for profilers
    bool cold = false;            ///< empty the L2 before each timed launch
    bool counters = false;        ///< read hardware counters as well
    std::string record_path;      ///< write a recording there; empty: none
    std::string note;             ///< goes into the recording
    bool all = false;             ///< the standard set instead of one scenario
    std::string part;             ///< "I/N" of the standard set; empty: the whole
    int fetch_bytes = 0;          ///< ask the GPU for this L2 fetch granularity [bytes]; 0: leave it
};
struct AgreeCommand {
    std::string scenario;  ///< id; empty: all
    int settings = 200;    ///< random ones, in all
    unsigned seed = 1;
    std::string json_path;  ///< empty: no file
    bool cpu = false;       ///< then there is no GPU to count on, which is an error
};
struct MergeCommand {
    std::vector<std::string> paths;
    std::string output_path;
};
/// One launch, a file of launches, or the kernels of this program.
struct OccupancyCommand {
    std::string path;             ///< of a CSV file; "-": standard input; empty: no file
    std::string cc;               ///< of the one launch: "9.0"
    OccupancyInput input;         ///< the one launch
    std::optional<int> carveout;  ///< as typed [percent]
    std::string arguments;        ///< as typed: bytes, or "none"; empty: 0
    bool kernels = false;         ///< ask the GPU about the kernels instead
    bool json = false;
    bool cpu = false;         ///< then there is no GPU to ask, which is an error
    std::string output_path;  ///< empty: standard output
};
struct DoctorCommand {
    bool json = false;
    bool cpu = false;
};
/// The table of memory spaces.
struct SpacesCommand {
    DeviceChoice device;
    bool json = false;
};
/// The numbers of others, worked out.
struct WorkedCommand {
    bool json = false;
};

/// Questions for a class, on paper or for another program.
struct QuizCommand {
    std::string seed = "1";  ///< as typed: 0 to 4294967295
    int count = 10;          ///< questions
    std::string space;       ///< only of this memory space, as space_name has it; empty: of all
    bool answers = false;    ///< with the right answers
    bool json = false;
    std::string csv_path;  ///< empty: no file; "-": standard output
};

using Command =
    std::variant<HelpCommand, VersionCommand, WindowCommand, ScenariosCommand, ReportCommand, AnalyzeCommand,
                 ImportNcuCommand, ExportCommand, GalleryCommand, MeasureCommand, MergeCommand, AgreeCommand,
                 OccupancyCommand, SpacesCommand, WorkedCommand, QuizCommand, DoctorCommand>;

/// Read a command line, without the program's name.
/// Errors: UsageError with one sentence.
Command parse_command_line(const std::vector<std::string>& arguments);

/// "sectors": as --view takes it.
std::string_view view_name(FigureView view);

}  // namespace warplens
