#include "app/measure/ncu/ncu_csv.h"

#include "app/base/parse_number.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Blanks and apostrophes that part thousands in some locales, with the no-break ones of French and the
/// typographic one of Swiss numbers.
constexpr std::array<std::string_view, 5> kNeverDecimal = {" ", "'", "\xc2\xa0", "\xe2\x80\xaf",
                                                           "\xe2\x80\x99"};

/// A number taken apart: digits and marks, sign and exponent aside.
struct Parts {
    bool negative = false;
    std::string body;      ///< digits, '.' and ','
    std::string exponent;  ///< "", "e+06"
};

std::optional<Parts> take_apart(std::string_view text) {
    Parts parts;
    text = trim(text);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        parts.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        parts.exponent = text.substr(e);
        text = text.substr(0, e);
    }
    while (!text.empty()) {
        std::size_t taken = 0;
        if (is_digit(text.front()) || text.front() == '.' || text.front() == ',') {
            parts.body += text.front();
            taken = 1;
        } else {
            const auto blank = std::find_if(kNeverDecimal.begin(), kNeverDecimal.end(),
                                            [&](std::string_view mark) { return text.starts_with(mark); });
            if (blank == kNeverDecimal.end()) return std::nullopt;
            taken = blank->size();
        }
        text.remove_prefix(taken);
    }
    const bool any = std::any_of(parts.body.begin(), parts.body.end(), is_digit);
    return any && parts.body.size() <= 64 && parts.exponent.size() <= 8 ? std::optional(parts) : std::nullopt;
}

/// The mark before the decimals of a number without its sign and unit.
DecimalMark mark_of_body(const std::string& body) {
    const std::size_t last = body.find_last_of(".,");
    if (last == std::string::npos) return DecimalMark::unknown;
    const auto as_mark = [](char c) { return c == '.' ? DecimalMark::point : DecimalMark::comma; };
    const auto other = [](char c) { return c == '.' ? DecimalMark::comma : DecimalMark::point; };
    const auto times = std::count(body.begin(), body.end(), body[last]);
    const auto marks = std::count_if(body.begin(), body.end(), [](char c) { return !is_digit(c); });
    if (times > 1) return times == marks ? other(body[last]) : DecimalMark::unknown;
    if (marks > 1) return as_mark(body[last]);
    const std::size_t behind = body.size() - last - 1;
    const bool groups = behind == 3 && last >= 1 && last <= 3 && body.front() != '0';
    return groups ? DecimalMark::unknown : as_mark(body[last]);
}

/// Digits before the decimals, in groups of three (the first may be shorter; India's have two).
bool well_grouped(std::string_view digits, char mark) {
    const std::size_t last = digits.rfind(mark);
    if (last == std::string_view::npos) return true;
    if (digits.size() - last - 1 != 3 || last == 0) return false;
    std::size_t length = 0;
    for (const char c : digits.substr(0, last + 1)) {
        if (c == mark && (length == 0 || length > 3)) return false;
        length = c == mark ? 0 : length + 1;
    }
    return true;
}

struct Plain {
    std::string text;  ///< as parse_number takes it
    int decimals = 0;
};

std::optional<Plain> without_groups(const Parts& parts, char decimal) {
    const char group = decimal == '.' ? ',' : '.';
    const std::size_t at = parts.body.find(decimal);
    const std::string_view body = parts.body;
    const std::string_view whole = body.substr(0, at);
    const std::string_view behind = at == std::string_view::npos ? std::string_view() : body.substr(at + 1);
    if (!well_grouped(whole, group) || !std::all_of(behind.begin(), behind.end(), is_digit))
        return std::nullopt;
    Plain plain{parts.negative ? "-" : "", int(behind.size())};
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(plain.text), is_digit);
    if (plain.text.empty() || !is_digit(plain.text.back())) plain.text += '0';
    if (!behind.empty()) (plain.text += '.') += behind;
    plain.text += parts.exponent;
    return plain;
}

bool means_none(std::string_view text) {
    constexpr std::string_view kNone[] = {"",     "n/a",  "N/A",      "nan",      "-nan", "NaN",
                                          "inf",  "-inf", "no data",  "none",     "-",    "NULL",
                                          "null", "na",   "infinity", "-nan(ind)"};
    return text.starts_with("(!)") || std::find(std::begin(kNone), std::end(kNone), text) != std::end(kNone);
}

/// Without instances: "12 (4; 8)" is 12.
std::string_view without_instances(std::string_view text) {
    text = trim(text);
    const std::size_t bracket = text.find('(');
    return bracket == std::string_view::npos || bracket == 0 ? text : trim(text.substr(0, bracket));
}

}  // namespace

DecimalMark decimal_mark_of(std::string_view text) {
    const auto parts = take_apart(without_instances(text));
    if (!parts) return DecimalMark::unknown;
    const DecimalMark mark = mark_of_body(parts->body);
    if (mark == DecimalMark::unknown) return mark;
    return without_groups(*parts, mark == DecimalMark::point ? '.' : ',') ? mark : DecimalMark::unknown;
}

double unit_scale(std::string_view unit) {
    constexpr std::pair<std::string_view, double> kTimes[] = {
        {"us", 1e3}, {"usecond", 1e3}, {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9}, {"second", 1e9}};
    const auto time = std::ranges::find(kTimes, unit, &std::pair<std::string_view, double>::first);
    if (time != std::end(kTimes)) return time->second;
    constexpr std::string_view kPrefixes = "KMGT";
    constexpr std::string_view kBases[] = {"",     "byte", "byte/block", "sector", "request",
                                           "inst", "warp", "wavefront",  "cycle",  "thread"};
    const std::size_t prefix = unit.empty() ? std::string_view::npos : kPrefixes.find(unit.front());
    if (prefix == std::string_view::npos) return 1;
    std::string_view base = unit.substr(1);
    if (base.ends_with('s')) base.remove_suffix(1);
    if (std::find(std::begin(kBases), std::end(kBases), base) == std::end(kBases)) return 1;
    return std::pow(1000.0, double(prefix) + 1);
}

NcuNumber read_ncu_number(std::string_view text, std::string_view unit, DecimalMark mark, bool whole) {
    text = without_instances(text);
    if (means_none(text)) return {NcuNumber::State::none};
    const NcuNumber unreadable{NcuNumber::State::unreadable};
    const auto parts = take_apart(text);
    if (!parts) return unreadable;
    const double scale = unit_scale(unit);
    const DecimalMark own = mark_of_body(parts->body);
    const std::size_t at = parts->body.find_first_of(".,");
    char decimal = mark == DecimalMark::comma ? ',' : '.';
    if (own != DecimalMark::unknown)
        decimal = own == DecimalMark::comma ? ',' : '.';
    else if (whole && scale == 1 && parts->exponent.empty() && at != std::string::npos)
        decimal = parts->body[at] == '.' ? ',' : '.';
    const auto plain = without_groups(*parts, decimal);
    if (!plain) return unreadable;
    NcuNumber number{NcuNumber::State::number};
    const auto value = parse_number<double>(plain->text);
    if (!value || !std::isfinite(*value)) return unreadable;
    number.value = *value * scale;
    if (scale > 1) number.rounding = 0.5 * scale * std::pow(10.0, -plain->decimals);
    return number;
}

}  // namespace warplens
