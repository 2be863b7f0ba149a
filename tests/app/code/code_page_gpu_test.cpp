// The kernel that is shown is the one that is launched: a scenario's header chooses as its .cu file does.
#include "app/code/code_page.h"

#include "app/experiment/evidence.h"
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/launch_setting.h"
#include "kernels/timing/timed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::code_page_gpu_tests {

TEST(CodePageGpu, ShowsTheKernelThatIsLaunched) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    const GpuInfo& gpu = std::get<0>(gpus).front();
    TimedKernels kernels;
    int compared = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            const LaunchShape shape = scenario.launch(params);
            if (refuse_gpu(*scenario.info, gpu) ||
                refuse_launch(*scenario.info, params, shape, limits_of(gpu)) ||
                memory_bytes(shape) > gpu.memory_bytes / 2)
                continue;
            SCOPED_TRACE(std::string(scenario.info->id) + ' ' + describe_settings(scenario, params));
            const auto answer = kernels.resources(scenario.info->id, params);
            if (const auto* why = std::get_if<Unavailable>(&answer)) {
                ADD_FAILURE() << why->reason;
                continue;
            }
            std::vector<std::string> launched;
            for (const KernelResources& kernel : std::get<0>(answer)) launched.push_back(kernel.name);
            EXPECT_THAT(launched, ::testing::Contains(scenario.facts->code(params).function));
            ++compared;
        }
    }
    EXPECT_GT(compared, 150);
}

}  // namespace warplens::test::code_page_gpu_tests
