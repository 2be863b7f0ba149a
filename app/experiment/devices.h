#pragma once

#include "app/model/device/capability.h"
#include "app/model/device/device.h"
#include "kernels/cuda/gpu.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

/// The device if this machine has no GPU and none was named: the one whose rules were measured.
inline constexpr std::string_view kDefaultDevice = "H200";

/// The table of GPUs that is part of the program (assets/gpus.json).
std::vector<DeviceFacts> device_table();

/// The table of compute capabilities that is part of the program, oldest first. It is read once.
const std::vector<CapabilityFacts>& capability_table();

/// The facts for a compute capability: its own row, or the row of the newest older one of the same
/// generation, which is then marked as approximate and has a note. Empty if there is neither.
std::optional<CapabilityFacts> rules_of(ComputeCapability cc);

/// Add the GPU of this machine, or replace it if it was added before. What the driver does not report (on
/// some systems the memory clock) comes from the table's row of the same model.
/// @return  its index.
std::size_t add_gpu_here(std::vector<DeviceFacts>& devices, const GpuInfo& gpu);

/// Whether a device of the list is of the same model as a given GPU: the GPU of this machine with that name,
/// or the table's row of that model.
bool is_model(const std::vector<DeviceFacts>& devices, std::size_t device, const GpuInfo& gpu);

/// The device that a command works with.
///
/// @param wanted  part of a name, a compute capability ("9.0", "sm_90"), or "here" for the GPU of this
///                machine. Empty for the GPU of this machine, or kDefaultDevice if it has none.
/// @param cpu     whether CUDA must not be used
/// @return        its index in `devices`. A compute capability without a GPU in the table is added as a
///                device that has only rules.
/// Errors: UsageError if nothing fits, NoGpu for "here" without a GPU.
std::size_t choose_device(std::vector<DeviceFacts>& devices, std::string_view wanted, bool cpu);

}  // namespace warplens
