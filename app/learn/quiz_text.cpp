#include "app/learn/quiz.h"
#include "kernels/texture_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace warplens {
namespace {

/// "All lanes take part." or "Only lanes 0-7, 16 take part."
std::string lanes_text(std::uint32_t active) {
    if (active == kAllLanes) return "All lanes take part.";
    std::string ranges;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int length = std::countr_one(active >> lane);
        if (length == 0) continue;
        ranges += fmt::format("{}{}", ranges.empty() ? "" : ", ", lane);
        if (length > 1) ranges += fmt::format("-{}", lane + length - 1);
        lane += length;
    }
    return fmt::format("Only lane{} {} take{} part.", std::has_single_bit(active) ? "" : "s", ranges,
                       std::has_single_bit(active) ? "s" : "");
}

/// The text of a tell, with the values of the knobs.
std::string filled(std::string_view text, const State& state) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        if (text.empty()) break;
        const std::size_t close = text.find('}');
        out += std::to_string(state.params.*find_knob(*state.scenario, text.substr(1, close - 1))->field);
        text.remove_prefix(close + 1);
    }
    return out;
}

}  // namespace

std::vector<std::string_view> quiz_parts(std::string_view list) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        parts.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

bool quiz_holds(const State& state, std::string_view only) {
    bool all = true;
    for (const std::string_view one : quiz_parts(only)) {
        const std::size_t equals = one.find('=');
        const Knob* knob = find_knob(*state.scenario, one.substr(0, equals));
        all &= parse_knob(*knob, state.params, one.substr(equals + 1)) == state.params.*knob->field;
    }
    return all;
}

std::string quiz_rule(const InstructionReport& row, const BankRules& banks) {
    switch (row.instruction.space) {
        case Space::shared: {
            const int lanes = lanes_per_group(banks, row.instruction.bytes_per_lane);
            return fmt::format(
                "Shared memory has {} banks of 4 bytes, and the array begins in bank 0. {} A wavefront "
                "delivers one word of each bank, to all lanes that want it.",
                banks.banks,
                lanes == kWarpLanes
                    ? std::string("All lanes are served together.")
                    : fmt::format("Groups of {} neighbouring lanes are served one after the other.", lanes));
        }
        case Space::constant:
            return "A request delivers one word of 4 bytes, to all lanes that want it.";
        case Space::texture:
            return fmt::format(
                "A sector holds {} x {} texels of 4 bytes, the first one at texel(0, 0). Four "
                "neighbouring lanes form a group; what two groups fetch counts twice.",
                kSectorTexelsX, kSectorTexelsY);
        case Space::local:
            return "Word k of the array of lane i lies at byte (k * 32 + i) * 4.";
        default:
            return "Arrays start at multiples of 256 bytes.";
    }
}

std::string quiz_access(const State& state, const InstructionReport& row, std::span<const QuizTell> tells) {
    for (const QuizTell& tell : tells) {
        const bool named = tell.label.empty() || tell.label == row.instruction.label;
        if (!named || !quiz_holds(state, tell.only)) continue;
        return fmt::format("{}.{}{} Lane i {}s {} bytes: {}. {}", row.instruction.label,
                           tell.where.empty() ? "" : " ", filled(tell.where, state),
                           is_load(row.instruction.op) ? "load" : "store", row.instruction.bytes_per_lane,
                           filled(tell.access, state), lanes_text(row.access.active));
    }
    return {};
}

std::string quiz_launches(const Scenario& scenario, const Params& a, const Params& b) {
    std::string common, own, help;
    for (const Knob& knob : scenario.info->knobs) {
        if (knob.picture_only) continue;
        const bool same = a.*knob.field == b.*knob.field;
        const bool words =
            knob.kind == KnobKind::choice && std::isalpha(knob.choices.front().name.front()) != 0;
        if (same)
            common += fmt::format("{}{}={}", common.empty() ? "" : ", ", knob.key, format_knob(knob, a));
        else
            own =
                fmt::format(" A: {0}={1}. B: {0}={2}.", knob.key, format_knob(knob, a), format_knob(knob, b));
        if (!same || words) help += fmt::format(" ({}) {}", knob.key, knob.tooltip);
    }
    return fmt::format("{}, {}: launches of {} with {}.{}{}", scenario.info->title, scenario.info->formula,
                       scenario.info->id, common, own, help);
}

}  // namespace warplens
