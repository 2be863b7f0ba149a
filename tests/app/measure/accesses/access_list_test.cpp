#include "app/measure/accesses/access_list.h"

#include "app/base/errors.h"
#include "app/cli/analyze.h"
#include "app/experiment/devices.h"
#include "tests/devices.h"
#include "tests/request_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

namespace warplens::test::access_list_tests {
namespace {

AccessList list(const std::string& text) {
    std::istringstream input(text);
    return list_accesses(input, "t.csv", h200());
}

TEST(AccessList, RowsOfOneIdAreOneInstruction) {
    const AccessList all =
        list(header() + row("a,global,ld,4,ffffffff", 4) + row("b,shared,ld,4,ffffffff", 8) +
             row("a,global,ld,4,ffffffff", 32) + row("a,global,st,4,ffffffff", 4));
    ASSERT_EQ(all.groups.size(), 3u);
    EXPECT_EQ(all.groups[0].name, "a");
    EXPECT_EQ(all.groups[0].rows, 2);
    EXPECT_EQ(all.groups[0].line, 4);
    EXPECT_EQ(excess_of(all.groups[0], h200().sector_rules), 28);
    EXPECT_EQ(excess_of(all.groups[1], h200().sector_rules), 1);
    EXPECT_EQ(excess_of(all.groups[2], h200().sector_rules), 0);
}

/// The sums of the groups are those that an independent loop over the rows of `analyze` gives.
TEST(AccessList, SumsAreThoseOfTheRows) {
    std::mt19937 random(3);
    std::string text = header();
    std::map<std::string, std::int64_t> sectors, rows;
    for (int i = 0; i < 30000; ++i) {  // several pieces of a file
        const std::string id = fmt::format("i{}", random() % 50);
        text += row(id + ",global,ld,4,ffffffff", 4 * static_cast<int>(random() % 40));
    }
    std::istringstream input(text);
    std::istringstream counted(analyze_rows(input, "t.csv", h200()));
    std::string line;
    std::getline(counted, line);
    while (std::getline(counted, line)) {
        const std::string id = line.substr(0, line.find(','));
        int numbers[6] = {};
        std::sscanf(line.c_str() + id.size(), ",%d,%d,%d,%d,%d,%d", numbers, numbers + 1, numbers + 2,
                    numbers + 3, numbers + 4, numbers + 5);
        sectors[id] += numbers[4];
        ++rows[id];
    }
    const AccessList all = list(text);
    EXPECT_EQ(all.rows, 30000);
    ASSERT_EQ(all.groups.size(), sectors.size());
    for (const AccessGroup& group : all.groups) {
        EXPECT_EQ(group.totals.sectors, sectors[group.name]);
        EXPECT_EQ(group.rows, rows[group.name]);
    }
    EXPECT_TRUE(std::ranges::is_sorted(all.groups, std::ranges::greater(), [](const AccessGroup& group) {
        return excess_of(group, h200().sector_rules);
    }));
}

TEST(AccessList, KeepsTheWorstOfMoreThanHaveRoom) {
    std::string text = header();
    const int count = 3 * static_cast<int>(AccessList::kKept);
    for (int i = 0; i < count; ++i) {
        const bool bad = i % 1000 == 7;
        text += row(fmt::format("{},shared,ld,4,ffffffff", i), bad ? 128 : 4);
    }
    const AccessList all = list(text);
    EXPECT_EQ(all.rows, count);
    EXPECT_EQ(all.groups.size(), AccessList::kKept);
    EXPECT_EQ(all.others, count - static_cast<int>(AccessList::kKept));
    const auto bad = std::ranges::count_if(
        all.groups, [](const AccessGroup& group) { return excess_of(group, h200().sector_rules) == 31; });
    EXPECT_EQ(bad, (count - 8) / 1000 + 1) << "all of them";
}

TEST(AccessList, TablesOfProfilersAreCalledByTheirNames) {
    for (const auto& [text, whose] :
         {std::pair<std::string, const char*>("==7== NVPROF is profiling process 7\n\"Time(%)\",\"Time\"\n",
                                              "nvprof"),
          {"Start (ns),Duration (ns),CorrId\n1,2,3\n", "a table of nsys"},
          {std::string("\xff\xfei\0d\0", 6), "UTF-16"}}) {
        try {
            list(text);
            ADD_FAILURE() << whose;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find(whose), std::string::npos) << error.what();
        }
    }
}

TEST(AccessList, IsReadPieceByPiece) {
    std::string text = header();
    while (text.size() < (std::size_t{9} << 20)) text += row("a,global,ld,4,ffffffff", 4);
    std::istringstream input(text);
    AccessFile file(input, "t.csv");
    AccessLister lister(file, "t.csv", h200());
    ASSERT_TRUE(lister.step());
    EXPECT_LT(file.bytes(), static_cast<std::int64_t>(text.size())) << "others can do things meanwhile";
    while (lister.step()) {
    }
    EXPECT_EQ(file.bytes(), static_cast<std::int64_t>(text.size()));
    EXPECT_EQ(lister.take().rows, list(text).rows);
}

TEST(AccessList, TheFirstBadRowIsNamedHoweverFarInTheFile) {
    std::string text = header();
    for (int i = 0; i < 40000; ++i) text += row(fmt::format("{},global,ld,4,ffffffff", i), 4);
    text += row("x,global,ld,3,ffffffff", 4);
    for (int i = 0; i < 40000; ++i) text += row(fmt::format("{},global,ld,4,ffffffff", i), 4);
    text += row("x,nowhere,ld,3,ffffffff", 4);
    try {
        list(text);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("t.csv, line 40002, column width"), std::string::npos)
            << error.what();
    }
}

/// A usual row is read in one go, any other one the slow way: both give the same.
TEST(AccessList, BothWaysOfReadingARowAgree) {
    std::mt19937 random(17);
    for (int round = 0; round < 400; ++round) {
        const int width = 1 << random() % 5;
        std::string usual = fmt::format("r,{},{},{},{:x}", random() % 2 ? "global" : "shared",
                                        random() % 2 ? "ld" : "st", width, random() | 1u);
        std::string other = usual.substr(0, 1) + " " + usual.substr(1);  // a blank behind the id
        for (int lane = 0; lane < 32; ++lane) {
            const std::uint64_t address = (random() % 1000) * static_cast<unsigned>(width) +
                                          (random() % 64 == 0 ? 1 : 0);  // some are misaligned
            const std::string digits =
                random() % 2 ? fmt::format(",{}", address) : fmt::format(",0x{:X}", address);
            usual += digits;
            other += digits;
        }
        const auto answer = [](const std::string& text) {
            std::istringstream input(header() + text + '\n');
            try {
                return analyze_rows(input, "t.csv", h200());
            } catch (const UsageError& error) {
                return std::string(error.what());
            }
        };
        ASSERT_EQ(answer(usual), answer(other)) << usual;
    }
}

}  // namespace
}  // namespace warplens::test::access_list_tests
