#pragma once

#include "app/measure/ncu/ncu_csv.h"

#include <optional>
#include <string_view>

namespace warplens {

// Lines of what Nsight Compute prints without --csv, and of what other profilers print.

/// "(256, 1, 1)" and "256,1,1"
std::optional<Extent3> parse_extent(std::string_view text);

/// The line above the tables of a launch: "  k(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device
/// 0, CC 8.6", in older versions with a date in place of grid and block.
struct NcuTitle {
    std::string_view kernel, grid, block, cc;  ///< those that it does not have are empty
};
std::optional<NcuTitle> title_in(std::string_view line);

/// "[77] a.out@127.0.0.1": the process of the launches that follow.
struct NcuProcess {
    std::string_view id, name;
};
std::optional<NcuProcess> process_in(std::string_view line);

/// The columns of such a table, as the rule of dashes shows them: name, unit, value.
struct NcuColumns {
    std::size_t unit = 0, value = 0;  ///< where they begin
};
std::optional<NcuColumns> columns_in(std::string_view line);

}  // namespace warplens
