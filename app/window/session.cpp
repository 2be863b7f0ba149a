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

/// The time that a frame spends on the cells of a heatmap at most, so that a change of a knob is on screen
/// within 16 ms. The other cells are computed in the following frames.
constexpr std::chrono::microseconds kCellTime{6000};
constexpr double kRest = 0.12;  // [s]; the next change of a drag comes sooner

std::optional<Unavailable> why_none(const WindowOptions& options) {
    if (!options.cpu) return std::nullopt;
    return Unavailable{"Started with --cpu: no GPU is used."};
}

}  // namespace

Session::Session(Host& window, const State& start, std::vector<DeviceFacts> devices,
                 const WindowOptions& options, MeasureBench bench)
    : host(window),
      b(start, std::move(devices), TraceMode::model),
      history(start),
      measuring(std::move(bench), why_none(options)),
      shelf([&window] { window.wake(); }),
      requests([&window] { window.wake(); }),
      counters([&window] { window.wake(); }),
      fixing([&window] { window.wake(); }, options.wait || options.frames > 0),
      quiz_making([&window] { window.wake(); }, options.wait || options.frames > 0),
      typing([&window] { window.wake(); }),
      run([&window] { window.wake(); },
          [this](const KernelRun::Job& job, const std::stop_token& stop) {
              measuring.release();
              return KernelRun::launch_apart(job, stop);
          }),
      keep_device(options.keep_device),
      cpu_(options.cpu),
      list_shipped_(options.shipped_recordings),
      may_move_(options.motion && options.frames == 0),
      counted_frames_(options.frames > 0),
      keeps_state_(options.keep_state),
      linked_(!options.link.empty()) {
    view.look = options.look;
    view.space = home_space(*start.scenario);
    view.focus = first_focus(start, device());
    view.tour = options.tour - 1;
    host.set_user_scale(options.scale);
    for (const std::string& path : options.recordings) shelf.read(path);
    for (const std::string& path : options.files) shelf.read(path);
    if (linked_) follow(*this, options.link);
    history = History(state());
}

void Session::advance() {
    if (std::exchange(reset_knob, false) || frame_.focus_knob != nullptr) frame_changed();
    if (started_) measuring.start([&window = host] { window.wake(); });  // the first frame has the CPU
    const Measuring::News news = measuring.fetch();
    if (news.gpu && measuring.gpu() != nullptr) meet_gpu(*measuring.gpu());
    if (news.gpu) state_changed();
    if (news.results && !evidence_is_old_) refresh_measured();
    if (started_ && std::exchange(list_shipped_, false)) shelf.read_shipped(counted_frames_);
    for (RecordingShelf::Outcome& outcome : shelf.advance(b.devices)) {
        try {
            if (outcome.found) open_found(*this, outcome.path, *outcome.found);
        } catch (const UsageError& why) {
            outcome = {outcome.path,
                       fmt::format("cannot open '{}': {}", printable(outcome.path), why.what()),
                       false,
                       {}};
            shelf.message = outcome.message;
        }
        outcome.opened ? say(outcome.message) : complain(outcome.message);
        if (outcome.opened && view.recording_path == outcome.path) view.recording_path.clear();
        if (!evidence_is_old_) refresh_measured();
        host.keep_awake(2);
    }
    follow_requests();
    follow_counters();
    follow_tour();
    follow_typing();
    follow_run();
    follow_quiz();
    continue_player();
    refresh();
    fill_by_kernels();
    look_for_fixes();
    check_goal();
    if (plots.fill(state(), kCellTime)) {
        ++generation_;
        frame_changed();
        if (!plots.complete(state())) host.keep_awake(2);
    }
    say(figures.advance(figure_desk()));
    // These change without an action.
    if (frame_.mode != mode() || frame_.full_screen != host.is_full_screen() ||
        frame_.jobs_waiting != measuring.waiting() || frame_.progress.done != measuring.progress().done ||
        frame_.exporting != figures.dialog() || frame_.busy != busy())
        frame_changed();
    started_ = true;
}

/// While knobs are being turned the GPU reads counters, and CUDA calls of this thread would wait for that. So
/// the model fills the heat cells at once, and the kernel fills them when nothing has changed for a moment.
void Session::fill_by_kernels() {
    if (kernels_at_ == 0) return;
    if (const double left = kernels_at_ - host.now(); left > 0) return host.wake_within(left);
    kernels_at_ = 0;
    const std::string before = b.trace->why();
    for (Side* side : {&b, a.get()})
        if (side != nullptr) side->fill_by_kernel();
    if (b.trace->why() != before) say(b.trace->why());
}

/// While knobs are being turned nobody reads what would fix a setting that is gone again in a moment.
void Session::look_for_fixes() {
    if (fixing.fetch()) frame_changed();
    if (fixes_at_ == 0) return;
    if (const double left = fixes_at_ - host.now(); left > 0 && !counted_frames_)
        return host.wake_within(left);
    fixes_at_ = 0;
    fixing.ask(state(), b.devices);
    frame_changed();
}

/// Shows the kernel that is being typed as soon as its text is understood, and exact counts once all blocks
/// were executed.
void Session::follow_typing() {
    const bool was_reading = typing.reading();
    const std::optional<TextProblem> problem = typing.problem();
    if (const Scenario* scenario = typing.advance(host.now())) {
        const int focus = view.focus;
        const int count = state().scenario->instruction_count(state().params);
        const bool typed_before = state().scenario->typed != nullptr;
        set_state(*this, state_after_typing(*scenario, state()));
        if (typed_before && scenario->instruction_count(state().params) == count) view.focus = focus;
        view.editing = true;
        record_step();
    }
    if (typing.reading() != was_reading || typing.problem() != problem) frame_changed();
    if (const auto due = typing.due_in(host.now())) host.wake_within(*due);
    typing.follow(*state().scenario);
    if (state().scenario->typed == nullptr && !typing.reading() && !typing.problem()) view.editing = false;
    if (typing.counted()) {
        evidence_.clear();
        state_changed();
    }
}

/// Shows what a launch of the typed kernel has shown.
void Session::follow_run() {
    const auto ended = run.advance();
    if (!ended) return;
    const auto& [job, outcome] = *ended;
    measuring.add(*job.scenario, job.params, job.cold, outcome.time, outcome.counts);
    if (const auto* why = std::get_if<Unavailable>(&outcome.time)) complain("not launched: " + why->reason);
    if (const auto* timing = std::get_if<Timing>(&outcome.time); timing != nullptr && outcome.kernel)
        keep_compiled(*job.scenario, job.params, *outcome.kernel, timing->gpu);
    frame_changed();
    if (evidence_is_old_) return;  // all this follows with the new one
    refresh_measured();
    measure(false);  // what had to wait, if something else is shown by now
}

/// Begins a quiz as soon as it was made. Of a kernel that is not shown any more nobody wants one.
void Session::follow_quiz() {
    if (!quiz_making.making()) return;
    const Scenario* kernel = quiz_making.kernel();
    if (!learning.making_quiz() || (kernel != nullptr && kernel != state().scenario))
        return give_up_quiz(*this);
    std::optional<QuizMaking::Outcome> outcome = quiz_making.fetch();
    if (!outcome) return;
    if (Quiz* quiz = std::get_if<Quiz>(&*outcome)) return begin_quiz(*this, std::move(*quiz));
    give_up_quiz(*this);
    say(std::get<std::string>(*outcome));
}

void Session::fix_choice_changed() {
    fixing.forget();
    fixes_at_ = std::max(host.now(), 1e-9);
    frame_changed();
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
        frame_changed();
        host.keep_awake(2);
    }
    constexpr double kProgress = 0.25;  // [s]
    if (!busy.empty()) host.wake_within(kProgress);
}

/// Requests are counted again for another device.
void Session::follow_requests() {
    requests.count_for(device());
    const std::optional<FileOutcome> outcome = requests.advance();
    // Beside a page of counters that is being looked at, requests are what it is compared with.
    const bool beside = outcome && outcome->opened && view.requests && view.counters && counters.is_open();
    follow_file(outcome, beside, requests.busy());
}

/// A page of counters is compared again when it is seen and the setting has changed.
void Session::follow_counters() {
    if (view.requests && view.counters) counters.compare_with(counters_basis());
    follow_file(counters.advance(), true, counters.busy());
}

NcuBasis Session::counters_basis() const {
    if (requests.is_open()) return {.accesses_path = requests.path()};
    return {.scenario = b.state.scenario, .params = b.state.params};
}

/// Makes a window without room for all parts show the one that the tour is about.
void Session::follow_tour() {
    const bool file_page = view.requests || !requests.busy().empty() || !counters.busy().empty();
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
    const BoardKnob* knob = state().board->played_knob();
    if (!player.playing()) return;
    if (state().board->instructions) return play_accesses();
    if (knob == nullptr) player.stop();
    if (player.playing()) {
        const double now = host.now();
        const BoardValues& values = state().boards;
        show_board_step(*this, player.advance(now, values[*knob], board_limit(*knob, values)));
        if (player.playing()) host.wake_within(player.seconds_left(now));
    }
    if (!player.playing()) frame_changed();
}

/// Moves the bytes in the pictures of instructions on. At the end everything is shown again.
void Session::play_accesses() {
    const int steps = steps_to_play(*this);
    State& s = state();
    const double place = std::max(s.player_step, 0) + std::max(s.player_percent, 0) / 100.0;
    const double next = player.glide(host.now(), place, steps, played_step_seconds(steps));
    if (player.playing()) {
        // Rounded up, or short frames would not get on.
        const int percents = int(std::ceil(next * 100));
        s.player_step = std::min(percents / 100, steps - 1);
        s.player_percent = percents - 100 * s.player_step;
        host.keep_awake(2);
    } else {
        s.player_step = s.player_percent = -1;
    }
    look_changed();
}

/// Checks the goal of the open step, in every frame because it costs only a few comparisons.
void Session::check_goal() {
    const CourseStep* step = learning.step();
    if (step == nullptr || !step->goal || learning.step_done()) return;
    if (!reached(*step->goal, state(), b.evidence, view.focus) || !learning.goal_reached()) return;
    frame_changed();
    host.keep_awake(2);
}

void Session::meet_gpu(const GpuInfo& gpu) {
    const std::size_t here = measuring.here = add_gpu_here(b.devices, gpu);
    evidence_.clear();
    if (!keep_device) {
        const auto move_here = [here](State& there) {
            if (there.compared && there.compared->device == there.device) there.compared->device = here;
            there.device = here;
        };
        move_here(state());
        for (auto& [scenario, there] : remembered) move_here(there);
        history.change_all(move_here);
    }
    // Not earlier: the worker's thread has initialised CUDA by now, so this does not wait half a second for
    // it.
    b.fill_by(TraceMode::interop);
    a.reset();
    say("found " + gpu.name);
    say(b.trace->why());
}

void Session::record_step() {
    const bool could_undo = history.can_undo(), could_redo = history.can_redo();
    history.record(state());
    if (history.can_undo() != could_undo || history.can_redo() != could_redo) frame_changed();
}

void Session::state_changed() {
    evidence_is_old_ = true;
    view.claim.clear();
    look_changed();
}

void Session::look_changed() {
    ++generation_;
    frame_changed();
    host.keep_awake(2);
}

void Session::frame_changed() { frame_is_old_ = true; }

void Session::refresh() {
    // Undo, figures and clicks on what has changed since may name an instruction that there is not.
    if (view.focus >= state().scenario->instruction_count(state().params))
        view.focus = first_focus(state(), device());
    if (!std::exchange(evidence_is_old_, false)) return;
    const auto start = std::chrono::steady_clock::now();
    b.refresh(evidence_);
    if (state().scenario->typed != nullptr) typing.count(state(), b.devices);
    kernels_at_ = host.now() + kRest;
    fixing.forget();
    fixes_at_ = kernels_at_;
    refresh_other();
    step_wavefront(*this, 0);  // clamps the player, because there may be fewer wavefronts than before
    if (has_heatmap(state())) plots.set(state(), device());
    plots.fill(state(), kCellTime);
    measure(false);
    State& kept = remembered[state().scenario] = state();
    kept.compared.reset();
    refresh_measured();
    compute_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Refreshes A, if something is compared. Must be called after B was refreshed.
void Session::refresh_other() {
    if (!state().compared) return a.reset();
    const State other = state_of(*state().compared, state());
    if (!a) a = std::make_unique<Side>(other, b.devices, b.trace->mode());
    a->state = other;
    a->devices = b.devices;
    a->refresh(evidence_);
    add_other_curve(b.curve, a->curve);
}

void Session::refresh_measured() {
    const auto observed = [this](const Setting& setting) {
        Observed known = measuring.observed(setting, b.devices);
        RecordingView there = recording_view();
        there.device = setting.device;
        there.cold = setting.cold;
        known.recorded = shelf.recordings.find(*setting.scenario, setting.params, there);
        return known;
    };
    for (Side* side : {&b, a.get()})
        if (side != nullptr) side->evidence = with_observed(std::move(side->evidence), observed(side->state));
    plots.refresh_measured(state(), {measuring, shelf.recordings, recording_view()}, b.curve);
    ++generation_;
    frame_changed();
}

void Session::measure(bool again) {
    // A typed kernel is launched by its own command only (kernel_run.h), which has the GPU for itself.
    if (measuring.gpu() == nullptr || state().scenario->typed != nullptr || run.running()) return;
    const State& now = state();
    const Measurements& known = measuring.times(now.cold);
    measuring.submit(has_heatmap(now) ? known.jobs(*now.scenario, plots.cells().settings(), again)
                                      : known.jobs(*now.scenario, now.params, now.axis, again),
                     StopRule{.cold = now.cold}, measuring.count_job(b.evidence));
    frame_changed();
    host.keep_awake(2);
}

RecordingView Session::recording_view() const {
    // While it is not known whether there is a GPU, assume one. Otherwise recordings would appear and vanish
    // again.
    return {&b.devices, b.state.device, measuring.no_gpu() == nullptr};
}

FigureDesk Session::figure_desk() {
    refresh();
    const Vec2 size = host.size();
    const float scale = host.scale();
    return {state(),
            b.devices,
            shelf.recordings,
            recording_view(),
            view,
            {size.x / scale, size.y / scale},
            b.trace->mode(),
            cpu_,
            generation_,
            [&window = host] { window.wake(); }};
}

LayoutMode Session::mode() const { return layout_mode(host.size().x / host.scale()); }

std::string Session::busy() const {
    if (!shelf.reading().empty())
        return "reading " + std::filesystem::path(shelf.reading()).filename().string();
    for (const std::string& reading : {requests.busy(), counters.busy()})
        if (!reading.empty()) return reading;
    if (quiz_making.making() && figures.busy().empty()) return "making the quiz";
    return figures.busy();
}

std::string Session::drawing() const {
    if (b.state.scenario->typed != nullptr) return "cells filled by the CPU model";
    const TraceMode how = b.has_image() ? b.image->mode() : b.trace->mode();
    if (how == TraceMode::interop) return "CUDA-OpenGL interop";
    if (how == TraceMode::copy) return "copy through the host";
    return b.has_image() ? "image drawn by the CPU model" : "cells filled by the CPU model";
}

const Frame& Session::frame() {
    refresh();
    if (!std::exchange(frame_is_old_, false)) return frame_;
    ++frames_made_;
    frame_ = make_frame();
    if (a && state().board->can_compare()) {
        frame_a_ = frame_of_a(frame_);
        frame_.other = &frame_a_;
    }
    return frame_;
}

Frame Session::make_frame() {
    Frame frame;
    frame.generation = generation_;
    b.put_into(frame);
    frame.fixes = fixing.fixes();
    frame.fix_choice = &fixing.choice(*state().scenario);
    frame.can_undo = history.can_undo();
    frame.can_redo = history.can_redo();
    if (measuring.gpu() != nullptr) frame.gpu = measuring.gpu()->name;
    if (measuring.no_gpu() != nullptr) frame.no_gpu = measuring.no_gpu()->reason;
    frame.jobs_waiting = measuring.waiting();
    frame.progress = measuring.progress();
    frame.sweep_stopped = measuring.stopped();
    frame.playing = player.playing();
    frame.motion = may_move_;
    frame.has_fit = has_bank_loop(*state().scenario, state().params);
    if (state().fit && frame.has_fit) frame.fit = &plots.fit();
    if (has_heatmap(state())) frame.heatmap = &plots.cells().heatmap();
    frame.drawing = drawing();
    frame.drawing_why = b.has_image() ? b.image->why() : b.trace->why();
    frame.renderer = host.renderer();
    frame.messages = &messages;
    frame.mode = mode();
    frame.reset_knob = reset_knob;
    frame.focus_knob = std::exchange(view.focus_knob, nullptr);
    frame.full_screen = host.is_full_screen();
    frame.busy = busy();
    frame.requests = requests.view();
    frame.counters = counters.view();
    frame.recordings = &shelf.recordings;
    frame.recent = &shelf.recent;
    frame.recording_view = recording_view();
    frame.recording_message = shelf.message;
    frame.compute_ms = compute_ms_;
    frame.learning = &learning;
    frame.typing = &typing;
    frame.kernel_runs = run.running();
    frame.counts_hidden = learning.hides(state(), view.focus);
    frame.exporting = figures.dialog();
    return frame;
}

/// The frame of A: a copy of B's with everything that follows from the setting replaced.
Frame Session::frame_of_a(const Frame& frame) {
    // Both sides have the same player position and the same meaning of colours.
    State& there = a->state;
    there.player_step = state().player_step;
    there.player_percent = state().player_percent;
    there.color_by = state().color_by;
    there.bits = state().bits;
    there.by_tile = state().by_tile;
    there.board = state().board;
    follow_players(there.boards, state().boards);
    clamp_board(there.boards);
    Frame other = frame;
    other.is_other = true;
    other.heatmap = nullptr;
    other.fit = nullptr;
    a->put_into(other);
    return other;
}

std::string time_of_day() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

void Session::tell(Message::Severity severity, const std::string& message) {
    if (message.empty()) return;
    messages.add(severity, printable(message, kMostMessageBytes), time_of_day());
    frame_changed();
}

void Session::restore(const SavedState& saved, bool with_place) {
    Arrangement kept = saved;
    kept.look = view.look;                                      // which the options have from there already
    if (linked_) kept.scope = view.scope, kept.tab = view.tab;  // the link sets them
    static_cast<Arrangement&>(view) = kept;
    shelf.recent = saved.recent;
    for (const SavedCourse& course : saved.courses) learning.restore(course.id, course.at, course.done);
    learning.set_predict_first(saved.predict_first);
    // If the command line names a place, an open course would lead away from it.
    if (with_place && !saved.course.empty()) learning.open_course(saved.course);
    for (const std::string& link : saved.scenarios) {
        try {
            State there = follow_link(link, state(), b.devices).state;
            there.compared.reset();
            remembered[there.scenario] = there;
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
    keep_device = keep_device && !with_place;  // a GPU that is found here replaces the saved device
    history = History(state());
    frame_changed();
}

SavedState Session::saved() const {
    SavedState saved;
    static_cast<Arrangement&>(saved) = view;
    saved.place = link_to(b.state, b.devices);
    for (const auto& [scenario, there] : remembered) saved.scenarios.push_back(link_to(there, b.devices));
    std::ranges::sort(saved.scenarios);
    saved.scale = host.user_scale();
    saved.width = int(host.size().x);
    saved.height = int(host.size().y);
    saved.toured = view.tour < 0 && !view.tour_due;
    saved.recent = shelf.recent;
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
