#include "app/experiment/compare.h"

#include "app/experiment/codec.h"
#include "app/experiment/evidence.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

void add_board_knobs(std::vector<SetDifference>& all, const State& a, const State& b) {
    for (const BoardKnob* knob : b.board->knobs) {
        const int of_a = a.boards[*knob], of_b = b.boards[*knob];
        if (of_a == of_b) continue;
        all.push_back({std::string(knob->label), std::to_string(of_a), std::to_string(of_b)});
    }
}

void add_knobs(std::vector<SetDifference>& all, const State& a, const State& b) {
    if (a.scenario != b.scenario) {
        const Scenario &of_a = *a.scenario, &of_b = *b.scenario;
        const auto named = [](const State& state, std::string_view name) {
            const std::string settings = describe_settings(*state.scenario, state.params);
            return std::string(name) + (settings.empty() ? "" : ", " + settings);
        };
        // Two texts of a file, or two of its kernels.
        if (of_a.typed == nullptr || of_b.typed == nullptr || of_a.info->title != of_b.info->title)
            all.push_back({"", named(a, of_a.info->title), named(b, of_b.info->title)});
        else if (of_a.typed->kernel() != of_b.typed->kernel())
            all.push_back({"", named(a, of_a.typed->kernel()), named(b, of_b.typed->kernel())});
        else
            all.push_back({"", named(a, "as written"), named(b, "changed")});
        return;
    }
    for (const Knob& knob : a.scenario->info->knobs) {
        if (a.params.*knob.field == b.params.*knob.field) continue;
        all.push_back({std::string(knob.label), format_knob(knob, a.params), format_knob(knob, b.params)});
    }
}

std::string words_of_side(const std::vector<SetDifference>& differences, std::string SetDifference::*side) {
    std::string text;
    for (const SetDifference& difference : differences) {
        if (!text.empty()) text += ", ";
        text += difference.label.empty() ? difference.*side
                                         : fmt::format("{} {}", difference.label, difference.*side);
    }
    return text;
}

}  // namespace

std::vector<QuantityPair> compare_numbers(const std::vector<Quantity>& a, const std::vector<Quantity>& b) {
    // Rows with the same name are matched in order: the first with the first, the second with the second.
    std::multimap<std::string_view, const Quantity*> left;
    for (const Quantity& number : a) left.emplace(number.name, &number);
    std::vector<QuantityPair> rows;
    for (const Quantity& number : b) {
        QuantityPair row{{}, number};
        if (const auto found = left.lower_bound(number.name);
            found != left.end() && found->first == number.name) {
            row.a = *found->second;
            left.erase(found);
        }
        rows.push_back(std::move(row));
    }
    for (const Quantity& number : a) {
        const auto [begin, end] = left.equal_range(number.name);
        if (std::none_of(begin, end, [&](const auto& one) { return one.second == &number; })) continue;
        rows.push_back({number, {}});
    }
    return rows;
}

std::vector<SetDifference> set_differences(const State& a, const State& b,
                                           const std::vector<DeviceFacts>& devices) {
    std::vector<SetDifference> all;
    if (b.board->about_scenario || b.board->knobs.empty()) add_knobs(all, a, b);
    add_board_knobs(all, a, b);
    const auto text = [&devices](const Field& field, const State& state) {
        return field.write({state, {}, {}, {}}, field, devices);
    };
    for (const Field& field : fields()) {
        if (field.of != FieldOf::setting) continue;
        const std::string of_a = text(field, a), of_b = text(field, b);
        if (of_a == of_b) continue;
        all.push_back({"", describe_value(field, of_a, a.scenario), describe_value(field, of_b, b.scenario)});
    }
    return all;
}

SideNames side_names(const State& a, const State& b, const std::vector<DeviceFacts>& devices) {
    const std::vector<SetDifference> all = set_differences(a, b, devices);
    return {words_of_side(all, &SetDifference::a), words_of_side(all, &SetDifference::b)};
}

void add_other_curve(Curve& b, const Curve& a) {
    b.other.reset();
    if (b.knob == nullptr || a.knob != b.knob || a.speed_unit != b.speed_unit) return;
    b.other = Curve::Other{a.here, a.x, a.model, a.gpu};
}

}  // namespace warplens
