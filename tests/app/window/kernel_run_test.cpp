// A kernel that is launched by another process: what comes back, and what the window makes of it.
#include "app/window/kernel_run.h"
#include "app/base/errors.h"
#include "app/base/json_place.h"
#include "app/boards/occupancy/knobs.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/devices.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/typed_kernel.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace warplens::test::kernel_run_tests {
namespace {

const Scenario& kernel() {
    return open_kernel("__global__ void k(float* a) { a[threadIdx.x] = 1.0f; }", "k.cu");
}

KernelRun::Job job() { return {&kernel(), kernel().info->defaults, false}; }

TEST(KernelRun, ReadsTimesAndCounters) {
    const KernelRun::Outcome outcome = read_run(
        R"({"gpu":{"name":"GPU X"},"settings":[{"median_us":2.5,"lower_us":2.4,"upper_us":2.75,"repeats":9,
            "useful_bytes":4096,"fits_l2":true,"cold":false,"method":"events",
            "kernel":{"role":"grid","name":"typed_kernel","threads":32,"registers":24,"static":0,"dynamic":0,
                      "local":8,"carveout":-1,"blocks":16,"timed":true},
            "counters":{"passes":2,"elapsed_ms":12,"counters":[
              {"metric":"l1tex__t_sectors.sum","expected":32,"counted":33,"verdict":"off"}]}}]})",
        job());
    const auto& timing = std::get<Timing>(outcome.time);
    EXPECT_EQ(timing.median_us, 2.5);
    EXPECT_EQ(timing.upper_us, 2.75);
    EXPECT_EQ(timing.gpu, "GPU X");
    EXPECT_TRUE(timing.fits_l2);
    ASSERT_TRUE(outcome.kernel);
    EXPECT_EQ(outcome.kernel->registers, 24);
    ASSERT_TRUE(outcome.counts);
    EXPECT_EQ(outcome.counts->job.metrics, std::vector<std::string>{"l1tex__t_sectors.sum"});
    EXPECT_EQ(std::get<CounterReading>(outcome.counts->outcome).values.at(0), 33);
}

TEST(KernelRun, TheOccupancyBoardTakesItsRegisters) {
    const Scenario& scenario =
        open_kernel("__global__ void k(float* a) { a[2 * threadIdx.x] = 1.0f; }", "registers.cu");
    EXPECT_EQ(recorded_grid_kernel(scenario, scenario.info->defaults).kernel, nullptr);
    keep_compiled(scenario, scenario.info->defaults, {.role = "grid", .registers = 77},
                  "compiled by the driver of GPU X");
    const State state = initial_state(scenario, 0);
    EXPECT_EQ(launch_on_board(state).boards[kOccupancyRegisters], 77);
    EXPECT_NE(launch_on_board(state).registers_from.find("compiled by the driver of GPU X"),
              std::string::npos);
}

// Four elements are stored one by one as the text has it, and at once as nvcc makes it.
constexpr const char* kJoins = R"(template <typename T>
__global__ void joins(const T* __restrict__ in, T* out) {
    __shared__ T s[256];
    for (int i = 0; i < 4; ++i)
        s[threadIdx.x * 4 + i] = in[threadIdx.x * 4 + i];
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
}
int main() { joins<float><<<1, 64>>>(a, b); }
)";

TEST(KernelRun, TheCompilerIsToldTheLinesOfTheText) {
    const Scenario& scenario = open_kernel(kJoins, "joins.cu");
    const std::string text = text_to_compile(scenario, scenario.info->defaults);
    const std::size_t line = text.find("#line 1\n");
    ASSERT_NE(line, std::string::npos);
    const std::string behind = text.substr(line + 8),
                      before_store = behind.substr(0, behind.find("s [ threadIdx"));
    EXPECT_EQ(1 + std::ranges::count(before_store, '\n'), 5);
    EXPECT_NE(text.find("&user::joins<float>;"), std::string::npos);
    const Scenario& left_out = open_kernel("__global__ void k(float** a) { a[0][threadIdx.x] = 1; }", "");
    EXPECT_THROW(text_to_compile(left_out, left_out.info->defaults), UsageError);
}

/// A warp stores four words 16 bytes apart, with four lanes at each bank; as one, a quarter of it at a time.
TEST(KernelRun, WhatNvccMakesStandsAtItsLines) {
    const Scenario& scenario = open_kernel(kJoins, "joins.cu");
    // Of a store, nvcc counts the load to the line that follows.
    const CompiledCode code{
        .registers = 20,
        .spill_stores = 8,
        .spill_loads = 4,
        .lines = {{5, {{"STS.128", 1}}}, {6, {{"LDG", 4}}}, {7, {{"LDS", 1}, {"STG", 1}}}},
        .from = "nvcc 13.0 for sm_90"};
    const CompiledKernel made = compiled_kernel(scenario, scenario.info->defaults, code, h200());
    EXPECT_EQ(made.summary, "20 registers, 8 bytes of spill stores, 4 of spill loads (nvcc 13.0 for sm_90)");
    EXPECT_EQ(compiled_line(made, 5),
              "LDG x 4, STS.128: load in as written; store s, 4 in one STS.128: 8 wavefronts, not 32");
    EXPECT_EQ(compiled_line(made, 7), "LDS, STG: load s as written; store out as written");
    EXPECT_EQ(compiled_line(made, 6), "");
}

TEST(KernelRun, IsCompiledWhereNoGpuLaunchesIt) {
    if (find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
    const Scenario& scenario = open_kernel(kJoins, "joins.cu");
    Store store(JobsRun::at_once);
    KernelRun run;
    const Params& params = scenario.info->defaults;
    run.compile({&scenario, params, false}, h200());
    EXPECT_TRUE(run.running());
    std::string said;
    while (run.running()) {
        said = run.advance_compiler(store);
        std::this_thread::yield();
    }
    EXPECT_TRUE(said.starts_with("compiled: ")) << said;
    const CompiledKernel* made = run.compiled(scenario, params);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(made->made.at(5), (MemoryInstructions{{"LDG", 4}, {"STS.128", 1}})) << "four stores are joined";
    EXPECT_GT(recorded_grid_kernel(scenario, params).kernel->registers, 0);
    EXPECT_EQ(run.compiled(kernel(), kernel().info->defaults), nullptr);
}

TEST(KernelRun, ReadsWhyThereAreNone) {
    const KernelRun::Outcome outcome = read_run(
        R"({"gpu":{"name":"G"},"settings":[{"unavailable":"no memory","counters":{"unavailable":"no CUPTI"}}]})",
        job());
    EXPECT_EQ(std::get<Unavailable>(outcome.time).reason, "no memory");
    EXPECT_EQ(std::get<Unavailable>(outcome.counts->outcome).reason, "no CUPTI");
    for (const char* damaged :
         {"", "{", "[]", R"({"settings":[]})", R"({"settings":[{"median_us":"fast"}]})"})
        EXPECT_THROW(read_run(damaged, job()), JsonError) << damaged;
}

TEST(KernelRun, OneAtATimeAndStopped) {
    std::atomic<int> launched = 0, ended = 0;
    KernelRun run([&](const KernelRun::Job&, const std::stop_token& stop) -> KernelRun::Outcome {
        ++launched;
        while (!stop.stop_requested()) std::this_thread::yield();
        ++ended;
        return {Unavailable{"stopped"}, {}};
    });
    Store store(JobsRun::on_workers);
    EXPECT_FALSE(run.advance(store));
    run.start(job());
    run.start(job());
    EXPECT_TRUE(run.running());
    while (launched == 0) EXPECT_FALSE(run.advance(store));
    run.stop();
    const auto outcome = run.advance(store);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->first.scenario, &kernel());
    EXPECT_EQ(std::get<Unavailable>(outcome->second.time).reason, "stopped");
    EXPECT_FALSE(run.running());
    while (ended == 0) store.advance();  // nobody asks for it any more
    EXPECT_EQ(launched, 1);
}

TEST(KernelRun, WhatTheLaunchThrowsIsAReason) {
    KernelRun run([](const KernelRun::Job&, const std::stop_token&) -> KernelRun::Outcome {
        throw std::runtime_error("no temporary folder");
    });
    Store store(JobsRun::on_workers);
    run.start(job());
    auto ended = run.advance(store);
    for (; !ended; ended = run.advance(store)) std::this_thread::yield();
    EXPECT_EQ(std::get<Unavailable>(ended->second.time).reason, "no temporary folder");
}

}  // namespace
}  // namespace warplens::test::kernel_run_tests
