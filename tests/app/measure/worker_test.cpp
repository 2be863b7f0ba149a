// The worker's promises that hold with and without a GPU.
#include "app/measure/worker.h"

#include "tests/app/measure/wait_for_results.h"

#include <gtest/gtest.h>

#include <atomic>

namespace warplens {
namespace {

Params small_setting(int stride) {
    Params p;
    p.elements_log2 = 12;
    p.stride = stride;
    return p;
}

std::vector<MeasureJob> some_jobs(int count) {
    std::vector<MeasureJob> jobs;
    for (int i = 0; i < count; ++i) jobs.push_back({"global-stride", small_setting(1 + i)});
    return jobs;
}

TEST(MeasureWorker, SaysInTheEndWhichGpuMeasuresOrWhyNone) {
    std::atomic<int> wakes = 0;
    MeasureWorker worker([&] { ++wakes; });
    for (int i = 0; i < 5000 && !worker.gpu(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto gpu = worker.gpu();
    ASSERT_TRUE(gpu);
    if (const auto* why = std::get_if<Unavailable>(&*gpu)) {
        EXPECT_FALSE(why->reason.empty());
    } else {
        EXPECT_FALSE(std::get<GpuInfo>(*gpu).name.empty());
    }
    for (int i = 0; i < 1000 && wakes == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_GE(wakes, 1);
}

TEST(MeasureWorker, DeliversEveryJobOnceAndInOrder) {
    std::atomic<int> wakes = 0;
    MeasureWorker worker([&] { ++wakes; });
    const std::uint64_t generation = worker.submit(some_jobs(5), {.max_repeats = 7});
    const auto results = test::wait_for_results(worker);
    ASSERT_EQ(results.size(), 5u);
    for (int i = 0; i < 5; ++i) {
        const MeasureResult& result = results[static_cast<std::size_t>(i)];
        EXPECT_EQ(result.generation, generation);
        EXPECT_EQ(result.job.params.stride, 1 + i);
        const auto* why = std::get_if<Unavailable>(&result.outcome);
        EXPECT_TRUE(why == nullptr || !why->reason.empty());
    }
    EXPECT_TRUE(worker.take_results().empty()) << "each once";
    EXPECT_EQ(worker.waiting(), 0u);
}

TEST(MeasureWorker, NothingOfAnOldGenerationArrivesAfterSubmit) {
    MeasureWorker worker([] {});
    for (int round = 0; round < 50; ++round) {
        worker.submit(some_jobs(20), {.max_repeats = 7});
        if (round % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
        const std::uint64_t latest = worker.submit(some_jobs(3), {.max_repeats = 7});
        for (const MeasureResult& result : worker.take_results()) EXPECT_EQ(result.generation, latest);
    }
    const std::uint64_t latest = worker.submit(some_jobs(2), {.max_repeats = 8});
    const auto results = test::wait_for_results(worker);
    ASSERT_EQ(results.size(), 2u);
    for (const MeasureResult& result : results) EXPECT_EQ(result.generation, latest);
}

TEST(MeasureWorker, SubmittingNothingClearsEverything) {
    MeasureWorker worker([] {});
    worker.submit(some_jobs(20), {});
    worker.submit({}, {});
    EXPECT_EQ(worker.waiting(), 0u);
    EXPECT_TRUE(test::wait_for_results(worker).empty());
}

TEST(MeasureWorker, EndsWhileJobsWait) {
    for (int i = 0; i < 3; ++i) {
        MeasureWorker worker(nullptr);
        worker.submit(some_jobs(20), {.max_seconds = 10});
    }
}

}  // namespace
}  // namespace warplens
