#pragma once

#include "app/cli/command.h"
#include "app/model/device/spaces.h"

#include <nlohmann/json_fwd.hpp>

#include <ostream>

namespace warplens {

struct SpacesCommand {
    DeviceChoice device;
    bool json = false;
};

/// `warplens spaces`: the table of memory spaces, as text or JSON.
/// Errors: UsageError for a GPU that does not exist.
void run_spaces(const SpacesCommand& command, std::ostream& out);

/// {"schema":1,"device":…,"compute_capability":…,"source":…,"spaces":[{"space":…,"exists":…,…},…]}. Values
/// that are not known or do not exist are null.
nlohmann::ordered_json spaces_to_json(const SpacesTable& table);

}  // namespace warplens
