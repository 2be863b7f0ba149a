#pragma once

#include "app/experiment/state.h"
#include "app/model/quantity.h"
#include "app/pictures/plot/compared_numbers.h"

#include <string>
#include <vector>

namespace warplens {

/// The rows of both sides, matched by name, in the order of B. Rows that only A has come last.
std::vector<QuantityPair> compare_numbers(const std::vector<Quantity>& a, const std::vector<Quantity>& b);

/// One difference between two settings, in words: "Padding", "0", "1 elements".
struct SetDifference {
    std::string label, a, b;
};

/// The differences between two settings that the board shows: the knobs of the board, or if it has none, the
/// scenario and its knobs; device, bank mode, launches from an empty L2.
std::vector<SetDifference> set_differences(const State& a, const State& b,
                                           const std::vector<DeviceFacts>& devices);

/// The names of the sides: "Padding 0" and "Padding 1". Empty if the settings are equal.
struct SideNames {
    std::string a, b;
};
SideNames side_names(const State& a, const State& b, const std::vector<DeviceFacts>& devices);

/// Add A's curve to B's plot if both have the same knob and unit. Otherwise B's curve stays alone.
void add_other_curve(Curve& b, const Curve& a);

}  // namespace warplens
