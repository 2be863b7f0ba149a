#include "app/commands/export.h"

#include "app/commands/output.h"
#include "app/commands/render.h"
#include "app/commands/settings.h"
#include "app/errors.h"
#include "app/heatmap_cells.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {

namespace {

void choose_second_axis(State& state, const std::string& key) {
    const Scenario& scenario = *state.scenario;
    state.second_axis = key.empty() ? usual_second_axis(scenario, state.axis) : &require_axis(scenario, key);
    if (state.axis == nullptr || state.second_axis == nullptr)
        throw UsageError(
            fmt::format("--view heatmap: {} has fewer than two knobs for axes", scenario.info->id));
    if (state.axis == state.second_axis) {
        throw UsageError(
            fmt::format("--second-axis {}: it is the first axis already; name another one with "
                        "--axis or --second-axis",
                        state.axis->key));
    }
}

}  // namespace

void run_export(const ExportCommand& command, std::ostream& out) {
    Experiment experiment = make_experiment(command.choice, command.device);
    State& state = experiment.state;
    if (!command.figure.axis.empty()) state.axis = &require_axis(*state.scenario, command.figure.axis);
    if (command.figure.view == View::heatmap) choose_second_axis(state, command.figure.second_axis);
    instructions_of_view(state, command.figure);  // mistakes show before a GPU is started
    if (!std::filesystem::path(command.output_path).extension().empty() &&
        std::filesystem::path(command.output_path).extension() != ".png") {
        throw UsageError(fmt::format(
            "cannot write '{}': figures are PNG files, so the name should end in .png", command.output_path));
    }
    const Recordings recordings = open_figure_recordings(command.figure.recordings, experiment.devices);
    check_output(command.output_path);
    FigureRenderer renderer(command.device.cpu, command.figure.scale);
    const Image image = renderer.render(state, experiment.devices, command.figure, recordings);
    write_output(command.output_path, figure_to_png(image, state, experiment.device(), command.figure));
    out << fmt::format("{}: {} x {} pixels\n", command.output_path, image.width, image.height);
}

}  // namespace warplens
