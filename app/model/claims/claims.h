#pragma once

#include "app/model/claims/claim_compute.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What became of a number that somebody published.
enum class ClaimVerdict {
    right,      ///< the same, as precisely as it was stated
    corrected,  ///< another number
    outdated,   ///< right for the GPUs of its time, or of an earlier one; no longer
};
inline constexpr int kVerdicts = 3;
std::string_view claim_verdict_name(ClaimVerdict verdict);  ///< "right"
/// A sign as well as a colour: "✓".
std::string_view claim_verdict_mark(ClaimVerdict verdict);

/// A document whose numbers were worked out.
struct ClaimSource {
    std::string key, author, title;
    std::string year;          ///< may be empty
    std::string about;         ///< which GPUs it speaks of
    std::string text() const;  ///< "Author: Title (year)"
};

/// What the document says: a number or a range, and how precisely it says so.
struct Said {
    double low = 0, high = 0;
    double within = 0;  ///< a difference that its wording allows: 31 says less than 31.0
    std::string text;   ///< as it stands there, with its unit
};

/// Where the program shows the number of a claim, once its link was followed. One of these is not empty.
struct Shown {
    std::string field;              ///< of the report: "grid.sectors" …
    int instruction = 0;            ///< … of this instruction, -1: all together
    std::string predicted;          ///< of the prediction: "value"
    std::string row;                ///< of the table beside a board: its name
    std::string space;              ///< of the table of spaces: "shared.size"
    std::optional<Computed> value;  ///< the number to be seen there; empty: what was computed
};

struct Claim {
    std::string id;
    std::size_t source = 0;  ///< index into ClaimList::sources
    std::string claim;       ///< in our words
    std::string inputs;      ///< what goes in
    Said says;
    Computed computed;  ///< by the model, now
    std::string unit;
    Computed written;                            ///< what the list says that comes out: a test compares
    ClaimVerdict verdict = ClaimVerdict::right;  ///< follows from `says` and `computed`
    ClaimVerdict listed = ClaimVerdict::right;   ///< what the list says: a test compares
    std::string why;                             ///< one sentence
    std::string link;                            ///< app/experiment/link.h
    Shown shown;
    std::string computed_text() const;  ///< "1 024 bytes"
};

struct ClaimList {
    std::vector<ClaimSource> sources;
    std::vector<Claim> claims;  ///< in the order of their documents

    int count(ClaimVerdict verdict) const;
};

/// Read a list of claims and work all of them out.
/// @param worked  the text of assets/worked.json.
/// Errors: std::runtime_error that names the claim.
ClaimList work_out(std::string_view worked, const ClaimComputer& computer);

/// Whether the said and the computed numbers are the same, as precisely as the first is stated.
bool agrees(const Said& says, const Computed& computed);

/// A number as people read it: 1 024, 29.9, 11.6 to 27.9.
std::string claim_number(const Computed& value);

}  // namespace warplens
