#pragma once

#include "app/experiment/codec.h"
#include "app/experiment/devices.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The scenario that a command line names.
/// Errors: UsageError that suggests the nearest id.
const Scenario& require_scenario(std::string_view id);

/// The same, or the kernel of a file whose name ends in ".cu" or ".cuh". Errors: UsageError as above and as
/// open_kernel_file (typed_kernel.h).
const Scenario& require_kernel(std::string_view id_or_file, std::string_view kernel = {});

/// One sentence that a scenario has no such knob, with the nearest name and all names that it has.
/// @param more  other names that may have been meant
std::string no_such_knob(const Scenario& scenario, std::string_view key,
                         std::vector<std::string_view> more = {});

/// A knob of a scenario, by key or alias.
/// Errors: UsageError that suggests the nearest key.
const Knob& require_knob(const Scenario& scenario, std::string_view key);

/// The Params of a scenario with some knobs set, as --set names them. Other knobs are clamped if their range
/// depends on those. The order does not matter, except that the later of two values for one knob counts.
/// Errors: UsageError for an unknown knob or a value out of range, with the range.
Params apply_settings(const Scenario& scenario, const std::vector<std::string>& settings);
Params apply_knobs(const Scenario& scenario, const std::vector<Item>& knobs);

/// The knob along the bandwidth plot.
/// Errors: UsageError for a knob that does not exist or cannot be an axis.
const Knob& require_axis(const Scenario& scenario, std::string_view key);

/// The setting that a command works on.
struct Experiment {
    std::vector<DeviceFacts> devices;
    State state;
    const DeviceFacts& device() const { return devices[state.device]; }
};

/// Read scenario, settings and device. An empty scenario is the first one. Instead of a scenario there may be
/// a link (link.h), to which the settings are added. Settings name knobs and fields of codec.h. Errors:
/// UsageError, NoGpu as choose_device.
Experiment make_experiment(const ScenarioChoice& choice, const DeviceChoice& device);

}  // namespace warplens
