#pragma once

#include "app/cli/options.h"

namespace CLI {
class App;
}

namespace warplens {

/// `warplens spaces`
void add_spaces(CLI::App& app, DeviceChoice& device, bool& json);

/// `warplens worked`
void add_worked(CLI::App& app, bool& json);

}  // namespace warplens
