#include "app/typed/parse/host.h"

#include "app/typed/parse/host_reader.h"

#include <algorithm>

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

HostValue dim_of(const std::vector<HostValue>& values) {
    HostValue made;
    if (values.size() == 1 && !values[0].parts.empty()) return values[0];
    for (std::size_t i = 0; i < 3; ++i)
        made.parts.push_back(i < values.size() ? values[i].number : std::optional<double>(1));
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
    if (const Declaration* main = declarations_.find("main", Declares::function); main && main->body != 0)
        call(*main, {});
    for (const Declaration& one : declarations_.all)
        if (one.what == Declares::function && !one.kernel && !one.device && one.body != 0 &&
            !called_.contains(&one) && has_launch(one))
            call(one, {});
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
        scopes_[0][name].value.number = next++;
        if (!accept(",")) break;
    }
}

HostValue HostReader::call(const Declaration& function, std::vector<HostValue> arguments) {
    if (depth_ > 8 || ++calls_ > 2000) return {};
    called_.insert(&function);
    ++depth_;
    const std::size_t at = at_, end = end_;
    std::vector<std::map<std::string, HostVariable, std::less<>>> outer(scopes_.begin() + 1, scopes_.end());
    scopes_.resize(1);
    scopes_.emplace_back();
    // Parameters.
    at_ = function.begin + 1;  // its name stands before its bracket
    end_ = function.end;
    while (at_ < end_ && !(is("(") && tokens_[at_ - 1].text == function.name)) ++at_;
    ++at_;
    for (std::size_t i = 0; at_ < function.body && !is(")"); ++i) {
        HostVariable variable;
        std::string name;
        while (at_ < function.body && !is(",") && !is(")") && !is("=")) {
            if (const int bytes = bytes_of_word(tokens_[at_].text)) variable.element = bytes;
            if (is("(") || is("[")) {
                at_ = behind_bracket(tokens_, at_);
                continue;
            }
            if (is("<")) at_ = closing_angle(tokens_, at_);
            if (is_name()) name = tokens_[at_].text;
            ++at_;
        }
        HostValue standard;
        if (accept("=")) standard = expression(2);
        variable.value = i < arguments.size() ? arguments[i] : standard;
        if (const auto known = given_.find(name); known != given_.end())
            variable.value.number = double(known->second);
        scopes_.back()[name] = variable;
        if (!accept(",")) break;
    }
    at_ = function.body;
    result_ = {};
    block();
    const HostValue result = result_;
    scopes_.resize(1);
    scopes_.insert(scopes_.end(), outer.begin(), outer.end());
    at_ = at;
    end_ = end;
    --depth_;
    return result;
}

const Declaration* HostReader::declared_type(std::string_view word) const {
    const Declaration* record = declarations_.find(word, Declares::record);
    return record != nullptr ? record : declarations_.find(word, Declares::alias);
}

std::int64_t HostReader::bytes_of_type(const Declaration& declared) {
    std::int64_t element = 0;
    if (declared.what != Declares::record) {
        for (std::size_t i = declared.begin; i < declared.end; ++i)
            if (const int one = bytes_of_word(tokens_[i].text)) element = one;
        return element;
    }
    if (nested_ > 200) return 0;
    const std::size_t at = at_, end = end_;
    end_ = behind_bracket(tokens_, declared.body) - 1;
    ++nested_;
    std::int64_t bytes = 0, widest = 1, count = 1;
    bool pointer = false;
    for (at_ = declared.body + 1; at_ < end_;) {
        const Token& token = tokens_[at_++];
        if (const int one = bytes_of_word(token.text)) {
            element = one;
        } else if (token.text == "(") {  // a function
            at_ = behind_bracket(tokens_, at_ - 1);
            while (at_ < end_ && !is(";") && !is("{")) ++at_;
            if (is("{")) at_ = behind_bracket(tokens_, at_);
            accept(";");
            element = 0;
        } else if (token.text == "[") {
            count *= std::int64_t(expression(1).number.value_or(0));
            accept("]");
        } else if (token.text == "," || token.text == ";") {
            const std::int64_t each = pointer ? 8 : element;
            const std::int64_t align = std::clamp<std::int64_t>(each & -each, 1, 16);
            bytes = (bytes + align - 1) / align * align + each * count;
            widest = std::max(widest, align);
            pointer = false;
            count = 1;
            if (token.text == ";") element = 0;
        } else if (const Declaration* known =
                       token.kind == TokenKind::name && element == 0 ? declared_type(token.text) : nullptr;
                   known != nullptr && known != &declared) {
            element = bytes_of_type(*known);
        }
        pointer = pointer || token.text == "*";
    }
    --nested_;
    at_ = at;
    end_ = end;
    return (bytes + widest - 1) / widest * widest;
}

int HostLaunch::known() const {
    int count = 2 * (grid.has_value() + block.has_value());
    for (const HostArgument& one : arguments) count += one.value || one.bytes > 0;
    return count;
}

std::vector<HostLaunch> find_launches(const std::vector<Token>& tokens, const Declarations& declarations,
                                      const Values& values) {
    return HostReader(tokens, declarations, values).run();
}

}  // namespace warplens::typed
