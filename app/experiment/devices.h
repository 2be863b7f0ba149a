#pragma once

#include "app/model/device/capability.h"
#include "app/model/device/device.h"
#include "kernels/cuda/gpu.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A scenario and the settings of its knobs, as a person typed them. make_experiment
/// (app/experiment/settings.h) reads it.
struct ScenarioChoice {
    std::string scenario;  ///< Its id. Empty for the first one, and where no scenario is needed.
    /// "key=value", or several separated by commas; later ones take precedence. Options that are fields of
    /// codec.h, such as `export --axis`, are also added here.
    std::vector<std::string> settings;
    std::string kernel = {};  ///< Of a file with several: the one. Empty for the one with most to say.
};

/// A device, as a person typed it.
struct DeviceChoice {
    std::string name;       ///< See choose_device (app/experiment/devices.h).
    bool cpu = false;       ///< Never touch CUDA.
    std::string bank_mode;  ///< "4" or "8" for compute capability 3.x. Empty if nothing was said.
};

/// Which recordings are drawn beside the model.
struct RecordingChoice {
    std::vector<std::string> files;  ///< To open, in this order.
    bool shipped = true;             ///< Also those that come with the program and are of the chosen GPU.
};

/// The device if this machine has no GPU and none was named: the one whose rules were measured.
inline constexpr std::string_view kDefaultDevice = "H200";

/// By whose rules recorded requests are counted if nothing is said: those that were measured.
inline constexpr std::string_view kMeasuredRules = "9.0";

/// The table of GPUs that is part of the program (assets/gpus.json). It is read once.
const std::vector<DeviceFacts>& device_table();

/// The table of compute capabilities that is part of the program, oldest first. It is read once.
const std::vector<CapabilityFacts>& capability_table();
/// "1.0, 1.1, ...": those of the table.
std::string capability_names();

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
/// @param wanted  whole words of a name, a compute capability ("9.0", "sm_90"), or "here" for the GPU of this
///                machine. Empty for the GPU of this machine, or kDefaultDevice if it has none.
/// @param cpu     whether CUDA must not be used
/// @return        its index in `devices`. A compute capability without a GPU in the table is added as a
///                device that has only rules.
/// Errors: UsageError if nothing fits, NoGpu for "here" without a GPU.
std::size_t choose_device(std::vector<DeviceFacts>& devices, std::string_view wanted, bool cpu);

}  // namespace warplens
