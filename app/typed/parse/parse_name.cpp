#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

ExprPtr Parser::read_name() {
    while (is("::")) take();
    if (at_opaque()) {
        const Position at = peek().at;
        const Type type = read_opaque();
        if (is("(")) skip_brackets();
        return construct(type, {}, at);
    }
    while (is_namespace() && !is("wmma") && !is("nvcuda")) {
        take();
        take();
    }

    if (is("<", 1) && is_undeclared(peek().text)) {  // Foreign<int>::f()
        const std::size_t close = closing_angle(tokens_, now_.at + 1);
        if (close + 2 < tokens_.size() && tokens_[close + 1].text == "::") now_.at = close + 2;
    }
    const Token name = take();
    if (is("<<<")) {  // a launch from here
        while (!is(">>>") && peek().kind != TokenKind::end) take();
        take();
        skip_brackets();
        leave_out("what kernels that are launched from here load and store");
        unit_.only_counted = "launches of kernels";
        return nothing(name.at);
    }
    if (is("::") && (declarations_.find(name.text, Declares::enumeration) != nullptr ||
                     assumed_types_.contains(name.text))) {  // Kind::one
        take();
        return read_name();
    }
    if (is("::") || (is("<") && declarations_.find(name.text, Declares::record) != nullptr)) {
        --now_.at;  // Record<4>::kSize
        if (at_type()) {
            const Type type = read_type();
            if (accept("::")) {
                const Token member = take();
                if (type.is_record() && !is_group(type)) {
                    const RecordSource& source = record_sources_[type.record];
                    if (const auto one = source.given.names.find(member.text);
                        one != source.given.names.end())
                        return variable(one->second, member.at);
                    // An enumerator of a record is known by its name alone.
                    const auto& all = now_.scopes.front().names;
                    if (const auto one = all.find(member.text);
                        one != all.end() && unit_.symbols[one->second].constant)
                        return variable(one->second, member.at);
                    const std::vector<const Declaration*> methods = methods_of(type.record, member.text);
                    if (!methods.empty()) {
                        const Scope given = source.given;
                        return call_function(methods, member, {}, read_arguments(), nullptr, &given);
                    }
                }
                refuse(member);
            }
            if (is("{")) return construct(type, read_braces(type), name.at);
            return construct(type, read_arguments(), name.at);
        }
        ++now_.at;
    }
    if (is("("))
        if (ExprPtr made = call_lambda(name)) return made;
    if (const int symbol = find(name.text); symbol >= 0) return variable(symbol, name.at);
    if (now_.object != nullptr) {
        if (name.text == "this") {
            Type type = now_.object->type;
            type.pointer = true;
            ExprPtr address = node(ExprKind::address, type, name.at);
            address->parts.push_back(clone(*now_.object));
            return address;
        }
        const int record = now_.object->type.record;
        const std::vector<Member>& members = unit_.records[record].members;
        if (std::ranges::find(members, name.text, &Member::name) != members.end())
            return make_member(clone(*now_.object), name);
        if ((is("(") || is("<")) && record_sources_[record].methods.contains(name.text))
            return call_method(clone(*now_.object), name);
    }
    if (ExprPtr made = read_builtin(name)) return made;
    if (name.text == "is_same_v" && accept("<")) {
        const Type one = read_cast_type();
        expect(",", "between types");
        const bool same = one == read_cast_type();
        accept_closing_angle();
        return number(same, Scalar::boolean, name.at);
    }
    if (name.text == "true" || name.text == "false")
        return number(name.text == "true", Scalar::boolean, name.at);
    if (name.text == "nullptr" || name.text == "NULL") return number(0, Scalar::int32, name.at);
    if (name.text == "reinterpret_cast" || name.text == "static_cast" || name.text == "const_cast") {
        expect("<", fmt::format("after {}", name.text));
        const Type type = read_cast_type();
        accept_closing_angle();
        expect("(", "after the type of a cast");
        ExprPtr of = read_sequence();
        expect(")", "after what is cast");
        return cast_to(std::move(of), type, name.at);
    }
    if (is("(") || is("<") || is("{")) return read_call(name);
    if (const auto known = given_.values.find(name.text); known != given_.values.end())
        return number(
            known->second,
            known->second == static_cast<std::int32_t>(known->second) ? Scalar::int32 : Scalar::int64,
            name.at);
    constexpr std::string_view kReals[] = {
        "INFINITY", "NAN",         "FLT_MAX",    "FLT_MIN",      "FLT_EPSILON", "DBL_MAX",
        "DBL_MIN",  "DBL_EPSILON", "M_PI",       "M_PI_2",       "M_PI_4",      "M_E",
        "M_SQRT2",  "M_LOG2E",     "M_LN2",      "HUGE_VALF",    "M_SQRT1_2",   "M_1_PI",
        "M_2_PI",   "M_2_SQRTPI",  "CUDART_INF", "CUDART_INF_F", "CUDART_PI_F", "CUDART_NAN_F"};
    if (std::ranges::find(kReals, name.text) != std::end(kReals)) return number(0, Scalar::float32, name.at);
    constexpr std::pair<std::string_view, std::int64_t> kIntegers[] = {{"INT_MAX", 2147483647},
                                                                       {"INT_MIN", -2147483648LL},
                                                                       {"UINT_MAX", 4294967295LL},
                                                                       {"CHAR_MAX", 127},
                                                                       {"UCHAR_MAX", 255},
                                                                       {"SHRT_MAX", 32767},
                                                                       {"LONG_MAX", 9223372036854775807LL},
                                                                       {"LLONG_MAX", 9223372036854775807LL},
                                                                       {"INT32_MAX", 2147483647},
                                                                       {"UINT32_MAX", 4294967295LL},
                                                                       {"SIZE_MAX", -1},
                                                                       {"CHAR_BIT", 8},
                                                                       {"RAND_MAX", 2147483647}};
    for (const auto& [known, value] : kIntegers)
        if (known == name.text)
            return number(value, value == std::int32_t(value) ? Scalar::int32 : Scalar::int64, name.at);
    if (name.text == "asm" || name.text == "__asm__" || name.text == "wmma" || name.text == "nvcuda" ||
        name.text == "new" || name.text == "delete")
        refuse(name);
    if (name.text.starts_with("cudaBoundaryMode") || name.text == "cudaSuccess")
        return number(0, Scalar::int32, name.at);

    if (!in_comment_ && is(";") && tokens_[now_.at - 2].kind == TokenKind::sign &&
        std::string_view(";{}").find(tokens_[now_.at - 2].text) != std::string_view::npos) {
        // A statement of one word: __syncthreads without (), or a macro that may declare anything.
        if (!name.text.starts_with("__")) macro_ = name.text;
        leave_out_call(name);
        return nothing(name.at);
    }
    if (ExprPtr made = assumed_name(name)) return made;
    throw SourceError(name.at, fmt::format("{} is not declared", in_quotes(name.text)));
}

}  // namespace warplens::typed
