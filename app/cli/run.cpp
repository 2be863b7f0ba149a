#include "app/cli/run.h"

#include "app/base/errors.h"
#include "app/base/nearest.h"
#include "app/cli/agree.h"
#include "app/cli/analyze.h"
#include "app/cli/doctor.h"
#include "app/cli/export.h"
#include "app/cli/measure.h"
#include "app/cli/merge.h"
#include "app/cli/ncu/import_ncu.h"
#include "app/cli/occupancy.h"
#include "app/cli/quiz.h"
#include "app/cli/report.h"
#include "app/cli/scenarios.h"
#include "app/cli/spaces.h"
#include "app/cli/version.h"
#include "app/cli/worked.h"
#include "app/experiment/settings.h"
#include "app/figures/gallery.h"
#include "app/figures/render.h"
#include "app/window/opened_file.h"
#include "app/window/saved_state.h"

#include <fmt/format.h>

#include <utility>

namespace warplens {
namespace {

/// Open a file in place of a scenario, as a desktop hands over what was double-clicked. A window that was
/// kept is kept there again.
void take_file(WindowCommand& command) {
    std::string path = std::exchange(command.choice.scenario, {});
    const OpenedFile file = recognize_file(path);  // mistakes show before a window
    const bool figure = std::holds_alternative<ExportCommand>(file);
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

/// The window shows its first frame before CUDA is up, so it starts from the table unless "here" is asked
/// for.
int open_window(WindowCommand command) {
    if (names_a_file(command.choice.scenario)) take_file(command);
    const std::string& id = command.choice.scenario;
    const bool is_link = id.find('?') != std::string::npos;
    if (!id.empty() && !is_link && find_scenario(id) == nullptr) {
        std::vector<std::string_view> names{"scenarios", "report",  "analyze", "import-ncu", "export",
                                            "gallery",   "measure", "merge",   "agree",      "occupancy",
                                            "spaces",    "worked",  "quiz",    "doctor"};
        for (const Scenario& scenario : all_scenarios()) names.push_back(scenario.info->id);
        throw UsageError(fmt::format("there is no command, scenario or file '{}'{}; see 'warplens --help'",
                                     id, did_you_mean(id, names)));
    }
    const DeviceChoice device{command.device.name.empty() ? std::string(kDefaultDevice) : command.device.name,
                              command.device.cpu};
    const Experiment experiment = make_experiment(command.choice, device);
    WindowOptions options = command.window;
    open_figure_recordings({options.recordings, false}, experiment.devices);  // mistakes show before a window
    if (is_link) options.link = id;
    if (!options.keep_state)
        options.state_path.clear();
    else if (options.state_path.empty())
        options.state_path = state_path();
    options.keep_device = !command.device.name.empty() || options.link.find("device=") != std::string::npos;
    return run_window(experiment.state, experiment.devices, options);
}

struct Runner {
    std::istream& input;
    std::ostream& out;

    int operator()(const HelpCommand& c) const { return print(c.text); }
    int operator()(const VersionCommand&) const { return print(version_line() + '\n'); }
    int operator()(const WindowCommand& c) const { return open_window(c); }
    int operator()(const ScenariosCommand& c) const { return done(run_scenarios, c); }
    int operator()(const ReportCommand& c) const { return done(run_report, c); }
    int operator()(const ExportCommand& c) const { return done(run_export, c); }
    int operator()(const GalleryCommand& c) const { return done(run_gallery, c); }
    int operator()(const MeasureCommand& c) const { return done(run_measure, c); }
    int operator()(const AgreeCommand& c) const { return done(run_agree, c); }
    int operator()(const MergeCommand& c) const { return done(run_merge, c); }
    int operator()(const DoctorCommand& c) const { return done(run_doctor, c); }
    int operator()(const SpacesCommand& c) const { return done(run_spaces, c); }
    int operator()(const WorkedCommand& c) const { return done(run_worked, c); }
    int operator()(const QuizCommand& c) const { return done(run_quiz, c); }
    int operator()(const AnalyzeCommand& c) const {
        run_analyze(c, input, out);
        return 0;
    }
    int operator()(const OccupancyCommand& c) const {
        run_occupancy(c, input, out);
        return 0;
    }
    int operator()(const ImportNcuCommand& c) const {
        run_import_ncu(c, input, out);
        return 0;
    }

private:
    int print(const std::string& text) const {
        out << text;
        return 0;
    }
    template <class C>
    int done(void (*run)(const C&, std::ostream&), const C& command) const {
        run(command, out);
        return 0;
    }
};

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, std::istream& input, std::ostream& out) {
    const int code = std::visit(Runner{input, out}, parse_command_line(arguments));
    // A full disk behind standard output must not look like success.
    if (!out.flush()) throw Failure("cannot write to standard output");
    return code;
}

}  // namespace warplens
