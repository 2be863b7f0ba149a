#include "app/base/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

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

namespace {

constexpr std::array<std::string_view, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

}  // namespace

int unit_of_bytes(double bytes) {
    int unit = 0;
    if (std::abs(bytes) < 1e4) return unit;
    // 1023.5 would be written as 1024, so it belongs to the next unit.
    for (; std::abs(bytes) >= 1023.5 && unit + 1 < int(kUnits.size()); ++unit) bytes /= 1024;
    return unit;
}

std::string format_bytes(double bytes) {
    const int unit = unit_of_bytes(bytes);
    if (unit == 0) return fmt::format("{} B", format_count(std::llround(bytes)));
    bytes = std::ldexp(bytes, -10 * unit);
    const double size = std::abs(bytes);
    std::string digits = fmt::format("{:.{}f}", bytes, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
    if (digits.find('.') != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.ends_with('.')) digits.pop_back();
    }
    return fmt::format("{} {}", digits, kUnits[unit]);
}

std::string format_size(double bytes) {
    std::size_t unit = 0;
    for (; bytes >= 1023.95 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
    const bool whole = std::abs(bytes - std::round(bytes)) < 0.05;
    return fmt::format("{:.{}f} {}", bytes, whole ? 0 : 1, kUnits[unit]);
}

std::string format_percent(double part, double whole) {
    if (whole <= 0) return "0 %";
    const double percent = 100 * part / whole;
    const int digits = percent < 9.995 ? 2 : 1;
    const double scale = std::pow(10, digits);
    // Rounded here, since exact halves such as 3.125 would go to the even digit.
    std::string text = fmt::format("{:.{}f}", std::round(percent * scale) / scale, digits);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " %";
}

std::string format_duration(double us) {
    if (us >= 1e6) return fmt::format("{:.3g} s", us / 1e6);
    if (us >= 999.5) return fmt::format("{:.3g} ms", us / 1e3);
    return fmt::format("{:.3g} µs", us);
}

std::string format_bandwidth(double gb_per_s) {
    const auto three_digits = [](double value) {
        return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
    };
    return gb_per_s < 999.5 ? three_digits(gb_per_s) + " GB/s" : three_digits(gb_per_s / 1000) + " TB/s";
}

std::string counted(std::int64_t count, std::string_view singular) {
    return fmt::format("{} {}{}", format_count(count), singular, count == 1 ? "" : "s");
}

}  // namespace warplens
