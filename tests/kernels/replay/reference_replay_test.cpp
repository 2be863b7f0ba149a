// What replaying a scenario means, on the CPU: reductions add up, transposes turn. On a GPU the kernels are
// compared with the same replay (spaces_gpu_test.cu).
#include "kernels/replay/reference_replay.h"

#include "kernels/scenarios/register_shuffle.h"
#include "kernels/scenarios/shared_reduction.h"
#include "kernels/scenarios/transpose.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warplens::test::reference_replay_tests {
namespace {

std::uint32_t word_at(const std::vector<unsigned char>& bytes, std::size_t index) {
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes.at(4 * index), 4);
    return word;
}

/// Buffers of a launch; word i of the first holds i * i + 1.
ReplayOutput memory_of(const LaunchShape& shape) {
    ReplayOutput memory;
    memory.in.resize(static_cast<std::size_t>(shape.buffer_bytes[0]));
    memory.before.resize(static_cast<std::size_t>(shape.buffer_bytes[1]));
    memory.second.resize(static_cast<std::size_t>(shape.buffer_bytes[2]));
    for (std::size_t i = 0; i < memory.in.size() / 4; ++i) {
        const auto word = static_cast<std::uint32_t>(i * i + 1);
        std::memcpy(&memory.in[4 * i], &word, 4);
    }
    return memory;
}

template <class S>
std::vector<unsigned char> replayed(const Params& p) {
    const LaunchShape shape = S::launch(p);
    const ReplayOutput memory = memory_of(shape);
    std::vector<int> blocks(static_cast<std::size_t>(shape.grid.x) * shape.grid.y);
    std::iota(blocks.begin(), blocks.end(), 0);
    const auto before = [&](int buffer, std::uint64_t at) {
        return (buffer == 0 ? memory.in : buffer == 1 ? memory.before : memory.second).at(at);
    };
    std::vector<unsigned char> after = memory.before;
    ReferenceReplay<S> replay(p, blocks, before, [](int, int) { return 0u; });
    for (const auto& [place, byte] : replay.run()) {
        if (place.first == 1) after.at(place.second) = byte;
    }
    return after;
}

TEST(ReferenceReplay, EveryReductionAddsUp) {
    for (int variant = 0; variant < 4; ++variant) {
        for (const int block : {64, 128, 256, 512, 1024}) {
            Params p = SharedReduction::info.defaults;
            p.variant = variant;
            p.block_x = block;
            p.blocks_log2 = 1;
            const std::vector<unsigned char> out = replayed<SharedReduction>(p);
            const ReplayOutput memory = memory_of(SharedReduction::launch(p));
            for (std::size_t b = 0; b < 2; ++b) {
                std::uint32_t sum = 0;
                for (std::size_t x = 0; x < static_cast<std::size_t>(block); ++x)
                    sum += word_at(memory.in, b * static_cast<std::size_t>(block) + x);
                EXPECT_EQ(word_at(out, b), sum) << "variant " << variant << " block of " << block;
            }
        }
    }
}

TEST(ReferenceReplay, EveryTransposeTurnsTheMatrix) {
    for (int variant = 0; variant < 4; ++variant) {
        Params p = Transpose::info.defaults;
        p.variant = variant;
        p.matrix = 45;
        const std::vector<unsigned char> out = replayed<Transpose>(p);
        const ReplayOutput memory = memory_of(Transpose::launch(p));
        for (std::size_t y = 0; y < 45; ++y) {
            for (std::size_t x = 0; x < 45; ++x)
                ASSERT_EQ(word_at(out, x * 45 + y), word_at(memory.in, y * 45 + x)) << "variant " << variant;
        }
    }
}

TEST(ReferenceReplay, AnExchangeThroughGlobalMemoryStoresItsOwnAddresses) {
    Params p = RegisterShuffle::info.defaults;
    p.variant = static_cast<int>(RegisterShuffle::Method::global);
    p.blocks_log2 = 1;
    const std::vector<unsigned char> out = replayed<RegisterShuffle>(p);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(word_at(out, i), 4 * i);
}

}  // namespace
}  // namespace warplens::test::reference_replay_tests
