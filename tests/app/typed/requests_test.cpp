#include "app/typed/machine.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warplens::test::typed_requests_tests {
namespace {

using typed::Request;
using typed::Requests;

void expect_same(const Requests& requests, const std::vector<Request>& all) {
    ASSERT_EQ(requests.size(), all.size());
    std::size_t i = 0;
    const auto same = [&](const Request& one) {
        return one.begin == all[i].begin && one.interval == all[i].interval &&
               one.warp_interval == all[i].warp_interval && one.per_x == all[i].per_x &&
               one.bytes == all[i].bytes;
    };
    for (const Request& one : requests) {
        ASSERT_LT(i, all.size());
        ASSERT_TRUE(same(one)) << i;
        ASSERT_TRUE(same(requests[i])) << i;
        ++i;
    }
    EXPECT_EQ(i, all.size());
}

// Rounds that stand there once are those that a list of all requests has.
TEST(TypedRequests, AreThoseOfAllRounds) {
    std::mt19937 random(11);
    const auto some = [&](int most) { return int(random() % unsigned(most)); };
    for (int trial = 0; trial < 200; ++trial) {
        Requests requests;
        std::vector<Request> all;
        const auto make = [&] {
            Request one;
            one.begin = some(1000);
            one.bytes = std::int16_t(1 << some(4));
            one.interval = some(5);
            one.per_x = some(64);
            one.per_y = some(64);
            return one;
        };
        for (int part = some(6); part > 0; --part) {
            if (some(2) == 0) {
                all.push_back(make());
                requests.add(all.back());
                continue;
            }
            std::vector<Request> round;
            std::vector<std::int64_t> per_round;
            for (int i = some(4); i > 0; --i) {
                round.push_back(make());
                per_round.push_back(some(256) - 128);
            }
            const int count = some(5), intervals = some(2), warp_intervals = some(3);
            for (int k = 0; k < count; ++k) {
                for (std::size_t i = 0; i < round.size(); ++i) {
                    Request one = round[i];
                    one.begin += k * per_round[i];
                    one.interval += k * intervals;
                    one.warp_interval += k * warp_intervals;
                    all.push_back(one);
                }
            }
            requests.add_rounds(round, per_round, count, intervals, warp_intervals);
        }
        expect_same(requests, all);
        requests.move_to_block(3, 2);
        for (Request& one : all) {
            one.begin += 3 * one.per_x + 2 * one.per_y;
            one.per_x = 0;
        }
        expect_same(requests, all);
    }
}

}  // namespace
}  // namespace warplens::test::typed_requests_tests
