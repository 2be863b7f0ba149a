#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/figures/report_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

std::string spaces_text(const Scenario& scenario) {
    std::string text;
    for (int k = 0; k < kSpaceCount; ++k) {
        const auto space = Space(k);
        if (scenario.in(space)) text += (text.empty() ? "" : ", ") + std::string(space_name(space));
    }
    return text;
}

void run_scenarios(bool json, std::ostream& out) {
    if (json) {
        out << scenarios_to_json(all_scenarios()).dump(2) << '\n';
        return;
    }
    for (const Scenario& scenario : all_scenarios()) {
        const ScenarioInfo& info = *scenario.info;
        out << fmt::format("{}  ({} memory)\n  {}\n  address: {}\n\n", info.id, spaces_text(scenario),
                           info.summary, info.formula);
        for (const Knob& knob : info.knobs) {
            const std::string name =
                knob.alias.empty() ? std::string(knob.key) : fmt::format("{}, {}", knob.key, knob.alias);
            constexpr std::size_t kIndent = 28, kColumns = 80;
            out << fmt::format("  {:<26}{}; default {}\n{:{}}{}\n", name, describe_range(knob, info.defaults),
                               format_knob(knob, info.defaults), "", kIndent,
                               wrapped_behind(knob.tooltip, kIndent, kColumns));
        }
        out << '\n';
    }
    out << "Try: warplens report " << all_scenarios().front().info->id << " --set stride=8\n";
}

}  // namespace

CommandEntry scenarios_command() {
    return {"scenarios", "List scenarios with their parameters, ranges and defaults",
            "scenarios                                            list scenarios and their parameters",
            json_option(run_scenarios)};
}

}  // namespace warplens
