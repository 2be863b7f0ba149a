// The worker's promises that hold with and without a GPU.
#include "app/measure/worker.h"

#include "tests/app/measure/wait_for_results.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace warplens::test::worker_tests {
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
    while (!worker.gpu()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto gpu = worker.gpu();
    ASSERT_TRUE(gpu);
    if (const auto* why = std::get_if<Unavailable>(&*gpu)) {
        EXPECT_FALSE(why->reason.empty());
    } else {
        EXPECT_FALSE(std::get<GpuInfo>(*gpu).name.empty());
    }
    while (wakes == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // or the test's limit ends it
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

/// A GPU that finishes a job whenever a test lets it, and notices a cancel meanwhile.
class Gate {
public:
    MeasureBench bench() {
        const auto find = [] { return std::vector<GpuInfo>{{.name = "pretended"}}; };
        const auto time = [this](const MeasureJob& job, const StopRule&,
                                 const std::atomic<bool>* cancel) -> std::variant<Timing, Unavailable> {
            std::unique_lock lock(mutex_);
            ++begun_;
            while (open_ == 0 && !cancel->load()) changed_.wait_for(lock, std::chrono::milliseconds(1));
            if (cancel->load()) return Unavailable{"cancelled"};
            --open_;
            Timing timing;
            timing.median_us = job.params.stride;
            return timing;
        };
        return {find, [time] { return time; }};
    }
    void let_pass(int jobs) {
        const std::lock_guard lock(mutex_);
        open_ += jobs;
    }
    int begun() const {
        const std::lock_guard lock(mutex_);
        return begun_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int open_ = 0, begun_ = 0;
};

void wait_until(const auto& condition) {
    for (int i = 0; i < 10'000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(condition());
}

TEST(MeasureWorker, SaysHowFarItIs) {
    Gate gate;
    MeasureWorker worker([] {}, gate.bench());
    EXPECT_FALSE(worker.progress().running());
    worker.submit(some_jobs(5), {});
    EXPECT_EQ(worker.progress().total, 5u);
    EXPECT_EQ(worker.progress().done, 0u);
    gate.let_pass(2);
    wait_until([&] { return worker.progress().done == 2; });
    EXPECT_TRUE(worker.progress().running());
    worker.submit(some_jobs(3), {});  // a new generation begins at zero
    EXPECT_EQ(worker.progress().total, 3u);
    EXPECT_EQ(worker.progress().done, 0u);
    gate.let_pass(3);
    wait_until([&] { return !worker.progress().running(); });
    EXPECT_EQ(worker.progress().done, 3u);
}

TEST(MeasureWorker, CancelEndsTheRunningAndTheWaitingAndKeepsWhatIsDone) {
    Gate gate;
    MeasureWorker worker([] {}, gate.bench());
    worker.submit(some_jobs(9), {});
    gate.let_pass(2);
    wait_until([&] { return gate.begun() == 3; });  // the third one runs and would run for ever
    worker.cancel();
    EXPECT_FALSE(worker.progress().running());
    EXPECT_EQ(worker.waiting(), 0u);
    const auto results = worker.take_results();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(std::get<Timing>(results[1].outcome).median_us, 2);
    worker.submit(some_jobs(1), {});  // and it still works
    gate.let_pass(1);
    EXPECT_EQ(test::wait_for_results(worker).size(), 1u);
    EXPECT_EQ(gate.begun(), 4) << "none of the waiting ones was begun";
}

TEST(MeasureWorker, CountersComeBeforeTimesAndTheSlowOnesAfterThem) {
    std::vector<std::string> order;  // written by the worker's thread alone, read after it has ended
    MeasureBench bench;
    bench.find_gpus = [] { return std::vector<GpuInfo>{GpuInfo{.name = "a GPU"}}; };
    bench.open = [&order] {
        return [&order](const MeasureJob&, const StopRule&, const std::atomic<bool>*) {
            order.push_back("time");
            return std::variant<Timing, Unavailable>(Timing{.median_us = 1});
        };
    };
    bench.count = [&order](const CountJob& job) {
        order.push_back(job.metrics.front());
        return std::variant<CounterReading, Unavailable>(
            CounterReading{.values = {static_cast<double>(job.metrics.front().size())}, .passes = 1});
    };
    std::optional<CountResult> counts;
    {
        MeasureWorker worker([] {}, bench);
        worker.submit(some_jobs(1), {}, CountJob{some_jobs(1).front(), {"first"}, {"the later"}});
        while (!counts || counts->job.metrics.size() < 2) {
            if (auto taken = worker.take_counts()) counts = std::move(taken);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->job.metrics, (std::vector<std::string>{"first", "the later"}));
    const auto& reading = std::get<CounterReading>(counts->outcome);
    EXPECT_EQ(reading.values, (std::vector<std::optional<double>>{5.0, 9.0}));
    EXPECT_EQ(reading.passes, 2);
    ASSERT_GE(order.size(), 3u);
    EXPECT_EQ(std::vector(order.begin(), order.begin() + 3),
              (std::vector<std::string>{"first", "time", "the later"}));
}

TEST(MeasureWorker, LeavesTheGpuToAnotherProcessWhenAsked) {
    Gate gate;
    std::atomic<int> counted = 0, released = 0;
    MeasureBench bench = gate.bench();
    bench.count = [&](const CountJob&) {
        ++counted;
        return std::variant<CounterReading, Unavailable>(CounterReading{.values = {1.0}, .passes = 1});
    };
    bench.release = [&] {
        if (++released == 2) throw std::runtime_error("the context is lost");
    };
    MeasureWorker worker([] {}, bench);
    worker.submit(some_jobs(3), {}, CountJob{some_jobs(1).front(), {"first"}, {"later"}});
    wait_until([&] { return gate.begun() == 1; });
    worker.release();
    EXPECT_EQ(released, 1);
    EXPECT_EQ(worker.waiting(), 0u);
    EXPECT_EQ(counted, 1) << "the later counters are not read any more";
    EXPECT_EQ(gate.begun(), 1);
    worker.release();
    EXPECT_EQ(released, 2);
    worker.submit(some_jobs(1), {});  // and it still works
    gate.let_pass(1);
    EXPECT_EQ(test::wait_for_results(worker).size(), 1u);
}

TEST(MeasureWorker, WhatABenchThrowsIsAReason) {
    const auto answers = [](const MeasureBench& bench) {
        MeasureWorker worker([] {}, bench);
        worker.submit(some_jobs(2), {});
        std::vector<std::string> reasons;
        for (const MeasureResult& result : test::wait_for_results(worker))
            reasons.push_back(std::get<Unavailable>(result.outcome).reason);
        return reasons;
    };
    MeasureBench bench = Gate().bench();
    bench.open = []() -> TimeJob { throw std::runtime_error("no kernels"); };
    EXPECT_EQ(answers(bench), std::vector<std::string>(2, "measuring failed: no kernels"));
    bench.open = [] {
        return [](const MeasureJob&, const StopRule&,
                  const std::atomic<bool>*) -> std::variant<Timing, Unavailable> { throw 7; };
    };
    EXPECT_EQ(answers(bench), std::vector<std::string>(2, "measuring failed"));
}

TEST(MeasureWorker, AnEmptyListOfGpusIsNoGpu) {
    MeasureBench bench = Gate().bench();
    bench.find_gpus = [] { return std::vector<GpuInfo>{}; };
    MeasureWorker worker([] {}, bench);
    wait_until([&] { return worker.gpu().has_value(); });
    EXPECT_TRUE(std::holds_alternative<Unavailable>(*worker.gpu()));
}

TEST(MeasureWorker, ADriverThatHangsDoesNotKeepTheWindowFromClosing) {
    struct Hang {
        std::mutex mutex;
        std::condition_variable changed;
        bool begun = false, over = false, ended = false;
    };
    const auto hang = std::make_shared<Hang>();
    std::atomic<int> wakes = 0;
    MeasureBench bench = Gate().bench();
    bench.open = [hang] {
        return [hang](const MeasureJob&, const StopRule&,
                      const std::atomic<bool>*) -> std::variant<Timing, Unavailable> {
            std::unique_lock lock(hang->mutex);
            hang->begun = true;
            hang->changed.notify_all();
            hang->changed.wait(lock, [&] { return hang->over; });  // and no look at the cancel
            hang->ended = true;
            hang->changed.notify_all();
            return Timing{};
        };
    };
    int wakes_before = 0;
    const auto start = std::chrono::steady_clock::now();
    {
        MeasureWorker worker([&wakes] { ++wakes; }, bench);
        worker.submit(some_jobs(1), {});
        std::unique_lock lock(hang->mutex);
        hang->changed.wait(lock, [&] { return hang->begun; });
        wakes_before = wakes;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    EXPECT_TRUE(MeasureWorker::any_abandoned());
    std::unique_lock lock(hang->mutex);
    hang->over = true;
    hang->changed.notify_all();
    hang->changed.wait(lock, [&] { return hang->ended; });
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // its end touches nothing that is gone
    EXPECT_EQ(wakes, wakes_before);
}

}  // namespace
}  // namespace warplens::test::worker_tests
