// A kernel that is launched by another process: what comes back, and what the window makes of it.
#include "app/window/kernel_run.h"
#include "app/base/json_place.h"
#include "app/boards/occupancy/knobs.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/typed_kernel.h"

#include <gtest/gtest.h>

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
    keep_compiled(scenario, scenario.info->defaults, {.role = "grid", .registers = 77}, "GPU X");
    const State state = initial_state(scenario, 0);
    EXPECT_EQ(launch_on_board(state).boards[kOccupancyRegisters], 77);
    EXPECT_NE(launch_on_board(state).registers_from.find("compiled by the driver of GPU X"),
              std::string::npos);
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
