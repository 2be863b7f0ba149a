#pragma once

// The folder app/model/claims/ checks numbers that others have published (assets/worked.json) by
// computing them with the program's own model. How they are listed and filtered on screen is decided in
// app/boards/ and app/panels/.

#include "app/model/access/report.h"
#include "app/model/device/capability.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The result of a computation: a number, or a range if sources or GPUs differ.
struct Computed {
    double low = 0, high = 0;             ///< equal for a single number
    Provenance kind = Provenance::exact;  ///< the weakest provenance of the operands
};

/// Computes numbers with the program's own model, as described in assets/worked.json:
///
///     4                                                               a number as it is
///     {"compute":"report","scenario":"global-stride","settings":"stride=8,op=load","device":"H200",
///      "field":"grid.sectors","instruction":0}                        counts of app/model/access/report.h
///     {"compute":"predict",…,"field":"value"}                         app/model/time/prediction.h
///     {"compute":"occupancy","cc":"1.3","threads":256,"registers":32,"shared":2048,"field":"blocks"}
///     {"compute":"most","of":"registers","cc":"1.3","threads":256,"blocks":4}
///                                                                     the largest value that allows so many
///     {"compute":"capability","cc":"1.3","field":"registers_per_sm"}  a row of gpus.json; all rows without
///     cc
///     {"compute":"device","gpu":"H100 SXM5","field":"l2_size_bytes"}  the same for a GPU; all without gpu
///     {"compute":"recorded","cc":"9.0","field":"dram_cycles"}         a range from the table of latencies;
///                                                                     or of one GPU with "gpu"
///     {"compute":"timed","gpu":"NVIDIA H200","scenario":…,"settings":…}  a time that was recorded [us]
///     {"compute":"witness","gpu":"NVIDIA H200","name":"wrapped/31"}  a number of a program in tests/witness/
///     {"compute":"rises","gpu":"NVIDIA H200","name":"wrapped/","from":1,"to":31,"percent":2}
///                                       how many of these numbers are larger than the one before, by more
///     {"compute":"bandwidth","gpu":"H100 SXM5","of":"shared","clock_mhz":1830}
///                                                                     SMs times width times clock [GB/s]
///     {"compute":"phases","matrix":4,"tile":2,"field":"global_loads"}  of one block
///     (app/model/access/tile_phases.h)
///     {"compute":"sum|difference|product|ratio|percent|remainder|floor|root","of":[…]}
///     {"compute":"range","of":[a, b]}                                 from the least to the largest of both
///     {"compute":"largest|smallest","of":[a]}                         of a range
class ClaimComputer {
public:
    /// The time that a GPU, by its full name, was recorded with [us]. Empty if it was not.
    using RecordedTime =
        std::function<std::optional<double>(std::string_view gpu, const Scenario&, const Params&)>;

    /// A number that a program of tests/witness/ measured on a GPU, by its full name. Empty if it did not.
    using Witnessed = std::function<std::optional<double>(std::string_view gpu, std::string_view name)>;

    /// @param gpus  the text of assets/gpus.json.
    /// @param times  what "timed" asks for.
    /// @param witnessed  what "witness" and "rises" ask for.
    /// Errors: std::runtime_error when it is no such table.
    ClaimComputer(std::string_view gpus, const std::vector<DeviceFacts>& devices, RecordedTime times = {},
                  Witnessed witnessed = {});
    ~ClaimComputer();
    ClaimComputer(const ClaimComputer&) = delete;
    ClaimComputer& operator=(const ClaimComputer&) = delete;

    /// Errors: std::runtime_error that names what does not exist.
    Computed compute(const nlohmann::json& what) const;

private:
    Computed of_report(const nlohmann::json& what) const;
    Computed of_recorded_time(const nlohmann::json& what) const;
    double witnessed(const nlohmann::json& what, const std::string& name) const;
    Computed of_witness(const nlohmann::json& what) const;
    Computed rises(const nlohmann::json& what) const;
    Computed of_prediction(const nlohmann::json& what) const;
    Computed of_occupancy(const nlohmann::json& what) const;
    Computed most(const nlohmann::json& what) const;
    Computed of_table(const nlohmann::json& what, const char* table, const char* name) const;
    Computed of_bandwidth(const nlohmann::json& what) const;
    Computed of_phases(const nlohmann::json& what) const;
    Computed arithmetic(const nlohmann::json& what) const;
    const DeviceFacts& device(const std::string& name) const;
    const CapabilityFacts& capability(const std::string& cc) const;

    const std::vector<DeviceFacts>& devices_;
    std::vector<CapabilityFacts> capabilities_;
    std::unique_ptr<nlohmann::json> gpus_;
    RecordedTime times_;
    Witnessed witnessed_;
};

/// A count of a report, as "warp.sectors" or "grid.requests". Errors: std::runtime_error for another name.
double report_field(const Report& report, std::string_view field, int instruction);

/// The result of checking a published number.
enum class ClaimVerdict {
    right,      ///< the same, to the precision that is stated
    corrected,  ///< another number
    outdated,   ///< right for the GPUs of its time, or of an earlier one, but no longer
    undecided,  ///< about a time that only the model of times knows: a prediction judges nobody
    in_part,    ///< a saying that is true of some GPUs or accesses
    wrong,      ///< a saying that is not true as it stands, on no GPU that its document is about
};
inline constexpr int kVerdicts = 6;
std::string_view claim_verdict_name(ClaimVerdict verdict);  ///< for example "right"
/// The symbol of a verdict, so that it is not told by a colour only: "✓".
std::string_view claim_verdict_mark(ClaimVerdict verdict);

/// A document whose numbers were checked.
struct ClaimSource {
    std::string key, author, title;
    std::string year;          ///< may be empty
    std::string about;         ///< the GPUs that it is about
    std::string text() const;  ///< "Author: Title (year)"
};

/// The statement of the document: a number or a range, and its precision.
struct Said {
    double low = 0, high = 0;
    double within = 0;  ///< the difference that its wording allows: 31 is less precise than 31.0
    std::string text;   ///< the statement as it is written, with its unit
};

/// The place where the program shows the number of a claim after its link was followed. One is not empty.
struct Shown {
    std::string field;              ///< a field of the report, as "grid.sectors"
    int instruction = 0;            ///< the instruction that the field is about, or -1 for all of them
    std::string predicted;          ///< a field of the prediction, as "value"
    std::string row;                ///< the name of a row of the table beside a board
    std::string space;              ///< a cell of the table of spaces, as "shared.size"
    std::optional<Computed> value;  ///< the number that is shown there; empty if it is the computed one
};

/// A number, or a saying: a statement without one, whose verdict a person has given.
struct Claim {
    std::string id;
    std::size_t source = 0;  ///< index into ClaimList::sources
    std::string claim;       ///< in our words
    std::string inputs;      ///< the inputs of the computation; of a saying who says what is right
    std::string holds;       ///< of a saying: of what it is true. Empty for a number.
    Said says;
    Computed computed;  ///< by the model, now
    std::string unit;
    Computed written;                            ///< the result that the list states; a test compares it
    ClaimVerdict verdict = ClaimVerdict::right;  ///< follows from `says` and `computed`
    ClaimVerdict listed = ClaimVerdict::right;   ///< the verdict that the list states; a test compares it
    std::string why;                             ///< one sentence
    std::string link;  ///< a link to the place that shows it (app/experiment/link.h)
    Shown shown;
    std::string computed_text() const;  ///< for example "1 024 bytes"; of a saying of what it is true
    bool is_saying() const { return !holds.empty(); }
};

struct ClaimList {
    std::vector<ClaimSource> sources;
    std::vector<Claim> claims;  ///< in the order of their documents, the sayings of each last

    int count(ClaimVerdict verdict) const;
    int sayings() const;  ///< how many of them there are
};

/// Read a list of claims and compute all of their numbers.
/// @param worked  the text of assets/worked.json.
/// Errors: std::runtime_error that names the claim.
ClaimList work_out(std::string_view worked, const ClaimComputer& computer);

/// Whether the stated and the computed numbers are equal, to the precision of the stated one.
bool agrees(const Said& says, const Computed& computed);

/// A number as people read it: 1 024, 29.9, 11.6 to 27.9.
std::string claim_number(const Computed& value);

}  // namespace warplens
