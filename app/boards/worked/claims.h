#pragma once

#include "app/model/claims/claims.h"

namespace warplens {

/// The published numbers that come with the program (assets/worked.json), worked out with the table of GPUs
/// that comes with it. Worked out once, when first asked for; the GPU that is here plays no part.
const ClaimList& worked_claims();

std::string computed_line(const Claim& claim);  ///< "● 4 blocks"; of a saying "true of …"

/// Whether a claim has all words of a text in it, in its source, claim, inputs or reason; case does not
/// matter.
bool mentions(const ClaimList& list, const Claim& claim, std::string_view words);

}  // namespace warplens
