#pragma once

#include "app/model/access/report.h"
#include "app/model/catalogue.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string_view>

namespace warplens {

std::string_view op_key(Op op);  ///< "load"

/// Scenarios with spaces and knobs: {"schema":1,"scenarios":[{"id":…,"spaces":[…],"knobs":[{"key":…},…]},…]}
nlohmann::ordered_json scenarios_to_json(std::span<const Scenario> scenarios);

/// All knobs of a scenario: {"stride":8,"op":"load",…}
nlohmann::ordered_json params_to_json(const Scenario& scenario, const Params& params);

}  // namespace warplens
