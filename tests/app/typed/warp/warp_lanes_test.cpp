// Numbers of all lanes at once are those of each lane alone.
#include "app/typed/warp/warp_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace warplens::test::warp_lanes_tests {
namespace {

using namespace typed;

constexpr std::array<Scalar, 8> kTypes{Scalar::int8,  Scalar::uint8,  Scalar::int16, Scalar::uint16,
                                       Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::uint64};

class WarpLanes : public testing::Test {
protected:
    std::int64_t number(Scalar type) {
        const std::int64_t kNumbers[] = {0,
                                         1,
                                         2,
                                         7,
                                         31,
                                         32,
                                         33,
                                         127,
                                         1 << 20,
                                         -1,
                                         -5,
                                         (std::int64_t{1} << 31) - 1,
                                         std::int64_t(random_()),
                                         std::int64_t(random_() % 1000)};
        return wrap(kNumbers[random_() % std::size(kNumbers)], type);
    }
    /// Even or not, of numbers in the range of a type.
    Lanes lanes(Scalar type) {
        Lanes out = Lanes::uniform(number(type));
        const auto kind = random_() % 3;
        if (kind == 1) out.step = std::int64_t(random_() % 17) - 4;
        if (kind == 2) {
            out.spread();
            for (std::int64_t& at : out.at) at = number(type);
        }
        wrap_lanes(out, type);
        return out;
    }

    std::mt19937_64 random_{7};
};

TEST_F(WarpLanes, OperatorsAreThoseOfEachLane) {
    const Sign kSigns[] = {"+",  "-",  "*", "/",  "%", "&",  "|",  "^",
                           "<<", ">>", "<", "<=", ">", ">=", "==", "!="};
    int computed = 0, quickly = 0;
    for (int i = 0; i < 60'000; ++i) {
        const Scalar type = kTypes[random_() % kTypes.size()];
        const Sign sign = kSigns[random_() % std::size(kSigns)];
        const Lanes a = lanes(type), b = lanes(type);
        const bool compares =
            sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=";
        const auto check = [&](Lanes& out) {
            if (!compares) wrap_lanes(out, type);
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                const auto alone = apply_sign(sign, a.of(lane), b.of(lane), type);
                ASSERT_TRUE(alone.has_value()) << "C++ leaves it undefined";
                ASSERT_EQ(out.of(lane), compares ? *alone : wrap(*alone, type))
                    << "sign " << sign.code() << ", type " << int(type) << ", lane " << lane << ": "
                    << a.of(lane) << " and " << b.of(lane);
            }
        };
        Lanes out;
        if (apply_lanes(sign, a, b, type, out)) {
            ++computed;
            check(out);
        }
        Lanes quick;
        if (apply_quickly(sign, a, b, type, quick)) {
            ++quickly;
            check(quick);
        }
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(computed, 30'000);
    EXPECT_GT(quickly, 500);
}

TEST_F(WarpLanes, MergingTakesSomeLanes) {
    for (int i = 0; i < 2'000; ++i) {
        const Lanes a = lanes(Scalar::int32), b = lanes(Scalar::int32);
        const auto chosen = static_cast<std::uint32_t>(random_());
        Lanes out = a;
        out.merge(b, chosen);
        for (int lane = 0; lane < kWarpLanes; ++lane)
            ASSERT_EQ(out.of(lane), (chosen >> lane & 1u) != 0 ? b.of(lane) : a.of(lane));
    }
}

TEST_F(WarpLanes, EvenNumbersAreFound) {
    for (int i = 0; i < 2'000; ++i) {
        const Lanes a = lanes(Scalar::int64);
        Lanes found = a;
        found.spread();
        found.find_even();
        EXPECT_TRUE(!a.even || found.even);
        for (int lane = 0; lane < kWarpLanes; ++lane) ASSERT_EQ(found.of(lane), a.of(lane));
    }
}

}  // namespace
}  // namespace warplens::test::warp_lanes_tests
