#include "kernels/scenarios/cluster_shared.h"

#include "app/model/access/report.h"

#include "tests/random_params.h"

#include <gtest/gtest.h>

namespace warplens::test::cluster_shared_tests {

namespace {

using Place = ClusterShared::Place;

const Scenario& scenario() { return *find_scenario("cluster-shared"); }

Report report_of(Params params, Place place, ComputeCapability cc = {9, 0}) {
    params.variant = static_cast<int>(place);
    DeviceFacts device;
    device.name = "some GPU";
    device.cc = cc;
    return analyze(scenario(), params, device);
}

}  // namespace

TEST(ClusterShared, BanksAreThoseOfTheBlockThatIsAsked) {
    for (const int bytes : {4, 8, 16}) {
        for (int stride = 1; stride <= 32; ++stride) {
            Params params = ClusterShared::info.defaults;
            params.stride = stride;
            params.element_bytes = bytes;
            const Report own = report_of(params, Place::own), other = report_of(params, Place::neighbour);
            EXPECT_EQ(own.instructions[0].grid, other.instructions[0].grid);
            EXPECT_EQ(own.instructions[0].access.byte_address, other.instructions[0].access.byte_address);
            EXPECT_EQ(own.kind, Provenance::exact);
            EXPECT_EQ(other.kind, Provenance::approximate)
                << "how requests pass a distant bank is not documented";
        }
    }
}

TEST(ClusterShared, WorkedExamples) {
    Params params = ClusterShared::info.defaults;
    EXPECT_EQ(report_of(params, Place::neighbour).instructions[0].warp.wavefronts, 1);
    EXPECT_EQ(report_of(params, Place::global).instructions[0].warp.sectors, 4);
    params.stride = 8;
    EXPECT_EQ(report_of(params, Place::neighbour).instructions[0].warp.wavefronts, 8);
    EXPECT_EQ(report_of(params, Place::global).instructions[0].warp.sectors, 32);
}

TEST(ClusterShared, GridsAreWholeClustersAndTheAskedOneIsNotTheOwn) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 500; ++trial) {
        const Params params = test::random_params(scenario(), random);
        const LaunchShape shape = scenario().launch(params);
        EXPECT_EQ(shape.cluster, params.cluster);
        EXPECT_EQ(shape.grid.x % shape.cluster, 0);
        const Instruction instruction = scenario().instruction(params, 0);
        if (instruction.space != Space::cluster) continue;
        EXPECT_GE(instruction.ranks_away, 1);
        EXPECT_LT(instruction.ranks_away, shape.cluster);
    }
}

TEST(ClusterShared, AnOlderDeviceIsToldAndStillSeesThePicture) {
    const Params params = ClusterShared::info.defaults;
    const Report old = report_of(params, Place::neighbour, {8, 6});
    EXPECT_NE(old.does_not_fit.find("compute capability 9.0"), std::string::npos) << old.does_not_fit;
    EXPECT_NE(old.does_not_fit.find("some GPU has 8.6"), std::string::npos) << old.does_not_fit;
    EXPECT_EQ(old.instructions[0].warp.wavefronts, 1);
    EXPECT_EQ(report_of(params, Place::neighbour, {9, 0}).does_not_fit, "");
    EXPECT_EQ(report_of(params, Place::neighbour, {12, 0}).does_not_fit, "");
}

}  // namespace warplens::test::cluster_shared_tests
