#include "app/base/output.h"
#include "app/experiment/compare.h"
#include "app/experiment/quantities.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/shell.h"
#include "app/panels/widgets.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

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

UiTrace::UiTrace() {
    if (const char* path = std::getenv("WARPLENS_UI_TRACE")) path_ = path;
}

void UiTrace::write(const Frame& frame, const View& view, const Picture& board, const Scales& scales) {
    if (path_.empty()) return;
    const State& state = *frame.state;
    nlohmann::ordered_json out;
    out["scenario"] = frame.state->scenario->info->id;
    for (const Knob& knob : frame.state->scenario->info->knobs)
        out["knobs"][knob.key] = format_knob(knob, frame.state->params);
    for (const QuantityPair& row : shown_numbers(frame, view)) out["numbers"][row.named().name] = row.a.text;
    for (const QuantityPair& row : frame.evidence->counters) {
        const std::optional<Judgement> judgement = judgement_of(*frame.evidence, row);
        out["counters"][row.a.name] = {{"expected", row.a.text},
                                       {"counted", row.b.text},
                                       {"verdict", verdict_name(judgement.value_or(Judgement{}).verdict)}};
    }
    out["board"] = frame.state->board->key;
    for (const BoardKnob* knob : all_board_knobs()) out["boards"][knob->key] = frame.state->boards[*knob];
    for (const Quantity& row : frame.board_words->numbers) out["board_numbers"][row.name] = row.text;
    out["claim"] = view.claim;
    out[kColdKey] = frame.state->cold;
    out["device"] = frame.devices->at(frame.state->device).name;
    out["drawing"] = frame.drawing;
    out["gpu"] = frame.gpu;
    out["jobs_waiting"] = frame.jobs_waiting;
    out["axis"] = state.axis == nullptr ? "" : std::string(state.axis->key);
    out["second_axis"] = state.second_axis == nullptr ? "" : std::string(state.second_axis->key);
    out["fit"] = frame.fit != nullptr;
    for (const Provenance kind : {Provenance::measured, Provenance::recorded}) {
        std::size_t points = 0;
        for (const MeasuredSeries& series : frame.curve->series) {
            if (series.kind == kind) points += series.points.size();
        }
        out[std::string(provenance_name(kind)) + "_points"] = points;
    }
    out["message"] = frame.messages->last().text;
    out["comparing"] = frame.other != nullptr;
    if (frame.other != nullptr) {
        for (const QuantityPair& row : compared_numbers(frame, view))
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
                            {"path", view.export_path.data()}};
    out["frame"] = scales.frames;
    out["theme"] = theme_key(view.look.theme);
    out["palette"] = palette_key(view.look.palette);
    out["scale"] = scales.user;
    out["hovered_lane"] = view.hovered_lane;
    out["focus"] = view.focus;
    out["only_wavefront"] = frame.state->only_wavefront;
    out["help"] = view.help;
    out["projector"] = view.projector;
    out["full_screen"] = frame.full_screen;
    out["tour"] = view.tour;
    out["messages"] = view.messages;
    out["columns"] = frame.mode == LayoutMode::three ? 3 : frame.mode == LayoutMode::two ? 2 : 1;
    out["playing"] = frame.playing;
    trace_learning(*frame.learning, out);
    out["counts_hidden"] = frame.counts_hidden;
    for (const auto& [name, rect] : ui::items()) out["items"][name] = {rect.x, rect.y, rect.w, rect.h};
    trace_board(frame, scales.now, board, out);
    std::string text = out.dump(1);
    if (text == written_) return;
    written_ = std::move(text);
    write_output(path_, written_);
}

}  // namespace warplens
