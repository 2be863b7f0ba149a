#pragma once

#include "app/model/claims/claims.h"
#include "app/pictures/kit/palette.h"

#include <string>

namespace warplens {

/// Readable on a panel; told apart by its mark as well.
Color verdict_color(const Theme& theme, ClaimVerdict verdict);
std::string verdict_text(ClaimVerdict verdict);  ///< "✓ right"
std::string computed_line(const Claim& claim);   ///< "● 4 blocks"

}  // namespace warplens
