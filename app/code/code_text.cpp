#include "app/code/code_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens {
namespace {

constexpr auto kKeywords =
    std::to_array<std::string_view>({"alignas",  "asm",      "auto",      "bool",        "break",
                                     "case",     "char",     "class",     "const",       "constexpr",
                                     "continue", "decltype", "default",   "do",          "double",
                                     "else",     "enum",     "extern",    "false",       "float",
                                     "float4",   "for",      "if",        "inline",      "int",
                                     "int64_t",  "long",     "namespace", "new",         "noexcept",
                                     "nullptr",  "private",  "public",    "return",      "short",
                                     "signed",   "sizeof",   "static",    "struct",      "static_assert",
                                     "switch",   "template", "true",      "typename",    "uint2",
                                     "uint32_t", "uint4",    "uint64_t",  "unsigned",    "using",
                                     "void",     "volatile", "while",     "static_cast", "reinterpret_cast"});

constexpr auto kCuda = std::to_array<std::string_view>(
    {"threadIdx", "blockIdx", "blockDim", "gridDim", "tex2D", "clock64", "fmaf", "WARPLENS_HD"});

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

CodeTone tone_of_word(std::string_view word) {
    if (std::ranges::find(kKeywords, word) != kKeywords.end()) return CodeTone::keyword;
    // Names that CUDA adds to the language begin with two underscores.
    if (word.starts_with("__") || std::ranges::find(kCuda, word) != kCuda.end()) return CodeTone::cuda;
    return CodeTone::plain;
}

std::size_t end_of_quote(std::string_view line, std::size_t begin) {
    std::size_t at = begin + 1;
    while (at < line.size() && line[at] != line[begin]) at += line[at] == '\\' ? 2 : 1;
    return std::min(at + 1, line.size());
}

CodeToken next_token(std::string_view line, std::size_t at) {
    const char c = line[at];
    const auto until = [&](std::size_t end, CodeTone tone, bool word = false) {
        return CodeToken{line.substr(at, end - at), tone, word};
    };
    const auto skip = [&](auto belongs) {
        std::size_t end = at + 1;
        while (end < line.size() && belongs(line[end])) ++end;
        return end;
    };
    if (line.substr(at, 2) == "//") return until(line.size(), CodeTone::comment);
    if (starts_word(c)) {
        const std::size_t end = skip(in_word);
        return until(end, tone_of_word(line.substr(at, end - at)), true);
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
        return until(skip([](char d) { return in_word(d) || d == '.' || d == '\''; }), CodeTone::number);
    if (c == '"' || c == '\'') return until(end_of_quote(line, at), CodeTone::text);
    if (c == '#') return until(skip(in_word), CodeTone::keyword);
    if (c == ' ') return until(skip([](char d) { return d == ' '; }), CodeTone::plain);
    return until(at + 1, CodeTone::plain);
}

/// One token of a text with its line. Spaces and comments are left out.
struct Placed {
    CodeToken token;
    std::size_t line = 0;
};

std::vector<Placed> code_without_comments(std::string_view text) {
    std::vector<Placed> all;
    const std::vector<std::string_view> lines = lines_of_code(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (const CodeToken& token : code_tokens(lines[i])) {
            const bool counts = token.tone != CodeTone::comment && token.text.front() != ' ';
            if (counts) all.push_back({token, i});
        }
    }
    return all;
}

/// The index of the token behind the bracket that closes the one at `open`, or the number of tokens if it is
/// never closed.
std::size_t behind_bracket(const std::vector<Placed>& all, std::size_t open, char opens, char closes) {
    int depth = 0;
    for (std::size_t i = open; i < all.size(); ++i) {
        if (all[i].token.text.front() == opens) ++depth;
        if (all[i].token.text.front() == closes && --depth == 0) return i + 1;
    }
    return all.size();
}

/// Whether a line can be the head of a function, or a comment before it.
bool belongs_to_head(std::string_view line) {
    const std::size_t last = line.find_last_not_of(' ');
    if (last == std::string_view::npos || line.front() == '#') return false;
    const bool comment = line.substr(line.find_first_not_of(' ')).starts_with("//");
    return comment || std::string_view("};{:").find(line[last]) == std::string_view::npos;
}

}  // namespace

Color code_color(const Theme& theme, CodeTone tone) {
    constexpr double kReadable = 4.5;
    const auto readable = [&](Color color) { return distinct_from(color, theme.panel, kReadable); };
    switch (tone) {
        case CodeTone::keyword:
            return readable(theme.series[kSeriesMeasured]);
        case CodeTone::cuda:
            return readable(theme.series[kSeriesModel]);
        case CodeTone::number:
            return readable(theme.series[2]);
        case CodeTone::text:
            return readable(theme.series[6]);
        case CodeTone::comment:
            return readable(theme.text_weak);
        case CodeTone::plain:
            break;
    }
    return theme.text;
}

std::vector<CodeToken> code_tokens(std::string_view line) {
    std::vector<CodeToken> tokens;
    for (std::size_t at = 0; at < line.size(); at += tokens.back().text.size())
        tokens.push_back(next_token(line, at));
    return tokens;
}

std::vector<std::string_view> lines_of_code(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::map<std::string, CodeRange, std::less<>> functions_in(std::string_view text) {
    const std::vector<Placed> all = code_without_comments(text);
    const std::vector<std::string_view> lines = lines_of_code(text);
    const auto is = [&](std::size_t i, std::string_view what) {
        return i < all.size() && all[i].token.text == what;
    };
    std::map<std::string, CodeRange, std::less<>> functions;
    for (std::size_t i = 1; i < all.size(); ++i) {
        // A definition has a type or a macro before its name; a call of a member has a dot.
        if (!all[i].token.word || !is(i + 1, "(") || is(i - 1, ".")) continue;
        if (all[i].token.tone == CodeTone::keyword) continue;  // if (...) {
        std::size_t body = behind_bracket(all, i + 1, '(', ')');
        while (is(body, "const") || is(body, "noexcept")) ++body;
        if (!is(body, "{")) continue;
        CodeRange range{all[i].line, all[behind_bracket(all, body, '{', '}') - 1].line};
        while (range.first > 0 && belongs_to_head(lines[range.first - 1])) --range.first;
        functions.emplace(all[i].token.text, range);
    }
    return functions;
}

}  // namespace warplens
