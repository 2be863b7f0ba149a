#pragma once

#include "app/model/claims/claims.h"
#include "app/pictures/kit/palette.h"

#include <array>
#include <string>
#include <vector>

namespace warplens {

/// The colour of a verdict, readable on a panel. Verdicts also differ by their marks.
Color verdict_color(const Theme& theme, ClaimVerdict verdict);
std::string verdict_text(ClaimVerdict verdict);  ///< "✓ right"

/// The columns of the list of worked numbers: where each begins [pixels], and how many there are.
struct ClaimColumns {
    float claim = 0, says = 0, computed = 0, verdict = 0, why = 0, end = 0;
    bool shows_why = true;
    bool stacked = false;  ///< the published and the computed number are below the claim
    friend bool operator==(const ClaimColumns&, const ClaimColumns&) = default;
};
struct ClaimCell {
    std::vector<std::string> lines;
    float x = 0;  ///< [pixels]
};
struct ClaimRow {
    ClaimCell claim, says, computed, verdict, why;
    float height = 0;  ///< [pixels]
};
/// The list: how it is filtered, and broken into lines until columns or font change.
struct ClaimRows {
    int verdict = -1;               ///< lists only those with this verdict. -1 for all.
    std::array<char, 128> words{};  ///< lists only those that contain these words
    std::string open;               ///< the one that is unfolded. Empty if there is none.
    ClaimColumns columns;
    float font_size = 0;  ///< [pixels]
    std::vector<ClaimRow> rows;
};

}  // namespace warplens
