#include "app/pictures/kit/hidden_counts.h"

#include <algorithm>
#include <array>
#include <span>

namespace warplens {
namespace {

bool has_any(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace

bool tells_a_count(std::string_view text) {
    constexpr std::array<std::string_view, 12> kCosts{"wavefront",   "sector", "serialized", "used",
                                                      "ideal",       " of ",   "line",       "request",
                                                      "transaction", "more",   "=",          "%"};
    return text.find_first_of("0123456789") != text.npos && has_any(text, kCosts);
}

std::string without_counts(std::string_view tooltip) {
    constexpr std::array<std::string_view, 6> kCosts{"wavefront", "in request ", " used",
                                                     "distinct",  " times",      "ideal"};
    std::string kept;
    while (!tooltip.empty()) {
        const std::size_t end = std::min(tooltip.find('\n'), tooltip.size());
        const std::string_view line = tooltip.substr(0, end);
        if (!has_any(line, kCosts)) kept.append(kept.empty() ? "" : "\n").append(line);
        tooltip.remove_prefix(std::min(end + 1, tooltip.size()));
    }
    return kept;
}

}  // namespace warplens
