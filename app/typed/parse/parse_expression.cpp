#include "app/base/parse_number.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kDeepestExpression = 200;

}  // namespace

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
    if (++depth_ > kDeepestExpression) refuse_depth();
    ExprPtr target = read_choice();
    const std::string_view sign = peek().text;
    const bool assigns = peek().kind == TokenKind::sign && sign.ends_with('=') && !is_comparison(sign);
    if (assigns) {
        const Token token = take();
        if (is("{") && token.text == "=") {
            const Type type = target->type;
            target = make_assignment(token, std::move(target), construct(type, read_braces(type), token.at));
        } else {
            ExprPtr value = read_assignment();
            target = make_assignment(token, std::move(target), std::move(value));
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
    Type type = yes->type.pointer || !no->type.pointer ? yes->type : no->type;
    if (condition->kind == ExprKind::number || fold(unit_, *condition)) {
        const bool truth = fold(unit_, *condition).value_or(0) != 0;
        return truth ? std::move(yes) : std::move(no);
    }
    if (yes->type.is_single() && no->type.is_single())
        type = {yes->type == no->type ? type.scalar : common_type(yes->type.scalar, no->type.scalar)};
    ExprPtr choice = node(ExprKind::choice, type, sign.at);
    choice->parts.push_back(convert(std::move(condition), {Scalar::boolean}));
    choice->parts.push_back(convert(std::move(yes), type));
    choice->parts.push_back(convert(std::move(no), type));
    return choice;
}

ExprPtr Parser::read_binary(int least) {
    constexpr int kLongestChain = 1000;
    ExprPtr left = read_unary();
    for (int length = 0; peek().kind == TokenKind::sign; ++length) {
        int level = level_of(peek().text);
        if (in_comment_ && peek().text == "^") level = 11;
        if (level < least || level == 0) break;
        if (length == kLongestChain)
            throw SourceError(peek().at, "an expression may have so many operators in a row, and no more");
        const Token sign = take();
        left = make_binary(sign, std::move(left), read_binary(level + 1));
    }
    return left;
}

ExprPtr Parser::read_unary() {
    const std::size_t begin = now_.at;
    return marked(read_unmarked(), begin);
}

ExprPtr Parser::read_unmarked() {
    if (++depth_ > kDeepestExpression) refuse_depth();
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave{depth_};
    const Token sign = peek();
    if (accept("+")) {
        ExprPtr of = read_unary();
        const Type type = of->type;
        return cast_to(std::move(of), type, sign.at);
    }
    if (accept("-") || accept("~") || accept("!")) {
        ExprPtr of = read_unary();
        if (ExprPtr made = call_operator(sign.text, of, nullptr, sign.at)) return made;
        if (sign.text == "-") need_halves(of->type, sign.text);
        if (of->type.lanes > 1 && !of->type.pointer) return of;  // -v: no component is known anyway
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
        need_halves(of->type, sign.text);
        ExprPtr step = node(ExprKind::step, of->type, sign.at);
        step->sign = sign.text;
        step->parts.push_back(std::move(of));
        return step;
    }
    if (accept("&")) {
        ExprPtr of = read_unary();
        if (of->type.is_array()) return decay(std::move(of));
        const Expr* place = of.get();
        while (place->kind == ExprKind::sequence) place = place->parts[1].get();
        if (place->kind != ExprKind::index && place->kind != ExprKind::variable)
            throw SourceError(sign.at, "not in the subset: addresses of anything but variables and elements");
        Type type = of->type;
        type.pointer = true;
        std::vector<ExprPtr> before;
        if (of->kind == ExprKind::sequence) of = settled(std::move(of), before);
        if (!before.empty()) {
            ExprPtr address = node(ExprKind::address, type, sign.at);
            address->parts.push_back(std::move(of));
            return in_sequence(std::move(before), std::move(address));
        }
        ExprPtr address = node(ExprKind::address, type, sign.at);
        address->parts.push_back(std::move(of));
        return address;
    }
    if (accept("*")) {
        ExprPtr of = read_unary();
        if (ExprPtr made = call_operator(sign.text, of, nullptr, sign.at)) return made;
        return make_index(decay(std::move(of)), number(0, Scalar::int32, sign.at), sign.at);
    }
    if (is("sizeof")) {
        take();
        const bool parentheses = accept("(");
        Type type;
        if (at_type())
            type = read_cast_type();
        else
            type = parentheses ? read_sequence()->type : read_unary()->type;
        while (parentheses && is("[")) type.dims = read_dims();
        if (parentheses) expect(")", "after what is measured");
        return number(type.pointer ? 8 : type.element_bytes() * type.elements(), Scalar::uint64, sign.at);
    }
    return read_postfix();
}

ExprPtr Parser::read_postfix() {
    const std::size_t begin = now_.at;
    ExprPtr expr = read_primary();
    while (true) {
        const Token sign = peek();
        if (accept("[")) {
            ExprPtr index = decay(read_sequence());
            expect("]", "after an index");
            if (is_group(expr->type)) continue;
            if (expr->type.is_record()) {
                std::vector<ExprPtr> arguments;
                arguments.push_back(std::move(index));
                ExprPtr* given = &arguments[0];
                if (ExprPtr made = call_operator("[]", expr, given, sign.at)) {
                    expr = std::move(made);
                    continue;
                }
                index = std::move(arguments[0]);
            }
            expr = make_index(std::move(expr), std::move(index), sign.at);
        } else if (is(".") || is("->")) {
            take();
            accept("template");
            if (sign.text == "->")
                expr = make_index(decay(std::move(expr)), number(0, Scalar::int32, sign.at), sign.at);
            const Token name = take();
            if (is_group(expr->type)) {
                expr = read_group_method(expr->type, name);
                continue;
            }
            const std::size_t behind = is("<") ? closing_angle(tokens_, now_.at) : now_.at;
            // A vector has no functions: p.x < (y) > (z) compares.
            const bool calls = is("(") || (is("<") && expr->type.lanes == 1 && is("(", behind + 1 - now_.at));
            const bool method = expr->type.is_record() && calls &&
                                record_sources_[expr->type.record].methods.contains(name.text);
            const bool declared =
                expr->type.is_record() && record_sources_[expr->type.record].declared != nullptr;
            if (expr->type.is_array() && name.text == "size" && is("(")) {
                skip_brackets();
                expr =
                    number(std::max(expr->type.dims.front(), expr->type.dims.back()), Scalar::int32, name.at);
                continue;
            }
            if (expr->type.lanes == 2 && !expr->type.pointer && is(")", 1) &&
                (name.text == "real" || name.text == "imag")) {
                skip_brackets();
                expr =
                    make_member(std::move(expr), {TokenKind::name, name.text == "real" ? "x" : "y", name.at});
                continue;
            }
            if (calls && !method && !declared) {
                if (is("<")) read_template_arguments();
                std::vector<ExprPtr> before;
                settled(std::move(expr), before);
                expr = in_sequence(std::move(before), foreign_call(name, {}, read_arguments()));
                continue;
            }
            expr = method ? call_method(std::move(expr), name) : make_member(std::move(expr), name);
        } else if (is("(") && expr->type.is_record() && !is_group(expr->type) &&
                   record_sources_[expr->type.record].declared == nullptr) {
            expr = foreign_call({TokenKind::name, unit_.records[expr->type.record].name, sign.at},
                                {Scalar::float32}, read_arguments());
        } else if (is("(") && expr->kind == ExprKind::variable && expr->type.is_single()) {  // a function
            expr = foreign_call({TokenKind::name, unit_.symbols[expr->symbol].name, sign.at}, {},
                                read_arguments());
        } else if (is("(") && expr->type.is_record()) {
            expr = call_method(std::move(expr), {TokenKind::name, "operator()", sign.at});
        } else if (is("++") || is("--")) {
            expr = marked(std::move(expr), begin);
            take();
            check_assignable(*expr);
            if (expr->kind == ExprKind::sequence) refuse(sign);
            need_halves(expr->type, sign.text);
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
    if (token.kind == TokenKind::text) {  // of printf and the like
        const Position at = take().at;    // beside others, and macros of them
        while (peek().kind == TokenKind::text || (peek().kind == TokenKind::name && !is("("))) take();
        return number(0, Scalar::int32, at);
    }
    if (token.kind == TokenKind::number && token.text.front() == '\'') {
        const Token taken = take();
        const std::string_view in = taken.text.substr(1, taken.text.size() - 2);
        constexpr std::pair<char, int> kEscapes[] = {{'n', 10}, {'t', 9}, {'0', 0}, {'r', 13}, {'a', 7}};
        int value = in.empty() ? 0 : in[0];
        if (in.size() > 1 && in[0] == '\\') {
            value = in[1];
            for (const auto& [letter, code] : kEscapes)
                if (in[1] == letter) value = code;
        }
        return number(value, Scalar::int8, taken.at);
    }
    if (token.kind == TokenKind::number) {
        const Token taken = take();
        std::string digits;
        for (const char c : taken.text)
            if (c != '\'') digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const bool hex = digits.starts_with("0x"), binary = digits.starts_with("0b");
        const bool floating = !hex && !binary && digits.find_first_of(".ef") != std::string::npos;
        if (floating) {
            double of_text = 0;  // beyond the range: 0
            number_from_chars(digits.data(), digits.data() + digits.size(), of_text);
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

/// "(expression)", or a cast: "(type)" before an expression.
ExprPtr Parser::read_parenthesis() {
    const Token open = take();
    const std::size_t foreign = at_type() ? 0 : behind_undeclared_type();
    const std::size_t star = foreign != 0 && tokens_[foreign].text == "*" ? foreign + 1 : foreign;
    const bool casts = foreign != 0 && tokens_[star].text == ")" && star + 1 < tokens_.size() &&
                       (star != foreign || tokens_[star + 1].kind == TokenKind::name ||
                        tokens_[star + 1].kind == TokenKind::number || tokens_[star + 1].text == "(");
    const std::size_t first = now_.at;
    const bool converts = at_type() && (read_type(), is("(") || is("{"));  // (int(x) + 1)
    now_.at = first;
    if (converts || (!casts && !at_type())) {
        ExprPtr inside = read_sequence();
        expect(")", "after an expression in parentheses");
        return inside;
    }
    const Type type = read_cast_type();
    expect(")", "after the type of a cast");
    if (is("{")) return construct(type, read_braces(type), open.at);
    return cast_to(read_unary(), type, open.at);
}

}  // namespace warplens::typed
