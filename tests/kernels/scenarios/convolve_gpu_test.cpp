// The convolution's output, exactly: image and weights are multiples of 1/128, so that no sum is rounded.
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/constant_convolution.h"

#include "tests/kernels/scenarios/kernel_output.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warplens::test::convolve_gpu_tests {
namespace {

using Scenario = ConstantConvolution;

float float_at(const std::vector<unsigned char>& bytes, int element) {
    float value = 0;
    std::memcpy(&value, &bytes.at(static_cast<std::size_t>(element) * sizeof value), sizeof value);
    return value;
}

class ConvolveGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }
};

TEST_F(ConvolveGpu, EveryMemoryGivesTheSameImage) {
    for (const Choice& memory : Scenario::kMemories) {
        for (const int filter : {3, 5, 7, 9}) {
            for (const int matrix : {64, 256}) {
                Params p = Scenario::info.defaults;
                p.memory = memory.value;
                p.filter = filter;
                p.matrix = matrix;
                const auto result = test::launch_to_host("constant-convolution", p);
                if (const auto* why = std::get_if<Unavailable>(&result)) FAIL() << why->reason;
                const auto& output = std::get<test::KernelOutput>(result);
                for (int y = 0; y < matrix; ++y) {
                    for (int x = 0; x < matrix; ++x) {
                        double sum = 0;
                        for (int tap = 0; tap < filter * filter; ++tap) {
                            const int from = Scenario::in_element(p, y + tap / filter, x + tap % filter);
                            sum += double{float_at(output.in, from)} * Scenario::weight(tap);
                        }
                        ASSERT_EQ(float_at(output.after, Scenario::out_element(p, y, x)), sum)
                            << memory.name << " filter " << filter << " at " << y << ", " << x;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test::convolve_gpu_tests
