// The model of occupancy against the CUDA runtime's own answer, for every kernel that this program times.

#include "app/cli/occupancy/occupancy.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/launch_setting.h"
#include "kernels/timing/timed.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warplens::test::kernel_resources_gpu_tests {
namespace {

class KernelResourcesGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
        gpu_ = std::get<0>(gpus).front();
        if (!rules_of({gpu_.cc_major, gpu_.cc_minor}))
            GTEST_SKIP() << "no rules are known for this GPU's compute capability";
    }

    /// Empty with a reason: the GPU cannot launch it, which the setting says beforehand.
    std::vector<KernelResources> resources(const Scenario& scenario, const Params& p) {
        auto answer = kernels_.resources(scenario.info->id, p);
        if (auto* found = std::get_if<std::vector<KernelResources>>(&answer)) return std::move(*found);
        ADD_FAILURE() << scenario.info->id << " " << describe_settings(scenario, p) << ": "
                      << std::get<Unavailable>(answer).reason;
        return {};
    }

    bool can_run(const Scenario& scenario, const Params& p) const {
        return !refuse_gpu(*scenario.info, gpu_) &&
               !refuse_launch(*scenario.info, p, scenario.launch(p), limits_of(gpu_)) &&
               memory_bytes(scenario.launch(p)) < gpu_.memory_bytes / 2;
    }

    void expect_agreement(const Scenario& scenario, const Params& p) {
        SCOPED_TRACE(std::string(scenario.info->id) + " " + describe_settings(scenario, p));
        const std::vector<KernelResources> kernels = resources(scenario, p);
        ASSERT_FALSE(kernels.empty());
        // A pictured warp without an active lane asks nothing of the banks, so there is nothing to time.
        const LaunchSetting setting = describe_setting(scenario.info->id, p).value();
        const bool timed = setting.how != Measured::banks || !setting.bank_requests().empty();
        EXPECT_EQ(kernels.front().is_timed, timed);
        const LaunchShape shape = scenario.launch(p);
        for (const KernelResources& kernel : kernels) {
            const auto model = model_of_kernel({gpu_.cc_major, gpu_.cc_minor}, kernel);
            ASSERT_TRUE(model);
            EXPECT_EQ(model->blocks, kernel.blocks_per_sm)
                << kernel.name << " (" << kernel.role << "): " << kernel.threads << " threads, "
                << kernel.registers << " registers, " << kernel.static_shared << " + "
                << kernel.dynamic_shared << " bytes, carve-out " << kernel.carveout;
            EXPECT_GT(kernel.registers, 0);
            if (kernel.role != "grid") continue;
            EXPECT_EQ(kernel.threads, shape.block.x * shape.block.y)
                << "the launch that the board takes over";
            const auto dynamic = static_cast<int>(shared_bytes_of(shape));
            EXPECT_TRUE(kernel.dynamic_shared == dynamic || kernel.static_shared == shape.shared_bytes)
                << kernel.static_shared << " + " << kernel.dynamic_shared << " bytes instead of "
                << shape.shared_bytes;
        }
        ++compared_;
    }

    TimedKernels kernels_;
    GpuInfo gpu_;
    int compared_ = 0;
};

TEST_F(KernelResourcesGpu, TheModelSaysWhatTheRuntimeSaysAtDefaultsAndPresets) {
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<Params> settings{scenario.info->defaults};
        for (const Preset& preset : scenario.info->presets)
            settings.push_back(preset_params(scenario, preset));
        for (const Params& p : settings) {
            if (can_run(scenario, p)) expect_agreement(scenario, p);
        }
    }
    EXPECT_GT(compared_, 20);
}

TEST_F(KernelResourcesGpu, AlsoForEveryKernelThatIsBuilt) {
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& p : kernel_settings(scenario)) {
            if (can_run(scenario, p)) expect_agreement(scenario, p);
        }
    }
    EXPECT_GT(compared_, 100);
}

TEST_F(KernelResourcesGpu, AndAtRandomSettings) {
    std::mt19937 random(17);
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 20; ++i) {
            const Params p = test::small_random_params(scenario, random);
            if (can_run(scenario, p)) expect_agreement(scenario, p);
        }
    }
    EXPECT_GT(compared_, 100);
}

// What the table of recorded kernels relies on.
TEST_F(KernelResourcesGpu, SettingsOfOneKeyHaveOneKernelOrTheTableTellsThemApart) {
    KernelTable table{.cc = {gpu_.cc_major, gpu_.cc_minor}};
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& p : kernel_settings(scenario)) {
            if (can_run(scenario, p)) table.rows.push_back({&scenario, p, resources(scenario, p)});
        }
    }
    const std::vector<KernelTable> tables{read_kernel_table(write_kernel_table(table))};
    std::mt19937 random(18);
    int known = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < 20; ++i) {
            const Params p = test::small_random_params(scenario, random);
            if (!can_run(scenario, p)) continue;
            const RecordedKernel found = find_grid_kernel(tables, scenario, p);
            if (found.kernel == nullptr) continue;
            ++known;
            for (const KernelResources& kernel : resources(scenario, p)) {
                if (kernel.role != "grid") continue;
                EXPECT_EQ(kernel.registers, found.kernel->registers)
                    << scenario.info->id << " " << describe_settings(scenario, p);
            }
        }
    }
    EXPECT_GT(known, 100);
}

// Recording launches must not disturb them.
TEST_F(KernelResourcesGpu, LaunchesGoOnAfterwards) {
    for (const Scenario& scenario : all_scenarios()) {
        const Params& p = scenario.info->defaults;
        if (!can_run(scenario, p)) continue;
        ASSERT_FALSE(resources(scenario, p).empty());
        const auto once = kernels_.launch_once(scenario.info->id, p);
        const auto* why = std::get_if<Unavailable>(&once);
        EXPECT_EQ(why, nullptr) << scenario.info->id << ": " << why->reason;
    }
}

}  // namespace
}  // namespace warplens::test::kernel_resources_gpu_tests
