#include "app/cli/run.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/cli/command_options.h"
#include "app/cli/show_frames.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/formats/png.h"
#include "app/figures/render.h"
#include "app/gl/desktop_motion.h"
#include "app/learn/tour.h"
#include "app/measure/worker.h"
#include "app/window/saved_state.h"

#include <cstdlib>
#include <optional>
#include <utility>

namespace warplens {
namespace {

/// Open a file in place of a scenario, as a desktop hands over what was double-clicked. A window that was
/// kept is kept there again.
void take_file(WindowCommand& command) {
    if (is_kernel_file(command.choice.scenario) && !command.choice.settings.empty())
        return;  // see make_experiment
    std::string path = std::exchange(command.choice.scenario, {});
    const OpenedFile file = recognize_file(path);  // mistakes show before a window
    const bool figure = std::holds_alternative<ExportRequest>(file) || std::holds_alternative<Demo>(file) ||
                        std::holds_alternative<RequestFile>(file) ||
                        std::holds_alternative<CountersFile>(file) ||
                        std::holds_alternative<KernelFile>(file);
    if (const auto* demo = std::get_if<Demo>(&file)) {
        try {
            check_stops(*demo, device_table());
        } catch (const UsageError& problem) {
            throw UsageError(fmt::format("cannot open '{}': {}", printable(path), problem.what()));
        }
    }
    command.window.given.place = figure || !command.choice.settings.empty() || !command.device.name.empty();
    if (figure) {
        command.window.files.push_back(std::move(path));
    } else if (std::holds_alternative<RecordingFile>(file)) {
        command.window.recordings.push_back(std::move(path));
    } else {
        command.window.state_path = std::move(path);
        command.window.keep_state = true;
    }
}

/// The options with what was kept, where the command line says nothing else.
WindowOptions with_kept(WindowOptions options, const SavedState& kept) {
    if (!options.given.theme) options.look.theme = kept.look.theme;
    if (!options.given.palette) options.look.palette = kept.look.palette;
    if (!options.given.scale) options.scale = kept.scale;
    if (!options.given.size) options.width = kept.width, options.height = kept.height;
    return options;
}

/// Stay until the window is closed.
/// Errors: NoDisplay when no window can be opened; UsageError when the screenshot cannot be written, or when
/// the file named for the state is not ours; Failure when a frame cannot be drawn.
void run_window(const State& start, const std::vector<DeviceFacts>& devices, const WindowOptions& wanted) {
    const LoadedState loaded = load_state(wanted.state_path);
    if (!loaded.keep && wanted.state_path != state_path()) throw UsageError(loaded.message);
    const WindowOptions options = loaded.state ? with_kept(wanted, *loaded.state) : wanted;
    auto opened = Window::open(
        {.width = options.width, .height = options.height, .title = "Warplens", .visible = true});
    if (const auto* why = std::get_if<Unavailable>(&opened)) throw NoDisplay(why->reason);
    if (!options.screenshot_path.empty()) check_output(options.screenshot_path);
    const std::optional<Image> last = show_frames(std::make_unique<Frames>(
        std::move(std::get<std::unique_ptr<Window>>(opened)), start, devices, options, loaded));
    if (!options.screenshot_path.empty() && last) {
        write_output(options.screenshot_path, encode_png(last->width, last->height, last->rgba, 1, {}));
    }
    // The handlers of the driver at the end of the program would hang as well.
    if (MeasureWorker::any_abandoned()) std::_Exit(int(ExitCode::done));
}

/// The window shows its first frame before CUDA is up, so it starts from the table unless "here" is asked
/// for.
void open_window(WindowCommand command) {
    for (const std::string& path : command.window.files)
        recognize_file(path);  // mistakes show before a window
    if (names_a_file(command.choice.scenario)) take_file(command);
    const std::string& id = command.choice.scenario;
    const bool is_link = id.find('?') != std::string::npos;
    if (!id.empty() && !is_link && !is_kernel_file(id) && find_scenario(id) == nullptr) {
        std::vector<std::string_view> names;
        for (const CommandEntry& one : all_commands()) names.push_back(one.name);
        for (const Scenario& scenario : all_scenarios()) names.push_back(scenario.info->id);
        throw UsageError(fmt::format("there is no command, scenario or file '{}'{}; see 'warplens --help'",
                                     id, did_you_mean(id, names)));
    }
    const DeviceChoice device{command.device.name.empty() ? std::string(kDefaultDevice) : command.device.name,
                              command.device.cpu};
    Experiment experiment = make_experiment(command.choice, device);
    // A name alone opens what the gallery opens.
    const bool named = !id.empty() && find_scenario(id) != nullptr && experiment.state.board == first_board();
    if (named) experiment.state.board = subject_board(*experiment.state.scenario);
    WindowOptions options = command.window;
    options.motion = desktop_wants_motion(settings_folder());
    open_figure_recordings({options.recordings, false}, experiment.devices);  // mistakes show before a window
    if (is_link) options.link = id;
    if (!options.keep_state)
        options.state_path.clear();
    else if (options.state_path.empty())
        options.state_path = state_path();
    options.keep_device = !command.device.name.empty() || options.link.find("device=") != std::string::npos;
    run_window(experiment.state, experiment.devices, options);
}

}  // namespace

void add_window_options(CLI::App& app, WindowCommand& command) {
    WindowOptions& window = command.window;
    ExportRequest& same = command.same_as_export;
    // Its name is no option's of any command: CLI11 2.4 takes those for one.
    app.add_option(
           "start", command.choice.scenario,
           "Open the window with this scenario, link, kernel (.cu), recording, demo, recorded requests, "
           "page of Nsight Compute or kept state")
        ->type_name("ID|FILE");
    add_value(app, "--beside", window.files,
              "Open this file as well, such as recorded requests beside a page of Nsight Compute", "FILE")
        ->allow_extra_args(false);
    add_settings(app, command.choice);
    add_device(app, command.device);
    add_export_option(app, same, "--theme");
    add_export_option(app, same, "--palette");
    add_value(app, "--scale", window.scale, "Size of everything in the window, 0.5 to 3 (default 1)", "N");
    add_export_option(app, same, "--size")->description("Size of the window (default 1280x800)");
    add_export_option(app, same, "--recording");
    add_export_option(app, same, "--no-recordings")
        ->description("Leave out what comes with Warplens (else shown where no GPU measures)");
    add_value(app, "--web-address", window.web_address,
              "Copied links and figures name this page, where warplens.html is: https://…/warplens.html",
              "URL");
    add_value(app, "--screenshot", window.screenshot_path, "Write the last frame there as PNG and close",
              "FILE");
    add_value(app, "--state", window.state_path,
              "Keep what is set there from run to run (default $XDG_STATE_HOME/warplens/state.json)", "FILE");
    app.add_flag("--tour{1}", command.tour,
                 "Show the tour of the window, as at the first start; --tour=N: from its card N");
    app.add_flag("--no-state", command.no_state, "Neither restore the window's last state nor save it");
    add_value(app, "--frames", window.frames, "Close after so many frames (with --screenshot: default 30)",
              "N");
}

Command finish_window(const CLI::App& app, WindowCommand command) {
    const auto given = [&app](const char* option) { return app.count(option) > 0; };
    const FigureOptions& same = command.same_as_export.figure;
    WindowOptions& window = command.window;
    window.tour = command.tour.value_or(0);
    check_range("--scale", window.scale, 0.5f, 3.0f);
    check_range("--frames", window.frames, 0, 1000000000);
    check_range("--tour", window.tour, 0, int(tour_cards().size()));
    if (!window.web_address.empty()) check_web_address(window.web_address);
    if (command.no_state && given("--state"))
        throw UsageError("--state and --no-state exclude each other: name one of them");
    window.look = same.look;
    window.width = same.width;
    window.height = same.height;
    window.recordings = same.recordings.files;
    window.shipped_recordings = same.recordings.shipped;
    window.cpu = command.device.cpu;
    window.given = {given("start") || given("--set") || given("--device"), given("--theme"),
                    given("--palette"), given("--scale"), given("--size")};
    if (!window.screenshot_path.empty() && window.frames == 0) window.frames = 30;
    // A picture for a document should not depend on what somebody did before.
    window.keep_state = !command.no_state && (given("--state") || window.screenshot_path.empty());
    return {command, [command](std::istream&, std::ostream&) { open_window(command); }};
}

}  // namespace warplens
