// The kernels that are timed and counted really do what their scenario says: what they write is right, and
// nothing else changes.
#include "kernels/replay/replay.h"

#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/list.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace warplens {
namespace {

class ReplayGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }

    static ReplayOutput replay(std::string_view scenario, const Params& p) {
        auto output = replay_to_host(scenario, p);
        if (const auto* why = std::get_if<Unavailable>(&output)) {
            ADD_FAILURE() << why->reason;
            return {};
        }
        return std::get<ReplayOutput>(std::move(output));
    }
};

/// What `global-stride` should leave in its second buffer.
std::vector<unsigned char> expected_output(const Params& p, const ReplayOutput& output) {
    std::vector<unsigned char> expected = output.before;
    const LaunchShape shape = GlobalStride::launch(p);
    const bool copies = GlobalStride::is_copy(p);
    const auto bytes = static_cast<std::size_t>(p.element_bytes);
    for (int block = 0; block < shape.grid.x; ++block) {
        for (int x = 0; x < shape.block.x; ++x) {
            const ThreadId thread{block, 0, x, 0, 0};
            const LaneAccess store = GlobalStride::access(p, copies ? 1 : 0, thread);
            if (!store.active) continue;
            const std::uint32_t word = stored_word(store.byte_address);
            const std::uint32_t unloaded[4] = {word, ~word, word + 1, word + 2};
            const void* source =
                copies
                    ? static_cast<const void*>(&output.in.at(GlobalStride::access(p, 0, thread).byte_address))
                    : unloaded;
            std::memcpy(&expected.at(store.byte_address), source, bytes);
        }
    }
    return expected;
}

TEST_F(ReplayGpu, CopiesAndStoresWriteWhatTheFormulaSays) {
    for (const Operation operation : {Operation::store, Operation::copy, Operation::copy_both}) {
        for (const int element : {1, 2, 4, 8, 16}) {
            for (const int stride : {0, 1, 2, 3, 32, 33}) {
                for (const int mask : {-1, 0x0000'ffff, 0x5555'5555, 1}) {
                    Params p = GlobalStride::info.defaults;
                    p.operation = static_cast<int>(operation);
                    p.element_bytes = element;
                    p.stride = stride;
                    p.offset = stride % 5;
                    p.mask = mask;
                    p.elements_log2 = 11;
                    const ReplayOutput output = replay("global-stride", p);
                    ASSERT_EQ(output.after, expected_output(p, output))
                        << "operation " << p.operation << " element " << element << " stride " << stride
                        << " mask " << mask;
                }
            }
        }
    }
}

TEST_F(ReplayGpu, LoadsWriteNothing) {
    Params p = GlobalStride::info.defaults;
    p.operation = static_cast<int>(Operation::load);
    p.elements_log2 = 12;
    const ReplayOutput output = replay("global-stride", p);
    EXPECT_EQ(output.after, output.before);
    EXPECT_FALSE(output.in.empty());
}

std::uint32_t word_at(const std::vector<unsigned char>& bytes, std::size_t index) {
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes.at(index * sizeof word), sizeof word);
    return word;
}

/// The first element that is not where it belongs; -1: none.
long first_wrong(const ReplayOutput& output, std::size_t n) {
    for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
            if (word_at(output.after, x * n + y) != word_at(output.in, y * n + x))
                return static_cast<long>(y * n + x);
        }
    }
    return -1;
}

TEST_F(ReplayGpu, EveryTransposeTurnsTheMatrix) {
    for (const Variant variant : {Variant::naive, Variant::tile, Variant::padded, Variant::swizzled}) {
        for (const int tile : {8, 16, 32}) {
            for (const int block_rows : {1, 2, 8, 32}) {
                for (const int matrix : {32, 33, 64, 100, 257}) {
                    Params p = Transpose::info.defaults;
                    p.variant = static_cast<int>(variant);
                    p.tile = tile;
                    p.block_rows = block_rows < tile ? block_rows : tile;
                    p.matrix = matrix;
                    p.padding = 1 + matrix % 3;
                    const ReplayOutput output = replay("transpose", p);
                    ASSERT_EQ(first_wrong(output, static_cast<std::size_t>(matrix)), -1)
                        << "variant " << p.variant << " tile " << tile << " rows " << block_rows << " n "
                        << matrix;
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens
