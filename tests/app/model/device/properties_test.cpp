#include "app/model/device/properties.h"

#include "app/base/assets.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warplens::test::properties_tests {
namespace {

std::vector<DeviceProperty> properties(const DeviceFacts& device) {
    static const std::vector<CapabilityFacts> rules = load_capabilities(asset("assets/gpus.json"));
    return device_properties(device, find_capability(rules, device.cc));
}

std::int64_t number(std::string_view gpu, std::string_view field) {
    const auto all = properties(device_table().at(find_device(device_table(), gpu).value()));
    const auto found = std::ranges::find(all, field, &DeviceProperty::field);
    return found == all.end() ? -1 : found->number;
}

// What cudaGetDeviceProperties gave on an H200, and the programming guide gives for the others.
TEST(Properties, AsTheDriverAndTheGuideHaveThem) {
    EXPECT_EQ(number("H200", "multiProcessorCount"), 132);
    EXPECT_EQ(number("H200", "regsPerMultiprocessor"), 65536);
    EXPECT_EQ(number("H200", "sharedMemPerMultiprocessor"), 233472);
    EXPECT_EQ(number("H200", "sharedMemPerBlock"), 49152);
    EXPECT_EQ(number("H200", "sharedMemPerBlockOptin"), 232448);
    EXPECT_EQ(number("H200", "reservedSharedMemPerBlock"), 1024);
    EXPECT_EQ(number("H200", "maxThreadsPerMultiProcessor"), 2048);
    EXPECT_EQ(number("H200", "maxBlocksPerMultiProcessor"), 32);
    EXPECT_EQ(number("8800 GTX", "maxThreadsPerBlock"), 512);
    EXPECT_EQ(number("8800 GTX", "totalConstMem"), 65536);
    EXPECT_EQ(number("8800 GTX", "reservedSharedMemPerBlock"), -1) << "what is not there is left out";
}

TEST(Properties, EveryFieldOnceAndWithItsSentence) {
    for (const DeviceFacts& device : device_table()) {
        std::set<std::string_view> fields;
        for (const DeviceProperty& one : properties(device)) {
            EXPECT_TRUE(fields.insert(one.field).second) << one.field;
            EXPECT_FALSE(one.value.empty()) << one.field;
            EXPECT_TRUE(one.limits.ends_with('.')) << one.field;
            EXPECT_GE(one.number, 0) << one.field;
        }
        EXPECT_GE(fields.size(), 15u) << device.name;
    }
}

TEST(Properties, WithoutRulesOnlyWhatTheDeviceSays) {
    const auto all = device_properties(device_table().front(), nullptr);
    EXPECT_EQ(std::ranges::count(all, "regsPerBlock", &DeviceProperty::field), 0);
    EXPECT_EQ(std::ranges::count(all, "multiProcessorCount", &DeviceProperty::field), 1);
}

}  // namespace
}  // namespace warplens::test::properties_tests
