#include "app/boards/story/story.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test::story_tests {
namespace {

const StoryValues kValues{{"tile", {"32", 32}}, {"tiled", story_flag(true)}, {"direct", story_flag(false)}};

/// Words of a story as they are said, or what is wrong with them.
std::string said(const std::string& words) {
    const nlohmann::json file = parse_json(words);
    try {
        return StoryPart({file, "f.json"}, kValues).text("why");
    } catch (const JsonError& error) {
        return error.what();
    }
}

TEST(Story, SaysWhatTheValuesDecide) {
    EXPECT_EQ(said(R"({"why": "a {tile} b {{c}}"})"), "a 32 b {c}");
    EXPECT_EQ(said(R"({"why": {"tiled": "yes {tile}", "else": "no"}})"), "yes 32");
    EXPECT_EQ(said(R"({"why": ["x", {"direct": "y", "else": "z"}, {"direct": "w"}]})"), "xz");
    EXPECT_EQ(said("{}"), "");
}

TEST(Story, AMistakeIsNamedWithItsPlace) {
    EXPECT_EQ(said(R"({"why": "{til}"})"), "f.json.why: there is no value called 'til'");
    EXPECT_EQ(said(R"({"why": {"til": "x"}})"), "f.json.why: there is no value called 'til'");
    EXPECT_EQ(said(R"({"why": {"direct": "{til}"}})"), "f.json.why: there is no value called 'til'");
    EXPECT_EQ(said(R"({"why": "a } b"})"), "f.json.why: a brace has no partner");
    EXPECT_EQ(said(R"({"why": 3})"), "f.json.why: expected words, found 3");
    EXPECT_NE(said(R"({"why": {"tiled": "a", "tile": "b"}})").find("two of its values"), std::string::npos);
}

}  // namespace
}  // namespace warplens::test::story_tests
