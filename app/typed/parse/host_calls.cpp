#include "app/typed/parse/host_reader.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warplens::typed {

HostValue HostReader::named(const std::string& name) {
    if (name == "sizeof") return size_of();
    if (is("<<<") || (is("<") && is_launch())) return launch(name);
    if (name == "static_cast" || name == "reinterpret_cast" || name == "const_cast") {
        Scalar scalar = Scalar::none;
        if (is("<")) {
            if (cast_end(">") != 0) scalar = cast_;
            at_ = closing_angle(tokens_, at_) + 1;
        }
        const std::vector<HostValue> values = is("(") ? arguments() : std::vector<HostValue>();
        return values.empty() ? HostValue{} : converted(values[0], scalar);
    }
    if (name == "dim3" && (is("(") || is("{"))) return dim_of(arguments());
    for (; name == "cin" && is(">>") && is_name(1); at_ += 2)
        forget(HostPlace{.variable = find_index(tokens_[at_ + 1].text)});
    if (is("<") && at_ + 1 < end_) {  // cdiv<int>(...)
        const std::size_t close = closing_angle(tokens_, at_);
        if (close + 1 < end_ && tokens_[close + 1].text == "(" && find(name) == nullptr) at_ = close + 1;
    }
    if (is("(")) return called(name);
    if (name == "true" || name == "false" || name == "nullptr" || name == "NULL") {
        HostValue value;
        value.number = name == "true";
        return value;
    }
    int variable = find_index(name);
    if (variable < 0 && at_ < end_ && tokens_[at_].kind == TokenKind::sign && assigns(tokens_[at_].text))
        variable = declare(name, {});
    if (variable < 0) return {};
    HostValue value = variables_[variable].value;
    value.place = {.variable = variable};
    if (value.element == 0 || value.array < 0) value.element = variables_[variable].type.bytes;
    return value;
}

HostValue HostReader::size_of() {
    const bool bracket = is("(");
    const std::size_t behind = bracket ? std::min(behind_bracket(tokens_, at_), end_) : end_;
    if (bracket) ++at_;
    HostValue value;
    value.scalar = Scalar::uint64;
    std::int64_t bytes = 0, depth = 0;
    while (accept("*")) ++depth;
    if (const HostVariable* one = is_name() ? find(tokens_[at_].text) : nullptr) {
        ++at_;
        for (; is("["); ++depth) at_ = std::min(behind_bracket(tokens_, at_), end_);
        const std::int64_t each = one->pointer ? 8 : one->type.bytes;
        const bool known = one->count >= 0 && one->first >= 0;
        if (depth == one->extents)
            bytes = one->count < 0 && depth == 0 ? 0 : each;  // of a vector
        else if (depth < one->extents)
            bytes =
                known && one->first > 0 && depth < 2 ? each * one->count / (depth == 0 ? 1 : one->first) : 0;
        else
            bytes = one->type.bytes;
        if (is(".") || is("->")) bytes = 0;
        if (bracket && at_ + 1 != behind) bytes = 0;
    } else if (bracket && depth == 0) {
        HostType words;
        bool pointer = false, other = false;
        for (; at_ + 1 < behind; ++at_) {
            const std::string_view text = tokens_[at_].text;
            const Declaration* type = is_name() ? declared_type(text) : nullptr;
            if (text == "*" || text == "&")
                pointer = true;
            else if (type != nullptr && type->parameters == 0)
                words = type_of(*type);
            else if (!words.add(text))
                other = other || (text != "const" && text != "struct");
        }
        bytes = pointer ? 8 : other ? 0 : words.bytes;
    }
    if (bytes > 0) value.number = double(bytes);
    if (bracket) at_ = behind;
    return value;
}

bool HostReader::is_launch() const {
    const std::size_t close = closing_angle(tokens_, at_);
    return close + 1 < end_ && tokens_[close + 1].text == "<<<";
}

HostValue HostReader::called(const std::string& name) {
    if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
        launch_by_call();
        return {};
    }
    const std::vector<HostValue> values = arguments();
    const auto first = [&](std::size_t i) { return i < values.size() ? values[i].number : std::nullopt; };
    constexpr std::string_view kAllocators[] = {"cudaMalloc",     "cudaMallocManaged", "cudaMallocAsync",
                                                "cudaMallocHost", "cudaHostAlloc",     "hipMalloc"};
    if (std::ranges::find(kAllocators, name) != std::end(kAllocators) && values.size() >= 2) {
        const HostPlace& place = values[0].points;
        HostValue* const target = at_place({.variable = place.variable, .path = place.path});
        if (target == nullptr || unevaluated_ > 0) {
            forget(place);
            return {};
        }
        const auto bytes = std::int64_t(first(1).value_or(0));
        // The arrays of an array of pointers are not told apart.
        const bool other = place.element && target->array >= 0 && arrays_[target->array] != bytes;
        *target = {.array = allocate(other ? 0 : bytes)};
        return {};
    }
    if (name.starts_with("make_")) {  // make_int3(a, b, c)
        HostValue made;
        made.members = values;
        made.axes = true;
        return made;
    }
    HostValue value;
    if ((name == "malloc" || name == "calloc") && !values.empty()) {
        const double bytes = first(0).value_or(0) * (name == "calloc" ? first(1).value_or(0) : 1);
        value.array = allocate(std::int64_t(bytes));
        return value;
    }
    struct Math {
        std::string_view name;  // that of other types has an f before or behind it
        std::size_t arguments;
        double (*of)(double a, double b);
    };
    constexpr Math kMath[] = {{"ceil", 1, [](double a, double) { return std::ceil(a); }},
                              {"floor", 1, [](double a, double) { return std::floor(a); }},
                              {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
                              {"log2", 1, [](double a, double) { return std::log2(a); }},
                              {"pow", 2, [](double a, double b) { return std::pow(a, b); }},
                              {"min", 2, [](double a, double b) { return std::min(a, b); }},
                              {"max", 2, [](double a, double b) { return std::max(a, b); }}};
    for (const Math& math : kMath) {
        if (name != math.name && name != fmt::format("{}f", math.name) &&
            name != fmt::format("f{}", math.name))
            continue;
        if (first(0) && first(math.arguments - 1))
            value.number = math.of(*first(0), *first(math.arguments - 1));
        const bool kept = name == "min" || name == "max";  // others make real numbers
        const Scalar scalar =
            kept && !values.empty() ? common_type(values[0].scalar, values.back().scalar) : Scalar::float64;
        return converted(value, scalar);
    }
    if (HostType type; type.add(name) && !values.empty()) return converted(values[0], type.scalar);
    if (name == "raw_pointer_cast" || name == "move" || name == "getPtr")
        return values.empty() ? value : values[0];
    if (const Declaration* function = host_function(name)) return call(*function, values);
    if (const Declaration* record = declared_type(name); record != nullptr && !constructs(*record))
        return value;
    // It may write what it is given the address of, as scanf does.
    if (leaves(name)) {
        if (name.find("emcpy") != std::string::npos && !values.empty()) forget_all({values[0]}, false);
    } else {
        forget_all(values, name == "swap" || name == "exchange");
    }
    return value;
}

const Declaration* HostReader::host_function(std::string_view name) const {
    for (const Declaration* one : declarations_.named(name))
        if (one->what == Declares::function && !one->kernel && one->body != 0) return one;
    return nullptr;
}

HostValue HostReader::launch(const std::string& name) {
    HostLaunch made{.kernel = name, .at = tokens_[at_ - 1].at};
    if (is("<")) {
        const std::size_t close = closing_angle(tokens_, at_);
        ++at_;
        made.template_arguments.emplace_back();
        for (int open = 0; at_ < close; ++at_) {
            const std::string_view text = tokens_[at_].text;
            open += text == "(" || text == "<" ? 1 : text == ")" || text == ">" ? -1 : 0;
            if (text == "," && open == 0) {
                made.template_arguments.emplace_back();
                continue;
            }
            Token token = tokens_[at_];
            // A constant of the function around it means nothing elsewhere.
            if (const HostVariable* known = token.kind == TokenKind::name ? find(token.text) : nullptr;
                known != nullptr && known->value.number)
                token = {TokenKind::number,
                         made.made->emplace_back(std::to_string(std::int64_t(*known->value.number))),
                         token.at};
            made.template_arguments.back().push_back(token);
        }
        ++at_;
    }
    ++at_;  // <<<
    std::vector<HostValue> sizes;
    while (at_ < end_ && !is(">>>")) {
        sizes.push_back(expression(2));
        if (!is(",") && !is(">>>")) sizes.back() = {};  // it was not understood
        while (at_ < end_ && !is(",") && !is(">>>")) {
            if (is("("))
                at_ = behind_bracket(tokens_, at_);
            else
                ++at_;
        }
        if (!accept(",")) break;
    }
    accept(">>>");
    add_launch(std::move(made), sizes, is("(") ? arguments() : std::vector<HostValue>());
    return {};
}

void HostReader::launch_by_call() {
    HostLaunch made{.at = tokens_[at_ - 1].at};
    for (std::size_t i = at_, open = 0; i < end_; ++i) {  // "(const void*)kernel<float>"
        open += is("(", i - at_) ? 1 : 0;
        open -= is(")", i - at_) ? 1 : 0;
        if (open == 0 || (open == 1 && tokens_[i].text == ",")) break;
        const Declaration* one = declarations_.find(tokens_[i].text, Declares::function);
        if (one != nullptr && one->kernel) made.kernel = one->name;
    }
    const std::vector<HostValue> values = arguments();
    if (made.kernel.empty() || values.size() < 4) return;
    std::vector<HostValue> sizes{values[1], values[2]}, given;
    if (values.size() > 4) sizes.push_back(values[4]);
    for (const HostValue& one : values[3].members) {  // {&a, &n}
        given.push_back(pointed(one));
    }
    add_launch(std::move(made), sizes, given);
}

/// @param sizes  grid, block and shared memory
void HostReader::add_launch(HostLaunch made, const std::vector<HostValue>& sizes,
                            const std::vector<HostValue>& given) {
    if (unevaluated_ > 0) return;
    const auto dims = [&](std::size_t i) -> std::optional<std::array<std::int64_t, 3>> {
        if (i >= sizes.size()) return std::nullopt;
        std::array<std::int64_t, 3> out{1, 1, 1};
        const std::vector<HostValue>& members = sizes[i].members;
        if (members.empty()) {
            if (!sizes[i].number) return std::nullopt;
            out[0] = std::int64_t(*sizes[i].number);
            return out;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            if (k < members.size() && !members[k].number) return std::nullopt;
            if (k < members.size()) out[k] = std::int64_t(*members[k].number);
        }
        return out;
    };
    made.grid = dims(0);
    made.block = dims(1);
    if (sizes.size() < 3) made.shared = 0;
    if (sizes.size() > 2 && sizes[2].number) made.shared = std::int64_t(*sizes[2].number);
    const std::function<HostArgument(const HostValue&)> argument_of = [&](const HostValue& value) {
        HostArgument argument;
        for (const HostValue& member : value.members) argument.members.push_back(argument_of(member));
        if (value.array >= 0) {
            argument.array = value.array;
            argument.bytes = arrays_[value.array];
            if (value.offset > 0 && value.offset < argument.bytes) argument.offset = value.offset;
        } else if (value.number && std::abs(*value.number) < 9e15) {
            argument.value = std::int64_t(*value.number);
        }
        return argument;
    };
    for (const HostValue& value : given) made.arguments.push_back(argument_of(value));
    made.guessed = guessed_ || perhaps_ > 0;
    launches_.push_back(std::move(made));
}

}  // namespace warplens::typed
