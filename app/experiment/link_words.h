#pragma once

#include "app/model/catalogue.h"

#include <string>
#include <string_view>

namespace warplens {

/// Whether a link leads out of the program: "https://…".
bool leads_out(std::string_view link);

/// What following a link does, for a tooltip: "Sets Matrix transpose: Variant padded, Tile 16." Unknown names
/// are unchanged; following such a link reports the error. For links that lead out of the program: "Copies
/// the address: https://…".
std::string describe_link(std::string_view link);

/// The value of `compare` in a link (compared_state, link.h) in words: "Padding 0, device A100". Takes any
/// text.
/// @param scenario  scenario of the link. Null if it is unknown.
std::string describe_compared(std::string_view text, const Scenario* scenario);

}  // namespace warplens
