// Each checked call of CUDA, CUPTI and cuBLAS fails once, as if the driver had said so: what was asked for is
// there or its absence has a reason, and afterwards everything works again.
#include "app/gl/context.h"
#include "app/interop/textures.h"
#include "app/measure/worker.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/cublas.h"
#include "tests/app/measure/wait_for_results.h"
#include "tests/kernels/trace/expected_trace.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#if defined(WARPLENS_HAS_CUDA)

namespace warplens::test::failing_calls_gpu_tests {
namespace {

constexpr StopRule kQuick{
    .warm_up = 0, .min_repeats = 1, .max_repeats = 1, .relative_error = 1, .max_seconds = 0.01};

class FailingCalls : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }
    void TearDown() override { fail_checked_call(0); }

    /// Does something again and again, each time with the next call failing, until all have failed once.
    /// @param and_then  what has to work after it
    static void for_each_call(const std::function<void()>& work, const std::function<void()>& and_then) {
        for (long nth = 1; !HasFatalFailure(); ++nth) {
            SCOPED_TRACE("call " + std::to_string(nth));
            fail_checked_call(nth);
            work();
            const long calls = checked_calls();
            fail_checked_call(0);
            and_then();
            if (calls >= nth) continue;
            EXPECT_GT(calls, 0) << "nothing is checked";
            RecordProperty("calls", std::to_string(calls));
            return;
        }
    }

    template <class Result>
    static void expect_result_or_reason(const std::variant<Result, Unavailable>& outcome) {
        const auto* why = std::get_if<Unavailable>(&outcome);
        if (why == nullptr) return;
        EXPECT_FALSE(why->reason.empty());
        EXPECT_EQ(why->reason.find('\n'), std::string::npos) << why->reason;
    }
    template <class Result>
    static void expect_result(const std::variant<Result, Unavailable>& outcome) {
        ASSERT_TRUE(std::holds_alternative<Result>(outcome)) << std::get<Unavailable>(outcome).reason;
    }
};

TEST_F(FailingCalls, TimesOfAllScenarios) {
    for (const Scenario& scenario : all_scenarios()) {
        SCOPED_TRACE(scenario.info->id);
        std::unique_ptr<TimedKernels> kernels;
        const auto time = [&] { return kernels->time(scenario.info->id, scenario.info->defaults, kQuick); };
        for_each_call(
            [&] {
                kernels = std::make_unique<TimedKernels>();
                expect_result_or_reason(time());
            },
            [&] { expect_result(time()); });
        if (HasFatalFailure()) return;
    }
}

TEST_F(FailingCalls, CountersOfTheWindow) {
    const Scenario& scenario = *find_scenario("transpose");
    const std::vector<std::string> metrics = {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"};
    const auto count = [&] {
        return TimedKernels().count(scenario.info->id, scenario.info->defaults, metrics);
    };
    if (const auto first = count(); std::holds_alternative<Unavailable>(first))
        GTEST_SKIP() << std::get<Unavailable>(first).reason;
    // Where the driver's profiler cannot be left, it cannot be entered again; times there are always.
    for_each_call([&] { expect_result_or_reason(count()); },
                  [&] {
                      expect_result_or_reason(count());
                      expect_result(TimedKernels().time(scenario.info->id, scenario.info->defaults, kQuick));
                  });
}

TEST_F(FailingCalls, TheLibrary) {
    const auto time = [] { return time_cublas(256, kQuick); };
    if (const auto first = time(); std::holds_alternative<Unavailable>(first))
        GTEST_SKIP() << std::get<Unavailable>(first).reason;
    for_each_call([&] { expect_result_or_reason(time()); }, [&] { expect_result(time()); });
}

// As the window measures: the thread goes on, and the next setting is measured.
TEST_F(FailingCalls, TheThreadThatMeasuresGoesOn) {
    const MeasureJob copy{"global-stride", find_scenario("global-stride")->info->defaults};
    std::unique_ptr<MeasureWorker> worker;
    std::vector<MeasureResult> results;
    for_each_call(
        [&] {
            worker = std::make_unique<MeasureWorker>([] {});
            worker->submit({copy}, kQuick);
            results = test::wait_for_results(*worker);
            ASSERT_EQ(results.size(), 1u);
            expect_result_or_reason(results[0].outcome);
            expect_result_or_reason(worker->gpu().value());
        },
        [&] {
            if (std::holds_alternative<Unavailable>(worker->gpu().value())) return;  // which it says
            worker->submit({copy}, kQuick);
            results = test::wait_for_results(*worker);
            ASSERT_EQ(results.size(), 1u);
            expect_result(results[0].outcome);
        });
}

TEST_F(FailingCalls, APictureFallsBackAndShowsTheSame) {
    auto context = HeadlessContext::create(std::get<0>(list_gpus()).front().index);
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    const Scenario& scenario = *find_scenario("shared-stride");
    const TraceRequest request{
        .scenario = scenario.info->id, .params = scenario.info->defaults, .block = {}, .rules = {}};
    const Trace expected = test::expected_trace(request);
    const auto show = [&] {
        TraceBuffer buffer(TraceMode::interop);
        buffer.update(request, expected);
        EXPECT_TRUE(test::same_trace(buffer.read_back(), expected));
        EXPECT_TRUE(buffer.mode() == TraceMode::interop || !buffer.why().empty());
        return buffer.mode();
    };
    const TraceMode usual = show();
    for_each_call([&] { show(); }, [&] { EXPECT_EQ(show(), usual); });
}

}  // namespace
}  // namespace warplens::test::failing_calls_gpu_tests

#endif
