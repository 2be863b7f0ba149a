#pragma once

#include "app/experiment/state.h"
#include "app/model/quantity.h"
#include "app/pictures/plot/compared_numbers.h"

#include <string>
#include <vector>

namespace warplens {

/// Rows of both sides by name, in B's order; what A alone has stands behind.
std::vector<QuantityPair> compare_numbers(const std::vector<Quantity>& a, const std::vector<Quantity>& b);

/// One knob that is set differently, in words: "Padding", "0", "1 elements".
struct SetDifference {
    std::string label, a, b;
};

/// In what two settings differ, as far as the board shows it: scenario and its knobs, or the board's own;
/// device, bank mode, launches from an empty L2.
std::vector<SetDifference> set_differences(const State& a, const State& b,
                                           const std::vector<DeviceFacts>& devices);

/// How the sides are called: "Padding 0" and "Padding 1"; empty: they are alike.
struct SideNames {
    std::string a, b;
};
SideNames side_names(const State& a, const State& b, const std::vector<DeviceFacts>& devices);

/// Lay A's curve beside B's where both are of one knob and quantity; else B's stays alone.
void add_other_curve(Curve& b, const Curve& a);

}  // namespace warplens
