#include "app/experiment/quantities.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

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
    const std::optional<CountResult>& counted = frame.evidence->observed.counted;
    if (!counted) return "Counting …";
    if (const auto* why = std::get_if<Unavailable>(&counted->outcome))
        return "Not counted: " + sentence(why->reason);
    const auto& reading = std::get<CounterReading>(counted->outcome);
    return fmt::format("Counted on {} from a cold L2: {} {} of the kernel, {:.0f} ms.", frame.gpu,
                       reading.passes, reading.passes == 1 ? "pass" : "passes", reading.elapsed_ms);
}

}  // namespace

void show_counters(const PanelStyle& style, const Frame& frame) {
    const std::vector<QuantityPair>& rows = frame.evidence->counters;
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
        for (const QuantityPair& row : rows) {
            const std::string& name = row.a.name;
            const std::size_t colon = name.find(": ");
            const std::string_view whose = std::string_view(name).substr(0, colon);
            if (whose != group) {
                group = whose;
                ImGui::TableNextRow();
                ImGui::TableSetColumnIndex(0);
                ui::text_weak(style, std::string(group));
            }
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            ui::text("  " + name.substr(colon + 2));
            ui::tip(style, row.named().source);
            ui::mark(fmt::format("counter.{}", name));
            const ui::FontScope mono(style, FontRole::mono);
            ImGui::TableSetColumnIndex(1);
            ui::cell_right(fmt::format("{} {}", row.a.text, provenance_mark(row.a.provenance)),
                           style.colors.text);
            const std::optional<Judgement> judgement = judgement_of(*frame.evidence, row);
            if (!judgement) continue;
            ImGui::TableSetColumnIndex(2);
            const bool off = judgement->verdict == Verdict::off && row.a.provenance == Provenance::exact;
            ui::cell_right(fmt::format("{} {}", row.b.text, mark_of(judgement->verdict)),
                           off ? style.colors.bad : style.colors.accent);
        }
        ImGui::EndTable();
    }
    ui::wrapped(remark(frame));
}

}  // namespace warplens
