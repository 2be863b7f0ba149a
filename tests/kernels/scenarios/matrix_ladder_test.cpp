#include "kernels/scenarios/matrix_ladder.h"

#include "app/base/assets.h"
#include "app/model/time/arithmetic.h"
#include "tests/kernels/scenarios/counts.h"

#include <gtest/gtest.h>

#include <map>

namespace warplens::test::matrix_ladder_tests {
namespace {

using M = MatrixLadder;

int number(int seed, int element) { return (element * 37 + seed * 11 + element / 64 * 5) % 19 - 9; }

/// Computes one block's part of C by doing what the instructions say, at their addresses.
class Machine {
public:
    Machine(const Params& p, int bx, int by) : p_(p), bx_(bx), by_(by) {
        const LaunchShape shape = M::launch(p);
        shared_.assign(static_cast<std::size_t>(shape.shared_bytes / M::kBytes), 0);
        threads_ = shape.block.x * shape.block.y;
    }

    /// Of so many threads one is followed, in changing places of its warp.
    static constexpr int kFollowed = 37;

    int followed() const { return (threads_ + kFollowed - 1) / kFollowed; }

    /// The elements of C that the followed threads store.
    const std::map<std::size_t, int>& run() {
        const int depth = ladder::depth(p_), tiles = p_.matrix / depth;
        for (int tile = 0; tile < tiles; ++tile) {
            move_tile(tile, 1, M::load_a, M::store_tile_a);
            move_tile(tile, 2, M::load_b, M::store_tile_b);
            for (int k = 0; k < depth; ++k) multiply(tile * depth + k);
        }
        return c_;
    }

    int expected(std::size_t element) const {
        const int row = static_cast<int>(element) / p_.matrix, column = static_cast<int>(element) % p_.matrix;
        int sum = 0;
        for (int k = 0; k < p_.matrix; ++k)
            sum += number(1, row * p_.matrix + k) * number(2, k * p_.matrix + column);
        return sum;
    }

private:
    std::size_t at(int index, int thread, int step) const {
        return scenario_.access(p_, index, {bx_, by_, thread, 0, step}).byte_address / M::kBytes;
    }
    int floats(int index) const { return M::instruction(p_, index).bytes_per_lane / M::kBytes; }

    /// Each thread's loads of one tile, and its stores of the same elements.
    void move_tile(int tile, int seed, int load, int store) {
        const int tiles = p_.matrix / ladder::depth(p_);
        const int loads = M::steps(p_, load) / tiles, stores = M::steps(p_, store) / tiles;
        for (int thread = 0; thread < threads_; ++thread) {
            std::vector<int> values;
            for (int i = 0; i < loads; ++i)
                for (int e = 0; e < floats(load); ++e)
                    values.push_back(number(seed, static_cast<int>(at(load, thread, tile * loads + i)) + e));
            std::size_t next = 0;
            for (int i = 0; i < stores; ++i)
                for (int e = 0; e < floats(store); ++e)
                    shared_.at(at(store, thread, tile * stores + i) + static_cast<std::size_t>(e)) =
                        values.at(next++);
            ASSERT_EQ(next, values.size());
        }
    }

    void multiply(int k) {
        const int down = ladder::down(p_), across = ladder::across(p_), wide_b = floats(M::load_tile_b);
        for (int thread = 0; thread < threads_; thread += kFollowed) {
            for (int i = 0; i < down; ++i) {
                // By rows a load has four k of a row, by columns four rows of a k.
                const bool by_rows = ladder::by_rows(p_);
                const int step = by_rows ? k / 4 * down + i : k * (down / 4) + i / 4,
                          part = by_rows ? k % 4 : i % 4;
                const int a = shared_.at(at(M::load_tile_a, thread, step) + static_cast<std::size_t>(part));
                for (int j = 0; j < across; ++j) {
                    const int b = shared_.at(at(M::load_tile_b, thread, k * (across / wide_b) + j / wide_b) +
                                             static_cast<std::size_t>(j % wide_b));
                    const int wide_c = floats(M::store_c);
                    c_[at(M::store_c, thread, i * (across / wide_c) + j / wide_c) +
                       static_cast<std::size_t>(j % wide_c)] += a * b;
                }
            }
        }
    }

    const Scenario& scenario_ = *find_scenario(M::info.id);
    Params p_;
    int bx_, by_, threads_ = 0;
    std::vector<int> shared_;
    std::map<std::size_t, int> c_;
};

Params setting(int variant, int matrix, int stages = 3) {
    Params p = M::info.defaults;
    p.variant = variant;
    p.matrix = matrix;
    p.distance = stages;
    return p;
}

std::int64_t wavefronts(const Report& report, int index) {
    return report.instructions.at(static_cast<std::size_t>(index)).warp.wavefronts;
}
std::int64_t sectors(const Report& report, int index) {
    return report.instructions.at(static_cast<std::size_t>(index)).warp.sectors;
}

const DeviceFacts& h200() {
    static const std::vector<DeviceFacts> all = load_devices(asset("assets/gpus.json"));
    return all.at(find_device(all, "H200").value());
}

}  // namespace

TEST(MatrixLadder, TheAddressesMultiply) {
    for (const Choice& variant : M::kVariants) {
        for (const int stages : {2, 4}) {
            const Params p = setting(variant.value, 256, stages);
            const LaunchShape shape = M::launch(p);
            Machine machine(p, shape.grid.x - 1, shape.grid.y - 1);
            const std::map<std::size_t, int>& c = machine.run();
            ASSERT_EQ(c.size(),
                      static_cast<std::size_t>(machine.followed() * ladder::down(p) * ladder::across(p)))
                << variant.name;
            int i = 0;
            for (const auto& [element, sum] : c) {
                if (i++ % 7 == 0) {
                    ASSERT_EQ(sum, machine.expected(element)) << variant.name << " " << element;
                }
            }
            if (!ladder::is_async(p)) break;
        }
    }
}

TEST(MatrixLadder, BlocksStoreEachElementOnce) {
    for (const Choice& variant : M::kVariants) {
        const Params p = setting(variant.value, 512);
        const LaunchShape shape = M::launch(p);
        std::vector<int> stored(512 * 512, 0);
        for (int by = 0; by < shape.grid.y; ++by)
            for (int bx = 0; bx < shape.grid.x; ++bx)
                for (int thread = 0; thread < shape.block.x; ++thread)
                    for (int step = 0; step < M::steps(p, M::store_c); ++step) {
                        const std::size_t at =
                            M::access(p, M::store_c, {bx, by, thread, 0, step}).byte_address / 4;
                        for (int e = 0; e < ladder::store_c_width(p); ++e)
                            ++stored.at(at + static_cast<std::size_t>(e));
                    }
        EXPECT_EQ(std::ranges::count(stored, 1), 512 * 512) << variant.name;
    }
}

TEST(MatrixLadder, RequestsByHand) {
    const auto report = [](const char* variant) {
        return test::report_of("matrix-ladder", {std::string("variant=") + variant, "matrix=512"});
    };
    // A warp of `lean` loads 16 rows of A, 32 bytes of each, and a row of B without a gap: 512 bytes.
    const Report lean = report("lean");
    EXPECT_EQ(sectors(lean, M::load_a), 16);
    EXPECT_EQ(sectors(lean, M::load_b), 16);
    // Four rows of 8 k are copied to 32 banks.
    for (const char* variant : {"asynchronous", "warp-tile", "spread"}) {
        const Report copies = report(variant);
        EXPECT_EQ(sectors(copies, M::load_a), 4) << variant;
        EXPECT_EQ(wavefronts(copies, M::store_tile_a), 1) << variant;
        EXPECT_EQ(wavefronts(copies, M::store_tile_b), 4) << variant;
    }
    EXPECT_EQ(wavefronts(lean, M::store_tile_a), 1);
    EXPECT_EQ(wavefronts(report("transposed"), M::store_tile_a), 1)
        << "the pitch is not a multiple of 32 banks";
    // All lanes of a warp load the same values of A's tile there: four of them take two trips.
    EXPECT_EQ(wavefronts(report("register-column"), M::load_tile_a), 2);
    EXPECT_EQ(wavefronts(report("register-column"), M::load_tile_b), 1);
}

/// Bytes of shared memory for each multiply-add: a thread with r x c sums loads r + c floats for r * c of
/// them, and stores its share of the tiles.
TEST(MatrixLadder, LargerTilesOfSumsNeedFewerBytes) {
    const auto loaded = [](int variant) {
        const Params p = setting(variant, 1024);
        double bytes = 0;
        for (const int index : {M::load_tile_a, M::load_tile_b})
            bytes += double(M::steps(p, index)) * M::instruction(p, index).bytes_per_lane;
        return bytes / (1024.0 * ladder::down(p) * ladder::across(p));
    };
    EXPECT_DOUBLE_EQ(loaded(0), 4 * 9.0 / 8) << "8 x 1";
    for (const int variant : {1, 2, 3, 4, 5}) EXPECT_DOUBLE_EQ(loaded(variant), 1) << "8 x 8";
    for (const int variant : {6, 7}) EXPECT_DOUBLE_EQ(loaded(variant), 0.75) << "8 x 16";
    EXPECT_DOUBLE_EQ(loaded(8), 0.75 * 1025 / 1024) << "and one k more";
}

TEST(MatrixLadder, StagesTakeSharedMemory) {
    // Pairs of 16 x (128 + 4) and 16 x 256 floats.
    EXPECT_EQ(M::launch(setting(6, 1024, 4)).shared_bytes, 4 * 4 * 16 * (132 + 256));
    EXPECT_EQ(M::launch(setting(5, 1024, 2)).shared_bytes, 2 * 4 * 8 * (132 + 128));
    EXPECT_EQ(M::launch(setting(8, 1024, 2)).shared_bytes, M::launch(setting(8, 1024, 4)).shared_bytes)
        << "only asynchronous copies have stages";
}

TEST(MatrixLadder, PredictionsRise) {
    const auto speed = [](int variant) {
        return predict_flop(*find_scenario("matrix-ladder"), setting(variant, 4096), h200()).value;
    };
    EXPECT_LT(1.5 * speed(0), speed(1)) << "a column of sums loads A's values for one product each";
    EXPECT_LT(speed(5), speed(8));
    EXPECT_LT(speed(8), peak_gflop_per_s(h200()));
}

}  // namespace warplens::test::matrix_ladder_tests
