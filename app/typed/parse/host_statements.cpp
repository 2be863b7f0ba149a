#include "app/typed/parse/host_reader.h"

#include <algorithm>

namespace warplens::typed {

void HostReader::block() {
    if (!accept("{")) return;
    scopes_.emplace_back();
    const std::size_t behind = std::min(behind_bracket(tokens_, at_ - 1), end_);
    while (at_ + 1 < behind) statement();
    at_ = behind;
    scopes_.pop_back();
}

void HostReader::statement() {
    if (++steps_ > 200'000) {
        at_ = end_;
        return;
    }
    const std::size_t begin = at_;
    if (is("{")) return block();
    if (accept(";") || accept("else") || accept("try")) return;
    if (accept("do")) return meet_loop();
    if (accept("if")) return choice();
    if (is("while") || is("switch") || is("catch")) {
        const bool chooses = is("switch");
        ++at_;
        if (!is("(")) return;
        const std::size_t behind = behind_bracket(tokens_, at_++);
        const std::optional<double> value = chooses ? expression(1).number : std::nullopt;
        at_ = behind;
        if (!chooses) meet_loop();
        if (value && is("{")) choose_case(*value);
        return;
    }
    if (accept("for")) {
        if (!accept("(")) return;
        const std::size_t close = behind_bracket(tokens_, at_ - 1);
        statement();  // how it begins
        at_ = close;
        return meet_loop();
    }
    if (accept("return")) {
        if (!is(";")) result_ = expression(1);
    } else if (!declaration()) {
        expression(1);
    }
    // To the end of the statement, whatever was not understood.
    while (at_ < end_ && !is(";")) {
        if (is("{") && at_ > begin) break;
        if (is("}") || is(")")) {
            ++at_;
            continue;
        }
        if (is(",") || is("<<") || is("=")) {
            ++at_;
            expression(2);
        } else {
            ++at_;
        }
    }
    accept(";");
}

void HostReader::choice() {
    accept("constexpr");
    std::optional<double> value;
    if (is("(")) {
        const std::size_t behind = behind_bracket(tokens_, at_++);
        value = expression(1).number;
        at_ = behind;
    }
    perhaps_ += !value;
    for (const bool holds : {true, false}) {
        if (!holds && !accept("else")) break;
        if (value && (*value != 0) != holds)
            skip();
        else
            statement();
    }
    perhaps_ -= !value;
}

void HostReader::skip() {
    if (is("if") || is("for") || is("while") || is("switch")) {
        const bool may_have_else = is("if");
        ++at_;
        accept("constexpr");
        if (is("(")) at_ = behind_bracket(tokens_, at_);
        skip();
        if (may_have_else && accept("else")) skip();
    } else if (is("{")) {
        at_ = behind_bracket(tokens_, at_);
    } else {
        while (at_ < end_ && !is(";")) at_ = is("(") || is("{") ? behind_bracket(tokens_, at_) : at_ + 1;
        accept(";");
    }
    at_ = std::min(at_, end_);
}

void HostReader::meet_loop() {
    const std::size_t begin = at_;
    skip();
    const auto first = tokens_.begin() + std::ptrdiff_t(begin), last = tokens_.begin() + std::ptrdiff_t(at_);
    guessed_ = guessed_ || std::any_of(first, last, [](const Token& one) { return one.text == "<<<"; });
    at_ = begin;
}

void HostReader::choose_case(double value) {
    const std::size_t begin = at_, behind = std::min(behind_bracket(tokens_, at_), end_);
    for (std::size_t i = begin + 1; i < behind; ++i) {
        if (tokens_[i].text == "{") i = behind_bracket(tokens_, i) - 1;
        if (tokens_[i].text != "case") continue;
        at_ = i + 1;
        const std::optional<double> label = expression(3).number;
        if (!label || *label != value || !accept(":")) continue;
        while (at_ + 1 < behind && !is("break")) statement();
        at_ = behind;
        return;
    }
    at_ = begin;
}

bool HostReader::declaration() {
    std::size_t i = at_;
    std::int64_t element = 0;
    bool type = false, dim3 = false, vector = false;
    std::optional<bool> whole;
    const auto text = [&] { return tokens_[i].text; };
    while (i < end_ && tokens_[i].kind == TokenKind::name) {
        const std::string_view word = text();
        if (const int bytes = bytes_of_word(word)) {
            element = bytes;
            whole = whole_word(word);
            type = true;
        } else if (word == "dim3" || word == "auto" || word == "const" || word == "constexpr" ||
                   word == "static" || word == "volatile" || word == "struct" || word == "cudaError_t" ||
                   word == "std" || (word == "void" && tokens_[i + 1].text == "*") || word == "thrust" ||
                   word == "__constant__" || word == "__device__") {
            dim3 = dim3 || word == "dim3";
            type = type || word == "dim3" || word == "auto" || word == "void";
        } else if (word == "vector" || word == "device_vector" || word == "host_vector") {
            type = vector = true;
        } else if (const Declaration* known = declared_type(word); known != nullptr && !type) {
            element = bytes_of_type(*known);
            type = true;
        } else {
            break;
        }
        ++i;
        if (i < end_ && text() == "::") ++i;
        if (vector && i < end_ && text() == "<") {
            const std::size_t close = closing_angle(tokens_, i);
            for (; i < close; ++i)
                if (const int bytes = bytes_of_word(text())) element = bytes;
            ++i;
        }
    }
    // "Type* name": a type of some header
    if (!type && i == at_ && i + 2 < end_ && tokens_[i + 1].text == "*" &&
        tokens_[i + 2].kind == TokenKind::name &&
        (tokens_[i + 3].text == ";" || tokens_[i + 3].text == "=")) {
        type = true;
        ++i;
    }
    if (!type || i >= end_) return false;
    if (tokens_[i].text != "*" && tokens_[i].text != "&" && tokens_[i].kind != TokenKind::name) return false;
    at_ = i;
    do {
        while (is("*") || is("&") || is("const") || is("__restrict__")) ++at_;
        if (!is_name()) break;
        const std::string name(tokens_[at_++].text);
        HostVariable variable{.value = {}, .element = element, .count = 0};
        while (is("[")) {
            ++at_;
            const double size = is("]") ? 0 : expression(1).number.value_or(0);
            variable.count = (variable.count == 0 ? 1 : variable.count) * std::int64_t(size);
            accept("]");
        }
        if (is("(") || is("{")) {
            const std::size_t open = at_, behind = behind_bracket(tokens_, open);
            const std::vector<HostValue> values = arguments();
            at_ = behind;
            if (dim3) {
                variable.value = dim_of(values);
            } else if (vector) {
                const double count = values.empty() ? 0 : values[0].number.value_or(0);
                variable.value.array = allocate(std::int64_t(count) * element);
            } else if (values.size() > 1) {
                variable.value.members = values;
            } else if (!values.empty()) {
                variable.value = converted(values[0], whole);
            }
        } else if (accept("=")) {
            if (is("{")) {
                const std::size_t behind = behind_bracket(tokens_, at_);
                const std::vector<HostValue> values = arguments();
                at_ = behind;
                if (dim3)
                    variable.value = dim_of(values);
                else
                    variable.value.members = values;
            } else {
                const HostValue value = expression(2);
                variable.value = converted(value, whole);
                if (dim3 && value.parts.empty()) variable.value = dim_of({value});
            }
        } else if (dim3) {
            variable.value = dim_of({});
        }
        if (const auto known = given_.find(name); known != given_.end()) {
            variable.value = {};
            variable.value.number = double(known->second);
        }
        scopes_.back()[name] = variable;
    } while (accept(","));
    return true;
}

}  // namespace warplens::typed
