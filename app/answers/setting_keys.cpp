#include "app/answers/setting_keys.h"

#include <algorithm>

namespace warplens {
namespace {

DeviceFacts device_of(const Setting& setting, const Ready<Devices>& table, Store& store) {
    return store.get(DevicesKey{table, setting.bank_mode})->at(setting.device);
}

/// The points of an axis: all when it is asked for, but of a typed kernel a few, and one with each step.
struct AxisWork : Slow<AxisModel> {
    AxisWork(const AxisKey& key, Store& store)
        : question(key.question),
          device(device_of(question.setting, key.table, store)),
          values(plot_values(*question.axis, question.setting.params)) {
        if (question.setting.scenario->typed == nullptr)
            result = predict_axis(question, values, device);
        else
            so_far = std::make_shared<const AxisModel>(predict_axis(question, few_of(values), device));
    }
    bool step() override {
        if (next < values.size()) {
            AxisModel one = predict_axis(question, {values[next++]}, device);
            all.values.push_back(one.values.front());
            all.points.push_back(std::move(one.points.front()));
            return true;
        }
        result = std::move(all);
        return false;
    }

    const AxisQuestion question;
    const DeviceFacts device;
    const std::vector<int> values;
    std::size_t next = 0;
    AxisModel all;
};

struct CellsWork : Slow<Heatmap> {
    CellsWork(const CellsKey& key, Store& store)
        : question(key.question),
          device(device_of(question.setting, key.table, store)),
          map(empty_heatmap(question, device)) {
        so_far = std::make_shared<const Heatmap>(map);
    }
    bool step() override {
        constexpr std::size_t kCells = 16, kShown = 4;  // some tenths of a millisecond
        for (std::size_t i = 0; i < kCells && next < map.cells.size(); ++i)
            fill_cell(map, question, next++, device);
        if (next < map.cells.size()) {
            if (++steps % kShown == 0) so_far = std::make_shared<const Heatmap>(map);
            return true;
        }
        result = std::move(map);
        return false;
    }

    const CellsQuestion question;
    const DeviceFacts device;
    Heatmap map;
    std::size_t next = 0, steps = 0;
};

}  // namespace

Devices answer(const DevicesKey& key, Store&) {
    Devices devices = *key.table;
    set_bank_mode(devices, key.bank_mode);
    return devices;
}

Work<bool> answer(const KernelCountKey& key, Store& store) {
    return in_one_piece<bool>([setting = key.setting, device = device_of(key.setting, key.table, store)](
                                  const std::stop_token& unwanted) -> std::optional<bool> {
        return setting.scenario->typed->count_all(setting.params, device,
                                                  [&] { return !unwanted.stop_requested(); });
    });
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

Work<AxisModel> answer(const AxisKey& key, Store& store) { return std::make_unique<AxisWork>(key, store); }
std::size_t bytes_of(const AxisModel& model) {
    return sizeof(model) + (model.points.size() + model.speeds.size()) * sizeof(Prediction);
}

Work<Heatmap> answer(const CellsKey& key, Store& store) { return std::make_unique<CellsWork>(key, store); }
std::size_t bytes_of(const Heatmap& map) { return sizeof(map) + map.cells.size() * sizeof(HeatmapCell); }

GridMapKey grid_map_key(const Setting& setting, int instruction, const Ready<Devices>& table) {
    GridMapKey key{along_axes(setting, {}), -1, table};
    key.setting.cold = false;  // which changes times alone
    const int last = setting.scenario->instruction_count(setting.params) - 1;
    if (instruction >= 0 && last > 0) key.instruction = std::min(instruction, last);
    return key;
}

Work<GridMap> answer(const GridMapKey& key, Store& store) {
    const auto map = [key, device = device_of(key.setting, key.table, store)] {
        return map_grid(*key.setting.scenario, key.setting.params, device, key.instruction);
    };
    const bool takes_long = key.setting.scenario->typed != nullptr || key.setting.scenario->info->irregular;
    auto work = in_one_piece<GridMap>([map](const std::stop_token&) { return std::optional(map()); });
    if (!takes_long) work->result = map();
    return work;
}
std::size_t bytes_of(const GridMap& map) { return sizeof(map) + map.cells.size() * sizeof(GridCell); }

}  // namespace warplens
