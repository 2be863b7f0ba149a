// Requests whose lanes lie one step behind the other are counted from the step, others lane by lane: the
// counts are those of sets of banks, sectors and lines.
#include "app/model/access/progression.h"
#include "app/model/access/banks.h"
#include "app/model/access/sectors.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace warplens::test::progression_tests {
namespace {

int wavefronts_by_force(const WarpAccess& access, const BankRules& rules) {
    const int lanes = analyze_banks(access, rules).lanes_per_group;
    int wavefronts = 0;
    for (int first = 0; first < kWarpLanes; first += lanes) {
        std::set<std::pair<int, std::uint64_t>> chunks;
        std::array<int, kMaxBanks> of_column{};
        int most = 0;
        for (int lane = first; lane < first + lanes; ++lane) {
            if ((access.active >> lane & 1u) == 0) continue;
            const BankSlot slot =
                bank_slot(rules, access.bytes_per_lane, access.byte_address[static_cast<std::size_t>(lane)]);
            if (chunks.insert({slot.column, slot.chunk}).second)
                most = std::max(most, ++of_column[static_cast<std::size_t>(slot.column)]);
        }
        if (most > 0) wavefronts += most + (access.bytes_per_lane == 16 ? rules.extra_16 : 0);
    }
    return wavefronts;
}

/// The oldest GPU with each of the rules for banks.
const std::vector<const DeviceFacts*>& gpus_that_differ() {
    static const std::vector<const DeviceFacts*> gpus = [] {
        std::vector<const DeviceFacts*> some;
        for (const DeviceFacts& device : generations())
            if (std::ranges::none_of(
                    some, [&](const DeviceFacts* one) { return one->bank_rules == device.bank_rules; }))
                some.push_back(&device);
        return some;
    }();
    return gpus;
}

void check(const WarpAccess& access) {
    std::set<std::uint64_t> addresses, sectors, lines;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = access.byte_address[static_cast<std::size_t>(std::countr_zero(rest))];
        addresses.insert(address);
        sectors.insert(address / kSectorBytes);
        lines.insert(address / kLineBytes);
    }
    const SectorCount count = count_sectors(access, {});
    ASSERT_EQ(count.sectors, static_cast<int>(sectors.size()));
    ASSERT_EQ(count.lines, static_cast<int>(lines.size()));
    ASSERT_EQ(count.bytes_used, static_cast<int>(addresses.size()) * access.bytes_per_lane);
    for (const DeviceFacts* device : gpus_that_differ()) {
        if (device->bank_rules.single_broadcast) continue;
        ASSERT_EQ(count_banks(access, device->bank_rules).wavefronts,
                  wavefronts_by_force(access, device->bank_rules))
            << device->name;
    }
}

TEST(Progression, EveryStepAndWidth) {
    for (const int width : {1, 2, 4, 8, 16}) {
        for (int step = -140; step <= 140; ++step) {
            for (const std::uint64_t first :
                 {std::uint64_t{0x100000}, std::uint64_t{0x100000} + 48, std::uint64_t{1} << 45}) {
                const WarpAccess access = strided(Space::shared, step * width, width, first);
                ASSERT_EQ(step_of(access), std::int64_t{step} * width);
                check(access);
            }
        }
    }
}

TEST(Progression, AnyOtherRequest) {
    std::mt19937_64 random(23);
    for (int round = 0; round < (all_cases() ? 200'000 : 20'000); ++round) {
        WarpAccess access = strided(Space::shared, 4, 1 << random() % 5, 0);
        const std::uint64_t range = std::uint64_t{1} << random() % 39,
                            width = static_cast<std::uint64_t>(access.bytes_per_lane);
        constexpr std::uint64_t kFarthestByVectors = std::uint64_t{1} << 18;
        const std::uint64_t far = (random() >> 8) / 256 * 256, past = random() % (2 * range) * width;
        const std::uint64_t start = random() % 4 == 0 ? far
                                    : random() % 4 == 0
                                        ? kFarthestByVectors - std::min(past, kFarthestByVectors)
                                        : 0;
        for (std::uint64_t& address : access.byte_address) address = start + random() % range * width;
        if (random() % 3 == 0) access.active = static_cast<std::uint32_t>(random());
        if (random() % 8 == 0) access.active = ~(1u << random() % kWarpLanes);
        check(access);
    }
}

TEST(Progression, WithoutAnActiveLaneNothingIsMoved) {
    WarpAccess access = strided(Space::global, 4);
    access.active = 0;
    check(access);
    EXPECT_EQ(count_bytes_used(access), 0);
}

TEST(Progression, OnlyWholeWarpsWithOneStep) {
    WarpAccess access = strided(Space::global, 8);
    EXPECT_EQ(step_of(access), 8);
    access.byte_address[20] += 8;
    EXPECT_FALSE(step_of(access));
    access = strided(Space::global, 8);
    access.active = 0x7fffffff;
    EXPECT_FALSE(step_of(access));
    access = strided(Space::global, 0, 4, 64);
    EXPECT_EQ(step_of(access), 0);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)  // around the end of the address space
        access.byte_address[lane] = lane * (std::uint64_t{1} << 60);
    EXPECT_FALSE(step_of(access));
}

}  // namespace
}  // namespace warplens::test::progression_tests
