// How many blocks fit into an SM: NVIDIA's own answers, worked examples of older GPUs, and laws.
#include "app/model/device/occupancy.h"
#include "tests/app/model/device/occupancy_rows.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace warplens::test::occupancy_tests {
using test::capability;

namespace {

int blocks(std::string_view cc, OccupancyInput input) {
    return compute_occupancy(capability(cc), input).blocks;
}

OccupancyInput random_input(std::mt19937& random, const CapabilityFacts& facts) {
    const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
    OccupancyInput input;
    input.threads = 1 + up_to(1100);
    input.registers = up_to(255);
    input.static_shared = up_to(2) == 0 ? up_to(facts.shared_per_block) : 0;
    input.dynamic_shared = up_to(3) == 0 ? up_to(facts.shared_per_block_most + 4096) : up_to(16384);
    if (up_to(1) == 0) input.carveout = up_to(100);
    input.arguments = up_to(257) - 1;
    return input;
}

constexpr OccupancyKnob kKnobs[] = {OccupancyKnob::threads, OccupancyKnob::registers, OccupancyKnob::shared};

// 640 threads leave 12 of 32 warp slots free on 7.5; 672 would take one more, 512 and 1024 take all.
TEST(OccupancySearch, TheBestBlockSizeIsAdvisedNotTheNearest) {
    const std::vector<Remedy> remedies = find_remedies(capability("7.5"), {.threads = 640, .registers = 32});
    const auto block = std::ranges::find_if(
        remedies, [](const Remedy& one) { return one.changes.at(0).knob == OccupancyKnob::threads; });
    ASSERT_NE(block, remedies.end());
    EXPECT_EQ(block->changes[0].to, 512);
    EXPECT_TRUE(block->occupancy.full());
}

}  // namespace

TEST(Occupancy, EveryRowOfNvidiasHeaderIsReproduced) {
    const std::vector<test::OccupancyRow> rows = test::occupancy_rows();
    ASSERT_EQ(rows.size(), 5120u);
    for (const test::OccupancyRow& row : rows) {
        const Occupancy result = compute_occupancy(capability(row.cc), row.input);
        ASSERT_EQ(result.blocks, row.blocks)
            << row.cc << ": " << row.input.threads << " threads, " << row.input.registers << " registers, "
            << row.input.dynamic_shared << " bytes";
        ASSERT_EQ(result.limiting, row.limiting)
            << row.cc << ": " << row.input.threads << " threads, " << row.input.registers << " registers, "
            << row.input.dynamic_shared << " bytes";
    }
}

TEST(Occupancy, WorkedExamplesOfNewGpus) {
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 32}), 8);
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 33}), 6);
    EXPECT_EQ(blocks("8.0", {.threads = 256, .registers = 16, .dynamic_shared = 48 * 1024}), 3);
    EXPECT_EQ(blocks("8.0", {.threads = 256, .registers = 16, .dynamic_shared = 64 * 1024}), 2);
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 16, .dynamic_shared = 48 * 1024}), 4);
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 16, .dynamic_shared = 64 * 1024}), 3);
    EXPECT_EQ(blocks("12.0", {.threads = 256, .registers = 16, .dynamic_shared = 16 * 1024}), 5);
    EXPECT_EQ(blocks("12.0", {.threads = 256, .registers = 16, .dynamic_shared = 48 * 1024}), 2);
    EXPECT_EQ(blocks("7.5", {.threads = 256, .registers = 32}), 4);
    // All that a block can ask for, and the kilobyte that the driver takes of it.
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 32, .dynamic_shared = 232448}), 1);
    EXPECT_EQ(blocks("9.0", {.threads = 256, .registers = 32, .dynamic_shared = 232449}), 0);
    // It would fit with two partitions, but not on the sisters of this GPU, which have four.
    const OccupancyInput uneven{.threads = 32 * 18, .registers = 104};
    EXPECT_EQ(compute_occupancy(capability("6.0"), uneven).refusal, Refusal::registers_elsewhere);
}

// Claims of textbooks of the time, with what the hardware makes of them.
TEST(Occupancy, WorkedExamplesOfOldGpus) {
    EXPECT_EQ(blocks("1.3", {.threads = 256, .registers = 16}), 4);
    EXPECT_EQ(blocks("1.3", {.threads = 256, .registers = 17}), 3);
    EXPECT_EQ(blocks("1.3", {.threads = 256, .registers = 32}), 2);
    EXPECT_EQ(blocks("1.1", {.threads = 256, .registers = 10}), 3) << "768 threads are the most";
    EXPECT_EQ(blocks("2.0", {.threads = 256, .registers = 20}), 6);
    EXPECT_EQ(blocks("2.0", {.threads = 256, .registers = 21}), 5);
    // GeForce 8800: 10 registers for 768 threads, 11 for 512.
    EXPECT_EQ(blocks("1.0", {.threads = 256, .registers = 10}) * 256, 768);
    EXPECT_EQ(blocks("1.0", {.threads = 256, .registers = 11}) * 256, 512);
    EXPECT_EQ(blocks("1.0", {.threads = 1024, .registers = 8}), 0) << "512 threads are the most of a block";
    // One block with all of the shared memory: 256 of 1024 threads.
    EXPECT_EQ(compute_occupancy(capability("1.3"),
                                {.threads = 256, .dynamic_shared = 16384, .arguments = kNothingHidden})
                  .share(),
              0.25);
}

TEST(Occupancy, ArgumentsOfOldGpusLieInSharedMemory) {
    const auto of_8800 = [](int kilobytes, int arguments) {
        return blocks(
            "1.0",
            {.threads = 64, .registers = 8, .static_shared = 1024 * kilobytes, .arguments = arguments});
    };
    EXPECT_EQ(of_8800(2, kNothingHidden), 8) << "16 KiB / 2 KiB";
    EXPECT_EQ(of_8800(2, 0), 6) << "16 bytes for blockDim and the like make 2,560 of 2,048";
    EXPECT_EQ(of_8800(2, 32), 6);
    EXPECT_EQ(of_8800(5, kNothingHidden), 3) << "16 KiB / 5 KiB";
    EXPECT_EQ(of_8800(5, 0), 2);
    const auto of_gtx_280 = [](int bytes, int arguments) {
        return blocks("1.3",
                      {.threads = 256, .registers = 16, .static_shared = bytes, .arguments = arguments});
    };
    EXPECT_EQ(of_gtx_280(4096, kNothingHidden), 4);
    EXPECT_EQ(of_gtx_280(4096, 0), 3);
    EXPECT_EQ(of_gtx_280(4096 - 16 - 40, 40), 4) << "the most that gives full occupancy";
    EXPECT_EQ(of_gtx_280(4096 - 16 - 40 + 1, 40), 3);
    EXPECT_EQ(blocks("2.0", {.threads = 256, .registers = 20, .static_shared = 8192, .arguments = 256}), 6)
        << "later GPUs keep arguments in constant memory";
}

TEST(Occupancy, ACarveoutIsRoundedUpToASizeThatThereIs) {
    const CapabilityFacts& h200 = capability("9.0");
    EXPECT_EQ(shared_of_carveout(h200, -1), 228 * 1024);
    EXPECT_EQ(shared_of_carveout(h200, 0), 0);
    EXPECT_EQ(shared_of_carveout(h200, 1), 8 * 1024);
    EXPECT_EQ(shared_of_carveout(h200, 50), 132 * 1024);
    EXPECT_EQ(shared_of_carveout(h200, 100), 228 * 1024);
    EXPECT_EQ(shared_of_carveout(capability("6.1"), 50), 96 * 1024) << "no choice";
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (const int size : facts.has_carveout() ? facts.shared_sizes : std::vector<int>{}) {
            const std::optional<int> percent = carveout_for(facts, size);
            // Turing's 32 of 64 KiB is its smallest: 0 percent ask for it.
            ASSERT_TRUE(percent) << facts.cc.text() << " " << size;
            EXPECT_EQ(shared_of_carveout(facts, *percent), size);
            EXPECT_TRUE(*percent == 0 || shared_of_carveout(facts, *percent - 1) < size);
        }
    }
    // 17 KiB with the reserved one: five in 100 KiB; what one block needs is given whatever was asked for.
    EXPECT_EQ(blocks("9.0", {.threads = 64, .dynamic_shared = 16384, .carveout = 40}), 5);
    const Occupancy least = compute_occupancy(h200, {.threads = 64, .dynamic_shared = 16384, .carveout = 0});
    EXPECT_EQ(least.blocks, 1);
    EXPECT_EQ(least.shared_per_sm, 32 * 1024);
}

TEST(Occupancy, BarriersCountFromHopperOn) {
    EXPECT_EQ(compute_occupancy(capability("9.0"), {.barriers = 16}).allowed_by(Resource::barriers), 4);
    EXPECT_EQ(compute_occupancy(capability("8.0"), {.barriers = 16}).allowed_by(Resource::barriers),
              kUnlimited);
    EXPECT_EQ(blocks("9.0", {.threads = 32, .registers = 16, .barriers = 16}), 4);
    EXPECT_TRUE(compute_occupancy(capability("9.0"), {.threads = 32, .registers = 16, .barriers = 16})
                    .limits(Resource::barriers));
}

TEST(Occupancy, RefusalsHaveTheirReason) {
    const auto refusal = [](std::string_view cc, OccupancyInput input) {
        return compute_occupancy(capability(cc), input).refusal;
    };
    EXPECT_EQ(refusal("9.0", {}), Refusal::none);
    EXPECT_EQ(refusal("9.0", {.threads = 1025}), Refusal::threads);
    EXPECT_EQ(refusal("2.0", {.threads = 32, .registers = 64}), Refusal::registers_per_thread);
    EXPECT_EQ(refusal("9.0", {.threads = 1024, .registers = 65}), Refusal::registers_per_block);
    EXPECT_EQ(refusal("1.0", {.threads = 512, .registers = 17}), Refusal::registers_per_block);
    EXPECT_EQ(refusal("9.0", {.dynamic_shared = 232449}), Refusal::shared);
    EXPECT_EQ(refusal("6.1", {.dynamic_shared = 49153}), Refusal::shared);
    std::mt19937 random(seed(3));
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 2000; ++i) {
            const Occupancy result = compute_occupancy(facts, random_input(random, facts));
            EXPECT_EQ(result.blocks == 0, result.refusal != Refusal::none) << facts.cc.text();
        }
    }
}

TEST(Occupancy, MoreIsNeverGivenToThoseWhoWantMore) {
    std::mt19937 random(seed(4));
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 300; ++i) {
            const OccupancyInput input = random_input(random, facts);
            int before = INT_MAX;
            for (int registers = 0; registers <= 255; ++registers) {
                const int now =
                    compute_occupancy(facts, with_value(input, OccupancyKnob::registers, registers)).blocks;
                ASSERT_LE(now, before) << facts.cc.text() << ": " << registers << " registers";
                before = now;
            }
            before = INT_MAX;
            for (int bytes = 0; bytes <= facts.shared_per_block_most + 1024; bytes += 509) {
                const int now =
                    compute_occupancy(facts, with_value(input, OccupancyKnob::shared, bytes)).blocks;
                ASSERT_LE(now, before)
                    << facts.cc.text() << ": " << bytes << " bytes, carve-out " << input.carveout;
                before = now;
            }
        }
    }
}

TEST(Occupancy, WhatIsResidentFitsAndWhatLimitsAllowsNoMore) {
    std::mt19937 random(seed(5));
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 2000; ++i) {
            const Occupancy result = compute_occupancy(facts, random_input(random, facts));
            EXPECT_LE(result.warps(), facts.max_warps);
            EXPECT_LE(result.blocks, facts.max_blocks);
            EXPECT_LE(result.blocks * result.registers_per_block, facts.registers_per_sm);
            EXPECT_LE(result.blocks * result.shared_per_block, result.shared_per_sm);
            EXPECT_NE(result.limiting, 0u);
            for (int k = 0; k < kResources; ++k) {
                const auto resource = static_cast<Resource>(k);
                EXPECT_EQ(result.limits(resource), result.allowed_by(resource) == result.blocks);
            }
        }
    }
}

TEST(OccupancySearch, OneRegisterFewer) {
    const auto remedies = find_remedies(capability("9.0"), {.threads = 256, .registers = 33});
    ASSERT_FALSE(remedies.empty());
    ASSERT_EQ(remedies[0].changes.size(), 1u);
    EXPECT_EQ(remedies[0].changes[0].knob, OccupancyKnob::registers);
    EXPECT_EQ(remedies[0].changes[0].from, 33);
    EXPECT_EQ(remedies[0].changes[0].to, 32);
    EXPECT_EQ(remedies[0].occupancy.blocks, 8);
    EXPECT_TRUE(remedies[0].occupancy.full());
    EXPECT_TRUE(find_remedies(capability("9.0"), remedies[0].input).empty()) << "full is full";
}

TEST(OccupancySearch, EachLimitHasItsRemedy) {
    const auto first = [](std::string_view cc, OccupancyInput input) {
        return find_remedies(capability(cc), input).front();
    };
    // 32 blocks of one warp: larger blocks.
    EXPECT_EQ(first("9.0", {.threads = 32, .registers = 16}).input.threads, 64);
    // 2 KiB and 16 hidden bytes on a GeForce 8800 take 2.5 KiB: without those 16, eight blocks have room.
    EXPECT_EQ(first("1.0", {.threads = 64, .registers = 8, .static_shared = 2048}).input.static_shared, 2032);
    // 48 KiB + 1 KiB: four fit into 228 KiB; five of 45 KiB + 1 KiB - 384 bytes.
    const Remedy bytes = first("9.0", {.threads = 256, .registers = 16, .dynamic_shared = 49152});
    EXPECT_EQ(bytes.input.dynamic_shared, 233472 / 5 / 128 * 128 - 1024);
    EXPECT_EQ(bytes.occupancy.blocks, 5);
    // A carve-out that is too small comes before all.
    const Remedy carveout =
        first("9.0", {.threads = 256, .registers = 16, .dynamic_shared = 16384, .carveout = 20});
    EXPECT_EQ(carveout.changes.front().knob, OccupancyKnob::carveout);
    EXPECT_EQ(carveout.occupancy.shared_per_sm, 100 * 1024);
    // Registers and shared memory at once; another size of the block does not help here.
    const OccupancyInput both{.threads = 1024, .registers = 64, .dynamic_shared = 200 * 1024};
    const Remedy two = first("9.0", both);
    EXPECT_EQ(two.changes.size(), 2u);
    EXPECT_EQ(two.occupancy.blocks, 2);
    EXPECT_EQ(two.input.registers, 32);
    // A block that is too large for all.
    const Remedy smaller = first("1.0", {.threads = 1024, .registers = 124, .dynamic_shared = 40000});
    EXPECT_EQ(smaller.input.threads, 512);
    EXPECT_EQ(smaller.occupancy.blocks, 1);
}

TEST(OccupancySearch, RemediesHelpAndNothingSmallerDoes) {
    std::mt19937 random(seed(6));
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 120; ++i) {
            const OccupancyInput input = random_input(random, facts);
            const Occupancy now = compute_occupancy(facts, input);
            const std::vector<Remedy> remedies = find_remedies(facts, input);
            EXPECT_TRUE(!now.full() || remedies.empty());
            EXPECT_TRUE(now.blocks > 0 || !remedies.empty()) << "whatever is asked, less of it runs";
            for (const Remedy& remedy : remedies) {
                ASSERT_FALSE(remedy.changes.empty());
                ASSERT_GT(remedy.occupancy.warps(), now.warps());
                for (const OccupancyChange& change : remedy.changes) {
                    if (change.knob == OccupancyKnob::threads) {
                        if (remedy.changes.size() > 1) continue;  // the most that can exist
                        // No size holds more warps, and none that is nearer as many.
                        for (int size = 32; size <= facts.max_threads_per_block; size += 32) {
                            const int warps =
                                compute_occupancy(facts, with_value(input, change.knob, size)).warps();
                            const bool nearer =
                                std::abs(size - change.from) < std::abs(change.to - change.from);
                            EXPECT_LE(warps + (nearer ? 1 : 0), remedy.occupancy.warps())
                                << facts.cc.text() << ": " << change.from << " -> " << change.to << ", "
                                << size;
                        }
                        continue;
                    }
                    // One step back towards what it was, the rest of the remedy in place: no help.
                    const int back = change.to + (change.to > change.from ? -1 : 1);
                    const OccupancyInput less = with_value(remedy.input, change.knob, back);
                    EXPECT_LE(compute_occupancy(facts, less).warps(), now.warps())
                        << facts.cc.text() << ": " << change.from << " -> " << change.to;
                }
            }
        }
    }
}

TEST(OccupancySearch, CurvesSayWhatTheRuleSays) {
    std::mt19937 random(seed(7));
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 12; ++i) {
            const OccupancyInput input = random_input(random, facts);
            for (const OccupancyKnob knob : kKnobs) {
                const std::vector<OccupancyStep> curve = occupancy_curve(facts, input, knob);
                ASSERT_FALSE(curve.empty());
                for (std::size_t k = 0; k < curve.size(); ++k) {
                    EXPECT_EQ(curve[k].from, k > 0 ? curve[k - 1].to + 1 : curve[k].from);
                    for (const int value : {curve[k].from, (curve[k].from + curve[k].to) / 2, curve[k].to}) {
                        const Occupancy there = compute_occupancy(facts, with_value(input, knob, value));
                        ASSERT_EQ(there.blocks, curve[k].blocks) << facts.cc.text() << " at " << value;
                        ASSERT_EQ(there.warps(), curve[k].warps) << facts.cc.text() << " at " << value;
                    }
                }
                EXPECT_LE(curve.front().from, value_of(input, knob) + (knob == OccupancyKnob::registers));
                EXPECT_GE(curve.back().to, value_of(input, knob));
            }
        }
    }
}

TEST(OccupancySearch, FullBlockSizesFill) {
    const CapabilityFacts& h200 = capability("9.0");
    EXPECT_EQ(full_block_sizes(h200, {.registers = 32}), (std::vector<int>{64, 128, 256, 512, 1024}));
    EXPECT_TRUE(full_block_sizes(h200, {.registers = 33}).empty());
    for (const int threads : full_block_sizes(capability("8.6"), {.registers = 32}))
        EXPECT_EQ(compute_occupancy(capability("8.6"), {.threads = threads}).warps(), 48);
}

}  // namespace warplens::test::occupancy_tests
