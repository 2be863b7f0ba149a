#include "kernels/scenarios/global_struct.h"

#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::global_struct_tests {
namespace {

std::int64_t sectors_of(const std::vector<std::string>& settings) {
    return report_of("global-struct", settings).instructions[0].warp.sectors;
}

TEST(GlobalStruct, OneFieldOfSix) {
    EXPECT_EQ(sectors_of({"layout=structures", "fields=6"}), 24);
    EXPECT_EQ(sectors_of({"layout=arrays", "fields=6"}), 4);
}

TEST(GlobalStruct, AFieldFetchesWholeRecordsUntilEachHasASector) {
    for (int fields = 1; fields <= 16; ++fields) {
        const std::string count = "fields=" + std::to_string(fields);
        EXPECT_EQ(sectors_of({"layout=structures", count}), std::min(4 * fields, 32)) << fields;
        EXPECT_EQ(sectors_of({"layout=arrays", count}), 4) << fields;
    }
}

TEST(GlobalStruct, PacksTravelTogether) {
    EXPECT_EQ(sectors_of({"fields=8", "pack=16"}), 32);
    EXPECT_EQ(sectors_of({"fields=8", "pack=16", "layout=arrays"}), 16);
    EXPECT_EQ(sectors_of({"fields=2", "pack=8"}), 8) << "the record is one float2";
    const Report all = report_of("global-struct", {"fields=6", "read=all"});
    EXPECT_EQ(all.instructions[0].block.sectors, 6 * 8 * 24) << "six loads, eight warps";
}

TEST(GlobalStruct, ReadingAllTouchesEveryPackOfEveryRecordOnce) {
    const Scenario& scenario = *find_scenario("global-struct");
    std::mt19937 random(12);
    for (int trial = 0; trial < 60; ++trial) {
        Params params = random_params(scenario, random);
        params.read_all = 1;
        params.elements_log2 = 10;
        const LaunchShape shape = scenario.launch(params);
        const auto pack = static_cast<std::uint64_t>(params.pack_bytes);
        std::vector<int> visits(static_cast<std::size_t>(shape.buffer_bytes[0]) / pack);
        for (int block = 0; block < shape.grid.x; ++block) {
            for_each_access(scenario, params, 0, {block, 0},
                            [&](std::uint64_t address) { ++visits[address / pack]; });
        }
        EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), std::ssize(visits)) << trial;
    }
}

TEST(GlobalStruct, TheFieldLiesInThePackThatIsRead) {
    const Scenario& scenario = *find_scenario("global-struct");
    std::mt19937 random(13);
    for (int trial = 0; trial < 200; ++trial) {
        Params params = random_params(scenario, random);
        params.read_all = params.layout = 0;
        const int record_bytes = GlobalStruct::packs(params) * params.pack_bytes;
        EXPECT_GE(record_bytes, 4 * params.fields);
        const int at = static_cast<int>(scenario.access(params, 0, {.x = 3}).byte_address) - 3 * record_bytes;
        EXPECT_LE(at, 4 * params.field);
        EXPECT_LT(4 * params.field, at + params.pack_bytes);
    }
}

}  // namespace
}  // namespace warplens::test::global_struct_tests
