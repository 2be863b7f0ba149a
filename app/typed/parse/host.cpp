#include "app/typed/parse/host.h"

#include "app/base/parse_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace warplens::typed {
namespace {

using HostNumbers = std::map<std::string, std::int64_t, std::less<>>;

/// The value of an expression of the host, as far as it is followed.
struct HostValue {
    std::optional<double> number;
    bool whole = true;                         ///< an integer
    std::vector<std::optional<double>> parts;  ///< of dim3 and the like
    int array = -1;                            ///< of a pointer: which allocation
    std::string refers;                        ///< of &name and *name: the variable
    bool is_address = false;                   ///< of &name
    std::int64_t element = 0;                  ///< of a pointer or a type: bytes of an element
    std::int64_t offset = 0;                   ///< of a pointer: how far into its array [bytes]
};

struct HostVariable {
    HostValue value;
    std::int64_t element = 0;  ///< of a pointer or an array: bytes of an element
    std::int64_t count = 0;    ///< of an array: its elements
};

constexpr std::pair<std::string_view, int> kHostBytes[] = {
    {"clock_t", 8},     {"char", 1},        {"bool", 1},          {"int8_t", 1},  {"uint8_t", 1},
    {"uchar", 1},       {"short", 2},       {"half", 2},          {"__half", 2},  {"int", 4},
    {"unsigned", 4},    {"float", 4},       {"uint", 4},          {"int32_t", 4}, {"uint32_t", 4},
    {"long", 8},        {"double", 8},      {"size_t", 8},        {"int64_t", 8}, {"uint64_t", 8},
    {"float2", 8},      {"int2", 8},        {"float3", 12},       {"float4", 16}, {"int4", 16},
    {"uchar4", 4},      {"double2", 16},    {"cuComplex", 8},     {"uchar3", 3},  {"ulong", 8},
    {"uint2", 8},       {"nv_bfloat16", 2}, {"__nv_bfloat16", 2}, {"signed", 4},  {"half2", 4},
    {"cufftComplex", 8}};

int bytes_of_word(std::string_view word) {
    for (const auto& [name, bytes] : kHostBytes)
        if (name == word) return bytes;
    return 0;
}

class Host {
public:
    Host(const std::vector<Token>& tokens, const Declarations& declarations, const HostNumbers& values)
        : tokens_(tokens), declarations_(declarations), given_(values) {
        scopes_.emplace_back();
        for (const auto& [name, value] : values) scopes_[0][name].value.number = double(value);
    }

    std::vector<HostLaunch> run() {
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

private:
    bool is(std::string_view text, std::size_t ahead = 0) const {
        return at_ + ahead < end_ && tokens_[at_ + ahead].kind != TokenKind::text &&
               tokens_[at_ + ahead].text == text;
    }
    bool is_name(std::size_t ahead = 0) const {
        return at_ + ahead < end_ && tokens_[at_ + ahead].kind == TokenKind::name;
    }
    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    bool has_launch(const Declaration& one) const {
        for (std::size_t i = one.body; i < one.end; ++i)
            if (tokens_[i].text == "<<<" || tokens_[i].text == "cudaLaunchKernel") return true;
        return false;
    }
    HostVariable* find(std::string_view name) {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return &found->second;
        return nullptr;
    }
    HostVariable& place(std::string_view name) {
        if (HostVariable* known = find(name)) return *known;
        return scopes_.back()[std::string(name)];
    }

    void read_enumeration(const Declaration& one) {
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

    /// Follows a function with these arguments.
    HostValue call(const Declaration& function, std::vector<HostValue> arguments) {
        if (depth_ > 8 || ++calls_ > 2000) return {};
        called_.insert(&function);
        ++depth_;
        const std::size_t at = at_, end = end_;
        std::vector<std::map<std::string, HostVariable, std::less<>>> outer(scopes_.begin() + 1,
                                                                            scopes_.end());
        scopes_.resize(1);
        scopes_.emplace_back();
        // Parameters.
        at_ = function.begin;
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

    void block() {
        if (!accept("{")) return;
        scopes_.emplace_back();
        const std::size_t behind = std::min(behind_bracket(tokens_, at_ - 1), end_);
        while (at_ + 1 < behind) statement();
        at_ = behind;
        scopes_.pop_back();
    }

    void statement() {
        if (++steps_ > 200'000) {
            at_ = end_;
            return;
        }
        const std::size_t begin = at_;
        if (is("{")) return block();
        if (accept(";") || accept("else") || accept("do") || accept("try")) return;
        if (accept("if")) return choice();
        if (is("while") || is("switch") || is("catch")) {
            const bool chooses = is("switch");
            ++at_;
            if (!is("(")) return;
            const std::size_t behind = behind_bracket(tokens_, at_++);
            const std::optional<double> value = chooses ? expression(1).number : std::nullopt;
            at_ = behind;
            if (value && is("{")) choose_case(*value);
            return;
        }
        if (accept("for")) {
            if (!accept("(")) return;
            const std::size_t close = behind_bracket(tokens_, at_ - 1);
            statement();  // how it begins
            at_ = close;
            return;
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

    /// What a known condition leaves out is not followed.
    void choice() {
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
    /// Over a statement, unread.
    void skip() {
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
    /// To the case of this value in the block that begins here, if it has one; its end is left to the block.
    void choose_case(double value) {
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

    /// "const int n = 1 << 20, m = n;", "dim3 grid(n / 16, 4);", "float *a, b[64];"
    bool declaration() {
        std::size_t i = at_;
        std::int64_t element = 0;
        bool type = false, dim3 = false, vector = false;
        const auto text = [&] { return tokens_[i].text; };
        while (i < end_ && tokens_[i].kind == TokenKind::name) {
            const std::string_view word = text();
            if (const int bytes = bytes_of_word(word)) {
                element = bytes;
                type = true;
            } else if (word == "dim3" || word == "auto" || word == "const" || word == "constexpr" ||
                       word == "static" || word == "volatile" || word == "struct" || word == "cudaError_t" ||
                       word == "std" || word == "thrust" || word == "__constant__" || word == "__device__") {
                dim3 = dim3 || word == "dim3";
                type = type || word == "dim3" || word == "auto";
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
        if (tokens_[i].text != "*" && tokens_[i].text != "&" && tokens_[i].kind != TokenKind::name)
            return false;
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
                } else if (!values.empty()) {
                    variable.value = values[0];
                }
            } else if (accept("=")) {
                if (is("{")) {
                    const std::size_t behind = behind_bracket(tokens_, at_);
                    const std::vector<HostValue> values = arguments();
                    at_ = behind;
                    if (dim3) variable.value = dim_of(values);
                } else {
                    const HostValue value = expression(2);
                    variable.value = value;
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

    const Declaration* declared_type(std::string_view word) const {
        const Declaration* record = declarations_.find(word, Declares::record);
        return record != nullptr ? record : declarations_.find(word, Declares::alias);
    }
    /// As its members lie in memory.
    std::int64_t bytes_of_type(const Declaration& declared) {
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
            } else if (const Declaration* known = token.kind == TokenKind::name && element == 0
                                                      ? declared_type(token.text)
                                                      : nullptr;
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

    static HostValue dim_of(const std::vector<HostValue>& values) {
        HostValue made;
        if (values.size() == 1 && !values[0].parts.empty()) return values[0];
        for (std::size_t i = 0; i < 3; ++i)
            made.parts.push_back(i < values.size() ? values[i].number : std::optional<double>(1));
        return made;
    }

    int allocate(std::int64_t bytes) {
        arrays_.push_back(bytes);
        return int(arrays_.size()) - 1;
    }

    /// "(a, b)", of which the bracket is next.
    std::vector<HostValue> arguments() {
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

    static int level_of(std::string_view sign) {
        constexpr std::pair<std::string_view, int> kLevels[] = {
            {"=", 2},  {"+=", 2}, {"-=", 2},  {"*=", 2},  {"/=", 2},  {"<<=", 2}, {"?", 3},
            {"||", 4}, {"&&", 5}, {"|", 6},   {"^", 7},   {"&", 8},   {"==", 9},  {"!=", 9},
            {"<", 10}, {">", 10}, {"<=", 10}, {">=", 10}, {"<<", 11}, {">>", 11}, {"+", 12},
            {"-", 12}, {"*", 13}, {"/", 13},  {"%", 13},  {",", 1}};
        for (const auto& [known, level] : kLevels)
            if (known == sign) return level;
        return 0;
    }

    HostValue expression(int least) {
        if (++nested_ > 200) {
            --nested_;
            at_ = std::min(at_ + 1, end_);
            return {};
        }
        const std::size_t first = at_;
        HostValue left = unary();
        while (at_ < end_ && tokens_[at_].kind == TokenKind::sign) {
            const std::string_view sign = tokens_[at_].text;
            const int level = level_of(sign);
            if (level == 0 || level < least) break;
            ++at_;
            if (level == 2) {
                const HostValue right = expression(2);
                HostValue value =
                    sign == "=" ? right : combined(sign.substr(0, sign.size() - 1), left, right);
                if (first + 1 < end_ && tokens_[first].kind == TokenKind::name &&
                    !given_.contains(tokens_[first].text)) {
                    HostVariable& target = place(tokens_[first].text);
                    if (tokens_[first + 1].text == "." && !target.value.parts.empty()) {
                        const std::size_t which = std::string_view("xyz").find(tokens_[first + 2].text);
                        if (which < 3) target.value.parts[which] = value.number;
                    } else if (tokens_[first + 1].text == sign &&
                               (perhaps_ == 0 || value.number || value.array >= 0)) {
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

    static HostValue combined(std::string_view sign, const HostValue& left, const HostValue& right) {
        HostValue out;
        if (left.array >= 0 && (sign == "+" || sign == "-")) {
            out = left;
            if (right.number)
                out.offset += (sign == "+" ? 1 : -1) * std::int64_t(*right.number) * left.element;
            return out;
        }
        if (!left.number || !right.number) return out;
        const double a = *left.number, b = *right.number;
        out.whole = left.whole && right.whole;
        const bool small = std::abs(a) < 9e15 && std::abs(b) < 9e15;
        const auto ia = small ? std::int64_t(a) : 0, ib = small ? std::int64_t(b) : 0;
        const bool shifts = ib >= 0 && ib < 53;
        if (sign == "+") out.number = a + b;
        if (sign == "-") out.number = a - b;
        if (sign == "*") out.number = a * b;
        if (sign == "/" && b != 0) out.number = out.whole ? std::trunc(a / b) : a / b;
        if (sign == "%" && ib != 0) out.number = double(ia % ib);
        if (sign == "<<" && shifts) out.number = a * std::ldexp(1.0, int(ib));
        if (sign == ">>" && shifts) out.number = double(ia >> ib);
        if (sign == "&") out.number = double(ia & ib);
        if (sign == "|") out.number = double(ia | ib);
        if (sign == "^") out.number = double(ia ^ ib);
        if (sign == "<") out.number = a < b;
        if (sign == ">") out.number = a > b;
        if (sign == "<=") out.number = a <= b;
        if (sign == ">=") out.number = a >= b;
        if (sign == "==") out.number = a == b;
        if (sign == "!=") out.number = a != b;
        if (sign == "&&") out.number = a != 0 && b != 0;
        if (sign == "||") out.number = a != 0 || b != 0;
        return out;
    }

    HostValue unary() {
        if (at_ >= end_) return {};
        if (accept("-")) {
            HostValue of = unary();
            if (of.number) of.number = -*of.number;
            return of;
        }
        if (accept("+")) return unary();
        if (accept("!")) {
            HostValue of = unary();
            if (of.number) of.number = *of.number == 0;
            return of;
        }
        if (accept("~")) {
            HostValue of = unary();
            if (of.number) of.number = double(~std::int64_t(*of.number));
            return of;
        }
        if (accept("&")) {
            HostValue of;
            if (is_name()) of.refers = tokens_[at_].text;
            of.is_address = true;
            unary();
            return of;
        }
        if (accept("*")) {
            const bool name = is_name();
            const std::string_view text = name ? tokens_[at_].text : std::string_view();
            HostValue of = unary();
            if (of.refers.empty() && name) of.refers = text;
            return of;
        }
        if (accept("++") || accept("--")) return unary();
        return postfix();
    }

    HostValue postfix() {
        HostValue value;
        std::string name;
        const Token token = tokens_[at_];
        if (token.kind == TokenKind::number) {
            ++at_;
            value = number(token.text);
        } else if (token.kind == TokenKind::text) {
            ++at_;
        } else if (is("[")) {
            lambda();
            return value;
        } else if (is("(")) {
            if (const std::size_t behind = cast_end(); behind != 0) {
                at_ = behind;
                value = unary();
                if (value.number && cast_whole_) value.number = std::trunc(*value.number);
                return value;
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

    /// "[&](int n) { kernel<<<n, 256>>>(a); }": followed once, where it is written.
    void lambda() {
        at_ = std::min(behind_bracket(tokens_, at_), end_);
        scopes_.emplace_back();
        if (is("(")) {
            const std::size_t behind = std::min(behind_bracket(tokens_, at_), end_);
            for (; at_ < behind; ++at_)
                if (is_name() && (is(",", 1) || is(")", 1)))
                    scopes_.back()[std::string(tokens_[at_].text)] = {};
        }
        while (at_ < end_ && !is("{") && !is(";") && !is(",") && !is(")")) ++at_;
        const HostValue result = result_;
        block();
        result_ = result;
        scopes_.pop_back();
    }

    HostValue member(const HostValue& of, std::string_view name) {
        HostValue value;
        const std::size_t which = std::string_view("xyz").find(name);
        if (name.size() == 1 && which < of.parts.size()) value.number = of.parts[which];
        if (of.array >= 0 && name == "size") {
            value.number = of.element > 0
                               ? std::optional<double>(double(arrays_[of.array]) / double(of.element))
                               : std::nullopt;
        }
        if (of.array >= 0 && (name == "data" || name == "get" || name == "begin")) value = of;
        if (is("(")) at_ = std::min(behind_bracket(tokens_, at_), end_);
        return value;
    }

    static HostValue number(std::string_view text) {
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

    /// Behind a cast's type, if one stands here: "(float*)". 0 if none does.
    std::size_t cast_end() {
        std::size_t i = at_ + 1;
        bool type = false;
        cast_whole_ = false;
        while (i < end_) {
            const std::string_view text = tokens_[i].text;
            const int bytes = bytes_of_word(text);
            if (bytes > 0 || text == "void") {
                type = true;
                cast_whole_ = bytes > 0 && text != "float" && text != "double" && text != "half";
            } else if (text == "const" || text == "*" || text == "&" || text == "struct" || text == "std" ||
                       text == "::") {
                if (text == "*") cast_whole_ = false;
            } else if (tokens_[i].kind == TokenKind::name && declared_type(text) != nullptr) {
                type = true;
            } else {
                break;
            }
            ++i;
        }
        return type && i < end_ && tokens_[i].text == ")" ? i + 1 : 0;
    }

    HostValue named(const std::string& name) {
        if (name == "sizeof" && is("(")) return size_of();
        if (is("<<<") || (is("<") && is_launch())) return launch(name);
        if (name == "static_cast" || name == "reinterpret_cast" || name == "const_cast") {
            if (is("<")) at_ = closing_angle(tokens_, at_) + 1;
            const std::vector<HostValue> values = is("(") ? arguments() : std::vector<HostValue>();
            return values.empty() ? HostValue{} : values[0];
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

    HostValue size_of() {
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

    bool is_launch() const {
        const std::size_t close = closing_angle(tokens_, at_);
        return close + 1 < end_ && tokens_[close + 1].text == "<<<";
    }

    HostValue called(const std::string& name) {
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
        const auto both = [&](auto of) {
            if (first(0) && first(1)) value.number = of(*first(0), *first(1));
        };
        const auto one = [&](auto of) {
            if (first(0)) value.number = of(*first(0));
        };
        if (name == "ceil" || name == "ceilf")
            one([](double a) { return std::ceil(a); });
        else if (name == "floor" || name == "floorf")
            one([](double a) { return std::floor(a); });
        else if (name == "sqrt" || name == "sqrtf")
            one([](double a) { return std::sqrt(a); });
        else if (name == "log2" || name == "log2f")
            one([](double a) { return std::log2(a); });
        else if (name == "pow" || name == "powf")
            both([](double a, double b) { return std::pow(a, b); });
        else if (name == "min" || name == "fmin")
            both([](double a, double b) { return std::min(a, b); });
        else if (name == "max" || name == "fmax")
            both([](double a, double b) { return std::max(a, b); });
        else if (name == "atoi" || name == "atol" || name == "strtol" || name == "stoi")
            return {};
        else if (bytes_of_word(name) > 0 && !values.empty())
            return values[0];
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

    const Declaration* host_function(std::string_view name) const {
        for (const Declaration* one : declarations_.named(name))
            if (one->what == Declares::function && !one->kernel && one->body != 0) return one;
        return nullptr;
    }

    /// "<float><<<grid, block, shared, stream>>>(arguments)"
    HostValue launch(const std::string& name) {
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
        if (sizes.size() > 2 && sizes[2].number) made.shared = std::int64_t(*sizes[2].number);
        if (is("(")) {
            for (const HostValue& value : arguments()) {
                HostArgument argument;
                if (value.array >= 0) {
                    argument.array = value.array;
                    argument.bytes = arrays_[value.array];
                    if (value.offset > 0 && value.offset < argument.bytes) argument.offset = value.offset;
                } else if (value.number && std::abs(*value.number) < 9e15) {
                    argument.value = std::int64_t(*value.number);
                }
                made.arguments.push_back(argument);
            }
        }
        launches_.push_back(std::move(made));
        return {};
    }

    const std::vector<Token>& tokens_;
    const Declarations& declarations_;
    const HostNumbers& given_;
    std::size_t at_ = 0, end_ = 0;
    std::vector<std::map<std::string, HostVariable, std::less<>>> scopes_;
    std::vector<std::int64_t> arrays_;
    std::vector<HostLaunch> launches_;
    std::set<const Declaration*> called_;
    HostValue result_;
    int depth_ = 0, nested_ = 0, calls_ = 0;
    int perhaps_ = 0;  ///< conditions around here that are not known
    std::int64_t steps_ = 0;
    bool cast_whole_ = false;
};

}  // namespace

int HostLaunch::known() const {
    int count = 2 * (grid.has_value() + block.has_value());
    for (const HostArgument& one : arguments) count += one.value || one.bytes > 0;
    return count;
}

std::vector<HostLaunch> find_launches(const std::vector<Token>& tokens, const Declarations& declarations,
                                      const HostNumbers& values) {
    return Host(tokens, declarations, values).run();
}

}  // namespace warplens::typed
