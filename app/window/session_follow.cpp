// What the session follows before each frame: files, measurements, what is typed, the player, the goal.

#include "app/base/errors.h"
#include "app/experiment/kernel_table.h"
#include "app/window/apply_parts.h"
#include "app/window/session.h"

#include <fmt/format.h>

namespace warplens {

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
    constexpr double kRest = 0.12;  // [s]; the next change of a drag comes sooner
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
    if (const Scenario* scenario = typing.advance(store, device(), host.now())) {
        // The access that was looked at, if it is still there.
        const int focus = view.focus;
        const State before = state_;
        const auto label = [focus](const State& state) {
            return focus < 0 || focus >= state.scenario->instruction_count(state.params)
                       ? std::string_view()
                       : std::string_view(state.scenario->instruction(state.params, focus).label);
        };
        const std::string looked_at(label(before));
        set_state(*this, state_after_typing(*scenario, state_));
        if (before.scenario->typed != nullptr &&
            (focus < 0 || (!looked_at.empty() && looked_at == label(state_))))
            view.focus = focus;
        view.editing = true;
        if (const std::string place = typing.take_place(); !place.empty()) follow(*this, place);
        record_step();
        host.keep_awake(2);
    }
    if (const auto due = typing.due_in(host.now())) host.wake_within(*due);
    typing.follow(state_, host.now());
    if (state_.scenario->typed != nullptr || typing.reading() || typing.problem()) return;
    view.editing = false;
    if (std::exchange(past.read_for_typing, false) && view.reading_code) view.reading = false;
}

/// Shows what a launch of the typed kernel has shown.
void Session::follow_run() {
    say(measuring.run.advance_compiler(store));
    const auto ended = measuring.run.advance(store);
    if (!ended) return;
    const auto& [job, outcome] = *ended;
    measuring.add(*job.scenario, job.params, job.cold, outcome.time, outcome.counts);
    if (const auto* why = std::get_if<Unavailable>(&outcome.time)) complain("not launched: " + why->reason);
    if (const auto* timing = std::get_if<Timing>(&outcome.time); timing != nullptr && outcome.kernel)
        keep_compiled(*job.scenario, job.params, *outcome.kernel,
                      fmt::format("{} compiled by the driver of {}", provenance_mark(Provenance::measured),
                                  timing->gpu));
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
    if (const Ready<Quiz> quiz = known_of(answer)) return begin_quiz(*this, *quiz, learning.wanted_from());
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
    if (view.tour_due && !view.start_page && !file_page && !learning.has_card()) {  // it is about the panels
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
    if (!learning.has_task()) return;
    if (!reached(*step->goal, state_, *answers_->b.evidence, view.focus) || !learning.goal_reached()) return;
    frame_.reset();
    host.keep_awake(2);
}

}  // namespace warplens
