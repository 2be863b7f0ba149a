#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/unavailable.h"

#include <variant>
#include <vector>

namespace warplens {

/// When a block fetched, waited for and used one pair of tiles, in cycles of its SM's clock since it began.
struct TileTimes {
    long long fetched = 0;  ///< its first copy was begun
    long long arrived = 0;  ///< all of it had come, as a warp saw that does nothing but watch
    long long awaited = 0;  ///< the block had nothing else to do: it began to wait, or went on at once
    long long used = 0;     ///< it began to multiply
    long long done = 0;     ///< all its warps were done with the tile, whose place is free again

    friend bool operator==(const TileTimes&, const TileTimes&) = default;
};

/// The product that is watched: square matrices of floats, tiles of 64 x 16 and 16 x 64, 64 x 64 results for
/// each block of 256 threads.
struct StagedProduct {
    static constexpr int kMostStages = 4;
    static constexpr int kMatrix = 2048, kTile = 64, kDepth = 16;
    static constexpr int kTiles = kMatrix / kDepth;  ///< pairs of tiles that a block uses
};

/// One block's way through its tiles.
struct Timeline {
    int stages = 1;  ///< pairs of tiles that shared memory has room for
    std::vector<TileTimes> tiles;
    long long cycles = 0;  ///< until the block was done
    bool right = false;    ///< whether samples of the result are what the CPU computes
};

/// Run the product with asynchronous copies (cp.async), with one block on each SM, and read the clock of the
/// SM in one block that begins when the others do. Blocks until done.
/// @param stages  1 to StagedProduct::kMostStages
/// @return  or why there is none: no GPU, or one older than compute capability 8.0.
/// Errors: CudaError.
std::variant<Timeline, Unavailable> measure_timeline(int stages);

}  // namespace warplens
