#include "kernels/scenarios/shared_operand_tile.h"

#include "app/pictures/access/access_picture.h"

#include "tests/kernels/scenarios/counts.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace warplens::test::shared_operand_tile_tests {
namespace {

using Tile = SharedOperandTile;

const Scenario& scenario() { return *find_scenario("shared-operand-tile"); }

Params of(const std::vector<std::string>& settings) { return apply_settings(scenario(), settings); }

std::string joined(const std::vector<std::string>& settings) {
    std::string all;
    for (const std::string& one : settings) all += one + " ";
    return all;
}

/// The tables of the PTX ISA: lines of 128 bytes, whose 16-byte units are permuted. In a line number n of a
/// swizzle of 32, 64 or 128 bytes the unit u stands at u with its lowest 1, 2 or 3 bits XOR-ed with those of
/// n.
int by_table(int swizzle_bytes, int row, int column) {
    const int at = column / swizzle_bytes * 32 * swizzle_bytes + row * swizzle_bytes + column % swizzle_bytes;
    const int line = at / 128, unit = at % 128 / 16, units = swizzle_bytes / 16;
    const int moved = unit / units * units + (unit % units ^ line % units);
    return line * 128 + moved * 16 + at % 16;
}

TEST(SharedOperandTile, SwizzlesAreThoseOfThePtxIsa) {
    for (const int bytes : {32, 64, 128}) {
        const Params p = of({"swizzle=" + std::to_string(bytes)});
        EXPECT_EQ(Tile::span(p), bytes);
        for (int row = 0; row < Tile::kRows; ++row) {
            for (int column = 0; column < Tile::kRowBytes; ++column)
                ASSERT_EQ(Tile::place(p, row, column), by_table(bytes, row, column))
                    << bytes << ": " << row << " " << column;
        }
    }
    // By hand: row 3, chunk 5 of 128-byte rows becomes chunk 5 xor 3 = 6.
    EXPECT_EQ(Tile::place(of({"swizzle=128"}), 3, 5 * 16), 3 * 128 + 6 * 16);
    // Row 5 of 64-byte rows lies in line 2, at unit 4; chunk 1 becomes chunk 1 xor 2 = 3.
    EXPECT_EQ(Tile::place(of({"swizzle=64"}), 5, 16), 2 * 128 + (4 + 3) * 16);
    // Row 4 of 32-byte rows is the first one of line 1: its chunks are exchanged.
    EXPECT_EQ(Tile::place(of({"swizzle=32"}), 4, 0), 128 + 16);
    EXPECT_EQ(Tile::place(of({"padding=2"}), 3, 40), 3 * 160 + 40);
}

TEST(SharedOperandTile, Wavefronts) {
    struct Row {
        const char *swizzle, *padding;
        int matrices, along_rows, halves, words, stored;
    };
    // Counted by a script of its own, from the tables of the PTX ISA and the rules of the banks.
    for (const Row& row :
         {Row{"none", "0", 32, 8, 4, 4, 4}, Row{"none", "1", 4, 1, 1, 2, 4}, Row{"none", "2", 8, 2, 2, 1, 4},
          Row{"none", "4", 16, 4, 4, 2, 4}, Row{"32", "0", 4, 1, 1, 1, 16}, Row{"64", "0", 4, 1, 1, 2, 8},
          Row{"128", "0", 4, 1, 1, 2, 4}}) {
        const auto expect = [&](int wavefronts, int ideal, std::vector<std::string> settings) {
            settings.push_back(std::string("swizzle=") + row.swizzle);
            settings.push_back(std::string("padding=") + row.padding);
            const Report report = report_of("shared-operand-tile", settings);
            const InstructionReport& one = report.instructions[0];
            EXPECT_EQ(one.warp.wavefronts, wavefronts) << joined(settings);
            EXPECT_EQ(one.warp.ideal_wavefronts, ideal) << joined(settings);
            EXPECT_EQ(one.block.wavefronts, one.warp.wavefronts * report.shape.steps)
                << "all steps alike: " << joined(settings);
        };
        for (const char* order : {"order=k-major", "order=mn-major"}) {
            for (const int n : {1, 2, 4})
                expect(row.matrices / 4 * n, n, {"access=ldmatrix", order, "matrices=" + std::to_string(n)});
            expect(row.stored, 4, {"access=store-rows", order});
        }
        expect(row.along_rows, 1, {"access=fragments", "element=2"});
        expect(row.along_rows, 1, {"access=fragments", "element=4"});
        expect(row.halves, 1, {"access=fragments", "element=2", "order=mn-major"});
        expect(row.words, 1, {"access=fragments", "element=4", "order=mn-major"});
    }
}

TEST(SharedOperandTile, EveryByteOfTheTileIsAccessedOnceAndNoPaddingIs) {
    std::mt19937 random(19);
    for (int trial = 0; trial < 200; ++trial) {
        const Params p = random_params(scenario(), random);
        const int bytes = scenario().instruction(p, 0).bytes_per_lane;
        std::map<int, int> visits;
        for_each_access(scenario(), p, 0, {}, [&](std::uint64_t address) {
            for (int i = 0; i < bytes; ++i) ++visits[static_cast<int>(address) + i];
        });
        std::set<int> whole;
        for (int row = 0; row < Tile::kRows; ++row) {
            for (int column = 0; column < Tile::kRowBytes; ++column)
                whole.insert(Tile::place(p, row, column));
        }
        ASSERT_EQ(whole.size(), std::size_t{Tile::kRows} * Tile::kRowBytes);
        ASSERT_LT(*whole.rbegin(), scenario().launch(p).shared_bytes);
        ASSERT_EQ(visits.size(), whole.size()) << describe_settings(scenario(), p, ",");
        for (const auto& [at, times] : visits)
            ASSERT_TRUE(times == 1 && whole.contains(at)) << describe_settings(scenario(), p, ",");
    }
}

/// The registers of operand A, as the PTX ISA lists them: lane l holds row l / 4 and columns from 2 (l % 4)
/// on (halves) or column l % 4 (tf32); the second register 8 rows further, the third one in the next columns.
TEST(SharedOperandTile, FragmentsAreThoseOfMma) {
    for (const int element : {2, 4}) {
        const int in_register = 4 / element, columns_further = 4 * in_register;
        for (const bool mn_major : {false, true}) {
            const Params p = of({"access=fragments", "element=" + std::to_string(element),
                                 mn_major ? "order=mn-major" : "order=k-major"});
            const int loads = mn_major ? in_register : 1;
            for (int number = 0; number < 4; ++number) {
                for (int load = 0; load < loads; ++load) {
                    const WarpAccess access = scenario().warp(p, 0, {}, 0, number * loads + load);
                    for (int lane = 0; lane < kWarpLanes; ++lane) {
                        const int row = lane / 4 + number % 2 * 8;
                        const int column = lane % 4 * in_register + load + number / 2 * columns_further;
                        const int at = mn_major ? Tile::place(p, column, row * element)
                                                : Tile::place(p, row, column * element);
                        EXPECT_EQ(access.byte_address[static_cast<std::size_t>(lane)],
                                  static_cast<std::uint64_t>(at));
                    }
                }
            }
        }
    }
}

TEST(SharedOperandTile, LdmatrixBringsTheSameMatricesAsTheFragments) {
    for (const char* order : {"order=k-major", "order=mn-major"}) {
        const Params rows = of({"swizzle=64", order}), one = of({"swizzle=64", "matrices=1", order});
        for (int step = 0; step < Tile::last_step(rows); ++step) {
            const WarpAccess four = scenario().warp(rows, 0, {}, 0, step);
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const WarpAccess alone = scenario().warp(one, 0, {}, 0, 4 * step + lane / 8);
                EXPECT_EQ(four.byte_address[static_cast<std::size_t>(lane)],
                          alone.byte_address[static_cast<std::size_t>(lane % 8)]);
            }
        }
    }
}

TEST(SharedOperandTile, ThePictureOfTheTileShowsItsAddressesPanelBelowPanel) {
    std::mt19937 random(20);
    for (int trial = 0; trial < 100; ++trial) {
        const Params p = random_params(scenario(), random);
        const TileShape tile = tile_shape(scenario(), p, scenario().instruction(p, 0));
        ASSERT_EQ(tile.width * tile.element_bytes, Tile::span(p));
        ASSERT_EQ(tile.width * tile.height * tile.element_bytes, Tile::kRows * Tile::kRowBytes);
        for (int row = 0; row < tile.height; ++row) {
            const int panel = row / Tile::kRows;
            for (int column = 0; column < tile.width; ++column) {
                const int shown = xor_swizzle(row * (tile.width + tile.padding) + column, tile.swizzle_bits,
                                              tile.swizzle_base, tile.swizzle_shift);
                ASSERT_EQ(
                    shown * tile.element_bytes,
                    Tile::place(p, row % Tile::kRows, panel * Tile::span(p) + column * tile.element_bytes))
                    << describe_settings(scenario(), p, ",");
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::shared_operand_tile_tests
