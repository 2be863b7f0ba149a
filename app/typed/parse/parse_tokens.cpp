#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

const Token& Parser::peek(std::size_t ahead) const {
    return tokens_[std::min(now_.at + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
    const Token token = peek();
    if (now_.at + 1 < tokens_.size()) ++now_.at;
    now_.half_taken = 0;
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

/// A sign that C++ does not have.
static bool is_foreign(const Token& token) {
    constexpr std::string_view kSigns = "+-*/%&|^~!<>=?:;,.()[]{}#";
    return token.kind == TokenKind::sign && token.text.size() == 1 &&
           kSigns.find(token.text[0]) == std::string_view::npos;
}

Token Parser::expect(std::string_view text, std::string_view where) {
    if (is(text)) return take();
    const Token& token = peek();
    if (is_foreign(token)) refuse(token);
    throw SourceError(token.at,
                      fmt::format("expected '{}' {}, found {}", text, where,
                                  token.kind == TokenKind::end ? "the end" : in_quotes(token.text)));
}

/// ">>" closes two templates.
void Parser::accept_closing_angle() {
    const Token token = peek();
    if (token.kind != TokenKind::sign || token.text.find_first_not_of('>') != std::string_view::npos)
        refuse(token);
    if (++now_.half_taken >= token.text.size()) take();
}

void Parser::refuse(const Token& token) const {
    if (token.kind == TokenKind::end) throw SourceError(token.at, "the text ends in the middle of something");
    if (is_foreign(token))
        throw SourceError(token.at,
                          fmt::format("this is no character of CUDA C++: {}", in_quotes(token.text)));
    if (token.text == "asm" || token.text == "__asm__")
        throw SourceError(token.at, "not in the subset: inline PTX; write in C++ what it computes");
    if (token.text == "wmma" || token.text == "nvcuda")
        throw SourceError(token.at, "not in the subset: fragments of tensor cores; leave them out");
    if (token.text == "new" || token.text == "delete" || token.text == "malloc" || token.text == "free")
        throw SourceError(token.at,
                          fmt::format("not in the subset: {}; use an array", in_quotes(token.text)));
    constexpr std::pair<std::string_view, std::string_view> kAdvice[] = {
        {"[", "; what a lambda does that is given to a function, write in that function"},
        {"goto", "; write a loop"},
        {"virtual", "; call the function that is meant, or make its class a template's parameter"}};
    std::string_view advice;
    for (const auto& [word, says] : kAdvice)
        if (token.text == word) advice = says;
    throw SourceError(token.at, fmt::format("not in the subset: {}{}", in_quotes(token.text), advice));
}

/// Functions are read where they are called, so one that calls itself never ends.
void Parser::refuse_depth() const {
    constexpr int kFew = 8;
    throw SourceError(peek().at,
                      calls_deep_ < kFew
                          ? "this is nested too deeply"
                          : fmt::format("not in the subset: functions that call themselves, as {} may; write "
                                        "a loop, or the number that comes out",
                                        in_quotes(unit_.functions.back().name)));
}

void Parser::use(const Declaration& declaration) {
    const auto index = static_cast<std::size_t>(&declaration - declarations_.all.data());
    if (index < declarations_.all.size()) unit_.uses.insert(index);  // else a function of a record
}

ExprPtr Parser::marked(ExprPtr expr, std::size_t begin) {
    Expr* last = expr.get();
    while (last->kind == ExprKind::sequence) last = last->parts[1].get();
    if (last->kind != ExprKind::index || in_comment_) return expr;
    last->begin = static_cast<std::uint32_t>(begin);
    last->end = static_cast<std::uint32_t>(now_.at);
    return expr;
}

/// An element that a function of CUDA was given a pointer to.
ExprPtr Parser::marked_pointer(ExprPtr element, std::size_t argument) {
    if (element->kind != ExprKind::index || element->end != 0 || argument >= argument_tokens_.size())
        return element;
    element->begin = static_cast<std::uint32_t>(argument_tokens_[argument].first);
    element->end = static_cast<std::uint32_t>(argument_tokens_[argument].second);
    element->by_pointer = true;
    return element;
}

}  // namespace warplens::typed
