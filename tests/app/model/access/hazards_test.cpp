// Which accesses race: against an oracle that knows nothing but who waits for whom, worked examples, and the
// law that every kernel is free of races with all of its barriers.
#include "app/model/access/hazards.h"

#include "app/code/code_page.h"
#include "app/model/access/hazard_run.h"
#include "kernels/scenarios/atomic_histogram.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::test::hazards_tests {
namespace {

/// Kind, word, first thread and line, second thread and line.
using Found = std::set<std::tuple<int, int, int, int, int, int>>;

Found found_by_model(const std::vector<Touch>& touches, int threads_per_block) {
    Found all;
    EXPECT_TRUE(visit_hazards(touches, threads_per_block, [&](const Hazard& h) {
        const bool is_new = all.insert({static_cast<int>(h.kind), h.word, h.first_thread, h.first_line,
                                        h.second_thread, h.second_line})
                                .second;
        EXPECT_TRUE(is_new) << "a hazard is listed once";
    }));
    return all;
}

/// One thing in a program: a barrier, or accesses at one position.
struct Event {
    int barrier = -1;  ///< a `Waits`; -1 for accesses
    std::vector<Touch> touches;
};

using Clock = std::vector<int>;
struct Seen {
    Touch touch;
    Clock clock;
};

/// Happens-before with vector clocks: at a barrier each thread learns what all that wait with it have done.
/// @param seen  out: all accesses, each with what its thread knows
Found found_by_clocks(const std::vector<Event>& events, int threads, int threads_per_block,
                      std::vector<Seen>& seen) {
    std::vector<Clock> clocks(static_cast<std::size_t>(threads), Clock(static_cast<std::size_t>(threads), 0));
    Found all;
    for (const Event& event : events) {
        if (event.barrier >= 0) {
            const int group = event.barrier == 0 ? 32 : event.barrier == 1 ? threads_per_block : threads;
            for (int begin = 0; begin < threads; begin += group) {
                Clock all_know(static_cast<std::size_t>(threads), 0);
                const int end = std::min(threads, begin + group);
                for (int t = begin; t < end; ++t)
                    for (std::size_t i = 0; i < all_know.size(); ++i)
                        all_know[i] = std::max(all_know[i], clocks[static_cast<std::size_t>(t)][i]);
                for (int t = begin; t < end; ++t) clocks[static_cast<std::size_t>(t)] = all_know;
            }
            continue;
        }
        for (const Touch& now : event.touches) {
            Clock& mine = clocks[static_cast<std::size_t>(now.thread)];
            for (const Seen& before : seen) {
                if (before.touch.word != now.word || (before.touch.bytes & now.bytes) == 0 ||
                    before.touch.thread == now.thread || (!before.touch.store && !now.store) ||
                    (before.touch.atomic && now.atomic))
                    continue;
                const auto who = static_cast<std::size_t>(before.touch.thread);
                if (mine[who] >= before.clock[who]) continue;  // it knows of that access
                const int kind = !now.store ? 0 : before.touch.store ? 2 : 1;
                all.insert({kind, now.word, before.touch.thread, before.touch.line, now.thread, now.line});
            }
            ++mine[static_cast<std::size_t>(now.thread)];
            seen.push_back({now, mine});
        }
    }
    return all;
}

/// Word, thread and line of loads of a byte whose stores, if there are any, all know of the load. Atomic
/// operations among each other fill nothing: the first one loads what was there.
std::set<std::tuple<int, int, int>> uninitialized_by_clocks(const std::vector<Seen>& seen) {
    std::set<std::tuple<int, int, int>> all;
    for (const Seen& load : seen) {
        if (load.touch.store && !load.touch.atomic) continue;
        for (int byte = 0; byte < 4; ++byte) {
            if ((load.touch.bytes >> byte & 1) == 0) continue;
            const auto who = static_cast<std::size_t>(load.touch.thread);
            const bool none = std::ranges::all_of(seen, [&](const Seen& store) {
                const bool same = store.touch.store && store.touch.word == load.touch.word &&
                                  (store.touch.bytes >> byte & 1) != 0 &&
                                  !(store.touch.atomic && load.touch.atomic);
                return !same || store.clock[who] >= load.clock[who];
            });
            if (none) all.emplace(load.touch.word, load.touch.thread, load.touch.line);
        }
    }
    return all;
}

/// A small program with barriers at random places: two blocks of up to two warps, few words.
std::vector<Event> random_program(std::mt19937& random, int threads) {
    std::vector<Event> events;
    std::array<int, 3> barriers{};
    const int count = 2 + static_cast<int>(random() % 10);
    for (int position = 0; position < count; ++position) {
        Event event;
        if (random() % 3 == 0) {
            event.barrier = static_cast<int>(random() % 3);
            for (int scope = 0; scope <= event.barrier; ++scope) ++barriers[static_cast<std::size_t>(scope)];
        } else {
            const bool store = random() % 2 == 0;
            const int line = static_cast<int>(random() % 4);
            std::set<int> chosen;
            for (auto i = random() % 6; i > 0; --i)
                chosen.insert(static_cast<int>(random() % static_cast<unsigned>(threads)));
            for (const int thread : chosen)
                event.touches.push_back({.word = static_cast<int>(random() % 3),
                                         .bytes = static_cast<std::uint8_t>(1 + random() % 15),
                                         .store = store,
                                         .atomic = store && line == 3,
                                         .thread = thread,
                                         .line = line,
                                         .position = position,
                                         .barriers = barriers});
        }
        events.push_back(std::move(event));
    }
    return events;
}

std::vector<Touch> touches_of(const std::vector<Event>& events) {
    std::vector<Touch> all;
    for (const Event& event : events) all.insert(all.end(), event.touches.begin(), event.touches.end());
    return all;
}

Params params_of(const Scenario& scenario, std::string_view settings) {
    Params params = preset_params(scenario, {"", settings});
    clamp_knobs(scenario, params);
    return params;
}

HazardReport report_of(std::string_view id, std::string_view settings, LeftOut left_out) {
    const Scenario& scenario = *find_scenario(id);
    return report_hazards(scenario, params_of(scenario, settings), {0, 0}, left_out);
}

}  // namespace

/// Each thread stores the same word in each of some lines, round after round, and no barrier stands between.
std::vector<Touch> stores_of_a_word(int threads, int lines, int rounds) {
    std::vector<Touch> touches;
    for (int position = 0; position < lines * rounds; ++position)
        for (int thread = 0; thread < threads; ++thread)
            touches.push_back(
                {.store = true, .thread = thread, .line = position % lines, .position = position});
    return touches;
}

// However many executions there are, memory and time are those of the threads and lines.
TEST(Hazards, OfAWholeBlockOnAWord) {
    HazardReport report{.threads_per_block = 1024};
    report = with_hazards(std::move(report), stores_of_a_word(1024, 1, 300), 4, 1).done();
    EXPECT_TRUE(report.all_found);
    EXPECT_EQ(report.thread_pairs, 1024 * 1023 / 2);
    EXPECT_EQ(report.total(), 1024 * 1023) << "either thread may come first";
    EXPECT_EQ(report.within_warps, 32 * 32 * 31);
    ASSERT_EQ(report.pairs.size(), 1u);
    EXPECT_EQ(report.pairs[0].words, 1);
    EXPECT_EQ(report.pairs[0].example.first_thread, 0);
    EXPECT_EQ(report.pairs[0].example.second_thread, 32) << "the first of another warp";
}

TEST(Hazards, WhatIsTooMuchToCompareIsSaidToBeAtLeast) {
    HazardReport report{.threads_per_block = 1024};
    report = with_hazards(std::move(report), stores_of_a_word(1024, 40, 1), 4, 1).done();
    EXPECT_FALSE(report.all_found);
    EXPECT_GT(report.total(), 1'000'000);
    EXPECT_LT(report.total(), std::int64_t{40} * 40 * 1024 * 1023);
    EXPECT_EQ(report.at_least(), "at least ");
}

// A sample, and 100,000 placements with WARPLENS_ALL set.
TEST(Hazards, NoneIsMissedAndNoneIsFalseAtRandomPlacementsOfBarriers) {
    const int rounds = all_cases() ? 100'000 : 1'500;
    std::mt19937 random(17);
    std::size_t hazards = 0, clean = 0, uninitialized = 0, initialized = 0;
    for (int round = 0; round < rounds; ++round) {
        const int per_block = random() % 2 == 0 ? 32 : 64, threads = 2 * per_block;
        const std::vector<Event> events = random_program(random, threads);
        std::vector<Seen> seen;
        const Found right = found_by_clocks(events, threads, per_block, seen);
        ASSERT_EQ(found_by_model(touches_of(events), per_block), right) << "round " << round;
        hazards += right.size();
        clean += right.empty() ? 1 : 0;
        const auto nobodys = uninitialized_by_clocks(seen);
        std::set<std::tuple<int, int, int>> told;
        visit_uninitialized(touches_of(events), per_block, [&](const Hazard& h) {
            EXPECT_TRUE(told.emplace(h.word, h.first_thread, h.first_line).second);
        });
        ASSERT_EQ(told, nobodys) << "round " << round;
        uninitialized += nobodys.size();
        initialized += seen.size() - nobodys.size();
    }
    EXPECT_GT(hazards, static_cast<std::size_t>(rounds));
    EXPECT_GT(clean, 0u);
    EXPECT_GT(uninitialized, 0u);
    EXPECT_GT(initialized, uninitialized);
}

// The rounds of a loop that are looked at show what all of them do, in real kernels with any barriers.
TEST(Hazards, AFewRoundsOfALoopShowThoseOfAllRounds) {
    int with_hazards = 0;
    for (const char* settings :
         {"variant=tiled,matrix=64,tile=8", "variant=tiled-transposed,matrix=64,tile=8,padding=1",
          "variant=register-blocked,matrix=64,tile=8", "variant=vectorized,matrix=64,tile=8,padding=4"}) {
        const Scenario& scenario = *find_scenario("matrix-multiply");
        const Params params = params_of(scenario, settings);
        const KernelOrder order = scenario.kernel->order(params);
        EXPECT_LT(rounds_that_show_all(order), order.rounds);
        for (LeftOut left_out = 0; left_out < 4; ++left_out) {
            const auto hazards_of = [&](int rounds) {
                std::int64_t first = 0;
                return found_by_model(
                    block_touches(scenario, params, {0, 0}, unroll(order, left_out, rounds), first), 64);
            };
            const Found few = hazards_of(rounds_that_show_all(order));
            EXPECT_EQ(few, hazards_of(order.rounds)) << settings << " without " << left_out;
            with_hazards += few.empty() ? 0 : 1;
        }
    }
    EXPECT_GE(with_hazards, 8);
}

TEST(Hazards, EveryKernelIsFreeOfThemWithAllItsBarriers) {
    std::mt19937 random(5);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 12; ++i) {
            Params params = random_params(scenario, random);
            if (scenario.kernel->order(params).count == 0) continue;
            const HazardReport report = report_hazards(scenario, params, {0, 0}, 0);
            // Lanes that store to one word race whatever stands around them.
            const bool stores_only = count_barriers(report.order) == 0;
            // A histogram without atomic operations is there to show that it races.
            if (scenario.info->id == AtomicHistogram::info.id &&
                AtomicHistogram::updates(params, Update::plain)) {
                EXPECT_TRUE(params.items * params.block_x == 1 || report.total() > 0);
                EXPECT_EQ(report.counts[int(HazardKind::uninitialized)], 0) << "bins are cleared";
            } else if (!stores_only) {
                EXPECT_EQ(report.total(), 0)
                    << scenario.info->id << " " << describe_settings(scenario, params);
                EXPECT_FALSE(find_wrong_run(scenario, params, report));
            }
            for (const WordState& word : report.words.accessed())
                EXPECT_EQ(word.kinds != 0, word.hazards > 0);
        }
    }
}

// The order says of a kernel what stands in its source: each of its barriers once, and of the same kind.
TEST(Hazards, TheBarriersOfAnOrderAreThoseOfTheKernel) {
    int with_barriers = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            const KernelOrder order = scenario.kernel->order(params);
            std::vector<std::string> stated, written;
            for (int i = 0; i < order.count; ++i) {
                const OrderedLine& line = order.lines[static_cast<std::size_t>(i)];
                if (line.kind == OrderedLine::Kind::barrier) stated.emplace_back(line.code);
            }
            for (const CodeSection& section : code_page(scenario, params).sections) {
                if (section.part != CodePart::kernel) continue;
                for (const CodeLine& line : section.lines) {
                    const std::string code = line.text.substr(0, line.text.find("//"));
                    if (line.text.ends_with("mbarriers")) continue;  // of which no word is modelled
                    const std::size_t begin =
                        std::min({code.find("__sync"), code.find("cluster.sync"), code.find("grid.sync"),
                                  code.find("wait_for(arrived"), code.find("        __threadfence")});
                    if (begin == std::string::npos) continue;
                    std::string barrier = code.substr(begin, code.find(';', begin) + 1 - begin);
                    written.push_back(barrier.substr(barrier.find_first_not_of(' ')));
                }
            }
            EXPECT_EQ(stated, written) << scenario.info->id << " " << describe_settings(scenario, params);
            with_barriers += stated.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(with_barriers, 40);
}

/// Who knows of what in a small grid, by vector clocks: the lines in order, each executed by all threads, but
/// for what the order says of the last or the first block.
Found found_in_grid(const Scenario& scenario, const Params& p, LeftOut left_out) {
    const KernelOrder order = scenario.kernel->order(p);
    const LaunchShape shape = scenario.launch(p);
    const int per_block = shape.block.x, blocks = shape.grid.x, threads = per_block * blocks;
    std::vector<Clock> clocks(static_cast<std::size_t>(threads), Clock(static_cast<std::size_t>(threads), 0));
    std::vector<Seen> seen;
    Found all;
    const auto learn = [](Clock& clock, const Clock& from) {
        for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], from[i]);
    };
    const auto wait = [&](int group) {
        for (int begin = 0; begin < threads; begin += group) {
            Clock known(static_cast<std::size_t>(threads), 0);
            for (int t = begin; t < begin + group; ++t) learn(known, clocks[static_cast<std::size_t>(t)]);
            for (int t = begin; t < begin + group; ++t) clocks[static_cast<std::size_t>(t)] = known;
        }
    };
    const auto touch = [&](int thread, int line, std::uint64_t address, bool store, bool atomic) {
        Clock& mine = clocks[static_cast<std::size_t>(thread)];
        const int word = static_cast<int>(address / 4);
        for (const Seen& before : seen) {
            const auto who = static_cast<std::size_t>(before.touch.thread);
            if (before.touch.word != word || before.touch.thread == thread ||
                (!before.touch.store && !store) || (before.touch.atomic && atomic) ||
                mine[who] >= before.clock[who])
                continue;
            all.insert({!store               ? 0
                        : before.touch.store ? 2
                                             : 1,
                        word, before.touch.thread, before.touch.line, thread, line});
        }
        ++mine[static_cast<std::size_t>(thread)];
        seen.push_back(
            {{.word = word, .store = store, .atomic = atomic, .thread = thread, .line = line}, mine});
    };
    std::map<int, int> steps;
    for (int round = 0; round < order.rounds; ++round) {
        for (int line = 0; line < order.count; ++line) {
            const OrderedLine& what = order.lines[static_cast<std::size_t>(line)];
            if (what.kind == OrderedLine::Kind::barrier) {
                const bool gone = (left_out >> barrier_number(order, line) & 1u) != 0;
                if (what.waits == Waits::counted) {
                    // Block by block: a first thread tells what it knows, if there is a fence, and hears the
                    // rest.
                    Clock counter(static_cast<std::size_t>(threads), 0);
                    for (int t = 0; t < threads; t += per_block) {
                        learn(clocks[static_cast<std::size_t>(t)], counter);
                        if (!gone) learn(counter, clocks[static_cast<std::size_t>(t)]);
                    }
                } else if (!gone) {
                    wait(what.waits == Waits::grid ? threads : per_block);
                }
                continue;
            }
            if (round >= order.rounds - what.not_in_last) continue;
            const Instruction instruction = scenario.instruction(p, what.instruction);
            if (instruction.space != Space::global) continue;
            const auto lane = [&](int thread, int step) {
                return scenario.access(p, what.instruction,
                                       {thread / per_block, 0, thread % per_block, 0, step});
            };
            if (what.kind == OrderedLine::Kind::collect) {
                const int first = what.waits == Waits::counted ? threads - per_block : 0;
                for (int b = 0; b < blocks; ++b)
                    touch(first + b % per_block, line, lane(b * per_block, 0).byte_address, false, false);
                continue;
            }
            const int step = steps[what.instruction]++;
            for (int t = 0; t < threads; ++t)
                if (const LaneAccess access = lane(t, step); access.active)
                    touch(t, line, access.byte_address, !is_load(instruction.op), is_atomic(instruction.op));
        }
    }
    return all;
}

// What blocks do to each other in global memory is what an oracle finds that knows only who has told whom.
TEST(Hazards, BetweenBlocksAreThoseOfAnOracle) {
    int clean = 0, races = 0;
    const auto compare = [&](const char* id, const std::string& settings, LeftOut left_out) {
        const Scenario& scenario = *find_scenario(id);
        const Params params = params_of(scenario, settings);
        const HazardReport report = report_grid_hazards(scenario, params, left_out);
        ASSERT_TRUE(report.all_found);
        const Found right = found_in_grid(scenario, params, left_out);
        std::map<std::tuple<int, int, int>, std::int64_t> pairs, told;
        for (const auto& [kind, word, first, first_line, second, second_line] : right)
            ++pairs[{kind, first_line, second_line}];
        for (const LinePair& pair : report.pairs)
            told[{int(pair.kind), pair.first_line, pair.second_line}] = pair.hazards;
        EXPECT_EQ(told, pairs) << id << ' ' << settings << " without " << left_out;
        (right.empty() ? clean : races) += 1;
    };
    for (const char* finish : {"last-block", "sync"})
        for (const char* blocks : {"2^0", "2^1", "2^3"})
            for (LeftOut left_out = 0; left_out < 8; ++left_out)
                compare("shared-reduction",
                        std::string("variant=shuffle,block=64,finish=") + finish + ",blocks=" + blocks,
                        left_out);
    for (const char* update : {"count", "sum", "rank"})
        for (const char* data : {"in-turn", "uniform", "one"})
            compare("atomic-histogram",
                    std::string("memory=global,block=64,items=4,blocks=2^1,bins=2^4,update=") + update +
                        ",data=" + data,
                    0);
    EXPECT_GT(clean, 10);
    EXPECT_GT(races, 10);
}

// Without the fence the last block may load what was there before, from every block but its own.
TEST(Hazards, TheLastBlockNeedsItsFence) {
    const Scenario& scenario = *find_scenario("shared-reduction");
    const Params params = params_of(scenario, "variant=shuffle,blocks=2^4,finish=last-block");
    EXPECT_EQ(report_grid_hazards(scenario, params, 0).total(), 0);
    const HazardReport without = report_grid_hazards(scenario, params, 2);
    EXPECT_EQ(without.total(), 15);
    EXPECT_EQ(without.counts[int(HazardKind::read_after_write)], 15);
    EXPECT_EQ(without.blocks.size(), 16u);
    EXPECT_EQ(report_hazards(scenario, params, {}, 2).total(), 0) << "in shared memory nothing goes wrong";
}

// A tile of 32 x 32, 8 rows of threads: word (r, c) is stored by thread (c, r % 8) and loaded by (r, c % 8).
TEST(Hazards, ATransposeRacesOffTheDiagonal) {
    const HazardReport report = report_of("transpose", "variant=tile,tile=32,block_rows=8", 1);
    EXPECT_EQ(report.total(), 32 * 32 - 32);
    EXPECT_EQ(report.counts[0], report.total());
    EXPECT_EQ(report.words_affected(), 32 * 32 - 32);
    EXPECT_EQ(report.within_warps, 32 * 3);  // r and c differ, r % 8 and c % 8 do not
    ASSERT_EQ(report.pairs.size(), 1u);
    EXPECT_EQ(report.order.lines[static_cast<std::size_t>(report.pairs[0].first_line)].instruction, 1);
    EXPECT_EQ(report.order.lines[static_cast<std::size_t>(report.pairs[0].second_line)].instruction, 2);
}

TEST(Hazards, ATiledProductNeedsEachOfItsTwoBarriersForAnotherKind) {
    for (const char* variant :
         {"variant=tiled,tile=16,matrix=64", "variant=tiled-transposed,tile=16,matrix=64"}) {
        const HazardReport first = report_of("matrix-multiply", variant, 1),
                           second = report_of("matrix-multiply", variant, 2);
        EXPECT_GT(first.counts[0], 0);
        EXPECT_EQ(first.counts[1], 0);  // the barrier after the use still stands
        EXPECT_EQ(second.counts[0], 0);
        EXPECT_GT(second.counts[1], 0);
    }
}

// A step more or less would be an access that the kernel does not make.
TEST(Hazards, TheOrderOfALadderMakesEachStepOnce) {
    const Scenario& scenario = *find_scenario("matrix-ladder");
    for (const Params& params : kernel_settings(scenario)) {
        const KernelOrder order = scenario.kernel->order(params);
        std::array<int, kMaxInstructions> made{};
        for (const Execution& one : unroll(order, 0, order.rounds)) {
            const OrderedLine& line = order.lines[static_cast<std::size_t>(one.line)];
            made[static_cast<std::size_t>(line.instruction)] += line.times;
        }
        for (int k = 0; k < scenario.instruction_count(params); ++k) {
            const Instruction what = scenario.instruction(params, k);
            if (what.space != Space::shared) continue;
            EXPECT_EQ(made[static_cast<std::size_t>(k)], what.steps)
                << what.label << " " << describe_settings(scenario, params);
        }
    }
}

// With one pair of tiles both barriers are needed, each against another kind; with two pairs the one barrier
// is needed against both; of the two of the upper rungs, the one before the loop only before the first tile.
TEST(Hazards, TheLaddersBarriers) {
    for (const char* variant : {"variant=register-column", "variant=float4", "variant=transposed"}) {
        const std::string settings = std::string(variant) + ",matrix=256";
        const HazardReport first = report_of("matrix-ladder", settings, 1),
                           second = report_of("matrix-ladder", settings, 2);
        EXPECT_GT(first.counts[0], 0) << variant;
        EXPECT_EQ(first.counts[1], 0) << variant;
        EXPECT_EQ(second.counts[0], 0) << variant;
        EXPECT_GT(second.counts[1], 0) << variant;
    }
    for (const char* variant : {"variant=double-buffered", "variant=asynchronous"}) {
        const HazardReport without = report_of("matrix-ladder", std::string(variant) + ",matrix=256", 1);
        EXPECT_GT(without.counts[0], 0) << variant;
        EXPECT_GT(without.counts[1], 0) << variant;
    }
    const HazardReport first = report_of("matrix-ladder", "variant=lean,matrix=256", 1);
    EXPECT_GT(first.counts[0], 0);
    EXPECT_EQ(first.counts[1], 0);
}

TEST(Hazards, AnExchangeWithinAWarpRaces) {
    const HazardReport report = report_of("register-shuffle", "way=shared,exchange=xor,distance=16", 1);
    EXPECT_EQ(report.total(), 32);
    EXPECT_EQ(report.within_warps, 32);
}

TEST(Hazards, ASecondBarrierCanMakeAFirstOneUnnecessary) {
    EXPECT_EQ(report_of("cluster-shared", "place=neighbour", 1).total(), 0);
    EXPECT_GT(report_of("cluster-shared", "place=neighbour", 2).total(), 0);
    EXPECT_EQ(report_of("cluster-shared", "place=neighbour", 4).total(), 0);
}

// 256 ones. Without the first barrier, warps 0 to 3 add elements 128 to 255 before their warps have stored
// them.
TEST(Hazards, ASumThatIsShortByHalf) {
    const Scenario& scenario = *find_scenario("shared-reduction");
    const Params params = params_of(scenario, "variant=sequential,block=256");
    EXPECT_EQ(result_of_run(scenario, params, {0, 0}, 0, 0, -1, 0), 256);
    EXPECT_EQ(result_of_run(scenario, params, {0, 0}, 1, 0, -1, 0), 128);
    const auto run = find_wrong_run(scenario, params, report_hazards(scenario, params, {0, 0}, 1));
    ASSERT_TRUE(run);
    EXPECT_EQ(run->right, 256);
    EXPECT_NE(run->wrong, 256);
}

TEST(Hazards, ResultsOfRunsWithAllBarriersAreRightWhoeverRunsFirst) {
    struct Case {
        const char *id, *settings;
        std::int64_t right;
    };
    for (const Case& one : {Case{"shared-reduction", "variant=interleaved,block=128", 128},
                            Case{"shared-reduction", "variant=divergent,block=128", 128},
                            Case{"shared-reduction", "variant=shuffle,block=128", 128},
                            Case{"matrix-multiply", "variant=tiled,matrix=64,tile=16", 64 * 65 / 2},
                            Case{"matrix-multiply", "variant=register-blocked,matrix=64,tile=8", 64 * 65 / 2},
                            Case{"matrix-multiply", "variant=vectorized,matrix=64,tile=8", 64 * 65 / 2},
                            Case{"matrix-ladder", "variant=register-column,matrix=256", 256 * 257 / 2},
                            Case{"matrix-ladder", "variant=float4,matrix=256", 256 * 257 / 2},
                            Case{"matrix-ladder", "variant=double-buffered,matrix=256", 256 * 257 / 2},
                            Case{"matrix-ladder", "variant=asynchronous,matrix=256", 256 * 257 / 2},
                            Case{"matrix-ladder", "variant=spread,stages=4,matrix=256", 256 * 257 / 2},
                            Case{"matrix-ladder", "variant=lean,matrix=256", 256 * 257 / 2},
                            Case{"constant-convolution", "memory=shared,filter=5", 25},
                            Case{"transpose", "variant=padded", 1}}) {
        const Scenario& scenario = *find_scenario(one.id);
        const Params params = params_of(scenario, one.settings);
        for (const int warp : {0, 1})
            EXPECT_EQ(result_of_run(scenario, params, {0, 0}, 0, warp, -1, 0), one.right)
                << one.id << " " << one.settings;
    }
}

}  // namespace warplens::test::hazards_tests
