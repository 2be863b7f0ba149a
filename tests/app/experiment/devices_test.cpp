#include "app/experiment/devices.h"

#include "app/base/errors.h"
#include "app/model/access/report.h"

#include <gtest/gtest.h>

#include <tuple>

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
    for (const char* unknown :
         {"NVIDIA GeForce RTX 5060", "NVIDIA A16", "NVIDIA A800-SXM4-80GB", "NVIDIA ", "NVIDIA", "NVIDIA 9"})
        EXPECT_THROW(choose(devices, unknown), UsageError) << unknown;
}

TEST(Devices, ACapabilityWithoutAGpuInTheTableIsABareSetOfRules) {
    auto devices = device_table();
    const DeviceFacts& thor = choose(devices, "11.0");
    EXPECT_EQ(thor.cc, (ComputeCapability{11, 0}));
    EXPECT_EQ(thor.peak_gb_per_s, 0);
    EXPECT_TRUE(thor.bank_rules.merges);
    EXPECT_EQ(count_basis({.space = Space::global}, thor).kind, Provenance::exact);
}

TEST(Devices, WholeWordsFindOneModelAndNeverAnother) {
    auto devices = device_table();
    const std::pair<const char*, const char*> kFound[] = {
        {"A10", "A10"},
        {"A100", "A100 SXM4 40 GB"},
        {"a100 pcie", "A100 PCIe 80 GB"},
        {"4060", "GeForce RTX 4060"},
        {"4060 ti", "GeForce RTX 4060 Ti (16 GB)"},
        {"laptop 4060", "GeForce RTX 4060 Laptop"},
        {"V100", "Tesla V100 SXM2 32 GB"},
        {"Tesla V100-SXM2-16GB", "Tesla V100 SXM2 16 GB"},
        {"NVIDIA GeForce RTX 3060 Laptop GPU", "GeForce RTX 3060 Laptop"},
        {"L40", "L40"},
        {"7.0", "Tesla V100 SXM2 32 GB"},
        {"sm_90a", "H100 SXM5 80 GB"},
        {"90", "H100 SXM5 80 GB"},
        {"100f", "B200"},
        {"compute_86", "A40"},
        {"P100", "Tesla P100 SXM2 16 GB"},
        {"H100 NVL", "H100 NVL 94 GB"},
        {"A10", "A10"},
        {"NVIDIA GeForce RTX 4090 Laptop GPU", "GeForce RTX 4090 Laptop"},
        {"8.6", "A40"},
        {"9.0", "H100 SXM5 80 GB"},
        {"10.0", "B200"},
        {"480", "GeForce GTX 480"},
        {"Xavier", "Jetson AGX Xavier 16 GB"},
        {"Xavier (nvgpu)", "Jetson AGX Xavier 16 GB"},
        {"TITAN X", "GeForce GTX TITAN X (Maxwell)"},
        {"TITAN RTX", "TITAN RTX"},
        {"DGX Spark", "GB10 (DGX Spark)"}};
    for (const auto& [wanted, name] : kFound) EXPECT_EQ(choose(devices, wanted).name, name) << wanted;
    for (const char* wanted :
         {"T", "3", "H2", "RTX", "Titan", "GTX", "Ti", "5060", "RTX 6000", "Tesla", "HBM3"})
        EXPECT_THROW(choose(devices, wanted), UsageError) << wanted;
    try {
        choose(devices, "H2");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("H200 SXM 141 GB, H200 NVL 141 GB, H20 96 GB"),
                  std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("compute capability"), std::string::npos) << error.what();
    }
    constexpr const char* kAsk = "a compute capability (nvidia-smi";
    const std::tuple<const char*, const char*, const char*> kSimilar[] = {
        // What is only similar may have another capability, so it is said to be theirs.
        {"Tesla K40d", "no GPU is called 'Tesla K40d': similar are Tesla K40, Tesla K40c;", kAsk},
        {"NVIDIA A100-PCIE-40GB", "A100 SXM4 40 GB, A100 SXM4 80 GB, A100 PCIe 80 GB;",
         "8.0 is what similar"},
        {"Tesla K20m", "no GPU is called 'Tesla K20m': similar are Tesla K20c;", kAsk},
        {"RTX 6000", "several GPUs are called 'RTX 6000': Quadro RTX 6000, RTX 6000 Ada", kAsk},
        {"TITAN Xp", "similar are", kAsk},
        {"Tesla M60", "no GPU is called 'Tesla M60'; expected", kAsk},
        {"NVIDIA GH200 120GB", "similar are GH200 (96 GB HBM3), GH200 (144 GB HBM3e);", kAsk},
        {"40", "no GPU is called '40': similar are A100 SXM4 40 GB;", kAsk},
        {"144", "no GPU is called '144': similar are GH200 (144 GB HBM3e);", kAsk},
        {"8", "several GPUs are called '8'", kAsk},
        {"6", "no GPU is called '6': similar are GeForce GTX 1060 6GB;", kAsk},
        {"two", "no GPU is called 'two'", kAsk},
        {"GeForce GTX TITAN", "similar are GeForce GTX TITAN X (Maxwell);", kAsk},
        {"Orin (nvgpu)", "Jetson AGX Orin 64 GB, Jetson Orin Nano Super 8 GB;", "such as 8.7"},
        {"NVIDIA GB200 NVL72", "similar are GB200 (one of its GPUs);", kAsk},
        {"4070 Ti SUPER", "similar are GeForce RTX 4070 Laptop, GeForce RTX 4070, GeForce RTX 4070 SUPER;",
         kAsk},
        {"Quadro P4000", "no GPU is called 'Quadro P4000'; expected", kAsk},
        {"HBM3", "several GPUs", "such as 9.0"}};
    for (const auto& [wanted, names, capability] : kSimilar) {
        const std::string said = no_such_device(devices, wanted);
        EXPECT_THROW(choose(devices, wanted), UsageError) << wanted;
        EXPECT_NE(said.find(names), std::string::npos) << said;
        EXPECT_NE(said.find(capability), std::string::npos) << said;
    }
    // What nvidia-smi prints finds the row that it is printed of, or another with the same name.
    for (const DeviceFacts& device : device_table()) {
        if (device.driver_name.empty()) continue;
        EXPECT_EQ(choose(devices, device.driver_name.c_str()).driver_name, device.driver_name);
    }
}

TEST(Devices, WhatDoesNotExistIsRefused) {
    auto devices = device_table();
    for (const char* wanted :
         {"0.9", "4.0", "99.0", "8.77", "8.8", "sm_88", "6.6", "Voodoo", "-1.0", "9.", "."}) {
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
