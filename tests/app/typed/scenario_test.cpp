// A typed kernel as a scenario: everything that works for the listed ones works for it.
#include "app/typed/scenario.h"

#include "app/base/assets.h"
#include "app/base/errors.h"
#include "app/code/code_page.h"
#include "app/experiment/evidence.h"
#include "app/experiment/link.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/access/hazards.h"
#include "app/model/fix/find_fixes.h"
#include "app/model/time/prediction.h"
#include "app/typed/counts.h"
#include "app/typed/parse/source.h"
#include "app/window/typing.h"
#include "tests/app/typed/typed_examples.h"
#include "tests/bytes_held.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace warplens::test::typed_scenario_tests {
namespace {

using testing::HasSubstr;

std::size_t h200_index() { return find_device(device_table(), "H200").value(); }

const Scenario& example(const std::string& name) {
    return open_kernel(std::string(asset("assets/typed/" + name + ".cu")), name + ".cu");
}

TEST(TypedScenario, TheSameTextIsTheSameScenario) {
    EXPECT_EQ(&example("own-stride"), &example("own-stride"));
    EXPECT_NE(&example("own-stride"), &example("ragged-copy"));
}

// The launch says how many blocks wait for each other, and how many lie in z.
TEST(TypedScenario, WhatALaunchNeedsIsRefusedWhereItIsNot) {
    const auto refused = [](const char* launch, const char* statement, std::string_view device) {
        const Scenario& scenario = open_kernel(
            std::string("// launch ") + launch +
                "\n__global__ void k(float* out) {\n"
                "  const int i = (blockIdx.z * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;\n  " +
                statement + "\n  out[i] = 1; }",
            "needs.cu");
        return does_not_fit(scenario, scenario.info->defaults,
                            device_table().at(find_device(device_table(), device).value()));
    };
    constexpr const char* kSync = "cooperative_groups::this_grid().sync();";
    EXPECT_EQ(refused("grid=1056 block=256", kSync, "H200"), "") << "8 blocks of 256 for each of 132 SMs";
    EXPECT_THAT(refused("grid=1057 block=256", kSync, "H200"), HasSubstr("room for 1056"));
    EXPECT_EQ(refused("grid=1057 block=256", "", "H200"), "");
    EXPECT_EQ(refused("grid=(4,1,2) block=64", "", "GTX 480"), "");
    EXPECT_THAT(refused("grid=(4,1,2) block=64", "", "GTX 280"), HasSubstr("2 blocks in z"));
}

// 9.0 has clusters: of 8 blocks at most, that divide the grid in each axis (CUDA C++ Programming Guide).
TEST(TypedScenario, AClusterIsOneThatCanBeLaunched) {
    const auto refused = [](const char* cluster, const char* grid, const std::string& host,
                            const char* gpu) -> std::string {
        try {
            const Scenario& scenario =
                open_kernel(std::string("__global__ void __cluster_dims__(") + cluster +
                                ") k(float* out) { out[blockIdx.x] = 1; }\n" + "int main() { " + host +
                                "dim3 g(" + grid + "); k<<<g, 32>>>(out); }",
                            "cluster.cu");
            return does_not_fit(scenario, scenario.info->defaults,
                                device_table().at(find_device(device_table(), gpu).value()));
        } catch (const UsageError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refused("8, 1, 1", "1024", "", "H200"), "");
    EXPECT_EQ(refused("2, 2, 2", "4, 4, 4", "", "H200"), "");
    EXPECT_THAT(refused("8, 1, 1", "1024", "", "8800 GTX"),
                HasSubstr("'__cluster_dims__' needs compute capability 9.0"));
    EXPECT_THAT(refused("2", "1024", "", "RTX 3090"),
                HasSubstr("'__cluster_dims__' needs compute capability 9.0"));
    EXPECT_THAT(refused("32, 1, 1", "1024", "", "H200"),
                HasSubstr("a cluster of (32, 1, 1) blocks cannot be launched"));
    EXPECT_THAT(refused("4, 4", "1024, 4", "", "H200"),
                HasSubstr("a cluster of (4, 4, 1) blocks cannot be launched"));
    EXPECT_EQ(refused("4, 4", "1024, 4",
                      "cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1); ", "H200"),
              "");
    EXPECT_THAT(refused("8, 1, 1", "1023", "", "H200"),
                HasSubstr("does not divide the grid of (1023, 1, 1)"));
    EXPECT_THAT(refused("1, 2, 1", "8, 3", "", "H200"), HasSubstr("does not divide the grid of (8, 3, 1)"));
    const Scenario& assumed = open_kernel(
        "__global__ void __cluster_dims__(3, 1, 1) k(float* out, int n) { "
        "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 1; }",
        "cluster.cu");
    EXPECT_EQ(assumed.launch(assumed.info->defaults).grid.x % 3, 0) << "what nobody says is a multiple";
}

// A block of it makes 32,000 requests, which take 10 MB: two settings may stand side by side.
TEST(TypedScenario, ManySettingsOfALargeKernelHoldLittle) {
    const Scenario& scenario = open_kernel(
        "// knob first = 0 in 0..63\n// launch grid=4 block=1024\n"
        "__global__ void k(const float* a, float* b) {  // in float[4096], out float[4096]\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < 1000; ++i) sum += a[threadIdx.x + first + i % 7];\n"
        "    b[threadIdx.x + 1024 * blockIdx.x] = sum; }",
        "large.cu");
    constexpr std::size_t kMostHeld = 40u << 20;
    const std::size_t before = bytes_held();
    for (int first = 0; first < 6; ++first) {
        const Params params =
            with_knob(scenario, scenario.info->defaults, *find_knob(scenario, "first"), first);
        ASSERT_EQ(scenario.instruction_count(params), 2);
        EXPECT_EQ(count_grid(scenario, params, 0, h200()).instructions, 4 * 32 * 1000);
        EXPECT_EQ(analyze(scenario, params, h200()).instructions.size(), 2u) << "what pictures show";
        EXPECT_LT(bytes_held(), before + kMostHeld) << "after " << first + 1 << " settings";
    }
}

// A thread races with each of 1,023 others, in each of 64 rounds: told once for two threads and lines, and
// held nowhere.
TEST(TypedScenario, ARaceOfAllThreadsIsCounted) {
    const Scenario& scenario = open_kernel(
        "// launch grid=4 block=1024\n"
        "__global__ void k(float* out) {  // out float[1024]\n"
        "    __shared__ float s[2];\n"
        "    for (int i = 0; i < 64; ++i) s[i % 2] += 1;\n"
        "    out[threadIdx.x] = s[0]; }",
        "race.cu");
    const HazardReport report = report_hazards(scenario, scenario.info->defaults, {}, 0);
    EXPECT_TRUE(report.all_found);
    EXPECT_EQ(report.words_affected(), 2);
    EXPECT_EQ(report.thread_pairs, 1024 * 1023 / 2);
}

// Blocks that are executed one by one, the plain way, give what ranges of blocks give.
TEST(TypedScenario, GridsAreWhatAllBlocksGiveOneByOne) {
    for (const char* name : {"own-stride", "padded-transpose", "ragged-copy", "structures-update"}) {
        const Scenario& scenario = example(name);
        Params params = scenario.info->defaults;
        params.*scenario.info->knobs[0].field = 1000;
        clamp_knobs(scenario, params);
        for (int k = 0; k < scenario.instruction_count(params); ++k)
            EXPECT_EQ(count_grid(scenario, params, k, h200()),
                      count_grid_by_force(scenario, params, k, h200()))
                << name << ' ' << k;
    }
}

TEST(TypedScenario, KnobsLimitTheLaunchAndTheLaunchLimitsWarpAndStep) {
    const Scenario& scenario = example("padded-transpose");
    Params params = with_knob(scenario, scenario.info->defaults, *find_knob(scenario, "n"), 64);
    EXPECT_EQ(params.launched_warps, 2 * 2 * 8);
    EXPECT_EQ(params.launched_steps, 4);
    params = with_knob(scenario, params, *find_knob(scenario, "warp"), 1000);
    EXPECT_EQ(params.warp, 31);
    EXPECT_EQ(with_knob(scenario, params, *find_knob(scenario, "n"), 32).warp, 7);
    EXPECT_EQ(find_knob(scenario, "pad"), find_knob(scenario, "PAD"));
}

TEST(TypedScenario, WhatAKnobBreaksIsSaidAndNothingIsCounted) {
    const Scenario& scenario = open_kernel(
        "// knob far = 0 in 0..64\n// launch grid=4 block=32\n__global__ void k(float* a, int far) { // out float[128]\n"
        "a[blockIdx.x * 32 + threadIdx.x + far] = 1; }",
        "far.cu");
    Setting setting = initial_state(scenario, h200_index());
    EXPECT_EQ(analyze(scenario, setting.params, h200()).does_not_fit, "");
    setting.params.own0 = 1;
    const Evidence evidence = gather_evidence(setting, device_table());
    EXPECT_THAT(evidence.report.does_not_fit, HasSubstr("Line 4, column 2: out of bounds"));
    EXPECT_EQ(evidence.report.instructions.at(0).grid.instructions, 0);
}

TEST(TypedScenario, TheSmallestRemedyIsFound) {
    const Scenario& scenario = example("padded-transpose");
    FixQuestion question{
        .scenario = &scenario,
        .params = with_knob(scenario, scenario.info->defaults, *find_knob(scenario, "PAD"), 0),
        .knobs = knobs_of(scenario, KnobRole::remedy)};
    const FixSearch found = find_fixes(question, h200()).done();
    ASSERT_EQ(found.fixes.size(), 1u);
    EXPECT_EQ(found.fixes[0].params.*find_knob(scenario, "PAD")->field, 1);
}

Prediction predicted(const std::string& text) {
    const Scenario& scenario = open_kernel(text, "");
    return predict(scenario, scenario.info->defaults, h200());
}

// The first thread of block (0, 0) does nothing here, and neither does that of the next block.
TEST(TypedScenario, AnIdleEdgeDoesNotMakeAnAccessStandStill) {
    const Prediction inner = predicted(R"(
__global__ void k(const float* in, float* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < 1) return;
    out[y * n + x] = in[y * n + x];
}
int main() {
    const int n = 8192; float *a, *b;
    cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4);
    k<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
})");
    EXPECT_NEAR(inner.dram_bytes, 2.0 * 8192 * 8192 * 4, 0.05 * 2 * 8192 * 8192 * 4);
}

TEST(TypedScenario, WhatOneLoadBroughtAnotherFindsInTheCache) {
    const auto of = [](const std::string& value) {
        return predicted(
            "struct P { float x, y, z, w; };\n__global__ void k(const P* p, float* out) {\n"
            "int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = " +
            value +
            "; }\n"
            "int main() { const int n = 1 << 24; P* p; float* o; cudaMalloc(&p, n * 16); "
            "cudaMalloc(&o, n * 4); k<<<n / 256, 256>>>(p, o); }");
    };
    const Prediction one = of("p[i].x"), two = of("p[i].x + p[i].w");
    EXPECT_GT(one.dram_bytes, 0);
    EXPECT_EQ(two.dram_bytes, one.dram_bytes);
}

// Which bins are hit decides how long they take, by a factor of hundreds.
TEST(TypedScenario, AtomicsAtPlacesThatFollowFromDataAreNotPredicted) {
    const auto of = [](const std::string& bin) {
        return predicted(
            "__global__ void k(const int* in, int* bins) {\n"
            "int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&bins[" +
            bin +
            "], in[i]); }\n"
            "int main() { int *a, *b; cudaMalloc(&a, 1 << 22); cudaMalloc(&b, 1024); "
            "k<<<4096, 256>>>(a, b); }");
    };
    EXPECT_TRUE(of("in[i]").follows_from_data);
    EXPECT_EQ(of("in[i]").value, 0);
    EXPECT_FALSE(of("i % 256").follows_from_data);
    EXPECT_GT(of("i % 256").value, 0);
}

TEST(TypedScenario, ALinkContainsTheText) {
    for (const TypedExample& one : typed_examples()) {
        const Scenario& scenario = open_kernel(one.text, std::string(one.name) + ".cu");
        State state = initial_state(scenario, h200_index());
        if (scenario.info->knobs.size() > 2) state.params.own0 = scenario.info->knobs[0].max;
        clamp_knobs(scenario, state.params);
        const std::string link = link_to(state, device_table());
        const State other = initial_state(all_scenarios().front(), 0);
        EXPECT_EQ(follow_link(link, other, device_table()).state, state) << link;
    }
}

TEST(TypedScenario, DamagedLinksAreOneSentence) {
    const Scenario& mine = open_kernel(std::string(example("own-stride").typed->text()), "mine.cu");
    const std::string link = link_to(initial_state(mine, h200_index()), device_table());
    const State now = initial_state(all_scenarios().front(), 0);
    const auto problem = [&](const std::string& text) -> std::string {
        try {
            follow_link(text, now, device_table());
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(problem(link), "");
    EXPECT_THAT(problem("kernel"), HasSubstr("has to contain its text"));
    EXPECT_THAT(problem("kernel?text=AAAA"), HasSubstr("the kernel in this link is damaged"));
    EXPECT_THAT(problem("kernel?text=%00%ff"), HasSubstr("the kernel in this link is damaged"));
    for (std::size_t cut = 13; cut < 60; cut += 5)
        EXPECT_THAT(problem(link.substr(0, cut)), HasSubstr("the kernel in this link")) << cut;
    EXPECT_EQ(problem("kernel?example=own-stride&stride=3"), "");
    EXPECT_THAT(problem("kernel?example=../own-stride"), HasSubstr("there is no example '../own-stride'"));
    EXPECT_THAT(link_to(initial_state(example("own-stride"), h200_index()), device_table()),
                testing::StartsWith("kernel?example=own-stride"));
    const Scenario& wrong = open_kernel("__global__ void k(float* a) { a[0] = 1; }", "");
    const std::string items = kernel_items(wrong).at(0).value;
    EXPECT_EQ(problem("kernel?text=" + items), "");
    EXPECT_THAT(problem("kernel?text=" + items + "&strid=1"), HasSubstr("strid"));
}

TEST(TypedScenario, HazardsNameTheTwoLines) {
    const Scenario& scenario = example("find-the-race");
    const HazardReport report = report_hazards(scenario, scenario.info->defaults, {0, 0}, 0);
    EXPECT_EQ(report.order.count, 2);
    ASSERT_EQ(report.pairs.size(), 1u);
    EXPECT_EQ(report.pairs[0].hazards, 256);
    EXPECT_EQ(report.pairs[0].kind, HazardKind::read_after_write);
    const Scenario& right = example("padded-transpose");
    EXPECT_EQ(report_hazards(right, right.info->defaults, {0, 0}, 0).total(), 0);
    EXPECT_EQ(count_barriers(right.kernel->order(right.info->defaults)), 1);
}

// A halo that nobody fills. Atomic operations load what they add to; where not all stores are known, nothing
// is said.
TEST(TypedScenario, LoadsOfSharedMemoryThatNobodyStoredAreFound) {
    const auto kernel = [](std::string_view store, std::string_view load) -> const Scenario& {
        return open_kernel(
            "// launch grid=4 block=64\n"
            "__global__ void k(const int* in, float* out) {  // in int[256], out float[256]\n"
            "    __shared__ float tile[66];\n    " +
                std::string(store) + "\n    __syncthreads();\n    " + std::string(load) + " }",
            "halo.cu");
    };
    const auto count = [](const Scenario& scenario) {
        return report_hazards(scenario, scenario.info->defaults, {1, 0}, 0)
            .counts[int(HazardKind::uninitialized)];
    };
    const std::string all = "out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];";
    const Scenario& halo = kernel("tile[threadIdx.x + 1] = 1;", all);
    EXPECT_EQ(count(halo), 2);
    EXPECT_EQ(
        halo.typed->race(halo.info->defaults),
        "Thread 0 (warp 0, lane 0) loads word 0 of shared memory in line 6, and no thread has stored it "
        "before.");
    EXPECT_EQ(count(kernel("for (int i = threadIdx.x; i < 66; i += 64) tile[i] = 1;", all)), 0);
    EXPECT_EQ(count(kernel("", "atomicAdd(&tile[threadIdx.x % 2], 1.0f);")), 64);
    EXPECT_EQ(count(kernel("if (threadIdx.x < 2) tile[threadIdx.x] = 0;",
                           "atomicAdd(&tile[threadIdx.x % 2], 1.0f);")),
              0);
    EXPECT_EQ(count(kernel("if (in[threadIdx.x] > 0) tile[threadIdx.x] = 0;", all)), 0);
}

/// The active lanes' addresses of some executions, without their order.
using Lanes = std::multiset<std::vector<std::int64_t>>;

void add_lanes(Lanes& all, const WarpAccess& access) {
    if (access.active == 0) return;
    std::vector<std::int64_t> lanes;
    constexpr std::uint64_t kArray = std::uint64_t{1}
                                     << 40;  // arrays whose size the text does not say begin there
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        lanes.push_back((access.active >> lane & 1u) != 0
                            ? static_cast<std::int64_t>(access.byte_address[lane] % kArray)
                            : -1);
    all.insert(std::move(lanes));
}

// The counts of atomic-histogram. What nvcc may do in another way is no exact number.
// As a kernel of its own, "one place" and "a loop of compare and swap" would be off on hardware.
TEST(TypedScenario, OfAtomicsThatMayBeOthersNoCounterIsExpected) {
    const auto expected = [](std::string_view line) {
        const Scenario& scenario = open_kernel(
            fmt::format("// launch grid=4 block=64\n__global__ void k(int* g, double* d) {{\n"
                        "  __shared__ int s[64]; __shared__ double r[64];\n  int t = threadIdx.x;\n"
                        "  s[t] = t; r[t] = t;\n  __syncthreads();\n  {}\n  g[t] = s[t];\n}}",
                        line),
            "k.cu");
        std::map<std::string_view, int> groups;
        const ExpectedLaunch launch =
            expect_counters(scenario, scenario.info->defaults, device_table().front());
        for (const ExpectedCounter& one : launch.counters) ++groups[one.words->group];
        for (const ExpectedCounter& one :
             expect_address_counters(scenario, scenario.info->defaults, device_table().front()))
            ++groups[one.words->group];
        return groups;
    };
    const auto certain = expected("atomicAdd(&s[t % 8], t); atomicAdd(&g[t % 8], t);");
    EXPECT_GT(certain.size(), 4u);
    const auto loops = expected("atomicAdd(&r[t % 8], 1.0); atomicAdd(&g[t % 8], t);");
    for (const auto& [group, count] : loops) EXPECT_FALSE(group.starts_with("shared")) << group;
    EXPECT_TRUE(std::ranges::any_of(loops, [](const auto& one) { return one.first.starts_with("global"); }));
}

TEST(TypedScenario, AtomicOperationsAreCountedByTheirOwnRules) {
    const auto counts = [](const std::string& statement, Op op) {
        const Scenario& scenario = open_kernel(
            "// launch grid=1 block=32\n__global__ void k(int* g) {  // inout g int[64]\n"
            "__shared__ int s[64]; __shared__ float f[64]; int t = threadIdx.x, old = 0;\n" +
                statement + "\n g[t] = old; }",
            "");
        const Params& params = scenario.info->defaults;
        const Instruction what = scenario.instruction(params, 0);
        EXPECT_EQ(what.op, op) << statement;
        const Totals all = count_grid(scenario, params, 0, device_table()[h200_index()]);
        return std::tuple(all.instructions, what.space == Space::shared ? all.wavefronts : all.sectors,
                          what.remade);
    };
    using Counts = std::tuple<std::int64_t, std::int64_t, bool>;
    EXPECT_EQ(counts("atomicAdd(&s[0], t);", Op::reduction), Counts(1, 32, true));
    EXPECT_EQ(counts("old = atomicAdd(&s[t % 8], t);", Op::atomic), Counts(1, 4, false));
    EXPECT_EQ(counts("atomicAdd(&s[t % 8], t);", Op::reduction), Counts(1, 4, false));
    EXPECT_EQ(counts("atomicAdd(&s[t % 8], 1);", Op::increment), Counts(1, 1, false));
    EXPECT_EQ(counts("int unread = atomicAdd(&s[t % 8], 1);", Op::increment), Counts(1, 1, false));
    EXPECT_EQ(counts("atomicAdd(&f[t], 1.0f);", Op::reduction), Counts(1, 1, true));
    EXPECT_EQ(counts("atomicAdd(&g[t % 8], t);", Op::reduction), Counts(1, 4, false));
    EXPECT_EQ(counts("atomicMax(&g[t], t);", Op::reduction), Counts(1, 4, false));
    EXPECT_EQ(counts("if (t == 3) atomicAdd(&g[0], t);", Op::reduction), Counts(1, 1, false));
}

// The kernels of the scenarios, read as text, access what their formulas in kernels/scenarios say: two
// accounts of the same addresses, of which neither knows the other.
TEST(TypedScenario, KernelsOfScenariosAccessWhatTheirFormulasSay) {
    std::mt19937 random(11);
    std::map<std::string, int> compared;
    for (const Scenario& listed : all_scenarios()) {
        if (listed.info->id == "async-copy")
            continue;  // whose tile is a struct, of which no let says anything
        for (int round = 0; round < (all_cases() ? 240 : 24); ++round) {
            State state = initial_state(listed, h200_index());
            state.params = random_params(listed, random);
            const Params& params = state.params;
            const Scenario* typed = nullptr;
            try {
                typed = &open_kernel(kernel_to_edit(state), "");
            } catch (const UsageError&) {
                continue;  // not in the subset
            }
            const Params own = typed->info->defaults;
            const LaunchShape shape = listed.launch(params);
            ASSERT_EQ(typed->launch(own).grid.x, shape.grid.x);
            const std::string settings =
                std::string(listed.info->id) + ' ' + describe_settings(listed, params);
            const CodePage page = code_page(listed, params);
            // The same lines stand behind those that say what the launch is.
            std::vector<CodeLine> lines;
            for (const CodeSection& section : page.sections)
                if (section.part != CodePart::host)
                    lines.insert(lines.end(), section.lines.begin(), section.lines.end());
            const auto before = static_cast<int>(std::ranges::count(typed->typed->text(), '\n')) -
                                static_cast<int>(lines.size());
            const Extent block{shape.grid.x / 2, shape.grid.y / 2};
            const auto launched = typed::typed_launch(*typed, own);
            if (launched->assumes()) continue;                        // addresses that follow from memory
            if (!launched->block(block.x, block.y)->whole) continue;  // of a long loop the first rounds
            for (std::size_t i = 0; i < lines.size(); ++i) {
                // nvcc joins some loads to wider ones, which the text does not say. What a function returns a
                // reference to is accessed in the function's line.
                const bool joined = lines[i].text.find("four(") != std::string::npos ||
                                    lines[i].text.find("make_float4(") != std::string::npos ||
                                    std::ranges::any_of(lines[i].instructions, [&](int k) {
                                        const Instruction one = listed.instruction(params, k);
                                        return one.joined > 1 || one.space == Space::registers;
                                    });
                if (lines[i].instructions.empty() || joined) continue;
                for (const Op op : {Op::load, Op::store}) {
                    Lanes wanted, found;
                    for (int warp = 0; warp < std::min(2, warps_per_block(shape)); ++warp) {
                        for (const int k : lines[i].instructions) {
                            const Instruction what = listed.instruction(params, k);
                            if (what.op != op) continue;
                            for (int step = 0; step < steps_of(shape, what); ++step)
                                add_lanes(wanted, listed.warp(params, k, block, warp, step));
                        }
                        for (int k = 0; k < typed->instruction_count(own); ++k) {
                            const Instruction what = typed->instruction(own, k);
                            if (what.op != op ||
                                typed->typed->line_of(own, k) != before + static_cast<int>(i) + 1)
                                continue;
                            for (int step = 0; step < what.steps; ++step)
                                add_lanes(found, typed->warp(own, k, block, warp, step));
                        }
                    }
                    if (wanted.empty()) continue;
                    ++compared[std::string(listed.info->id)];
                    EXPECT_EQ(wanted, found) << settings << '\n'
                                             << lines[i].text << '\n'
                                             << typed->typed->text();
                    if (wanted != found) return;
                }
            }
        }
    }
    for (const auto& [id, count] : compared) std::printf("%s: %d lines compared\n", id.c_str(), count);
    EXPECT_GE(compared.size(), 5u);
}

// A name of the text is not there on GPUs before this compute capability (CUDA C++ Programming Guide).
TEST(TypedScenario, WhatAGpuLacksIsRefusedByItsName) {
    struct Example {
        const char *body, *lacks, *has, *sentence;
    };
    for (
        const Example& e :
        {Example{"b[i] = __shfl_down_sync(0xffffffff, a[i], 1);", "GTX 480", "K40",
                 "'__shfl_down_sync' needs compute capability 3.0, GeForce GTX 480 has 2.0."},
         {"b[i] = __ldg(a + i);", "GTX 680", "K40", "'__ldg' needs compute capability 3.5, "},
         {"b[i] = __reduce_add_sync(0xffffffff, i);", "RTX 2080 Ti", "A100", "'__reduce_add_sync' needs "},
         {"b[i] = __match_any_sync(0xffffffff, i);", "P100", "V100", "'__match_any_sync' needs "},
         {"atomicAdd(b + i, 1.0f);", "GTX 280", "GTX 480",
          "'atomicAdd of float' needs compute capability 2.0, "},
         {"__shared__ int s[256]; s[i] = 0; __syncthreads(); atomicAdd(s + i, 1); __syncthreads(); b[i] = s[i];",
          "8800 GTX", "GTX 280", "'atomicAdd of int' needs compute capability 1.2, "},
         {"__shared__ unsigned long long s[256]; s[i] = 0; __syncthreads(); atomicAdd(&s[i], 1ull); "
          "__syncthreads(); b[i] = s[i];",
          "GTX 280", "GTX 480", "'atomicAdd of unsigned long long' needs compute capability 2.0, "},
         {"atomicAdd((int*)b + i, 1);", "8800 GTX", "GTX 280",
          "'atomicAdd of int' needs compute capability 1.1, "},
         {"atomicAdd((double*)b + i, 1.0);", "GTX 980", "P100",
          "'atomicAdd of double' needs compute capability 6.0, "},
         {"b[i] = float(double(a[i]) + 1.0);", "8800 GTX", "GTX 280",
          "'double' needs compute capability 1.3, "},
         {"atomicAdd((__half*)b + i, __float2half(a[i]));", "P100", "V100",
          "'atomicAdd of __half' needs compute capability 7.0, "},
         {"atomicAdd((__nv_bfloat16*)b + i, __float2bfloat16(a[i]));", "V100", "A100",
          "'atomicAdd of __nv_bfloat16' needs compute capability 8.0, "},
         {"__shared__ float s[256]; __pipeline_memcpy_async(s + i, a + i, 4); __pipeline_commit(); "
          "__pipeline_wait_prior(0); b[i] = s[i];",
          "GTX 1080", "V100", "'__pipeline_memcpy_async' needs compute capability 7.0, "},
         {"half x = __float2half(a[i]); b[i] = __half2float(__hadd(x, x));", "GTX 980", "P100",
          "'__hadd' needs compute capability 5.3, "},
         // Loaded, stored and converted they are everywhere, and a pointer to them may be moved.
         {"half x = __float2half(a[i]); x *= x; b[i] = __half2float(x);", "GTX 980", "P100",
          "'*= of __half' needs compute capability 5.3, "},
         {"__nv_bfloat16 x = __float2bfloat16(a[i]); b[i] = __bfloat162float(-(x + x));", "GTX 480", "V100",
          "'+ of __nv_bfloat16' needs compute capability 5.3, "},
         {"const half2* p = (const half2*)a + i; ((half2*)b)[i] = *(p + 1);", nullptr, "GTX 480", ""},
         {"const half2* p = (const half2*)a + i; ((half2*)b)[i] = *p * *p;", "GTX 980", "P100",
          "'* of __half2' needs compute capability 5.3, "},
         {"cooperative_groups::this_grid().sync(); b[i] = a[i];", "GTX 980", "P100",
          "'grid.sync()' needs compute capability 6.0, "},
         {"cooperative_groups::this_cluster().sync(); b[i] = a[i];", "RTX 3090", "H200",
          "'this_cluster' needs compute capability 9.0, "},
         {"b[i] = __hadd(i, 1) + sqrtf(a[i]);", nullptr, "8800 GTX", ""}}) {
        const Scenario& scenario = open_kernel(
            std::string("// launch grid=4 block=256\n__global__ void k(const float* a, float* b) {  // in "
                        "float[1024], out float[4096]\n    int i = threadIdx.x;\n    ") +
                e.body + " }",
            "needs.cu");
        const Params& params = scenario.info->defaults;
        const auto why = [&](const char* gpu) {
            return does_not_fit(scenario, params,
                                device_table().at(find_device(device_table(), gpu).value()));
        };
        EXPECT_EQ(why(e.has), "") << e.body;
        if (e.lacks != nullptr) {
            EXPECT_THAT(why(e.lacks), testing::StartsWith(e.sentence)) << e.body;
        }
    }
}

// Arrays of unknown size are as long as the launch reaches, so no GPU is said to run what it cannot hold.
TEST(TypedScenario, ArraysOfUnknownSizeNeedMemory) {
    struct Example {
        const char *launch, *arrays, *body;
    };
    int refused = 0, made = 0;
    for (const Example& e : std::initializer_list<Example>{
             {"grid=2^22 block=1024", "a float[4294967296]\n// out b float[4294967296]",
              "long i = (long)blockIdx.x * 1024 + threadIdx.x; b[i] = a[i];"},
             {"grid=2^20 block=256", "a float[1000]\n// out b float[268435456]",
              "int i = blockIdx.x * 256 + threadIdx.x; b[i] = a[i % 1000];"},
             {"grid=2^14 block=256", "a float[1073741824]\n// out b float[4194304]",
              "int i = blockIdx.x * 256 + threadIdx.x; float s = 0; for (int k = 0; k < 256; k++) s += "
              "a[i + k * 4194304]; b[i] = s;"}}) {
        const std::string launch = std::string("// launch ") + e.launch,
                          body =
                              std::string("\n__global__ void k(const float* a, float* b) { ") + e.body + " }";
        const Scenario& unknown = open_kernel(launch + body, "unknown.cu");
        const Scenario& declared = open_kernel(launch + "\n// in " + e.arrays + body, "declared.cu");
        const Params &p = unknown.info->defaults, &q = declared.info->defaults;
        const auto declared_bytes = double(declared.launch(q).buffer_bytes[0]);  // from multiples of 256 on
        EXPECT_GT(declared_bytes, 1e9) << e.body;
        EXPECT_NEAR(double(unknown.launch(p).buffer_bytes[0]), declared_bytes, 256) << e.body;
        for (const DeviceFacts& device : device_table()) {
            const std::string why = does_not_fit(unknown, p, device);
            EXPECT_EQ(why, does_not_fit(declared, q, device)) << e.body << device.name;
            const Prediction predicted = predict(unknown, p, device);
            EXPECT_NEAR(predicted.value, predict(declared, q, device).value, 1e-3 * predicted.value)
                << e.body << device.name;
            EXPECT_LE(predicted.footprint_bytes, double(device.memory_bytes)) << e.body << device.name;
            ++(why.empty() ? made : refused);
        }
    }
    EXPECT_GT(made, 50);
    EXPECT_GT(refused, 50);
}

// A page has no threads: there a kernel is read between frames, and a step executes a warp at most.
TEST(TypedScenario, AKernelIsReadInStepsOfAWarp) {
    constexpr int kWarps = 8;
    const std::string text =
        "// let n = 4096\n// knob far = 1 in 1..64\n// launch grid=16 block=256\n"
        "__global__ void near(float* a, int n) { a[blockIdx.x * 256 + threadIdx.x] = 0; }\n"
        "__global__ void distant(float* a, int n) { a[(blockIdx.x * 256 + threadIdx.x) * far % n] = 0; }\n";
    const auto steps_of = [](auto&& work) {
        int steps = 1;
        while (work.step()) ++steps;
        return steps;
    };
    EXPECT_GT(steps_of(typed::TypedProgram::read(text, "two.cu")), 2 * kWarps);

    const Scenario& kernel = open_kernel(text, "two.cu");
    Params params = kernel.info->defaults;
    params.own0 = 33;
    EXPECT_GT(steps_of(kernel.typed->count_first(params, h200())), 2 * kWarps);
    EXPECT_EQ(steps_of(kernel.typed->count_first(params, h200())), 1) << "it is kept";

    const Scenario& endless = open_kernel(
        "// knob n = 2 in 2..2000000\n// launch grid=1 block=256\n__global__ void k(float* a, int n) {\n"
        "    for (int i = 1, x = 1; i < n; ++i, x = (x * 75 + 74) % 65537) a[x] = 0; }\n",
        "endless.cu");
    params = endless.info->defaults;
    params.own0 = 2'000'000;
    EXPECT_GE(steps_of(endless.typed->count_first(params, h200())), 1);
    EXPECT_THAT(endless.typed->problem(params), HasSubstr("8000000 steps"));
    EXPECT_EQ(steps_of(endless.typed->count_first(params, h200())), 1) << "that it is none is kept, too";
}

// The first warp of an image's first block lies at its edge.
TEST(TypedScenario, AWarpThatWorksIsPictured) {
    const Scenario& kernel = open_kernel(
        "// launch grid=(4, 4) block=(32, 8)\n__global__ void k(float* a) {\n"
        "    int y = blockIdx.y * 8 + threadIdx.y; a[threadIdx.x] = 0; if (y >= 2) a[y * 32 + threadIdx.x] = 1; }\n",
        "edge.cu");
    EXPECT_EQ(kernel.info->defaults.warp, 2);
}

// Pictures are of the first 250,000 loads and stores of a block, its counts are of all.
TEST(TypedScenario, ABlockIsCountedToItsEnd) {
    const Scenario& kernel = open_kernel(
        "// launch grid=1 block=1024\n__global__ void k(float* a) {\n"
        "    for (int i = 0; i < 20000; ++i) a[i] = 1; }\n",
        "long.cu");
    LaunchCounts launch(kernel, kernel.info->defaults, h200());
    EXPECT_EQ(kernel.typed->count_first_block(kernel.info->defaults, 0, h200()).requests, 32 * 20000);
    EXPECT_EQ(launch.grid(0).requests, 32 * 20000);
}

}  // namespace
}  // namespace warplens::test::typed_scenario_tests
