#include "app/code/code_text.h"

#include "app/base/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

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
        const std::size_t end = skip(is_word_letter);
        return until(end, tone_of_word(line.substr(at, end - at)), true);
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
        return until(skip([](char d) { return is_word_letter(d) || d == '.' || d == '\''; }),
                     CodeTone::number);
    if (c == '"' || c == '\'') return until(end_of_quote(line, at), CodeTone::text);
    if (c == '#') return until(skip(is_word_letter), CodeTone::keyword);
    if (c == ' ') return until(skip([](char d) { return d == ' '; }), CodeTone::plain);
    return until(at + 1, CodeTone::plain);
}

/// One token of a text with its line. Spaces, comments and directives are left out.
struct Placed {
    CodeToken token;
    std::size_t line = 0;
};

std::vector<Placed> code_without_comments(std::string_view text) {
    std::vector<Placed> all;
    const std::vector<std::string_view> lines = lines_of_code(text);
    bool directive = false;  // or its next line
    for (std::size_t i = 0; i < lines.size(); ++i) {
        directive = (directive && lines[i - 1].ends_with('\\')) || lines[i].starts_with('#');
        if (directive) continue;
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

bool is_comment(std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string_view::npos && line.substr(first).starts_with("//");
}

/// Finds what a text defines, token by token.
class DefinitionFinder {
public:
    explicit DefinitionFinder(std::string_view text)
        : lines_(lines_of_code(text)), all_(code_without_comments(text)) {}

    std::vector<Definition> find() {
        find_macros();
        while (at_ < all_.size()) {
            if (is(at_, "namespace") && !is(at_ + 2, "=")) {
                while (at_ < all_.size() && !is(at_, "{")) ++at_;
                ++at_;
            } else if (is(at_, "}") || is(at_, ";")) {
                ++at_;
            } else {
                define();
            }
        }
        std::ranges::stable_sort(found_, {}, &Definition::head);
        return std::move(found_);
    }

private:
    bool is(std::size_t i, std::string_view what) const {
        return i < all_.size() && all_[i].token.text == what;
    }
    bool is_word(std::size_t i) const { return i < all_.size() && all_[i].token.word; }

    /// One definition, from at_ on.
    void define() {
        const std::size_t begin = at_;
        Definition made;
        if (is(at_, "template")) {
            at_ = behind_bracket(all_, begin + 1, '<', '>');
            made.template_parameters = list(begin + 2, at_ - 1);
        }
        made.head = made.first = all_[begin].line;
        made.body = at_ < all_.size() ? all_[at_].line : made.head;
        while (made.first > 0 && is_comment(lines_[made.first - 1])) --made.first;
        const std::vector<std::string> names = is_type(at_) ? skip_type() : skip_function_or_variables(made);
        made.last = all_[std::max(begin, std::min(at_, all_.size()) - 1)].line;
        for (const std::string& name : names) {
            made.name = name;
            found_.push_back(made);
        }
    }

    /// A macro that is only defined where the compiler does not have it: all from #if to #endif.
    void find_macros() {
        constexpr std::string_view kDefine = "#define ";
        std::size_t begin = 0;
        std::string name;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (lines_[i].starts_with("#if")) begin = i, name.clear();
            if (lines_[i].starts_with(kDefine))
                name = code_tokens(lines_[i].substr(kDefine.size())).front().text;
            if (!lines_[i].starts_with("#endif") || name.empty()) continue;
            Definition made{.name = name, .first = begin, .head = begin, .body = begin, .last = i};
            while (made.first > 0 && is_comment(lines_[made.first - 1])) --made.first;
            found_.push_back(made);
            name.clear();
        }
    }

    bool is_type(std::size_t i) const {
        constexpr std::string_view kWords[] = {"struct", "class", "union", "enum", "using", "namespace"};
        return std::ranges::any_of(kWords, [&](std::string_view word) { return is(i, word); });
    }

    /// @return  its name
    std::vector<std::string> skip_type() {
        std::vector<std::string> name;
        for (; at_ < all_.size() && !is(at_, ";"); ++at_) {
            if (is(at_, "{")) at_ = behind_bracket(all_, at_, '{', '}') - 1;
            const bool named = is_word(at_) && all_[at_].token.tone == CodeTone::plain;
            if (named && name.empty()) name.emplace_back(all_[at_].token.text);
        }
        ++at_;
        return name;
    }

    /// @return  the name of the function, or those of the variables
    std::vector<std::string> skip_function_or_variables(Definition& made) {
        std::vector<std::string> names;
        bool has_value = false;
        for (; at_ < all_.size() && !is(at_, ";"); ++at_) {
            if (is(at_, "(")) {
                const std::size_t open = at_, close = behind_bracket(all_, open, '(', ')');
                at_ = close;
                while (is(at_, "const") || is(at_, "noexcept")) ++at_;
                if (is(at_, "{") && !has_value) {  // the body of a function
                    if (is_word(open - 1)) names.emplace_back(all_[open - 1].token.text);
                    for (const std::string& one : list(open + 1, close - 1))
                        made.parameters.push_back(name_of_parameter(one));
                    at_ = behind_bracket(all_, at_, '{', '}');
                    return names;
                }
                --at_;
            } else if (is(at_, "{")) {
                at_ = behind_bracket(all_, at_, '{', '}') - 1;
            } else if (is(at_, "=") || is(at_, ",")) {
                has_value = is(at_, "=");
            } else if (is_word(at_) && !has_value) {
                const bool declares = is(at_ + 1, "=") || is(at_ + 1, "[") || is(at_ + 1, ";");
                if (declares) names.emplace_back(all_[at_].token.text);
            }
        }
        ++at_;
        return names;
    }

    /// "sums" of "float ( & sums ) [ 2 ]".
    static std::string name_of_parameter(std::string declared) {
        declared.resize(std::min(declared.find(" ["), declared.size()));
        if (declared.ends_with(" )")) declared.resize(declared.size() - 2);
        return declared.substr(declared.rfind(' ') + 1);
    }

    /// The parts between commas, without default values, each with a space between its tokens.
    std::vector<std::string> list(std::size_t begin, std::size_t end) const {
        std::vector<std::string> parts;
        int depth = 0;
        bool keep = true, fresh = true;
        for (std::size_t i = begin; i < end; ++i) {
            const std::string_view text = all_[i].token.text;
            if (text == "<" || text == "(" || text == "[") ++depth;
            if (text == ">" || text == ")" || text == "]") --depth;
            if (depth == 0 && text == ",") {
                keep = fresh = true;
                continue;
            }
            if (depth == 0 && text == "=") keep = false;
            if (!keep) continue;
            if (fresh) parts.emplace_back();
            parts.back() += (fresh ? "" : " ") + std::string(text);
            fresh = false;
        }
        return parts;
    }

    std::vector<std::string_view> lines_;
    std::vector<Placed> all_;
    std::vector<Definition> found_;
    std::size_t at_ = 0;
};

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

std::vector<Definition> definitions_in(std::string_view text) { return DefinitionFinder(text).find(); }

}  // namespace warplens
