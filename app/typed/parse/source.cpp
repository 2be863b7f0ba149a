#include "app/typed/parse/source.h"

#include "app/typed/parse/macros.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens::typed {
namespace {

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

constexpr std::array<std::string_view, 28> kSigns{
    "<<<", ">>>", "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
    "--",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "->", "::", "[[", "]]", "##"};

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

/// A text or a character in quotes, on one line.
Token read_quoted(Reader& in, Position at) {
    const std::size_t begin = in.offset();
    const char quote = in.peek();
    in.skip();
    while (!in.done() && in.peek() != quote && in.peek() != '\n') in.skip(in.peek() == '\\' ? 2 : 1);
    if (in.peek() != quote) throw SourceError(at, "a text in quotes does not end on its line");
    in.skip();
    return {quote == '"' ? TokenKind::text : TokenKind::number, in.since(begin), at};
}

/// R"end(text)end"
Token read_raw(Reader& in, Position at) {
    const std::size_t begin = in.offset();
    in.skip(2);
    const std::size_t name = in.offset();
    in.skip_while([](char c) { return c != '(' && c != '\n'; });
    const std::string end = fmt::format("){}\"", in.since(name));
    while (!in.done() && !in.follows(end)) in.skip();
    if (in.done()) throw SourceError(at, "a text in quotes does not end");
    in.skip(end.size());
    return {TokenKind::text, in.since(begin), at};
}

Token read_token(Reader& in) {
    const Position at = in.here();
    const std::size_t begin = in.offset();
    const char c = in.peek();
    if (in.follows("R\"")) return read_raw(in, at);
    if (is_letter(c)) {
        in.skip_while([](char next) { return is_letter(next) || is_digit(next); });
        return {TokenKind::name, in.since(begin), at};
    }
    if (is_digit(c) || (c == '.' && is_digit(in.peek(1)))) return {TokenKind::number, read_number(in), at};
    if (c == '"' || c == '\'') return read_quoted(in, at);
    for (const std::string_view sign : kSigns) {
        if (sign == "]]" || sign == "[[" || !in.follows(sign)) continue;  // a[b[i]] has two of them
        in.skip(sign.size());
        return {TokenKind::sign, in.since(begin), at};
    }
    in.skip();
    return {TokenKind::sign, in.since(begin), at};
}

/// Whether a comment's words are a directive, and not a sentence that begins with the same word.
bool is_directive(std::string_view word, const std::vector<Token>& tokens) {
    const auto is = [&](std::size_t i, std::string_view text) {
        return i < tokens.size() && tokens[i].text == text;
    };
    const auto is_name = [&](std::size_t i) {
        return i < tokens.size() && tokens[i].kind == TokenKind::name;
    };
    if (word == "knob") return is_name(0) && is(1, "=");
    if (word == "kernel") return is_name(0) && tokens.size() == 2;

    if (word == "let") return is_name(0) && is(1, "=") && (is_expression(tokens, 2) || is_name(2));
    if (word == "launch") return is_name(0) && is(1, "=");

    std::size_t at = 0;  // "name type [size] word"
    while (is_name(at) && at < 5) ++at;
    if (!is(at, "[")) return false;
    const std::size_t size = at + 1;
    int open = 0;
    for (; at < tokens.size(); ++at) {
        if (is(at, "[")) ++open;
        if (is(at, "]") && --open == 0) break;
    }
    if (at >= tokens.size()) return true;  // a bracket is missing, which is said
    const std::vector<Token> inside(tokens.begin() + std::ptrdiff_t(size),
                                    tokens.begin() + std::ptrdiff_t(at));
    const std::size_t behind = tokens.size() - at - 2;  // and the end
    return is_expression(inside, 0) && behind <= (is_name(at + 1) ? 1u : 0u);
}

void read_comment(Source& source, std::string_view text, Position at) {
    constexpr std::array<std::string_view, 8> kWords{"knob", "let",   "launch", "in",
                                                     "out",  "inout", "index",  "kernel"};
    const std::string_view comment = trimmed(text);
    const std::size_t length = comment.find_first_of(" \t");
    const std::string_view word = comment.substr(0, length);
    if (length == std::string_view::npos || std::ranges::find(kWords, word) == kWords.end()) return;
    const std::string_view rest = trimmed(comment.substr(length));
    at.column += int(rest.data() - text.data());
    try {
        if (is_directive(word, read_tokens(rest, at))) source.directives.push_back({word, rest, at});
    } catch (const SourceError&) {  // a sentence with one quote
    }
}

/// Reads a text line by line: comments, directives of the preprocessor, and tokens between them.
class SourceReader {
public:
    SourceReader(std::string_view text, const std::vector<std::string_view>& replaced)
        : in_(text, {}), replaced_(replaced) {
        for (const auto& [name, value] : kGiven) source_.macros[name].body = {{TokenKind::number, value, {}}};
        // A loop that headers of several libraries define alike.
        constexpr std::string_view kLoop =
            "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)";
        for (const std::string_view name : {"CUDA_KERNEL_LOOP", "CUDA_1D_KERNEL_LOOP"}) {
            Macro& macro = source_.macros[name];
            macro.has_parameters = true;
            macro.parameters = {"i", "n"};
            macro.body = read_tokens(kLoop, {});
            macro.body.pop_back();
        }
    }

    Source read() {
        bool first = true;  // on its line
        while (!in_.done()) {
            if (is_blank(in_.peek())) {
                first = first || in_.peek() == '\n';
                in_.skip();
            } else if (!skip_comment()) {
                read_piece(first);
                first = false;
            }
        }
        flush();
        if (!conditions_.empty()) throw SourceError(conditions_.back().at, "an #endif is missing");
        source_.tokens.push_back({TokenKind::end, {}, in_.here()});
        return std::move(source_);
    }

private:
    // What nvcc says of itself while it compiles for a GPU.
    static constexpr std::pair<std::string_view, std::string_view> kGiven[] = {
        {"__CUDACC__", "1"},           {"__CUDA_ARCH__", "900"},    {"__NVCC__", "1"},
        {"__cplusplus", "201703"},     {"CUDART_VERSION", "12000"}, {"CUDA_VERSION", "12000"},
        {"__CUDACC_VER_MAJOR__", "12"}};

    struct Branch {
        Position at;
        bool outer = true, taken = false, now = false;
    };
    bool is_taken() const { return conditions_.empty() || conditions_.back().now; }

    bool skip_comment() {
        const Position at = in_.here();
        if (in_.follows("//")) {
            in_.skip(2);
            const Position inside = in_.here();
            const std::string_view line = in_.skip_line();
            if (is_taken()) read_comment(source_, line, inside);
            return true;
        }
        if (!in_.follows("/*")) return false;
        in_.skip(2);
        while (!in_.done() && !in_.follows("*/")) in_.skip();
        if (in_.done()) throw SourceError(at, "a comment does not end");
        in_.skip(2);
        return true;
    }

    void read_piece(bool first) {
        if (first && in_.peek() == '#') {
            in_.skip();
            return read_preprocessor();
        }
        if (in_.peek() == '\\') return in_.skip();  // the line goes on
        if (!is_taken()) {
            in_.skip_line();  // perhaps with an odd quote
            return;
        }
        pending_.push_back(read_token(in_));
        if (pending_.size() + source_.tokens.size() > kMostTokens)
            throw SourceError(pending_.back().at, "the text is too long");
    }

    /// The tokens of the line, which a backslash at its end prolongs.
    std::vector<Token> line_tokens() {
        std::vector<Token> tokens;
        while (!in_.done() && in_.peek() != '\n') {
            if (in_.peek() == '\\' && (in_.peek(1) == '\n' || in_.peek(1) == '\r'))
                in_.skip(in_.peek(1) == '\r' ? 3 : 2);
            else if (is_blank(in_.peek()))
                in_.skip();
            else if (!skip_comment())
                tokens.push_back(read_token(in_));
        }
        return tokens;
    }

    void read_preprocessor() {
        in_.skip_while([](char c) { return c == ' ' || c == '\t'; });
        const Position at = in_.here();
        const std::size_t begin = in_.offset();
        in_.skip_while([](char c) { return is_letter(c); });
        const std::string_view word = in_.since(begin);
        const bool decides = word == "if" || word == "ifdef" || word == "ifndef" || word == "elif" ||
                             word == "else" || word == "endif";
        const bool counts = is_taken() && (word == "define" || word == "undef" || word == "pragma");
        if (!decides && !counts) {
            in_.skip_line();  // #include and the like have no effect on addresses
            return;
        }
        flush();
        if (word == "pragma") return read_pragma();
        if (word == "define") return read_define(at);
        const std::vector<Token> tokens = line_tokens();
        if (word == "undef") {
            if (!tokens.empty()) source_.macros.erase(tokens[0].text);
        } else if (word == "if" || word == "ifdef" || word == "ifndef") {
            const bool outer = is_taken();
            const bool now =
                outer && (word == "if" ? holds(tokens) : is_defined(tokens) == (word == "ifdef"));
            conditions_.push_back({at, outer, now, now});
        } else if (conditions_.empty()) {
            throw SourceError(at, fmt::format("#{} without an #if", word));
        } else if (word == "endif") {
            conditions_.pop_back();
        } else {
            Branch& branch = conditions_.back();
            branch.now = branch.outer && !branch.taken && (word == "else" || holds(tokens));
            branch.taken = branch.taken || branch.now;
        }
    }

    /// Pragmas about loops say what a compiler makes of a kernel; the others are left out.
    void read_pragma() {
        const std::vector<Token> tokens = line_tokens();
        if (tokens.empty() || tokens[0].text != "unroll") return;
        std::string text = "unroll";
        for (const Token& token : expanded(source_, {tokens.begin() + 1, tokens.end()})) {
            const bool sign = token.kind == TokenKind::sign && token.text.size() == 1 &&
                              std::string_view("()+-*/").find(token.text[0]) != std::string_view::npos;
            if (sign || token.kind == TokenKind::number || token.kind == TokenKind::name)
                text += fmt::format(" {}", token.text);
        }
        source_.unrolls[source_.tokens.size()] = text;
    }

    bool is_defined(const std::vector<Token>& tokens) const {
        return !tokens.empty() && source_.macros.contains(tokens[0].text);
    }

    bool holds(const std::vector<Token>& tokens) {
        std::vector<Token> decided;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].text != "defined") {
                decided.push_back(tokens[i]);
                continue;
            }
            const bool open = i + 1 < tokens.size() && tokens[i + 1].text == "(";
            const std::size_t name = i + (open ? 2 : 1);
            const bool yes = name < tokens.size() && source_.macros.contains(tokens[name].text);
            decided.push_back({TokenKind::number, yes ? "1" : "0", tokens[i].at});
            i = name + (open ? 1 : 0);
        }
        return holds_condition(expanded(source_, decided));
    }

    void read_define(Position at) {
        in_.skip_while([](char c) { return c == ' ' || c == '\t'; });
        if (!is_letter(in_.peek())) throw SourceError(at, "expected a name after #define");
        const Token name = read_token(in_);
        Macro macro;
        macro.has_parameters = in_.peek() == '(';
        std::vector<Token> tokens = line_tokens();
        if (macro.has_parameters) {
            std::size_t i = 1;
            for (; i < tokens.size() && tokens[i].text != ")"; ++i) {
                if (tokens[i].text == "...") macro.variadic = true;
                if (tokens[i].kind == TokenKind::name) macro.parameters.push_back(tokens[i].text);
            }
            tokens.erase(tokens.begin(), tokens.begin() + std::ptrdiff_t(std::min(i + 1, tokens.size())));
        }
        macro.body = std::move(tokens);
        source_.defined.push_back(name.text);
        if (std::ranges::find(replaced_, name.text) == replaced_.end())
            source_.macros[name.text] = std::move(macro);
    }

    /// Macros are replaced with what they mean here.
    void flush() {
        const std::vector<Token> made = expanded(source_, pending_);
        source_.tokens.insert(source_.tokens.end(), made.begin(), made.end());
        pending_.clear();
    }

    Reader in_;
    const std::vector<std::string_view>& replaced_;
    Source source_;
    std::vector<Token> pending_;
    std::vector<Branch> conditions_;
};

}  // namespace

SourceError::SourceError(Position at, const std::string& sentence, Kind kind)
    : UsageError(fmt::format("line {}, column {}: {}", at.line, at.column, sentence)), at_(at), kind_(kind) {}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

Source read_source(std::string_view text, const std::vector<std::string_view>& replaced) {
    if (text.size() > kMostSourceBytes)
        throw SourceError({}, fmt::format("a file may have {} KiB of text", kMostSourceBytes / 1024));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return SourceReader(text, replaced).read();
}

std::vector<Token> read_tokens(std::string_view text, Position first) {
    Reader in(text, first);
    std::vector<Token> tokens;
    while (true) {
        in.skip_while(is_blank);
        if (in.done()) break;
        tokens.push_back(read_token(in));
    }
    tokens.push_back({TokenKind::end, {}, in.here()});
    return tokens;
}

bool is_expression(const std::vector<Token>& tokens, std::size_t first) {
    const auto is_operand = [&](std::size_t i) {
        return tokens[i].kind == TokenKind::name || tokens[i].kind == TokenKind::number;
    };
    if (first >= tokens.size() || tokens[first].kind == TokenKind::end) return false;
    for (std::size_t i = first + 1; i < tokens.size(); ++i)
        if (is_operand(i - 1) && is_operand(i)) return false;
    return true;
}

}  // namespace warplens::typed
