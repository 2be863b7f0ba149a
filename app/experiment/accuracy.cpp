#include "app/experiment/accuracy.h"

#include "app/base/assets.h"
#include "app/experiment/devices.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The value with at most `share` of the others above it.
double at_share(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const auto index = std::size_t(std::ceil(share * double(values.size())));
    return values[std::clamp<std::size_t>(index, 1, values.size()) - 1];
}

/// For at least one point with factor().
/// @tparam Kind  what has kWithin
template <class Kind>
void set_errors(Kind& result, const auto& points) {
    std::vector<double> errors, distances;
    for (const auto& one : points) {
        const double factor = one.factor();
        errors.push_back(std::abs(factor - 1));
        distances.push_back(std::abs(std::log(std::max(factor, 1e-9))));
    }
    result.points = errors.size();
    result.median = at_share(errors, 0.5);
    result.tenth = at_share(errors, 0.9);
    result.within = double(std::ranges::count_if(errors, [](double e) { return e <= Kind::kWithin; })) /
                    double(errors.size());
    result.worst_at = std::size_t(std::ranges::max_element(distances) - distances.begin());
    result.worst = points[result.worst_at].factor();
}

/// Counts the pairs that differ in one choice only.
void count_pairs(const Scenario& scenario, const std::vector<ComparedPoint>& all, Accuracy& result) {
    constexpr double kDistinct = 1.1, kSame = 1.001;  // predictions nearer than that do not name the faster
    double largest = 0;
    for (const Knob& knob : scenario.info->knobs) {
        if (knob.kind != KnobKind::choice || knob.picture_only) continue;
        std::map<std::string, std::vector<const ComparedPoint*>> groups;
        for (const ComparedPoint& one : all) {
            Params others = one.params;
            others.*knob.field = scenario.info->defaults.*knob.field;
            groups[recorded_setting(scenario, others)].push_back(&one);
        }
        for (const auto& [key, group] : groups) {
            for (std::size_t i = 0; i < group.size(); ++i) {
                for (std::size_t k = 0; k < i; ++k) {
                    const ComparedPoint &a = *group[i], &b = *group[k];
                    if (speed_unit_of(*scenario.info, a.params) != speed_unit_of(*scenario.info, b.params))
                        continue;
                    const double ratio = std::max(a.measured / b.measured, b.measured / a.measured);
                    if (ratio <= kDistinct) continue;
                    ++result.pairs;
                    const double faster =
                        a.measured < b.measured ? b.predicted / a.predicted : a.predicted / b.predicted;
                    if (faster > kSame) {
                        ++result.ordered;
                    } else if (ratio > largest) {
                        largest = ratio;
                        result.wrong_order[0] = a.params, result.wrong_order[1] = b.params;
                    }
                }
            }
        }
    }
}

}  // namespace

std::vector<ComparedPoint> compare_with_model(const Scenario& scenario, const OpenRecording& recording) {
    std::map<std::string, ComparedPoint> all;  // by its text, so that ties are decided alike at every run
    recording.measurements->for_each(
        scenario, [&](const Params& params, const Measurements::Outcome& outcome) {
            const auto* timing = std::get_if<Timing>(&outcome);
            if (timing == nullptr) return;
            const double measured = measured_point(scenario, params, *timing, recording.device).value;
            if (measured <= 0) return;
            const Prediction predicted = predict(scenario, params, recording.device, timing->cold);
            all.try_emplace(recorded_setting(scenario, params),
                            ComparedPoint{params, measured, predicted.value, predicted});
        });
    std::vector<ComparedPoint> points;
    for (auto& [setting, point] : all) points.push_back(std::move(point));
    return points;
}

bool meets_goal(const Accuracy& a) {
    return a.median <= 0.10 && a.within >= 0.95 && a.worst <= 2 && a.worst >= 0.5 && a.ordered == a.pairs;
}

std::vector<Published> published_beside_model() {
    const std::vector<DeviceFacts>& devices = device_table();
    std::vector<Published> all;
    const nlohmann::json file = nlohmann::json::parse(asset("assets/published.json"));
    for (const nlohmann::json& row : file.at("rows")) {
        Published one{
            .id = row.at("id"),
            .device = &devices.at(find_device(devices, row.at("gpu").get<std::string>()).value()),
            .scenario = &require_scenario(row.at("scenario").get<std::string>()),
            .params = {},
            .value = row.at("value"),
            .printed = row.at("printed"),
            .setting = row.at("setting"),
            .source = fmt::format("{}, {}, {}", row.at("who").get<std::string>(),
                                  row.at("where").get<std::string>(), row.at("when").get<std::string>()),
            .input = row.value("input", false)};
        const std::string set = row.at("set");
        one.params =
            apply_settings(*one.scenario, set.empty() ? std::vector<std::string>{} : std::vector{set});
        one.predicted = predict(*one.scenario, one.params, *one.device).value;
        all.push_back(std::move(one));
    }
    return all;
}

std::string kind_of(const Scenario& scenario, const Params& params) {
    return fmt::format("{}, {}", scenario.info->id, speed_words(speed_unit_of(*scenario.info, params)).unit);
}

std::vector<GenerationAccuracy> accuracy_by_generation(const std::vector<Published>& all) {
    std::map<int, std::vector<Published>> groups;
    for (const Published& one : all) {
        if (one.input) continue;
        groups[one.device->cc.major].push_back(one);
        groups[0].push_back(one);
    }
    std::vector<GenerationAccuracy> rows;
    for (const auto& [major, group] : groups) {
        GenerationAccuracy& row = rows.emplace_back();
        row.major = major;
        set_errors(row, group);
        row.worst_id = group[row.worst_at].id;
        for (const Published& one : group) row.kinds.insert(kind_of(*one.scenario, one.params));
    }
    return rows;
}

TextAccuracy accuracy_of_texts() {
    const auto json = nlohmann::json::parse(asset("assets/timed/kernels.json"));
    const std::string text(asset("assets/timed/kernels.cu"));
    TextAccuracy all;
    all.gpu = json.at("gpu");
    const std::vector<DeviceFacts> devices = device_table();
    const DeviceFacts& device = devices.at(find_device(devices, all.gpu).value());
    for (const auto& [kernel, measured] : json.at("microseconds").items()) {
        const auto scenario = try_kernel(text_with_kernel(text, kernel), "kernels.cu").done();
        const double predicted = predict(*scenario, scenario->info->defaults, device).time_us;
        if (predicted > 0)  // else its time follows from data
            all.kernels.push_back({kernel, measured, predicted});
    }
    set_errors(all, all.kernels);
    return all;
}

namespace {

/// The rows of assets/accuracy.json.
struct KnownErrors {
    KnownError typed{.of = {}, .meets_goal = false};
    std::map<std::string_view, KnownError> recorded;  ///< by scenario
    std::map<int, KnownError> published;              ///< by generation
    std::map<int, std::set<std::string>> kinds;       ///< that were published, likewise

    KnownErrors() {
        for (const nlohmann::json& row : nlohmann::json::parse(asset("assets/accuracy.json"))) {
            const double median = row.at("median_error"), tenth = row.at("error_of_9_in_10");
            if (const int major = row.value("generation", 0); major > 0) {
                const int points = row.at("points");
                kinds[major] = row.at("kinds").get<std::set<std::string>>();
                // Of fewer than ten no share is nine in ten: then it is the worst of them.
                published[major] = {median, tenth,
                                    fmt::format("{} {} published measurements on GPUs of {}.x",
                                                points < 10 ? "all" : "nine of ten of", points, major),
                                    false};
            } else if (const int kernels = row.value("kernels", 0); kernels > 0) {
                typed = {median, tenth,
                         fmt::format("nine of ten of {} plain kernels on the {}", kernels,
                                     row.at("gpu").get<std::string>()),
                         false};
            } else if (const Scenario* of = find_scenario(row.value("scenario", "")); of != nullptr) {
                KnownError& error = recorded[of->info->id];
                error.median = std::max(error.median, median);
                error.tenth = std::max(error.tenth, tenth);
                error.of += (error.of.empty() ? "nine of ten settings on the " : " and ") +
                            row.at("gpu").get<std::string>();
                error.meets_goal = error.meets_goal && row.at("meets_goal").get<bool>();
            }
        }
    }
};

}  // namespace

const KnownError& known_error(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    constexpr int kRecorded = 9;  // H100 and H200
    static const KnownErrors kAll;
    static const KnownError kNeverCompared{.meets_goal = false};
    if (scenario.typed != nullptr) return device.cc.major == kRecorded ? kAll.typed : kNeverCompared;
    if (device.cc.major == kRecorded) {
        const auto found = kAll.recorded.find(scenario.info->id);
        return found == kAll.recorded.end() ? kNeverCompared : found->second;
    }
    const auto found = kAll.published.find(device.cc.major);
    const bool any =
        found != kAll.published.end() && kAll.kinds.at(device.cc.major).contains(kind_of(scenario, params));
    return any ? found->second : kNeverCompared;
}

std::vector<Accuracy> accuracy_of(const OpenRecording& recording) {
    std::vector<Accuracy> rows;
    for (const Scenario& scenario : all_scenarios()) {
        const std::vector<ComparedPoint> all = compare_with_model(scenario, recording);
        if (all.empty()) continue;
        Accuracy row;
        row.scenario = &scenario;
        row.gpu = recording.gpu.name;
        set_errors(row, all);
        row.worst_params = all[row.worst_at].params;
        count_pairs(scenario, all, row);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace warplens
