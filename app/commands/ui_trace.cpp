#include "app/commands/window_session.h"
#include "app/export/atomic_file.h"
#include "app/panels/widgets.h"

#include <nlohmann/json.hpp>

namespace warplens {

/// What is on screen, as JSON, whenever it changes: places of the controls and the numbers shown. Only for
/// tests that drive the window with a real mouse (environment variable WARPLENS_UI_TRACE).
void WindowSession::write_ui_trace(const Frame& frame) {
    nlohmann::ordered_json out;
    out["scenario"] = frame.state->scenario->info->id;
    for (const Knob& knob : frame.state->scenario->info->knobs)
        out["knobs"][knob.key] = format_knob(knob, frame.state->params);
    for (const NumberRow& row : number_rows(frame, view_)) out["numbers"][row.name] = row.predicted;
    for (const CounterRow& row : counter_rows(frame)) {
        out["counters"][row.name] = {{"expected", row.expected},
                                     {"counted", row.counted},
                                     {"verdict", verdict_name(row.judgement.verdict)}};
    }
    out["cold"] = frame.state->cold;
    out["device"] = frame.devices->at(frame.state->device).name;
    out["drawing"] = frame.drawing;
    out["gpu"] = frame.gpu;
    out["jobs_waiting"] = frame.jobs_waiting;
    out["axis"] = state_.axis == nullptr ? "" : std::string(state_.axis->key);
    out["second_axis"] = state_.second_axis == nullptr ? "" : std::string(state_.second_axis->key);
    out["fit"] = frame.fit != nullptr;
    for (const Kind kind : {Kind::measured, Kind::recorded}) {
        std::size_t points = 0;
        for (const MeasuredSeries& series : analysis_.curve.series) {
            if (series.kind == kind) points += series.points.size();
        }
        out[std::string(kind_name(kind)) + "_points"] = points;
    }
    out["message"] = frame.message;
    out["theme"] = theme_key(view_.theme);
    out["scale"] = window_.user_scale();
    out["hovered_lane"] = view_.hovered_lane;
    out["focus"] = view_.focus;
    out["only_wavefront"] = frame.state->only_wavefront;
    out["help"] = view_.help;
    for (const auto& [name, rect] : ui::items()) out["items"][name] = {rect.x, rect.y, rect.w, rect.h};
    std::string text = out.dump(1);
    if (text == ui_trace_written_) return;
    ui_trace_written_ = std::move(text);
    write_file(ui_trace_path_, ui_trace_written_);
}

}  // namespace warplens
