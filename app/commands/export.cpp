#include "app/commands/export.h"

#include "app/commands/figure_data.h"
#include "app/commands/figure_writer.h"
#include "app/commands/output.h"
#include "app/commands/settings.h"
#include "app/commands/steps.h"
#include "app/errors.h"
#include "app/export/apng.h"
#include "app/export/pdf.h"
#include "app/heatmap_cells.h"
#include "app/options_export.h"

#include <fmt/format.h>

#include <cmath>
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

/// What the knobs of the figure itself say about the state.
void apply_figure_options(State& state, const FigureOptions& figure) {
    if (!figure.axis.empty()) state.axis = &require_axis(*state.scenario, figure.axis);
    if (figure.view == View::heatmap) choose_second_axis(state, figure.second_axis);
    state.color_by = figure.color_by;
    state.only_wavefront = figure.wavefront;
    state.log_axes = state.log_axes || figure.log_axes;
    state.cold = state.cold || figure.cold;
}

std::string size_text(const FigurePlan& plan, FigureFormat format) {
    const FigureOptions& options = plan.options();
    if (format == FigureFormat::csv || format == FigureFormat::json)
        return fmt::format("{} numbers", figure_rows(plan).size());
    const float scale = format == FigureFormat::png ? options.scale : 1.0f;
    return fmt::format("{} x {} {}", std::lround(static_cast<float>(options.width) * scale),
                       std::lround(static_cast<float>(options.height) * scale),
                       format == FigureFormat::png ? "pixels" : "points of 1/96 inch");
}

/// "figure.png" -> "figure-07.png"
std::string numbered(const std::string& path, std::size_t step, std::size_t steps) {
    const std::filesystem::path whole(path);
    const std::string number = fmt::format("{:0{}}", step + 1, fmt::formatted_size("{}", steps));
    return (whole.parent_path() /
            fmt::format("{}-{}{}", whole.stem().string(), number, whole.extension().string()))
        .string();
}

FigureMetadata metadata_of_steps(const ExportCommand& command, const State& start, const FigurePlan& plan) {
    FigureMetadata all = plan.metadata(command.output_path);
    all.command = export_command_line(start, plan.device(), command.figure, command.output_path) +
                  fmt::format(" --steps --seconds {}", command.seconds);
    if (command.step_by != StepBy::any)
        all.command += command.step_by == StepBy::step ? " --step-by step" : " --step-by wavefront";
    return all;
}

/// One numbered PNG for each step, and all of them as an animated one.
void export_steps(const ExportCommand& command, const Experiment& experiment, const Recordings& recordings,
                  std::ostream& out) {
    State start = experiment.state;
    start.board = board_of(command.figure.view);
    const std::vector<State> steps = steps_of(start, experiment.devices, command.step_by);
    const std::string& path = command.output_path;
    FigureWriter writer(command.device.cpu);
    std::vector<std::string> frames;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const FigurePlan plan(steps[i], experiment.devices, command.figure, recordings);
        const Image image = writer.draw(plan);
        const std::string name = numbered(path, i, steps.size());
        frames.push_back(figure_to_png(image, plan.metadata(name), command.figure));
        write_output(name, frames.back());
        out << name << '\n';
        // The animation says of itself, in its first frame, how all of it is made.
        if (i == 0)
            frames.back() = figure_to_png(image, metadata_of_steps(command, start, plan), command.figure);
    }
    write_output(path, join_apng(frames, command.seconds));
    out << fmt::format("{}: {} steps, animated\n", path, steps.size());
}

}  // namespace

void run_export(const ExportCommand& command, std::ostream& out) {
    const FigureFormat format = format_of(command.figure, command.output_path);
    Experiment experiment = make_experiment(command.choice, command.device);
    State& state = experiment.state;
    apply_figure_options(state, command.figure);
    instructions_of_view(state, command.figure);  // mistakes show before a GPU is started
    if (format == FigureFormat::pdf && pdf_unavailable())
        throw UsageError(
            fmt::format("cannot write '{}': {}", command.output_path, pdf_unavailable()->reason));
    const Recordings recordings = open_figure_recordings(command.figure.recordings, experiment.devices);
    check_output(command.output_path);
    if (command.steps) return export_steps(command, experiment, recordings, out);
    const FigurePlan plan(state, experiment.devices, command.figure, recordings);
    FigureWriter writer(command.device.cpu);
    write_output(command.output_path, writer.write(plan, format, command.output_path));
    out << fmt::format("{}: {}\n", command.output_path, size_text(plan, format));
}

}  // namespace warplens
