#include "app/typed/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostTokens = 20'000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Walks through a text and knows where it is.
class Reader {
public:
    Reader(std::string_view text, Position first) : text_(text), here_(first) {}

    bool done() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool follows(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    Position here() const { return here_; }
    std::size_t offset() const { return at_; }
    std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
    void skip(std::size_t count = 1) {
        for (; count > 0 && !done(); --count) {
            if (text_[at_++] == '\n')
                here_ = {here_.line + 1, 1};
            else
                ++here_.column;
        }
    }
    void skip_while(auto&& test) {
        while (!done() && test(peek())) skip();
    }
    /// To the end of the line, which a backslash before it prolongs.
    std::string_view skip_line() {
        const std::size_t begin = at_;
        while (!done() && peek() != '\n') skip(peek() == '\\' && peek(1) == '\n' ? 2 : 1);
        return since(begin);
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    Position here_;
};

constexpr std::array<std::string_view, 25> kSigns{
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--",
    "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", "::", "[[", "]]"};
constexpr std::string_view kSingleSigns = "+-*/%&|^~!<>=?:;,.()[]{}";

std::string_view read_number(Reader& in) {
    const std::size_t begin = in.offset();
    const bool hex = in.follows("0x") || in.follows("0X");
    char before = '\0';
    const auto belongs = [&](char c) {
        const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && !hex;
        const bool yes = is_letter(c) || is_digit(c) || c == '.' || c == '\'' || sign;
        before = c;
        return yes;
    };
    in.skip_while(belongs);
    return in.since(begin);
}

Token read_token(Reader& in) {
    const Position at = in.here();
    const std::size_t begin = in.offset();
    const char c = in.peek();
    if (is_letter(c)) {
        in.skip_while([](char next) { return is_letter(next) || is_digit(next); });
        return {TokenKind::name, in.since(begin), at};
    }
    if (is_digit(c) || (c == '.' && is_digit(in.peek(1)))) return {TokenKind::number, read_number(in), at};
    if (c == '"') {
        in.skip();
        in.skip_while([](char next) { return next != '"' && next != '\n'; });
        if (in.peek() != '"') throw SourceError(at, "a text in quotes does not end on its line");
        in.skip();
        return {TokenKind::text, in.since(begin + 1).substr(0, in.offset() - begin - 2), at};
    }
    for (const std::string_view sign : kSigns) {
        if (sign == "]]" || !in.follows(sign)) continue;  // a[b[i]] has two of them
        in.skip(sign.size());
        return {TokenKind::sign, in.since(begin), at};
    }
    if (kSingleSigns.find(c) == std::string_view::npos)
        throw SourceError(at,
                          fmt::format("this is no character of CUDA C++: {}", in_quotes(std::string(1, c))));
    in.skip();
    return {TokenKind::sign, in.since(begin), at};
}

void read_comment(Source& source, std::string_view text, Position at) {
    constexpr std::array<std::string_view, 7> kWords{"knob", "let", "launch", "in", "out", "inout", "index"};
    const std::string_view comment = trimmed(text);
    const std::size_t length = comment.find_first_of(" \t");
    const std::string_view word = comment.substr(0, length);
    if (length == std::string_view::npos || std::ranges::find(kWords, word) == kWords.end()) return;
    const std::string_view rest = trimmed(comment.substr(length));
    at.column += int(rest.data() - text.data());
    source.directives.push_back({word, rest, at});
}

/// Reads everything but directives of the preprocessor.
class SourceReader {
public:
    SourceReader(std::string_view text, const std::vector<std::string_view>& replaced)
        : in_(text, {}), replaced_(replaced) {}

    Source read() {
        while (!in_.done()) read_piece();
        source_.tokens.push_back({TokenKind::end, {}, in_.here()});
        return std::move(source_);
    }

private:
    void read_piece() {
        const Position at = in_.here();
        if (is_blank(in_.peek())) return in_.skip();
        if (in_.follows("//")) {
            in_.skip(2);
            const Position inside = in_.here();
            return read_comment(source_, in_.skip_line(), inside);
        }
        if (in_.follows("/*")) {
            in_.skip(2);
            while (!in_.done() && !in_.follows("*/")) in_.skip();
            if (in_.done()) throw SourceError(at, "a comment does not end");
            return in_.skip(2);
        }
        if (in_.peek() == '#') {
            in_.skip();
            const Position inside = in_.here();
            return read_preprocessor(inside, in_.skip_line());
        }
        const Token token = read_token(in_);
        append_expanded(source_, token, source_.tokens);
        if (source_.tokens.size() > kMostTokens) throw SourceError(token.at, "the text is too long");
    }

    /// #include and #pragma have no effect on addresses.
    void read_preprocessor(Position at, std::string_view line) {
        // Behind "//" stands a comment, as everywhere.
        std::vector<Token> tokens = read_tokens(line.substr(0, line.find("//")), at);
        const std::string_view word = tokens.front().text;
        if (word == "include" || word == "pragma" || word.empty()) return;
        if (word != "define")
            throw SourceError(at, fmt::format("not in the subset: #{}; #define and #include are", word));
        if (tokens.size() < 2 || tokens[1].kind != TokenKind::name)
            throw SourceError(at, "expected a name after #define");
        const Token& name = tokens[1];
        const char next = line.data() + line.size() > name.text.data() + name.text.size()
                              ? name.text.data()[name.text.size()]
                              : ' ';
        if (next == '(')
            throw SourceError(name.at,
                              "not in the subset: macros with parameters; write a __device__ function");
        source_.defined.push_back(name.text);
        if (std::ranges::find(replaced_, name.text) != replaced_.end()) return;
        tokens.pop_back();  // the end
        source_.macros[name.text] = {tokens.begin() + 2, tokens.end()};
    }

    Reader in_;
    const std::vector<std::string_view>& replaced_;
    Source source_;
};

}  // namespace

SourceError::SourceError(Position at, const std::string& sentence)
    : UsageError(fmt::format("line {}, column {}: {}", at.line, at.column, sentence)), at_(at) {}

void append_expanded(const Source& source, const Token& token, std::vector<Token>& out, int depth) {
    constexpr int kDeepest = 16;
    const auto macro = token.kind == TokenKind::name ? source.macros.find(token.text) : source.macros.end();
    if (macro == source.macros.end()) return out.push_back(token);
    if (depth == kDeepest || out.size() > kMostTokens)
        throw SourceError(token.at, "macros refer to each other");
    for (Token part : macro->second) {
        part.at = token.at;
        append_expanded(source, part, out, depth + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

Source read_source(std::string_view text, const std::vector<std::string_view>& replaced) {
    if (text.size() > kMostSourceBytes)
        throw SourceError({}, fmt::format("a kernel may have {} KiB of text", kMostSourceBytes / 1024));
    return SourceReader(text, replaced).read();
}

std::vector<Token> read_tokens(std::string_view text, Position first) {
    Reader in(text, first);
    std::vector<Token> tokens;
    while (true) {
        in.skip_while(is_blank);
        if (in.done()) break;
        if (text.starts_with("include") || text.starts_with("pragma")) {  // <name.h> is no expression
            tokens.push_back(read_token(in));
            break;
        }
        if (in.peek() == '\\') {  // the line goes on
            in.skip();
            continue;
        }
        tokens.push_back(read_token(in));
    }
    tokens.push_back({TokenKind::end, {}, in.here()});
    return tokens;
}

}  // namespace warplens::typed
