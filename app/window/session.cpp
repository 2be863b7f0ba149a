#include "app/window/session.h"

#include "app/base/errors.h"
#include "app/experiment/compare.h"
#include "app/experiment/devices.h"
#include "app/experiment/goal.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/model/time/bank_loop.h"
#include "app/window/action.h"
#include "app/window/apply_parts.h"
#include "app/window/frame.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <utility>

namespace warplens {
namespace {

constexpr double kRest = 0.12;  // [s]; the next change of a drag comes sooner

std::optional<Unavailable> why_none(const WindowOptions& options) {
    if (!options.cpu) return std::nullopt;
    return Unavailable{"Started with --cpu: no GPU is used."};
}

/// Sets the fields of a frame that depend on one side only. It refers to what is shown.
template <class Shown>
void show_side(Frame& frame, const Shown& shown, const SideTextures& textures) {
    frame.state = &shown.state;
    frame.evidence = shown.evidence.get();
    frame.devices = shown.devices.get();
    frame.curve = shown.curve.get();
    frame.board_words = shown.words.get();
    frame.trace_texture = textures.trace().gl_texture();
    frame.image_texture = textures.image().gl_texture();
}

}  // namespace

Session::Session(Host& window, const State& start, std::vector<DeviceFacts> devices,
                 const WindowOptions& options, MeasureBench bench)
    : host(window),
      past{.history = History(start)},
      measuring(std::move(bench), why_none(options)),
      store(options.wait || options.frames > 0 ? JobsRun::at_once : JobsRun::on_workers,
            [&window] { window.wake(); }),
      state_(start),
      table_(std::make_shared<const Devices>(std::move(devices))),
      cpu_(options.cpu),
      list_shipped_(options.shipped_recordings),
      may_move_(options.motion && options.frames == 0),
      counted_frames_(options.frames > 0),
      keeps_state_(options.keep_state),
      linked_(!options.link.empty()),
      textures_(TraceMode::model) {
    past.device_chosen = options.keep_device;
    view.look = options.look;
    view.space = home_space(*start.scenario);
    view.focus = first_focus(start, device());
    view.tour = options.tour - 1;
    host.set_user_scale(options.scale);
    for (const std::string& path : options.recordings) files.shelf.read(path);
    for (const std::string& path : options.files) files.shelf.read(path);
    if (linked_) follow(*this, options.link);
    past.history = History(state_);
}

void Session::advance() {
    view.reset_knob = false;
    if (std::exchange(focused_, nullptr) == view.focus_knob) view.focus_knob = nullptr;  // it was shown
    frame_.reset();
    if (store.advance()) host.keep_awake(2);
    if (started_) measuring.start([&window = host] { window.wake(); });  // the first frame has the CPU
    const Measuring::News news = measuring.fetch();
    if (news.gpu && measuring.gpu() != nullptr) meet_gpu(*measuring.gpu());
    if (started_ && std::exchange(list_shipped_, false)) files.shelf.read_shipped();
    follow_shelf();
    follow_requests();
    follow_counters();
    follow_tour();
    follow_typing();
    follow_run();
    follow_quiz();
    continue_player();
    frame();
    follow_rest();
    check_goal();
    say(figures.advance(figure_desk(), store));
    started_ = true;
}

/// Opens what was read since the last frame.
void Session::follow_shelf() {
    for (RecordingShelf::Outcome& outcome : files.shelf.advance(store, devices())) {
        try {
            if (outcome.found) open_found(*this, outcome.path, *outcome.found);
        } catch (const UsageError& why) {
            outcome = {outcome.path,
                       fmt::format("cannot open '{}': {}", printable(outcome.path), why.what()),
                       false,
                       {}};
            files.shelf.message = outcome.message;
        }
        outcome.opened ? say(outcome.message) : complain(outcome.message);
        if (outcome.opened && view.recording_path == outcome.path) view.recording_path.clear();
        host.keep_awake(2);
    }
}

/// While knobs are being turned the GPU reads counters, and CUDA calls of this thread would wait for that: so
/// the model fills the heat cells at once, and the kernel fills them when nothing has changed for a moment.
/// Nor does anybody read then what would fix a setting that is gone again in a moment.
void Session::follow_rest() {
    const Measured now{
        state_, state_.axis, state_.second_axis,
        measuring.gpu() != nullptr && state_.scenario->typed == nullptr && !measuring.run.running()};
    if (now != measured_) {
        if (now.setting != measured_.setting) {
            changed_at_ = host.now();
            rested_ = counted_frames_;
        }
        measured_ = now;
        measure(false);
    }
    if (rested_) return;
    if (const double left = changed_at_ + kRest - host.now(); left > 0) return host.wake_within(left);
    rested_ = true;
    frame_.reset();
    const std::string before = textures_.trace().why();
    textures_.fill_by_kernel();
    if (textures_a_) textures_a_->fill_by_kernel();
    if (textures_.trace().why() != before) say(textures_.trace().why());
}

/// Shows the kernel that is being typed as soon as its text is understood.
void Session::follow_typing() {
    if (const Scenario* scenario = typing.advance(store, host.now())) {
        const int focus = view.focus;
        const int count = state_.scenario->instruction_count(state_.params);
        const bool typed_before = state_.scenario->typed != nullptr;
        set_state(*this, state_after_typing(*scenario, state_));
        if (typed_before && scenario->instruction_count(state_.params) == count) view.focus = focus;
        view.editing = true;
        record_step();
        host.keep_awake(2);
    }
    if (const auto due = typing.due_in(host.now())) host.wake_within(*due);
    typing.follow(*state_.scenario);
    if (state_.scenario->typed == nullptr && !typing.reading() && !typing.problem()) view.editing = false;
}

/// Shows what a launch of the typed kernel has shown.
void Session::follow_run() {
    const auto ended = measuring.run.advance(store);
    if (!ended) return;
    const auto& [job, outcome] = *ended;
    measuring.add(*job.scenario, job.params, job.cold, outcome.time, outcome.counts);
    if (const auto* why = std::get_if<Unavailable>(&outcome.time)) complain("not launched: " + why->reason);
    if (const auto* timing = std::get_if<Timing>(&outcome.time); timing != nullptr && outcome.kernel)
        keep_compiled(*job.scenario, job.params, *outcome.kernel, timing->gpu);
    host.keep_awake(2);
}

/// Begins a quiz as soon as it was made. Of a kernel that is not shown any more nobody wants one.
void Session::follow_quiz() {
    const QuizKey* wanted = learning.wanted_quiz();
    if (wanted == nullptr) return;
    if (wanted->kernel() != nullptr && wanted->kernel() != state_.scenario) return learning.give_up_quiz();
    const Answer<Quiz> answer = store.get(*wanted);
    if (is_pending(answer)) return;
    host.keep_awake(2);
    if (const Ready<Quiz> quiz = known_of(answer)) return begin_quiz(*this, *quiz);
    learning.give_up_quiz();
    say(std::get<Unavailable>(answer).reason);
}

/// Shows a file once it has been read, and says what has become of it.
void Session::follow_file(const std::optional<FileOutcome>& outcome, bool counted, const std::string& busy) {
    if (outcome) {
        if (outcome->opened && !outcome->again) {
            view.requests = true;
            view.counters = counted;
            view.start_page = false;
        }
        if (!outcome->opened)
            complain(outcome->message);
        else if (!outcome->again)
            say(outcome->message);
        host.keep_awake(2);
    }
    constexpr double kProgress = 0.25;  // [s]
    if (!busy.empty()) host.wake_within(kProgress);
}

/// Requests are counted again for another device.
void Session::follow_requests() {
    files.requests.count_for(device());
    const std::optional<FileOutcome> outcome = files.requests.advance(store);
    // Beside a page of counters that is being looked at, requests are what it is compared with.
    const bool beside =
        outcome && outcome->opened && view.requests && view.counters && files.counters.is_open();
    follow_file(outcome, beside, files.requests.busy());
}

/// A page of counters is compared again when it is seen and the setting has changed.
void Session::follow_counters() {
    if (view.requests && view.counters) files.counters.compare_with(counters_basis());
    follow_file(files.counters.advance(store), true, files.counters.busy());
}

NcuBasis Session::counters_basis() const {
    if (files.requests.is_open()) return {.accesses_path = files.requests.path()};
    return {.scenario = state_.scenario, .params = state_.params};
}

/// Makes a window without room for all parts show the one that the tour is about.
void Session::follow_tour() {
    const bool file_page = view.requests || !files.requests.busy().empty() || !files.counters.busy().empty();
    if (view.tour_due && !view.start_page && !file_page) {  // it is about the panels
        view.tour_due = false;
        view.tour = 0;
    }
    if (view.tour < 0) return;
    const TourCard& card = tour_cards()[view.tour];
    view.projector = view.help = view.messages = view.finder = view.start_page = view.fixes = false;
    show_section(view, card.section);
    if (card.tab >= 0) view.tab = card.tab;
}

/// Advances the player. Between two steps the window sleeps.
void Session::continue_player() {
    const BoardKnob* knob = state_.board->played_knob();
    if (!player.playing()) return;
    if (state_.board->instructions) return play_accesses();
    if (knob == nullptr) return player.stop();
    const double now = host.now();
    const BoardValues& values = state_.boards;
    show_board_step(*this, player.advance(now, values[*knob], board_limit(*knob, values)));
    if (player.playing()) host.wake_within(player.seconds_left(now));
}

/// Moves the bytes in the pictures of instructions on. At the end everything is shown again.
void Session::play_accesses() {
    const int steps = steps_to_play(*this);
    State& s = state_;
    const double place = std::max(s.player_step, 0) + std::max(s.player_percent, 0) / 100.0;
    const double next = player.glide(host.now(), place, steps, played_step_seconds(steps));
    host.keep_awake(2);
    if (!player.playing()) {
        s.player_step = s.player_percent = -1;
        return;
    }
    // Rounded up, or short frames would not get on.
    const int percents = int(std::ceil(next * 100));
    s.player_step = std::min(percents / 100, steps - 1);
    s.player_percent = percents - 100 * s.player_step;
}

/// Checks the goal of the open step, in every frame because it costs only a few comparisons.
void Session::check_goal() {
    const CourseStep* step = learning.step();
    if (step == nullptr || !step->goal || learning.step_done()) return;
    if (!reached(*step->goal, state_, *answers_->b.evidence, view.focus) || !learning.goal_reached()) return;
    frame_.reset();
    host.keep_awake(2);
}

void Session::meet_gpu(const GpuInfo& gpu) {
    Devices devices = *table_;
    const std::size_t here = add_gpu_here(devices, gpu);
    table_ = std::make_shared<const Devices>(std::move(devices));
    measuring.found_at(here);
    if (!past.device_chosen) {
        const auto move_here = [here](State& there) {
            if (there.compared && there.compared->device == there.device) there.compared->device = here;
            there.device = here;
        };
        move_here(state_);
        for (auto& [scenario, there] : past.scenarios) move_here(there);
        past.history.change_all(move_here);
    }
    // Not earlier: the worker's thread has initialised CUDA by now, so this does not wait half a second for
    // it.
    textures_.fill_by(TraceMode::interop);
    textures_a_.reset();
    say("found " + gpu.name);
    say(textures_.trace().why());
}

std::size_t Session::add_device(const DeviceFacts& device) {
    Devices devices = *table_;
    devices.push_back(device);
    table_ = std::make_shared<const Devices>(std::move(devices));
    return table_->size() - 1;
}

void Session::remember_state() {
    State& kept = past.scenarios[state_.scenario] = state_;
    kept.compared.reset();
}

/// Undo, figures and clicks on what has changed since may name an instruction or a step that there is not.
void Session::settle() {
    if (view.focus >= state_.scenario->instruction_count(state_.params))
        view.focus = first_focus(state_, device());
    clamp_player(*this);
}

PlotSource Session::plot_source(const State& state) {
    return {plotted(state), devices_of(state), seen_by(measuring, files.shelf.recordings)};
}

Session::Shown Session::shown_of(const State& state, const Ready<Curve>& other) {
    Shown shown{state, devices_of(state), evidence_of(store, state, table_), {}, {}, {}};
    const PlotSource source = plot_source(state);
    shown.evidence = store.get(SeenKey{shown.model, shown.devices, source.seen});
    const Ready<AxisModel> axis =
        state.axis == nullptr ? nullptr : known_of(store.get(AxisKey{axis_question(state), table_}));
    shown.curve = store.get(CurveKey{source, shown.model, axis, other});
    shown.words = store.get(BoardKey{state, shown.evidence, shown.devices});
    return shown;
}

Session::Answers Session::answers() {
    Answers now;
    if (state_.compared) {
        // Both sides have the same player position and the same meaning of colours.
        now.a = shown_of(state_of(*state_.compared, state_), nullptr);
    }
    now.b = shown_of(state_, now.a ? now.a->curve : nullptr);
    if (has_heatmap(state_)) {
        const Ready<Heatmap> cells = known_of(store.get(CellsKey{cells_question(state_), table_}));
        now.heatmap = store.get(HeatmapKey{plot_source(state_), cells});
    }
    if (state_.fit && has_bank_loop(*state_.scenario, state_.params))
        now.fit = store.get(FitKey{plot_source(state_)});
    if (rested_ && measured_.setting == state_)
        now.fixes = known_of(
            store.get(FixKey{state_, without_own(past.fixes[state_.scenario], state_.params), table_}));
    now.request = files.requests.view().evidence;
    now.focus = view.focus;
    now.counts_hidden = learning.hides(state_, view.focus);
    return now;
}

void Session::measure(bool again) {
    // A typed kernel is launched by its own command only (kernel_run.h), which has the GPU for itself.
    if (measuring.gpu() == nullptr || state_.scenario->typed != nullptr || measuring.run.running()) return;
    const Measurements& known = measuring.times(state_.cold);
    measuring.submit(has_heatmap(state_) ? known.jobs(*state_.scenario, cell_settings(state_), again)
                                         : known.jobs(*state_.scenario, state_.params, state_.axis, again),
                     StopRule{.cold = state_.cold}, measuring.count_job(*evidence()));
    host.keep_awake(2);
}

RecordingView Session::recording_view() { return warplens::recording_view(measuring, devices(), state_); }

FigureDesk Session::figure_desk() {
    const Vec2 size = host.size();
    const float scale = host.scale();
    return {state_,
            devices(),
            files.shelf.recordings,
            recording_view(),
            view,
            {size.x / scale, size.y / scale},
            textures_.trace().mode(),
            cpu_,
            [&window = host] { window.wake(); }};
}

LayoutMode Session::mode() const { return layout_mode(host.size().x / host.scale()); }

std::string Session::busy() const {
    if (!files.shelf.reading().empty())
        return "reading " + std::filesystem::path(files.shelf.reading()).filename().string();
    for (const std::string& reading : {files.requests.busy(), files.counters.busy()})
        if (!reading.empty()) return reading;
    if (learning.making_quiz() && figures.busy().empty()) return "making the quiz";
    return figures.busy();
}

std::string Session::drawing() const {
    if (state_.scenario->typed != nullptr) return "cells filled by the CPU model";
    const bool image = textures_.has_image();
    const TraceMode how = image ? textures_.image().mode() : textures_.trace().mode();
    if (how == TraceMode::interop) return "CUDA-OpenGL interop";
    if (how == TraceMode::copy) return "copy through the host";
    return image ? "image drawn by the CPU model" : "cells filled by the CPU model";
}

const Frame& Session::frame() {
    if (frame_) return *frame_;
    const auto start = std::chrono::steady_clock::now();
    settle();
    const std::size_t asked = store.made<EvidenceKey>();
    Answers now = answers();
    if (answers_ == nullptr || now != *answers_) {
        const bool same_pictures = answers_ && now.b == answers_->b && now.a == answers_->a &&
                                   now.heatmap == answers_->heatmap && now.fit == answers_->fit;
        if (!same_pictures) host.keep_awake(2);
        answers_ = std::make_shared<const Answers>(std::move(now));
    }
    textures_.show(answers_->b.model);
    if (!answers_->a) textures_a_.reset();
    if (answers_->a) {
        if (!textures_a_) textures_a_ = std::make_unique<SideTextures>(textures_.trace().mode());
        textures_a_->show(answers_->a->model);
    }
    if (store.made<EvidenceKey>() != asked)
        compute_ms_ =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    frame_ = make_frame();
    if (answers_->a && state_.board->can_compare()) {
        frame_a_ = frame_of_a(*frame_);
        frame_->other = &frame_a_;
    }
    return *frame_;
}

Frame Session::make_frame() {
    Frame frame;
    frame.answers = answers_;
    show_side(frame, answers_->b, textures_);
    frame.fixes = answers_->fixes.get();
    frame.fix_choice = &past.fixes[state_.scenario];
    frame.can_undo = past.history.can_undo();
    frame.can_redo = past.history.can_redo();
    if (measuring.gpu() != nullptr) frame.gpu = measuring.gpu()->name;
    if (measuring.no_gpu() != nullptr) frame.no_gpu = measuring.no_gpu()->reason;
    frame.jobs_waiting = measuring.waiting();
    frame.progress = measuring.progress();
    frame.sweep_stopped = measuring.stopped();
    frame.playing = player.playing();
    frame.motion = may_move_;
    frame.has_fit = has_bank_loop(*state_.scenario, state_.params);
    frame.fit = answers_->fit.get();
    frame.heatmap = answers_->heatmap.get();
    frame.drawing = drawing();
    frame.drawing_why = textures_.has_image() ? textures_.image().why() : textures_.trace().why();
    frame.renderer = host.renderer();
    frame.messages = &messages_;
    frame.mode = mode();
    frame.reset_knob = view.reset_knob;
    frame.focus_knob = focused_ = view.focus_knob;
    frame.full_screen = host.is_full_screen();
    frame.busy = busy();
    frame.requests = files.requests.view();
    frame.counters = files.counters.view();
    frame.recordings = &files.shelf.recordings;
    frame.recent = &files.shelf.recent;
    frame.recording_view = recording_view();
    frame.recording_message = files.shelf.message;
    frame.compute_ms = compute_ms_;
    frame.learning = &learning;
    frame.typing = &typing;
    frame.kernel_runs = measuring.run.running();
    frame.counts_hidden = answers_->counts_hidden;
    frame.exporting = figures.dialog();
    return frame;
}

/// The frame of A: a copy of B's with everything that follows from the setting replaced.
Frame Session::frame_of_a(const Frame& frame) {
    Frame other = frame;
    other.is_other = true;
    other.heatmap = nullptr;
    other.fit = nullptr;
    show_side(other, *answers_->a, *textures_a_);
    return other;
}

std::string time_of_day() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

void Session::tell(Message::Severity severity, const std::string& message) {
    if (message.empty()) return;
    messages_.add(severity, printable(message, kMostMessageBytes), time_of_day());
    frame_.reset();
}

void Session::restore(const SavedState& saved, bool with_place) {
    Arrangement kept = saved;
    kept.look = view.look;                                      // which the options have from there already
    if (linked_) kept.scope = view.scope, kept.tab = view.tab;  // the link sets them
    static_cast<Arrangement&>(view) = kept;
    files.shelf.recent = saved.recent;
    for (const SavedCourse& course : saved.courses) learning.restore(course.id, course.at, course.done);
    learning.set_predict_first(saved.predict_first);
    // If the command line names a place, an open course would lead away from it.
    if (with_place && !saved.course.empty()) learning.open_course(saved.course);
    for (const std::string& link : saved.scenarios) {
        try {
            State there = follow_link(link, state_, devices()).state;
            there.compared.reset();
            past.scenarios[there.scenario] = there;
        } catch (const UsageError&) {  // written by an older or newer version: the scenario starts with its
                                       // defaults
        }
    }
    if (with_place && !saved.place.empty()) follow(*this, saved.place);
    restore_demo(*this, saved.unsaved_demo, saved.unsaved_demo_path);
    if (with_place && !saved.unsaved_kernel.empty())
        open_kernel_text(*this, saved.unsaved_kernel, {}, {});
    else
        unsaved_kernel_ = saved.unsaved_kernel;
    if (with_place) past.device_chosen = false;  // a GPU that is found here replaces the saved device
    past.history = History(state_);
    frame_.reset();
}

SavedState Session::saved() const {
    SavedState saved;
    static_cast<Arrangement&>(saved) = view;
    saved.place = link_to(state_, *table_);
    std::map<const Scenario*, State> scenarios = past.scenarios;
    State& now = scenarios[state_.scenario] = state_;
    now.compared.reset();
    for (const auto& [scenario, there] : scenarios) saved.scenarios.push_back(link_to(there, *table_));
    std::ranges::sort(saved.scenarios);
    saved.scale = host.user_scale();
    saved.width = int(host.size().x);
    saved.height = int(host.size().y);
    saved.toured = view.tour < 0 && !view.tour_due;
    saved.recent = files.shelf.recent;
    for (const Course& course : courses()) {
        const CourseProgress progress = learning.progress(course);
        SavedCourse one{course.id, progress.at, {}};
        for (std::size_t i = 0; i < progress.done.size(); ++i)
            if (progress.done[i]) one.done.push_back(int(i));
        if (one.at > 0 || !one.done.empty()) saved.courses.push_back(std::move(one));
    }
    if (learning.course() != nullptr) saved.course = learning.course()->id;
    saved.predict_first = learning.predict_first();
    if (learning.demo.changed()) {
        saved.unsaved_demo = learning.demo.demo();
        saved.unsaved_demo_path = learning.demo.path();
    }
    saved.unsaved_kernel = typing.is_draft() ? typing.text() : unsaved_kernel_;
    return saved;
}

}  // namespace warplens
