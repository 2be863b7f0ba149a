#pragma once

#include "app/experiment/evidence.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Put into words what the model says: Evidence::counts, predicted and launch. A number that is added here
/// appears in the window, in reports, in their JSON and CSV.
void add_model_quantities(Evidence& evidence, const DeviceFacts& device);

/// The same for what GPUs said: Evidence::seen and counters, anew.
void add_observed_quantities(Evidence& evidence);

/// The number with that key. Null if there is none.
const Quantity* find_quantity(std::span<const Quantity> quantities, std::string_view key);

/// What is counted of the pictured instructions: of one everything that means something in its memory space,
/// of several what each costs ("4 of 32": the ideal, of those that it takes).
/// @param focus     the instruction; -1: all
/// @param by_label  of several: rows are named after what the instruction does ("store out: sectors"), not
///                  numbered, so that they find their like in another setting
std::vector<Quantity> count_rows(const Evidence& evidence, int focus, CountScope scope,
                                 bool by_label = false);

/// The table of numbers: the counts, then the launch; predicted (a) beside measured or recorded (b). Over the
/// grid it has more about the launch than over a warp or a block.
std::vector<QuantityPair> number_rows(const Evidence& evidence, int focus, CountScope scope,
                                      bool by_label = false);

/// How a hardware counter and its expectation get on. Empty if it was not counted.
/// @param counter  one of Evidence::counters
std::optional<Judgement> judgement_of(const Evidence& evidence, const QuantityPair& counter);

/// Four digits at most, and never an exponent.
std::string format_speed(double value);

}  // namespace warplens
