// The interpreter against formulas that are written here a second time, against the scenarios' own formulas,
// and grids in ranges against the same grids block by block.
#include "app/base/assets.h"
#include "app/model/catalogue.h"
#include "app/typed/counts.h"
#include "tests/app/typed/typed_examples.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace warplens::test::typed_interpreter_tests {
namespace {

using typed::BlockTrace;
using typed::Request;
using typed::TypedLaunch;
using typed::TypedProgram;

std::vector<std::int64_t> random_values(const TypedProgram& program, std::mt19937& random) {
    std::vector<std::int64_t> values;
    for (const typed::TypedKnob& knob : program.knobs()) {
        std::int64_t value = knob.least + static_cast<std::int64_t>(random()) % (knob.most - knob.least + 1);
        while (knob.power && (value & (value - 1)) != 0) value &= value - 1;
        values.push_back(std::max(value, knob.least));
    }
    return values;
}

// Law: executing ranges of blocks at once counts what executing every block counts.
TEST(TypedInterpreter, RangesOfBlocksCountWhatTheBlocksCount) {
    std::mt19937 random(19);
    for (const TypedExample& example : typed_examples()) {
        const TypedProgram program(example.text, example.name);
        for (int i = 0; i < 6; ++i) {
            const std::vector<std::int64_t> values = random_values(program, random);
            const auto launch = program.launch(values);
            const typed::TypedCounts counts = count_launch(launch, h200()).done();
            ASSERT_EQ(counts.kind, Provenance::exact) << example.name;
            std::vector<Totals> forced(launch->accesses().size());
            for (int y = 0; y < launch->launch().grid_y; ++y) {
                for (int x = 0; x < launch->launch().grid_x; ++x) {
                    const auto block = launch->block(x, y);
                    for (const auto& warp : block->warps)
                        for (const Request& request : warp)
                            forced.at(static_cast<std::size_t>(launch->access_of(request))) +=
                                count_access(warp_access(*launch, request), h200());
                }
            }
            EXPECT_EQ(counts.grid, forced) << example.name << ", " << testing::PrintToString(values);
        }
    }
}

/// Addresses of an access, as the text of an example means them, from 0 on in its array. Below 0: not active.
using Formula = std::function<std::int64_t(int block_x, int block_y, int x, int y, int step)>;

void expect_addresses(const TypedLaunch& launch, std::size_t access, int bx, int by, const Formula& formula) {
    const auto block = launch.block(bx, by);
    for (std::size_t warp = 0; warp < block->warps.size(); ++warp) {
        int step = 0;
        for (const Request& request : block->warps[warp]) {
            if (launch.access_of(request) != static_cast<int>(access)) continue;
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const int thread = static_cast<int>(warp) * kWarpLanes + lane;
                const int x = thread % launch.launch().block_x, y = thread / launch.launch().block_x;
                const std::int64_t wanted = formula(bx, by, x, y, step);
                const bool active = (request.active >> lane & 1u) != 0;
                ASSERT_EQ(active, wanted >= 0) << "thread " << thread << ", step " << step;
                if (active) {
                    ASSERT_EQ(request.address(static_cast<std::size_t>(lane)), wanted) << "thread " << thread;
                }
            }
            ++step;
        }
    }
}

TEST(TypedInterpreter, StridedAddressesAreThoseOfTheFormula) {
    const TypedProgram program(typed_example("stride").text, "stride.cu");
    const auto launch = program.launch({4099, 7});
    ASSERT_EQ(launch->accesses().size(), 2u);
    EXPECT_EQ(launch->accesses()[0].label, "load in");
    EXPECT_EQ(launch->launch().grid_x, 17);
    for (const int bx : {0, 3, 16}) {
        const auto element = [](int block, int x) -> std::int64_t {
            const std::int64_t i = block * 256 + x;
            return i < 4099 ? i : -1;
        };
        expect_addresses(*launch, 0, bx, 0, [&](int block, int, int x, int, int) {
            return element(block, x) < 0 ? -1 : element(block, x) * 7 * 4;
        });
        expect_addresses(*launch, 1, bx, 0, [&](int block, int, int x, int, int) {
            return element(block, x) < 0 ? -1 : element(block, x) * 4;
        });
    }
}

// The text of the example says what the scenario's header says, so every warp access is the same.
// What nvcc makes of `in[i].y`: one load of a component, not of the vector.
TEST(TypedInterpreter, AComponentIsLoadedAloneAndAWholeVectorWhole) {
    const TypedProgram program(
        "// launch grid=2 block=32\n"
        "// in float4[64]\n"
        "// out float2[64]\n"
        "__global__ void parts(const float4* in, float2* out) {\n"
        "    __shared__ int2 pair[32];\n"
        "    int i = blockIdx.x * 32 + threadIdx.x;\n"
        "    float4 whole = in[i];\n"
        "    pair[threadIdx.x].y = i;\n"
        "    int2 own[2];\n"
        "    own[0].x = 3; own[1].y = i;\n"
        "    out[own[1].y].y += in[i + own[0].x - 3].z + whole.x;\n"
        "}\n",
        "parts.cu");
    const auto launch = program.launch({});
    struct Wanted {
        int bytes, step, at, per_block;
        bool store;
    };
    const auto block = launch->block(1, 0);
    ASSERT_EQ(block->warps.size(), 1u);
    const std::vector<Wanted> wanted{{16, 16, 0, 512, false},
                                     {4, 8, 4, 0, true},
                                     {4, 16, 8, 512, false},
                                     {4, 8, 4, 256, false},
                                     {4, 8, 4, 256, true}};
    ASSERT_EQ(block->warps[0].size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const Request& request = block->warps[0][k];
        EXPECT_EQ(request.bytes, wanted[k].bytes) << k;
        EXPECT_EQ(request.store, wanted[k].store) << k;
        for (int lane = 0; lane < kWarpLanes; ++lane)
            ASSERT_EQ(request.address(static_cast<std::size_t>(lane)),
                      wanted[k].at + lane * wanted[k].step + wanted[k].per_block)
                << k;
    }
}

TEST(TypedInterpreter, ATransposeAccessesWhatTheScenarioAccesses) {
    const Scenario& scenario = *find_scenario("transpose");
    const TypedProgram program(typed_example("transpose").text, "transpose.cu");
    for (const int padding : {0, 1, 3}) {
        Params params = scenario.info->defaults;
        params.matrix = 256;
        params.variant = static_cast<int>(padding > 0 ? Variant::padded : Variant::tile);
        params.padding = padding;
        const auto launch = program.launch({256, padding});
        const LaunchShape shape = scenario.launch(params);
        ASSERT_EQ(launch->launch().grid_x, shape.grid.x);
        ASSERT_EQ(launch->launch().block_y, shape.block.y);
        ASSERT_EQ(launch->shared_bytes(), shape.shared_bytes);
        ASSERT_EQ(static_cast<int>(launch->accesses().size()), scenario.instruction_count(params));
        for (const Extent at : {Extent{0, 0}, Extent{5, 2}}) {
            const auto block = launch->block(at.x, at.y);
            for (std::size_t warp = 0; warp < block->warps.size(); ++warp) {
                std::vector<int> step(launch->accesses().size());
                for (const Request& request : block->warps[warp]) {
                    const int access = launch->access_of(request);
                    const WarpAccess wanted = scenario.warp(params, access, at, static_cast<int>(warp),
                                                            step[static_cast<std::size_t>(access)]++);
                    const WarpAccess made = warp_access(*launch, request);
                    const auto begin = static_cast<std::uint64_t>(
                        launch->memories()[static_cast<std::size_t>(request.memory)].begin);
                    ASSERT_EQ(made.active, wanted.active);
                    ASSERT_EQ(made.space, wanted.space);
                    ASSERT_EQ(made.op, wanted.op);
                    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
                        ASSERT_EQ(made.byte_address[lane] - begin, wanted.byte_address[lane])
                            << launch->accesses()[static_cast<std::size_t>(access)].label << ", lane "
                            << lane;
                }
            }
        }
    }
}

TEST(TypedInterpreter, BankConflictsOfATransposeAreCounted) {
    const TypedProgram program(typed_example("transpose").text, "transpose.cu");
    const auto wavefronts = [&](int padding) {
        const auto launch = program.launch({1024, padding});
        const typed::TypedCounts counts = count_launch(launch, h200()).done();
        std::int64_t sum = 0;
        for (const Totals& total : counts.grid) sum += total.wavefronts;
        return sum;
    };
    const std::int64_t stores = 1024 * 1024 / 32;
    EXPECT_EQ(wavefronts(0), stores + 32 * stores);
    EXPECT_EQ(wavefronts(1), 2 * stores);
}

// C++ says what comes out: wrap-around, signs, shifts, conversions.
TEST(TypedInterpreter, IntegersAreThoseOfC) {
    const std::pair<const char*, std::int64_t> kValues[] = {
        {"7 / 2 * 2 + 7 % 2", 7},
        {"(-7) / 2 + 100", 97},
        {"(-7) % 3 + 100", 99},
        {"(unsigned)-1 >> 28", 15},
        {"(-16 >> 2) + 100", 96},
        {"(int)(2147483647 + (n - 1023)) + 2147483647 + 2", 1},
        {"(unsigned char)300", 44},
        {"(signed char)200 + 100", 44},
        {"(n == 1024 ? 3 : 4) + !n + ~n + 1025 + 1", 4},
        {"(1 << 5 | 1) ^ 3 & 2", 35},
        {"0x1F + 010 + 0b11", 42},
        {"min(3, 5) * max(2, 7) + abs(-4)", 25},
        {"(n > 3 && n < 2000) + (n < 3 || n > 5)", 2},
        {"(3u - 4u > 10u) + (-1 < 1u ? 10 : 20)", 21},
        {"__popc(255) + __clz(1) + __ffs(8)", 43},
    };
    for (const auto& [text, value] : kValues) {
        const TypedProgram program(
            std::string("// launch grid=1 block=32\n__global__ void k(char* a, int n) { a[") + text +
                "] = 0; }",
            "my.cu");
        const auto block = program.launch({})->block(0, 0);
        EXPECT_EQ(block->warps.at(0)[0].address(0), value) << text;
    }
}

TEST(TypedInterpreter, LanesDivergeAndMeetAgain) {
    const TypedProgram program(
        "// launch grid=1 block=40\n__global__ void k(char* a) {\n int i = threadIdx.x, sum = 0;\n"
        " if (i % 2 == 0) { a[i] = 0; sum = 10; } else { a[100 + i] = 0; sum = 20; }\n"
        " for (int r = 0; r < i % 4; ++r) sum += 1;\n a[200 + sum] = 0;\n}",
        "my.cu");
    const auto launch = program.launch({});
    const auto block = launch->block(0, 0);
    ASSERT_EQ(block->warps.size(), 2u);
    const auto& first = block->warps[0];
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[0].active, 0x5555'5555u);
    EXPECT_EQ(first[1].active, 0xaaaa'aaaau);
    EXPECT_EQ(first[2].active, kAllLanes);
    for (int lane = 0; lane < kWarpLanes; ++lane)
        EXPECT_EQ(first[2].address(static_cast<std::size_t>(lane)),
                  200 + (lane % 2 == 0 ? 10 : 20) + lane % 4);
    EXPECT_EQ(block->warps[1][2].active, 0xffu) << "the last warp has 8 threads";
}

TEST(TypedInterpreter, OutOfBoundsNamesTheThread) {
    const TypedProgram program(
        "// knob n = 1024 in 1..4096\n// launch grid=(n+255)/256 block=256\n"
        "__global__ void k(float* a, // out float[n]\n int n) { a[blockIdx.x * 256 + threadIdx.x] = 0; }",
        "my.cu");
    EXPECT_EQ(count_launch(program.launch({2048}), h200()).done().grid[0].requests, 64);
    try {
        count_launch(program.launch({1000}), h200()).done();
        ADD_FAILURE() << "1024 threads in 1000 elements";
    } catch (const typed::SourceError& error) {
        EXPECT_STREQ(
            error.what(),
            "line 4, column 12: out of bounds: lane 8 of warp 7 in block (3, 0) accesses byte 4000 of 'a', which "
            "has 4000 bytes");
    }
}

TEST(TypedInterpreter, IndicesReadFromMemoryAreThoseThatWereDeclared) {
    for (const char* content : {"sequential", "reversed", "permuted", "random"}) {
        const TypedProgram program(
            std::string(
                "// launch grid=8 block=128\n__global__ void k(const int* index, // index int[1024] ") +
                content +
                "\n float* a) { // out float[1024]\n a[index[blockIdx.x * 128 + threadIdx.x]] = 0; }",
            "my.cu");
        const auto launch = program.launch({});
        std::vector<int> touched(1024);
        for (int x = 0; x < 8; ++x) {
            const auto block = launch->block(x, 0);
            for (const auto& warp : block->warps)
                for (const Request& request : warp)
                    if (request.store)
                        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
                            ++touched.at(static_cast<std::size_t>(request.address(lane) / 4));
        }
        const std::string_view word = content;
        EXPECT_TRUE(word == "random" || touched == std::vector<int>(1024, 1)) << content;
        const typed::TypedCounts counts = count_launch(launch, h200()).done();
        EXPECT_EQ(counts.kind, Provenance::exact);
        const std::int64_t sectors = counts.grid.at(1).sectors;
        EXPECT_TRUE(word != "sequential" || sectors == 1024 / 8) << sectors;
        EXPECT_TRUE(word != "permuted" || sectors > 3 * 1024 / 8) << sectors;
    }
}

// A grid of 2^22 threads whose addresses move evenly is one range, cut once where it ends in the middle of a
// block.
TEST(TypedInterpreter, EvenGridsAreFewRanges) {
    const TypedProgram program(typed_example("stride").text, "stride.cu");
    const auto ranges = [&](std::int64_t n) {
        int count = 0;
        program.launch({n, 3})->visit_ranges({}, [&](const auto&) { return ++count > 0; }).done();
        return count;
    };
    EXPECT_EQ(ranges(1 << 22), 1);
    EXPECT_EQ(ranges((1 << 22) - 100), 2);
}

}  // namespace
}  // namespace warplens::test::typed_interpreter_tests
