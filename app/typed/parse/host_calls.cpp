#include "app/typed/parse/host_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warplens::typed {

HostValue HostReader::named(const std::string& name) {
    if (name == "sizeof" && is("(")) return size_of();
    if (is("<<<") || (is("<") && is_launch())) return launch(name);
    if (name == "static_cast" || name == "reinterpret_cast" || name == "const_cast") {
        std::optional<bool> whole;
        if (is("<")) {
            if (cast_end(">") != 0) whole = cast_whole_;
            at_ = closing_angle(tokens_, at_) + 1;
        }
        const std::vector<HostValue> values = is("(") ? arguments() : std::vector<HostValue>();
        return values.empty() ? HostValue{} : converted(values[0], whole);
    }
    if (name == "dim3" && (is("(") || is("{"))) return dim_of(arguments());
    for (; name == "cin" && is(">>") && is_name(1); at_ += 2)
        if (HostVariable* read = find(tokens_[at_ + 1].text)) read->value.number.reset();
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
    if (const HostVariable* variable = find(name)) {
        HostValue value = variable->value;
        value.element = variable->element;
        return value;
    }
    return {};
}

HostValue HostReader::size_of() {
    const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
    HostValue value;
    for (std::size_t i = at_ + 1; i + 1 < behind; ++i) {
        if (tokens_[i].text == "*" && i + 2 == behind) value.number = 8;
        if (value.number) continue;
        const std::string_view text = tokens_[i].text;
        if (const int bytes = bytes_of_word(text)) value.number = bytes;
        const Declaration* type = tokens_[i].kind == TokenKind::name ? declared_type(text) : nullptr;
        if (type != nullptr && bytes_of_type(*type) > 0) value.number = double(bytes_of_type(*type));
        if (const HostVariable* variable = find(text); variable != nullptr && variable->element > 0)
            value.number = double(variable->element * std::max<std::int64_t>(variable->count, 1));
        if (text == "unsigned" && i + 2 < behind)
            if (const int bytes = bytes_of_word(tokens_[i + 1].text)) value.number = bytes;
    }
    // A template parameter or the type of some header: a word of 4 bytes is likeliest.
    if (!value.number) value.number = 4;
    at_ = behind;
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
        if (!values[0].refers.empty())
            place(values[0].refers).value.array = allocate(std::int64_t(first(1).value_or(0)));
        return {};
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
        value.whole = kept && !values.empty() && values[0].whole && values.back().whole;
        return value;
    }
    if (name == "atoi" || name == "atol" || name == "strtol" || name == "stoi")
        return {};
    else if (bytes_of_word(name) > 0 && !values.empty())
        return converted(values[0], whole_word(name));
    else if (name == "raw_pointer_cast" || name == "move" || name == "getPtr")
        return values.empty() ? value : values[0];
    else if (const Declaration* function = host_function(name)) {
        return call(*function, values);
    } else {
        // It may write what it is given the address of, as scanf does.
        for (const HostValue& value_of : values)
            if (HostVariable* given = value_of.is_address ? find(value_of.refers) : nullptr)
                given->value.number.reset();
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
        sizes.push_back(expression(12));
        // Comparisons and shifts would take the '>>>' for their own.
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
        const HostVariable* variable = one.is_address ? find(one.refers) : nullptr;
        given.push_back(variable == nullptr ? HostValue{} : variable->value);
    }
    add_launch(std::move(made), sizes, given);
}

/// @param sizes  grid, block and shared memory
void HostReader::add_launch(HostLaunch made, const std::vector<HostValue>& sizes,
                            const std::vector<HostValue>& given) {
    const auto dims = [&](std::size_t i) -> std::optional<std::array<std::int64_t, 3>> {
        if (i >= sizes.size()) return std::nullopt;
        std::array<std::int64_t, 3> out{1, 1, 1};
        if (sizes[i].parts.empty()) {
            if (!sizes[i].number) return std::nullopt;
            out[0] = std::int64_t(*sizes[i].number);
            return out;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            if (!sizes[i].parts[k]) return std::nullopt;
            out[k] = std::int64_t(*sizes[i].parts[k]);
        }
        return out;
    };
    made.grid = dims(0);
    made.block = dims(1);
    if (sizes.size() < 3) made.shared = 0;
    if (sizes.size() > 2 && sizes[2].number) made.shared = std::int64_t(*sizes[2].number);
    const std::function<void(const HostValue&)> add = [&](const HostValue& value) {
        for (const HostValue& member : value.members) add(member);
        if (!value.members.empty()) return;
        HostArgument argument;
        if (value.array >= 0) {
            argument.array = value.array;
            argument.bytes = arrays_[value.array];
            if (value.offset > 0 && value.offset < argument.bytes) argument.offset = value.offset;
        } else if (value.number && std::abs(*value.number) < 9e15) {
            argument.value = std::int64_t(*value.number);
        }
        made.arguments.push_back(argument);
    };
    for (const HostValue& value : given) add(value);
    made.guessed = guessed_ || perhaps_ > 0;
    launches_.push_back(std::move(made));
}

}  // namespace warplens::typed
