#pragma once

#include "app/answers/store.h"
#include "app/experiment/evidence.h"
#include "app/experiment/heatmap_cells.h"
#include "app/experiment/plot.h"
#include "app/model/access/grid_map.h"
#include "app/model/device/device.h"

#include <cstddef>
#include <vector>

namespace warplens {

using Devices = std::vector<DeviceFacts>;

/// The table of devices with a bank mode.
struct DevicesKey {
    Ready<Devices> table;
    BankMode bank_mode = BankMode::four_bytes;
    friend bool operator==(const DevicesKey&, const DevicesKey&) = default;
};
Devices answer(const DevicesKey& key, Store&);

/// Executes all blocks of a typed kernel's grid of which else some stand for all. The kernel keeps its
/// counts.
struct KernelCountKey {
    Setting setting;
    Ready<Devices> table;
    friend bool operator==(const KernelCountKey&, const KernelCountKey&) = default;
};
/// @return  whether there is more to show than before
Work<bool> answer(const KernelCountKey& key, Store& store);

/// What the model says of a setting, without what GPUs showed.
struct EvidenceKey {
    Setting setting;
    Ready<Devices> table;
    bool counted = false;  ///< whether the blocks of a typed kernel were all executed
    friend bool operator==(const EvidenceKey&, const EvidenceKey&) = default;
};
Evidence answer(const EvidenceKey& key, Store& store);
std::size_t bytes_of(const Evidence& evidence);
/// The same; all blocks of a typed kernel are counted meanwhile.
Ready<Evidence> evidence_of(Store& store, const Setting& setting, const Ready<Devices>& table);

/// What the model says along an axis. A typed kernel has few points at first.
struct AxisKey {
    AxisQuestion question;
    Ready<Devices> table;
    friend bool operator==(const AxisKey&, const AxisKey&) = default;
};
Work<AxisModel> answer(const AxisKey& key, Store& store);
std::size_t bytes_of(const AxisModel& model);

/// The cells of a heatmap.
struct CellsKey {
    CellsQuestion question;
    Ready<Devices> table;
    friend bool operator==(const CellsKey&, const CellsKey&) = default;
};
Work<Heatmap> answer(const CellsKey& key, Store& store);
std::size_t bytes_of(const Heatmap& map);

/// The grid of a setting in cells. Made by grid_map_key, so that a map is kept while only the picture
/// changes.
struct GridMapKey {
    Setting setting;
    int instruction = -1;  ///< -1 for all together
    Ready<Devices> table;
    friend bool operator==(const GridMapKey&, const GridMapKey&) = default;
};
/// @param instruction  -1 for all together; one that does not exist is the last one
GridMapKey grid_map_key(const Setting& setting, int instruction, const Ready<Devices>& table);
/// Ready at once where few requests are counted; of an irregular grid and of a typed kernel it takes longer.
Work<GridMap> answer(const GridMapKey& key, Store& store);
std::size_t bytes_of(const GridMap& map);

}  // namespace warplens
