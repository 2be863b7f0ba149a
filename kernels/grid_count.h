#pragma once

#include "kernels/scenario.h"

#include <cstdint>

namespace warplens {

/// How often some lane executes an instruction in global memory, over the whole grid.
struct GlobalAccesses {
    std::int64_t count[kMaxBuffers] = {};    ///< accesses of one lane each, by buffer
    std::int64_t touched[kMaxBuffers] = {};  ///< at most so many bytes travel: whole 32-byte sectors [bytes]
    std::int64_t useful_bytes = 0;           ///< what the lanes asked for [bytes]
    std::int64_t touched_in_all() const {
        std::int64_t bytes = 0;
        for (const std::int64_t in_buffer : touched) bytes += in_buffer;
        return bytes;
    }
};

/// Active lanes of one instruction in one block, over all steps.
template <class S>
std::int64_t active_in_block(const Params& p, const LaunchShape& shape, int index, int block_x, int block_y) {
    const int steps = steps_of(shape, S::instruction(p, index));
    std::int64_t active = 0;
    for (int step = 0; step < steps; ++step) {
        for (int y = 0; y < shape.block.y; ++y) {
            for (int x = 0; x < shape.block.x; ++x) {
                active += S::access(p, index, {block_x, block_y, x, y, step}).active ? 1 : 0;
            }
        }
    }
    return active;
}

/// Active lanes of one instruction in the grid. Only the last block of a row or column may differ from its
/// neighbours (law of kernels/scenario.h), so four blocks stand for all.
template <class S>
std::int64_t active_in_grid(const Params& p, const LaunchShape& shape, int index) {
    const int last_x = shape.grid.x - 1, last_y = shape.grid.y - 1;
    const auto in_row = [&](int y) {
        const std::int64_t inner = last_x > 0 ? active_in_block<S>(p, shape, index, 0, y) * last_x : 0;
        return inner + active_in_block<S>(p, shape, index, last_x, y);
    };
    return (last_y > 0 ? in_row(0) * last_y : 0) + in_row(last_y);
}

/// What a launch asks of global memory. Exact but for `touched`, an upper bound that is tight unless lanes
/// share sectors at a distance.
template <class S>
GlobalAccesses count_global(const Params& p) {
    constexpr std::int64_t kSector = 32;
    const LaunchShape shape = S::launch(p);
    GlobalAccesses sum;
    for (int i = 0; i < S::instruction_count(p); ++i) {
        const Instruction instruction = S::instruction(p, i);
        if (instruction.space != Space::global) continue;
        const std::int64_t active = active_in_grid<S>(p, shape, i);
        sum.count[instruction.buffer] += active;
        sum.useful_bytes += active * instruction.bytes_per_lane;
    }
    for (int b = 0; b < kMaxBuffers; ++b) {
        const std::int64_t sectors = sum.count[b] * kSector;
        sum.touched[b] = sectors < shape.buffer_bytes[b] ? sectors : shape.buffer_bytes[b];
    }
    return sum;
}

}  // namespace warplens
