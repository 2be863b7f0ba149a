#include "app/base/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace warplens {

std::string format_count(std::int64_t value) {
    constexpr std::string_view kThinSpace = "\u2009";
    const std::string digits = std::to_string(value);
    const std::size_t sign = value < 0 ? 1 : 0;
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > sign && (digits.size() - i) % 3 == 0) text += kThinSpace;
        text += digits[i];
    }
    return text;
}

std::string format_bytes(double bytes) {
    constexpr std::array<std::string_view, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
    if (std::abs(bytes) < 1e4) return fmt::format("{} B", format_count(std::llround(bytes)));
    std::size_t unit = 0;
    // 999.95 would be written as 1000 with three digits, so it belongs to the next unit.
    while (std::abs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
        bytes /= 1000;
        ++unit;
    }
    const double size = std::abs(bytes);
    return fmt::format("{:.{}f} {}", bytes, size < 9.995 ? 2 : size < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string format_percent(double part, double whole) {
    if (whole <= 0) return "0 %";
    const double percent = 100 * part / whole;
    const bool is_whole = std::abs(percent - std::round(percent)) < 0.005;
    return is_whole ? fmt::format("{:.0f} %", percent)
                    : fmt::format("{:.{}f} %", percent, percent < 1 ? 2 : 1);
}

std::string counted(std::int64_t count, std::string_view singular) {
    return fmt::format("{} {}{}", format_count(count), singular, count == 1 ? "" : "s");
}

}  // namespace warplens
