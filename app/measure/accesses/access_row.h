#pragma once

// The folder app/measure/accesses/ reads what programs were recorded to access: CSV files of warp accesses
// (access_csv.h) and the text of NVBit's mem_trace tool (mem_trace.h). access_file.h reads either of them in
// pieces, on several threads and in the order of the file; access_list.h sums the rows up by instruction.
// The cost of a request is counted in app/model/access.

#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace warplens {

/// The place in a program at which a request was made. -1 for what the file does not say.
struct AccessPlace {
    std::int64_t launch = -1;  ///< number of the grid
    std::array<int, 3> block{-1, -1, -1};
    int warp = -1;  ///< of its block
};

/// One recorded request.
struct AccessRow {
    /// CSV: the id as it stands in the file, quotes included. mem_trace: the opcode. Valid as long as the
    /// bytes that were read.
    std::string_view id;
    WarpAccess access;
    AccessPlace place;
    long line = 0;  ///< where it begins in the file, counted from 1
};

/// The value of a hexadecimal digit; 16 for any other character.
inline unsigned hex_digit(char c) {
    static constexpr auto kValues = [] {
        std::array<std::uint8_t, 256> values{};
        values.fill(16);
        for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<std::uint8_t>(i);
        for (int i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = static_cast<std::uint8_t>(10 + i);
        return values;
    }();
    return kValues[static_cast<unsigned char>(c)];
}

}  // namespace warplens
