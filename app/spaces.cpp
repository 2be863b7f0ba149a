#include "app/spaces.h"

#include "app/assets.h"

namespace warplens {

SpacesTable spaces_of(const DeviceFacts& device) {
    static const std::vector<CapabilityFacts> capabilities = load_capabilities(asset("assets/gpus.json"));
    return make_spaces(asset("assets/spaces.json"), device, find_capability(capabilities, device.cc));
}

}  // namespace warplens
