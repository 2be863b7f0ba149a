#include "app/base/csv.h"
#include "app/base/parse_number.h"
#include "app/cli/occupancy/occupancy.h"
#include "app/experiment/devices.h"

#include <fmt/format.h>

namespace warplens {
namespace {

enum LaunchColumn { kLaunchCapability, kLaunchBlock, kLaunchRegisters, kLaunchShared };

const CapabilityFacts& read_capability(const CsvTable& table) {
    const auto cc = parse_capability(table[kLaunchCapability]);
    const CapabilityFacts* facts = cc ? find_capability(capability_table(), *cc) : nullptr;
    if (facts == nullptr)
        table.fail(kLaunchCapability,
                   fmt::format("a compute capability of the table, {} to {}",
                               capability_table().front().cc.text(), capability_table().back().cc.text()));
    return *facts;
}

int read_whole_number(const CsvTable& table, LaunchColumn column, int least, int most) {
    const auto value = parse_number<int>(table[column]);
    if (!value || *value < least || *value > most)
        table.fail(column, fmt::format("a whole number from {} to {}", least, most));
    return *value;
}

void append_limiter(std::string& text, const Occupancy& occupancy) {
    bool first = true;
    for (int k = 0; k < kResources; ++k) {
        if (!occupancy.limits(static_cast<Resource>(k))) continue;
        if (!first) text += '+';
        text += resource_name(static_cast<Resource>(k));
        first = false;
    }
}

}  // namespace

std::string occupancy_rows(std::istream& input, const std::string& name) {
    CsvTable table(input, name, {"cc", "block", "regs", "smem_dyn"}, "cc,block,regs,smem_dyn");
    std::string answer = "cc,block,regs,smem_dyn,blocks,limiter\n";
    while (table.next()) {
        const CapabilityFacts& facts = read_capability(table);
        OccupancyInput launch;
        launch.threads = read_whole_number(table, kLaunchBlock, 1, 65536);
        launch.registers = read_whole_number(table, kLaunchRegisters, 0, 65535);
        launch.dynamic_shared = read_whole_number(table, kLaunchShared, 0, 1 << 28);
        const Occupancy occupancy = compute_occupancy(facts, launch);
        fmt::format_to(std::back_inserter(answer), "{}.{},{},{},{},{},", facts.cc.major, facts.cc.minor,
                       launch.threads, launch.registers, launch.dynamic_shared, occupancy.blocks);
        append_limiter(answer, occupancy);
        answer += '\n';
    }
    return answer;
}

}  // namespace warplens
