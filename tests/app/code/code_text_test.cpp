#include "app/code/code_text.h"

#include <gtest/gtest.h>
#include <algorithm>

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

/// The lines of everything with that name, with comments.
std::string definition(std::string_view text, std::string_view name) {
    std::string lines;
    for (const Definition& one : definitions_in(text)) {
        if (one.name != name) continue;
        for (std::size_t i = one.first; i <= one.last; ++i)
            lines += std::string(lines_of_code(text)[i]) + "\n";
    }
    return lines.empty() ? "none" : lines;
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
        "template <class T, int kMost = 3>\n"
        "__device__ int __launch_bounds__(32)\n"
        "    a(const int* __restrict__ x, float (&sums)[kMost][2]) {\n"
        "    if (x > 0) { return x + 1; }  // }\n"
        "#pragma unroll\n"
        "    for (;;) return 0;\n"
        "}\n"
        "int c() const { return b(); }\n";
    EXPECT_EQ(
        definition(text, "a"),
        "/// Adds one.\ntemplate <class T, int kMost = 3>\n__device__ int __launch_bounds__(32)\n    a(const "
        "int* __restrict__ x, float (&sums)[kMost][2]) {\n    if (x > 0) { return x + 1; }  // }\n#pragma "
        "unroll\n    for (;;) return 0;\n}\n");
    EXPECT_EQ(definition(text, "b"), "int b() { return a(3); }\n");
    EXPECT_EQ(definition(text, "c"), "int c() const { return b(); }\n");
    EXPECT_EQ(definition(text, "d"), "none");
    EXPECT_EQ(definition("int f(", "f"), "none");
    EXPECT_EQ(definition("int f() {", "f"), "int f() {\n") << "what is never closed ends with the text";

    const std::vector<Definition> all = definitions_in(text);
    const auto a = std::ranges::find(all, "a", &Definition::name);
    ASSERT_NE(a, all.end());
    EXPECT_EQ(a->template_parameters, (std::vector<std::string>{"class T", "int kMost"}));
    EXPECT_EQ(a->parameters, (std::vector<std::string>{"x", "sums"}));
    EXPECT_EQ(a->first, 3u);
    EXPECT_EQ(a->head, 4u);
    EXPECT_EQ(a->body, 5u);
}

TEST(CodeText, FindsTypesVariablesAndMacros) {
    const char* text =
        "#include <vector>\n"
        "// Older compilers have no such word.\n"
        "#ifndef __word__\n"
        "#define __word__(x) y\n"
        "#endif\n"
        "namespace one {\n"
        "namespace {\n"
        "using Number = int;\n"
        "namespace cg = other;\n"
        "constexpr int kA = f(1, 2), kB[] = {3, 4};\n"
        "__constant__ float table[9 * 9];\n"
        "/// Of two.\n"
        "struct Pair {\n"
        "    int sum() const { return a + b; }\n"
        "    int a, b;\n"
        "};\n"
        "int over(int);\n"
        "int over(int x) { return x; }\n"
        "int over(Pair x) { return x.a; }\n"
        "template <>\n"
        "int special<Pair>() { return 1; }\n"
        "}  // namespace\n"
        "}  // namespace one\n";
    EXPECT_EQ(definition(text, "__word__"),
              "// Older compilers have no such word.\n#ifndef __word__\n#define __word__(x) y\n#endif\n");
    EXPECT_EQ(definition(text, "Number"), "using Number = int;\n");
    EXPECT_EQ(definition(text, "cg"), "namespace cg = other;\n");
    EXPECT_EQ(definition(text, "kA"), "constexpr int kA = f(1, 2), kB[] = {3, 4};\n");
    EXPECT_EQ(definition(text, "kB"), definition(text, "kA"));
    EXPECT_EQ(definition(text, "table"), "__constant__ float table[9 * 9];\n");
    EXPECT_EQ(definition(text, "Pair"),
              "/// Of two.\nstruct Pair {\n    int sum() const { return a + b; }\n    int a, b;\n};\n");
    EXPECT_EQ(definition(text, "sum"), "none") << "members are part of their type";
    EXPECT_EQ(definition(text, "over"), "int over(int x) { return x; }\nint over(Pair x) { return x.a; }\n");
}

}  // namespace warplens::test::code_text_tests
