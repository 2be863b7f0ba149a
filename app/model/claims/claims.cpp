#include "app/model/claims/claims.h"

#include "app/base/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace warplens {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, kVerdicts> kVerdictNames{"right",     "corrected", "outdated",
                                                                "undecided", "in part",   "wrong"};
constexpr std::array<std::string_view, kVerdicts> kVerdictMarks{"\u2713", "\u2717", "\u25f7",
                                                                "?",      "~",      "\u2717"};

ClaimVerdict verdict_of(const std::string& name) {
    const auto found = std::ranges::find(kVerdictNames, name);
    if (found == kVerdictNames.end()) throw std::runtime_error("there is no verdict '" + name + "'");
    return static_cast<ClaimVerdict>(found - kVerdictNames.begin());
}

std::string with_unit(const std::string& number, std::string unit);

/// Whether a computation rests on a predicted speed. Everything else is counted, documented or recorded.
bool rests_on_predicted_speed(const json& what) {
    if (what.is_object() && what.value("compute", "") == "predict" && what.value("field", "") == "value")
        return true;
    return what.is_structured() && std::ranges::any_of(what, rests_on_predicted_speed);
}

/// Reads 7 or [3, 9].
Computed range_of(const json& value) {
    if (value.is_number()) return {value.get<double>(), value.get<double>()};
    return {value.at(0).get<double>(), value.at(1).get<double>()};
}

Said read_said(const json& says, const std::string& unit) {
    const Computed range = range_of(says.at("value"));
    Said said{range.low, range.high, says.value("within", 0.0), says.value("text", "")};
    if (said.text.empty()) said.text = with_unit(claim_number(range), unit);
    return said;
}

Shown read_shown(const json& claim, const ClaimComputer& computer) {
    Shown shown;
    const json& compute = claim.at("compute");
    const json where = claim.value("shown", json());
    if (where.is_null()) {  // counts are shown where they are counted
        if (!compute.is_object() || compute.value("compute", "") != "report")
            throw std::runtime_error("it does not say where it is shown");
        shown.field = compute.at("field").get<std::string>();
        shown.instruction = compute.value("instruction", 0);
        return shown;
    }
    shown.field = where.value("field", "");
    shown.instruction = where.value("instruction", 0);
    shown.predicted = where.value("predicted", "");
    shown.row = where.value("row", "");
    shown.space = where.value("space", "");
    if (const json value = where.value("value", json()); !value.is_null())
        shown.value = computer.compute(value);
    return shown;
}

/// Replaces {0}, {1} … by numbers that the model computes.
std::string with_values(std::string text, const json& claim, const ClaimComputer& computer) {
    const json values = claim.value("values", json::array());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string place = "{" + std::to_string(i) + "}";
        const std::string number = claim_number(computer.compute(values[i]));
        for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;)
            text.replace(at, place.size(), number);
    }
    return text;
}

std::size_t source_of(const std::vector<ClaimSource>& sources, const std::string& key) {
    const auto found = std::ranges::find(sources, key, &ClaimSource::key);
    if (found == sources.end()) throw std::runtime_error("there is no source '" + key + "'");
    return static_cast<std::size_t>(found - sources.begin());
}

Claim read_claim(const json& entry, const std::vector<ClaimSource>& sources, const ClaimComputer& computer) {
    Claim claim;
    claim.id = entry.at("id").get<std::string>();
    claim.source = source_of(sources, entry.at("source").get<std::string>());
    claim.claim = entry.at("claim").get<std::string>();
    claim.inputs = entry.at("inputs").get<std::string>();
    claim.unit = entry.value("unit", "");
    claim.says = read_said(entry.at("says"), claim.unit);
    claim.computed = computer.compute(entry.at("compute"));
    claim.written = range_of(entry.at("computed"));
    claim.listed = verdict_of(entry.at("verdict").get<std::string>());
    claim.verdict = rests_on_predicted_speed(entry["compute"]) ? ClaimVerdict::undecided
                    : agrees(claim.says, claim.computed)       ? ClaimVerdict::right
                    : claim.listed == ClaimVerdict::outdated   ? ClaimVerdict::outdated
                                                               : ClaimVerdict::corrected;
    claim.why = with_values(entry.at("why").get<std::string>(), entry, computer);
    claim.link = entry.at("link").get<std::string>();
    claim.shown = read_shown(entry, computer);
    return claim;
}

Claim read_saying(const json& entry, const std::vector<ClaimSource>& sources) {
    Claim saying;
    saying.id = entry.at("id").get<std::string>();
    saying.source = source_of(sources, entry.at("source").get<std::string>());
    saying.claim = entry.at("saying").get<std::string>();
    saying.says.text = "in words";
    saying.inputs = entry.at("evidence").get<std::string>();
    saying.holds = entry.at("holds").get<std::string>();
    saying.verdict = saying.listed = verdict_of(entry.at("verdict").get<std::string>());
    saying.why = entry.at("why").get<std::string>();
    saying.link = entry.at("link").get<std::string>();
    return saying;
}

/// Whole numbers without decimals, others with at most this many.
std::string one_number(double value, int decimals) {
    if (std::abs(value - std::round(value)) < 1e-9 * std::max(1.0, std::abs(value)))
        return format_count(std::llround(value));
    const double scale = std::pow(10, decimals);
    const double rounded = std::round(value * scale) / scale;
    std::string text = std::to_string(rounded);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    const std::size_t point = std::min(text.find('.'), text.size());
    return format_count(std::stoll(text.substr(0, point))) + text.substr(point);
}

/// The number of decimals that gives four digits.
int usual_decimals(double value) { return value >= 999.5 ? 0 : value >= 99.95 ? 1 : value >= 9.995 ? 1 : 2; }

std::string range_text(const Computed& value, int decimals) {
    const std::string low = one_number(value.low, std::max(decimals, usual_decimals(value.low)));
    const std::string high = one_number(value.high, std::max(decimals, usual_decimals(value.high)));
    return low == high ? low : low + " to " + high;
}

/// For example "4 blocks" or "1 block".
std::string with_unit(const std::string& number, std::string unit) {
    if (unit.empty()) return number;
    if (number == "1" && unit.ends_with('s')) unit.pop_back();
    return number + " " + unit;
}

}  // namespace

std::string_view claim_verdict_name(ClaimVerdict verdict) { return kVerdictNames[int(verdict)]; }
std::string_view claim_verdict_mark(ClaimVerdict verdict) { return kVerdictMarks[int(verdict)]; }

std::string ClaimSource::text() const {
    return author + ": " + title + (year.empty() ? "" : " (" + year + ")");
}

std::string Claim::computed_text() const {
    if (is_saying()) return "true of " + holds;
    // As many decimals as are needed to see whether the numbers agree.
    const int decimals =
        says.within > 0 && says.within < 0.5 ? int(std::ceil(-std::log10(2 * says.within) - 1e-9)) : 0;
    return with_unit(range_text(computed, decimals), unit);
}

int ClaimList::count(ClaimVerdict verdict) const {
    return int(std::ranges::count(claims, verdict, &Claim::verdict));
}

int ClaimList::sayings() const { return int(std::ranges::count_if(claims, &Claim::is_saying)); }

bool agrees(const Said& says, const Computed& computed) {
    const double slack = says.within + 1e-9 * std::max(1.0, std::abs(says.high));
    return computed.high >= says.low - slack && computed.low <= says.high + slack;
}

std::string claim_number(const Computed& value) { return range_text(value, 0); }

ClaimList work_out(std::string_view worked, const ClaimComputer& computer) {
    ClaimList list;
    const json text = json::parse(worked);
    for (const json& source : text.at("sources")) {
        list.sources.push_back({source.at("key").get<std::string>(), source.at("author").get<std::string>(),
                                source.at("title").get<std::string>(), source.value("year", ""),
                                source.value("about", "")});
    }
    for (const json& entry : text.at("claims")) {
        try {
            list.claims.push_back(read_claim(entry, list.sources, computer));
        } catch (const std::exception& error) {
            throw std::runtime_error("worked number '" + entry.value("id", "?") + "': " + error.what());
        }
    }
    for (const json& entry : text.value("sayings", json::array())) {
        try {
            list.claims.push_back(read_saying(entry, list.sources));
        } catch (const std::exception& error) {
            throw std::runtime_error("saying '" + entry.value("id", "?") + "': " + error.what());
        }
    }
    std::ranges::stable_sort(list.claims, {}, &Claim::source);
    return list;
}

}  // namespace warplens
