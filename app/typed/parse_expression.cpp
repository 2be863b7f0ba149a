#include "app/typed/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kDeepestExpression = 200;

struct Level {
    std::string_view sign;
    int binds;  ///< tighter if larger
};
constexpr Level kLevels[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                             {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                             {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

int level_of(std::string_view sign) {
    for (const Level& level : kLevels)
        if (level.sign == sign) return level.binds;
    return 0;
}

bool is_comparison(std::string_view sign) { return level_of(sign) == 6 || level_of(sign) == 7; }
bool is_shift(std::string_view sign) { return level_of(sign) == 8; }
bool is_of_integers(std::string_view sign) {
    return sign == "%" || sign == "&" || sign == "|" || sign == "^" || is_shift(sign);
}

}  // namespace

Scalar common_type(Scalar a, Scalar b) {
    if (is_floating(a) || is_floating(b)) return std::max({a, b, Scalar::float32});
    const auto promoted = [](Scalar one) { return bytes_of(one) < 4 ? Scalar::int32 : one; };
    return std::max(promoted(a), promoted(b));
}

ExprPtr node(ExprKind kind, Type type, Position at) {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->type = std::move(type);
    expr->at = at;
    return expr;
}

ExprPtr Parser::number(std::int64_t value, Scalar type, Position at) const {
    ExprPtr expr = node(ExprKind::number, {type}, at);
    expr->value = value;
    return expr;
}

/// An array's name stands for a pointer to its first element.
ExprPtr Parser::decay(ExprPtr array) const {
    if (!array->type.is_array()) return array;
    if (array->type.dims.size() > 1)
        throw SourceError(array->at, "not in the subset: rows of an array as values; use all indices");
    const Type type{.scalar = array->type.scalar, .lanes = array->type.lanes, .pointer = true};
    const Position at = array->at;
    ExprPtr first = make_index(std::move(array), number(0, Scalar::int32, at), at);
    ExprPtr address = node(ExprKind::address, type, at);
    address->parts.push_back(std::move(first));
    return address;
}

ExprPtr Parser::convert(ExprPtr expr, const Type& type) const {
    if (expr->type == type) return expr;
    const bool pointers = expr->type.pointer && type.pointer;
    const bool singles = expr->type.is_single() && type.is_single() && expr->type.scalar != Scalar::none &&
                         type.scalar != Scalar::none;
    const bool truth = expr->type.pointer && type.is_single() && type.scalar == Scalar::boolean;
    if (!singles && !(pointers && expr->type.element_bytes() == type.element_bytes()) && !truth)
        throw SourceError(expr->at, "these types do not fit together");
    ExprPtr cast = node(ExprKind::cast, type, expr->at);
    cast->parts.push_back(std::move(expr));
    return cast;
}

ExprPtr Parser::make_binary(const Token& sign, ExprPtr a, ExprPtr b) const {
    if (sign.text == "&&" || sign.text == "||") {
        ExprPtr logic = node(ExprKind::logic, {Scalar::boolean}, sign.at);
        logic->sign = sign.text;
        logic->parts.push_back(convert(std::move(a), {Scalar::boolean}));
        logic->parts.push_back(convert(std::move(b), {Scalar::boolean}));
        return logic;
    }
    a = decay(std::move(a));
    b = decay(std::move(b));
    if (a->type.pointer || b->type.pointer) {
        if (sign.text == "+" && b->type.pointer) std::swap(a, b);
        if ((sign.text != "+" && sign.text != "-") || !b->type.is_integer())
            throw SourceError(sign.at, "not in the subset: this operation with pointers");
        if (sign.text == "-") {
            ExprPtr minus = node(ExprKind::unary, {Scalar::int64}, sign.at);
            minus->sign = "-";
            minus->parts.push_back(convert(std::move(b), {Scalar::int64}));
            b = std::move(minus);
        }
        Type type = a->type;
        ExprPtr address = node(ExprKind::address, type, sign.at);
        address->parts.push_back(make_index(std::move(a), std::move(b), sign.at));
        return address;
    }
    if (!a->type.is_single() || !b->type.is_single())
        throw SourceError(sign.at, "not in the subset: arithmetic with vectors; use their components");
    const bool shift = is_shift(sign.text);
    const Scalar type =
        shift ? common_type(a->type.scalar, a->type.scalar) : common_type(a->type.scalar, b->type.scalar);
    if (is_floating(type) && is_of_integers(sign.text))
        throw SourceError(sign.at, fmt::format("'{}' is for integers", sign.text));
    ExprPtr binary = node(ExprKind::binary, {is_comparison(sign.text) ? Scalar::boolean : type}, sign.at);
    binary->sign = sign.text;
    binary->parts.push_back(convert(std::move(a), {type}));
    binary->parts.push_back(shift ? std::move(b) : convert(std::move(b), {type}));
    return binary;
}

ExprPtr Parser::make_index(ExprPtr base, ExprPtr index, Position at) const {
    if (!index->type.is_integer()) throw SourceError(index->at, "an index has to be an integer");
    Type type = base->type;
    if (type.is_array())
        type.dims.erase(type.dims.begin());
    else if (type.pointer)
        type.pointer = false;
    else
        throw SourceError(at, "this is neither an array nor a pointer");
    ExprPtr element = node(ExprKind::index, type, at);
    element->parts.push_back(std::move(base));
    element->parts.push_back(std::move(index));
    return element;
}

ExprPtr Parser::make_member(ExprPtr base, const Token& name) const {
    constexpr std::string_view kComponents = "xyzw";
    const std::size_t which = name.text.size() == 1 ? kComponents.find(name.text) : std::string_view::npos;
    if (base->type.lanes < 2 || base->type.pointer || base->type.is_array() ||
        which >= static_cast<std::size_t>(base->type.lanes))
        throw SourceError(name.at, fmt::format("not in the subset: the member {}", in_quotes(name.text)));
    if (base->kind == ExprKind::index) {  // only the component is loaded or stored
        base->value = static_cast<std::int64_t>(which) * bytes_of(base->type.scalar);
        base->type = {base->type.scalar};
        return base;
    }
    ExprPtr member = node(ExprKind::member, {base->type.scalar}, name.at);
    member->value = static_cast<std::int64_t>(which);
    member->parts.push_back(std::move(base));
    return member;
}

void Parser::check_assignable(const Expr& target) const {
    const Expr* at = &target;
    if (at->kind == ExprKind::member) at = at->parts[0].get();
    if (at->kind == ExprKind::index && !at->type.is_array()) return;
    if (at->kind != ExprKind::variable || unit_.symbol(at->symbol).type.is_array())
        throw SourceError(target.at, "nothing can be assigned to this");
    const Symbol& symbol = unit_.symbol(at->symbol);
    if (symbol.constant || (symbol.is_const && !symbol.type.pointer))
        throw SourceError(target.at, fmt::format("{} is constant", in_quotes(symbol.name)));
}

ExprPtr Parser::read_sequence() {
    ExprPtr first = read_assignment();
    while (is(",")) {
        const Token comma = take();
        ExprPtr second = read_assignment();
        ExprPtr both = node(ExprKind::sequence, second->type, comma.at);
        both->parts.push_back(std::move(first));
        both->parts.push_back(std::move(second));
        first = std::move(both);
    }
    return first;
}

ExprPtr Parser::read_assignment() {
    if (++depth_ > kDeepestExpression) throw SourceError(peek().at, "this is nested too deeply");
    ExprPtr target = read_choice();
    const std::string_view sign = peek().text;
    const bool assigns = peek().kind == TokenKind::sign && sign.ends_with('=') && !is_comparison(sign);
    if (assigns) {
        const Token token = take();
        check_assignable(*target);
        ExprPtr value = decay(read_assignment());
        const Type type = target->type;
        if (token.text != "=") {
            const std::string_view plain = token.text.substr(0, token.text.size() - 1);
            if (type.pointer && plain != "+" && plain != "-")
                throw SourceError(token.at, "not in the subset: this operation with pointers");
            // The operator's own types are found by a binary expression of the same types.
            ExprPtr assign = node(ExprKind::assign, type, token.at);
            assign->sign = plain;
            if (!type.pointer) {
                const Scalar common = is_shift(plain) ? common_type(type.scalar, type.scalar)
                                                      : common_type(type.scalar, value->type.scalar);
                if (!type.is_single() || !value->type.is_single())
                    throw SourceError(token.at, "not in the subset: arithmetic with vectors");
                if (is_floating(common) && is_of_integers(plain))
                    throw SourceError(token.at, fmt::format("'{}' is for integers", token.text));
                if (!is_shift(plain)) value = convert(std::move(value), {common});
                assign->value = static_cast<std::int64_t>(common);
            }
            assign->parts.push_back(std::move(target));
            assign->parts.push_back(std::move(value));
            target = std::move(assign);
        } else {
            ExprPtr assign = node(ExprKind::assign, type, token.at);
            assign->sign = "=";
            assign->parts.push_back(std::move(target));
            assign->parts.push_back(convert(std::move(value), type));
            target = std::move(assign);
        }
    }
    --depth_;
    return target;
}

ExprPtr Parser::read_choice() {
    ExprPtr condition = read_binary(1);
    if (!is("?")) return condition;
    const Token sign = take();
    ExprPtr yes = decay(read_assignment());
    expect(":", "in 'condition ? a : b'");
    ExprPtr no = decay(read_assignment());
    Type type = yes->type;
    if (yes->type.is_single() && no->type.is_single())
        type = {yes->type == no->type ? type.scalar : common_type(yes->type.scalar, no->type.scalar)};
    ExprPtr choice = node(ExprKind::choice, type, sign.at);
    choice->parts.push_back(convert(std::move(condition), {Scalar::boolean}));
    choice->parts.push_back(convert(std::move(yes), type));
    choice->parts.push_back(convert(std::move(no), type));
    return choice;
}

ExprPtr Parser::read_binary(int least) {
    ExprPtr left = read_unary();
    while (peek().kind == TokenKind::sign) {
        const int level = level_of(peek().text);
        if (level < least || level == 0) break;
        const Token sign = take();
        left = make_binary(sign, std::move(left), read_binary(level + 1));
    }
    return left;
}

ExprPtr Parser::read_unary() {
    if (++depth_ > kDeepestExpression) throw SourceError(peek().at, "this is nested too deeply");
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave{depth_};
    const Token sign = peek();
    if (accept("+")) return read_unary();
    if (accept("-") || accept("~") || accept("!")) {
        ExprPtr of = read_unary();
        if (sign.text == "!") of = convert(std::move(of), {Scalar::boolean});
        if (!of->type.is_single()) throw SourceError(sign.at, "this operation needs a number");
        const Scalar type =
            sign.text == "!" ? Scalar::boolean : common_type(of->type.scalar, of->type.scalar);
        ExprPtr unary = node(ExprKind::unary, {type}, sign.at);
        unary->sign = sign.text;
        unary->parts.push_back(convert(std::move(of), {type}));
        return unary;
    }
    if (accept("++") || accept("--")) {
        ExprPtr of = read_unary();
        check_assignable(*of);
        ExprPtr step = node(ExprKind::step, of->type, sign.at);
        step->sign = sign.text;
        step->parts.push_back(std::move(of));
        return step;
    }
    if (accept("&")) {
        ExprPtr of = read_unary();
        if (of->kind != ExprKind::index || of->type.is_array())
            throw SourceError(sign.at, "not in the subset: addresses of anything but elements of arrays");
        Type type = of->type;
        type.pointer = true;
        ExprPtr address = node(ExprKind::address, type, sign.at);
        address->parts.push_back(std::move(of));
        return address;
    }
    if (accept("*")) return make_index(decay(read_unary()), number(0, Scalar::int32, sign.at), sign.at);
    return read_postfix();
}

ExprPtr Parser::read_postfix() {
    ExprPtr expr = read_primary();
    while (true) {
        const Token sign = peek();
        if (accept("[")) {
            ExprPtr index = read_sequence();
            expect("]", "after an index");
            expr = make_index(std::move(expr), std::move(index), sign.at);
        } else if (accept(".")) {
            expr = make_member(std::move(expr), take());
        } else if (accept("->")) {
            expr =
                make_member(make_index(std::move(expr), number(0, Scalar::int32, sign.at), sign.at), take());
        } else if (accept("++") || accept("--")) {
            check_assignable(*expr);
            ExprPtr step = node(ExprKind::step, expr->type, sign.at);
            step->sign = sign.text;
            step->value = 1;
            step->parts.push_back(std::move(expr));
            expr = std::move(step);
        } else {
            return expr;
        }
    }
}

ExprPtr Parser::read_primary() {
    const Token& token = peek();
    if (token.kind == TokenKind::number) {
        const Token taken = take();
        std::string digits;
        for (const char c : taken.text)
            if (c != '\'') digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const bool hex = digits.starts_with("0x"), binary = digits.starts_with("0b");
        const bool floating = !hex && !binary && digits.find_first_of(".ef") != std::string::npos;
        if (floating) {
            double of_text = 0;  // beyond the range: 0
            std::from_chars(digits.data(), digits.data() + digits.size(), of_text);
            return number(std::bit_cast<std::int64_t>(of_text),
                          digits.ends_with('f') ? Scalar::float32 : Scalar::float64, taken.at);
        }
        std::size_t end = digits.size();
        while (end > 0 && (digits[end - 1] == 'u' || digits[end - 1] == 'l')) --end;
        const std::string suffix = digits.substr(end);
        const std::size_t begin = hex || binary ? 2 : 0;
        const bool octal = !hex && !binary && end > 1 && digits[0] == '0';
        std::uint64_t value = 0;
        const char *first = digits.data() + begin, *last = digits.data() + end;
        const auto result = std::from_chars(first, last, value, hex ? 16 : binary ? 2 : octal ? 8 : 10);
        if (result.ec != std::errc() || result.ptr != last || first == last)
            throw SourceError(taken.at, fmt::format("{} is no number", in_quotes(taken.text)));
        const bool is_unsigned = suffix.find('u') != std::string::npos;
        const bool wide = suffix.find('l') != std::string::npos ||
                          value > (is_unsigned || hex ? 0xffff'ffffu : 0x7fff'ffffu);
        const Scalar type = wide ? (is_unsigned ? Scalar::uint64 : Scalar::int64)
                                 : (is_unsigned || value > 0x7fff'ffffu ? Scalar::uint32 : Scalar::int32);
        return number(static_cast<std::int64_t>(value), type, taken.at);
    }
    if (is("(")) return read_parenthesis();
    if (token.kind == TokenKind::name) return read_name();
    refuse(token);
}

/// "(expression)", or a cast.
ExprPtr Parser::read_parenthesis() {
    const Token open = take();
    if (!at_type()) {
        ExprPtr inside = read_sequence();
        expect(")", "after an expression in parentheses");
        return inside;
    }
    Type type = read_type();
    if (accept("*")) type.pointer = true;
    while (peek().kind == TokenKind::name) take();  // const, __restrict__
    expect(")", "after the type of a cast");
    ExprPtr of = decay(read_unary());
    if (type.pointer && of->type.pointer) {
        ExprPtr cast = node(ExprKind::cast, type, open.at);
        cast->parts.push_back(std::move(of));
        return cast;
    }
    return convert(std::move(of), type);
}

}  // namespace warplens::typed
