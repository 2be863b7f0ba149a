#include "app/window/session.h"

#include "app/base/errors.h"
#include "app/base/system.h"
#include "app/experiment/compare.h"
#include "app/experiment/link.h"
#include "app/model/time/bank_loop.h"
#include "app/window/action.h"
#include "app/window/apply_parts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace warplens {
namespace {

std::optional<Unavailable> why_none(const WindowOptions& options) {
    if (!kNoLaunches.empty()) return Unavailable{std::string(kNoLaunches)};
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
      web_address_(options.web_address),
      linked_(!options.link.empty()),
      textures_(TraceMode::model) {
    past.device_chosen = options.keep_device;
    view.look = options.look;
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

/// The program of the setting; as soon as nothing has changed for a moment, with what nvcc makes of it here.
Ready<CodePage> Session::code() {
    if (state_.scenario->typed != nullptr || !view.shows_code()) return nullptr;
    CodeKey key{state_.scenario, state_.params, nullptr};
    Ready<CodePage> page = store.get(key);
    if (!rested_ || counted_frames_ || measured_.setting != state_) return page;
    key.compiled = known_of(store.get(compiled_key(*page, devices())));
    return store.get(key);
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
    now.grid_map = known_of(store.get(grid_map_key(state_, view.focus, table_)));
    if (state_.fit && has_bank_loop(*state_.scenario, state_.params))
        now.fit = store.get(FitKey{plot_source(state_)});
    if (rested_ && measured_.setting == state_)
        now.fixes = known_of(
            store.get(FixKey{state_, without_own(past.fixes[state_.scenario], state_.params), table_}));
    now.code = code();
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

std::string Session::shared_link() { return web_link(web_address_, link_to(state_, devices())); }

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
            web_address_,
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
                                   now.heatmap == answers_->heatmap && now.grid_map == answers_->grid_map &&
                                   now.fit == answers_->fit;
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
    frame.code = answers_->code.get();
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
    frame.grid_map = answers_->grid_map.get();
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
    frame.compiled = measuring.run.compiled(*state_.scenario, state_.params);
    frame.counts_hidden = answers_->counts_hidden;
    frame.exporting = figures.dialog();
    return frame;
}

/// The frame of A: a copy of B's with everything that follows from the setting replaced.
Frame Session::frame_of_a(const Frame& frame) {
    Frame other = frame;
    other.is_other = true;
    other.heatmap = nullptr;
    other.grid_map = nullptr;
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
    typing.restore(saved.kernels);
    if (with_place && saved.draft && !saved.kernels.empty()) {
        const SavedKernel& first = saved.kernels.front();
        open_kernel_text(*this, first.text, first.name, first.path);
        typing.was_shown_as(state_);
    }
    if (with_place) resume_quiz(*this, saved.quiz);
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
    for (const auto& [scenario, there] : scenarios)
        if (scenario->typed == nullptr) saved.scenarios.push_back(link_to(there, *table_));
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
    const auto keep_quiz = [&](std::uint32_t seed, int questions, const QuizAbout& about,
                               const QuizProgress& progress) {
        saved.quiz = {progress, seed, questions};
        if (about.space) saved.quiz.space = space_name(*about.space);
        if (about.here) saved.quiz.here = link_to(*about.here, *table_);
    };
    if (const QuizKey* key = learning.wanted_quiz())
        keep_quiz(key->seed, key->count, key->about, learning.wanted_from());
    else if (const QuizRun* run = learning.quiz()) {
        keep_quiz(run->quiz.seed, int(run->quiz.questions.size()), run->quiz.about, *run);
        saved.quiz.figure = run->quiz.figure;
    }
    if (learning.course() != nullptr) saved.course = learning.course()->id;
    saved.predict_first = learning.predict_first();
    if (learning.demo.changed()) {
        saved.unsaved_demo = learning.demo.demo();
        saved.unsaved_demo_path = learning.demo.path();
    }
    saved.kernels = typing.saved([this](const State& state) { return link_to(state, *table_); });
    saved.draft = typing.is_draft() && !saved.kernels.empty() && saved.kernels.front().text == typing.text();
    return saved;
}

}  // namespace warplens
