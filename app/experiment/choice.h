#pragma once

#include <string>
#include <vector>

namespace warplens {

/// A scenario and the settings of its knobs, as a person typed them. make_experiment
/// (app/experiment/settings.h) reads it.
struct ScenarioChoice {
    std::string scenario;  ///< Its id. Empty for the first one, and where no scenario is needed.
    /// "key=value", or several separated by commas; later ones take precedence. Options that are fields of
    /// codec.h, such as `export --axis`, are also added here.
    std::vector<std::string> settings;
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

}  // namespace warplens
