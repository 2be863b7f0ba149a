#include "app/base/json_place.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>

namespace warplens::test::json_place_tests {
namespace {

/// The value, or what is wrong with the text.
std::string read(std::string_view text, bool in_steps) {
    try {
        return (in_steps ? parse_json_in_steps(text).done() : parse_json(text)).dump();
    } catch (const JsonError& error) {
        return error.what();
    }
}

TEST(JsonPlace, PiecesAreTheWhole) {
    const std::string sample =
        R"({"a": 1, "list":[{"x": [1, -2.5e3, "]}"], "y": {}}, [true,null], 7 , "t\"\u00e9"], "none": [],)"
        "\n\"deep\":{\"b\":[[1],[2]]},\"s\":\"x\",\"f\":false,\"n\":-1.5}\n";
    EXPECT_EQ(read(sample, true), read(sample, false));
    for (const char* text :
         {"", " ", "[1, 2]", "7", "{", "{}", "{} x", "{\"a\":1,\"a\":2}", "{\"a\":1,}", "{\"a\":[1,]}",
          "{\"a\":[1 2]}", "{\"a\":NaN}", "{\"a\":[{\"b\":1,\"b\":2}]}", "{}\xff"})
        EXPECT_EQ(read(text, true), read(text, false)) << text;
    for (const int deep : {13, 14, 15, 16, 17}) {
        const std::string lists(std::size_t(deep), '['), ends(std::size_t(deep), ']');
        for (const std::string& text :
             {"{\"a\":" + lists + ends + "}", "{\"a\":[{\"b\":" + lists + ends + "}]}"})
            EXPECT_EQ(read(text, true), read(text, false)) << text;
    }
    std::mt19937 random(7);
    const std::string signs = "{}[]\",: 017eE.-tfnu\\x\xff\n";
    for (int i = 0; i < 20'000; ++i) {
        std::string text = sample;
        for (int edits = int(random() % 3); edits >= 0; --edits) {
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0)
                text[at] = signs[random() % signs.size()];
            else
                text.erase(at, 1 + random() % 4);
        }
        ASSERT_EQ(read(text, true), read(text, false)) << text;
    }
}

}  // namespace
}  // namespace warplens::test::json_place_tests
