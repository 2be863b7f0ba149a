#include "app/figures/export_job.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/experiment/link.h"
#include "app/figures/figure_command.h"
#include "app/figures/figure_data.h"
#include "app/figures/formats/pdf.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

namespace warplens {

namespace {

constexpr int kMostSteps = 256;

template <class Set>
std::vector<State> play(const State& state, int first, int last, Set set) {
    if (last - first >= kMostSteps)
        throw UsageError(fmt::format("--steps: {} has {} of them as it is set, and at most {} are drawn",
                                     state.scenario->info->id, last - first + 1, kMostSteps));
    std::vector<State> states;
    for (int value = first; value <= last; ++value) {
        State& one = states.emplace_back(state);
        set(one, value);
    }
    return states;
}

int most_wavefronts(const State& state, const std::vector<DeviceFacts>& devices) {
    int most = 0;
    for (const BankReport& banks : gather_evidence(state, devices).banks)
        most = std::max(most, banks.count.wavefronts);
    return most;
}

int most_played_steps(const State& state, const std::vector<DeviceFacts>& devices) {
    const Evidence evidence = gather_evidence(state, devices);
    int most = 0;
    for (int k = 0; k < int(evidence.report.instructions.size()); ++k)
        most = std::max(most, played_steps(view_of(evidence, k)).count);
    return most;
}

constexpr double kFrameSeconds = 0.08;  // GIF has hundredths of a second
constexpr int kMostFrames = 1000;
constexpr double kBoardStepSeconds = 0.7;

/// Steps of a board with the pictures between them.
/// @param seconds  that a step takes: first the way to it, then its rest
std::vector<AnimatedState> gliding_frames(const std::vector<State>& steps, double seconds) {
    constexpr int kWay = 4;  // pictures on the way
    if (int(steps.size()) * (kWay + 1) > kMostFrames)
        throw UsageError(
            fmt::format("--play: {} steps are more than the {} that can be drawn gliding: write them "
                        "with --steps",
                        steps.size(), kMostFrames / (kWay + 1)));
    const double way = std::min(PictureMotion::kSeconds, seconds / 2) / kWay;
    std::vector<AnimatedState> frames;
    for (const State& step : steps) {
        const bool first = frames.empty();
        for (int i = 1; i <= kWay && !first; ++i) {
            frames.push_back({step, way});
            frames.back().state.player_percent = 100 * i / (kWay + 1);
        }
        frames.push_back({step, first ? seconds : seconds - kWay * way});
    }
    return frames;
}

/// A heatmap gets a second axis even if none was named.
void choose_second_axis(State& state) {
    const Scenario& scenario = *state.scenario;
    if (state.second_axis == nullptr) state.second_axis = usual_second_axis(scenario, state.axis);
    if (state.axis == nullptr || state.second_axis == nullptr)
        throw UsageError(
            fmt::format("--view heatmap: {} has fewer than two parameters for axes", scenario.info->id));
    if (state.axis == state.second_axis) {
        throw UsageError(
            fmt::format("--second-axis {}: it is the first axis already; name another one with "
                        "--axis or --second-axis",
                        state.axis->key));
    }
}

/// The state with what the figure's view requires.
void show_view(State& state, const FigureOptions& figure) {
    const State usual = usual_state_of_view(*state.scenario, state.device, figure);
    state.board = usual.board;
    state.fit = state.fit || usual.fit;
    state.bits = state.bits || usual.bits;
    if (figure.view == FigureView::heatmap) choose_second_axis(state);
}

/// "figure.png" -> "figure-07.png"
std::string numbered(const std::string& path, std::size_t step, std::size_t steps) {
    const std::filesystem::path whole(path);
    const std::string number = fmt::format("{:0{}}", step + 1, fmt::formatted_size("{}", steps));
    return (whole.parent_path() /
            fmt::format("{}-{}{}", whole.stem().string(), number, whole.extension().string()))
        .string();
}

}  // namespace

Experiment make_export_experiment(const ExportRequest& command) {
    Experiment experiment = make_experiment(command.choice, command.device);
    State& state = experiment.state;
    const FigureOptions& figure = command.figure;
    show_view(state, figure);
    const State a = state;
    if (!figure.compare.empty()) {
        state = compared_state(figure.compare, a, experiment.devices);
        state.compared = a;
    }
    // One side may have fewer instructions. This is checked now, before a GPU is started.
    const bool a_has_it = figure.instruction < a.scenario->instruction_count(a.params);
    instructions_of_view(a_has_it ? a : state, figure);
    set_bank_mode(experiment.devices, state.bank_mode);
    return experiment;
}

ExportJob::ExportJob(ExportRequest command, Experiment experiment, Recordings recordings)
    : command_(std::move(command)),
      format_(format_of(command_.figure, command_.output_path)),
      experiment_(std::make_unique<const Experiment>(std::move(experiment))),
      recordings_(std::make_unique<const Recordings>(std::move(recordings))) {
    const State& state = experiment_->state;
    if (command_.play) {
        states_ = played_frames(state, experiment_->devices, command_.seconds);
    } else if (command_.steps) {
        for (const State& step : steps_of(state, experiment_->devices, command_.step_by))
            states_.push_back({step, command_.seconds.value_or(1)});
    } else {
        states_.push_back({state});
    }
    if (format_ == FigureFormat::gif && gif_unavailable())
        throw UsageError(
            fmt::format("cannot write '{}': {}", command_.output_path, gif_unavailable()->reason));
    if (format_ == FigureFormat::pdf && pdf_unavailable())
        throw UsageError(
            fmt::format("cannot write '{}': {}", command_.output_path, pdf_unavailable()->reason));
}

ExportJob::ExportJob(RequestFigure request, ExportRequest command, Experiment experiment)
    : ExportJob(std::move(command), std::move(experiment), {}) {
    request_ = std::make_unique<const RequestFigure>(std::move(request));
}

ExportJob::~ExportJob() = default;
ExportJob::ExportJob(ExportJob&&) noexcept = default;

std::string ExportJob::name_of(std::size_t figure) const {
    if (!command_.steps) return command_.output_path;
    const std::string still = std::filesystem::path(command_.output_path).replace_extension("png").string();
    return numbered(format_ == FigureFormat::gif ? still : command_.output_path, figure, figures());
}

std::string ExportJob::size_text(const FigurePlan& plan) const {
    if (format_ == FigureFormat::csv || format_ == FigureFormat::json)
        return fmt::format("{} numbers", figure_rows(plan).size());
    const FigureOptions& options = plan.options();
    const float scale = format_ == FigureFormat::png ? options.scale : 1.0f;
    return fmt::format("{} x {} {}", std::lround(float(options.width) * scale),
                       std::lround(float(options.height) * scale),
                       format_ == FigureFormat::png ? "pixels" : "points of 1/96 inch");
}

FigureMetadata ExportJob::metadata_of_animation(const FigurePlan& first) const {
    FigureMetadata all = first.metadata(command_.output_path);
    all.command =
        export_command_line(experiment_->state, experiment_->devices, command_.figure, command_.output_path) +
        (command_.play ? " --play" : " --steps");
    if (command_.seconds) all.command += fmt::format(" --seconds {}", *command_.seconds);
    if (command_.step_by != StepBy::any)
        all.command += command_.step_by == StepBy::step ? " --step-by step" : " --step-by wavefront";
    return all;
}

void ExportJob::begin(FigureWriter& writer) {
    const State& state = states_[done_].state;
    if (request_)
        plan_ = std::make_unique<FigurePlan>(*request_, state, experiment_->devices, command_.figure);
    else
        plan_ = std::make_unique<FigurePlan>(state, experiment_->devices, command_.figure, *recordings_);
    if (has_pixels()) writer.begin(*plan_);
}

float ExportJob::draw_piece(FigureWriter& writer, bool wait) {
    return has_pixels() ? writer.draw_piece(wait) : 1;
}

/// Packs a drawn figure: as a file of its own, as a frame of an animation, or as both.
struct ExportJob::PixelWork : Slow<Made> {
    PixelWork(ExportJob& of, Image drawn) : job(of), image(std::move(drawn)) {
        const bool first = job.done_ == 0, gif = job.format_ == FigureFormat::gif;
        const std::string name = job.name_of(job.done_);
        // An animation that glides is one file: nobody wants its frames between two steps.
        if (!job.command_.play || (!gif && !first))
            packs.emplace_back(&Made::file, job.plan_->metadata(name));
        // The first frame contains the command that makes the whole animation.
        if (!gif && job.command_.steps && first)
            packs.emplace_back(&Made::frame, job.metadata_of_animation(*job.plan_));
        if (gif && first)
            job.gif_ = std::make_unique<GifWriter>(job.metadata_of_animation(*job.plan_).command);
    }
    bool step() override {
        if (packed < packs.size()) {
            if (!packer) packer = figure_packer(image, packs[packed].second, job.command_.figure);
            const bool more = packer->step();
            far = (double(packed) + packer->how_far()) / double(packs.size());
            if (more) return true;
            made.*packs[packed++].first = packer->take();
            packer.reset();
            return true;
        }
        if (job.gif_ && !std::exchange(in_gif, true)) job.gif_->begin(image, job.states_[job.done_].seconds);
        if (job.gif_ && job.gif_->step()) return true;
        result = std::move(made);
        return false;
    }
    double how_far() const override { return far; }

    ExportJob& job;
    const Image image;
    std::vector<std::pair<std::string Made::*, FigureMetadata>> packs;
    std::size_t packed = 0;
    bool in_gif = false;
    std::optional<PngPacker> packer;
    std::atomic<double> far = 0;
    Made made;
};

Work<ExportJob::Made> ExportJob::rest(FigureWriter& writer) {
    if (has_pixels()) return std::make_unique<PixelWork>(*this, writer.take());
    return in_one_piece<Made>([this, &writer, name = name_of(done_)](const std::stop_token&) {
        return std::optional(Made{writer.write(*plan_, format_, name), {}});
    });
}

void ExportJob::take(Made made) {
    std::string line = command_.steps ? name_of(done_) : fmt::format("{}: {}", path(), size_text(*plan_));
    if (command_.steps && !gif_)
        frames_.push_back({made.frame.empty() ? made.file : std::move(made.frame), states_[done_].seconds});
    if (!command_.play) files_.push_back({name_of(done_), std::move(made.file), std::move(line)});
    if (++done_ < figures() || !command_.steps) return;
    files_.push_back(
        {path(), gif_ ? gif_->take() : join_apng(frames_),
         fmt::format("{}: {} {}, animated", path(), figures(), command_.play ? "frames" : "steps")});
    frames_.clear();
}

std::vector<std::string> ExportJob::write() const {
    std::vector<std::string> lines;
    for (const File& file : files_) {
        write_output(file.path, file.bytes);
        lines.push_back(file.line);
    }
    return lines;
}

bool can_play(const State& state, const std::vector<DeviceFacts>& devices) {
    if (state.board->instructions) return most_played_steps(state, devices) > 0;
    return state.board->played_knob() != nullptr;
}

std::vector<AnimatedState> played_frames(const State& state, const std::vector<DeviceFacts>& devices,
                                         std::optional<double> seconds) {
    if (state.board->played_knob() != nullptr)
        return gliding_frames(steps_of(state, devices, StepBy::any), seconds.value_or(kBoardStepSeconds));
    const int steps = state.board->instructions ? most_played_steps(state, devices) : 0;
    if (steps == 0)
        throw UsageError(fmt::format("--play: {} has no wavefronts or sectors to play on the board '{}'",
                                     state.scenario->info->id, state.board->key));
    const double each = seconds.value_or(played_step_seconds(steps));
    const int frames = std::max(1, int(std::lround(each / kFrameSeconds)));
    if (steps * frames > kMostFrames)
        throw UsageError(fmt::format(
            "--play: {} steps of {} pictures are more than {}: shorten them with --seconds {:.2f}", steps,
            frames, kMostFrames, std::max(0.05, kFrameSeconds * kMostFrames / steps)));
    std::vector<AnimatedState> played;
    for (int i = 0; i < steps * frames; ++i) {
        played.push_back({state, each / frames});
        State& one = played.back().state;
        one.player_step = i / frames;
        one.player_percent = 100 * (i % frames) / frames;
    }
    return played;
}

std::vector<State> steps_of(const State& state, const std::vector<DeviceFacts>& devices, StepBy by) {
    const std::string_view id = state.scenario->info->id;
    if (const BoardKnob* knob = state.board->played_knob())
        return play(state, knob->min, board_limit(*knob, state.boards),
                    [knob](State& one, int value) { one.boards.set(*knob, value); });
    if (!state.board->instructions)
        throw UsageError(fmt::format("--steps: there are none on the board '{}'", state.board->key));
    const int wavefronts = most_wavefronts(state, devices);
    if (by != StepBy::step && wavefronts > 1)
        return play(state, 0, wavefronts - 1, [](State& one, int value) { one.player_step = value; });
    const Knob* knob = find_knob(*state.scenario, "step");
    const int last = knob == nullptr ? 0 : knob_limit(*knob, state.params);
    if (by != StepBy::wavefront && last > 0)
        return play(state, knob->min, last, [](State& one, int value) { one.params.step = value; });
    throw UsageError(fmt::format("--steps: {} has no {} as it is set", id,
                                 by == StepBy::wavefront ? "second wavefront"
                                 : by == StepBy::step    ? "second step"
                                                         : "second wavefront and no second step"));
}

}  // namespace warplens
