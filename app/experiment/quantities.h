#pragma once

#include "app/experiment/evidence.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Set Evidence::counts, predicted and launch from what the model computed. A number that is added here
/// appears in the window and in reports, also as JSON and CSV.
void add_model_quantities(Evidence& evidence, const DeviceFacts& device);

/// Set Evidence::seen and counters again, from what GPUs showed.
void add_observed_quantities(Evidence& evidence);

/// " ±17 %": the known error of a model that is not as near to what was measured as it should be
/// (meets_goal in accuracy.h), or " (off by up to 3x)". Empty if it is near enough, or if nothing was
/// compared.
std::string error_text(const KnownError& error);

/// The speed of the launch in words, what is known best first: "○ 571 GB/s, limited by DRAM". Where the model
/// is not as near to what was measured as it should be, what a GPU showed leads, and the model stands beside
/// it with its known error: "▲ 2 863 GB/s recorded; model ○ 1 906 GB/s ±17 %, limited by the texture unit".
std::string speed_words_of(const Evidence& evidence, bool with_limit = true);

/// The number with that key. Null if there is none.
const Quantity* find_quantity(std::span<const Quantity> quantities, std::string_view key);

/// The counts of the pictured instructions. For a single instruction they are all counts that apply to its
/// memory space. For several they are the cost of each ("4 of 32": the ideal, and what it takes).
/// @param focus     the instruction. -1 for all.
/// @param by_label  whether rows of several instructions are named by what the instruction does ("store out:
///                  sectors") instead of its number, so that they can be matched with another setting's rows
std::vector<Quantity> count_rows(const Evidence& evidence, int focus, CountScope scope,
                                 bool by_label = false);

/// The table of numbers: the counts, then the launch, with predicted (a) and measured or recorded (b) values.
/// For the grid it says more about the launch than for a warp or a block.
std::vector<QuantityPair> number_rows(const Evidence& evidence, int focus, CountScope scope,
                                      bool by_label = false);

/// Whether a hardware counter agrees with its expectation. Empty if it was not counted.
/// @param counter  one of Evidence::counters
std::optional<Judgement> judgement_of(const Evidence& evidence, const QuantityPair& counter);

/// A speed with at most four significant digits and without an exponent.
std::string format_speed(double value);

/// "64 MiB come over the link as one copy, 1.21 ms of 1.26 ms." Empty without a transfer.
std::string transfer_sentence(const Transfer& transfer, double launch_us);

}  // namespace warplens
