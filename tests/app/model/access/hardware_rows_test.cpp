// The hardware is the judge: 1,244 warp-wide accesses, each executed once on an H200 under the profiler.
#include "app/model/access/banks.h"
#include "app/model/access/sectors.h"
#include "app/model/device/device.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace warplens::test::hardware_rows_tests {

namespace {

struct Row {
    WarpAccess access;
    std::string id, wavefronts, sectors, lines;
};

std::vector<Row> read_rows() {
    std::ifstream file(in_source("tests/data/h200_warp_accesses.csv"));
    std::string line;
    std::getline(file, line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::string cell;
        for (std::istringstream in(line + ","); std::getline(in, cell, ',');) cells.push_back(cell);
        Row row;
        row.id = cells[0];
        row.access.space = cells[1] == "shared" ? Space::shared : Space::global;
        row.access.op = cells[2] == "st" ? Op::store : Op::load;
        row.access.bytes_per_lane = std::stoi(cells[3]);
        row.access.active = static_cast<std::uint32_t>(std::stoul(cells[4], nullptr, 16));
        for (int lane = 0; lane < kWarpLanes; ++lane)
            row.access.byte_address[lane] = std::stoull("0" + cells[5 + lane]);
        row.wavefronts = cells[37];
        row.sectors = cells[38];
        row.lines = cells[39];
        rows.push_back(row);
    }
    return rows;
}

}  // namespace

TEST(HardwareRows, EveryOneIsReproduced) {
    const std::vector<Row> rows = read_rows();
    ASSERT_EQ(rows.size(), 1244u);
    const BankRules banks = bank_rules_for({9, 0});
    const SectorRules sectors = sector_rules_for({9, 0});
    for (const Row& row : rows) {
        if (row.access.space == Space::shared) {
            EXPECT_EQ(std::to_string(count_banks(row.access, banks).wavefronts), row.wavefronts)
                << "row " << row.id;
            const BankReport report = analyze_banks(row.access, banks);
            EXPECT_EQ(report.count.wavefronts, count_banks(row.access, banks).wavefronts) << "row " << row.id;
        } else {
            const SectorCount count = count_sectors(row.access, sectors);
            EXPECT_EQ(std::to_string(count.sectors), row.sectors) << "row " << row.id;
            EXPECT_EQ(std::to_string(count.lines), row.lines) << "row " << row.id;
            EXPECT_EQ(count.requests, 1) << "row " << row.id;
        }
    }
}

TEST(HardwareRows, ReportsAgreeWithTheirCounts) {
    for (const Row& row : read_rows()) {
        if (row.access.space == Space::global) {
            const SectorReport report = analyze_sectors(row.access, {});
            int sectors = 0, bytes = 0;
            for (const LineUse& line : report.lines) {
                sectors += std::popcount(line.sectors);
                for (const std::uint32_t used : line.used) bytes += std::popcount(used);
            }
            EXPECT_EQ(sectors, report.count.sectors) << row.id;
            EXPECT_EQ(bytes, report.count.bytes_used) << row.id;
            EXPECT_EQ(static_cast<int>(report.lines.size()), report.count.lines) << row.id;
            continue;
        }
        // Every lane is served in exactly one wavefront, and a bank's k-th word comes in wavefront k of its
        // group.
        const BankReport report = analyze_banks(row.access, bank_rules_for({9, 0}));
        int total = 0, before = 0;
        for (int group = 0; group < report.groups; ++group) {
            int most = 0;
            for (const std::uint8_t words : report.words[group]) most = std::max<int>(most, words);
            EXPECT_EQ(most, report.group_wavefronts[group]) << row.id;
            for (int lane = group * report.lanes_per_group; lane < (group + 1) * report.lanes_per_group;
                 ++lane) {
                const bool active = (row.access.active >> lane & 1u) != 0;
                if (!active) {
                    EXPECT_EQ(report.wavefront[lane], kNotServed);
                    continue;
                }
                EXPECT_GE(report.wavefront[lane], before);
                EXPECT_LT(report.wavefront[lane], before + report.group_wavefronts[group]);
            }
            before += report.group_wavefronts[group];
            total += report.group_wavefronts[group];
        }
        EXPECT_EQ(total, report.count.wavefronts) << row.id;
    }
}

}  // namespace warplens::test::hardware_rows_tests
