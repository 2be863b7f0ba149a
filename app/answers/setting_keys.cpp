#include "app/answers/setting_keys.h"

#include "app/model/time/prediction.h"
#include "app/model/time/traffic.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace warplens {
namespace {

DeviceFacts device_of(const Setting& setting, const Ready<Devices>& table, Store& store) {
    return store.get(DevicesKey{table, setting.bank_mode})->at(setting.device);
}

/// The points of an axis, in one step; but of a typed kernel, which is executed at each of them, as many as
/// there is time for, spread evenly at first.
InSteps<AxisModel> predict(AxisQuestion question, DeviceFacts device) {
    const std::vector<int> values = plot_values(*question.axis, question.setting.params);
    if (question.setting.scenario->typed == nullptr) co_return predict_axis(question, values, device);
    std::vector<int> order = few_of(values);
    order.insert(order.end(), values.begin(), values.end());
    AxisModel all;
    StepClock clock;
    for (const int value : order) {
        const auto place = std::ranges::lower_bound(all.values, value) - all.values.begin();
        if (place < std::ssize(all.values) && all.values[place] == value) continue;
        const Params there = params_at(question.setting, *question.axis, value);
        const double far = double(all.values.size()) / double(values.size());
        auto counting = question.setting.scenario->typed->count_first(there, device);
        for (bool more = true; more;) {
            more = counting.step();
            if (clock.is_up()) co_yield far;
        }
        LaunchCounts counts(*question.setting.scenario, there, device);
        for (int i = 0; i < counts.instructions; ++i) {
            counts.traffic(i);
            if (clock.is_up()) co_yield far;
        }
        all.values.insert(all.values.begin() + place, value);
        all.points.insert(all.points.begin() + place, predict(counts, question.setting.cold));
        if (clock.is_up()) co_yield std::make_shared<const AxisModel>(all);
    }
    co_return all;
}

InSteps<Heatmap> fill_cells(CellsQuestion question, DeviceFacts device) {
    constexpr std::size_t kShown = 64;
    Heatmap map = empty_heatmap(question, device);
    StepClock clock;
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        if (i % kShown == 0) co_yield std::make_shared<const Heatmap>(map);
        if (clock.is_up()) co_yield double(i) / double(map.cells.size());
        if (const TypedKernel* typed = question.setting.scenario->typed) {
            auto counting = typed->count_first(question.wanted(i, question.setting.params), device);
            for (bool more = true; more;) {
                more = counting.step();
                if (clock.is_up()) co_yield double(i) / double(map.cells.size());
            }
        }
        fill_cell(map, question, i, device);
    }
    co_return map;
}

}  // namespace

Devices answer(const DevicesKey& key, Store&) {
    Devices devices = *key.table;
    set_bank_mode(devices, key.bank_mode);
    return devices;
}

Work<bool> answer(const KernelCountKey& key, Store& store) {
    return in_steps(
        key.setting.scenario->typed->count_all(key.setting.params, device_of(key.setting, key.table, store)));
}

Evidence answer(const EvidenceKey& key, Store& store) {
    return gather_evidence(key.setting, *store.get(DevicesKey{key.table, key.setting.bank_mode}));
}

std::size_t bytes_of(const Evidence& evidence) {
    constexpr std::size_t kInstruction = 40'000;  // its reports, and the contents of the trace buffer
    return sizeof(Evidence) + evidence.report.instructions.size() * kInstruction;
}

Ready<Evidence> evidence_of(Store& store, const Setting& setting, const Ready<Devices>& table) {
    EvidenceKey key{setting, table, false};
    if (setting.scenario->typed != nullptr) {
        const Ready<bool> counted = known_of(store.get(KernelCountKey{setting, table}));
        key.counted = counted && *counted;
    }
    return store.get(key);
}

Work<AxisModel> answer(const AxisKey& key, Store& store) {
    return in_steps(predict(key.question, device_of(key.question.setting, key.table, store)), true);
}
std::size_t bytes_of(const AxisModel& model) {
    return sizeof(model) + (model.points.size() + model.speeds.size()) * sizeof(Prediction);
}

Work<Heatmap> answer(const CellsKey& key, Store& store) {
    return in_steps(fill_cells(key.question, device_of(key.question.setting, key.table, store)), true);
}
std::size_t bytes_of(const Heatmap& map) { return sizeof(map) + map.cells.size() * sizeof(HeatmapCell); }

GridMapKey grid_map_key(const Setting& setting, int instruction, const Ready<Devices>& table) {
    GridMapKey key{along_axes(setting, {}), -1, table};
    key.setting.cold = false;  // which changes times alone
    const int last = setting.scenario->instruction_count(setting.params) - 1;
    if (instruction >= 0 && last > 0) key.instruction = std::min(instruction, last);
    return key;
}

Work<GridMap> answer(const GridMapKey& key, Store& store) {
    const bool takes_long = key.setting.scenario->typed != nullptr || key.setting.scenario->info->irregular;
    auto map = map_grid_in_steps(*key.setting.scenario, key.setting.params,
                                 device_of(key.setting, key.table, store), key.instruction);
    return in_steps(std::move(map), !takes_long);
}
std::size_t bytes_of(const GridMap& map) { return sizeof(map) + map.cells.size() * sizeof(GridCell); }

}  // namespace warplens
