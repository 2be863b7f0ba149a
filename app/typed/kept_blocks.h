#pragma once

// A launch keeps this of the blocks that were executed: only program.cpp and blocks.cpp need it.

#include "app/typed/program.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplens::typed {

/// A range of blocks with what each warp executes, by access.
struct TypedLaunch::Indexed {
    std::shared_ptr<const BlockTrace> trace;
    std::vector<std::vector<std::vector<std::uint32_t>>> executions;  ///< [warp][access]: indices of requests

    bool contains(int x, int y) const {
        const BlockRange& range = trace->range;
        return x >= range.x && x < range.x + range.width && y >= range.y && y < range.y + range.height;
    }
};

struct TypedLaunch::Kept {
    std::mutex mutex;
    std::deque<std::shared_ptr<const BlockTrace>> blocks;
    std::deque<std::shared_ptr<const Indexed>> ranges;
    std::deque<std::shared_ptr<const Indexed>> firsts;  ///< blocks with kFirstExecutions of each access

    std::optional<std::string> race;                         ///< never changed
    std::shared_ptr<const HazardReport> in_blocks, in_grid;  ///< null if not looked for; in_grid if forgotten
};

}  // namespace warplens::typed
