#include "app/model/time/bank_loop.h"

#include "app/experiment/devices.h"
#include "app/model/access/report.h"
#include "tests/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::bank_loop_tests {
namespace {

double wavefronts(const char* id, auto... set) {
    const Scenario& scenario = *find_scenario(id);
    Params p = scenario.info->defaults;
    ((p.*(set.first) = set.second), ...);
    return wavefronts_per_request(scenario, p, h200());
}

TEST(BankLoop, TakesTheWavefrontsOfTheRequest) {
    EXPECT_EQ(wavefronts("shared-stride", std::pair{&Params::stride, 1}), 1);
    EXPECT_EQ(wavefronts("shared-stride", std::pair{&Params::stride, 32}), 32);
    EXPECT_EQ(wavefronts("shared-stride", std::pair{&Params::stride, 0}), 1) << "a broadcast";
    EXPECT_EQ(wavefronts("shared-tile", std::pair{&Params::padding, 0}), 32);
    EXPECT_EQ(wavefronts("shared-tile", std::pair{&Params::padding, 1}), 1);
}

TEST(BankLoop, IsAboutThePicturedStep) {
    // A tile of 40 columns walked by rows of 32: the second patch is 8 lanes wide, the first is full.
    const auto row = std::pair{&Params::walk, static_cast<int>(Walk::row)};
    const auto wide = std::pair{&Params::width, 40}, bytes = std::pair{&Params::element_bytes, 16};
    EXPECT_EQ(wavefronts("shared-tile", row, wide, bytes), 4);
    EXPECT_EQ(wavefronts("shared-tile", row, wide, bytes, std::pair{&Params::step, 1}), 1);
}

TEST(BankLoop, WithoutARequestThereIsNothingToExpect) {
    EXPECT_EQ(wavefronts("shared-stride", std::pair{&Params::mask, 0}), 0);
    EXPECT_EQ(wavefronts("global-stride"), 0);
}

TEST(BankLoop, TimesWhatGoesToSharedMemory) {
    for (const char* id : {"shared-stride", "shared-broadcast", "shared-tile", "transpose",
                           "shared-reduction", "matrix-multiply", "shared-matrix-load"}) {
        const Scenario& scenario = *find_scenario(id);
        EXPECT_TRUE(has_bank_loop(scenario, scenario.info->defaults)) << id;
    }
    for (const char* id : {"global-stride", "constant-lookup", "cache-footprint"}) {
        const Scenario& scenario = *find_scenario(id);
        EXPECT_FALSE(has_bank_loop(scenario, scenario.info->defaults)) << id;
    }
}

}  // namespace
}  // namespace warplens::test::bank_loop_tests
