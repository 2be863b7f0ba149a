#pragma once

#include "app/experiment/evidence.h"
#include "app/model/access/report.h"
#include "app/model/catalogue.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// {"schema":1,"program":…,"scenario":…,"device":{…},"params":{…},"kind":"exact","predicted":{…},
///  "grid":[{"label":…,"space":…,"op":…,"requests":…,…},…],"block":[…],"warp":[…]}: one entry per
///  instruction. Every quantity of the evidence stands there by its key.
/// @param program  "warplens 0.1.0"
nlohmann::ordered_json report_to_json(const Evidence& evidence, const DeviceFacts& device,
                                      std::string_view program);

/// The same numbers as CSV: scope,label,space,op,requests,…; each line ends with the predictions for the
/// launch. The nine counts of report 0.1 come first. If a memory space has no such count, these nine are 0
/// and others are empty.
std::string report_to_csv(const Evidence& evidence);

/// {"name":…,"cc":…,"here":…}
nlohmann::ordered_json device_to_json(const DeviceFacts& device);

std::string_view op_key(Op op);  ///< "load"

/// Scenarios with spaces and knobs: {"schema":1,"scenarios":[{"id":…,"spaces":[…],"knobs":[{"key":…},…]},…]}
nlohmann::ordered_json scenarios_to_json(std::span<const Scenario> scenarios);

/// All knobs of a scenario: {"stride":8,"op":"load",…}
nlohmann::ordered_json params_to_json(const Scenario& scenario, const Params& params);

}  // namespace warplens
