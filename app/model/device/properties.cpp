#include "app/model/device/properties.h"

#include "app/base/format.h"
#include "app/model/device/spaces.h"

namespace warplens {
namespace {

class Properties {
public:
    void count(std::string_view field, std::int64_t number, std::string_view limits,
               std::string_view space = {}) {
        if (number > 0) all.push_back({field, format_count(number), number, {}, limits, space});
    }
    void bytes(std::string_view field, std::int64_t number, std::string_view limits, std::string_view space) {
        if (number > 0) all.push_back({field, memory_text(number), number, "bytes", limits, space});
    }
    void list(std::string_view field, std::string value, std::string_view limits) {
        all.push_back({field, std::move(value), 0, {}, limits, {}});
    }

    std::vector<DeviceProperty> all;
};

void add_sm(Properties& out, const CapabilityFacts& rules) {
    out.count("maxThreadsPerBlock", rules.max_threads_per_block,
              "Threads of a block, in all its dimensions.");
    out.count("maxThreadsPerMultiProcessor", rules.max_threads,
              "Threads that are resident on an SM at once: divided by 32, its warp slots.");
    out.count("maxBlocksPerMultiProcessor", rules.max_blocks,
              "Blocks that are resident on an SM at once, however small they are.");
    out.count("regsPerBlock", rules.registers_per_block,
              "32-bit registers of all threads of a block together.", "registers");
    out.count("regsPerMultiprocessor", rules.registers_per_sm,
              "32-bit registers that all resident threads of an SM divide among them.", "registers");
    out.bytes("sharedMemPerBlock", rules.shared_per_block,
              "Shared memory of a block, unless the kernel asks for more with cudaFuncSetAttribute.",
              "shared");
    out.bytes("sharedMemPerBlockOptin", rules.shared_per_block_most,
              "Shared memory of a block that asks for the most.", "shared");
    out.bytes("sharedMemPerMultiprocessor", rules.shared_per_sm,
              "Shared memory that all resident blocks of an SM divide among them.", "shared");
    out.bytes("reservedSharedMemPerBlock", rules.shared_reserved,
              "Shared memory of each block that the system keeps for itself.", "shared");
    out.bytes("totalConstMem", rules.constant_memory, "All __constant__ variables of a program together.",
              "constant");
}

/// Limits of the dimensions of blocks and grids. Source: CUDA C++ Programming Guide, technical specifications
/// per compute capability.
void add_dimensions(Properties& out, ComputeCapability cc) {
    const bool first = cc.major < 2;
    out.list("maxThreadsDim", first ? "512, 512, 64" : "1 024, 1 024, 64",
             "Threads of a block in x, in y and in z.");
    out.list("maxGridSize",
             first          ? "65 535, 65 535, 1"
             : cc.major < 3 ? "65 535, 65 535, 65 535"
                            : "2 147 483 647, 65 535, 65 535",
             "Blocks of a grid in x, in y and in z.");
}

}  // namespace

std::vector<DeviceProperty> device_properties(const DeviceFacts& device, const CapabilityFacts* rules) {
    Properties out;
    out.list("major, minor", device.cc.text(),
             "The compute capability: which instructions there are, and which of these rules hold.");
    out.count("multiProcessorCount", device.sm_count,
              "SMs: blocks of a grid that can begin at once, times those "
              "that fit on one.");
    out.count("warpSize", 32, "Threads that run an instruction together.");
    if (rules != nullptr) add_sm(out, *rules);
    add_dimensions(out, device.cc);
    out.bytes("totalGlobalMem", device.memory_bytes, "All arrays in global memory together.", "global");
    out.bytes("l2CacheSize", device.l2_bytes,
              "What all SMs can find without asking DRAM. A smaller footprint is read again from here.",
              "l2");
    out.list("managedMemory", device.cc.major >= 3 ? "1" : "0", "Whether cudaMallocManaged can be used.");
    out.list(
        "concurrentManagedAccess", device.cc.major >= 6 ? "1 on Linux" : "0",
        "Whether pages of managed memory move one by one when they are touched; else all of them move at a "
        "launch.");
    if (rules != nullptr)
        out.list("clusterLaunch", rules->clusters ? "1" : "0",
                 "Whether blocks of a cluster can read each other's shared memory.");
    return out.all;
}

}  // namespace warplens
