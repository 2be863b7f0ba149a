#include "app/cli/options.h"

#include "app/base/errors.h"
#include "app/cli/completion.h"
#include "app/cli/man_page.h"
#include "app/cli/options_choice.h"
#include "app/cli/options_export.h"
#include "app/cli/options_occupancy.h"
#include "app/cli/options_quiz.h"
#include "app/cli/options_tables.h"
#include "app/learn/tour.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace warplens {
namespace {

constexpr const char* kMainFooter = R"(Examples:
  warplens                                                      open the window
  warplens shared-tile --set padding=1                          open it there
  warplens scenarios                                            list scenarios and their knobs
  warplens report global-stride --set stride=8,op=load          count sectors and wavefronts
  warplens export transpose --set variant=padded --out t.svg    write a figure
  warplens spaces --device "RTX 4090"                           where its memories are, and how fast
  warplens worked                                               numbers of textbooks, worked out
  warplens quiz --seed 2026                                     questions for a class, the same for everyone
  warplens analyze accesses.csv                                 count your own trace
  warplens import-ncu counters.csv --scenario transpose         a profiler's counters beside the prediction
  warplens occupancy --cc 9.0 --threads 256 --registers 33      blocks that fit into an SM, and what limits
  warplens measure global-stride --sweep stride=1..32           time it on this GPU
  warplens measure --all --record h200.json                     record it for machines without a GPU
  warplens --recording h200.json                                open the window with a recording
  warplens doctor                                               what is here, what is missing

Without --device numbers are for the GPU of this machine, or for an H200 where there is none.

Exit codes:
  0  done
  1  failed
  2  bad usage or input: unknown name, value out of range, malformed file, unwritable output
  3  no display, or no OpenGL
  4  no NVIDIA GPU where one is required)";

constexpr const char* kReportFooter = R"(Examples:
  warplens report global-stride --set stride=8 --set op=load
  warplens report transpose --set variant=padded,matrix=8192 --device "RTX 4090"
  warplens report shared-tile --set padding=1 --json

Every number says what it is: ● exact (counted from addresses), ○ approximate (a formula).)";

constexpr const char* kAnalyzeFooter =
    R"(The first line names the columns, in any order; further columns are ignored:
  id,space,op,width,mask,a0,a1,...,a31
  id     any text, comes back as it is        space  global, shared, constant, texture or local
  op     ld or st (load or store);            width  bytes per lane: 1, 2, 4, 8 or 16
         shared: ldmatrix too
  mask   active lanes, hexadecimal            a0...  byte address of each lane, decimal or 0x hexadecimal, a multiple of
                                                     the width; may be empty where the lane is not active
What an address means:
  global    from any start that is a multiple of 256      constant  from the start of the constant bank, 64 KB
  shared    from the start of the block's shared memory   local     from the start of the lane's own array
  texture   any numbering in which 32 bytes, aligned, are a sector: 4 x 2 texels of 4 bytes
ldmatrix: width 16, mask ff, ffff or ffffffff; lane i brings the address of row i % 8 of matrix i / 8.

The answer has these columns; 0 where a memory has no such count:
  id,requests,wavefronts,ideal_wavefronts,excessive_wavefronts,sectors,lines
  requests        global, shared, local: instructions; constant: distinct words; texture: groups of four lanes
  sectors, lines  of 32 and 128 bytes: global; local, where the words of the lanes lie interleaved; texture: sectors only
  the others      shared

Examples:
  warplens analyze accesses.csv --out counts.csv
  my_tracer | warplens analyze - --device 8.6)";

constexpr const char* kImportNcuFooter =
    R"~(Reads what 'ncu --csv' prints, with --page raw (a launch per row) or --page details (a metric per
row), and explains each counter. With --scenario or --analyze it stands beside its prediction; the verdict is
  equal   the same to the last digit
  within  differs, for a reason that is known and bounded
  off     differs otherwise
The exit code is 0 whatever the verdicts are: --json and --csv are for programs.

Make the file like this; --log-file keeps apart what the program prints:
  ncu --csv --page raw --metrics "$(warplens import-ncu --metrics)" --log-file counters.csv ./my_program

Examples:
  warplens import-ncu counters.csv
  warplens import-ncu counters.csv --kernel 'transpose.*' --scenario transpose --set variant=padded,matrix=8192
  warplens import-ncu counters.csv --launch 3 --analyze accesses.csv --json --out compared.json
  ncu --import report.ncu-rep --csv --page raw --print-units base | warplens import-ncu -

At most 10000 launches and 1 GiB. Without --device the file says by whose rules to predict.)~";

constexpr const char* kExportFooter = R"(Examples:
  warplens export global-stride --set stride=8 --view sectors --out stride-8.png
  warplens export transpose --set variant=padded --out transpose.png --size 1600x1000 --scale 2 --theme light
  warplens export global-stride --view heatmap --axis stride --second-axis element --out stride-element.png
  warplens export --view spaces --device "GTX 480" --out spaces.png
  warplens export global-stride --set stride=8 --size a4 --theme print --out stride-8.pdf
  warplens export shared-stride --set stride=2 --out stride-2.csv
  warplens export --all --out figures --format svg
A4 is as wide as the text of a page. Pictures say which command wrote them: PNG in the text "Command", SVG in
dc:source, PDF among the keywords.)";

constexpr const char* kMeasureFooter = R"(Examples:
  warplens measure global-stride --set op=load --sweep stride=1..32
  warplens measure shared-stride --sweep stride=0..64:4 --json shared.json
  warplens measure global-stride --sweep stride=0..32:4 --sweep element
  warplens measure transpose --set variant=tile --counters
  warplens measure --all --record h200.json --note "quiet node"
  warplens measure --all --part $SLURM_ARRAY_TASK_ID/20 --record part-$SLURM_ARRAY_TASK_ID.json
  ncu warplens measure transpose --set variant=tile --once)";

constexpr const char* kAgreeFooter = R"(The table has a row for each counter of each scenario:
  equal   to the last digit
  within  differs for a reason that is known and bounded; the reasons stand below the table
  off     differs otherwise; exit code 1 if the model calls its number exact
Counters marked with another kind than exact are compared, too, but prove nothing.

Examples:
  warplens agree --settings 5000 --seed 2026
  warplens agree --scenario transpose --json transpose.json)";

constexpr const char* kMergeFooter = R"(Examples:
  warplens merge part-*.json --out h200.json
Recordings of different GPU models stay apart: the window opens several side by side.)";

/// Everything that options write to. Commands of one run share what they have in common.
struct Parsed {
    ScenarioChoice choice;
    DeviceChoice device;
    WindowOptions window;
    ExportCommand figure_export;
    FigureOptions& figure = figure_export.figure;
    bool no_state = false;
    bool version = false, json = false, csv = false;
    std::string window_size, figure_size;
    AnalyzeCommand analyze;
    ImportNcuCommand import_ncu;
    MeasureCommand measure;
    AgreeCommand agree;
    MergeCommand merge;
    OccupancyCommand occupancy;
    QuizCommand quiz;
    std::vector<std::string> sweeps;
    std::optional<double> time_limit;
    RecordingChoice recordings;
    bool no_recordings = false;
    std::string output_path, folder = "gallery";
};

template <class Name, std::size_t n>
std::map<std::string, Name> by_key(const Name (&names)[n], std::string_view (*key_of)(Name)) {
    std::map<std::string, Name> map;
    for (const Name name : names) map.emplace(key_of(name), name);
    return map;
}
const auto kThemes = by_key(kThemeNames, theme_key);
const auto kPalettes = by_key(kPaletteNames, palette_key);
const std::map<std::string, FigureView> kViews{{"all", FigureView::all},
                                               {"access", FigureView::access},
                                               {"banks", FigureView::banks},
                                               {"sectors", FigureView::sectors},
                                               {"bandwidth", FigureView::bandwidth},
                                               {"heatmap", FigureView::heatmap},
                                               {"fit", FigureView::fit},
                                               {"traffic", FigureView::traffic},
                                               {"phases", FigureView::phases},
                                               {"occupancy", FigureView::occupancy},
                                               {"roofline", FigureView::roofline},
                                               {"spaces", FigureView::spaces},
                                               {"choose", FigureView::choose}};

void add_settings(CLI::App& app, Parsed& parsed) {
    app.add_option("--set", parsed.choice.settings,
                   "Set a parameter; again or with commas for several, the last one wins")
        ->type_name("KNOB=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_scenario(CLI::App& app, Parsed& parsed, bool required = true) {
    app.add_option("scenario", parsed.choice.scenario, "Which one: see 'warplens scenarios'")
        ->required(required)
        ->type_name("ID");
    add_settings(app, parsed);
}

void add_device(CLI::App& app, Parsed& parsed, bool named = true) {
    if (named) {
        app.add_option("--device", parsed.device.name,
                       "For which GPU: part of a name, a compute capability, or here")
            ->type_name("NAME|CC");
        app.add_option("--bank-mode", parsed.device.bank_mode,
                       "GPUs of compute capability 3.x: bytes of a shared memory bank's word; default 4")
            ->type_name("4|8");
    }
    app.add_flag("--cpu,--no-gpu", parsed.device.cpu, "Never touch CUDA");
}

void add_recordings(CLI::App& app, Parsed& parsed, const std::string& which) {
    app.add_option("--recording", parsed.recordings.files,
                   "Draw a recording beside the model; again for several")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_flag("--no-recordings", parsed.no_recordings, which);
}

void add_look(CLI::App& app, ThemeChoice& look) {
    add_choice(app, "--theme", look.theme, kThemes, "Colours");
    add_choice(app, "--palette", look.palette, kPalettes, "Colours of lanes, counts, heatmaps and plots");
}

void add_figure(CLI::App& app, Parsed& parsed) {
    app.add_option("--size", parsed.figure_size,
                   "Size in points (default 1280x800), or 16:9, 4:3, a4; pixels are size times scale")
        ->type_name("WxH");
    app.add_option("--scale", parsed.figure.scale, "Pixels per point, 0.5 to 8 (default 1)")->type_name("N");
    add_look(app, parsed.figure.look);
    add_recordings(app, parsed,
                   "Leave out what comes with Warplens (else drawn where it is of the chosen GPU)");
}

void add_window(CLI::App& app, Parsed& parsed) {
    app.add_option("scenario", parsed.choice.scenario,
                   "Open the window with this scenario, link, recording or kept state")
        ->type_name("ID|FILE");
    add_settings(app, parsed);
    add_device(app, parsed);
    add_look(app, parsed.window.look);
    app.add_option("--scale", parsed.window.scale, "Size of everything in the window, 0.5 to 3 (default 1)")
        ->type_name("N");
    app.add_option("--size", parsed.window_size, "Size of the window (default 1280x800)")->type_name("WxH");
    add_recordings(app, parsed, "Leave out what comes with Warplens (else shown where no GPU measures)");
    app.add_option("--screenshot", parsed.window.screenshot_path,
                   "Write the last frame there as PNG and close")
        ->type_name("FILE");
    app.add_option("--state", parsed.window.state_path,
                   "Keep what is set there from run to run (default $XDG_STATE_HOME/warplens/state.json)")
        ->type_name("FILE");
    app.add_flag("--tour{1}", parsed.window.tour,
                 "Show the tour of the window, as at the first start; --tour=N: from its card N");
    app.add_flag("--no-state", parsed.no_state, "Neither read nor keep what was set the last time");
    app.add_option("--frames", parsed.window.frames,
                   "Close after so many frames (with --screenshot: default 30)")
        ->type_name("N");
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const char* footer = "") {
    CLI::App* command = app.add_subcommand(name, description);
    command->footer(footer);
    return command;
}

void add_import_ncu(CLI::App& app, Parsed& parsed) {
    ImportNcuCommand& import_ncu = parsed.import_ncu;
    CLI::App* command = add_command(
        app, "import-ncu", "Lay counters of Nsight Compute's CSV beside their prediction", kImportNcuFooter);
    command->add_option("file", import_ncu.path, "What 'ncu --csv' printed; - is standard input")
        ->type_name("FILE");
    CLI::Option* scenario =
        command->add_option("--scenario", import_ncu.choice.scenario, "Predict as this scenario")
            ->type_name("ID");
    command
        ->add_option("--set", import_ncu.choice.settings, "Set a parameter of the scenario, as in 'report'")
        ->type_name("KNOB=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->needs(scenario);
    command
        ->add_option("--analyze", import_ncu.accesses_path,
                     "Predict from warp accesses, as 'analyze' takes them: a row is a request")
        ->type_name("FILE")
        ->excludes(scenario);
    command->add_option("--kernel", import_ncu.kernel, "Only kernels in whose name this is found")
        ->type_name("REGEX");
    command->add_option("--launch", import_ncu.launch, "Only the launch with this ID")->type_name("N");
    command->add_option("--device", import_ncu.device, "Whose rules: a compute capability or a GPU")
        ->type_name("NAME|CC");
    CLI::Option* json = command->add_flag("--json", parsed.json, "As JSON");
    command->add_flag("--csv", parsed.csv, "As CSV")->excludes(json);
    command->add_option("--out", import_ncu.output_path, "Write there instead of standard output")
        ->type_name("FILE");
    command->add_flag("--metrics", import_ncu.metrics, "Print what to hand to ncu --metrics, and stop");
}

void add_measure(CLI::App& app, Parsed& parsed) {
    CLI::App* measure = add_command(app, "measure", "Time the scenario's kernel on this GPU", kMeasureFooter);
    CLI::Option* scenario =
        measure->add_option("scenario", parsed.choice.scenario, "Which one: see 'warplens scenarios'")
            ->type_name("ID");
    add_settings(*measure, parsed);
    add_device(*measure, parsed, false);
    CLI::Option* sweep =
        measure
            ->add_option("--sweep", parsed.sweeps,
                         "Time a row of settings of one parameter; without a range: all. Twice, "
                         "for two parameters: all with all")
            ->type_name("KNOB[=A..B[:STEP]]")
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* json =
        measure->add_option("--json", parsed.measure.json_path, "Write the results there, too")
            ->type_name("FILE");
    measure
        ->add_option("--repeat-limit", parsed.measure.repeat_limit,
                     "At most so many repeats per setting (default 100)")
        ->type_name("N");
    measure
        ->add_option("--time-limit", parsed.time_limit,
                     "At most so long per setting (default 0.25, with --all 0.1)")
        ->type_name("SECONDS");
    measure->add_flag(fmt::format("--{}", kColdKey), parsed.measure.cold,
                      "Empty the L2 before each timed launch (else each finds what the one before left)");
    measure
        ->add_option(
            "--fetch-granularity", parsed.measure.fetch_bytes,
            "Bytes that DRAM is asked for when a sector is missing: 32, 64 or 128 (default: as it is)")
        ->type_name("BYTES");
    CLI::Option* counters = measure->add_flag(
        "--counters", parsed.measure.counters,
        "Read the GPU's hardware counters as well, and lay them beside what is expected of them");
    CLI::Option* once = measure
                            ->add_flag("--once", parsed.measure.once,
                                       "Launch the kernel exactly once and time nothing: for profilers")
                            ->excludes(sweep)
                            ->excludes(counters);
    CLI::Option* record = measure
                              ->add_option("--record", parsed.measure.record_path,
                                           "Write a recording: a file that the window opens on any machine")
                              ->type_name("FILE")
                              ->excludes(once);
    measure->add_option("--note", parsed.measure.note, "A few words that go into the recording")
        ->type_name("TEXT")
        ->needs(record);
    CLI::Option* all =
        measure
            ->add_flag("--all", parsed.measure.all,
                       "Record every scenario: defaults, presets and all axes, in some minutes")
            ->needs(record)
            ->excludes(scenario)
            ->excludes(sweep)
            ->excludes(json)
            ->excludes(once)
            ->excludes(counters)
            ->excludes(measure->get_option("--set"));
    measure
        ->add_option("--part", parsed.measure.part,
                     "Only part I of N, I from 0 to N-1: for array jobs; then 'warplens merge'")
        ->type_name("I/N")
        ->needs(all);
}

void add_commands(CLI::App& app, Parsed& parsed) {
    CLI::App* scenarios =
        add_command(app, "scenarios", "List scenarios with their parameters, ranges and defaults");
    scenarios->add_flag("--json", parsed.json, "As JSON");

    CLI::App* report =
        add_command(app, "report", "Count what a warp, a block and the grid do to memory", kReportFooter);
    add_scenario(*report, parsed);
    add_device(*report, parsed);
    CLI::Option* json = report->add_flag("--json", parsed.json, "As JSON");
    report->add_flag("--csv", parsed.csv, "As CSV")->excludes(json);

    CLI::App* analyze = add_command(app, "analyze", "Count warp accesses from a CSV file", kAnalyzeFooter);
    analyze->add_option("file", parsed.analyze.path, "The CSV file; - is standard input")
        ->required()
        ->type_name("FILE");
    analyze
        ->add_option("--device", parsed.analyze.device,
                     "Whose rules: a compute capability or a GPU (default 9.0, the H200)")
        ->type_name("CC|NAME");
    analyze->add_option("--out", parsed.analyze.output_path, "Write there instead of standard output")
        ->type_name("FILE");

    add_import_ncu(app, parsed);

    CLI::App* figure = add_command(
        app, "export", "Write a figure, or the numbers behind it, without a window", kExportFooter);
    figure->add_option("scenario", parsed.choice.scenario, "Which one: see 'warplens scenarios'")
        ->type_name("ID");
    add_settings(*figure, parsed);
    figure
        ->add_option("--out", parsed.output_path,
                     "The file: its name ends in .png, .svg, .pdf, .csv or .json; with --all a folder")
        ->type_name("FILE");
    add_choice(*figure, "--view", parsed.figure.view, kViews, "Which pictures; default all");
    figure->add_option("--instruction", parsed.figure.instruction, "Only this instruction, counted from 0")
        ->type_name("K")
        ->check([](const std::string& text) {
            return text.empty() || text[0] == '-' ? "--instruction " + text + ": expected 0 or more"
                                                  : std::string();
        });
    add_export_options(*figure, parsed.figure_export);
    add_figure(*figure, parsed);
    add_device(*figure, parsed);
    add_field_options(*figure, parsed.choice.settings);

    CLI::App* gallery = add_command(app, "gallery", "Write figures of all scenarios, as export --all");
    gallery->add_option("--out", parsed.folder, "The folder (default gallery)")->type_name("DIR");
    add_figure_look(*gallery, parsed.figure);
    add_figure(*gallery, parsed);
    add_device(*gallery, parsed);

    add_spaces(app, parsed.device, parsed.json);
    add_worked(app, parsed.json);
    add_measure(app, parsed);

    CLI::App* merge = add_command(app, "merge", "Join recordings of one GPU model", kMergeFooter);
    merge->add_option("files", parsed.merge.paths, "The recordings; of a setting twice the later one counts")
        ->required()
        ->type_name("FILE...");
    merge->add_option("--out", parsed.output_path, "The recording that they become")
        ->required()
        ->type_name("FILE");

    CLI::App* agree =
        add_command(app, "agree", "Compare the model with this GPU's hardware counters, at random settings",
                    kAgreeFooter);
    agree->add_option("--scenario", parsed.agree.scenario, "Only this one (default all)")->type_name("ID");
    agree->add_option("--settings", parsed.agree.settings, "How many settings in all (default 200)")
        ->type_name("N");
    agree->add_option("--seed", parsed.agree.seed, "Of the random settings (default 1)")->type_name("S");
    agree->add_option("--json", parsed.agree.json_path, "Write the results there, too")->type_name("FILE");
    add_device(*agree, parsed, false);

    add_occupancy(app, parsed.occupancy);
    add_quiz(app, parsed.quiz);

    CLI::App* doctor =
        add_command(app, "doctor", "Say what is here, what is missing and what to do about it");
    doctor->add_flag("--json", parsed.json, "As JSON");
    add_device(*doctor, parsed, false);
}

void check_range(const char* option, double value, double min, double max) {
    if (value >= min && value <= max) return;  // also false for NaN
    throw UsageError(fmt::format("{} {}: expected {} to {}", option, value, min, max));
}

/// Limits that CLI11's own checks would report in many words.
void check_values(Parsed& parsed) {
    constexpr double kLargestPixels = 16384;
    if (!parsed.figure_size.empty()) {
        std::tie(parsed.figure.width, parsed.figure.height) = parse_figure_size(parsed.figure_size);
    }
    if (!parsed.window_size.empty()) {
        std::tie(parsed.window.width, parsed.window.height) = parse_figure_size(parsed.window_size);
    }
    const FigureOptions& figure = parsed.figure;
    check_range("--scale", figure.scale, 0.5, 8);
    check_range("--scale", parsed.window.scale, 0.5, 3);
    const double scale = figure.scale;
    if (figure.width * scale > kLargestPixels || figure.height * scale > kLargestPixels) {
        throw UsageError(fmt::format("--size {}x{} with --scale {}: at most {} pixels each way", figure.width,
                                     figure.height, figure.scale, kLargestPixels));
    }
    check_range("--frames", parsed.window.frames, 0, 1e9);
    check_range("--tour", parsed.window.tour, 0, static_cast<double>(tour_cards().size()));
    if (parsed.sweeps.size() > 2)
        throw UsageError(fmt::format("--sweep {}: at most two parameters can be swept", parsed.sweeps[2]));
    if (!parsed.sweeps.empty()) parsed.measure.sweep = parsed.sweeps[0];
    if (parsed.sweeps.size() > 1) parsed.measure.second_sweep = parsed.sweeps[1];
    check_range("--repeat-limit", parsed.measure.repeat_limit, 1, 1e6);
    const int fetch = parsed.measure.fetch_bytes;
    if (fetch != 0 && fetch != 32 && fetch != 64 && fetch != 128)
        throw UsageError(fmt::format("--fetch-granularity {}: expected 32, 64 or 128", fetch));
    check_range("--settings", parsed.agree.settings, 1, 1e6);
    parsed.measure.seconds_limit = parsed.time_limit.value_or(parsed.measure.all ? 0.1 : 0.25);
    check_range("--time-limit", parsed.measure.seconds_limit, 0.001, 3600);
    parsed.recordings.shipped = !parsed.no_recordings;
    parsed.figure.recordings = parsed.recordings;
    parsed.window.recordings = parsed.recordings.files;
    parsed.window.shipped_recordings = parsed.recordings.shipped;
    if (!parsed.window.screenshot_path.empty() && parsed.window.frames == 0) parsed.window.frames = 30;
}

/// Options of the window mean nothing to a command; saying nothing would hide a typing mistake.
void reject_window_options(const CLI::App& app, const std::string& command) {
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_single_name();
        if (option->count() == 0 || name == "device" || name == "cpu" || name == "bank-mode") continue;
        const std::string shown = option->get_positional() ? option->as<std::string>() : "--" + name;
        throw UsageError(
            fmt::format("{} stands before '{}': options of a command come after its name", shown, command));
    }
}

Command make_import_ncu(Parsed&& parsed, ReportFormat format) {
    ImportNcuCommand& command = parsed.import_ncu;
    if (command.path.empty() && !command.metrics)
        throw UsageError(
            "import-ncu needs the file that 'ncu --csv' printed; see 'warplens import-ncu --help'");
    if (command.device.empty()) command.device = parsed.device.name;
    command.format = format;
    return command;
}

Command make_command(const std::string& name, Parsed&& parsed) {
    const ReportFormat format = parsed.json  ? ReportFormat::json
                                : parsed.csv ? ReportFormat::csv
                                             : ReportFormat::text;
    if (name == "scenarios") return ScenariosCommand{parsed.json};
    if (name == "report") return ReportCommand{parsed.choice, parsed.device, format};
    if (name == "import-ncu") return make_import_ncu(std::move(parsed), format);
    if (name == "analyze") {
        if (parsed.analyze.device.empty()) parsed.analyze.device = parsed.device.name;
        return parsed.analyze;
    }
    if (name == "export" || name == "gallery") {
        ExportCommand& figures = parsed.figure_export;
        figures.choice = parsed.choice;
        figures.device = parsed.device;
        figures.all = figures.all || name == "gallery";
        figures.output_path = name == "gallery" ? parsed.folder : parsed.output_path;
        return make_export(std::move(figures));
    }
    if (name == "agree") {
        parsed.agree.cpu = parsed.device.cpu;
        return parsed.agree;
    }
    if (name == "merge") return MergeCommand{parsed.merge.paths, parsed.output_path};
    if (name == "occupancy") {
        check_occupancy(parsed.occupancy);
        return parsed.occupancy;
    }
    if (name == "spaces") return SpacesCommand{parsed.device, parsed.json};
    if (name == "worked") return WorkedCommand{parsed.json};
    if (name == "quiz") return parsed.quiz;
    if (name == "doctor") return DoctorCommand{parsed.json, parsed.device.cpu};
    if (parsed.choice.scenario.empty() && !parsed.measure.all)
        throw UsageError("measure: expected a scenario, or --all; see 'warplens measure --help'");
    parsed.measure.choice = parsed.choice;
    parsed.measure.cpu = parsed.device.cpu;
    return parsed.measure;
}

/// CLI11's messages, without its line breaks and brackets for several lines.
std::string one_sentence(std::string text) {
    for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, " ");
    while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
    return text;
}

}  // namespace

std::string_view view_name(FigureView view) {
    for (const auto& [name, value] : kViews) {
        if (value == view) return name;
    }
    return "";
}

bool is_about_scenario(FigureView view) {
    return view != FigureView::spaces && view != FigureView::occupancy && view != FigureView::phases &&
           view != FigureView::choose;
}

std::optional<FigureView> view_of_board(Board board) {
    const auto found = kViews.find(std::string(board_info(board).key));
    if (found == kViews.end() || found->second == FigureView::access) return {};
    return found->second;
}

Board board_of(FigureView view) {
    const BoardInfo* info = find_board(view_name(view));
    return info == nullptr ? Board::access : info->board;
}

Command parse_command_line(const std::vector<std::string>& arguments) {
    Parsed parsed;
    CLI::App app{
        "See what a CUDA warp does to memory: banks, sectors, wavefronts and bandwidth.\n"
        "Without a command it opens the window.",
        "warplens"};
    app.get_formatter()->column_width(34);
    app.footer(kMainFooter);
    app.add_flag("--version", parsed.version, "Print the version");
    add_window(app, parsed);
    add_commands(app, parsed);
    app.add_subcommand("man", "Print the manual page")->group("");  // hidden: for packages
    app.add_subcommand("completion", "Print the completion for bash")->group("");
    app.require_subcommand(0, 1);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        const auto used = app.get_subcommands();
        return HelpCommand{used.empty() ? app.help() : used.front()->help("warplens")};
    } catch (const CLI::ParseError& error) {
        const auto used = app.get_subcommands();
        throw UsageError(fmt::format("{}; see 'warplens {}--help'", one_sentence(error.what()),
                                     used.empty() ? "" : used.front()->get_name() + " "));
    }
    if (parsed.version) return VersionCommand{};
    check_values(parsed);
    const auto used = app.get_subcommands();
    if (used.empty()) {
        parsed.window.cpu = parsed.device.cpu;
        const auto given = [&app](const char* option) { return app.count(option) > 0; };
        parsed.window.given = {given("scenario") || given("--set") || given("--device"), given("--theme"),
                               given("--palette"), given("--scale"), given("--size")};
        if (parsed.no_state && given("--state"))
            throw UsageError("--state and --no-state exclude each other: name one of them");
        // A picture for a document should not depend on what somebody did before.
        parsed.window.keep_state =
            !parsed.no_state && (given("--state") || parsed.window.screenshot_path.empty());
        return WindowCommand{parsed.choice, parsed.device, parsed.window};
    }
    reject_window_options(app, used.front()->get_name());
    if (used.front()->get_name() == "man") return HelpCommand{man_page(app)};
    if (used.front()->get_name() == "completion") return HelpCommand{bash_completion(app)};
    return make_command(used.front()->get_name(), std::move(parsed));
}

}  // namespace warplens
