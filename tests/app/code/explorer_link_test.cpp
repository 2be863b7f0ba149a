// A link to Compiler Explorer holds the whole source: decoded, it is there again.
#include "app/code/program_text.h"

#include "app/code/code_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test::explorer_link_tests {

namespace {

constexpr std::string_view kSite = "https://godbolt.org/clientstate/";

std::string decode(std::string_view base64) {
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char letter : base64) {
        const std::size_t value = kLetters.find(letter);
        EXPECT_NE(value, std::string_view::npos) << letter;
        bits = bits << 6 | static_cast<unsigned>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

nlohmann::json state_of(const std::string& link) {
    EXPECT_TRUE(link.starts_with(kSite)) << link;
    return nlohmann::json::parse(decode(std::string_view(link).substr(kSite.size())));
}

}  // namespace

TEST(ExplorerLink, HoldsTheSourceForNvcc) {
    // Of every length modulo 3, with quotes, line breaks and what is not ASCII.
    for (const char* source : {"", "a", "ab", "abc", "int f() {\n    return '\"';\n}\n", "// ä € \\ ?/+"}) {
        const nlohmann::json state = state_of(explorer_link(source));
        const nlohmann::json& session = state.at("sessions").at(0);
        EXPECT_EQ(session.at("language"), "cuda");
        EXPECT_EQ(session.at("source"), source);
        EXPECT_EQ(session.at("compilers").at(0).at("options"), "-O3 -arch=sm_90");
    }
}

TEST(ExplorerLink, IsShortEnoughForBrowsersAndServers) {
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            const CodePage page = code_page(scenario, preset_params(scenario, preset));
            EXPECT_LT(explorer_link(page.kernel_text()).size(), 10'000u) << scenario.info->id;
        }
    }
}

}  // namespace warplens::test::explorer_link_tests
