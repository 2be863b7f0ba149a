#include "app/code/code_text.h"

#include <gtest/gtest.h>

namespace warplens::test::code_text_tests {

namespace {

std::string joined(const std::vector<CodeToken>& tokens) {
    std::string text;
    for (const CodeToken& token : tokens) text += token.text;
    return text;
}

CodeTone tone(std::string_view line, std::string_view word) {
    for (const CodeToken& token : code_tokens(line))
        if (token.text == word) return token.tone;
    ADD_FAILURE() << "no token '" << word << "' in: " << line;
    return CodeTone::plain;
}

std::string function(std::string_view text, std::string_view name) {
    const auto functions = functions_in(text);
    const auto found = functions.find(name);
    if (found == functions.end()) return "none";
    std::string lines;
    for (std::size_t i = found->second.first; i <= found->second.last; ++i)
        lines += std::string(lines_of_code(text)[i]) + "\n";
    return lines;
}

}  // namespace

TEST(CodeText, TokensAreTheLineAgain) {
    for (const char* line :
         {"", " ", "a", "\"open", "'", "\\", "x = 0x1F'000u + 1.5e3f; // why", "#include <a>",
          "asm volatile(\"ld.\\\"u32 %0\" : \"=r\"(v));", "a/b // c", "äö"})
        EXPECT_EQ(joined(code_tokens(line)), line);
}

TEST(CodeText, TellsTonesApart) {
    const char* line = "__shared__ float tile[33];  // const 5 \"x\"";
    EXPECT_EQ(tone(line, "__shared__"), CodeTone::cuda);
    EXPECT_EQ(tone(line, "float"), CodeTone::keyword);
    EXPECT_EQ(tone(line, "tile"), CodeTone::plain);
    EXPECT_EQ(tone(line, "33"), CodeTone::number);
    EXPECT_EQ(tone(line, "// const 5 \"x\""), CodeTone::comment);
    EXPECT_EQ(tone("int i = threadIdx.x;", "threadIdx"), CodeTone::cuda);
    EXPECT_EQ(tone("f(\"a // b\", 1);", "\"a // b\""), CodeTone::text);
    EXPECT_EQ(tone("f(\"a // b\", 1);", "1"), CodeTone::number);
    EXPECT_EQ(tone("floats = 1;", "floats"), CodeTone::plain) << "not the keyword that it begins with";
}

TEST(CodeText, EveryToneCanBeReadOnThePanelOfEveryTheme) {
    for (const ThemeName name : kThemeNames) {
        for (const CodeTone tone : kCodeTones)
            EXPECT_GE(contrast(code_color(theme(name), tone), theme(name).panel), 4.5)
                << theme_key(name) << ", tone " << static_cast<int>(tone);
    }
}

TEST(CodeText, FindsAFunctionWithItsHeadAndItsComment) {
    const char* text =
        "int a(int x);\n"
        "int b() { return a(3); }\n"
        "\n"
        "/// Adds one.\n"
        "template <class T>\n"
        "__device__ int\n"
        "    a(int x) {\n"
        "    if (x > 0) { return x + 1; }  // }\n"
        "    return 0;\n"
        "}\n"
        "int c() const { return b(); }\n";
    EXPECT_EQ(
        function(text, "a"),
        "/// Adds one.\ntemplate <class T>\n__device__ int\n    a(int x) {\n    if (x > 0) { return x + 1; }  "
        "// }\n    return 0;\n}\n");
    EXPECT_EQ(function(text, "b"), "int b() { return a(3); }\n");
    EXPECT_EQ(function(text, "c"), "int c() const { return b(); }\n");
    EXPECT_EQ(function(text, "d"), "none");
    EXPECT_EQ(function("int f(", "f"), "none");
    EXPECT_EQ(function("int f() {", "f"), "int f() {\n") << "what is never closed ends with the text";
}

}  // namespace warplens::test::code_text_tests
