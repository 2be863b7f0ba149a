// Data that come from the host: what crosses the link, in what pieces, and how long that takes.
#include "kernels/scenarios/host_memory.h"

#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/link.h"
#include "app/experiment/quantities.h"
#include "app/experiment/state.h"
#include "app/model/counters/agreement.h"
#include "app/model/time/flow.h"
#include "kernels/launch_setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::host_memory_tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const Scenario& scenario() { return *find_scenario("host-memory"); }

const DeviceFacts& device(std::string_view name = "H200") {
    return device_table().at(find_device(device_table(), name).value());
}

Params params_of(const std::string& settings) {
    return follow_link("host-memory?" + settings, initial_state(all_scenarios().front(), 0), device_table())
        .state.params;
}

Prediction predicted(const std::string& settings, const DeviceFacts& on = device()) {
    return predict(scenario(), params_of(settings), on);
}

}  // namespace

TEST(HostMemory, OnlyWhatIsCopiedNeedsTheMemoryOfTheGpu) {
    struct Case {
        const char* memory;
        HostKind kind;
        bool copied;
    };
    for (const Case& one : {Case{"pageable", HostKind::pageable, true},
                            {"pinned", HostKind::pinned, true},
                            {"mapped", HostKind::mapped, false},
                            {"managed", HostKind::managed, false},
                            {"prefetched", HostKind::managed, false}}) {
        const LaunchShape shape =
            scenario().launch(params_of(std::string("bytes=2^30&free=2&memory=") + one.memory));
        EXPECT_EQ(shape.host, one.kind) << one.memory;
        EXPECT_EQ(shape.buffer_bytes[0], 1 << 30) << one.memory;
        EXPECT_EQ(memory_bytes(shape), one.copied ? 1 << 30 : 0) << one.memory;
        EXPECT_EQ(shape.left_free > 0, std::string_view(one.memory) == "managed") << one.memory;
    }
}

TEST(HostMemory, ItsThreadsReadEachStrideOnceInEachRead) {
    for (const char* settings : {"bytes=2^16", "bytes=2^20&stride=8", "bytes=2^32&stride=32&reads=4"}) {
        const Params p = params_of(settings);
        const LaunchShape shape = HostMemory::launch(p);
        const std::int64_t threads = std::int64_t{shape.grid.x} * shape.block.x;
        EXPECT_EQ(threads * p.stride * 4, HostMemory::bytes(p)) << settings;
        EXPECT_EQ(shape.grid.y, p.items) << settings;
        const LaneAccess last = HostMemory::access(
            p, 0, {.block_x = shape.grid.x - 1, .block_y = shape.grid.y - 1, .x = shape.block.x - 1});
        EXPECT_EQ(last.byte_address,
                  static_cast<std::uint64_t>(HostMemory::bytes(p) - std::int64_t{p.stride} * 4));
    }
}

/// Bytes over the link are those of the pieces that carry them.
TEST(HostMemory, WhoCarriesTheBytesDecidesHowManyThereAre) {
    constexpr double kArray = 1 << 24;
    for (const char* memory : {"pageable", "pinned", "managed", "prefetched"}) {
        for (const char* more : {"", "&stride=32", "&reads=8"})
            EXPECT_EQ(predicted(std::string("bytes=2^24&memory=") + memory + more).transfer.bytes, kArray)
                << memory << more;
    }
    EXPECT_EQ(predicted("bytes=2^24&memory=mapped").transfer.bytes, kArray);
    EXPECT_EQ(predicted("bytes=2^24&memory=mapped&stride=8").transfer.bytes, kArray) << "whole sectors";
    EXPECT_EQ(predicted("bytes=2^24&memory=mapped&stride=32").transfer.bytes, kArray / 4);
    EXPECT_EQ(predicted("bytes=2^24&memory=mapped&reads=8").transfer.bytes, kArray * 8);
    EXPECT_EQ(predicted("bytes=2^32&memory=managed&reads=2&free=2").transfer.bytes, 8.0 * (1LL << 30));
    EXPECT_EQ(predicted("bytes=2^30&memory=managed&reads=2&free=2").transfer.bytes, double(1 << 30));
}

TEST(HostMemory, NothingIsFasterThanTheLinkUnlessItIsReadAgain) {
    for (const DeviceFacts& one : device_table()) {
        for (const char* memory : {"pageable", "pinned", "mapped", "managed", "prefetched"}) {
            for (const char* bytes : {"2^16", "2^22", "2^30"}) {
                const Prediction p = predicted(std::string("memory=") + memory + "&bytes=" + bytes, one);
                EXPECT_LT(p.value, std::max(one.link_gb_per_s, 1e-9)) << one.name << memory;
                EXPECT_LE(p.transfer.seconds * 1e6, p.time_us + 1e-9) << one.name << memory;
                EXPECT_EQ(
                    p.value > 0,
                    one.link_gb_per_s > 0 &&
                        does_not_fit(scenario(),
                                     params_of(std::string("memory=") + memory + "&bytes=" + bytes), one)
                            .empty())
                    << one.name << ' ' << memory;
            }
        }
    }
    EXPECT_GT(predicted("memory=pinned&reads=8").value, 4 * predicted("memory=pinned").value);
}

/// Measured on an H200 behind PCI Express 5.0 with 16 lanes: copies alone, and the others with a kernel that
/// reads all.
TEST(HostMemory, WhatAnH200Took) {
    struct Case {
        const char* settings;
        double ms;
    };
    for (const Case& one : {Case{"memory=pinned&bytes=2^20", 0.023},
                            {"memory=pinned&bytes=2^24", 0.306},
                            {"memory=pinned&bytes=2^28", 4.844},
                            {"memory=pageable&bytes=2^20", 0.087},
                            {"memory=pageable&bytes=2^26", 8.81},
                            {"memory=mapped&bytes=2^24", 0.334},
                            {"memory=mapped&bytes=2^26&stride=8", 1.311},
                            {"memory=mapped&bytes=2^26&stride=16", 1.156},
                            {"memory=mapped&bytes=2^26&stride=32", 0.735},
                            {"memory=managed&bytes=2^20", 0.214},
                            {"memory=managed&bytes=2^24", 2.58},
                            {"memory=managed&bytes=2^28", 40.1},
                            {"memory=managed&bytes=2^31&reads=2&free=2", 595.8},
                            {"memory=managed&bytes=2^32&reads=2&free=2", 1296},
                            {"memory=prefetched&bytes=2^20", 0.111},
                            {"memory=prefetched&bytes=2^24", 0.44},
                            {"memory=prefetched&bytes=2^28", 5.565}}) {
        const double ms = predicted(one.settings).transfer.seconds * 1e3;
        EXPECT_GT(ms, one.ms / 1.45) << one.settings;
        EXPECT_LT(ms, one.ms * 1.3) << one.settings;
    }
}

TEST(HostMemory, SaysWhoCarriesWhatAndForHowLong) {
    const auto verdict = [](const std::string& settings, const DeviceFacts& on) {
        const Prediction p = predicted(settings, on);
        return transfer_sentence(p.transfer, p.time_us);
    };
    EXPECT_THAT(verdict("memory=pinned", device()),
                HasSubstr("64 MiB come over the link as one copy, 1.22 ms of"));
    EXPECT_THAT(verdict("memory=mapped", device()), HasSubstr("sector by sector"));
    EXPECT_THAT(verdict("memory=managed&bytes=2^32&free=1", device()), HasSubstr("in every read again"));
    EXPECT_THAT(verdict("memory=pinned", device("3060 laptop")), EndsWith("depends on the machine."));
    EXPECT_EQ(transfer_sentence({}, 1), "");
}

/// Copies and moving pages pass the L2 and DRAM, too, so only what the L1 counts is foretold.
TEST(HostMemory, CountersOfTheKernelsRequestsAreForetold) {
    for (const char* memory : {"pinned", "mapped", "managed"}) {
        const ExpectedLaunch launch =
            expect_counters(scenario(), params_of(std::string("stride=8&memory=") + memory), device());
        EXPECT_FALSE(launch.counters.empty());
        for (const ExpectedCounter& counter : launch.counters) {
            EXPECT_EQ(counter.kind, Provenance::exact) << counter.words->metric;
            EXPECT_EQ(counter.words->metric.find("dram"), std::string_view::npos);
        }
    }
}

TEST(HostMemory, TheTrafficBeginsAtTheHost) {
    const auto flows = [](const std::string& settings) {
        const Params p = params_of(settings);
        return follow_bytes(scenario(), p, device(), analyze(scenario(), p, device()),
                            predict(scenario(), p, device()), false);
    };
    const FlowReport pinned = flows("memory=pinned"), mapped = flows("memory=mapped&stride=8");
    EXPECT_EQ(pinned.bytes(Memory::host, Memory::dram), double(1 << 26));
    EXPECT_EQ(pinned.bytes(Memory::host, Memory::l2), 0);
    EXPECT_EQ(mapped.bytes(Memory::host, Memory::l2), double(1 << 26));
    EXPECT_EQ(mapped.through(Memory::dram), 0);
    EXPECT_EQ(mapped.limiting, Memory::host);
    EXPECT_LE(mapped.utilization(Memory::host), 1);
}

}  // namespace warplens::test::host_memory_tests
