#pragma once

#include "app/experiment/ncu/ncu_compare.h"

#include <array>
#include <span>
#include <string>

namespace warplens {

// Names of a comparison with Nsight Compute's counters, on the command line and in the window.

/// A count has no decimals; a modelled one and a rounded one may have some.
std::string ncu_number_text(double value);
/// "~524400": what was counted, with the digits that the profiler's unit left.
std::string counted_text(const ComparedCounter& counter);
/// "grid 64 x 1 x 1, block 256 x 1 x 1"; in files of older versions "grid 64 blocks, block 256 threads".
std::string launch_shape_text(const NcuLaunch& launch);
/// So much of a name as tells it apart: those of templates can fill pages.
std::string short_kernel_name(const std::string& kernel);
/// "transpose, variant=tile", or the path of the file of accesses. The basis must have one of them.
std::string basis_text(const NcuBasis& basis);
/// A sentence on a line of its own for each reason why predicted counters were not counted.
std::string missing_text(const ComparedLaunch& compared);
/// The line that names the metrics which nothing makes use of, without its end. Empty if there are none.
std::string unread_text(const NcuFile& file);
/// How many counters have each Verdict.
std::array<int, 3> count_verdicts(std::span<const ComparedLaunch> launches);

}  // namespace warplens
