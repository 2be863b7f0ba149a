// The table of compute capabilities: complete, and sound in itself.
#include "app/model/device/capability.h"
#include "app/experiment/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

namespace warplens::test::capability_tests {

TEST(Capability, EveryGenerationIsThereOldestFirst) {
    ASSERT_EQ(capability_table().size(), 29u);
    EXPECT_EQ(capability_table().front().cc.text(), "1.0");
    EXPECT_EQ(capability_table().back().cc.text(), "12.1");
    EXPECT_TRUE(std::ranges::is_sorted(capability_table(), std::ranges::less{}, &CapabilityFacts::cc));
    std::set<std::string> names;
    for (const CapabilityFacts& row : capability_table()) {
        names.insert(row.cc.text());
        EXPECT_EQ(find_capability(capability_table(), row.cc), &row);
    }
    EXPECT_EQ(names.size(), capability_table().size());
    EXPECT_EQ(find_capability(capability_table(), {9, 9}), nullptr);
}

TEST(Capability, FactsOfARowAgreeWithEachOther) {
    for (const CapabilityFacts& row : capability_table()) {
        SCOPED_TRACE(row.cc.text());
        EXPECT_EQ(row.max_warps * 32, row.max_threads);
        EXPECT_GE(row.max_threads, row.max_threads_per_block);
        EXPECT_EQ(row.max_warps % row.partitions, 0);
        EXPECT_EQ(row.registers_per_sm % row.partitions, 0);
        EXPECT_LE(row.registers_per_block, row.registers_per_sm);
        EXPECT_LE(row.registers_per_thread, row.registers_per_thread_checked);
        EXPECT_LE(row.shared_per_block, row.shared_per_block_most);
        EXPECT_LE(row.shared_per_block_most + row.shared_reserved, row.shared_per_sm);
        EXPECT_EQ(row.shared_per_sm % row.shared_unit, 0);
        EXPECT_TRUE(std::ranges::is_sorted(row.shared_sizes));
        if (!row.shared_sizes.empty()) {
            EXPECT_EQ(row.shared_sizes.back(), row.shared_per_sm);
            EXPECT_LE(row.shared_per_sm, row.l1_and_shared);
        }
        EXPECT_FALSE(row.architecture.empty());
        EXPECT_FALSE(row.source.empty());
        EXPECT_EQ(row.cc.major == 1, row.most_arguments > 0) << "arguments lie in shared memory on 1.x alone";
        EXPECT_EQ(row.clusters, row.cc.major >= 9);
    }
}

TEST(Capability, OnlyWhatWasCheckedAgainstNvidiasHeaderIsExact) {
    for (const CapabilityFacts& row : capability_table()) {
        const bool other_source = row.cc.major < 3 || row.cc.text() == "3.2" || row.cc.text() == "5.3" ||
                                  row.cc.text() == "6.2" || row.cc.text() == "7.2";
        EXPECT_EQ(row.kind, other_source ? Provenance::approximate : Provenance::exact) << row.cc.text();
    }
}

TEST(Capability, NamesAreReadWhole) {
    EXPECT_EQ(parse_capability("9.0"), (ComputeCapability{9, 0}));
    EXPECT_EQ(parse_capability("12.1"), (ComputeCapability{12, 1}));
    for (const char* text : {"", "9", "9.", ".0", "9.0 ", " 9.0", "9.0.0", "9,0", "-9.0", "0.9", "9.10",
                             "sm_90", "99999999999.0"})
        EXPECT_FALSE(parse_capability(text)) << text;
    EXPECT_EQ(capability_number({9, 0}), 90);
    EXPECT_EQ(capability_number({12, 1}), 121);
}

TEST(Capability, ATableThatIsNoneIsRefusedWithAReason) {
    for (const char* text : {"", "{}", "[]", R"({"compute_capabilities":[{}]})",
                             R"({"compute_capabilities":[{"compute_capability":"nine"}]})"}) {
        try {
            load_capabilities(text);
            ADD_FAILURE() << text;
        } catch (const std::runtime_error& error) {
            EXPECT_NE(std::string(error.what()).find("table of compute capabilities"), std::string::npos);
        }
    }
}

}  // namespace warplens::test::capability_tests
