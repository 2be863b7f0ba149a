#pragma once

// Whether a launch at full size wrote what it should, by samples: a fast kernel that computes the wrong thing
// has no time worth knowing.
#include "kernels/device_buffer.cuh"
#include "kernels/reference_replay.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <optional>
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

/// @return  the place among the expected bytes of the first one that is different; empty: all are right.
/// Errors: CudaError.
std::optional<std::size_t> find_difference(const ExpectedBytes& expected, const unsigned char* buffer,
                                           cudaStream_t stream);

/// Up to `most` of `count` things, evenly spread, the first and the last among them.
std::vector<int> spread_evenly(int count, int most);

/// What some blocks of a replayed scenario must have written, by a replay on the CPU from the random data
/// that the buffers are filled with. Empty: it writes nothing, or depends on what was in buffer 1.
template <class S>
ExpectedBytes expect_bytes(const Params& p) {
    ExpectedBytes expected;
    bool stores = false;
    int steps = 1;
    for (int i = 0; i < S::instruction_count(p); ++i) {
        const Instruction one = S::instruction(p, i);
        stores = stores || (one.space == Space::global && one.op == Op::store);
        steps = std::max(steps, steps_of(S::launch(p), one));
    }
    if (!stores) return expected;
    constexpr int kMostBlocks = 8, kMostExecutions = 1 << 14;
    const LaunchShape shape = S::launch(p);
    const int per_cluster = shape.block.x * shape.block.y * steps * shape.cluster;
    const int clusters = shape.grid.x * shape.grid.y / shape.cluster;
    const int most = std::clamp(kMostExecutions / per_cluster, 1, kMostBlocks);
    std::vector<int> blocks;
    for (const int cluster : spread_evenly(clusters, most)) {
        for (int rank = 0; rank < shape.cluster; ++rank) blocks.push_back(cluster * shape.cluster + rank);
    }
    bool known = true;
    const auto before = [&](int buffer, std::uint64_t at) {
        known = known && buffer != 1;  // what an earlier launch has left there
        return static_cast<unsigned char>(scramble(at / 4) >> at % 4 * 8);
    };
    ReferenceReplay<S> replay(p, blocks, before, [&](int x, int y) {
        return scramble(static_cast<std::uint64_t>(y) * shape.texture.x + x);
    });
    for (const auto& [place, byte] : replay.run()) {
        if (place.first == 1) expected.add(place.second, byte);
    }
    return known ? expected : ExpectedBytes{};
}

}  // namespace warplens
