#include "app/base/format.h"

#include <gtest/gtest.h>

namespace warplens::test::format_tests {
namespace {

TEST(Format, NumbersAsPeopleReadThem) {
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(2097152), "2\u2009097\u2009152");
    EXPECT_EQ(format_count(-1024), "-1\u2009024");
    EXPECT_EQ(format_bytes(128), "128 B");
    EXPECT_EQ(format_bytes(1920), "1\u2009920 B");
    EXPECT_EQ(format_bytes(2.147e9), "2 GiB");
    EXPECT_EQ(format_bytes(65536), "64 KiB");
    EXPECT_EQ(format_bytes(1.21e9), "1.13 GiB");
    EXPECT_EQ(format_bytes(1073.6e6), "1 GiB") << "not 1024 MiB";
    EXPECT_EQ(format_bytes(3e5), "293 KiB");
    EXPECT_EQ(format_percent(1, 8), "12.5 %");
    EXPECT_EQ(format_percent(4, 4), "100 %");
    EXPECT_EQ(format_percent(1, 3), "33.3 %");
    EXPECT_EQ(format_percent(1, 16), "6.25 %");
    EXPECT_EQ(format_percent(1, 32), "3.13 %");
    EXPECT_EQ(format_percent(0.99996, 1), "100 %");
    EXPECT_EQ(format_bandwidth(4800), "4.80 TB/s");
    EXPECT_EQ(format_bandwidth(568.4), "568 GB/s");
    EXPECT_EQ(format_bandwidth(86.4), "86.4 GB/s");
    EXPECT_EQ(format_bandwidth(999.7), "1.00 TB/s");
    EXPECT_EQ(format_percent(0, 0), "0 %");
}

}  // namespace
}  // namespace warplens::test::format_tests
