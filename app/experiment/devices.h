#pragma once

#include "app/model/device/capability.h"
#include "app/model/device/device.h"
#include "kernels/cuda/gpu.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens {

/// What is assumed when no GPU is here and none was named: the one whose rules were measured.
inline constexpr std::string_view kDefaultDevice = "H200";

/// The table of GPUs that is part of the program (assets/gpus.json).
std::vector<DeviceFacts> device_table();

/// The table of compute capabilities that is part of the program, oldest first; read once.
const std::vector<CapabilityFacts>& capability_table();

/// Whose facts hold for a compute capability: its own row, else that of the newest older one of the same
/// generation, with kind approximate and a note that says so. Empty: there is none.
std::optional<CapabilityFacts> rules_of(ComputeCapability cc);

/// Add the GPU that is here, or mark it where it is already marked as such. What the driver does not tell (on
/// some systems the memory clock) comes from the table's row of the same model.
/// @return  its index.
std::size_t add_gpu_here(std::vector<DeviceFacts>& devices, const GpuInfo& gpu);

/// Whether a device of the list is the model of a GPU that was described elsewhere: the one that is here with
/// that name, or the table's row of that model.
bool is_model(const std::vector<DeviceFacts>& devices, std::size_t device, const GpuInfo& gpu);

/// The device that a command works with.
///
/// @param wanted  part of a name, a compute capability ("9.0", "sm_90"), "here" for the GPU of this machine;
/// empty: the
///                GPU that is here, else kDefaultDevice.
/// @param cpu     never touch CUDA.
/// @return        its index in `devices`; a compute capability without a GPU in the table is added as a bare
/// set of
///                rules.
/// Errors: UsageError when nothing fits, NoGpu for "here" without a GPU.
std::size_t choose_device(std::vector<DeviceFacts>& devices, std::string_view wanted, bool cpu);

}  // namespace warplens
