#include "app/experiment/link.h"

#include "app/base/errors.h"
#include "app/base/nearest.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace warplens {
namespace {

struct LinkItem {
    std::string key, value;
};

/// "%20" and the like. A percent sign without two hexadecimal digits stays.
std::string decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int code = 0;
        const bool escaped =
            text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == text.data() + i + 3;
        out += escaped ? static_cast<char>(code) : text[i];
        if (escaped) i += 2;
    }
    return out;
}

std::string encode(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                           std::string_view("-._^=x").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::vector<LinkItem> split_items(std::string_view link, std::string_view query) {
    std::vector<LinkItem> items;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view item = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size())
            throw UsageError(fmt::format("link '{}': expected key=value, not '{}'", link, item));
        items.push_back({decode(item.substr(0, equals)), decode(item.substr(equals + 1))});
    }
    return items;
}

int one_of(const LinkItem& item, std::span<const std::string_view> words) {
    const auto found = std::ranges::find(words, item.value);
    if (found != words.end()) return static_cast<int>(found - words.begin());
    throw UsageError(fmt::format("{}={}: expected {}", item.key, item.value,
                                 join_names(std::vector<std::string_view>(words.begin(), words.end()))));
}

bool yes_or_no(const LinkItem& item) {
    constexpr std::array<std::string_view, 2> kWords{"0", "1"};
    return one_of(item, kWords) == 1;
}

int whole_number(std::string_view key, std::string_view value) {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size()) return number;
    throw UsageError(fmt::format("{}={}: expected a whole number", key, value));
}

Board board_of(const LinkItem& item) {
    if (const BoardInfo* info = find_board(item.value)) return info->board;
    std::vector<std::string_view> keys;
    for (const BoardInfo& info : all_boards()) keys.push_back(info.key);
    throw UsageError(fmt::format("there is no board '{}'{} (boards: {})", item.value,
                                 did_you_mean(item.value, keys), join_names(keys)));
}

std::size_t device_of(const LinkItem& item, const std::vector<DeviceFacts>& devices) {
    if (const auto found = find_device(devices, item.value)) return *found;
    throw UsageError(fmt::format("device={}: there is no such GPU in the table", item.value));
}

/// Those items that are about the place rather than about a knob. @return  whether this was one.
bool apply_item(const LinkItem& item, Place& place, const std::vector<DeviceFacts>& devices) {
    constexpr std::array<std::string_view, 3> kScopes{"warp", "block", "grid"};
    constexpr std::array<std::string_view, 5> kTabs{"why", "code", "lesson", "reading", "source"};
    State& state = place.state;
    if (item.key == "device") {
        state.device = device_of(item, devices);
    } else if (item.key == "board") {
        state.board = board_of(item);
    } else if (item.key == "axis") {
        state.axis = &require_axis(*state.scenario, item.value);
    } else if (item.key == "second-axis") {
        state.second_axis = &require_axis(*state.scenario, item.value);
    } else if (item.key == "log") {
        state.log_axes = yes_or_no(item);
    } else if (item.key == "bank-mode") {
        state.bank_mode = bank_mode_of(item.key, item.value);
    } else if (item.key == "cold") {
        state.cold = yes_or_no(item);
    } else if (item.key == "scope") {
        place.scope = one_of(item, kScopes);
    } else if (item.key == "tab") {
        place.tab = one_of(item, kTabs);
    } else if (item.key == "instruction") {
        place.instruction = item.value == "all" ? -1 : whole_number(item.key, item.value);
    } else if (find_board_knob(item.key) != nullptr || item.key.find('.') != std::string::npos) {
        apply_board_setting(state.boards, item.key, item.value);
    } else {
        return false;
    }
    return true;
}

}  // namespace

BankMode bank_mode_of(std::string_view key, std::string_view value) {
    if (value == "4") return BankMode::four_bytes;
    if (value == "8") return BankMode::eight_bytes;
    throw UsageError(fmt::format("{}={}: expected 4 or 8, the bytes of a bank's word on CC 3.x", key, value));
}

void apply_board_setting(BoardParams& params, std::string_view key, std::string_view value) {
    const BoardKnob* knob = find_board_knob(key);
    if (knob == nullptr) {
        std::vector<std::string_view> keys;
        for (const BoardKnob& other : board_knobs()) keys.push_back(other.key);
        throw UsageError(fmt::format("there is no setting '{}'{} (settings: {})", key,
                                     did_you_mean(key, keys), join_names(keys)));
    }
    const int number = whole_number(key, value);
    if (number < knob->min || number > knob->max)
        throw UsageError(
            fmt::format("{}={}: {} takes {} to {}", key, value, knob->label, knob->min, knob->max));
    params.*knob->field = number;
}

Place follow_link(std::string_view link, const State& now, const std::vector<DeviceFacts>& devices) {
    const std::size_t mark = std::min(link.find('?'), link.size());
    const std::string id = decode(link.substr(0, mark));
    const std::vector<LinkItem> items =
        split_items(link, mark < link.size() ? link.substr(mark + 1) : std::string_view{});
    Place place{now, {}, {}, {}};
    if (!id.empty()) {
        place.state = initial_state(require_scenario(id), now.device);
        place.state.boards = now.boards;
    }
    place.state.bank_mode = now.bank_mode;
    place.state.board = Board::access;
    place.state.compared = now.compared;
    std::vector<std::string> knobs;
    std::string compare;
    for (const LinkItem& item : items) {
        if (item.key == "compare")
            compare = item.value;
        else if (!apply_item(item, place, devices))
            knobs.push_back(item.key + "=" + item.value);
    }
    clamp_board(place.state.boards);
    if (!id.empty() || !knobs.empty()) place.state.params = apply_settings(*place.state.scenario, knobs);
    if (compare == "none")
        place.state.compared.reset();
    else if (!compare.empty())
        place.state.compared = compared_setting(compare, place.state, devices);
    const int count = place.state.scenario->instruction_count(place.state.params);
    if (place.instruction && (*place.instruction < -1 || *place.instruction >= count))
        throw UsageError(fmt::format("instruction={}: {} has instructions 0 to {} as it is set",
                                     *place.instruction, place.state.scenario->info->id, count - 1));
    return place;
}

Setting compared_setting(std::string_view text, const State& beside,
                         const std::vector<DeviceFacts>& devices) {
    State alone = beside;
    alone.compared.reset();
    const bool is_link = text.find('?') != std::string_view::npos || text.find('=') == std::string_view::npos;
    if (is_link) return follow_link(text, alone, devices).state;
    std::string more(text);
    std::ranges::replace(more, ',', '&');
    return follow_link(link_to(alone, devices) + "&" + more, alone, devices).state;
}

std::string compared_text(const Setting& setting, const State& beside,
                          const std::vector<DeviceFacts>& devices) {
    std::string text;
    const auto add = [&text](std::string_view key, std::string_view value) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
    };
    const State other = state_of(setting, beside);
    if (setting.scenario == beside.scenario && setting.bank_mode == beside.bank_mode) {
        for (const Knob& knob : setting.scenario->info->knobs) {
            if (setting.params.*knob.field != beside.params.*knob.field)
                add(knob.key, format_knob(knob, setting.params));
        }
        for (const BoardKnob& knob : board_knobs()) {
            if (other.boards.*knob.field != beside.boards.*knob.field)
                add(knob.key, std::to_string(other.boards.*knob.field));
        }
        if (setting.cold != beside.cold) add("cold", setting.cold ? "1" : "0");
        if (setting.device != beside.device) add("device", devices[setting.device].name);
    }
    return text.empty() ? link_to(other, devices) : text;
}

std::string link_to(const State& state, const std::vector<DeviceFacts>& devices) {
    const ScenarioInfo& info = *state.scenario->info;
    const State usual = initial_state(*state.scenario, state.device);
    std::string query;
    const auto add = [&query](std::string_view key, std::string_view value) {
        query += fmt::format("{}{}={}", query.empty() ? "?" : "&", key, encode(value));
    };
    for (const Knob& knob : info.knobs) {
        if (state.params.*knob.field != info.defaults.*knob.field)
            add(knob.key, format_knob(knob, state.params));
    }
    if (state.axis != usual.axis && state.axis != nullptr) add("axis", state.axis->key);
    if (state.second_axis != nullptr) add("second-axis", state.second_axis->key);
    if (state.log_axes) add("log", "1");
    if (state.cold) add("cold", "1");
    if (state.bank_mode == BankMode::eight_bytes) add("bank-mode", "8");
    if (state.board != Board::access) add("board", board_info(state.board).key);
    const BoardParams defaults;
    for (const BoardKnob& knob : board_knobs()) {
        if (state.boards.*knob.field != defaults.*knob.field)
            add(knob.key, std::to_string(state.boards.*knob.field));
    }
    add("device", devices[state.device].name);
    if (state.compared) add("compare", compared_text(*state.compared, state, devices));
    return std::string(info.id) + query;
}

}  // namespace warplens
