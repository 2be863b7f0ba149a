#include "app/learn/advice.h"

#include "app/experiment/evidence.h"
#include "app/learn/presenting.h"
#include "app/model/access/counts.h"
#include "app/model/access/report.h"
#include "app/model/time/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace warplens {
namespace {

/// What the pictured request of one instruction takes.
struct Cost {
    CostWords words;
    std::int64_t cost = 0, ideal = 0;

    std::int64_t excess() const { return std::max<std::int64_t>(0, cost - ideal); }
};

std::vector<Cost> costs_of(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    std::vector<Cost> costs;
    for (const InstructionReport& row : pictured_requests(scenario, params, device)) {
        Cost one{.words = cost_of(row.instruction.space, device.sector_rules)};
        if (!one.words.name.empty()) {
            one.cost = one.words.cost(row.warp);
            one.ideal = one.words.ideal(row.warp);
        }
        costs.push_back(one);
    }
    return costs;
}

struct Sum {
    std::int64_t excess = 0, ideal = 0;
};

Sum sum_of(const std::vector<Cost>& costs) {
    Sum sum;
    for (const Cost& cost : costs) {
        sum.excess += cost.excess();
        sum.ideal += cost.ideal;
    }
    return sum;
}

bool fits(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    return does_not_fit(device, shape.block.x * shape.block.y, shape.shared_bytes).empty();
}

/// "32 to 1 wavefronts" of the instruction that costs most beyond its ideal. If the change replaces the
/// instructions, so that nothing can be compared one by one, what becomes of them all.
std::string gain_text(const std::vector<Cost>& now, const std::vector<Cost>& then) {
    const auto worst = std::ranges::max_element(now, {}, &Cost::excess) - now.begin();
    const auto k = static_cast<std::size_t>(worst);
    if (now.size() == then.size() && now[k].words.name == then[k].words.name && then[k].cost < now[k].cost)
        return fmt::format("{} to {} {}", now[k].cost, then[k].cost, now[k].words.name);
    return sum_of(then).excess == 0 ? "every access at its ideal" : "fewer wavefronts and sectors";
}

}  // namespace

std::vector<const Knob*> main_knobs(const Scenario& scenario) {
    const std::vector<Stop> stops = stops_of(scenario);
    std::vector<const Knob*> knobs;
    for (const bool told : {true, false}) {
        for (const Knob& knob : scenario.info->knobs) {
            const bool differs = std::ranges::any_of(stops, [&](const Stop& stop) {
                return stop.params.*knob.field != stops.front().params.*knob.field;
            });
            const bool plain = !knob.picture_only && knob.kind != KnobKind::mask;
            if (plain && differs == told && (told || knob.axis)) knobs.push_back(&knob);
        }
    }
    return knobs;
}

std::optional<Advice> next_to_try(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                                  bool cold) {
    const std::vector<Cost> now = costs_of(scenario, params, device);
    const Sum today = sum_of(now);
    if (today.excess == 0) return std::nullopt;

    const auto speed_of = [&](const Params& of) {  // the greater, the faster
        const Prediction predicted = predict(scenario, of, device, cold);
        return predicted.speed_unit == SpeedUnit::cycles ? -predicted.value : predicted.value;
    };
    std::int64_t least = today.excess;
    const Knob* best = nullptr;
    Params there = params;
    for (const Knob* knob : main_knobs(scenario)) {
        if (!why_idle(*knob, params).empty()) continue;
        for (const int value : plot_values(*knob, params)) {
            const Params tried = with_knob(scenario, params, *knob, value);
            const int now_at = params.*knob->field;
            if (tried == params || !fits(scenario, tried, device)) continue;
            const Sum sum = sum_of(costs_of(scenario, tried, device));
            const auto better = [&] {
                if (sum.excess != least || knob != best) return sum.excess < least;
                if (knob->kind == KnobKind::choice) return speed_of(tried) > speed_of(there);
                return std::abs(value - now_at) < std::abs(there.*knob->field - now_at);
            };
            if (sum.ideal < today.ideal || !better()) continue;
            least = sum.excess;
            best = knob;
            there = tried;
        }
    }
    if (best == nullptr || speed_of(there) < speed_of(params)) return std::nullopt;
    return Advice{fmt::format("Try {} {}: {}", best->label, format_knob(*best, there),
                              gain_text(now, costs_of(scenario, there, device))),
                  there};
}

}  // namespace warplens
