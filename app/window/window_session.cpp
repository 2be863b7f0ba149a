#include "app/window/window_session.h"

#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/gl/gl_check.h"
#include "app/learn/lessons.h"
#include "app/model/access/counts.h"
#include "app/model/time/bank_loop.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/figure_buttons.h"
#include "app/panels/numbers.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace warplens {
namespace {

/// Of many instructions the one that costs the most against its ideal; the first of equals.
int costliest_instruction(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    int costliest = 0;
    double most = 0;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const CostWords cost = cost_of(scenario.instruction(params, k).space, device.sector_rules);
        const Totals totals = count_grid(scenario, params, k, device);
        const auto ideal = static_cast<double>(std::max<std::int64_t>(1, cost.ideal(totals)));
        const double ratio = static_cast<double>(cost.cost(totals)) / ideal;
        if (ratio <= most) continue;
        most = ratio;
        costliest = k;
    }
    return costliest;
}

/// Few instructions, or those of a copy through another memory, are shown side by side; of many, one.
int first_focus(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    constexpr int kMostSideBySide = 4;
    const int count = scenario.instruction_count(params);
    const auto space = [&](int k) { return scenario.instruction(params, k).space; };
    if (count == 1) return 0;
    if (count > kMostSideBySide) return costliest_instruction(scenario, params, device);
    return count > 2 || space(0) != space(1) ? -1 : 0;
}

}  // namespace

WindowSession::WindowSession(Window& window, const State& start, std::vector<DeviceFacts> devices,
                             const WindowOptions& options, MeasureBench bench)
    : window_(window),
      devices_(std::move(devices)),
      state_(start),
      history_(start),
      cpu_(options.cpu),
      keep_device_(options.keep_device),
      list_shipped_(options.shipped_recordings),
      trace_(std::make_unique<TraceBuffer>(TraceMode::model)),
      image_(std::make_unique<ImageTexture>(TraceMode::model)),
      bench_(std::move(bench)) {
    set_bank_mode(devices_, state_.bank_mode);
    view_.look = options.look;
    view_.space = home_space(*start.scenario);
    view_.focus = first_focus(*state_.scenario, state_.params, devices_[state_.device]);
    window_.set_theme(theme(view_.look));
    window_.set_user_scale(options.scale);
    if (options.cpu) gpu_ = Unavailable{"Started with --cpu: no GPU is used."};
    if (const char* path = std::getenv("WARPLENS_UI_TRACE")) ui_trace_path_ = path;
    for (const std::string& path : options.recordings) open_recording(path);
    view_.tour = options.tour - 1;
    for (const std::string& path : options.files) open_file(path);
    linked_ = !options.link.empty();
    if (linked_) follow(options.link);
    history_ = History(state_);
}

void WindowSession::show_frame() {
    fetch_results();
    if (!shipped_loaded_ && window_.frames_drawn() > 0) load_shipped_recordings();
    for (const std::string& path : window_.dropped()) open_file(path);
    continue_loading();
    read_keys();
    show_toured_part();
    fit_projector();
    continue_board();
    if (changed_) recompute();  // the panels need evidence from the first frame on
    check_goal();
    continue_heatmap();
    say(figures_.advance(figure_desk()));
    Actions actions;
    const ImGuiIO& io = ImGui::GetIO();
    size_ = {io.DisplaySize.x, io.DisplaySize.y};
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("Warplens", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(3);
    show_columns(actions);
    ImGui::End();
    const Frame frame = make_frame();
    show_help(style(), view_, actions);
    show_export_dialog(style(), figures_.dialog(), view_, actions);
    show_message_list(style(), messages_, view_);
    show_tour(style(), view_, actions);
    if (!ui_trace_path_.empty()) write_ui_trace(frame);
    if (actions.hover != action::Hover{view_.hovered_lane, view_.hovered_instruction})
        apply(*this, actions.hover);
    for (const Action& one : actions.all) apply(*this, one);
    window_.set_theme(theme(view_.look));
    if (actions.redraw_within) window_.wake_within(*actions.redraw_within);
    record_step();
    if (const std::string errors = take_gl_errors(); !errors.empty())
        complain(
            fmt::format("OpenGL reports {}: parts of the window may be missing; 'warplens doctor' says what "
                        "draws it",
                        errors));
}

/// A folded window shows what the tour speaks of.
void WindowSession::show_toured_part() {
    if (view_.tour < 0) return;
    const TourCard& card = tour_cards()[static_cast<std::size_t>(view_.tour)];
    view_.projector = view_.help = view_.messages = false;
    view_.section = card.section;
    if (card.section == Section::set || card.section == Section::numbers || card.section == Section::words)
        view_.side = card.section;
    view_.plot_alone = card.section == Section::plot;
    if (card.tab >= 0) view_.tab = card.tab;
}

/// What a person has finished doing is a step that can be taken back: a drag is one step, not a hundred.
void WindowSession::record_step() {
    if (!ImGui::IsAnyItemActive()) history_.record(state_);
}

/// Go to a state that was left before, or stay.
void WindowSession::restore(const std::optional<State>& there) {
    if (!there) return;
    if (there->scenario != state_.scenario)
        view_.focus = first_focus(*there->scenario, there->params, devices_[there->device]);
    state_ = *there;
    if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
    state_changed();
}

void WindowSession::turn_knobs(const Scenario& scenario, const Params& params) {
    if (&scenario != state_.scenario) go_to(scenario);
    state_.params = params;
    state_changed();
}

void WindowSession::fetch_results() {
    if (!worker_ && !gpu_ && window_.frames_drawn() > 0) {  // the first frame has the processor to itself
        worker_ = std::make_unique<MeasureWorker>([&window = window_] { window.wake(); }, bench_);
    }
    if (!worker_) return;
    if (!gpu_) {
        gpu_ = worker_->gpu();
        if (gpu_ && std::holds_alternative<GpuInfo>(*gpu_)) meet_gpu(std::get<GpuInfo>(*gpu_));
        if (gpu_) state_changed();
    }
    const std::vector<MeasureResult> results = worker_->take_results();
    for (const MeasureResult& result : results) {
        const auto* timing = std::get_if<Timing>(&result.outcome);
        (timing != nullptr && timing->cold ? cold_ : warm_).add(result);
    }
    const std::optional<CountResult> counts = worker_->take_counts();
    if (counts) warm_.add(*counts);
    if (!results.empty() || counts) refresh_points();
}

bool WindowSession::shows_counters() const {
    const CountResult* counts = warm_.find_counts(*state_.scenario, state_.params);
    return counts != nullptr && std::holds_alternative<CounterReading>(counts->outcome);
}

/// Counters of the present setting; empty: they are known, or there is nothing to compare them with.
std::optional<CountJob> WindowSession::count_job() const {
    if (warm_.find_counts(*state_.scenario, state_.params) != nullptr) return std::nullopt;
    std::vector<std::string> metrics = metrics_of(evidence_.expected, CounterSet::first);
    if (metrics.empty()) return std::nullopt;
    return CountJob{{std::string(state_.scenario->info->id), state_.params},
                    std::move(metrics),
                    metrics_of(evidence_.expected, CounterSet::later)};
}

void WindowSession::meet_gpu(const GpuInfo& gpu) {
    here_ = add_gpu_here(devices_, gpu);
    evidence_store_.clear();
    if (!keep_device_) {
        const auto move_here = [this](State& state) {
            if (state.compared && state.compared->device == state.device) state.compared->device = here_;
            state.device = here_;
        };
        move_here(state_);
        for (auto& [scenario, state] : remembered_) move_here(state);
        history_.change_all(move_here);
    }
    // Only now: CUDA is up, on the worker's thread, so that this does not wait half a second for it.
    trace_ = std::make_unique<TraceBuffer>(TraceMode::interop);
    image_ = std::make_unique<ImageTexture>(TraceMode::interop);
    say("found " + gpu.name);
    if (!trace_->why().empty()) say(trace_->why());
}

void WindowSession::go_to(const Scenario& scenario) {
    const State before = state_;
    const auto found = remembered_.find(&scenario);
    state_ = found != remembered_.end() ? found->second : initial_state(scenario, before.device);
    state_.device = before.device;
    state_.bank_mode = before.bank_mode;
    state_.board = before.board->about_scenario ? before.board : first_board();
    state_.boards = before.boards;
    state_.compared = before.compared;  // another scenario can be the other side
    view_.focus = first_focus(scenario, state_.params, devices_[state_.device]);
    state_changed();
}

void WindowSession::follow(const std::string& link) {
    try {
        const Place place = follow_link(link, state_, devices_);
        go_to_place(place);
        turn_to(place.tab ? Section::words : Section::picture);
    } catch (const UsageError& error) {
        complain(error.what());
    }
}

void WindowSession::go_to_place(const Place& place) {
    if (place.state.scenario != state_.scenario)
        view_.focus = first_focus(*place.state.scenario, place.state.params, devices_[place.state.device]);
    keep_device_ = keep_device_ || place.state.device != state_.device;
    state_ = place.state;
    if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
    if (place.instruction) view_.focus = *place.instruction;
    if (place.scope) view_.scope = *place.scope;
    if (place.tab) view_.reading = *place.tab >= 3;
    if (place.tab) view_.reading_code = *place.tab == 4;
    if (place.tab) view_.tab = view_.reading ? 0 : *place.tab;
    state_changed();
}

void WindowSession::state_changed() {
    set_bank_mode(devices_, state_.bank_mode);
    changed_ = true;
    view_.claim.clear();
    window_.keep_awake(2);
}

void WindowSession::recompute() {
    const auto start = std::chrono::steady_clock::now();
    const int count = state_.scenario->instruction_count(state_.params);
    if (view_.focus >= count)
        view_.focus = first_focus(*state_.scenario, state_.params, devices_[state_.device]);
    evidence_ = *evidence_store_.of(state_, devices_);
    curve_ = model_curve(state_, devices_, evidence_.prediction);
    recompute_other();
    step_wavefront(0);  // fewer wavefronts than before: the player goes back into range
    trace_->update(evidence_.trace_request, evidence_.trace);
    if (has_image()) image_->update(state_.params);
    if (has_heatmap()) heatmap_.set(state_, devices_[state_.device]);
    continue_heatmap();
    submit_jobs(false);
    remembered_[state_.scenario] = state_;
    remembered_[state_.scenario].compared.reset();
    refresh_points();
    changed_ = false;
    compute_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Bring what is measured up to date: after new results, and after a change. The device of a measurement is
/// the GPU that is here, whichever one the model shows.
void WindowSession::refresh_points() {
    ++pictures_.generation;
    evidence_ = with_observed(std::move(evidence_), observed(state_));
    if (a_) a_->evidence = with_observed(std::move(a_->evidence), observed(a_->state));
    Curve& curve = curve_;
    const auto* gpu = gpu_ ? std::get_if<GpuInfo>(&*gpu_) : nullptr;
    curve.no_measurement = gpu_ && gpu == nullptr ? "not measured: no GPU here" : "";
    refresh_plot();
    curve.series.clear();
    if (gpu != nullptr) add_measured_points(*gpu);
    if (curve.knob == nullptr) return;
    for (MeasuredSeries& series :
         recordings_.series(*state_.scenario, state_.params, *curve.knob, recording_view()))
        curve.series.push_back(std::move(series));
}

/// What is known of a setting from the GPU that is here, and from the recordings that are shown.
Observed WindowSession::observed(const Setting& setting) const {
    const Scenario& scenario = *setting.scenario;
    RecordingView view = recording_view();
    view.device = setting.device;
    Observed result{.recorded = recordings_.find(scenario, setting.params, view)};
    if (const CountResult* counted = warm_.find_counts(scenario, setting.params)) result.counted = *counted;
    const auto* outcome = (setting.cold ? cold_ : warm_).find(scenario, setting.params);
    if (outcome == nullptr) return result;
    if (const auto* timing = std::get_if<Timing>(outcome))
        result.measured =
            Observation{*timing, measured_point(scenario, setting.params, *timing, devices_[here_]),
                        "Measured on " + timing->gpu, Provenance::measured};
    else
        result.not_measured = std::get<Unavailable>(*outcome).reason;
    return result;
}

void WindowSession::add_measured_points(const GpuInfo& gpu) {
    Curve& curve = curve_;
    const DeviceFacts& here = devices_[here_];
    if (curve.knob == nullptr) return;
    MeasuredSeries series{Provenance::measured, gpu.name + ", here", 0,
                          measured().points(*state_.scenario, state_.params, *curve.knob, here),
                          state_.device == here_};
    if (!series.points.empty()) curve.series.push_back(std::move(series));
}

PanelStyle WindowSession::style() const {
    return {theme(view_.look), window_.fonts(), window_.painter(), window_.scale()};
}

Frame WindowSession::make_frame() {
    Frame frame;
    frame.state = &state_;
    frame.evidence = &evidence_;
    frame.devices = &devices_;
    frame.can_undo = history_.can_undo();
    frame.can_redo = history_.can_redo();
    if (gpu_ && std::holds_alternative<GpuInfo>(*gpu_)) frame.gpu = std::get<GpuInfo>(*gpu_).name;
    if (gpu_ && std::holds_alternative<Unavailable>(*gpu_))
        frame.no_gpu = std::get<Unavailable>(*gpu_).reason;
    frame.jobs_waiting = worker_ ? worker_->waiting() : 0;
    if (worker_) frame.progress = worker_->progress();
    frame.sweep_stopped = sweep_stopped_;
    frame.playing = step_player_.playing();
    frame.has_fit = has_bank_loop(*state_.scenario, state_.params);
    if (state_.fit && frame.has_fit) frame.fit = &fit_;
    if (has_heatmap()) frame.heatmap = &heatmap_.heatmap();
    const TraceMode drawing = has_image() ? image_->mode() : trace_->mode();
    frame.drawing = drawing == TraceMode::interop ? "CUDA-OpenGL interop"
                    : drawing == TraceMode::copy  ? "copy through the host"
                    : has_image()                 ? "image drawn by the CPU model"
                                                  : "cells filled by the CPU model";
    frame.drawing_why = has_image() ? image_->why() : trace_->why();
    frame.renderer = window_.info().renderer;
    frame.message = messages_.last().text;
    frame.messages = &messages_;
    frame.mode = mode();
    frame.reset_knob = reset_knob_;
    frame.full_screen = window_.is_full_screen();
    if (loading_)
        frame.busy = "reading " + std::filesystem::path(loading_->path).filename().string();
    else if (figures_.copying())
        frame.busy = "copying the picture";
    frame.recordings = &recordings_;
    frame.recent = &recent_;
    frame.recording_view = recording_view();
    frame.recording_message = recording_message_;
    frame.compute_ms = compute_ms_;
    frame.trace_texture = trace_->gl_texture();
    frame.image_texture = image_->gl_texture();
    put_learning_into(frame);
    put_board_into_words(frame);
    frame.exporting = figures_.dialog();
    frame.other = other_frame(frame);
    return frame;
}

/// Numbers and sentence of the board: anew when the state or what is known of it changed, not in every frame.
void WindowSession::put_board_into_words(Frame& frame) {
    const std::pair now{state_, pictures_.generation};
    if (board_words_of_ != now) {
        const BoardInput input = board_input(frame);
        board_words_ = {board_numbers(input), explain_board(input)};
        board_words_of_ = now;
    }
    frame.board_words = &board_words_;
}

/// Another setting, or another look at it; a scenario comes with its own knobs.
void WindowSession::change(State to) {
    if (to.scenario != state_.scenario) return go_to(*to.scenario);
    if (to.second_axis == to.axis) to.second_axis = nullptr;
    keep_device_ = keep_device_ || to.device != state_.device;
    clamp_board(to.boards);
    State only_look = to;  // what needs no new analysis
    only_look.board = state_.board;
    only_look.color_by = state_.color_by;
    only_look.only_wavefront = state_.only_wavefront;
    follow_players(only_look.boards, state_.boards);
    const bool look = only_look == state_;
    state_ = to;
    if (look)
        look_changed();
    else
        state_changed();
}

void WindowSession::look_changed() {
    ++pictures_.generation;
    window_.keep_awake(2);
}

}  // namespace warplens
