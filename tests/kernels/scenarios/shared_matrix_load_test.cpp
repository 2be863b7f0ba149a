#include "kernels/scenarios/shared_matrix_load.h"

#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens::test::shared_matrix_load_tests {
namespace {

std::string with(const char* key, int value) { return key + ("=" + std::to_string(value)); }

TEST(SharedMatrixLoad, WavefrontsOfEachMatrix) {
    struct Row {
        int width, padding, bits, each;
    };
    // One row of 8 chunks fills the banks: without help as many wavefronts as rows share their chunk.
    for (const Row& row : {Row{64, 0, 0, 8},
                           {128, 0, 0, 8},
                           {32, 0, 0, 4},
                           {16, 0, 0, 2},
                           {8, 0, 0, 1},
                           Row{64, 1, 0, 1},
                           {64, 2, 0, 2},
                           {64, 3, 0, 1},
                           {64, 4, 0, 4},
                           {64, 8, 0, 8},
                           Row{64, 0, 1, 4},
                           {64, 0, 2, 2},
                           {64, 0, 3, 1},
                           {128, 0, 3, 1},
                           {32, 0, 3, 1},
                           Row{16, 0, 3, 1},
                           {8, 0, 3, 1},
                           {16, 1, 0, 1},
                           {128, 1, 0, 1}}) {
        for (const int matrices : {1, 2, 4}) {
            const Report report =
                report_of("shared-matrix-load", {with("width", row.width), with("padding", row.padding),
                                                 with("bits", row.bits), with("matrices", matrices)});
            const InstructionReport& load = report.instructions[0];
            EXPECT_EQ(load.warp.wavefronts, row.each * matrices) << row.width << " " << row.padding;
            EXPECT_EQ(load.warp.ideal_wavefronts, matrices);
            EXPECT_EQ(load.block.wavefronts, load.warp.wavefronts * report.shape.steps) << "all steps alike";
            EXPECT_EQ(load.access.active, matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1);
        }
    }
}

TEST(SharedMatrixLoad, PaddingAndSwizzleUndoEachOther) {
    const Report both = report_of("shared-matrix-load", {"padding=1", "bits=3", "matrices=1"});
    EXPECT_EQ(both.instructions[0].warp.wavefronts, 8) << "row r: chunk 9 r, and 9 r xor r ends in 0";
}

TEST(SharedMatrixLoad, EveryChunkOfTheTileIsLoadedOnceAndNoPaddingIs) {
    const Scenario& scenario = *find_scenario("shared-matrix-load");
    std::mt19937 random(17);
    for (int trial = 0; trial < 200; ++trial) {
        const Params params = random_params(scenario, random);
        const int pitch = SharedMatrixLoad::row_chunks(params) + params.padding;
        std::vector<int> visits(static_cast<std::size_t>(pitch * SharedMatrixLoad::kRows));
        for_each_access(scenario, params, 0, {}, [&](std::uint64_t address) { ++visits[address / 16]; });
        for (int chunk = 0; chunk < std::ssize(visits); ++chunk) {
            const int stored =
                xor_swizzle(chunk, params.swizzle_bits, 0, SharedMatrixLoad::swizzle_shift(params));
            ASSERT_EQ(visits[static_cast<std::size_t>(stored)],
                      chunk % pitch < SharedMatrixLoad::row_chunks(params) ? 1 : 0);
        }
    }
}

TEST(SharedMatrixLoad, AMatrixIsEightRowsOfOneColumn) {
    const Scenario& scenario = *find_scenario("shared-matrix-load");
    std::mt19937 random(18);
    for (int trial = 0; trial < 200; ++trial) {
        Params params = random_params(scenario, random);
        params.swizzle_bits = 0;
        const int pitch_bytes = (SharedMatrixLoad::row_chunks(params) + params.padding) * 16;
        const int step = static_cast<int>(random()) & (scenario.launch(params).steps - 1);
        const WarpAccess access = scenario.warp(params, 0, {}, 0, step);
        for (int matrix = 0; matrix < params.matrices; ++matrix) {
            const auto first = static_cast<int>(access.byte_address[static_cast<std::size_t>(8 * matrix)]);
            EXPECT_EQ(first / pitch_bytes % 8, 0) << "matrices start at every eighth row";
            for (int row = 1; row < 8; ++row) {
                EXPECT_EQ(static_cast<int>(access.byte_address[static_cast<std::size_t>(8 * matrix + row)]),
                          first + row * pitch_bytes);
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::shared_matrix_load_tests
