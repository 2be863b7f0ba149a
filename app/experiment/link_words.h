#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <string_view>

namespace warplens {

/// Whether a link leads out of the program: "https://…".
bool leads_out(std::string_view link);

/// What following a link does, for a tooltip: "Sets Matrix transpose: Variant padded, Tile 16." Names that
/// are not known stand as they are; following such a link says what is wrong with it.
/// Links that lead out: "Copies the address: https://…".
std::string describe_link(std::string_view link);

/// What `compare` in a link names (compared_state, link.h): "Padding 0, device A100". Takes any text.
/// @param scenario  of the link; null if it is unknown.
std::string describe_compared(std::string_view text, const Scenario* scenario);

}  // namespace warplens
