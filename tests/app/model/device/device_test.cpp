#include "app/model/device/device.h"

#include "app/base/assets.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warplens::test::device_tests {
namespace {

TEST(Devices, TheTableIsWhole) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    ASSERT_GE(devices.size(), 56u);
    for (const DeviceFacts& device : devices) {
        EXPECT_GT(device.sm_count, 0) << device.name;
        EXPECT_GT(device.clock_mhz, 0) << device.name;
        EXPECT_GT(device.peak_gb_per_s, 0) << device.name;
        EXPECT_GE(device.shared_per_block_bytes, 16384) << device.name;
        EXPECT_GE(device.cc.major, 1) << device.name;
    }
}

TEST(Devices, AreFoundByNameAndByCapability) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    EXPECT_EQ(devices.at(find_device(devices, "h200").value()).cc, (ComputeCapability{9, 0}));
    EXPECT_EQ(devices.at(find_device(devices, "rtx 4090").value()).cc, (ComputeCapability{8, 9}));
    EXPECT_EQ(devices.at(find_device(devices, "7.5").value()).cc, (ComputeCapability{7, 5}));
    EXPECT_FALSE(find_device(devices, "no such card").has_value());
    EXPECT_FALSE(find_device(devices, "").has_value());
    EXPECT_THROW(load_devices("{"), std::runtime_error);
    EXPECT_THROW(load_devices("{\"gpus\":[{}]}"), std::runtime_error);
}

TEST(Devices, TheBankModeIsThatOfThoseThatHaveOne) {
    std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    set_bank_mode(devices, BankMode::eight_bytes);
    for (const DeviceFacts& device : devices)
        EXPECT_EQ(device.bank_rules.wide_words, device.cc.major == 3) << device.name;
    set_bank_mode(devices, BankMode::four_bytes);
    for (const DeviceFacts& device : devices) EXPECT_FALSE(device.bank_rules.wide_words) << device.name;
}

}  // namespace
}  // namespace warplens::test::device_tests
