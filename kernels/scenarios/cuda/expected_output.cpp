#include "kernels/scenarios/cuda/expected_output.h"

#include "kernels/scramble.h"

#include <algorithm>

namespace warplens {

std::vector<std::int64_t> spread_evenly(std::int64_t count, int most) {
    std::vector<std::int64_t> chosen;
    const std::int64_t wanted = std::min<std::int64_t>(count, most);
    for (std::int64_t i = 0; i < wanted; ++i)
        chosen.push_back(wanted == 1 ? 0 : i * (count - 1) / (wanted - 1));
    return chosen;
}

unsigned char initial_byte(std::uint64_t address) {
    return static_cast<unsigned char>(scramble(address / 4) >> address % 4 * 8);
}

std::uint32_t initial_word(std::uint64_t index) { return scramble(index); }

}  // namespace warplens
