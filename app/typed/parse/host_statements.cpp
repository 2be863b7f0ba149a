#include "app/typed/parse/host_reader.h"

#include <algorithm>
#include <utility>

namespace warplens::typed {

void HostReader::block() {
    if (!accept("{")) return;
    scopes_.emplace_back();
    const std::size_t behind = std::min(behind_bracket(tokens_, at_ - 1), end_);
    while (at_ + 1 < behind && flow_ == Flow::on) statement();
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
    if (accept("if")) return choice();
    if (is("do") || is("while") || is("for")) return loop(tokens_[at_++].text);
    if (is("switch") || is("catch")) {
        const bool chooses = is("switch");
        ++at_;
        if (!is("(")) return;
        const std::size_t behind = behind_bracket(tokens_, at_);
        const std::optional<double> value =
            chooses ? value_at(at_ + 1, behind - 1).number : std::optional<double>();
        at_ = behind;
        perhaps_ += !value;
        if (chooses && is("{"))
            choose_case(value);
        else
            statement();
        perhaps_ -= !value;
        return;
    }
    if (is("case") || is("default")) {
        while (at_ < end_ && !is(":")) ++at_;
        accept(":");
        return;
    }
    if (accept("break") || accept("continue")) {
        const bool leaves = tokens_[at_ - 1].text == "break";
        if (perhaps_ == (leaves ? break_base_ : loop_base_))
            flow_ = leaves ? Flow::broken : Flow::continued;
        else
            unsure_ = true;
        accept(";");
        return;
    }
    bool returns = accept("return");
    if (returns) {
        const HostValue value = is(";") ? HostValue{} : expression(1);
        const bool differs = value.number != result_.number || value.array != result_.array;
        returns = perhaps_ == call_base_;
        if (returns) guessed_ = guessed_ || (maybe_result_ && differs && value.known());
        if (returns ? !maybe_result_ || differs : value.known()) result_ = value;
        maybe_result_ = !returns && value.known();
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
    if (returns) flow_ = Flow::returned;
}

void HostReader::choice() {
    accept("constexpr");
    std::optional<double> value;
    if (is("(")) {
        const std::size_t behind = behind_bracket(tokens_, at_);
        value = value_at(at_ + 1, behind - 1).number;
        at_ = behind;
    }
    perhaps_ += !value;
    for (const bool holds : {true, false}) {
        if (!holds && !accept("else")) break;
        if (value && (*value != 0) != holds)
            skip();
        else if (flow_ == Flow::on)
            statement();
        else
            skip();
    }
    perhaps_ -= !value;
}

void HostReader::skip() {
    if (accept("do")) {
        skip();
        accept("while");
        skip();
    } else if (is("if") || is("for") || is("while") || is("switch")) {
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

void HostReader::loop(std::string_view word) {
    constexpr std::int64_t kRounds = 2000, kRoundsOfAll = 20'000;
    const std::size_t begin = at_;
    std::size_t first = 0, last = 0, step = 0, step_end = 0, body = at_;  // condition and step
    const int before = int(variables_.size());
    scopes_.emplace_back();
    bool unsure = false;
    const auto condition = [&](std::size_t open) {
        first = open + 1;
        return last = std::min(behind_bracket(tokens_, open), end_) - 1;
    };
    if (word != "do") {
        if (!is("(")) return scopes_.pop_back();
        body = condition(at_) + 1;
    }
    if (word == "for") {
        const std::size_t close = last;
        ++at_;
        const std::size_t end = std::exchange(end_, close);
        statement();  // how it begins
        end_ = end;
        step_end = close;
        unsure = at_ >= close || tokens_[at_ - 1].text != ";";  // "for (int n : sizes)"
        first = at_;
        for (last = first; last < close && tokens_[last].text != ";";)
            last = tokens_[last].text == "(" ? behind_bracket(tokens_, last) : last + 1;
        step = std::min(last + 1, close);
    }
    at_ = body;
    skip();
    std::size_t behind = at_;
    if (word == "do" && accept("while") && is("(")) {
        behind = condition(at_) + 1;
        at_ = behind;
        accept(";");
        behind = at_;
    }
    const bool once =
        word == "do" && last == first + 1 && (tokens_[first].text == "0" || tokens_[first].text == "false");
    // One that reads the program's arguments is like an if about them.
    const auto reads = [](const Token& one) {
        return one.text == "argv" || one.text == "argc" || one.text == "optarg";
    };
    const bool of_arguments =
        std::any_of(tokens_.begin() + std::ptrdiff_t(begin), tokens_.begin() + std::ptrdiff_t(behind), reads);
    const int old_break = break_base_, old_loop = loop_base_;
    const bool old_unsure = std::exchange(unsure_, unsure);
    for (std::int64_t round = 0;; ++round) {
        std::optional<double> goes = 1;
        if (!unsure_ && first < last && (word != "do" || round > 0)) goes = value_at(first, last).number;
        if (goes && *goes == 0) break;
        unsure_ = unsure_ || !goes || round == kRounds || rounds_++ > kRoundsOfAll;
        if (round > 0 && unsure_) break;
        const std::size_t launches = launches_.size();
        const bool guessed = guessed_;
        perhaps_ += unsure_;  // nobody knows whether it has a round
        break_base_ = loop_base_ = perhaps_;
        const bool no_round = unsure_;
        at_ = body;
        statement();
        perhaps_ -= no_round;
        if (no_round && !of_arguments) guessed_ = guessed;  // what it sets is forgotten
        if (flow_ == Flow::continued) flow_ = Flow::on;
        if (flow_ == Flow::returned && no_round) flow_ = Flow::on;
        for (std::size_t i = launches; i < launches_.size() && !once; ++i)
            launches_[i].guessed = unsure_ = true;
        if (flow_ != Flow::on || unsure_ || once) break;
        if (round == 0 && !may_set(begin, behind, before)) break;
        if (step < step_end) value_at(step, step_end);
    }
    if (flow_ == Flow::broken) flow_ = Flow::on;
    if (unsure_ && !of_arguments) forget(begin, behind);
    unsure_ = old_unsure;
    break_base_ = old_break;
    loop_base_ = old_loop;
    at_ = behind;
    scopes_.pop_back();
}

void HostReader::choose_case(std::optional<double> value) {
    const std::size_t begin = at_, behind = std::min(behind_bracket(tokens_, at_), end_);
    std::size_t from = value ? behind : begin + 1;
    for (std::size_t i = begin + 1; i < behind && value; ++i) {
        if (tokens_[i].text == "{") i = behind_bracket(tokens_, i) - 1;
        if (tokens_[i].text == "default" && from == behind) from = i;
        if (tokens_[i].text != "case") continue;
        at_ = i + 1;
        if (expression(4).number == value) {
            from = i;
            break;
        }
    }
    at_ = from;
    const int old = std::exchange(break_base_, value ? perhaps_ : -1);
    const bool unsure = std::exchange(unsure_, false);
    scopes_.emplace_back();
    while (at_ + 1 < behind && flow_ == Flow::on) statement();
    scopes_.pop_back();
    if (flow_ == Flow::broken) flow_ = Flow::on;
    if (value && unsure_) forget(begin, behind);
    unsure_ = unsure;
    break_base_ = old;
    at_ = behind;
}

bool HostReader::declaration() {
    std::size_t i = at_;
    HostType words;
    bool type = false, dim3 = false, vector = false;
    const Declaration* record = nullptr;
    const auto text = [&] { return tokens_[i].text; };
    while (i < end_ && tokens_[i].kind == TokenKind::name) {
        const std::string_view word = text();
        if (words.add(word)) {
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
            words = type_of(*known);
            record = known;
            type = true;
        } else {
            break;
        }
        ++i;
        if (i < end_ && text() == "::") ++i;
        if (vector && i < end_ && text() == "<") {
            const std::size_t close = closing_angle(tokens_, i);
            words = {};
            for (; i < close; ++i) words.add(text());
            ++i;
        } else if (record != nullptr && record->parameters != 0 && i < end_ && text() == "<") {
            i = closing_angle(tokens_, i) + 1;
            words = {};
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
        bool pointer = false, reference = false;
        for (; is("*") || is("&") || is("const") || is("__restrict__"); ++at_) {
            pointer = pointer || is("*");
            reference = reference || is("&");
        }
        if (!is_name()) break;
        const std::string name(tokens_[at_++].text);
        HostVariable variable{.type = words, .pointer = pointer};
        if (!pointer) variable.value.record = record;
        if (vector) variable.count = -1;
        bool array = false, sized = false;
        while (is("[")) {
            sized = sized || (array && variable.first < 0);
            array = true;
            ++variable.extents;
            ++at_;
            const bool open = is("]");
            const double size = open ? -1 : expression(1).number.value_or(-1);
            if (size < 0 && (!open || variable.count != 0)) sized = true, variable.count = -1;
            const bool unknown = size < 0 || variable.count < 0;
            if (!sized && variable.first == 0) variable.first = unknown ? -1 : std::int64_t(size);
            variable.count = unknown ? -1 : (variable.count == 0 ? 1 : variable.count) * std::int64_t(size);
            accept("]");
        }
        const Scalar scalar = pointer || array ? Scalar::none : words.scalar;
        HostValue& value = variable.value;
        const bool equals = accept("=");
        if (is("{") || (is("(") && !equals)) {
            const bool braces = is("{");
            const std::vector<HostValue> values = arguments();
            if (dim3) {
                value = dim_of(values);
            } else if (vector) {
                value.array =
                    allocate(values.empty() ? 0 : std::int64_t(values[0].number.value_or(0)) * words.bytes);
            } else if (array) {
                value.members = values;
                if (variable.first < 0 && !sized)
                    variable.first = variable.count = std::int64_t(values.size());
            } else if (record != nullptr && !pointer) {
                if (braces && !constructs(*record)) value.members = values;
            } else if (values.size() == 1) {
                value = converted(values[0], scalar);
            } else if (braces && values.empty()) {
                value.number = 0;
            }
        } else if (equals) {
            const HostValue given = expression(2);
            if (reference && given.place.variable >= 0 && given.place.path.empty() && !given.place.element) {
                scopes_.back()[name] = given.place.variable;
                continue;
            }
            if (reference) forget(given.place);  // a member is not followed under two names
            if (!is(",") && !is(";") && !is(")") && !is(":") && at_ < end_)
                value = {.record = value.record};
            else if (dim3 && given.members.empty())
                value = dim_of({given});
            else if (!array)
                value = converted(given, scalar);
            if (value.record == nullptr && !pointer) value.record = record;
        } else if (dim3) {
            value = dim_of({});
        }
        value.place = {};
        declare(name, variable);
    } while (accept(","));
    return true;
}

}  // namespace warplens::typed
