#pragma once

#include "app/model/access/report.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace warplens {

/// How far addresses lie in their period. Also of addresses below 0.
constexpr std::int64_t in_period(std::int64_t address) {
    static_assert(std::has_single_bit(static_cast<unsigned>(kPeriodBytes)));
    return address & (kPeriodBytes - 1);
}

/// Requests whose addresses move evenly, by how far in the period they are behind the first one, and how many
/// are as far: these cost the same.
class PeriodShifts {
public:
    /// All of them so often, each time so much further [bytes].
    void repeat(std::int64_t each, std::int64_t often) {
        constexpr std::int64_t kPeriod = kPeriodBytes;
        const std::int64_t step = in_period(each),
                           repeats = step == 0 ? 1 : kPeriod / std::gcd(step, kPeriod);
        std::map<std::int64_t, std::int64_t> more;
        for (const auto& [shift, count] : times_)
            for (std::int64_t first = 0; first < std::min(repeats, often); ++first)
                more[in_period(shift + first * step)] += count * ((often - first + repeats - 1) / repeats);
        times_ = std::move(more);
    }
    const std::map<std::int64_t, std::int64_t>& times() const { return times_; }

private:
    std::map<std::int64_t, std::int64_t> times_{{0, 1}};
};

}  // namespace warplens
