#pragma once

#include "kernels/params.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens {

/// Some bytes of buffer 1 as they must be after a launch.
struct ExpectedBytes {
    std::vector<std::uint64_t> addresses;
    std::vector<unsigned char> bytes;

    void add(std::uint64_t address, unsigned char byte) {
        addresses.push_back(address);
        bytes.push_back(byte);
    }
    void add_float(std::uint64_t address, float value);
};

/// At most `most` of `count` indices, evenly spread, including the first and the last.
std::vector<int> spread_evenly(int count, int most);

/// What some blocks of a replayed scenario must have written, computed by a replay on the CPU from the random
/// data that the buffers are filled with. Empty if the scenario writes nothing, if its output depends on what
/// was in buffer 1, or if there is no such scenario.
ExpectedBytes expect_output(std::string_view scenario, const Params& p);

}  // namespace warplens
