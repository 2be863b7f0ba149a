#pragma once

#include "app/experiment/ncu/ncu_compare.h"

#include <array>
#include <span>
#include <string>

namespace warplens {

// Names of a comparison with Nsight Compute's counters, on the command line and in the window.

/// A count has no decimals; a modelled one and a rounded one may have some.
std::string ncu_number_text(double value);
/// "64 x 1 x 1", or that the file does not tell it.
std::string extent_text(const std::optional<Extent3>& extent);
/// So much of a name as tells it apart: those of templates can fill pages.
std::string short_kernel_name(const std::string& kernel);
/// "transpose, variant=tile", or the path of the file of accesses. The basis must have one of them.
std::string basis_text(const NcuBasis& basis);
/// A sentence on a line of its own for each reason why predicted counters were not counted.
std::string missing_text(const ComparedLaunch& compared);
/// How many counters have each Verdict.
std::array<int, 3> count_verdicts(std::span<const ComparedLaunch> launches);

}  // namespace warplens
