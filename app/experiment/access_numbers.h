#pragma once

#include "app/boards/boards.h"

#include <string>
#include <vector>

namespace warplens {

/// Over what the counts of an instruction are summed.
enum class CountScope { warp, block, grid };

/// What is counted of the pictured instructions: of one everything that means something in its memory space,
/// of several what each costs ("4 of 32": the ideal, of those that it takes).
/// @param focus     the instruction; -1: all
/// @param by_label  of several: rows are named after what the instruction does ("store out: sectors"), not
///                  numbered, so that they find their like in another setting
std::vector<Quantity> access_numbers(const Evidence& evidence, const DeviceFacts& device, int focus,
                                     CountScope scope, bool by_label = false);

/// What the scenario is predicted to reach: "useful GB/s". Its value is empty where nothing is known.
Quantity predicted_number(const Prediction& prediction);

/// Four digits at most, and never an exponent.
std::string format_speed(double value);

}  // namespace warplens
