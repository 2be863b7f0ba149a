// Hazards of typed kernels in shared and in global memory: random small kernels, of which an oracle knows
// only what each statement does and who learns of what by it.
#include "app/typed/hazards.h"

#include "app/base/assets.h"
#include "app/base/errors.h"
#include "app/boards/hazards/hazards_picture.h"
#include "app/experiment/devices.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/learn/fixes.h"
#include "app/model/access/hazards.h"
#include "app/model/access/report.h"
#include "app/window/typing.h"
#include "kernels/scenarios/atomic_histogram.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::test::typed_hazards_tests {
namespace {

constexpr int kThreads = 64, kWords = 12;

enum class Does { load, store, add, sync, sync_warp, sync_grid, fence, ticket };

/// A line of a kernel. Those behind a ticket may be of the last block alone.
struct Line {
    Does does = Does::load;
    bool global = false, of_last = false;
    int by_thread = 0, by_block = 0, more = 0;
    int from = 0, to = kThreads, block = -1;  ///< threads; -1 for all blocks

    bool accesses() const { return does <= Does::add; }
    bool executes(int b, int t, bool last) const {
        return t >= from && t < to && (block < 0 || b == block) && (!of_last || last);
    }
    int word(int b, int t) const { return (t * by_thread + b * by_block + more) % kWords; }
    std::string text() const {
        const std::string place = (global ? "g[(" : "s[(") + std::to_string(by_thread) + " * t + " +
                                  std::to_string(by_block) + " * b + " + std::to_string(more) + ") % 12]";
        std::string when = "t >= " + std::to_string(from) + " && t < " + std::to_string(to);
        if (block >= 0) when += " && b == " + std::to_string(block);
        if (of_last) when += " && last";
        switch (does) {
            case Does::load:
                return "if (" + when + ") x += " + place + ";";
            case Does::store:
                return "if (" + when + ") " + place + " = 1;";
            case Does::add:
                return "if (" + when + ") atomicAdd(&" + place + ", 1);";  // no ticket: nobody reads it
            case Does::sync:
                return "__syncthreads();";
            case Does::sync_warp:
                return "__syncwarp();";
            case Does::sync_grid:
                return "cooperative_groups::this_grid().sync();";
            case Does::fence:
                return "if (" + when + ") __threadfence();";
            default:
                return "if (t == 0) last = atomicAdd(&count, 1) == gridDim.x - 1;";
        }
    }
};

std::vector<Line> random_lines(std::mt19937& random, int blocks) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const bool ticket = below(2) == 0;
    std::vector<Line> lines;
    const auto access = [&](bool of_last) {
        Line line{.does = static_cast<Does>(below(3)), .global = below(3) > 0, .of_last = of_last};
        line.by_thread = below(3);
        line.by_block = below(4);
        line.more = below(kWords);
        if (below(2) == 0) {
            line.from = below(kThreads);
            line.to = std::min(kThreads, line.from + 1 + below(below(2) == 0 ? 3 : kThreads));
        }
        if (below(4) == 0) line.block = below(blocks);
        lines.push_back(line);
    };
    const auto barrier = [&] {
        const Does some[] = {Does::sync, Does::sync_warp, ticket ? Does::fence : Does::sync_grid,
                             Does::fence};
        Line line{.does = some[below(4)]};
        if (line.does == Does::fence && below(2) == 0) line.to = 1;
        lines.push_back(line);
    };
    for (int i = 1 + below(3); i > 0; --i) {
        access(false);
        if (below(2) == 0) barrier();
    }
    if (ticket) {
        if (below(3) > 0) lines.push_back({.does = Does::fence, .to = below(2) == 0 ? 1 : kThreads});
        if (below(3) > 0) lines.push_back({.does = Does::sync});
        if (below(3) > 0) lines.push_back({.does = Does::fence, .to = below(2) == 0 ? 1 : kThreads});
        lines.push_back({.does = Does::ticket});
        if (below(4) == 0) access(false);
        lines.push_back({.does = Does::sync});
    }
    for (int i = 1 + below(3); i > 0; --i) {
        if (below(2) == 0) barrier();
        access(ticket && below(3) > 0);
    }
    return lines;
}

constexpr int kFirstLine = 7;

std::string text_of(const std::vector<Line>& lines, int blocks) {
    std::string text = "// launch grid=" + std::to_string(blocks) +
                       " block=64\n__device__ unsigned count;\n"
                       "__global__ void k(int* g, int* h) {  // inout int[12], out int[256]\n"
                       "    __shared__ int s[12];\n    __shared__ bool last;\n"
                       "    int t = threadIdx.x, b = blockIdx.x, x = 0;\n";
    for (const Line& line : lines) text += "    " + line.text() + '\n';
    return text + "    h[b * 64 + t] = x;\n}\n";
}

using Clock = std::vector<int>;

void learn(Clock& clock, const Clock& from) {
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], from[i]);
}

/// What is wrong: unordered pairs of threads and lines that race for a word, and loads of what nobody stored.
struct Wrong {
    std::map<std::pair<int, int>, int> of_lines;  ///< races by two lines, the lesser one first
    std::set<int> words;
    std::set<std::pair<int, int>> threads;
    std::map<int, int> uninitialized;  ///< by line
    friend bool operator==(const Wrong&, const Wrong&) = default;
};

/// Every thread knows of its own accesses, and by barriers of those of others. A fence says which of what it
/// knows others may be told; a ticket tells it to all later tickets.
class Oracle {
public:
    /// @param last_first  blocks draw their tickets from the last one on
    Oracle(const std::vector<Line>& lines, int blocks, bool last_first = false)
        : threads_(blocks * kThreads),
          clocks_(threads_, Clock(threads_)),
          fenced_(threads_, Clock(threads_)),
          told_(threads_) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Line& line = lines[i];
            const int group = line.does == Does::sync_warp ? 32
                              : line.does == Does::sync    ? kThreads
                                                           : static_cast<int>(threads_);
            if (line.does >= Does::sync && line.does <= Does::sync_grid) wait(group);
            for (int drawn = 0; drawn < blocks; ++drawn) {
                const int b = last_first ? blocks - 1 - drawn : drawn;
                for (int t = 0; t < kThreads; ++t) {
                    if (!line.executes(b, t, drawn == blocks - 1)) continue;
                    const auto thread = static_cast<std::size_t>(b * kThreads + t);
                    if (line.does == Does::fence) learn(fenced_[thread], clocks_[thread]);
                    if (line.does == Does::ticket && t == 0) {
                        Clock before = told_;
                        learn(told_, fenced_[thread]);
                        learn(clocks_[thread], before);
                    }
                    if (!line.accesses()) continue;
                    ++clocks_[thread][thread];
                    const int memory = line.global ? -1 : b;
                    seen_.push_back({static_cast<int>(i) + kFirstLine, memory, line.word(b, t), thread,
                                     line.does, clocks_[thread]});
                }
            }
        }
    }

    /// @param memory  -1 global, else shared memory of a block, whose threads are numbered from 0
    Wrong wrong(int memory) const {
        Wrong all;
        std::set<std::tuple<int, int, int>> loads;
        const auto number = [&](std::size_t thread) {
            return static_cast<int>(thread) - std::max(0, memory) * kThreads;
        };
        for (const Seen& a : seen_) {
            if (a.memory != memory) continue;
            bool stored = memory < 0 || a.does == Does::store;
            for (const Seen& b : seen_) {
                if (b.memory != memory || b.word != a.word) continue;
                const bool adds = a.does == Does::add && b.does == Does::add;
                const bool later = b.clock[a.thread] >= a.clock[a.thread];
                stored = stored || (b.does != Does::load && !adds && &b != &a && !later);
                if (&b <= &a || a.thread == b.thread || adds ||
                    (a.does == Does::load && b.does == Does::load) || later ||
                    a.clock[b.thread] >= b.clock[b.thread])
                    continue;
                ++all.of_lines[std::minmax({a.line, b.line})];
                all.words.insert(a.word);
                all.threads.insert(std::minmax({number(a.thread), number(b.thread)}));
            }
            if (!stored) {
                ++all.uninitialized[a.line];
                all.words.insert(a.word);
            }
        }
        return all;
    }

private:
    void wait(int group) {
        for (std::size_t begin = 0; begin < threads_; begin += static_cast<std::size_t>(group)) {
            for (std::vector<Clock>* of : {&clocks_, &fenced_}) {
                Clock all(threads_);
                for (std::size_t t = begin; t < begin + static_cast<std::size_t>(group); ++t)
                    learn(all, (*of)[t]);
                for (std::size_t t = begin; t < begin + static_cast<std::size_t>(group); ++t) (*of)[t] = all;
            }
        }
    }

    struct Seen {
        int line, memory, word;
        std::size_t thread;
        Does does;
        Clock clock;
    };
    std::size_t threads_;
    std::vector<Clock> clocks_, fenced_;
    Clock told_;
    std::vector<Seen> seen_;
};

Wrong told_by(const Scenario& scenario, const HazardReport& report) {
    Wrong all;
    const auto line_of = [&](int line) {
        return scenario.typed->line_of(scenario.info->defaults,
                                       report.order.lines[static_cast<std::size_t>(line)].instruction);
    };
    for (const LinePair& pair : report.pairs) {
        if (pair.kind == HazardKind::uninitialized)
            all.uninitialized[line_of(pair.first_line)] += static_cast<int>(pair.hazards);
        else
            all.of_lines[std::minmax({line_of(pair.first_line), line_of(pair.second_line)})] +=
                static_cast<int>(pair.hazards);
    }
    for (int word = 0; word < int(report.words.size()); ++word)
        if (report.words[word].kinds != 0) all.words.insert(static_cast<int>(word + report.first_word));
    return all;
}

void expect_the_same(const Scenario& scenario, const HazardReport& report, Wrong right) {
    EXPECT_TRUE(report.all_found) << scenario.typed->text();
    EXPECT_EQ(report.thread_pairs, static_cast<std::int64_t>(right.threads.size())) << scenario.typed->text();
    right.threads.clear();
    const Wrong told = told_by(scenario, report);
    EXPECT_EQ(told.of_lines, right.of_lines) << scenario.typed->text();
    EXPECT_EQ(told.words, right.words) << scenario.typed->text();
    EXPECT_EQ(told.uninitialized, right.uninitialized) << scenario.typed->text();
}

}  // namespace

// A sample, and 20,000 kernels with WARPLENS_ALL set.
TEST(TypedHazards, OfRandomKernelsAreThoseOfAnOracle) {
    std::mt19937 random(23);
    std::int64_t races = 0, ordered = 0, uninitialized = 0;
    for (int round = 0; round < (all_cases() ? 20'000 : 250); ++round) {
        const int blocks = 1 + static_cast<int>(random() % 3);
        const std::vector<Line> lines = random_lines(random, blocks);
        const auto trial = try_kernel(text_of(lines, blocks), "random.cu").done();
        const Scenario& scenario = *trial;
        const Oracle oracle(lines, blocks);
        const Params& params = scenario.info->defaults;
        for (int b = 0; b < blocks; ++b) {
            const Wrong right = oracle.wrong(b);
            expect_the_same(scenario, report_hazards(scenario, params, {b, 0}, 0), right);
            uninitialized += static_cast<std::int64_t>(right.uninitialized.size());
        }
        Wrong right = oracle.wrong(-1);
        if (right.of_lines.empty()) right = Oracle(lines, blocks, true).wrong(-1);
        const HazardReport grid = scenario.typed->grid_hazards(params);
        if (!grid.all_found) {  // an access that no block makes in the order of their numbers
            EXPECT_TRUE(
                std::ranges::any_of(lines, [](const Line& line) { return line.of_last && line.block >= 0; }));
            continue;
        }
        if (std::ranges::none_of(lines, [](const Line& line) {
                return line.global && (line.does == Does::store || line.does == Does::add);
            })) {
            EXPECT_EQ(grid.total(), 0);
            continue;
        }
        expect_the_same(scenario, grid, right);
        (right.of_lines.empty() ? ordered : races) += 1;
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(races, 20);
    EXPECT_GT(ordered, 20);
    EXPECT_GT(uninitialized, 20);
}

// Read as text, the kernels of the scenarios neither race nor load what nobody stored.
TEST(TypedHazards, KernelsOfScenariosHaveNone) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    int compared = 0, between_blocks = 0;
    for (const Scenario& listed : all_scenarios()) {
        for (const Preset& preset : listed.info->presets) {
            State state = initial_state(listed, 0);
            state.params = preset_params(listed, preset);
            const Scenario* typed = nullptr;
            try {
                typed = &open_kernel(kernel_to_edit(state), "");
            } catch (const UsageError& error) {
                EXPECT_NE(std::string(listed.info->id), "shared-reduction") << error.what();
                continue;  // not in the subset
            }
            // Any lane that finds the value may say so.
            if (listed.info->id == "register-shuffle") continue;
            const bool loses = listed.info->id == AtomicHistogram::info.id &&
                               AtomicHistogram::updates(state.params, Update::plain);
            EXPECT_EQ(typed->typed->race(typed->info->defaults).empty(), !loses)
                << listed.info->id << ' ' << preset.name << '\n'
                << typed->typed->race(typed->info->defaults);
            ++compared;
            const HazardReport grid = typed->typed->grid_hazards(typed->info->defaults);
            between_blocks += std::ranges::any_of(grid.words.accessed(), &WordState::loaded) ? 1 : 0;
        }
    }
    EXPECT_GT(compared, 60);
    EXPECT_GE(between_blocks, 2) << "the last block, and grid.sync()";
}

TEST(TypedHazards, TheLastBlockNeedsItsFence) {
    const std::string text(asset("assets/typed/last-block.cu"));
    const Scenario& right = open_kernel(text, "last-block.cu");
    const Params without = with_knob(right, right.info->defaults, *find_knob(right, "FENCE"), 0);
    EXPECT_EQ(right.typed->race(right.info->defaults), "");
    EXPECT_EQ(right.typed->grid_hazards(right.info->defaults).total(), 0);
    const HazardReport wrong = right.typed->grid_hazards(without);
    EXPECT_TRUE(wrong.all_found);
    EXPECT_EQ(wrong.total(), 15);
    EXPECT_EQ(wrong.counts[int(HazardKind::read_after_write)], 15) << "its own sum the last block knows";
    EXPECT_EQ(
        right.typed->race(without),
        "A race: thread 0 of block (0, 0) stores to word 0 of 'sums' in line 20, thread 0 of block (15, 0) loads "
        "it in line 26, and nothing makes one block wait for the other.");
    EXPECT_EQ(
        count_grid(right, right.info->defaults, 0, load_devices(asset("assets/gpus.json"))[0]).instructions,
        32);
    EXPECT_THAT(right.typed->warnings(right.info->defaults), testing::SizeIs(1))
        << "blocks count in their order";
}

// Blocks may add to their counter in any order, and only who read the number knows it.
TEST(TypedHazards, ACounterOfWhichNobodyAsksOrdersNoBlocks) {
    using enum HazardReport::Counted;
    const auto grid = [&](const std::string& add, const std::string& rest) {
        const Scenario& scenario = open_kernel(
            "// launch grid=4 block=32\n__device__ unsigned ready;\n"
            "__global__ void k(float* sums, float* total) {  // inout sums float[4], out total float[4]\n"
            "if (threadIdx.x == 0) { sums[blockIdx.x] = 1; __threadfence();\n" +
                add + rest + "}}",
            "counter.cu");
        return scenario.typed->grid_hazards(scenario.info->defaults);
    };
    for (const auto& [add, counted] : {std::pair("if (atomicAdd(&ready, 1) > 9) return;\n", from_the_last),
                                       std::pair("atomicAdd(&ready, 1);\n", not_at_all)}) {
        const HazardReport last =
            grid(add, "if (blockIdx.x == gridDim.x - 1) for (int i = 0; i < 4; i++) total[0] += sums[i];");
        EXPECT_EQ(last.total(), 3);
        EXPECT_EQ(last.counted, counted);
        EXPECT_EQ(grid(add, "for (int i = 0; i < blockIdx.x; i++) total[blockIdx.x] += sums[i];").total(),
                  3 + 2 + 1);
    }
}

// A warp that did more before does not come later for that.
TEST(TypedHazards, KindsAreByTheOrderOfTheText) {
    const Scenario& scenario = open_kernel(
        "// launch grid=1 block=64\n"
        "__global__ void k(const float* in, float* out) {  // in in float[64], out out float[64]\n"
        "__shared__ float s[64]; int t = threadIdx.x; float x = 0;\n"
        "if (t < 32) { x += in[t]; x += in[t + 32]; x += in[63 - t]; }\n"
        "s[t] = x; out[t] = s[63 - t]; }",
        "kinds.cu");
    const HazardReport report = report_hazards(scenario, scenario.info->defaults, {}, 0);
    EXPECT_EQ(report.counts[int(HazardKind::read_after_write)], 64);
    EXPECT_EQ(report.total(), 64);
}

// What may wait for other threads, and stands in no text that is here, may put them in order.
TEST(TypedHazards, NobodyRacesBehindAnUnknownBarrier) {
    const auto race = [](const std::string& statement) {
        const Scenario& kernel = open_kernel(
            "// launch grid=4 block=32\n// out a int[128]\n// out b int[128]\n"
            "__global__ void k(int* a, int* b) {\n"
            "  int i = blockIdx.x * 32 + threadIdx.x;\n  a[i] = i;\n  " +
                statement + "\n  b[i] = a[i ^ 32];\n}",
            "");
        return kernel.typed->race(kernel.info->defaults);
    };
    EXPECT_NE(race("log_it(i);"), "");
    EXPECT_NE(race("count_in_block(i);"), "") << "no lock, though its name ends in those letters";
    EXPECT_EQ(race("cooperative_groups::this_cluster().sync();"), "");
    EXPECT_EQ(race("wait_for_neighbours(i);"), "");
}

// Blocks that do not do what the first one does are looked at as well.
TEST(TypedHazards, TheFirstBlockWithAHazardIsFound) {
    const auto in = [](const std::string& grid, const std::string& store, const std::string& sync) {
        const Scenario& scenario = open_kernel(
            "// launch grid=" + grid + " block=64\n__global__ void k(float* g) {  // out float[" + grid +
                " * 64]\n    __shared__ float s[64];\n    int t = threadIdx.x, b = blockIdx.x;\n    " +
                store + " s[t] = 1.0f;\n    " + sync +
                " __syncthreads();\n    g[b * 64 + t] = s[63 - t];\n}\n",
            "k.cu");
        return std::pair(scenario.typed->first_hazards(scenario.info->defaults, {0, 0}),
                         scenario.typed->race(scenario.info->defaults));
    };
    const auto [unwritten, word] = in("8", "if (b != 5 || t != 40)", "");
    EXPECT_EQ(blocks_text(unwritten), "block (5, 0)");
    EXPECT_EQ(unwritten.total(), 1);
    EXPECT_THAT(word, testing::HasSubstr("hread 23 of block (5, 0) loads word 40 of shared memory"));
    const auto [skipped, race] = in("8", "", "if (b != 3)");
    EXPECT_EQ(blocks_text(skipped), "block (3, 0)");
    EXPECT_EQ(skipped.total(), 64);
    EXPECT_THAT(race, testing::HasSubstr("of block (3, 0) stores to word"));
    EXPECT_TRUE(in("8", "", "").first.every_block);
    EXPECT_TRUE(in("100000", "", "").first.every_block) << "they do the same";
    const HazardReport some = in("5000", "if (t < 64 - b * b % 7 || t >= 0)", "").first;
    EXPECT_EQ(some.total(), 0);
}

// One branch by a value in memory hides neither a race before it nor one behind it; what it does itself is
// not known, nor what comes behind where threads may leave.
TEST(TypedHazards, RacesBesideUnknownBranchesAreFound) {
    const auto race = [](const std::string& statement, const std::string& sync = {}) {
        const Scenario& kernel = open_kernel(
            "// launch grid=2 block=64\n__global__ void k(const float* in, float* out) {\n"
            "  __shared__ float s[64];\n  int t = threadIdx.x;\n  s[t] = t;\n" +
                sync + statement + "\n  out[blockIdx.x * 64 + t] = s[63 - t];\n}",
            "");
        return kernel.typed->race(kernel.info->defaults);
    };
    const auto found =
        testing::HasSubstr("A race: thread 0 (warp 0, lane 0) stores to word 0 of shared memory");
    EXPECT_THAT(race("if (in[t] > 0) out[t] = 3;"), found);
    EXPECT_EQ(race("if (in[t] > 0) out[t] = 3;", "__syncthreads();"), "");
    EXPECT_EQ(race("if (in[t] > 0) s[0] = 3; __syncthreads();", "__syncthreads();"), "")
        << "perhaps one thread does";
    EXPECT_EQ(race("if (in[t] > 0) return;"), "") << "perhaps few go on";
    EXPECT_EQ(race("while (in[t] > 0) out[t] = 3;"), "") << "perhaps they wait for each other";
}

// Before compute capability 7.0 the lanes of a warp are never apart.
TEST(TypedHazards, LanesInLockStepAreInOrder) {
    const auto of = [](const std::string& text, const std::string& name) {
        const Scenario& kernel = open_kernel(text, "");
        for (const DeviceFacts& device : load_devices(asset("assets/gpus.json")))
            if (device.cc.text() == name) return analyze(kernel, kernel.info->defaults, device);
        return Report();
    };
    const auto text = [](int threads) {
        return "// launch grid=1 block=" + std::to_string(threads) +
               "\n__global__ void k(float* out) {\n  __shared__ volatile float s[64];\n  int t = threadIdx.x;\n"
               "  s[t] = t;\n  out[t] = s[" +
               std::to_string(threads - 1) + " - t];\n}";
    };
    EXPECT_EQ(of(text(32), "6.1").fault, Fault::none);
    EXPECT_THAT(of(text(32), "6.1").warnings, testing::Contains(testing::HasSubstr("in lock step here")));
    EXPECT_EQ(of(text(32), "9.0").fault, Fault::race);
    EXPECT_EQ(of(text(64), "6.1").fault, Fault::race) << "there are two warps";
}

// Worse than any layout: it is the verdict, and a fix names it first.
TEST(TypedHazards, WhatIsWrongStandsOnTop) {
    const Scenario& outside = open_kernel(
        "__global__ void k(float* c) { int i = blockIdx.x * blockDim.x + threadIdx.x; c[i] = 1; }\n"
        "int main() { int n = 1000; float* c; cudaMalloc(&c, n * sizeof(float)); k<<<(n + 255) / 256, 256>>>(c); }\n",
        "");
    EXPECT_THAT(outside.typed->out_of_bounds(outside.info->defaults),
                testing::AllOf(testing::HasSubstr("out of bounds: lane 8 of warp 7 in block (3, 0)"),
                               testing::HasSubstr("accesses byte 4000 of 'c', which has 4000 bytes")));
    const Scenario& racing = open_kernel(
        "// launch grid=1 block=64\n__global__ void k(float* d) {  // out float[64]\n  __shared__ float s[64];\n"
        "  s[threadIdx.x] = 1;\n  d[threadIdx.x] = s[63 - threadIdx.x];\n}",
        "");
    const Fixes fixes = find_fixes({.scenario = &racing, .params = racing.info->defaults},
                                   load_devices(asset("assets/gpus.json")), {})
                            .done();
    EXPECT_THAT(fixes.words.verdict, testing::StartsWith("A race: thread 0"));
    EXPECT_FALSE(fixes.words.good);
}

// Its kind was that of block (1, 1), which has others, or does not exist.
TEST(TypedHazards, TheFaultIsThatOfTheFirstBlock) {
    const Scenario& scenario = open_kernel(
        "// launch grid=(2, 2) block=64\n__global__ void k(float* g) {  // out float[64]\n"
        "    __shared__ float s[64];\n    int t = threadIdx.x;\n"
        "    if (blockIdx.x * blockIdx.y == 1) s[0] = t;\n    else g[t] = s[t];\n}\n",
        "k.cu");
    const Report report = analyze(scenario, scenario.info->defaults, device_table().front());
    EXPECT_EQ(report.fault, Fault::never_stored) << report.fault_words;
}

// What a thread draws from a counter moves from block to block, which is nothing where there is one.
TEST(TypedHazards, OneBlockDrawsFromItsCounterToo) {
    const Scenario& scenario = open_kernel(
        "// launch grid=1 block=64\n__global__ void k(int* g) {  // out int[64]\n"
        "    int t = threadIdx.x, old = 0;\n    if (t == 3) old = atomicAdd(&g[0], 1);\n    g[t] = old;\n}\n",
        "k.cu");
    const Report report = analyze(scenario, scenario.info->defaults, device_table().front());
    EXPECT_EQ(report.fault, Fault::race) << report.fault_words;
}

// A large grid is compared in part: what is found is so, and that there may be more is said.
TEST(TypedHazards, OfALargeGridSomeBlocksAreCompared) {
    const Scenario& scenario = open_kernel(
        "// launch grid=4096 block=256\n__global__ void k(float* a) {  // inout float[1048577]\n"
        "    int i = blockIdx.x * 256 + threadIdx.x;\n    a[i] += a[i + 1]; }",
        "large.cu");
    const HazardReport report = scenario.typed->grid_hazards(scenario.info->defaults);
    EXPECT_FALSE(report.all_found);
    EXPECT_EQ(report.blocks.size(), 32u);
    EXPECT_EQ(report.total(), 31 * 256 - 1 + 255) << "the first 31 in a row, and the last one alone";
    EXPECT_EQ(report.at_least(), "at least ");
}

}  // namespace warplens::test::typed_hazards_tests
