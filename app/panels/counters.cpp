#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// A mark that says at a glance how a counter and its expectation get on.
const char* mark_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::equal:
            return "=";
        case Verdict::within:
            return "≈";
        case Verdict::off:
            return "≠";
    }
    return "";
}

/// Where the metric stands among those that were read. Empty: it was not, or this GPU has no such counter.
std::optional<double> counted_value(const CountResult& counted, std::string_view metric) {
    const auto* reading = std::get_if<CounterReading>(&counted.outcome);
    if (reading == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < counted.job.metrics.size() && i < reading->values.size(); ++i) {
        if (counted.job.metrics[i] == metric) return reading->values[i];
    }
    return std::nullopt;
}

/// With one full stop.
std::string sentence(std::string text) {
    if (!text.ends_with('.')) text += '.';
    return text;
}

/// One line under the table: how the counters were read, or why there are none.
std::string remark(const Frame& frame) {
    const std::string_view nothing = not_comparable(*frame.state->scenario);
    if (!nothing.empty()) return fmt::format("Not compared: {}.", nothing);
    if (frame.evidence->expected.counters.empty())
        return "This kernel moves none of the counters that the model knows.";
    if (!frame.no_gpu.empty()) return "Not counted: " + sentence(frame.no_gpu);
    if (frame.counted == nullptr) return "Counting …";
    if (const auto* why = std::get_if<Unavailable>(&frame.counted->outcome))
        return "Not counted: " + sentence(why->reason);
    const auto& reading = std::get<CounterReading>(frame.counted->outcome);
    return fmt::format("Counted on {} from a cold L2: {} {} of the kernel, {:.0f} ms.", frame.gpu,
                       reading.passes, reading.passes == 1 ? "pass" : "passes", reading.elapsed_ms);
}

}  // namespace

std::vector<CounterRow> counter_rows(const Frame& frame) {
    std::vector<CounterRow> rows;
    const ExpectedLaunch& expected = frame.evidence->expected;
    std::vector<std::string> shown = metrics_of(expected, CounterSet::first);
    for (std::string& metric : metrics_of(expected, CounterSet::later)) shown.push_back(std::move(metric));
    for (const ExpectedCounter& counter : expected.counters) {  // in their order: groups stay together
        const std::string metric(counter.words->metric);
        if (std::find(shown.begin(), shown.end(), metric) == shown.end()) continue;
        CounterRow row{.name = std::string(counter.words->name),
                       .expected = format_count(static_cast<std::int64_t>(counter.expected + 0.5)),
                       .kind = counter.kind,
                       .tooltip = fmt::format("{}\nNsight Compute: {}", counter.words->meaning, metric)};
        if (const auto value =
                frame.counted == nullptr ? std::nullopt : counted_value(*frame.counted, metric)) {
            row.counted = format_count(static_cast<std::int64_t>(*value + 0.5));
            row.judgement = judge_counter(expected, counter, *value);
            if (row.judgement.verdict == Verdict::equal)
                row.tooltip += "\nEqual to the last digit.";
            else
                row.tooltip += fmt::format(
                    "\n{:+.2f} %: {}.", 100 * (*value - counter.expected) / std::max(1.0, counter.expected),
                    row.judgement.reason);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void show_counters(const PanelStyle& style, const Frame& frame) {
    const std::vector<CounterRow> rows = counter_rows(frame);
    const bool counted = frame.no_gpu.empty();
    if (!rows.empty() && ImGui::BeginTable("counters", counted ? 3 : 2, ImGuiTableFlags_BordersInnerH)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableSetupColumn("expected", ImGuiTableColumnFlags_WidthFixed, style.px(100));
        if (counted) ImGui::TableSetupColumn("counted", ImGuiTableColumnFlags_WidthFixed, style.px(104));
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(1);
        ui::cell_right("expected", style.colors.text_weak);
        if (counted) {
            ImGui::TableSetColumnIndex(2);
            ui::cell_right("counted", style.colors.text_weak);
        }
        std::string_view group;
        for (const CounterRow& row : rows) {
            const std::size_t colon = row.name.find(": ");
            const std::string_view whose = std::string_view(row.name).substr(0, colon);
            if (whose != group) {
                group = whose;
                ImGui::TableNextRow();
                ImGui::TableSetColumnIndex(0);
                ui::text_weak(style, std::string(group));
            }
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            ui::text("  " + row.name.substr(colon + 2));
            ui::tip(style, row.tooltip);
            ui::mark(fmt::format("counter.{}", row.name));
            const ui::FontScope mono(style, FontRole::mono);
            ImGui::TableSetColumnIndex(1);
            ui::cell_right(fmt::format("{} {}", row.expected, provenance_mark(row.kind)), style.colors.text);
            if (row.counted.empty()) continue;
            ImGui::TableSetColumnIndex(2);
            const bool off = row.judgement.verdict == Verdict::off && row.kind == Provenance::exact;
            ui::cell_right(fmt::format("{} {}", row.counted, mark_of(row.judgement.verdict)),
                           off ? style.colors.bad : style.colors.accent);
        }
        ImGui::EndTable();
    }
    ui::wrapped(remark(frame));
}

}  // namespace warplens
