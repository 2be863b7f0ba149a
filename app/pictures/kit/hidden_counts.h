#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Whether a text of a picture says what a request costs: "4 of 4 sectors", "wavefronts 1 to 8". Places do
/// not: "0x080", "word 3", "8 lanes". Such texts are left out while Style::counts_hidden is set, so that a
/// learner can count for himself.
bool tells_a_count(std::string_view text);

/// A tooltip without the lines that say what the request costs; places stay.
std::string without_counts(std::string_view tooltip);

}  // namespace warplens
