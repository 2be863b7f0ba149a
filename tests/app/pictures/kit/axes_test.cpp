#include "app/pictures/kit/axes.h"

#include <gtest/gtest.h>

namespace warplens::test::axes_tests {

TEST(Axes, SizesOfMemoryHaveUnitsOf1024) {
    EXPECT_EQ(format_size(64), "64 B");
    EXPECT_EQ(format_size(2048), "2 KiB");
    EXPECT_EQ(format_size(248 << 10), "248 KiB");
    EXPECT_EQ(format_size(5767168), "5.5 MiB");
    EXPECT_EQ(format_size(double(1 << 30)), "1 GiB");
}

TEST(Axes, PowersThatCountBytesAreSizesAndOthersPowers) {
    constexpr Knob kBytes{.field = &Params::footprint_log2, .unit = "bytes", .kind = KnobKind::power};
    constexpr Knob kBlocks{.field = &Params::blocks_log2, .unit = "blocks", .kind = KnobKind::power};
    EXPECT_EQ(setting_text(kBytes, 4096), "4 KiB");
    EXPECT_EQ(setting_text(kBlocks, 4096), "2¹²");
}

}  // namespace warplens::test::axes_tests
