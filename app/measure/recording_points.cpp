#include "app/base/errors.h"
#include "app/measure/recording_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestSettings = 4000;
constexpr double kMostCount = 1e18;
constexpr int kMostSessions = 1'000'000;

/// Set a knob from text.
/// @return  false if it is no value of this knob.
bool set_knob(const Knob& free_knob, std::string_view text, Params& params) {
    const auto value = parse_knob(free_knob, params, text);
    if (value) params.*free_knob.field = *value;
    return value.has_value();
}

/// The same from a point's cell, which is a number, or a text as --set takes it.
bool set_cell(const Knob& free_knob, const json& cell, Params& params) {
    if (cell.is_number_integer())
        return set_knob(free_knob, std::to_string(cell.get<std::int64_t>()), params);
    return cell.is_string() && set_knob(free_knob, cell.get_ref<const std::string&>(), params);
}

/// Apply settings such as "a=1,b=2".
/// @param strict  whether an unknown knob is reported; otherwise it is ignored.
/// @return  what is not known, as a reason to leave points out. Empty if everything is known.
std::string apply(const Scenario& scenario, std::string_view settings, bool strict, Params& params) {
    while (!settings.empty()) {
        const std::string_view item = settings.substr(0, settings.find(','));
        const auto [key, value] = take_knob_text(settings);
        const Knob* knob = find_knob(scenario, key);
        if (knob == nullptr && !strict) continue;
        if (knob == nullptr)
            return fmt::format("parameter {} of {}", shown(std::string(key)), scenario.info->id);
        if (!set_knob(without_limit(*knob), value, params))
            return fmt::format("{} of {}", shown(std::string(item)), scenario.info->id);
    }
    return {};
}

bool in_order(double lower, double median, double upper) { return lower <= median && median <= upper; }

/// A contradiction between numbers that are valid alone. Empty if there is none.
std::string_view contradiction(const Timing& t) {
    if (t.median_us <= 0) return "expected a median_us above 0";
    const bool ordered = in_order(t.lower_us, t.median_us, t.upper_us) &&
                         in_order(t.cycles_lower, t.cycles_per_request, t.cycles_upper) &&
                         in_order(t.bank_cycles_lower, t.bank_cycles, t.bank_cycles_upper);
    return ordered ? "" : "expected quartiles below and above their median";
}

}  // namespace

void RecordedKernels::read(const JsonPlace& list) {
    if (list.size() > kMostRecordedKernels)
        list.fail(fmt::format("expected at most {} kernels, found {}", kMostRecordedKernels, list.size()));
    for (const JsonPlace& kernel : list.elements()) {
        const JsonPlace text = kernel.member("text");
        all_.push_back({kernel.text_or("name", kLongestName), text.prose()});
        if (all_.back().text.size() > kMostRecordedKernelBytes)
            text.fail(fmt::format("expected at most {} bytes of text, found {}", kMostRecordedKernelBytes,
                                  all_.back().text.size()));
    }
}

const Scenario* RecordedKernels::open(const JsonPlace& index, std::string& unknown) {
    const std::size_t place = index.whole(0, int(kMostRecordedKernels));
    if (place >= all_.size()) index.wrong(fmt::format("one of {} kernels", all_.size()));
    Kernel& kernel = all_[place];
    if (kernel.scenario == nullptr && kernel.unknown.empty()) {
        if (stop_.stop_requested()) throw RecordingError("cancelled");
        kernel.unknown = kernel.name.empty() ? "a kernel that was typed" : "kernel " + kernel.name;
        try {
            if (open_) kernel.scenario = &open_(kernel.text, kernel.name);
        } catch (const UsageError& error) {
            kernel.unknown += fmt::format(", {}", error.what());
        }
    }
    if (kernel.scenario == nullptr) unknown = kernel.unknown;
    return kernel.scenario;
}

std::string SeriesReader::skipped() const {
    constexpr std::size_t kMostNamed = 4;
    std::size_t all = 0, named = 0;
    std::string reasons;
    for (const auto& [why, points] : skipped_) {
        all += points;
        if (++named <= kMostNamed) reasons += fmt::format("{}{} ({})", named > 1 ? ", " : "", why, points);
    }
    if (named > kMostNamed) reasons += fmt::format(" and {} more", named - kMostNamed);
    if (skipped_.empty()) return {};
    return fmt::format("left out {} {} that this version does not know: {}", all,
                       all == 1 ? "point" : "points", reasons);
}

SeriesReader::Target SeriesReader::target_of(const std::string& column) const {
    if (column == kMethodColumn) return {.method = true};
    if (column.starts_with(kCounterPrefix)) return {.counter = column.substr(kCounterPrefix.size())};
    for (const RecordingColumn& known : recording_columns()) {
        if (known.name == column) return {.column = &known};
    }
    return {};
}

/// @return  the same as apply().
std::string SeriesReader::held_knobs(const JsonPlace& place, const Scenario& scenario, Params& held) const {
    held = scenario.info->defaults;
    const std::string id(scenario.info->id);
    std::string unknown;
    if (scenario.typed == nullptr)  // else its text says them
        unknown = apply(scenario, defaults_.text_or(id.c_str(), kLongestSettings), false, held);
    if (unknown.empty()) unknown = apply(scenario, place.text_or("set", kLongestSettings), true, held);
    return unknown;
}

/// @return  null if this program does not know it, for the reason in `unknown`.
const Scenario* SeriesReader::scenario_of(const JsonPlace& place, std::string& unknown) const {
    const std::string id = place.member("scenario").text(kLongestName);
    if (place.has("kernel")) return kernels_.open(place.member("kernel"), unknown);
    const Scenario* scenario = find_scenario(id);
    if (scenario == nullptr) unknown = fmt::format("scenario {}", shown(id));
    return scenario;
}

void SeriesReader::read(const JsonPlace& place) {
    const JsonPlace points = place.member("points");
    const std::size_t count = points.size();
    points_ += count;
    if (points_ > kMostRecordedPoints)
        throw RecordingError(fmt::format("it has more than {} points", kMostRecordedPoints));
    const int sessions = int(recording_.sessions.size());
    const JsonPlace session = place.member("session");
    const int session_index = session.whole(0, kMostSessions);
    if (session_index >= sessions) session.wrong(fmt::format("one of {} sessions", sessions));

    std::string unknown;
    const Scenario* scenario = scenario_of(place, unknown);
    RecordedSeries series{scenario, std::size_t(session_index), {}};
    Reading first;
    first.point.timing.gpu = recording_.gpu.name;
    if (unknown.empty()) unknown = held_knobs(place, *scenario, first.point.params);
    if (!unknown.empty()) return skip(std::move(unknown), count);

    std::vector<Target> targets;
    if (place.has("swept")) {
        for (const JsonPlace& swept : place.member("swept").elements()) {
            const std::string key = swept.text(kLongestName);
            const Knob* knob = find_knob(*scenario, key);
            if (knob == nullptr)
                return skip(fmt::format("parameter {} of {}", shown(key), scenario->info->id), count);
            targets.push_back({.knob = without_limit(*knob)});
        }
    }
    if (place.has("columns")) {
        for (const JsonPlace& column : place.member("columns").elements())
            targets.push_back(target_of(column.text(kLongestName)));
    }
    if (place.has("same")) {
        const JsonPlace same = place.member("same");
        if (!same.value().is_object()) same.wrong("an object");
        for (const auto& [name, value] : same.value().items()) {
            const std::string why = read_cell(value, target_of(name), first);
            if (!why.empty()) throw RecordingError(fmt::format("{}: {}", same.name(), why));
        }
    }
    read_points(points, targets, first, series);
    if (!series.points.empty()) recording_.series.push_back(std::move(series));
}

void SeriesReader::read_points(const JsonPlace& place, const std::vector<Target>& targets,
                               const Reading& first, RecordedSeries& series) {
    series.points.reserve(place.size());
    for (std::size_t i = 0; i < place.size(); ++i) {
        const json& cells = place.value().at(i);
        if (!cells.is_array() || cells.size() != targets.size())
            place.element(i).wrong(fmt::format("a list of {} numbers", targets.size()));
        Reading reading = first;
        RecordedPoint& point = reading.point;
        std::string wrong, unknown;
        for (std::size_t c = 0; c < targets.size(); ++c) {
            const std::optional<Knob>& knob = targets[c].knob;
            if (!knob)
                wrong = read_cell(cells[c], targets[c], reading);
            else if (!set_cell(*knob, cells[c], point.params))
                unknown = fmt::format("{}={} of {}", knob->key, shown(cells[c]), series.scenario->info->id);
            if (!wrong.empty()) break;
        }
        if (wrong.empty()) wrong = contradiction(point.timing);
        if (!wrong.empty()) throw RecordingError(fmt::format("{}: {}", place.element(i).name(), wrong));
        Params legal = point.params;
        clamp_to_look_up(*series.scenario, legal);
        if (unknown.empty() && legal != point.params)
            unknown = fmt::format("settings out of range of {}", series.scenario->info->id);
        if (!unknown.empty()) {
            skip(std::move(unknown), 1);
            continue;
        }
        if (reading.method != nullptr)
            point.timing.method = method_text(*reading.method, point.timing.repeats);
        series.points.push_back(std::move(point));
    }
}

/// @return  what is wrong with the cell. Empty if it is valid.
std::string SeriesReader::read_cell(const json& cell, const Target& target, Reading& reading) const {
    if (cell.is_null()) return {};
    RecordedPoint& point = reading.point;
    const auto wrong = [&](std::string_view name, std::string_view takes) {
        return fmt::format("{}: expected {}, found {}", name, takes, shown(cell));
    };
    double number = 0;
    if (target.column != nullptr)
        return target.column->read(cell, point) ? "" : wrong(target.column->name, target.column->takes);
    if (target.method) {
        const bool fits = cell.is_number_integer() && read_number(cell, 0, kMostCount, number) &&
                          number < double(methods_.size());
        if (!fits) return wrong(kMethodColumn, fmt::format("one of {} methods", methods_.size()));
        reading.method = &methods_[int(number)];
    } else if (!target.counter.empty()) {
        if (!read_number(cell, 0, kMostCount, number))
            return wrong(target.counter, "a count from 0 to 1e+18");
        point.counters[target.counter] = number;
    }
    return {};
}

}  // namespace warplens
