#include "app/experiment/link_words.h"

#include "app/boards/board_params.h"
#include "app/model/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warplens {
namespace {

struct NamedValue {
    std::string_view key, value;
};

/// The next "key=value", taken off the front.
NamedValue next_setting(std::string_view& query) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    return {item.substr(0, equals), item.substr(std::min(equals + 1, item.size()))};
}

std::string with_spaces(std::string_view text) {
    std::string out(text);
    for (std::size_t at = 0; (at = out.find("%20", at)) != std::string::npos;) out.replace(at, 3, " ");
    return out;
}

std::string name_of(const Scenario* scenario, std::string_view key) {
    if (const BoardKnob* knob = find_board_knob(key)) return std::string(knob->label);
    const Knob* knob = scenario == nullptr ? nullptr : find_knob(*scenario, key);
    return std::string(knob == nullptr ? key : knob->label);
}

std::string axis_words(const Scenario* scenario, const NamedValue& setting) {
    return fmt::format("{} {}", setting.key == "axis" ? "plot against" : "and",
                       name_of(scenario, setting.value));
}

std::string setting_words(const Scenario* scenario, const NamedValue& setting) {
    if (setting.key == "axis" || setting.key == "second-axis") return axis_words(scenario, setting);
    if (setting.key == "cold") return setting.value == "1" ? "cold caches" : "warm caches";
    if (setting.key == "log") return setting.value == "1" ? "logarithmic axes" : "linear axes";
    if (setting.key == "compare") return "beside " + with_spaces(setting.value);
    if (setting.key == "scope") return fmt::format("numbers of the {}", setting.value);
    if (setting.key == "instruction")
        return setting.value == "all"
                   ? "all pictures side by side"
                   : fmt::format("picture {}", std::atoi(std::string(setting.value).c_str()) + 1);
    return fmt::format("{} {}", name_of(scenario, setting.key), with_spaces(setting.value));
}

}  // namespace

bool leads_out(std::string_view link) { return link.starts_with("https://") || link.starts_with("http://"); }

std::string describe_link(std::string_view link) {
    if (leads_out(link)) return fmt::format("Copies the address: {}", link);
    const std::size_t mark = std::min(link.find('?'), link.size());
    const std::string_view id = link.substr(0, mark);
    const Scenario* scenario = find_scenario(id);
    std::string_view query = link.substr(std::min(mark + 1, link.size()));
    std::string settings, board;
    while (!query.empty()) {
        const NamedValue setting = next_setting(query);
        const BoardInfo* info = setting.key == "board" ? find_board(setting.value) : nullptr;
        if (info != nullptr) board = fmt::format(" On the board {}.", info->label);
        if (info != nullptr || setting.key == "tab") continue;
        settings += (settings.empty() ? "" : ", ") + setting_words(scenario, setting);
    }
    const std::string_view name = scenario != nullptr ? scenario->info->title : id;
    if (name.empty())
        return settings.empty() ? board.substr(board.empty() ? 0 : 1) : "Sets " + settings + "." + board;
    return fmt::format("{} {}{}{}.{}", settings.empty() ? "Goes to" : "Sets", name,
                       settings.empty() ? "" : ": ", settings, board);
}

}  // namespace warplens
