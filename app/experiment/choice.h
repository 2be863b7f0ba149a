#pragma once

#include <string>
#include <vector>

namespace warplens {

/// A scenario and how its knobs are set, as a person typed it: make_experiment (app/experiment/settings.h)
/// reads it.
struct ScenarioChoice {
    std::string scenario;  ///< Its id. Empty for the first one, and where no scenario is needed.
    /// "key=value", or several with commas, in order; later ones win. Options that are fields of codec.h
    /// (`export --axis`) stand here, too.
    std::vector<std::string> settings;
};

/// A device, as a person typed it.
struct DeviceChoice {
    std::string name;       ///< As choose_device (app/experiment/devices.h) takes it.
    bool cpu = false;       ///< Never touch CUDA.
    std::string bank_mode;  ///< "4" or "8" for compute capability 3.x. Empty if nothing was said.
};

/// Which recordings are drawn beside the model.
struct RecordingChoice {
    std::vector<std::string> files;  ///< To open, in this order.
    bool shipped = true;  ///< Also those that come with the program, where they are of the chosen GPU.
};

}  // namespace warplens
