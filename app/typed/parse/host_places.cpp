#include "app/typed/parse/host_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::typed {

bool leaves(std::string_view name) {
    constexpr std::string_view kLeave[] = {"cudaMalloc", "cudaHostAlloc", "cudaMemcpy", "cudaMemset",
                                           "cudaFree",   "cudaEvent",     "cudaStream", "memcpy",
                                           "memset",     "printf",        "fprintf",    "fwrite",
                                           "free",       "hipMalloc",     "sizeof"};
    return std::ranges::any_of(kLeave, [&](std::string_view one) { return name.starts_with(one); });
}

int HostReader::declare(std::string_view name, HostVariable variable) {
    if (const auto known = given_.find(std::string(name)); known != given_.end()) {
        variable.fixed = true;
        variable.value = {};
        variable.value.number = double(known->second);
        variable.value.scalar = Scalar::int64;
    }
    variables_.push_back(std::move(variable));
    return scopes_.back()[std::string(name)] = int(variables_.size()) - 1;
}

HostValue* HostReader::at_place(const HostPlace& place) {
    if (place.variable < 0 || place.element) return nullptr;
    HostValue* value = &variables_[place.variable].value;
    for (const std::size_t step : place.path) {
        if (step >= 64) return nullptr;
        if (step >= value->members.size()) value->members.resize(step + 1);
        value = &value->members[step];
    }
    return value;
}

void HostReader::forget(const HostPlace& place) {
    if (unevaluated_ > 0 || place.variable < 0 || variables_[place.variable].fixed) return;
    if (asks_) {
        asked_ = asked_ || (place.variable < *asks_ && variables_[place.variable].value.known());
        return;
    }
    HostValue* const value = at_place(place);
    HostValue& all = value == nullptr ? variables_[place.variable].value : *value;
    all = {.record = all.record, .axes = all.axes};
}

void HostReader::forget_all(const std::vector<HostValue>& arguments, bool references) {
    for (const HostValue& one : arguments) {
        forget(one.points);
        if (references) forget(one.place);
    }
}

HostValue HostReader::assign(const HostValue& to, HostValue value) {
    const HostPlace place = to.place;
    if (unevaluated_ > 0 || place.variable < 0 || variables_[place.variable].fixed) return value;
    HostVariable& variable = variables_[place.variable];
    HostValue* const target = at_place(place);
    if (place.element) {  // the arrays of an array of pointers are not told apart
        if (value.array >= 0 && variable.value.array >= 0) variable.value = {};
        if (!variable.value.members.empty()) variable.value = {};
        return value;
    }
    // Unless what may not even happen makes it unknown.
    if (perhaps_ > 0 && !value.known()) return value;
    guessed_ = guessed_ || perhaps_ > 0;
    if (target == nullptr) {
        forget(place);
        return value;
    }
    const Declaration* const record = target->record;
    const Scalar scalar = !place.path.empty() || variable.pointer ? Scalar::none : variable.type.scalar;
    *target = value = converted(std::move(value), scalar);
    if (target->record == nullptr) target->record = record;
    value.place = place;
    return value;
}

HostValue HostReader::pointed(const HostValue& of) {
    HostValue value = of.array >= 0 ? of : HostValue{};
    if (const HostValue* target = at_place(of.points)) value = *target;
    value.place = of.points;
    if (of.points.variable < 0 && of.array >= 0) value.place = {of.place.variable, of.place.path, true};
    return value;
}

HostValue HostReader::member(HostValue of, std::string_view name) {
    HostValue value;
    if (is("(")) {
        constexpr std::string_view kKeep[] = {"size",  "data", "get",   "begin", "end",
                                              "empty", "at",   "front", "back"};
        forget_all(arguments(), false);
        if (std::ranges::find(kKeep, name) == std::end(kKeep)) {
            forget(of.place);
        } else if (of.array >= 0 && name == "size") {
            const std::int64_t bytes = arrays_[of.array];
            if (of.element > 0 && bytes > 0) value.number = double(bytes / of.element);
            value.scalar = Scalar::uint64;
        } else if (of.array >= 0 && (name == "data" || name == "get" || name == "begin")) {
            value = of;
        }
        value.place = {};
        return value;
    }
    std::optional<std::size_t> which = std::string_view("xyzw").find(name);
    if (of.record != nullptr)
        which = member_index(*of.record, name);
    else if (name.size() != 1 || which == std::string_view::npos || !of.axes)
        which.reset();
    if (which && *which < of.members.size()) value = of.members[*which];
    value.place = of.place;
    value.place.path.push_back(which.value_or(std::string_view::npos));
    return value;
}

std::optional<std::size_t> HostReader::member_index(const Declaration& record, std::string_view name) const {
    if (record.what != Declares::record || record.body == 0) return std::nullopt;
    const std::size_t behind = behind_bracket(tokens_, record.body) - 1;
    std::string_view last;
    std::size_t index = 0;
    for (std::size_t i = record.body + 1; i < behind; ++i) {
        const std::string_view text = tokens_[i].text;
        constexpr std::string_view kOther[] = {"static", "using", "typedef", "union",
                                               "struct", "class", "enum"};
        if (std::ranges::find(kOther, text) != std::end(kOther)) return std::nullopt;
        if (text == "(") {  // a function
            i = behind_bracket(tokens_, i);
            while (i < behind && tokens_[i].text != ";" && tokens_[i].text != "{") ++i;
            if (i < behind && tokens_[i].text == "{") i = behind_bracket(tokens_, i) - 1;
            last = {};
        } else if (text == "[" || text == "{") {
            i = behind_bracket(tokens_, i) - 1;
        } else if (text == "<") {
            i = closing_angle(tokens_, i);
        } else if (text == "=") {
            while (i + 1 < behind && tokens_[i + 1].text != ";") ++i;
        } else if (text == "," || text == ";") {
            if (!last.empty() && last == name) return index;
            index += !last.empty();
            last = {};
        } else if (text == ":") {
            last = {};
        } else if (tokens_[i].kind == TokenKind::name) {
            last = text;
        }
    }
    return std::nullopt;
}

void HostReader::forget(std::size_t begin, std::size_t end) {
    const auto text = [&](std::size_t i) { return i < end ? tokens_[i].text : std::string_view(); };
    const auto names = [&](std::size_t i) { return i < end && tokens_[i].kind == TokenKind::name; };
    const auto sets = [&](std::size_t i) {
        return i < end && tokens_[i].kind == TokenKind::sign &&
               (assigns(tokens_[i].text) || text(i) == "++" || text(i) == "--");
    };
    for (std::size_t i = begin; i < end; ++i) {
        if (!names(i)) continue;
        const std::string_view name = text(i), before = i > begin ? text(i - 1) : std::string_view();
        std::size_t behind = i + 1;
        while (text(behind) == "[" || text(behind) == "." || text(behind) == "->")
            behind = text(behind) == "[" ? behind_bracket(tokens_, behind) : behind + 2;
        if (text(i + 1) == "(" || text(i + 1) == "<") {
            const std::size_t open = text(i + 1) == "(" ? i + 1 : closing_angle(tokens_, i + 1) + 1;
            asked_ = asked_ || name.find("alloc") != std::string_view::npos;
            if (leaves(name)) i = behind_bracket(tokens_, open) - 1;
            const Declaration* function = host_function(name);
            if (function != nullptr) forget_globals();
            if (function == nullptr && name != "swap" && name != "exchange") continue;
            for (std::size_t k = open; k < std::min(end, behind_bracket(tokens_, open)); ++k)
                if (names(k)) forget(HostPlace{.variable = find_index(text(k))});
            continue;
        }
        const int variable = find_index(name);
        if (variable < 0 || before == "." || before == "->") continue;
        const bool operand = i > begin + 1 && (names(i - 2) || text(i - 2) == ")" || text(i - 2) == "]" ||
                                               tokens_[i - 2].kind == TokenKind::number);
        if (before == "*" && !operand) forget(variables_[variable].value.points);
        const bool called = text(behind) == "(" && behind > i + 1;  // v.resize(n)
        if (sets(behind) || before == "++" || before == "--" || (before == "&" && !operand) || called ||
            (before == ">>" && i > begin + 1))
            forget(HostPlace{.variable = variable});
    }
}

void HostReader::forget_globals() {
    if (forgets_) return;  // a function that calls itself
    forgets_ = true;
    auto outer = std::exchange(scopes_, {scopes_[0]});
    for (const Declaration& one : declarations_.all)
        if ((one.what == Declares::function && !one.kernel && one.body != 0) || one.what == Declares::record)
            forget(one.body, one.end);
    scopes_ = std::move(outer);
    forgets_ = false;
}

}  // namespace warplens::typed
