#include "app/base/parse_number.h"
#include "app/typed/parse/host_reader.h"
#include "app/typed/tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warplens::typed {

namespace {

int host_level(std::string_view sign) {
    constexpr std::pair<std::string_view, int> kLevels[] = {
        {"=", 2},  {"+=", 2}, {"-=", 2},  {"*=", 2},  {"/=", 2},  {"<<=", 2}, {"?", 3},
        {"||", 4}, {"&&", 5}, {"|", 6},   {"^", 7},   {"&", 8},   {"==", 9},  {"!=", 9},
        {"<", 10}, {">", 10}, {"<=", 10}, {">=", 10}, {"<<", 11}, {">>", 11}, {"+", 12},
        {"-", 12}, {"*", 13}, {"/", 13},  {"%", 13},  {",", 1}};
    for (const auto& [known, level] : kLevels)
        if (known == sign) return level;
    return 0;
}

HostValue combined(std::string_view sign, const HostValue& left, const HostValue& right) {
    HostValue out;
    if (left.array >= 0 && (sign == "+" || sign == "-")) {
        out = left;
        if (right.number) out.offset += (sign == "+" ? 1 : -1) * std::int64_t(*right.number) * left.element;
        return out;
    }
    if (!left.number || !right.number) return out;
    const double a = *left.number, b = *right.number;
    const bool small = std::abs(a) < 9e15 && std::abs(b) < 9e15;
    out.whole = left.whole && right.whole;
    if (sign == "+") {
        out.number = a + b;
    } else if (sign == "-") {
        out.number = a - b;
    } else if (sign == "*") {
        out.number = a * b;
    } else if (sign == "/") {
        if (b != 0) out.number = out.whole ? std::trunc(a / b) : a / b;
    } else if (sign == "&&" || sign == "||") {
        out.number = sign == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
    } else if (host_level(sign) == 9 || host_level(sign) == 10) {  // comparisons
        out.number = apply_sign(sign, (a > b) - (a < b), 0, Scalar::int64);
    } else if (small) {
        if (const auto whole = apply_sign(sign, std::int64_t(a), std::int64_t(b), Scalar::int64))
            out.number = double(*whole);
    }
    return out;
}

HostValue host_number(std::string_view text) {
    HostValue value;
    std::string digits;
    for (const char c : text)
        if (c != '\'') digits += c;
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) {
        std::uint64_t bits = 0;
        std::from_chars(digits.data() + 2, digits.data() + digits.size(), bits, 16);
        value.number = double(bits);
        return value;
    }
    double real = 0;
    number_from_chars(digits.data(), digits.data() + digits.size(), real);
    value.number = real;
    value.whole = digits.find_first_of(".eEfF") == std::string::npos;
    return value;
}

}  // namespace

HostValue converted(HostValue value, std::optional<bool> whole) {
    if (!value.number || !whole) return value;
    if (*whole) value.number = std::trunc(*value.number);
    value.whole = *whole;
    return value;
}

std::vector<HostValue> HostReader::arguments() {
    std::vector<HostValue> values;
    const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
    ++at_;
    while (at_ + 1 < behind) {
        values.push_back(expression(2));
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
    const std::size_t first = at_;
    HostValue left = unary();
    while (at_ < end_ && tokens_[at_].kind == TokenKind::sign) {
        const std::string_view sign = tokens_[at_].text;
        const int level = host_level(sign);
        if (level == 0 || level < least) break;
        ++at_;
        if (level == 2) {
            const HostValue right = expression(2);
            HostValue value = sign == "=" ? right : combined(sign.substr(0, sign.size() - 1), left, right);
            if (first + 1 < end_ && tokens_[first].kind == TokenKind::name &&
                !given_.contains(tokens_[first].text)) {
                HostVariable& target = place(tokens_[first].text);
                if (tokens_[first + 1].text == "." && !target.value.parts.empty()) {
                    const std::size_t which = std::string_view("xyz").find(tokens_[first + 2].text);
                    if (which < 3) target.value.parts[which] = value.number;
                } else if (tokens_[first + 1].text == sign &&
                           (perhaps_ == 0 || value.number || value.array >= 0)) {
                    guessed_ = guessed_ || perhaps_ > 0;
                    target.value = value;  // unless what may not even happen makes it unknown
                }
            }
            left = value;
        } else if (sign == "?") {
            const HostValue yes = expression(2);
            accept(":");
            const HostValue no = expression(2);
            left = left.number ? (*left.number != 0 ? yes : no) : no.number ? no : yes;
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
    if (sign == "++" || sign == "--" || sign == "+") {
        ++at_;
        return unary();
    }
    if (sign == "-" || sign == "!" || sign == "~") {
        ++at_;
        HostValue of = unary();
        if (of.number)
            of.number = sign == "-" ? -*of.number : sign == "!" ? *of.number == 0 : -*of.number - 1;
        return of;
    }
    if (sign != "&" && sign != "*") return postfix();
    ++at_;
    const std::string_view name = is_name() ? tokens_[at_].text : std::string_view();
    HostValue of = unary();
    if (sign == "&") of = {};
    if (of.refers.empty()) of.refers = name;
    of.is_address = sign == "&";
    return of;
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
            const std::optional<bool> whole = cast_whole_;
            return converted(unary(), whole);
        }
        const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
        ++at_;
        value = expression(1);
        at_ = behind;
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
            at_ = std::min(behind_bracket(tokens_, at_), end_);
            if (value.array < 0) value = {};
        } else if ((is(".") || is("->")) && is_name(1)) {
            at_ += 2;
            value = member(value, tokens_[at_ - 1].text);
        } else if (is("++") || is("--")) {
            ++at_;
        } else if (is("(") && !name.empty()) {
            const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
            arguments();
            at_ = behind;
            value.number = std::nullopt;
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
            if (is_name() && (is(",", 1) || is(")", 1))) scopes_.back()[std::string(tokens_[at_].text)] = {};
    }
    while (at_ < end_ && !is("{") && !is(";") && !is(",") && !is(")")) ++at_;
    const HostValue result = result_;
    block();
    result_ = result;
    scopes_.pop_back();
}

HostValue HostReader::member(const HostValue& of, std::string_view name) {
    HostValue value;
    const std::size_t which = std::string_view("xyz").find(name);
    if (name.size() == 1 && which < of.parts.size()) value.number = of.parts[which];
    if (of.array >= 0 && name == "size") {
        value.number = of.element > 0 ? std::optional<double>(double(arrays_[of.array]) / double(of.element))
                                      : std::nullopt;
    }
    if (of.array >= 0 && (name == "data" || name == "get" || name == "begin")) value = of;
    if (is("(")) at_ = std::min(behind_bracket(tokens_, at_), end_);
    return value;
}

std::size_t HostReader::cast_end(std::string_view close) {
    std::size_t i = at_ + 1;
    bool type = false;
    cast_whole_.reset();
    while (i < end_) {
        const std::string_view text = tokens_[i].text;
        if (bytes_of_word(text) > 0 || text == "void") {
            type = true;
            cast_whole_ = whole_word(text);
        } else if (text == "const" || text == "*" || text == "&" || text == "struct" || text == "std" ||
                   text == "::") {
            if (text == "*") cast_whole_.reset();
        } else if (tokens_[i].kind == TokenKind::name && declared_type(text) != nullptr) {
            type = true;
        } else {
            break;
        }
        ++i;
    }
    return type && i < end_ && tokens_[i].text == close ? i + 1 : 0;
}

}  // namespace warplens::typed
