#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace warplens {

/// Lets somebody who waits for a file see how far it is read, and give it up.
struct ReadProgress {
    std::stop_token stop;                        ///< gives up
    std::atomic<std::int64_t>* bytes = nullptr;  ///< read so far. Null if nobody asks.
};

}  // namespace warplens
