#include "app/experiment/link_words.h"

#include "app/experiment/link.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// "Padding 0, device A100". @param board  set to the words about the board. Empty if there are none.
std::string words_of(const std::vector<Item>& items, const Scenario* scenario, std::string* board = nullptr) {
    std::string text;
    for (const Item& item : items) {
        std::string words = describe_item(item, scenario);
        if (board != nullptr && item.key == "board") {
            *board = std::move(words);
        } else if (!words.empty()) {
            text += (text.empty() ? "" : ", ") + words;
        }
    }
    return text;
}

/// The title of a scenario. The text itself if there is no such scenario.
std::string name_of(const LinkParts& link) {
    const Scenario* scenario = find_scenario(link.scenario);
    std::string name(scenario != nullptr ? scenario->info->title : link.scenario);
    std::erase(name, '%');
    return name;
}

}  // namespace

bool leads_out(std::string_view link) { return link.starts_with("https://") || link.starts_with("http://"); }

std::string describe_link(std::string_view link) {
    if (leads_out(link)) return fmt::format("Copies the address: {}", link);
    const LinkParts parts = parts_of_link(link);
    const std::string name = name_of(parts);
    std::string board;
    const std::string settings = words_of(parts.items, find_scenario(parts.scenario), &board);
    std::string text = settings.empty()
                           ? (name.empty() ? "" : "Goes to ") + name
                           : fmt::format("Sets {}{}{}", name, name.empty() ? "" : ": ", settings);
    if (!text.empty()) text += '.';
    if (board.empty()) return text;
    board.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(board.front())));
    return fmt::format("{}{}{}.", text, text.empty() ? "" : " ", board);
}

std::string describe_compared(std::string_view text, const Scenario* scenario) {
    if (text == "none") return "nothing";
    if (!is_link(text)) return words_of(split_any_items(text, ','), scenario);
    const LinkParts parts = parts_of_link(text);
    const std::string settings = words_of(parts.items, find_scenario(parts.scenario));
    return fmt::format("{}{}{}", name_of(parts), settings.empty() ? "" : ": ", settings);
}

}  // namespace warplens
