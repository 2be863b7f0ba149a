#include "app/base/parse_number.h"
#include "app/typed/parse/host_reader.h"
#include "app/typed/parse/parser.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace warplens::typed {

constexpr std::string_view kAssigning[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
bool assigns(std::string_view sign) { return std::ranges::find(kAssigning, sign) != std::end(kAssigning); }

namespace {

int host_level(std::string_view sign) {
    if (sign == ",") return 1;
    if (assigns(sign)) return 2;
    if (sign == "?") return 3;
    return level_of(sign) == 0 ? 0 : level_of(sign) + 3;
}

HostValue combined(std::string_view sign, const HostValue& left, const HostValue& right) {
    HostValue out;
    if (sign == ",") return right;
    if (left.array >= 0 && (sign == "+" || sign == "-")) {
        if (!right.number || left.element == 0) return out;
        out = left;
        out.place = {};
        out.offset += (sign == "+" ? 1 : -1) * std::int64_t(*right.number) * left.element;
        return out;
    }
    if (sign == "&&" && (left.is(0) || right.is(0))) out.number = 0;
    if (sign == "||" && ((left.number && !left.is(0)) || (right.number && !right.is(0)))) out.number = 1;
    if (out.number || !left.number || !right.number) return out;
    if (sign == "&&" || sign == "||") {
        out.number = sign == "&&";
        return out;
    }
    const Scalar type =
        is_shift(sign) ? common_type(left.scalar, left.scalar) : common_type(left.scalar, right.scalar);
    const HostValue first = converted(left, type);
    const HostValue second = converted(right, is_shift(sign) ? right.scalar : type);
    if (!first.number || !second.number) return out;
    const double a = *first.number, b = *second.number;
    if (is_comparison(sign)) {
        out.number = double(apply_sign(sign, (a > b) - (a < b), 0, Scalar::int64).value_or(0));
        return out;
    }
    out.scalar = type;
    if (sign == "+") {
        out.number = a + b;
    } else if (sign == "-") {
        out.number = a - b;
    } else if (sign == "*") {
        out.number = a * b;
    } else if (is_floating(type)) {
        if (sign == "/" && b != 0) out.number = a / b;
    } else if (const auto whole = apply_sign(sign, std::int64_t(a), std::int64_t(b), type)) {
        out.number = double(*whole);
    }
    return converted(out, type);
}

HostValue host_number(std::string_view text) {
    HostValue value;
    if (text.starts_with('\'')) {
        if (text.size() == 3) value.number = text[1];
        return value;
    }
    std::string digits;
    for (const char c : text)
        if (c != '\'') digits += char(std::tolower(c));
    const bool hex = digits.starts_with("0x"), binary = digits.starts_with("0b");
    if (!hex && digits.find_first_of(".ef") != std::string::npos) {
        double real = 0;
        number_from_chars(digits.data(), digits.data() + digits.size(), real);
        value.number = real;
        value.scalar = digits.ends_with('f') ? Scalar::float32 : Scalar::float64;
        return value;
    }
    const int base = hex ? 16 : binary ? 2 : digits.starts_with('0') ? 8 : 10;
    std::uint64_t bits = 0;
    const char* const end = digits.data() + digits.size();
    const char* const behind = std::from_chars(digits.data() + (hex || binary ? 2 : 0), end, bits, base).ptr;
    const std::string_view suffix(behind, std::size_t(end - behind));
    const bool wide = suffix.find('l') != std::string_view::npos || bits > 0xffff'ffffu ||
                      (base == 10 && bits > 0x7fff'ffffu);
    const bool no_sign = suffix.find('u') != std::string_view::npos || (!wide && bits > 0x7fff'ffffu);
    value.scalar = wide      ? (no_sign ? Scalar::uint64 : Scalar::int64)
                   : no_sign ? Scalar::uint32
                             : Scalar::int32;
    value.number = double(bits);
    return converted(value, value.scalar);
}

}  // namespace

HostValue converted(HostValue value, Scalar scalar) {
    value.place = {};
    if (!value.number || scalar == Scalar::none) return value;
    value.scalar = scalar;
    if (is_floating(scalar)) return value;
    constexpr double kExact = 9e15;  // further ones are no numbers of a double
    if (scalar == Scalar::boolean) {
        value.number = *value.number != 0;
    } else if (!(std::abs(*value.number) < kExact) || (scalar == Scalar::uint64 && *value.number <= -1)) {
        value.number.reset();
    } else {
        value.number = double(wrap(std::int64_t(*value.number), scalar));
    }
    return value;
}

HostValue HostReader::perhaps(int least, std::optional<bool> evaluated) {
    unevaluated_ += evaluated == false;
    perhaps_ += !evaluated;
    HostValue value = expression(least);
    unevaluated_ -= evaluated == false;
    perhaps_ -= !evaluated;
    return value;
}

HostValue HostReader::value_at(std::size_t begin, std::size_t end) {
    const std::size_t at = std::exchange(at_, begin), old = std::exchange(end_, end);
    HostValue value = expression(1);
    if (at_ != end) value = {};
    at_ = at;
    end_ = old;
    return value;
}

std::vector<HostValue> HostReader::arguments() {
    std::vector<HostValue> values;
    const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
    ++at_;
    while (at_ + 1 < behind) {
        values.push_back(expression(2));
        if (at_ + 1 < behind && !is(",")) values.back() = {};  // it was not understood
        while (at_ + 1 < behind && !is(",")) {
            if (is("(") || is("[") || is("{"))
                at_ = behind_bracket(tokens_, at_);
            else
                ++at_;
        }
        accept(",");
    }
    at_ = behind;
    return values;
}

HostValue HostReader::expression(int least) {
    if (++nested_ > 200) {
        --nested_;
        at_ = std::min(at_ + 1, end_);
        return {};
    }
    HostValue left = unary();
    while (at_ < end_ && tokens_[at_].kind == TokenKind::sign) {
        const std::string_view sign = tokens_[at_].text;
        const int level = host_level(sign);
        if (level == 0 || level < least) break;
        ++at_;
        const std::optional<bool> holds = left.number ? std::optional<bool>(*left.number != 0) : std::nullopt;
        if (level == 2) {
            const HostValue right = expression(2);
            left = assign(left, sign == "=" ? right : combined(sign.substr(0, sign.size() - 1), left, right));
        } else if (sign == "?") {
            const HostValue yes = perhaps(2, holds);
            accept(":");
            const HostValue no = perhaps(2, holds ? std::optional<bool>(!*holds) : std::nullopt);
            guessed_ = guessed_ || (!holds && yes.number && no.number && *yes.number != *no.number);
            left = holds ? (*holds ? yes : no) : no.known() ? no : yes;
        } else if (sign == "&&" || sign == "||") {
            const std::optional<bool> second = holds && sign == "||" ? std::optional<bool>(!*holds) : holds;
            left = combined(sign, left, perhaps(level + 1, second));
        } else {
            left = combined(sign, left, expression(level + 1));
        }
    }
    --nested_;
    return left;
}

HostValue HostReader::unary() {
    if (at_ >= end_) return {};
    const std::string_view sign = tokens_[at_].kind == TokenKind::sign ? tokens_[at_].text : "";
    HostValue one;
    one.number = 1;
    if (sign == "++" || sign == "--") {
        ++at_;
        const HostValue of = unary();
        return assign(of, combined(sign.substr(1), of, one));
    }
    if (sign == "-" || sign == "+" || sign == "~" || sign == "!") {
        ++at_;
        HostValue of = unary();
        one.number = sign == "~" ? -1 : 0;
        if (sign == "!") return combined("==", of, one);
        return sign == "~" ? combined("^", of, one) : combined(sign, one, of);
    }
    if (sign != "&" && sign != "*") return postfix();
    ++at_;
    if (sign == "*") return pointed(unary());
    if (is_name() && find(tokens_[at_].text) == nullptr &&
        !declarations_.by_name.contains(tokens_[at_].text) && !is("(", 1) && !is("::", 1))
        declare(tokens_[at_].text, {});
    HostValue out;
    out.points = unary().place;
    return out;
}

HostValue HostReader::postfix() {
    HostValue value;
    std::string name;
    const Token token = tokens_[at_];
    if (token.kind == TokenKind::number) {
        ++at_;
        value = host_number(token.text);
    } else if (token.kind == TokenKind::text) {
        ++at_;
    } else if (is("[")) {
        lambda();
        return value;
    } else if (is("(")) {
        if (const std::size_t behind = cast_end(")"); behind != 0) {
            at_ = behind;
            const Scalar scalar = cast_;
            return converted(unary(), scalar);
        }
        const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
        ++at_;
        value = expression(1);
        if (at_ + 1 != behind) value = {};  // it was not understood
        at_ = behind;
    } else if (is("{")) {
        value.members = arguments();
        return value;
    } else if (token.kind == TokenKind::name) {
        name = token.text;
        ++at_;
        while (is("::") && is_name(1)) {
            ++at_;
            name = tokens_[at_++].text;
        }
        value = named(name);
    } else {
        ++at_;
        return value;
    }
    while (at_ < end_) {
        if (is("[")) {
            const HostPlace place{value.place.variable, value.place.path, true};
            arguments();
            if (value.array < 0) value = {};
            value.place = place;
        } else if ((is(".") || is("->")) && is_name(1)) {
            if (is("->")) value = pointed(value);
            at_ += 2;
            value = member(value, tokens_[at_ - 1].text);
        } else if (is("++") || is("--")) {
            HostValue one;
            one.number = 1;
            assign(value, combined(tokens_[at_++].text.substr(1), value, one));
            value.place = {};
        } else if (is("(") && !name.empty()) {
            const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
            forget_all(arguments(), false);
            at_ = behind;
            value = {};
        } else {
            break;
        }
    }
    return value;
}

void HostReader::lambda() {
    at_ = std::min(behind_bracket(tokens_, at_), end_);
    scopes_.emplace_back();
    if (is("(")) {
        const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
        for (; at_ < behind; ++at_)
            if (is_name() && (is(",", 1) || is(")", 1))) declare(tokens_[at_].text, {});
    }
    while (at_ < end_ && !is("{") && !is(";") && !is(",") && !is(")")) ++at_;
    const HostValue result = result_;
    const bool maybe = maybe_result_;
    const int base = std::exchange(call_base_, perhaps_);
    const std::size_t begin = at_;
    block();
    flow_ = Flow::on;
    call_base_ = base;
    maybe_result_ = maybe;
    result_ = result;
    scopes_.pop_back();
    forget(begin, at_);  // nobody says how often it is called
}

std::size_t HostReader::cast_end(std::string_view close) {
    std::size_t i = at_ + 1;
    bool type = false, pointer = false;
    HostType words;
    for (; i < end_; ++i) {
        const std::string_view text = tokens_[i].text;
        if (words.add(text) || text == "void") {
            type = true;
        } else if (text == "const" || text == "*" || text == "&" || text == "struct" || text == "std" ||
                   text == "::") {
            pointer = pointer || text == "*";
        } else if (tokens_[i].kind == TokenKind::name && declared_type(text) != nullptr) {
            type = true;
        } else {
            break;
        }
    }
    cast_ = pointer ? Scalar::none : words.scalar;
    return type && i < end_ && tokens_[i].text == close ? i + 1 : 0;
}

}  // namespace warplens::typed
