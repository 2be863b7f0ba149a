// The histogram with atomics: what its instructions do, done by a small machine, gives the histogram; and
// what its requests cost is what a count of queues, written here from the measured rule alone, says.
#include "kernels/scenarios/atomic_histogram.h"

#include "app/model/access/hazard_run.h"
#include "app/model/access/hazards.h"
#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/counters/agreement.h"
#include "app/model/device/device.h"
#include "app/model/random_settings.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace warplens::test::atomic_histogram_tests {
namespace {

using S = AtomicHistogram;

const Scenario& scenario() { return *find_scenario(S::info.id); }

Params small(std::mt19937& random) {
    Params p = random_params(scenario(), random);
    p.blocks_log2 = int(random() % 3);
    p.block_x = random() % 2 == 0 ? 64 : 128;
    p.items = random() % 2 == 0 ? 1 : 4;
    return p;
}

/// Does what the instructions say, one warp after the other, at their addresses.
class Machine {
public:
    explicit Machine(const Params& p) : p_(p), shape_(S::launch(p)) {
        out_.resize(std::size_t(shape_.buffer_bytes[1] / S::kBytes));
    }

    const std::vector<std::uint32_t>& run() {
        for (int block = 0; block < shape_.grid.x; ++block) {
            tile_.assign(std::size_t(shape_.shared_bytes / S::kBytes), 0xdead);
            for (int phase = 0; phase < 3; ++phase)
                for (int warp = 0; warp < S::warps(p_); ++warp) run_phase(block, warp, phase);
        }
        return out_;
    }

private:
    void run_phase(int block, int warp, int phase) {
        std::array<std::uint32_t, kWarpLanes> sum{}, merged{};
        for (int step = 0; step < S::kMostItems * 32; ++step) {
            bool any = false;
            for (int k = 0; k < S::instruction_count(p_); ++k) {
                const Instruction one = S::instruction(p_, k);
                if (one.phase != phase) continue;
                if (step >= steps_of(shape_, one)) continue;
                any = true;
                for (int lane = 0; lane < kWarpLanes; ++lane)
                    step_lane(block, warp, lane, step, k, sum, merged);
            }
            if (!any) return;
        }
    }

    void step_lane(int block, int warp, int lane, int step, int k, std::array<std::uint32_t, kWarpLanes>& sum,
                   std::array<std::uint32_t, kWarpLanes>& merged) {
        const ThreadId thread{block, 0, warp * kWarpLanes + lane, 0, step};
        const LaneAccess access = S::access(p_, k, thread);
        const auto at = std::size_t(access.byte_address / S::kBytes);
        const std::uint32_t value = S::updates(p_, Update::sum) ? S::weight_of(p_, step, thread.x) : 1;
        switch (S::role_of(p_, k)) {
            case S::clear:
                if (access.active) tile_.at(at) = 0;
                return;
            case S::load:
                sum[lane] = value;
                return;
            case S::match:  // the leader takes what lanes of its bin add; reduce does the same with weights
                if (at != std::size_t(lane)) {
                    sum[at] += sum[lane];
                    sum[lane] = 0;
                }
                return;
            case S::update:
                if (access.active) (S::in_global(p_) ? out_ : tile_).at(at) += sum[lane];
                return;
            case S::merge:
                if (access.active) merged[lane] += tile_.at(at);
                return;
            case S::flush:
                if (!access.active) return;
                out_.at(at) += merged[lane];
                merged[lane] = 0;
                return;
            default:
                return;
        }
    }

    Params p_;
    LaunchShape shape_;
    std::vector<std::uint32_t> tile_, out_;
};

TEST(AtomicHistogram, ItsInstructionsMakeTheHistogram) {
    std::mt19937 random(5);
    for (int i = 0; i < 60; ++i) {
        Params p = small(random);
        if (S::updates(p, Update::plain)) continue;
        std::map<std::size_t, std::uint32_t> wanted;
        const int distance = S::in_global(p) ? p.stride : 1;
        for (int step = 0; step < p.items; ++step)
            for (int x = 0; x < p.block_x; ++x)
                wanted[std::size_t(S::bin_of(p, step, x) * distance)] +=
                    (S::updates(p, Update::sum) ? S::weight_of(p, step, x) : 1) << p.blocks_log2;
        const auto found = Machine(p).run();
        std::uint64_t all = 0, counted = 0;
        for (const std::uint32_t one : found) all += one;
        for (const auto& [at, sum] : wanted) {
            ASSERT_LT(at, found.size());
            EXPECT_EQ(found[at], sum) << i << " word " << at;
            counted += sum;
        }
        EXPECT_EQ(all, counted);
    }
}

/// The measured rule, lane by lane: in each turn a bank takes one lane; if it only counts, all lanes of a
/// word.
int turns_at_banks(const WarpAccess& access) {
    std::array<std::vector<std::uint64_t>, 32> waiting;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        if ((access.active >> lane & 1u) != 0)
            waiting[access.byte_address[lane] / 4 % 32].push_back(access.byte_address[lane]);
    int turns = 0;
    for (bool more = true; more; turns += more ? 1 : 0) {
        more = false;
        for (auto& lanes : waiting) {
            if (lanes.empty()) continue;
            more = true;
            const std::uint64_t served = lanes.front();
            if (access.op == Op::increment)
                std::erase(lanes, served);
            else
                lanes.erase(lanes.begin());
        }
    }
    return turns;
}

/// In each turn one lane of every word comes to its sector.
int turns_at_sectors(const WarpAccess& access) {
    std::multiset<std::uint64_t> waiting;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        if ((access.active >> lane & 1u) != 0) waiting.insert(access.byte_address[lane]);
    int sectors = 0;
    while (!waiting.empty()) {
        std::set<std::uint64_t> served, touched;
        for (const std::uint64_t address : waiting) served.insert(address);
        for (const std::uint64_t address : served) {
            touched.insert(address / 32);
            waiting.erase(waiting.find(address));
        }
        sectors += int(touched.size());
    }
    return sectors;
}

WarpAccess random_access(std::mt19937& random, Space space, Op op) {
    constexpr int kRanges[] = {1, 2, 3, 5, 8, 16, 32, 64, 256, 1024, 4096};
    const int range = kRanges[random() % std::size(kRanges)], apart = random() % 3 == 0 ? 32 : 1;
    WarpAccess access{
        .active = random() % 3 == 0 ? std::uint32_t(random()) : kAllLanes, .space = space, .op = op};
    for (std::uint64_t& address : access.byte_address)
        address = static_cast<std::uint64_t>(random() % static_cast<unsigned>(range)) * 4 *
                  static_cast<std::uint64_t>(apart);
    return access;
}

TEST(AtomicHistogram, QueuesAtBanksAndSectorsAreThoseOfTheRule) {
    std::mt19937 random(6);
    const DeviceFacts& device = h200();
    for (int i = 0; i < 3000; ++i) {
        for (const Op op : {Op::atomic, Op::reduction, Op::increment}) {
            const WarpAccess shared = random_access(random, Space::shared, op);
            const BankReport banks = analyze_banks(shared, device.bank_rules);
            EXPECT_EQ(banks.count.wavefronts, turns_at_banks(shared));
            std::map<int, std::set<std::uint64_t>> words;  // by wavefront and bank
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                if ((shared.active >> lane & 1u) == 0) continue;
                const std::uint64_t word = shared.byte_address[lane] / 4;
                auto& there = words[banks.wavefront[lane] * 32 + int(word % 32)];
                EXPECT_LT(banks.wavefront[lane], banks.count.wavefronts);
                EXPECT_TRUE(there.insert(word).second || op == Op::increment) << "two lanes at one word";
                EXPECT_EQ(there.size(), 1u);
            }
            const WarpAccess global = random_access(random, Space::global, op);
            const SectorReport sectors = analyze_sectors(global, device.sector_rules);
            EXPECT_EQ(sectors.count.sectors, turns_at_sectors(global));
            EXPECT_EQ(int(sectors.transactions.size()), sectors.count.sectors);
            EXPECT_EQ(sectors_in_turns(global, global.active), sectors.count.sectors);
            EXPECT_LE(sectors.count.ideal_sectors, sectors.count.sectors);
            std::uint32_t lanes = 0;
            for (const Transaction& one : sectors.transactions) {
                EXPECT_EQ(lanes & one.lanes, 0u);
                lanes |= one.lanes;
            }
            EXPECT_EQ(lanes, global.active);
        }
    }
}

WarpAccess pattern(int (*word)(int), Space space, Op op, std::uint32_t active = kAllLanes) {
    WarpAccess access{.active = active, .space = space, .op = op};
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = static_cast<std::uint64_t>(word(lane)) * 4;
    return access;
}

// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom and l1tex__t_sectors_pipe_lsu_mem_global_op_atom and
// _op_red, of one warp on an H200 (driver 580).
TEST(AtomicHistogram, WhatCountersOfAnH200ShowedForSinglePatterns) {
    struct Row {
        int (*word)(int);
        int adding, counting, sectors;
        std::uint32_t active = kAllLanes;
    };
    constexpr Row kRows[] = {{[](int i) { return i; }, 1, 1, 4},
                             {[](int i) { return i / 2; }, 2, 1, 4},
                             {[](int i) { return i / 8; }, 8, 1, 8},
                             {[](int) { return 0; }, 32, 1, 32},
                             {[](int i) { return i % 2; }, 16, 1, 16},
                             {[](int i) { return i * 2; }, 2, 2, 8},
                             {[](int i) { return i * 32; }, 32, 32, 32},
                             {[](int i) { return i * 33; }, 1, 1, 32},
                             {[](int i) { return i / 4 * 32; }, 32, 8, 32},
                             {[](int i) { return i % 2 * 32; }, 32, 2, 32},
                             {[](int) { return 0; }, 16, 1, 16, 0xffffu},
                             {[](int i) { return i < 3 ? 7 : i; }, 4, 1, 7},
                             {[](int i) { return i < 8    ? 0
                                                 : i < 16 ? 32
                                                          : i; }, 16, 2, 18},
                             {[](int i) { return i < 8    ? 0
                                                 : i < 16 ? 1
                                                          : i; }, 8, 1, 10},
                             {[](int i) { return i < 4   ? 0
                                                 : i < 8 ? 32 * (i - 3)
                                                         : i; }, 8, 5, 11},
                             {[](int i) { return i < 6   ? 0
                                                 : i < 8 ? 32 * (i - 5)
                                                         : i; }, 8, 3, 11}};
    const DeviceFacts& device = h200();
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        const Row& row = kRows[i];
        const auto wavefronts = [&](Op op) {
            return count_banks(pattern(row.word, Space::shared, op, row.active), device.bank_rules)
                .wavefronts;
        };
        EXPECT_EQ(wavefronts(Op::atomic), row.adding) << i;
        EXPECT_EQ(wavefronts(Op::reduction), row.adding) << i;
        EXPECT_EQ(wavefronts(Op::increment), row.counting) << i;
        for (const Op op : {Op::atomic, Op::reduction, Op::increment})
            EXPECT_EQ(
                count_sectors(pattern(row.word, Space::global, op, row.active), device.sector_rules).sectors,
                row.sectors)
                << i;
    }
}

TEST(AtomicHistogram, AggregatedOneLaneAddsForEachBin) {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        Params p = small(random);
        p.aggregate = 1;
        if (S::updates(p, Update::plain)) continue;
        const int update = S::index_of(p, S::update), match = S::index_of(p, S::match);
        const WarpAccess adds = scenario().warp(p, update, {}, 0, 0),
                         finds = scenario().warp(p, match, {}, 0, 0);
        std::set<std::uint64_t> words;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const bool leads = finds.byte_address[lane] / 4 == static_cast<unsigned>(lane);
            EXPECT_EQ(leads, (adds.active >> lane & 1u) != 0);
            EXPECT_EQ(S::bin_of(p, 0, lane), S::bin_of(p, 0, int(finds.byte_address[lane] / 4)));
            if (!leads) continue;
            EXPECT_TRUE(words.insert(adds.byte_address[lane]).second) << "two leaders of one bin";
        }
    }
}

TEST(AtomicHistogram, PlainUpdatesRaceAndAtomicOnesDoNot) {
    Params p = S::info.defaults;
    p.block_x = 64;
    p.items = 4;
    p.bins_log2 = 4;
    p.operation = int(Update::count);
    EXPECT_EQ(report_hazards(scenario(), p, {}, 0).total(), 0);
    // Without the barrier after the zeros an addition may come too early and be lost.
    const HazardReport no_barrier = report_hazards(scenario(), p, {}, 1);
    EXPECT_GT(no_barrier.total(), 0);
    const auto wrong = find_wrong_run(scenario(), p, no_barrier);
    ASSERT_TRUE(wrong.has_value());
    EXPECT_LT(wrong->wrong, wrong->right);
    const auto counted = [&] {
        std::int64_t sum = 0;
        for (int thread = 0; thread < S::bins(p); ++thread)
            sum += result_of_run(scenario(), p, {}, 0, 0, -1, thread);
        return sum;
    };
    EXPECT_EQ(counted(), 64 * 4);
    p.operation = int(Update::plain);
    EXPECT_GT(report_hazards(scenario(), p, {}, 0).total(), 0);
    EXPECT_LT(counted(), 64 * 4);
}

TEST(AtomicHistogram, CountersOfAtomicsAreThoseOfTheTotals) {
    Params p = S::info.defaults;
    p.operation = int(Update::sum);
    p.pattern = int(Distribution::one);
    const ExpectedLaunch shared = expect_counters(scenario(), p, h200());
    const double requests = 1024.0 * 8 * 64;
    const auto value = [](const ExpectedLaunch& launch, std::string_view metric) {
        const ExpectedCounter* found = launch.find(metric);
        return found == nullptr ? -1 : found->expected;
    };
    EXPECT_EQ(value(shared, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"), 32 * requests);
    EXPECT_EQ(value(shared, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"), 31 * requests);
    EXPECT_EQ(value(shared, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"), 1024.0 * 8 * 4);
    p.memory = int(BinsIn::global);
    const ExpectedLaunch global = expect_counters(scenario(), p, h200());
    EXPECT_EQ(value(global, "lts__t_sectors_srcunit_tex_op_red.sum"), 32 * requests);
    EXPECT_EQ(value(global, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"), -1);
    EXPECT_EQ(value(global, "lts__t_sectors_srcunit_tex_op_write.sum"), -1);
    p.operation = int(Update::rank);
    EXPECT_EQ(value(expect_counters(scenario(), p, h200()), "lts__t_sectors_srcunit_tex_op_atom.sum"),
              32 * requests);
}

// Sectors are known to the last one while a request comes to few lines; else they are said to be approximate.
TEST(AtomicHistogram, SaysWhereItIsNotSure) {
    Params p = S::info.defaults;
    p.memory = int(BinsIn::global);
    const int update = S::index_of(p, S::update);
    p.bins_log2 = 7;
    EXPECT_TRUE(is_sure_of_sectors(scenario(), p, update, h200()));
    p.bins_log2 = 9;
    EXPECT_FALSE(is_sure_of_sectors(scenario(), p, update, h200()));
    p.pattern = int(Distribution::in_turn);
    EXPECT_TRUE(is_sure_of_sectors(scenario(), p, update, h200()));
    for (const DeviceFacts& device : all_devices()) {
        const bool measured = device.cc.major == 9 && device.cc.minor == 0;
        EXPECT_EQ(rules_basis(S::instruction(p, update), device).kind == Provenance::exact, measured)
            << device.name;
    }
}

}  // namespace
}  // namespace warplens::test::atomic_histogram_tests
