// The staircase on a real GPU: order and proportion, whatever its sizes are. Tests whose name begins with
// Speed compare times: leave them out under compute-sanitizer.
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/cache_footprint.h"
#include "kernels/timing/timed.h"

#include <gtest/gtest.h>

namespace warplens::test::chase_gpu_tests {
namespace {

class ChaseGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
        gpu_ = std::get<std::vector<GpuInfo>>(gpus).front();
    }

    Timing time(CacheFootprint::What what, int footprint_log2) {
        Params p = CacheFootprint::info.defaults;
        p.quantity = static_cast<int>(what);
        p.footprint_log2 = footprint_log2;
        auto outcome = kernels_.time("cache-footprint", p, {});
        if (const auto* why = std::get_if<Unavailable>(&outcome)) {
            ADD_FAILURE() << why->reason;
            return {};
        }
        return std::get<Timing>(std::move(outcome));
    }

    /// The largest power of two that leaves three quarters of the L2 free, and one that is four times the L2.
    int inside_l2() const { return log2_of(gpu_.l2_bytes) - 2; }
    int beyond_l2() const { return log2_of(gpu_.l2_bytes) + 3; }
    static int log2_of(std::int64_t bytes) {
        int log2 = 0;
        while (std::int64_t{2} << log2 <= bytes) ++log2;
        return log2;
    }

    GpuInfo gpu_;
    TimedKernels kernels_;
};

TEST_F(ChaseGpu, SpeedOfALoadFallsWithEveryCacheThatIsTooSmall) {
    const double l1 = time(CacheFootprint::What::latency, 14).cycles_per_request,
                 l2 = time(CacheFootprint::What::latency, inside_l2()).cycles_per_request,
                 dram = time(CacheFootprint::What::latency, beyond_l2()).cycles_per_request;
    EXPECT_GT(l1, 15);
    EXPECT_LT(l1, 150);
    EXPECT_GT(l2, 2 * l1);
    EXPECT_GT(dram, 1.5 * l2);
    EXPECT_LT(dram, 3000);
}

TEST_F(ChaseGpu, SpeedOfAllSmsFallsToo) {
    const Timing l1 = time(CacheFootprint::What::bandwidth, 14),
                 l2 = time(CacheFootprint::What::bandwidth, inside_l2()),
                 dram = time(CacheFootprint::What::bandwidth, beyond_l2());
    constexpr double kReadBytes = double{CacheFootprint::kBlocks} * CacheFootprint::kSliceBytes;
    for (const Timing& timing : {l1, l2, dram}) EXPECT_EQ(timing.useful_bytes, kReadBytes);
    EXPECT_GT(l1.gb_per_s(), 1.5 * l2.gb_per_s());
    EXPECT_GT(l2.gb_per_s(), 1.2 * dram.gb_per_s());
}

}  // namespace
}  // namespace warplens::test::chase_gpu_tests
