#pragma once

#include <array>
#include <string_view>

namespace warplens {

/// Whom a barrier lets wait for one another. What these threads wrote before it, they all see after it.
enum class Waits {
    warp,     ///< __syncwarp()
    block,    ///< __syncthreads()
    cluster,  ///< cluster.sync()
    grid,     ///< grid.sync(), the end of a launch, or that the last block goes on alone
    counted,  ///< __threadfence(), then a block's first thread counts it: the last one knows of all stores
};

/// A line of a kernel that accesses memory which the threads of a block share, or a barrier.
struct OrderedLine {
    enum class Kind {
        access,   ///< each thread executes an instruction of the scenario
        fill,     ///< the threads of a block take turns to give all of shared memory some contents
        collect,  ///< the threads of one block take turns to load what all blocks have stored
        barrier,
    };
    Kind kind = Kind::access;
    int instruction = 0;  ///< access: its index; collect: that of the store
    int times = 1;        ///< access: how often in a row each thread executes it
    int not_in_last = 0;  ///< access, collect in a loop: in so many of its last rounds nobody executes it
    int bytes = 4;        ///< fill: what a thread stores at once [bytes]
    Waits waits = Waits::block;  ///< barrier; collect: the first block, or for `counted` the last one
    std::string_view code = {};  ///< fill, collect, barrier: the line of CUDA C++
};

/// The order in which every thread of a block executes a kernel's lines that access shared memory, and its
/// barriers: some lines, a loop, some lines. Without a line nothing is shared.
///
/// An access executes the next `times` steps of its instruction: in the first round of a loop the steps 0 to
/// times - 1, in the second one the steps that follow.
struct KernelOrder {
    static constexpr int kMostLines = 96;
    std::array<OrderedLine, kMostLines> lines{};
    int count = 0;
    int loop_begin = 0, loop_end = 0;  ///< lines of the loop, the second one excluded; equal without a loop
    int rounds = 1;                    ///< of the loop
    /// After so many rounds the addresses of the loop repeat. 0 if they do not.
    int period = 0;
    bool of_grid = false;  ///< Blocks meet in the words of global memory that it accesses.

    constexpr KernelOrder& access(int instruction, int times = 1, int not_in_last = 0) {
        return add({.kind = OrderedLine::Kind::access,
                    .instruction = instruction,
                    .times = times,
                    .not_in_last = not_in_last});
    }
    constexpr KernelOrder& fill(int bytes, std::string_view code) {
        return add({.kind = OrderedLine::Kind::fill, .bytes = bytes, .code = code});
    }
    constexpr KernelOrder& collect(int stored_by, Waits waits, std::string_view code, int not_in_last) {
        of_grid = true;
        return add({.kind = OrderedLine::Kind::collect,
                    .instruction = stored_by,
                    .not_in_last = not_in_last,
                    .waits = waits,
                    .code = code});
    }
    /// @param code  the line of CUDA C++, if it is another one than usual
    constexpr KernelOrder& barrier(Waits waits = Waits::block, std::string_view code = {}) {
        constexpr std::string_view kCode[] = {"__syncwarp();", "__syncthreads();", "cluster.sync();",
                                              "grid.sync();", "__threadfence();"};
        return add({.kind = OrderedLine::Kind::barrier,
                    .waits = waits,
                    .code = code.empty() ? kCode[int(waits)] : code});
    }
    constexpr KernelOrder& loop(int how_often, int repeats_after) {
        loop_begin = loop_end = count;
        rounds = how_often;
        period = repeats_after;
        return *this;
    }
    constexpr KernelOrder& end_loop() {
        loop_end = count;
        return *this;
    }

private:
    constexpr KernelOrder& add(OrderedLine line) {
        lines[count++] = line;
        return *this;
    }
};

/// How the last block of a grid learns that the others have stored.
inline constexpr std::string_view kLastBlock = "__threadfence(); if (atomicAdd(&count, 1) == gridDim.x - 1)";

/// How scenarios fill a tile of 4-byte words that their instructions only load from.
inline constexpr std::string_view kFillWords = "tile[i] = filled_word(i);";

}  // namespace warplens
