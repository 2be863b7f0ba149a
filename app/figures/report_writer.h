#pragma once

#include "app/experiment/evidence.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace warplens {

/// {"schema":1,"program":…,"scenario":…,"device":{…},"params":{…},"kind":"exact","predicted":{…},
///  "grid":[{"label":…,"space":…,"op":…,"requests":…,…},…],"block":[…],"warp":[…]}: one entry per
///  instruction. Every quantity of the evidence stands there by its key.
/// @param program  "warplens 0.1.0"
nlohmann::ordered_json report_to_json(const Evidence& evidence, const DeviceFacts& device,
                                      std::string_view program);

/// The same numbers as CSV: scope,label,space,op,requests,…; each line ends in what is predicted for the
/// launch. The nine counts of report 0.1 come first, 0 where a memory space has no such count; others are
/// empty there.
std::string report_to_csv(const Evidence& evidence);

/// {"name":…,"cc":…,"here":…}
nlohmann::ordered_json device_to_json(const DeviceFacts& device);

}  // namespace warplens
