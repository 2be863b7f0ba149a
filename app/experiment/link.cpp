#include "app/experiment/link.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/typed/scenario.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr std::size_t kNoDevice = -1;  // so that a link always names the device

Place usual_place(const State& state) { return {initial_state(*state.scenario, kNoDevice), {}, {}, {}}; }

void add_item(std::string& link, const Item& item) {
    const char before = link.find('?') == std::string::npos ? '?' : '&';
    link += fmt::format("{}{}={}", before, item.key, percent_encode(item.value, "-._^="));
}

std::string write_link(const Place& place, const Place& usual, const std::vector<DeviceFacts>& devices) {
    std::string link = scenario_link(*place.state.scenario);
    for (const Item& item : write_items(place, usual, devices)) add_item(link, item);
    return link;
}

/// The state from which follow_link starts for the link of a comparison: what the link does not say is as in
/// `beside`.
Place usual_beside(const State& other, const State& beside) {
    Place usual = usual_place(other);
    const Look axes = usual.state;
    static_cast<Look&>(usual.state) = other;
    usual.state.axis = axes.axis;
    usual.state.second_axis = axes.second_axis;
    usual.state.fit = axes.fit;
    usual.state.boards = beside.boards;
    usual.state.bank_mode = beside.bank_mode;
    return usual;
}

/// The same as state_of, but the position of the player of steps comes from the text.
State seen_as(const State& other, const State& alone) {
    State seen = state_of(other, alone);
    seen.boards = other.boards;
    return seen;
}

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

/// The scenario of a link. Null if there is no such scenario.
const Scenario* known_scenario(LinkParts& link) {
    if (link.scenario.empty()) return nullptr;
    try {
        return &take_scenario(link);
    } catch (const UsageError&) {
        return nullptr;
    }
}

/// The title of a scenario. The text itself if there is no such scenario.
std::string name_of(const LinkParts& link, const Scenario* scenario) {
    std::string name(scenario != nullptr ? scenario->info->title : link.scenario);
    std::erase(name, '%');
    return name;
}

}  // namespace

std::string scenario_link(const Scenario& scenario) {
    std::string link(scenario.info->id);
    for (const Item& item : kernel_items(scenario)) add_item(link, item);
    return link;
}

bool is_link(std::string_view text) {
    return text.find('?') != std::string_view::npos || text.find('=') == std::string_view::npos;
}

const Scenario& take_scenario(LinkParts& link) {
    return link.scenario == typed::kTypedId ? take_kernel(link.items) : require_scenario(link.scenario);
}

LinkParts parts_of_link(std::string_view link) {
    const std::size_t mark = std::min(link.find('?'), link.size());
    LinkParts parts{percent_decode(link.substr(0, mark)), {}};
    std::string_view query = link.substr(std::min(mark + 1, link.size()));
    if (query.ends_with('&')) query.remove_suffix(1);
    if (!query.empty()) parts.items = split_any_items(query, '&');
    return parts;
}

Place follow_link(std::string_view link, const State& now, const std::vector<DeviceFacts>& devices) {
    LinkParts parts = parts_of_link(link);
    require_values(parts.items, fmt::format("link '{}'", printable(std::string(link), kMostMessageBytes)));
    Place place{now, {}, {}, {}};
    if (!parts.scenario.empty()) {
        place.state = initial_state(take_scenario(parts), now.device);
        place.state.boards = now.boards;
        place.state.bank_mode = now.bank_mode;
        place.state.compared = now.compared;
    }
    place.state.board = first_board();
    return read_items(std::move(place), parts.items, devices);
}

std::string link_to(const State& state, const std::vector<DeviceFacts>& devices) {
    return link_to(Place{state, {}, {}, {}}, devices);
}

std::string link_to(const Place& place, const std::vector<DeviceFacts>& devices) {
    return write_link(place, usual_place(place.state), devices);
}

std::string web_link(const std::string& page, const std::string& link) {
    if (page.empty()) return link;
    if (link.starts_with('?')) return page + link;
    const std::size_t mark = link.find('?');
    const std::string items = mark == std::string::npos ? std::string() : link.substr(mark + 1);
    return page + '?' + link.substr(0, mark) + (items.empty() ? "" : '&' + items);
}

void check_web_address(const std::string& page) {
    if (split_once(page, "://").second.empty() || page.find_first_of("?# ") != std::string::npos)
        throw UsageError(
            "--web-address: the address of warplens.html without a setting, such as https://a.org/warplens.html");
}

State compared_state(std::string_view text, const State& beside, const std::vector<DeviceFacts>& devices) {
    State alone = beside;
    alone.compared.reset();
    if (is_link(text)) {
        const State other = follow_link(text, alone, devices).state;
        State seen = seen_as(other, alone);
        if (other.scenario == alone.scenario) return seen;
        seen.axis = other.axis;
        seen.second_axis = other.second_axis;
        seen.fit = other.fit;
        return seen;
    }
    // A knob that the text names must not reset the others to their defaults.
    std::vector<Item> items = write_items({alone, {}, {}, {}}, usual_place(alone), devices);
    const std::vector<Item> more = split_items(text, ',', fmt::format("'{}'", text));
    items.insert(items.end(), more.begin(), more.end());
    return seen_as(read_items({alone, {}, {}, {}}, items, devices).state, alone);
}

std::string compared_text(const State& other, const State& beside, const std::vector<DeviceFacts>& devices) {
    Place there{other, {}, {}, {}}, here{beside, {}, {}, {}};
    there.state.compared.reset();
    here.state.compared.reset();
    const std::string text =
        other.scenario == beside.scenario ? join_items(write_items(there, here, devices)) : std::string();
    return text.empty() ? write_link(there, usual_beside(there.state, beside), devices) : text;
}

bool leads_out(std::string_view link) { return after(link, "https://") || after(link, "http://"); }

std::string describe_link(std::string_view link, std::string_view sets) {
    if (leads_out(link)) return fmt::format("Copies the address: {}", link);
    LinkParts parts = parts_of_link(link);
    const Scenario* scenario = known_scenario(parts);
    const std::string name = name_of(parts, scenario);
    std::string board;
    const std::string settings = words_of(parts.items, scenario, &board);
    std::string text = settings.empty()
                           ? (name.empty() ? "" : "Goes to ") + name
                           : fmt::format("{}{}{}{}", sets, name, name.empty() ? "" : ": ", settings);
    if (!text.empty()) text += '.';
    if (board.empty()) return text;
    return fmt::format("{}{}{}.", text, text.empty() ? "" : " ", capitalized(board));
}

std::string describe_compared(std::string_view text, const Scenario* scenario) {
    if (text == "none") return "nothing";
    if (!is_link(text)) return words_of(split_any_items(text, ','), scenario);
    LinkParts parts = parts_of_link(text);
    const Scenario* other = known_scenario(parts);
    const std::string settings = words_of(parts.items, other);
    return fmt::format("{}{}{}", name_of(parts, other), settings.empty() ? "" : ": ", settings);
}

}  // namespace warplens
