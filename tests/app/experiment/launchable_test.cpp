// What a GPU cannot launch is not predicted, and why is said.
#include "app/base/assets.h"
#include "app/experiment/devices.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/settings.h"
#include "app/model/access/report.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/prediction.h"
#include "kernels/launch_setting.h"
#include "tests/devices.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::launchable_tests {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view scenario, const char* settings, std::string_view device) {
    const Scenario& found = *find_scenario(scenario);
    Params params = found.info->defaults;
    for (const Preset& preset : found.info->presets)
        if (preset.settings == settings) params = preset_params(found, preset);
    return does_not_fit(found, params, gpu(device));
}

TEST(Launchable, SaysWhatIsMissing) {
    EXPECT_EQ(refusal("matrix-ladder", "variant=lean", "GTX 480"),
              "This kernel needs 208 registers a thread, GeForce GTX 480 has 63.");
    EXPECT_THAT(refusal("matrix-ladder", "variant=asynchronous", "V100"),
                HasSubstr("compute capability 8.0"));
    EXPECT_THAT(refusal("shared-reduction", "variant=shuffle", "C2050"), HasSubstr("compute capability 3.0"));
    EXPECT_EQ(refusal("shared-reduction", "variant=sequential", "C2050"), "");
    EXPECT_THAT(refusal("matrix-multiply", "", "8800 GTX"), HasSubstr("1024 threads per block"));
    EXPECT_EQ(refusal("matrix-ladder", "variant=lean", "H200"), "");

    const Scenario& stride = *find_scenario("global-stride");
    Params params = stride.info->defaults;
    params.elements_log2 = 26;
    params.stride = 1;
    EXPECT_THAT(does_not_fit(stride, params, gpu("GTX 480")), HasSubstr("blocks in x"));
    EXPECT_EQ(does_not_fit(stride, params, gpu("K40")), "");
    params.elements_log2 = 23;
    params.stride = 64;
    EXPECT_THAT(does_not_fit(stride, params, gpu("8800 GTX")), HasSubstr("768.0 MiB: choose fewer elements"));
}

// Where the launch can be made its blocks are resident; where it cannot nothing is predicted, and what its
// addresses ask for is counted all the same.
TEST(Launchable, AgreesWithTheRulesOfOccupancy) {
    std::mt19937 random(seed(31));
    int refused = 0, made = 0, cached = 0;
    for (const DeviceFacts& device : device_table()) {
        const std::optional<CapabilityFacts> rules = rules_of(device.cc);
        ASSERT_TRUE(rules) << device.name;
        for (const Scenario& scenario : all_scenarios()) {
            std::vector<Params> settings{scenario.info->defaults};
            for (const Preset& preset : scenario.info->presets)
                settings.push_back(preset_params(scenario, preset));
            for (int i = 0; i < 4; ++i) settings.push_back(small_random_params(scenario, random));
            for (const Params& params : settings) {
                SCOPED_TRACE(std::string(scenario.info->id) + " " + describe_settings(scenario, params) +
                             " " + device.name);
                const std::string why = does_not_fit(scenario, params, device);
                const LaunchShape shape = scenario.launch(params);
                const ScenarioInfo& info = *scenario.info;
                const int registers = info.registers == nullptr ? 1 : info.registers(params);
                const OccupancyInput input{shape.block.x * shape.block.y, registers, 0,
                                           int(shared_bytes_of(shape))};
                const int blocks = compute_occupancy(*rules, input).blocks;
                const Prediction predicted = predict(scenario, params, device);
                // The peak is DRAM's where nothing comes from the host. No rate above it is "limited by DRAM"
                // alone, nor does more than it come from there.
                const bool of_dram = predicted.limiter == Limiter::dram && predicted.peak > 0 &&
                                     predicted.transfer.carrier == Carrier::none;
                if (of_dram && predicted.value > predicted.peak) {
                    EXPECT_THAT(limiter_words(predicted), HasSubstr("caches deliver"));
                    EXPECT_LE(predicted.value * (1 - predicted.cached_share()), predicted.peak * 1.001);
                    ++cached;
                }
                if (why.empty()) {
                    ++made;
                    EXPECT_GT(blocks, 0);
                } else {
                    ++refused;
                    EXPECT_EQ(predicted.value, 0);
                    EXPECT_EQ(predicted.limiter, Limiter::none);
                    EXPECT_FALSE(analyze(scenario, params, device).instructions.empty());
                }
                EXPECT_TRUE(blocks > 0 || !why.empty());
            }
        }
    }
    EXPECT_GT(cached, 10);
    EXPECT_GT(refused, 500);
    EXPECT_GT(made, 3000);
}

TEST(Launchable, RegistersAreThoseThatTheCompilerReported) {
    int compared = 0;
    for (const KernelTable& table : kernel_tables()) {
        for (const KernelRow& row : table.rows) {
            if (row.scenario->info->registers == nullptr) continue;
            for (const KernelResources& kernel : row.kernels) {
                if (kernel.role != "grid") continue;
                ++compared;
                // One more or less with some paddings.
                EXPECT_NEAR(row.scenario->info->registers(row.params), kernel.registers, 1)
                    << row.scenario->info->id << " " << describe_settings(*row.scenario, row.params);
            }
        }
    }
    EXPECT_GT(compared, 150);
}

// Kernels of scenarios that say nothing of their registers have few enough for every GPU.
TEST(Launchable, OthersHaveFewRegisters) {
    constexpr int kFewest = 63;  // of a thread, on 2.x and 3.0
    for (const KernelTable& table : kernel_tables()) {
        for (const KernelRow& row : table.rows) {
            for (const KernelResources& kernel : row.kernels) {
                const bool counts = kernel.role == "grid" && row.scenario->info->registers == nullptr;
                EXPECT_TRUE(!counts || kernel.registers <= kFewest) << row.scenario->info->id;
            }
        }
    }
}

TEST(Launchable, TexturesFitEveryGpu) {
    for (const Scenario& scenario : all_scenarios()) {
        std::mt19937 random(seed(3));
        for (int i = 0; i < 50; ++i) {
            const Extent texture = scenario.launch(random_params(scenario, random)).texture;
            EXPECT_LE(texture.x, 65'000) << "linear textures of 1.x";
            EXPECT_LE(texture.y, 32'768);
        }
    }
}

}  // namespace
}  // namespace warplens::test::launchable_tests
