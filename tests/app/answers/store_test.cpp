// What the store promises, with workers, in slices of the frame loop, and at once.
#include "app/answers/store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace warplens::test::store_tests {

struct Setting {
    int scenario = 0, stride = 1, bank_mode = 4;
    bool operator==(const Setting&) const = default;
};

struct QuickKey {
    Setting setting;
    bool operator==(const QuickKey&) const = default;
};
int answer(const QuickKey& key, Store&) { return key.setting.stride * key.setting.bank_mode; }

/// The numbers from a quick answer on.
struct MapKey {
    Setting setting;
    int cells = 0;
    bool operator==(const MapKey&) const = default;
};
using Map = std::vector<int>;
struct MapWork : Slow<Map> {
    MapWork(const MapKey& key, Store& store) : cells(key.cells), base(*store.get(QuickKey{key.setting})) {}
    bool step() override {
        for (int i = 0; i < 16 && int(map.size()) < cells; ++i) map.push_back(base + int(map.size()));
        if (map.size() % 256 == 0) so_far = std::make_shared<const Map>(map);
        if (int(map.size()) < cells) return true;
        result = std::move(map);
        return false;
    }
    int cells, base;
    Map map;
};
Work<Map> answer(const MapKey& key, Store& store) { return std::make_unique<MapWork>(key, store); }
std::size_t bytes_of(const Map& map) { return map.size() * sizeof(int); }

struct FailingKey {
    bool operator==(const FailingKey&) const = default;
};
Work<int> answer(const FailingKey&, Store&) {
    return in_one_piece<int>([](const std::stop_token&) -> std::optional<int> {
        throw std::runtime_error("a negative number has no picture");
    });
}

/// Never ends by itself.
struct EndlessKey {
    int number = 0;
    bool operator==(const EndlessKey&) const = default;
};
std::atomic<int> endless_running = 0;
Work<int> answer(const EndlessKey&, Store&) {
    return in_one_piece<int>([](const std::stop_token& unwanted) -> std::optional<int> {
        ++endless_running;
        while (!unwanted.stop_requested()) std::this_thread::yield();
        --endless_running;
        return std::nullopt;
    });
}

template <class Key>
auto until_ended(Store& store, const Key& key) {
    for (;;) {
        auto now = store.get(key);
        if (!is_pending(now)) return now;
        store.advance(std::chrono::microseconds(200));
        std::this_thread::yield();
    }
}

class Stores : public testing::TestWithParam<JobsRun> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Stores,
                         testing::Values(JobsRun::on_workers, JobsRun::in_frames, JobsRun::at_once));

TEST_P(Stores, EveryFieldOfAKeyCountsAndNothingIsMadeTwice) {
    Store store(GetParam());
    EXPECT_EQ(*store.get(QuickKey{{0, 2, 4}}), 8);
    EXPECT_EQ(*store.get(QuickKey{{0, 2, 8}}), 16);
    until_ended(store, MapKey{{0, 2, 8}, 100});
    const std::size_t made = store.made();
    for (int i = 0; i < 60; ++i) {
        store.get(QuickKey{{0, 2, 8}});
        store.get(MapKey{{0, 2, 8}, 100});
        store.advance();
    }
    EXPECT_EQ(store.made(), made);
    EXPECT_EQ(store.made<QuickKey>(), 2u);
}

TEST_P(Stores, SlowAnswersComeAndErrorsAreAnswers) {
    Store store(GetParam());
    const Answer<Map> map = until_ended(store, MapKey{{0, 3, 4}, 5000});
    ASSERT_TRUE(known_of(map));
    ASSERT_EQ(known_of(map)->size(), 5000u);
    EXPECT_EQ(known_of(map)->back(), 12 + 4999);
    EXPECT_EQ(known_of(map), known_of(store.get(MapKey{{0, 3, 4}, 5000})));
    const Answer<int> none = until_ended(store, FailingKey{});
    ASSERT_TRUE(std::holds_alternative<Unavailable>(none));
    EXPECT_EQ(std::get<Unavailable>(none).reason, "a negative number has no picture");
}

TEST_P(Stores, KeptEqualsFreshOverARandomWalk) {
    Store store(
        GetParam(), [] {}, 20'000);  // so few bytes that answers are forgotten and made again
    std::mt19937 random(7);
    for (int i = 0; i < 10'000; ++i) {
        const Setting setting{int(random() % 3), int(random() % 20), random() % 2 != 0 ? 4 : 8};
        EXPECT_EQ(*store.get(QuickKey{setting}), setting.stride * setting.bank_mode);
        if (i % 50 == 0) {
            const Ready<Map> map = known_of(until_ended(store, MapKey{setting, 300}));
            ASSERT_TRUE(map);
            EXPECT_EQ(map->front(), setting.stride * setting.bank_mode);
        }
        store.advance(std::chrono::microseconds(50));
        EXPECT_LE(store.bytes(), 25'000u);
    }
}

TEST_P(Stores, WhatNoFrameAsksForIsNotWorkedOn) {
    if (GetParam() == JobsRun::at_once) return;  // where nothing can be left behind
    Store store(GetParam());
    for (int i = 0; i < 1000; ++i) {
        store.get(MapKey{{1, i, 4}, 1'000'000});
        store.advance(std::chrono::microseconds(20));
    }
    EXPECT_TRUE(known_of(until_ended(store, MapKey{{1, 999, 4}, 2000})));
    EXPECT_LT(store.bytes(), 1'000'000u * sizeof(int)) << "none of the thousand was completed";
}

TEST(Store, ALongPieceSeesThatItIsNotWanted) {
    Store store(JobsRun::on_workers);
    while (endless_running == 0) {
        EXPECT_TRUE(is_pending(store.get(EndlessKey{1})));
        store.advance();
    }
    while (endless_running > 0) store.advance();
}

TEST(Store, EndsInTheMiddleOfAnything) {
    {
        Store store(JobsRun::on_workers);
        while (endless_running == 0) store.get(EndlessKey{2});
        for (int i = 3; i < 40; ++i) store.get(EndlessKey{i});
    }
    EXPECT_EQ(endless_running, 0);
}

TEST(Store, WakesOncePerFrame) {
    std::atomic<int> woken = 0;
    Store store(JobsRun::on_workers, [&] { ++woken; });
    int frames = 0;
    while (is_pending(store.get(MapKey{{0, 1, 4}, 200'000}))) {
        store.advance();
        ++frames;
        std::this_thread::yield();
    }
    EXPECT_GE(woken, 1);
    EXPECT_LE(woken, frames + 1);
}

}  // namespace warplens::test::store_tests
