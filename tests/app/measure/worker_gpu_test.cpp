#include "app/measure/worker.h"

#include "tests/app/measure/wait_for_results.h"

#include <gtest/gtest.h>

#include <chrono>

namespace warplens::test::worker_gpu_tests {
namespace {

class WorkerGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }
};

MeasureJob copy_job(int stride, int elements_log2) {
    Params p;
    p.operation = static_cast<int>(Operation::copy);
    p.stride = stride;
    p.elements_log2 = elements_log2;
    return {"global-stride", p};
}

TEST_F(WorkerGpu, MeasuresAndNamesTheGpu) {
    MeasureWorker worker([] {});
    worker.submit({copy_job(1, 20), copy_job(8, 20)}, {});
    const auto results = test::wait_for_results(worker);
    ASSERT_EQ(results.size(), 2u);
    ASSERT_TRUE(std::holds_alternative<GpuInfo>(worker.gpu().value()));
    for (const MeasureResult& result : results) {
        ASSERT_TRUE(std::holds_alternative<Timing>(result.outcome));
        EXPECT_EQ(std::get<Timing>(result.outcome).gpu, std::get<GpuInfo>(worker.gpu().value()).name);
    }
}

TEST_F(WorkerGpu, ARunningJobOfAnOldGenerationIsCancelled) {
    MeasureWorker worker([] {});
    const StopRule endless{.max_repeats = 1'000'000'000, .relative_error = -1, .max_seconds = 60};
    worker.submit({copy_job(1, 24)}, endless);
    std::this_thread::sleep_for(std::chrono::seconds(2));  // by now it runs
    const auto begin = std::chrono::steady_clock::now();
    worker.submit({copy_job(2, 20)}, {});
    const auto results = test::wait_for_results(worker);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].job.params.stride, 2);
    EXPECT_LT(seconds.count(), 30);
}

TEST_F(WorkerGpu, ARunningJobThatIsStillWantedGoesOn) {
    MeasureWorker worker([] {});
    const StopRule slow{.max_repeats = 1'000'000'000, .relative_error = -1, .max_seconds = 3};
    worker.submit({copy_job(1, 24)}, slow);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::uint64_t latest = worker.submit({copy_job(2, 20), copy_job(1, 24)}, slow);
    const auto results = test::wait_for_results(worker);
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].job.params.stride, 1) << "it was running and finishes first";
    for (const MeasureResult& result : results) EXPECT_EQ(result.generation, latest);
}

}  // namespace
}  // namespace warplens::test::worker_gpu_tests
