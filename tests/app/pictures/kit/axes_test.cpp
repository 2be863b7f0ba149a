#include "app/pictures/kit/axes.h"

#include <gtest/gtest.h>

namespace warplens::test::axes_tests {

TEST(Axes, SizesOfMemoryHaveUnitsOf1024) {
    EXPECT_EQ(size_text(64), "64 B");
    EXPECT_EQ(size_text(2048), "2 KB");
    EXPECT_EQ(size_text(248 << 10), "248 KB");
    EXPECT_EQ(size_text(5767168), "5.5 MB");
    EXPECT_EQ(size_text(double(1 << 30)), "1 GB");
}

TEST(Axes, PowersThatCountBytesAreSizesAndOthersPowers) {
    constexpr Knob kBytes{.field = &Params::footprint_log2, .unit = "bytes", .kind = KnobKind::power};
    constexpr Knob kBlocks{.field = &Params::blocks_log2, .unit = "blocks", .kind = KnobKind::power};
    EXPECT_EQ(setting_text(kBytes, 4096), "4 KB");
    EXPECT_EQ(setting_text(kBlocks, 4096), "2¹²");
}

}  // namespace warplens::test::axes_tests
