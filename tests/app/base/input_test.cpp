#include "app/base/input.h"

#include "app/base/errors.h"
#include "app/base/json_place.h"
#include "tests/with_folder.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <functional>

namespace warplens::test::input_tests {
namespace {

using testing::HasSubstr;

std::string complaint(const std::function<void()>& act) {
    try {
        act();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "(none)";
}

std::string complaint_about(const std::string& text, const std::stop_token& stop = {}) {
    return complaint([&] { parse_json(text, stop); });
}

std::string repeated(std::size_t times, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

TEST(Json, SixteenListsInEachOtherAndNoMore) {
    EXPECT_EQ(parse_json(std::string(16, '[') + std::string(16, ']')).size(), 1u);
    EXPECT_EQ(complaint_about(std::string(17, '[') + std::string(17, ']')),
              "lists and objects are nested more than 16 deep");
    EXPECT_THAT(complaint_about(repeated(17, "{\"a\":")), HasSubstr("nested more than 16 deep"));
}

TEST(Json, AsManyValuesAsARecordingCanHave) {
    constexpr std::size_t kMost = 4u << 20, kList = 4;
    const std::string refused = "it has more values than any of our files can have";
    EXPECT_EQ(parse_json("[" + repeated(kMost - kList - 1, "0,") + "0]").size(), kMost - kList);
    EXPECT_EQ(complaint_about("[" + repeated(kMost - kList, "0,") + "0]"), refused);
    EXPECT_EQ(complaint_about("[" + repeated(kMost / kList, "[],") + "0]"), refused);
    std::string keys = "{";
    for (int i = 0; i <= 200'000; ++i) keys += "\"" + std::to_string(i) + "\":0,";
    EXPECT_EQ(complaint_about(keys + "\"a\":0}"), "it has more than 200000 keys");
}

TEST(Json, NoWordOfMoreThanAMegabyte) {
    constexpr std::size_t kMost = 1u << 20;
    const std::string refused = "a text or number has more than 1048576 bytes";
    EXPECT_EQ(parse_json("[\"" + std::string(kMost, 'a') + "\"]")[0].get<std::string>().size(), kMost);
    for (const char* word : {"a", ",", "\\\"", "\\\\"})
        EXPECT_EQ(complaint_about("[\"" + repeated(kMost + 1, word) + "\"]"), refused) << word;
    EXPECT_EQ(complaint_about("[" + std::string(kMost + 1, '1') + "]"), refused);
    EXPECT_EQ(complaint_about("[" + repeated(20, "\"" + std::string(kMost / 10, 'a') + "\",") + "0]"),
              "(none)");
}

TEST(Json, GivesUpWhenItIsToldTo) {
    std::stop_source stop;
    const std::string text = "[" + repeated(5000, "0,") + "0]";
    EXPECT_EQ(complaint_about(text, stop.get_token()), "(none)");
    stop.request_stop();
    EXPECT_EQ(complaint_about(text, stop.get_token()), "cancelled");
}

class Input : public testing::Test, protected WithFolder {};

TEST_F(Input, AWholeFileOrItsBeginning) {
    std::ofstream(path("a")) << "0123456789";
    EXPECT_EQ(read_input(path("a"), 10), "0123456789");
    EXPECT_THAT(complaint([&] { read_input(path("a"), 9); }), HasSubstr("at most 0 MiB are read"));
    EXPECT_EQ(read_input_start(path("a"), 4), "0123");
    EXPECT_EQ(read_input_start(path("a"), 40), "0123456789");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(complaint([&] { read_input(path("a"), 10, stop.get_token()); }), "cancelled");
}

// A pipe would make the window wait for somebody who writes, a device for ever.
TEST_F(Input, OnlyRegularFiles) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    for (const std::string& file : {path("pipe"), std::string("/dev/zero"), folder_.string()})
        EXPECT_EQ(complaint([&] { read_input(file, 100); }), "it is not a file") << file;
    EXPECT_EQ(complaint([&] { read_input(path("none"), 100); }), "there is no such file");
    EXPECT_EQ(complaint([&] { read_input("", 100); }), "there is no such file");
}

}  // namespace
}  // namespace warplens::test::input_tests
