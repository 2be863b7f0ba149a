#include "app/model/catalogue.h"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::test::kernel_key_tests {

TEST(KernelKey, TellsInstructionsApartAndNotWhatOnlyMovesAddresses) {
    const Scenario& stride = *find_scenario("global-stride");
    Params p = stride.info->defaults, moved = p, wider = p;
    moved.stride = 17;
    moved.offset = 3;
    wider.element_bytes = 16;
    EXPECT_EQ(kernel_key(stride, p), kernel_key(stride, moved));
    EXPECT_NE(kernel_key(stride, p), kernel_key(stride, wider));
    const Scenario& multiply = *find_scenario("matrix-multiply");
    Params tile = multiply.info->defaults;
    tile.tile = tile.tile == 16 ? 32 : 16;
    EXPECT_NE(kernel_key(multiply, multiply.info->defaults), kernel_key(multiply, tile))
        << "a kernel of its own for each choice";
}

TEST(KernelKey, SettingsReachTheKernelOfEverySetting) {
    std::mt19937 random(8);
    for (const Scenario& scenario : all_scenarios()) {
        std::set<std::string> keys;
        for (const Params& p : kernel_settings(scenario)) {
            keys.insert(kernel_key(scenario, p));
            Params legal = p;
            clamp_knobs(scenario, legal);
            EXPECT_EQ(legal, p) << scenario.info->id << ": a setting that a person can make";
        }
        for (int i = 0; i < 300; ++i) {
            const Params p = test::random_params(scenario, random);
            EXPECT_TRUE(keys.contains(kernel_key(scenario, p))) << scenario.info->id;
        }
    }
}

}  // namespace warplens::test::kernel_key_tests
