#include "app/typed/parse/host.h"

#include "app/typed/parse/host_reader.h"

#include <algorithm>
#include <utility>

namespace warplens::typed {

namespace {

constexpr std::pair<std::string_view, int> kHostBytes[] = {
    {"clock_t", 8},     {"char", 1},        {"bool", 1},          {"int8_t", 1},  {"uint8_t", 1},
    {"uchar", 1},       {"short", 2},       {"half", 2},          {"__half", 2},  {"int", 4},
    {"unsigned", 4},    {"float", 4},       {"uint", 4},          {"int32_t", 4}, {"uint32_t", 4},
    {"long", 8},        {"double", 8},      {"size_t", 8},        {"int64_t", 8}, {"uint64_t", 8},
    {"float2", 8},      {"int2", 8},        {"float3", 12},       {"float4", 16}, {"int4", 16},
    {"uchar4", 4},      {"double2", 16},    {"cuComplex", 8},     {"uchar3", 3},  {"ulong", 8},
    {"uint2", 8},       {"nv_bfloat16", 2}, {"__nv_bfloat16", 2}, {"signed", 4},  {"half2", 4},
    {"cufftComplex", 8}};

}  // namespace

int bytes_of_word(std::string_view word) {
    for (const auto& [name, bytes] : kHostBytes)
        if (name == word) return bytes;
    return 0;
}

bool HostType::add(std::string_view word) {
    const int size = bytes_of_word(word);
    if (size == 0) return false;
    const bool no_sign =
        scalar == Scalar::uint32 || scalar == Scalar::uint64 || word.starts_with('u') || word == "size_t";
    constexpr std::string_view kReal[] = {"float",  "double",      "half",
                                          "__half", "nv_bfloat16", "__nv_bfloat16"};
    const bool refines = word == "int" || word == "unsigned" || word == "signed";  // "long unsigned int"
    if (!refines || bytes == 0) bytes = size;
    if (std::ranges::find(kReal, word) != std::end(kReal))
        scalar = size == 8 ? Scalar::float64 : Scalar::float32;
    else if (!word.ends_with("_t") && word.find_first_of("234") != std::string_view::npos)
        scalar = Scalar::none;  // a vector
    else if (word.ends_with("omplex"))
        scalar = Scalar::none;
    else if (word == "bool")
        scalar = Scalar::boolean;
    else
        scalar = bytes == 1   ? (no_sign ? Scalar::uint8 : Scalar::int8)
                 : bytes == 2 ? (no_sign ? Scalar::uint16 : Scalar::int16)
                 : bytes == 4 ? (no_sign ? Scalar::uint32 : Scalar::int32)
                              : (no_sign ? Scalar::uint64 : Scalar::int64);
    return true;
}

HostValue dim_of(const std::vector<HostValue>& values) {
    HostValue made;
    if (values.size() == 1 && !values[0].members.empty()) return values[0];
    made.axes = true;
    made.members.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
        made.members[i].number = i < values.size() ? values[i].number : std::optional<double>(1);
        made.members[i] = converted(made.members[i], Scalar::uint32);
    }
    return made;
}

std::vector<HostLaunch> HostReader::run() {
    for (const Declaration& one : declarations_.all) {
        if (one.what == Declares::constant) {
            at_ = one.begin;
            end_ = one.end;
            statement();
        } else if (one.what == Declares::enumeration) {
            read_enumeration(one);
        }
    }
    for (const Declaration& one : declarations_.all)  // methods are not followed
        if (one.what == Declares::record && one.body != 0) forget(one.body, one.end);
    if (const Declaration* main = declarations_.find("main", Declares::function); main && main->body != 0)
        call(*main, {});
    for (const Declaration& one : declarations_.all)
        if (one.what == Declares::function && !one.kernel && !one.device && one.body != 0 &&
            !called_.contains(&one) && has_launch(one)) {
            forget_globals();
            call(one, {});
        }
    return std::move(launches_);
}

bool HostReader::has_launch(const Declaration& one) const {
    for (std::size_t i = one.body; i < one.end; ++i)
        if (tokens_[i].text == "<<<" || tokens_[i].text.starts_with("cudaLaunch")) return true;
    return false;
}

void HostReader::read_enumeration(const Declaration& one) {
    at_ = one.body + 1;
    end_ = one.end;
    double next = 0;
    while (is_name()) {
        const std::string name(tokens_[at_++].text);
        if (accept("=")) next = expression(2).number.value_or(next);
        HostVariable value;
        value.value.number = next++;
        declare(name, value);
        if (!accept(",")) break;
    }
}

HostValue HostReader::call(const Declaration& function, std::vector<HostValue> arguments) {
    if (depth_ > 8 || ++calls_ > 2000) {
        forget_all(arguments, true);
        forget_globals();
        return {};
    }
    called_.insert(&function);
    ++depth_;
    const std::size_t at = at_, end = end_;
    auto outer = std::exchange(scopes_, {scopes_[0]});
    scopes_.emplace_back();
    // Parameters.
    at_ = function.begin + 1;  // its name stands before its bracket
    end_ = function.end;
    while (at_ < end_ && !(is("(") && tokens_[at_ - 1].text == function.name)) ++at_;
    ++at_;
    for (std::size_t i = 0; at_ < function.body && !is(")"); ++i) {
        HostVariable variable;
        std::string name;
        bool reference = false;
        while (at_ < function.body && !is(",") && !is(")") && !is("=")) {
            if (is("(") || is("[")) {
                variable.pointer = true;
                at_ = behind_bracket(tokens_, at_);
                continue;
            }
            if (is("<")) at_ = closing_angle(tokens_, at_);
            if (is_name() && !variable.type.add(tokens_[at_].text)) {
                const Declaration* record = declared_type(tokens_[at_].text);
                if (record != nullptr) variable.type = type_of(*record);
                variable.value.record = record != nullptr ? record : variable.value.record;
            }
            reference = reference || is("&");
            variable.pointer = variable.pointer || is("*");
            if (is_name()) name = tokens_[at_].text;
            ++at_;
        }
        HostValue standard;
        if (accept("=")) standard = expression(2);
        const Declaration* const record = variable.pointer ? nullptr : variable.value.record;
        const bool given = i < arguments.size();
        HostValue& value = variable.value;
        value = converted(given ? arguments[i] : standard,
                          variable.pointer ? Scalar::none : variable.type.scalar);
        if (value.record == nullptr) value.record = record;
        const HostPlace place = given && reference ? arguments[i].place : HostPlace{};
        if (place.variable >= 0 && place.path.empty() && !place.element) {
            scopes_.back()[name] = place.variable;
        } else {
            forget(place);  // a member is not followed under two names
            declare(name, variable);
        }
        if (!accept(",")) break;
    }
    at_ = function.body;
    result_ = {};
    const bool maybe = std::exchange(maybe_result_, false), unsure = std::exchange(unsure_, false);
    const int base = std::exchange(call_base_, perhaps_), break_base = break_base_, loop_base = loop_base_;
    block();
    flow_ = Flow::on;
    call_base_ = base;
    break_base_ = break_base;
    loop_base_ = loop_base;
    unsure_ = unsure;
    maybe_result_ = maybe;
    const HostValue result = result_;
    outer[0] = std::move(scopes_[0]);
    scopes_ = std::move(outer);
    at_ = at;
    end_ = end;
    --depth_;
    return result;
}

const Declaration* HostReader::declared_type(std::string_view word) const {
    const Declaration* record = declarations_.find(word, Declares::record);
    return record != nullptr ? record : declarations_.find(word, Declares::alias);
}

HostType HostReader::type_of(const Declaration& declared) {
    HostType type;
    if (declared.what == Declares::record) {
        type.bytes = bytes_of_type(declared);
        return type;
    }
    bool other = false;
    for (std::size_t i = declared.begin; i < declared.end; ++i)
        other = other || tokens_[i].text == "*" || tokens_[i].text == "<";
    for (std::size_t i = declared.begin; i < declared.end && !other; ++i) type.add(tokens_[i].text);
    return type;
}

bool HostReader::constructs(const Declaration& record) const {
    for (std::size_t i = record.body + 1; record.body != 0 && i + 1 < behind_bracket(tokens_, record.body);
         ++i)
        if (tokens_[i].text == record.name && tokens_[i + 1].text == "(") return true;
    return false;
}

std::int64_t HostReader::bytes_of_type(const Declaration& declared) {
    std::int64_t element = 0;
    if (declared.what != Declares::record) return type_of(declared).bytes;
    if (nested_ > 200) return 0;
    const std::size_t at = at_, end = end_;
    end_ = behind_bracket(tokens_, declared.body) - 1;
    ++nested_;
    std::int64_t bytes = 0, widest = 1, count = 1;
    bool pointer = false, known = true;
    HostType words;
    for (at_ = declared.body + 1; at_ < end_;) {
        const Token& token = tokens_[at_++];
        if (words.add(token.text)) {
            element = words.bytes;
        } else if (token.text == "static" || token.text == "using" || token.text == "typedef") {
            while (at_ < end_ && !is(";")) at_ = is("{") || is("(") ? behind_bracket(tokens_, at_) : at_ + 1;
            accept(";");
        } else if (token.text == "(") {  // a function
            at_ = behind_bracket(tokens_, at_ - 1);
            while (at_ < end_ && !is(";") && !is("{")) ++at_;
            if (is("{")) at_ = behind_bracket(tokens_, at_);
            accept(";");
            words = {};
            element = 0;
        } else if (token.text == "[") {
            count *= std::int64_t(expression(1).number.value_or(0));
            known = known && count > 0;
            accept("]");
        } else if (token.text == "," || token.text == ";") {
            const std::int64_t each = pointer ? 8 : element;
            known = known && (each > 0 || tokens_[at_ - 2].kind != TokenKind::name);
            const std::int64_t align = std::clamp<std::int64_t>(each & -each, 1, 16);
            bytes = (bytes + align - 1) / align * align + each * count;
            widest = std::max(widest, align);
            pointer = false;
            count = 1;
            if (token.text == ";") words = {}, element = 0;
        } else if (const Declaration* type =
                       token.kind == TokenKind::name && element == 0 ? declared_type(token.text) : nullptr;
                   type != nullptr && type != &declared) {
            element = bytes_of_type(*type);
        }
        pointer = pointer || token.text == "*";
    }
    --nested_;
    at_ = at;
    end_ = end;
    return !known ? 0 : (bytes + widest - 1) / widest * widest;
}

int HostLaunch::known() const {
    int count = 2 * (grid.has_value() + block.has_value());
    for (const HostArgument& one : arguments) count += one.value || one.bytes > 0 || !one.members.empty();
    return count;
}

std::vector<HostLaunch> find_launches(const std::vector<Token>& tokens, const Declarations& declarations,
                                      const Values& values) {
    return HostReader(tokens, declarations, values).run();
}

}  // namespace warplens::typed
