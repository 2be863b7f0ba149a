#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace warplens {

/// What somebody who waits for a file that is read can see and do.
struct ReadProgress {
    std::stop_token stop;                        ///< gives up
    std::atomic<std::int64_t>* bytes = nullptr;  ///< read so far. Null if nobody asks.
};

}  // namespace warplens
