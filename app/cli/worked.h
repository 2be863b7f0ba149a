#pragma once

#include "app/cli/command.h"
#include "app/model/claims/claims.h"

#include <nlohmann/json_fwd.hpp>

#include <ostream>

namespace warplens {

struct WorkedCommand {
    bool json = false;
};

/// `warplens worked`: numbers that textbooks and articles give, worked out.
void run_worked(const WorkedCommand& command, std::ostream& out);

/// [{"id":…,"source":…,"claim":…,"inputs":…,"says":4,"computed":3,"unit":…,"kind":…,"verdict":…,"why":…,
///   "link":…},…]; a range is [low, high].
nlohmann::ordered_json claims_to_json(const ClaimList& list);

}  // namespace warplens
