#include "app/boards/spaces/spaces.h"

#include "app/base/assets.h"
#include "app/experiment/devices.h"

namespace warplens {

SpacesTable spaces_of(const DeviceFacts& device) {
    const std::optional<CapabilityFacts> rules = rules_of(device.cc);
    return make_spaces(asset("assets/spaces.json"), device, rules ? &*rules : nullptr);
}

}  // namespace warplens
