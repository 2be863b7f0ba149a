// Counts that others published with a profiler's text, reproduced to the digit.
#include "app/model/access/report.h"
#include "kernels/swizzle.h"

#include <gtest/gtest.h>

#include <functional>

namespace warplens::test::published_tests {

namespace {

DeviceFacts modern() {
    DeviceFacts device;
    device.cc = {9, 0};
    device.bank_rules = bank_rules_for(device.cc);
    device.sector_rules = sector_rules_for(device.cc);
    return device;
}

WarpAccess shared_access(int width, Op op, const std::function<long(int)>& byte_address,
                         std::uint32_t mask = kAllLanes) {
    WarpAccess access{.active = mask, .bytes_per_lane = width, .space = Space::shared, .op = op};
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (mask >> lane & 1u) access.byte_address[lane] = static_cast<std::uint64_t>(byte_address(lane));
    }
    return access;
}

Totals count_shared(int width, Op op, const std::function<long(int)>& byte_address,
                    std::uint32_t mask = kAllLanes) {
    return count_access(shared_access(width, op, byte_address, mask), modern());
}

Totals grid_of(std::string_view id, const std::vector<std::pair<std::string, std::string>>& settings,
               int instruction = 0) {
    const Scenario& scenario = *find_scenario(id);
    Params params = scenario.info->defaults;
    for (const auto& [key, value] : settings) {
        const Knob* knob = find_knob(scenario, key);
        EXPECT_NE(knob, nullptr) << key;
        const auto parsed = parse_knob(*knob, params, value);
        EXPECT_TRUE(parsed.has_value()) << key << "=" << value;
        params.*knob->field = parsed.value_or(0);
    }
    return count_grid(scenario, params, instruction, modern());
}

}  // namespace

// A notebook with profiler text: float transpose 512 x 256, 256 blocks of 32 x 16, tile of 16 rows.
TEST(Published, TransposeWithASixteenRowTile) {
    for (const auto& [padding, wavefronts, excessive] :
         {std::tuple{"0", 69'632, 61'440}, std::tuple{"1", 12'288, 4'096}}) {
        Totals both = grid_of("shared-tile", {{"width", "32"},
                                              {"height", "16"},
                                              {"padding", padding},
                                              {"walk", "row"},
                                              {"block_x", "32"},
                                              {"block_y", "16"},
                                              {"op", "store"},
                                              {"blocks", "2^8"}});
        both += grid_of("shared-tile", {{"width", "32"},
                                        {"height", "16"},
                                        {"padding", padding},
                                        {"walk", "column"},
                                        {"block_x", "16"},
                                        {"block_y", "32"},
                                        {"op", "load"},
                                        {"blocks", "2^8"}});
        EXPECT_EQ(both.wavefronts, wavefronts);
        EXPECT_EQ(both.excessive_wavefronts(), excessive);
    }
}

// reduce_v1 with profiler text: 256 threads, index = 2 * s * tx, 4,096 blocks.
TEST(Published, InterleavedReduction) {
    Totals loads, stores;
    for (int warp = 0; warp < 8; ++warp) {
        stores += count_shared(4, Op::store, [&](int lane) { return 4 * (warp * 32 + lane); });
    }
    for (int s = 1; s < 256; s *= 2) {
        for (int warp = 0; warp < 8; ++warp) {
            std::uint32_t mask = 0;
            for (int lane = 0; lane < 32; ++lane) {
                if (2 * s * (warp * 32 + lane) < 256) mask |= 1u << lane;
            }
            const auto index = [&](int lane) { return 4L * 2 * s * (warp * 32 + lane); };
            loads += count_shared(4, Op::load, index, mask);
            loads += count_shared(
                4, Op::load, [&](int lane) { return index(lane) + 4 * s; }, mask);
            stores += count_shared(4, Op::store, index, mask);
        }
    }
    loads += count_shared(
        4, Op::load, [](int) { return 0; }, 1u);
    EXPECT_EQ((loads * 4096).requests, 102'400);
    EXPECT_EQ((stores * 4096).requests, 81'920);
    Totals all = loads * 4096;
    all += stores * 4096;
    EXPECT_EQ(all.wavefronts, 614'400);
    EXPECT_EQ(all.excessive_wavefronts(), 430'080);
}

// NVIDIA forum 359822: 8,844,480 LDS.128.
TEST(Published, SixteenByteLoads) {
    EXPECT_EQ((count_shared(16, Op::load, [](int lane) { return lane * 16L; }) * 8'844'480).wavefronts,
              35'377'920);
    EXPECT_EQ((count_shared(16, Op::load, [](int lane) { return lane * 128L; }) * 8'844'480).wavefronts,
              283'023'360);
}

// A profile of a GA102: 33,554,432 LDS.32 and 8,388,608 LDS.128, each with all lanes at one address.
TEST(Published, Broadcasts) {
    Totals all = count_shared(4, Op::load, [](int) { return 64; }) * 33'554'432;
    all += count_shared(16, Op::load, [](int) { return 64; }) * 8'388'608;
    EXPECT_EQ(all.wavefronts, 50'331'648);
    EXPECT_EQ(all.excessive_wavefronts(), 0);
}

// "Programming Massively Parallel Processors", chapter 3: C = A + B, 10,000 x 10,000 floats.
TEST(Published, MatrixAdditionByRowsAndByColumns) {
    for (const auto& [bytes_apart, per_request] : {std::pair{40'000L, 31.95}, std::pair{4L, 3.99}}) {
        std::int64_t requests = 0, sectors = 0;
        for (int first = 0; first < 10'000; first += 32) {
            WarpAccess access{.active = 0};
            for (int lane = 0; lane < 32 && first + lane < 10'000; ++lane) {
                access.byte_address[lane] = static_cast<std::uint64_t>((first + lane) * bytes_apart);
                access.active |= 1u << lane;
            }
            const Totals totals = count_access(access, modern());
            requests += totals.requests;
            sectors += totals.sectors;
        }
        EXPECT_NEAR(double(sectors) / double(requests), per_request, 0.005);
    }
}

// CUDA Programming Guide and Best Practices Guide, figures.
TEST(Published, GuidesFigures) {
    for (const auto& [stride, wavefronts] : {std::pair{1, 1}, {2, 2}, {3, 1}}) {
        EXPECT_EQ(grid_of("shared-stride", {{"stride", std::to_string(stride)}, {"blocks", "1"}}).wavefronts,
                  wavefronts);
    }
    for (const auto& [offset, sectors] : {std::pair{0, 4}, {1, 5}, {8, 4}}) {
        WarpAccess access;
        for (int lane = 0; lane < 32; ++lane)
            access.byte_address[lane] = static_cast<std::uint64_t>(4 * (offset + lane));
        EXPECT_EQ(count_access(access, modern()).sectors, sectors);
    }
    for (const auto& [stride, sectors] : {std::pair{2, 8}, {64, 32}}) {
        const Totals grid =
            grid_of("global-stride", {{"op", "load"}, {"stride", std::to_string(stride)}, {"n", "2^20"}});
        EXPECT_EQ(grid.sectors, grid.requests * sectors);
    }
}

// NVlabs/cuda-oxide PR 544: f32 column read by row stride, and with swizzles of a 32-wide row.
TEST(Published, ColumnReads) {
    for (const auto& [pitch, wavefronts] : {std::pair{32, 32}, {64, 32}, {16, 16}, {33, 1}}) {
        EXPECT_EQ(count_shared(4, Op::load, [p = pitch](int lane) { return 4L * lane * p; }).wavefronts,
                  wavefronts);
    }
    for (const auto& [bits, wavefronts] : {std::pair{5, 1}, {3, 4}, {2, 8}}) {
        EXPECT_EQ(
            count_shared(4, Op::load, [b = bits](int lane) { return 4L * xor_swizzle(lane * 32, b, 0, 5); })
                .wavefronts,
            wavefronts);
    }
}

// NVIDIA blog on coalescing: 2^26 threads, stride 1 and 32.
TEST(Published, BlogOnCoalescing) {
    for (const auto& [stride, sectors] : {std::pair{"1", 8'388'608LL}, {"32", 67'108'864LL}}) {
        const Totals grid = grid_of("global-stride", {{"op", "load"}, {"stride", stride}, {"n", "2^26"}});
        EXPECT_EQ(grid.requests, 2'097'152);
        EXPECT_EQ(grid.sectors, sectors);
    }
    // The same blog, 16384 x 16384 matrix in blocks of 32 x 32, by rows and by columns: the two sides of a
    // transpose.
    const std::vector<std::pair<std::string, std::string>> naive{
        {"variant", "naive"}, {"matrix", "16384"}, {"tile", "32"}, {"block_rows", "32"}};
    EXPECT_EQ(grid_of("transpose", naive, 0).requests, 8'388'608);
    EXPECT_EQ(grid_of("transpose", naive, 0).sectors, 33'554'432);
    EXPECT_EQ(grid_of("transpose", naive, 1).sectors, 268'435'456);
}

}  // namespace warplens::test::published_tests
