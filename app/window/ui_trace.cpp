#include "app/base/atomic_file.h"
#include "app/experiment/compare.h"
#include "app/experiment/quantities.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#include <nlohmann/json.hpp>

namespace warplens {
namespace {

/// The chosen board: its numbers, and what can be clicked in its picture as items "link.<link>".
void trace_board(const Frame& frame, float scale, const Picture& picture, nlohmann::ordered_json& out) {
    out["board"] = frame.state->board->key;
    if (frame.state->board->instructions) return;
    for (const Quantity& number : frame.board_words->numbers) out["board_numbers"][number.name] = number.text;
    const auto place = ui::items().find("board.picture");
    if (place == ui::items().end()) return;
    for (const Hit& hit : picture.hits) {
        if (hit.link.empty()) continue;
        out["items"]["link." + hit.link] = {place->second.x + hit.rect.x * scale,
                                            place->second.y + hit.rect.y * scale, hit.rect.w * scale,
                                            hit.rect.h * scale};
    }
}

/// Where a person is in a course or a quiz.
void trace_learning(const Learning& learning, nlohmann::ordered_json& out) {
    out["predict_first"] = learning.predict_first();
    out["course"] = nullptr;
    out["quiz"] = nullptr;
    if (const Course* course = learning.course())
        out["course"] = {{"id", course->id},
                         {"step", learning.step_index()},
                         {"done", learning.step_done()},
                         {"done_count", learning.progress(*course).done_count()},
                         {"title", learning.step()->title}};
    const QuizRun* quiz = learning.quiz();
    if (quiz == nullptr) return;
    out["quiz"] = {{"seed", quiz->quiz.seed},          {"at", quiz->at},
                   {"answered", quiz->answers.size()}, {"score", quiz->score()},
                   {"finished", quiz->finished()},     {"written", quiz->written}};
    if (!quiz->finished()) out["quiz"]["choices"] = quiz->question().choices;
}

}  // namespace

/// What is on screen, as JSON, whenever it changes: places of the controls and the numbers shown. Only for
/// tests that drive the window with a real mouse (environment variable WARPLENS_UI_TRACE).
void WindowSession::write_ui_trace(const Frame& frame) {
    nlohmann::ordered_json out;
    out["scenario"] = frame.state->scenario->info->id;
    for (const Knob& knob : frame.state->scenario->info->knobs)
        out["knobs"][knob.key] = format_knob(knob, frame.state->params);
    for (const QuantityPair& row : shown_numbers(frame, view_)) out["numbers"][row.named().name] = row.a.text;
    for (const QuantityPair& row : frame.evidence->counters) {
        const std::optional<Judgement> judgement = judgement_of(*frame.evidence, row);
        out["counters"][row.a.name] = {{"expected", row.a.text},
                                       {"counted", row.b.text},
                                       {"verdict", verdict_name(judgement.value_or(Judgement{}).verdict)}};
    }
    out["board"] = frame.state->board->key;
    for (const BoardKnob* knob : all_board_knobs()) out["boards"][knob->key] = frame.state->boards[*knob];
    for (const Quantity& row : frame.board_words->numbers) out["board_numbers"][row.name] = row.text;
    out["claim"] = view_.claim;
    out[kColdKey] = frame.state->cold;
    out["device"] = frame.devices->at(frame.state->device).name;
    out["drawing"] = frame.drawing;
    out["gpu"] = frame.gpu;
    out["jobs_waiting"] = frame.jobs_waiting;
    out["axis"] = state_.axis == nullptr ? "" : std::string(state_.axis->key);
    out["second_axis"] = state_.second_axis == nullptr ? "" : std::string(state_.second_axis->key);
    out["fit"] = frame.fit != nullptr;
    for (const Provenance kind : {Provenance::measured, Provenance::recorded}) {
        std::size_t points = 0;
        for (const MeasuredSeries& series : curve_.series) {
            if (series.kind == kind) points += series.points.size();
        }
        out[std::string(provenance_name(kind)) + "_points"] = points;
    }
    out["message"] = frame.message;
    out["comparing"] = frame.other != nullptr;
    if (frame.other != nullptr) {
        for (const QuantityPair& row : compared_numbers(frame, view_))
            out["compared"][row.named().name] = {
                {"a", row.a.text}, {"b", row.b.text}, {"difference", difference_text(row)}};
        for (const Knob& knob : frame.other->state->scenario->info->knobs)
            out["knobs_of_a"][knob.key] = format_knob(knob, frame.other->state->params);
    }
    if (const ExportView* dialog = frame.exporting; dialog != nullptr)
        out["exporting"] = {{"part", part_name(dialog->part)},
                            {"problem", dialog->problem},
                            {"asks", dialog->asks},
                            {"running", dialog->running},
                            {"exists", dialog->exists},
                            {"path", view_.export_path.data()}};
    out["frame"] = window_.frames_drawn();
    out["theme"] = theme_key(view_.look.theme);
    out["palette"] = palette_key(view_.look.palette);
    out["scale"] = window_.user_scale();
    out["hovered_lane"] = view_.hovered_lane;
    out["focus"] = view_.focus;
    out["only_wavefront"] = frame.state->only_wavefront;
    out["help"] = view_.help;
    out["projector"] = view_.projector;
    out["full_screen"] = frame.full_screen;
    out["tour"] = view_.tour;
    out["messages"] = view_.messages;
    out["columns"] = frame.mode == LayoutMode::three ? 3 : frame.mode == LayoutMode::two ? 2 : 1;
    out["playing"] = frame.playing;
    trace_learning(*frame.learning, out);
    out["counts_hidden"] = frame.counts_hidden;
    for (const auto& [name, rect] : ui::items()) out["items"][name] = {rect.x, rect.y, rect.w, rect.h};
    trace_board(frame, window_.scale(), pictures_.board.picture, out);
    std::string text = out.dump(1);
    if (text == ui_trace_written_) return;
    ui_trace_written_ = std::move(text);
    write_file(ui_trace_path_, ui_trace_written_);
}

}  // namespace warplens
