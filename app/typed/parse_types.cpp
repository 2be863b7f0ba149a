#include "app/typed/parser.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace warplens::typed {
namespace {

struct TypeName {
    std::string_view name;
    Scalar scalar;
};
constexpr TypeName kTypeNames[] = {
    {"void", Scalar::none},       {"bool", Scalar::boolean},    {"char", Scalar::int8},
    {"int8_t", Scalar::int8},     {"uint8_t", Scalar::uint8},   {"int16_t", Scalar::int16},
    {"uint16_t", Scalar::uint16}, {"int32_t", Scalar::int32},   {"uint32_t", Scalar::uint32},
    {"int64_t", Scalar::int64},   {"uint64_t", Scalar::uint64}, {"size_t", Scalar::uint64},
    {"float", Scalar::float32},   {"double", Scalar::float64},  {"uint", Scalar::uint32},
    {"uchar", Scalar::uint8},     {"ushort", Scalar::uint16}};

/// "float4", "int2", "uchar4".
std::optional<Type> vector_type(std::string_view name) {
    constexpr TypeName kBases[] = {
        {"char", Scalar::int8},     {"uchar", Scalar::uint8},    {"short", Scalar::int16},
        {"ushort", Scalar::uint16}, {"int", Scalar::int32},      {"uint", Scalar::uint32},
        {"float", Scalar::float32}, {"double", Scalar::float64}, {"longlong", Scalar::int64}};
    if (name.size() < 2) return std::nullopt;
    const char last = name.back();
    if (last != '2' && last != '4') return std::nullopt;
    for (const TypeName& base : kBases) {
        if (name.substr(0, name.size() - 1) != base.name) continue;
        const int lanes = last - '0';
        if (bytes_of(base.scalar) * lanes > 16) return std::nullopt;
        return Type{base.scalar, lanes};
    }
    return std::nullopt;
}

bool is_integer_word(std::string_view word) {
    return word == "int" || word == "long" || word == "short" || word == "char" || word == "unsigned" ||
           word == "signed";
}

bool is_qualifier(std::string_view word) {
    return word == "const" || word == "volatile" || word == "__restrict__" || word == "restrict" ||
           word == "static" || word == "constexpr" || word == "__restrict" || word == "inline" ||
           word == "__forceinline__" || word == "register" || word == "__noinline__";
}

}  // namespace

Parser::Parser(const Source& source, const std::map<std::string, std::int64_t, std::less<>>& values)
    : values_(values), tokens_(source.tokens), scopes_(1) {}

const Token& Parser::peek(std::size_t ahead) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
    const Token token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
}

bool Parser::is(std::string_view text, std::size_t ahead) const {
    const Token& token = peek(ahead);
    return token.kind != TokenKind::text && token.kind != TokenKind::end && token.text == text;
}

bool Parser::accept(std::string_view text) {
    if (!is(text)) return false;
    take();
    return true;
}

Token Parser::expect(std::string_view text, std::string_view where) {
    if (is(text)) return take();
    const Token& token = peek();
    throw SourceError(token.at,
                      fmt::format("expected '{}' {}, found {}", text, where,
                                  token.kind == TokenKind::end ? "the end" : in_quotes(token.text)));
}

void Parser::refuse(const Token& token) const {
    if (token.kind == TokenKind::end) throw SourceError(token.at, "the text ends in the middle of something");
    throw SourceError(token.at, fmt::format("not in the subset: {}", in_quotes(token.text)));
}

bool Parser::at_type() const {
    const Token& token = peek();
    if (token.kind != TokenKind::name) return false;
    const std::string_view word = token.text;
    if (is_integer_word(word) || is_qualifier(word) || word == "auto" || word == "std") return true;
    if (find(word) >= 0) return false;
    for (const TypeName& type : kTypeNames)
        if (type.name == word) return true;
    return vector_type(word).has_value() || aliases_.contains(word);
}

/// Everything before the name: "const unsigned long long", "float4", "auto" (which is nothing yet).
Type Parser::read_type(bool* is_const) {
    Type type;
    bool found = false, is_unsigned = false, is_signed_word = false, constant = false;
    int longs = 0;
    std::string_view word;
    while (peek().kind == TokenKind::name) {
        const std::string_view next = peek().text;
        if (is_qualifier(next)) {
            constant = constant || next == "const" || next == "constexpr";
            take();
            continue;
        }
        if (next == "std" && is("::", 1)) {
            take();
            take();
            continue;
        }
        if (is_integer_word(next)) {
            if (found) break;
            is_unsigned = is_unsigned || next == "unsigned";
            is_signed_word = is_signed_word || next == "signed";
            longs += next == "long";
            if (next == "short" || next == "char" || (next == "int" && word.empty())) word = next;
            if (word.empty()) word = "int";
            take();
            continue;
        }
        if (found || !word.empty()) break;
        if (next == "auto") {
            found = true;
            take();
            continue;
        }
        bool known = false;
        for (const TypeName& one : kTypeNames) {
            if (one.name != next) continue;
            type.scalar = one.scalar;
            known = true;
        }
        if (const auto vector = vector_type(next)) {
            type = *vector;
            known = true;
        }
        if (const auto alias = aliases_.find(next); alias != aliases_.end()) {
            type = alias->second;
            known = true;
        }
        if (!known) break;
        found = true;
        take();
    }
    if (!word.empty()) {
        const bool small = word == "short" || word == "char";
        type.scalar = longs > 0        ? (is_unsigned ? Scalar::uint64 : Scalar::int64)
                      : word == "char" ? (is_unsigned ? Scalar::uint8 : Scalar::int8)
                      : small          ? (is_unsigned ? Scalar::uint16 : Scalar::int16)
                                       : (is_unsigned ? Scalar::uint32 : Scalar::int32);
    } else if (!found) {
        refuse(peek());
    }
    if (is_const != nullptr) *is_const = constant;
    return type;
}

std::vector<int> Parser::read_dims() {
    std::vector<int> dims;
    while (accept("[")) {
        if (accept("]")) {
            dims.push_back(0);
            continue;
        }
        const Position at = peek().at;
        const std::int64_t size = constant_of(*read_choice(), "the size of an array");
        constexpr std::int64_t kMost = 1 << 24;
        if (size < 1 || size > kMost)
            throw SourceError(at, fmt::format("an array of {} elements cannot be", size));
        dims.push_back(int(size));
        expect("]", "after the size of the array");
    }
    if (dims.size() > 3) throw SourceError(peek().at, "not in the subset: arrays of more than 3 dimensions");
    return dims;
}

/// "* __restrict__ name[4][5]".
Type Parser::read_declarator(Type type, Token& name) {
    while (accept("*")) {
        if (type.pointer) throw SourceError(peek().at, "not in the subset: pointers to pointers");
        type.pointer = true;
        while (peek().kind == TokenKind::name && is_qualifier(peek().text)) take();
    }
    if (is("&")) throw SourceError(peek().at, "not in the subset: references");
    if (peek().kind != TokenKind::name)
        throw SourceError(peek().at, fmt::format("expected a name, found {}", in_quotes(peek().text)));
    name = take();
    type.dims = read_dims();
    if (type.pointer && type.is_array()) throw SourceError(name.at, "not in the subset: arrays of pointers");
    return type;
}

int Parser::find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
    return -1;
}

int Parser::declare(Symbol symbol) {
    if (scopes_.size() > 1 && scopes_.back().names.contains(symbol.name))
        throw SourceError(symbol.at, fmt::format("{} is declared twice", in_quotes(symbol.name)));
    const int index = int(unit_.symbols.size());
    scopes_.back().names[symbol.name] = index;
    unit_.symbols.push_back(std::move(symbol));
    return index;
}

std::int64_t Parser::constant_of(const Expr& expr, std::string_view what) const {
    const auto value = fold(unit_, expr);
    if (!value)
        throw SourceError(expr.at,
                          fmt::format("{} has to be a constant: a number, constexpr, #define, template "
                                      "parameter or '// knob'",
                                      what));
    return *value;
}

std::int64_t evaluate(const Source& source, const Unit& unit, std::vector<Token> tokens,
                      const std::map<std::string, std::int64_t, std::less<>>& values) {
    Source one;
    for (const Token& token : tokens) append_expanded(source, token, one.tokens);
    std::map<std::string, std::int64_t, std::less<>> known = values;
    for (const Symbol& symbol : unit.symbols)
        if (symbol.constant) known.emplace(symbol.name, *symbol.constant);
    // A file of one constant, so that there is one grammar of expressions.
    const Position at = one.tokens.front().at;
    const std::array<Token, 4> before{Token{TokenKind::name, "constexpr", at},
                                      {TokenKind::name, "long", at},
                                      {TokenKind::name, "it", at},
                                      {TokenKind::sign, "=", at}};
    one.tokens.insert(one.tokens.begin(), before.begin(), before.end());
    const Position end = one.tokens.back().at;
    one.tokens.back() = {TokenKind::sign, ";", end};
    one.tokens.push_back({TokenKind::end, {}, end});
    const Unit made = Parser(one, known).read_file();
    return made.symbols.back().constant.value_or(0);
}

}  // namespace warplens::typed
