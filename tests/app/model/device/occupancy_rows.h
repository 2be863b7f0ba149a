#pragma once

#include "app/experiment/devices.h"
#include "app/model/device/occupancy.h"
#include "tests/source_dir.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace warplens::test {

inline const std::vector<CapabilityFacts>& capabilities() { return capability_table(); }

/// By name, "9.0".
inline const CapabilityFacts& capability(std::string_view name) {
    return *find_capability(capabilities(), parse_capability(name).value());
}

/// A row of tests/data/occupancy_reference.csv: what NVIDIA's own header says (cuda_occupancy.h, CUDA 13.0,
/// compiled with gcc), one barrier for each block.
struct OccupancyRow {
    std::string cc;
    OccupancyInput input;
    int blocks = 0;
    unsigned limiting = 0;  ///< 1 warps, 2 registers, 4 shared memory, 8 blocks, 16 barriers
};

inline std::vector<OccupancyRow> occupancy_rows() {
    std::ifstream file(in_source("tests/data/occupancy_reference.csv"));
    std::string line;
    std::getline(file, line);
    std::vector<OccupancyRow> rows;
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::string cell;
        for (std::istringstream in(line); std::getline(in, cell, ',');) cells.push_back(cell);
        OccupancyRow row{cells[0], {}, std::stoi(cells[4]), static_cast<unsigned>(std::stoi(cells[5]))};
        row.input.threads = std::stoi(cells[1]);
        row.input.registers = std::stoi(cells[2]);
        row.input.dynamic_shared = std::stoi(cells[3]);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace warplens::test
