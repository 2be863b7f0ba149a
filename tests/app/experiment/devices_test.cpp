#include "app/experiment/devices.h"

#include "app/base/errors.h"
#include "app/model/access/report.h"

#include <gtest/gtest.h>

namespace warplens::test::devices_tests {
namespace {

const DeviceFacts& choose(std::vector<DeviceFacts>& devices, const char* wanted) {
    return devices[choose_device(devices, wanted, true)];
}

TEST(Devices, ChosenByNameOrComputeCapability) {
    auto devices = device_table();
    EXPECT_EQ(choose(devices, "rtx 4090").name, "GeForce RTX 4090");
    EXPECT_EQ(choose(devices, "8.6").cc, (ComputeCapability{8, 6}));
    EXPECT_EQ(choose(devices, "sm_86").cc, (ComputeCapability{8, 6}));
    EXPECT_EQ(choose(devices, "CC 7.5").cc, (ComputeCapability{7, 5}));
    EXPECT_NE(choose(devices, "").name.find("H200"), std::string::npos);
}

// What a figure or a link from a machine with that GPU says, where there is none.
TEST(Devices, ChosenByWhatTheDriverCallsIt) {
    auto devices = device_table();
    EXPECT_EQ(choose(devices, "NVIDIA H200").name, "H200 SXM 141 GB");
    EXPECT_EQ(choose(devices, "NVIDIA GeForce RTX 4090").name, "GeForce RTX 4090");
    EXPECT_EQ(choose(devices, "NVIDIA A100-SXM4-80GB").name, "A100 SXM4 80 GB");
    EXPECT_EQ(choose(devices, "NVIDIA A100-SXM4-40GB").name, "A100 SXM4 40 GB");
    EXPECT_EQ(choose(devices, "NVIDIA H100 80GB HBM3").name, "H100 SXM5 80 GB");
    EXPECT_EQ(choose(devices, "Tesla T4").name, "Tesla T4");
    for (const char* unknown : {"NVIDIA GeForce RTX 5060", "NVIDIA RTX 6000 Ada Generation", "NVIDIA L40S",
                                "NVIDIA ", "NVIDIA", "NVIDIA 9"})
        EXPECT_THROW(choose(devices, unknown), UsageError) << unknown;
}

TEST(Devices, ACapabilityWithoutAGpuInTheTableIsABareSetOfRules) {
    auto devices = device_table();
    const DeviceFacts& orin = choose(devices, "8.7");
    EXPECT_EQ(orin.cc, (ComputeCapability{8, 7}));
    EXPECT_EQ(orin.peak_gb_per_s, 0);
    EXPECT_TRUE(orin.bank_rules.merges);
    EXPECT_EQ(count_basis({.space = Space::global}, orin).kind, Provenance::exact);
}

TEST(Devices, WhatDoesNotExistIsRefused) {
    auto devices = device_table();
    for (const char* wanted : {"0.9", "99.0", "8.77", "Voodoo", "-1.0", "9.", "."}) {
        EXPECT_THROW(choose(devices, wanted), UsageError) << wanted;
    }
    EXPECT_THROW(choose(devices, "here"), UsageError) << "--cpu forbids it";
}

TEST(Devices, TheGpuHereTakesWhatTheDriverDoesNotTellFromTheTable) {
    auto devices = device_table();
    const std::size_t before = devices.size();
    GpuInfo gpu;
    gpu.name = "NVIDIA H200";
    gpu.cc_major = 9;
    gpu.sm_count = 132;
    gpu.memory_bytes = 150'000'000'000;
    const std::size_t index = add_gpu_here(devices, gpu);
    EXPECT_EQ(index, before);
    EXPECT_EQ(devices[index].name, "NVIDIA H200");
    EXPECT_TRUE(devices[index].here);
    EXPECT_EQ(devices[index].peak_gb_per_s, choose(devices, "H200 SXM").peak_gb_per_s);
    EXPECT_EQ(add_gpu_here(devices, gpu), index) << "a second time changes nothing";
    EXPECT_EQ(devices.size(), before + 1);
}

TEST(Devices, AnUnknownGpuKeepsTheDriversNumbers) {
    auto devices = device_table();
    GpuInfo gpu;
    gpu.name = "NVIDIA GeForce RTX 4050 Laptop GPU";
    gpu.cc_major = 8;
    gpu.cc_minor = 9;
    gpu.sm_count = 20;
    gpu.peak_gb_per_s = 192;
    const DeviceFacts& facts = devices[add_gpu_here(devices, gpu)];
    EXPECT_EQ(facts.peak_gb_per_s, 192);
    EXPECT_EQ(facts.sm_count, 20);
    EXPECT_EQ(facts.bank_rules.banks, 32);
}

}  // namespace
}  // namespace warplens::test::devices_tests
