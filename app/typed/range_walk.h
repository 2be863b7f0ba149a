#pragma once

#include "app/typed/machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::typed {

/// How much of a grid may be executed.
inline constexpr int kMostRanges = 96'000;
struct Patience {
    int ranges = kMostRanges;            ///< most ranges of blocks
    std::int64_t requests = 16'000'000;  ///< most loads and stores of warps in all of them
    std::int64_t steps = 50'000'000;     ///< most steps of warps: some seconds
};

/// Goes through a grid in ranges of blocks that do the same: the whole grid at first, cut where they do not.
class RangeWalk {
public:
    RangeWalk(const Launch& launch, const Patience& patience);
    /// The range to be executed next, of which did() or cut() must then be told. Nothing at the end of the
    /// grid, or of patience.
    std::optional<BlockRange> next();
    void did(const Work& work);
    void cut(const RangeCut& cut);
    bool complete() const { return waiting_.empty(); }  ///< after next() has given nothing

private:
    const Patience patience_;
    std::vector<BlockRange> waiting_;  ///< the next one last
    BlockRange now_;
    std::int64_t tries_ = 0;
    Work sum_;
    int cuts_ = 0;   ///< since a range of several blocks was executed
    int alone_ = 0;  ///< single blocks one after the other
};

}  // namespace warplens::typed
