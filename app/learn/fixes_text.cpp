#include "app/learn/fixes.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

const FixAnswer::Number* FixAnswer::number(std::string_view key) const {
    const auto found =
        std::ranges::find_if(numbers, [&](const QuantityPair& one) { return one.named().key == key; });
    return found == numbers.end() ? nullptr : &*found;
}

std::string next_text(const Fixes& fixes) {
    if (fixes.next < 0) return {};
    const FixAnswer& next = fixes.answers[fixes.next];
    return fmt::format("Try {}: {}", next.change, next.gain);
}

FixChoice without_own(FixChoice choice, const Params& params) {
    std::erase_if(choice.also, [&](const std::vector<KnobValue>& also) {
        return std::ranges::all_of(
            also, [&](const KnobValue& one) { return params.*one.knob->field == one.value; });
    });
    return choice;
}

std::string knobs_text(const std::vector<const Knob*>& knobs, const Params& params) {
    std::string text;
    for (const Knob* knob : knobs)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", knob->label, format_knob(*knob, params));
    return text;
}

std::string access_text(const std::vector<KnobValue>& access) {
    std::string text;
    for (const KnobValue& one : access) {
        Params params;
        params.*one.knob->field = one.value;
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", one.knob->label, format_knob(*one.knob, params));
    }
    return text;
}

}  // namespace warplens
