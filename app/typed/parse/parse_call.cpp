#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kMostInstances = 4000;

}  // namespace

std::vector<ExprPtr> Parser::read_arguments() {
    std::vector<ExprPtr> arguments;
    expect("(", "before the arguments");
    while (!is(")")) {
        if (!arguments.empty()) expect(",", "between arguments");
        arguments.push_back(read_assignment());
    }
    take();
    return arguments;
}

ExprPtr Parser::read_name() {
    while (is("::")) take();
    while (is_namespace() && !is("wmma") && !is("nvcuda")) {
        take();
        take();
    }

    const Token name = take();
    if (is("::") && declarations_.find(name.text, Declares::enumeration) != nullptr) {  // Kind::one
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
                    const auto [begin, end] = source.methods.equal_range(member.text);
                    std::vector<const Declaration*> methods;
                    for (auto one = begin; one != end; ++one) methods.push_back(&one->second);
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
    constexpr std::pair<std::string_view, double> kNumbers[] = {
        {"INFINITY", 1e300},   {"NAN", 0},
        {"FLT_MAX", 3e38},     {"FLT_MIN", 1e-38},
        {"FLT_EPSILON", 1e-7}, {"DBL_MAX", 1e300},
        {"DBL_MIN", 1e-300},   {"DBL_EPSILON", 1e-16},
        {"M_PI", 3.14159265},  {"M_PI_2", 1.5707963},
        {"M_PI_4", 0.785},     {"M_E", 2.718281828},
        {"M_SQRT2", 1.414},    {"M_LOG2E", 1.4427},
        {"HUGE_VALF", 1e300},  {"CUDART_INF_F", 1e300},
        {"CUDART_INF", 1e300}, {"CUDART_PI_F", 3.14159265},
        {"CUDART_NAN_F", 0},   {"M_2_SQRTPI", 1.128},
        {"M_SQRT1_2", 0.7071}, {"M_1_PI", 0.3183},
        {"M_2_PI", 0.6366},    {"M_LN2", 0.6931}};
    for (const auto& [known, value] : kNumbers)
        if (known == name.text) return number(0, Scalar::float32, name.at);
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

    const bool capitals =
        name.text.size() > 1 && std::ranges::none_of(name.text, [](char c) { return c >= 'a' && c <= 'z'; });
    if (capitals && !is("(") && !in_comment_) {  // a constant of some header
        const std::int64_t value = assumed_number(name.text, false);
        unit_.assumed_numbers.emplace_back(name.text, value);
        Symbol symbol{.name = std::string(name.text), .type = {Scalar::int32}, .at = name.at};
        symbol.constant = value;
        const int index = int(unit_.symbols.size());
        now_.scopes.front().names[symbol.name] = index;
        unit_.symbols.push_back(std::move(symbol));
        return number(value, Scalar::int32, name.at);
    }
    throw SourceError(name.at, fmt::format("{} is not declared", in_quotes(name.text)));
}

ExprPtr Parser::read_call(const Token& name) {
    // int(x), float(x), Vec{x, y}
    --now_.at;
    if (at_type()) {
        const Type type = read_type();
        if (is("{")) return construct(type, read_braces(type), name.at);
        if (is("(")) {
            std::vector<ExprPtr> parts = read_arguments();
            if (parts.size() == 1) return cast_to(std::move(parts[0]), type, name.at);
            return construct(type, std::move(parts), name.at);
        }
        refuse(peek());
    }
    ++now_.at;
    if (is("{")) refuse(name);
    ++calls_;
    std::vector<const Declaration*> named;
    for (const Declaration* one : declarations_.named(name.text))
        if (one->what == Declares::function) named.push_back(one);
    if (!named.empty()) {
        TemplateArguments template_arguments;
        if (is("<")) template_arguments = read_template_arguments();
        return call_function(named, name, template_arguments, read_arguments(), nullptr, nullptr);
    }
    return read_intrinsic(name);
}

ExprPtr Parser::call_method(ExprPtr object, const Token& name) {
    std::vector<ExprPtr> before;
    object = settled(std::move(object), before);
    const int record = object->type.record;
    const auto [begin, end] = record_sources_[record].methods.equal_range(name.text);
    std::vector<const Declaration*> methods;
    for (auto one = begin; one != end; ++one) methods.push_back(&one->second);
    if (methods.empty())
        throw SourceError(
            name.at, fmt::format("{} has no function {}", unit_.records[record].name, in_quotes(name.text)));
    TemplateArguments template_arguments;
    if (is("<")) template_arguments = read_template_arguments();
    const Scope given = record_sources_[record].given;
    std::vector<ExprPtr> arguments = read_arguments();
    return in_sequence(std::move(before),
                       call_function(methods, name, template_arguments, std::move(arguments),
                                     std::shared_ptr<const Expr>(std::move(object)), &given));
}

/// An operator that the text defines for these operands. Null if it defines none.
ExprPtr Parser::call_operator(std::string_view sign, ExprPtr& a, ExprPtr* b, Position at) {
    const auto own_type = [](const Expr& one) {
        return (one.type.is_record() && !is_group(one.type)) || (one.type.lanes > 1 && !one.type.pointer);
    };
    if (!own_type(*a) && (b == nullptr || !own_type(**b))) return nullptr;
    const std::string name = fmt::format("operator{}", sign);
    const Token token{TokenKind::name, sign, at};
    if (a->type.is_record()) {
        const auto [begin, end] = record_sources_[a->type.record].methods.equal_range(name);
        std::vector<const Declaration*> methods;
        for (auto one = begin; one != end; ++one) methods.push_back(&one->second);
        if (!methods.empty()) {
            std::vector<ExprPtr> before, arguments;
            ExprPtr object = settled(std::move(a), before);
            if (b != nullptr) arguments.push_back(std::move(*b));
            const Scope given = record_sources_[object->type.record].given;
            return in_sequence(std::move(before),
                               call_function(methods, token, {}, std::move(arguments),
                                             std::shared_ptr<const Expr>(std::move(object)), &given));
        }
    }
    std::vector<const Declaration*> named;
    for (const Declaration* one : declarations_.named(name))
        if (one->what == Declares::function && one->body != 0) named.push_back(one);
    if (named.empty()) {
        const bool record = (a->type.is_record() || (b != nullptr && (*b)->type.is_record()));
        if (!record || sign == "=" || sign == "[]") return nullptr;
        // As helpers of the toolkit's samples compute with float3: member by member, in registers.
        const Type type = a->type.is_record() ? a->type : (*b)->type;
        if (record_sources_[type.record].declared != nullptr || sign.ends_with('=')) return nullptr;
        std::vector<ExprPtr> before;
        const ExprPtr left = settled(std::move(a), before),
                      right = b == nullptr ? nullptr : settled(std::move(*b), before);
        const int made = declare_hidden(type, "made", at);
        for (std::size_t i = 0; i < unit_.records[type.record].members.size(); ++i) {
            const auto part = [&](const Expr& one) {
                return one.type.is_record() ? member_of(clone(one), i, at) : clone(one);
            };
            ExprPtr value = right == nullptr
                                ? part(*left)
                                : make_binary({TokenKind::sign, sign, at}, part(*left), part(*right));
            ExprPtr to = member_of(variable(made, at), i, at);
            value = convert(std::move(value), to->type);
            before.push_back(make_assignment({TokenKind::sign, "=", at}, std::move(to), std::move(value)));
        }
        return in_sequence(std::move(before), variable(made, at));
    }
    std::vector<ExprPtr> arguments;
    // One that takes such types, or none: built-in vectors are computed with as a whole.
    for (const Declaration* one : named) {
        Scope deduced;
        std::vector<ExprPtr> probe;
        probe.push_back(clone(*a));
        if (b != nullptr) probe.push_back(clone(**b));
        if (!matches(*one, probe)) continue;
        arguments.push_back(std::move(a));
        if (b != nullptr) arguments.push_back(std::move(*b));
        return call_function({one}, token, {}, std::move(arguments), nullptr, nullptr);
    }
    return nullptr;
}

/// Reads the parameters of a function. @param each  of each: its symbol, and whether it is a reference
void Parser::read_parameters(const EachParameter& each) {
    expect("(", "after the function's name");
    if (is("void") && is(")", 1)) take();
    bool first = true;
    while (!is(")")) {
        if (!first) expect(",", "between parameters");
        first = false;
        bool is_const = false, is_reference = false;
        const Type type = read_type(&is_const);
        Symbol symbol;
        if (is(",") || is(")") || is("=")) {  // without a name
            symbol.type = type;
            symbol.name = fmt::format("unnamed${}", hidden_++);
            symbol.at = peek().at;
        } else {
            // A declarator without a name: "float*"
            Token name;
            const std::size_t here = now_.at;
            std::size_t behind = here;
            while (tokens_[behind].text == "*" || tokens_[behind].text == "&" ||
                   tokens_[behind].text == "const" || tokens_[behind].text == "__restrict__")
                ++behind;
            if (tokens_[behind].text == "," || tokens_[behind].text == ")") {
                symbol.type = type;
                while (now_.at < behind) {
                    if (is("*")) symbol.type.pointer = true;
                    if (is("&")) is_reference = true;
                    take();
                }
                symbol.name = fmt::format("unnamed${}", hidden_++);
                symbol.at = peek().at;
            } else {
                symbol.type = read_declarator(type, name, &is_reference);
                symbol.name = name.text;
                symbol.at = name.at;
            }
        }
        if (!is_reference && symbol.type.is_array() && symbol.type.dims.size() == 1) {  // float a[]
            symbol.type.dims.clear();
            symbol.type.pointer = true;
        }
        symbol.is_const = is_const;
        ExprPtr standard;
        if (accept("=")) standard = read_assignment();
        each(std::move(symbol), is_reference, std::move(standard));
    }
    take();
}

bool Parser::matches(const Declaration& declaration, const std::vector<ExprPtr>& arguments) {
    Scope deduced;
    deduce(declaration, arguments, deduced);
    const Elsewhere there(*this);
    try {
        now_.scopes.push_back(bind_template(declaration, {}, deduced, false));
        skip_to_parameters(declaration);
        std::size_t index = 0, missing = 0;
        bool fits = true;
        read_parameters([&](Symbol symbol, bool, ExprPtr standard) {
            if (index < arguments.size()) {
                const Type& has = arguments[index]->type;
                const bool numbers = has.is_single() && symbol.type.is_single();
                fits = fits && (has == symbol.type || numbers || (has.pointer && symbol.type.pointer) ||
                                (has.is_array() && (symbol.type.pointer || symbol.type.is_array())));
            }
            ++index;
            if (standard && index > arguments.size()) ++missing;
        });
        return fits && index - missing == arguments.size();
    } catch (const SourceError&) {
        return false;
    }
}

/// To the '(' of its parameters.
void Parser::skip_to_parameters(const Declaration& declaration) {
    now_.at = declaration.begin;
    while (now_.at < declaration.end) {
        if (is("__launch_bounds__") || is("__attribute__") || is("__align__") || is("alignas") ||
            is("__declspec") || is("decltype")) {
            take();
            skip_brackets();
            continue;
        }
        if (is("operator")) {
            take();
            if (is("(")) skip_brackets();
            while (!is("(")) take();
            return;
        }
        if (is("(")) return;
        take();
    }
}

/// The template parameters that the types of arguments decide. Numbers stand in Scope::names as they are.
void Parser::deduce(const Declaration& declaration, const std::vector<ExprPtr>& arguments, Scope& deduced) {
    if (declaration.parameters == 0) return;
    std::vector<std::string_view> names;
    for (std::size_t i = declaration.parameters + 1; i < declaration.begin; ++i)
        if ((tokens_[i].text == "typename" || tokens_[i].text == "class") &&
            tokens_[i + 1].kind == TokenKind::name)
            names.push_back(tokens_[i + 1].text);
    const Elsewhere there(*this);
    skip_to_parameters(declaration);
    take();
    for (const ExprPtr& argument : arguments) {
        std::string_view found;
        bool pointer = false;
        std::string_view size;
        while (!is(",") && !is(")") && peek().kind != TokenKind::end) {
            if (is("<") || is("(")) {
                now_.at = is("<") ? closing_angle(tokens_, now_.at) + 1 : behind_bracket(tokens_, now_.at);
                continue;
            }
            if (is("[") && peek(1).kind == TokenKind::name) size = peek(1).text;
            if (std::ranges::find(names, peek().text) != names.end()) found = peek().text;
            pointer = pointer || is("*");
            take();
        }
        if (!found.empty() && !deduced.types.contains(found)) {
            Type type = argument->type;
            const bool array = type.is_array();
            if (pointer || !size.empty()) {
                if (array) type.dims.clear();
                type.pointer = false;
            } else if (array) {
                type.dims.clear();
                type.pointer = true;
            }
            deduced.types[std::string(found)] = type;
        }
        if (!size.empty() && argument->type.is_array())
            deduced.names[std::string(size)] = argument->type.dims.front();
        if (!accept(",")) break;
    }
}

ExprPtr Parser::call_function(const std::vector<const Declaration*>& named, const Token& name,
                              const TemplateArguments& template_arguments, std::vector<ExprPtr> arguments,
                              std::shared_ptr<const Expr> object, const Scope* of_record) {
    // With a body; where there are several, the one that fits.
    std::vector<const Declaration*> with_body;
    for (const Declaration* one : named)
        if (one->body != 0) with_body.push_back(one);
    if (with_body.empty())
        throw SourceError(name.at,
                          fmt::format("{} is declared, but what it does is not in this text; paste it, too",
                                      in_quotes(name.text)));
    const Declaration* chosen = with_body.front();
    if (with_body.size() > 1) {
        const auto fits = [&](const Declaration* one, bool exactly) {
            const Elsewhere there(*this);
            if (of_record != nullptr) now_.scopes.push_back(*of_record);
            return (!exactly || one->parameters == 0) && matches(*one, arguments);
        };
        for (const bool exactly : {false, true})  // the last one that fits: what is no template goes first
            for (const Declaration* one : with_body)
                if (fits(one, exactly)) chosen = one;
    }
    if (chosen->kernel) throw SourceError(name.at, "not in the subset: kernels that launch kernels");
    Scope given;
    if (of_record != nullptr) given = *of_record;
    if (chosen->parameters != 0) {
        Scope deduced;
        {
            const Elsewhere there(*this);
            if (of_record != nullptr) now_.scopes.push_back(*of_record);
            deduce(*chosen, arguments, deduced);
        }
        const std::vector<Scope> here = now_.scopes;
        Scope bound = bind_template(*chosen, template_arguments, deduced, false);
        given.names.merge(bound.names);
        given.types.merge(bound.types);
    }
    return instantiate(*chosen, std::move(given), std::move(arguments), std::move(object), name.at);
}

ExprPtr Parser::instantiate(const Declaration& declaration, Scope given, std::vector<ExprPtr> arguments,
                            std::shared_ptr<const Expr> object, Position at) {
    constexpr int kDeepest = 24;
    if (++instances_ > kMostInstances) throw SourceError(at, "functions call each other too often");
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave{calls_deep_};
    if (++calls_deep_ > kDeepest) throw SourceError(at, "not in the subset: functions that call themselves");
    const std::size_t index = unit_.functions.size();
    unit_.functions.push_back({.name = declaration.name, .at = declaration.at});
    ExprPtr call = node(ExprKind::call, {}, at);
    call->symbol = int(index);
    const Elsewhere there(*this);
    now_.scopes.push_back(std::move(given));
    now_.scopes.emplace_back();
    now_.function = int(index);
    now_.object = std::move(object);
    // The result.
    now_.at = declaration.begin;
    std::vector<ExprPtr> before;
    Type result;
    bool returns_reference = false, automatic = false;
    const bool constructs = now_.object != nullptr && tokens_[declaration.begin].kind == TokenKind::name &&
                            unit_.records[now_.object->type.record].name == declaration.name;
    if (!constructs) {
        while (is("__device__") || is("__host__") || is("__forceinline__") || is("inline") || is("static") ||
               is("constexpr") || is("__inline__") || is("__noinline__") || is("extern") || is("friend"))
            take();
        automatic = is("auto");
        if (is("operator")) {  // to another type
            take();
            result = read_type();
        } else {
            result = read_type();
        }
        while (is("*") || is("&") || is("const") || is("__restrict__") || is("__device__") ||
               is("__host__") || is("__forceinline__") || is("inline")) {
            result.pointer = result.pointer || is("*");
            returns_reference = returns_reference || is("&");
            take();
        }
    }
    skip_to_parameters(declaration);
    unit_.functions[index].result = result;
    std::size_t given_count = 0;
    read_parameters([&](Symbol symbol, bool is_reference, ExprPtr standard) {
        if (given_count >= arguments.size() && standard) arguments.push_back(std::move(standard));
        if (given_count >= arguments.size())
            throw SourceError(at, fmt::format("{} takes more than {} arguments", in_quotes(declaration.name),
                                              arguments.size()));
        ExprPtr argument = std::move(arguments[given_count++]);
        if (symbol.type.scalar == Scalar::none && symbol.type.record < 0 && !symbol.type.pointer)
            symbol.type =
                argument->type.is_array() && !is_reference ? decay(clone(*argument))->type : argument->type;
        const bool lvalue = argument->kind == ExprKind::variable || argument->kind == ExprKind::index ||
                            argument->kind == ExprKind::sequence;
        const Expr* root = argument.get();
        while (root->kind == ExprKind::address || root->kind == ExprKind::index) root = root->parts[0].get();
        const bool points_to_own = symbol.type.pointer && root->kind == ExprKind::variable &&
                                   !root->type.pointer &&
                                   (unit_.symbols[root->symbol].storage == Storage::variable ||
                                    unit_.symbols[root->symbol].storage == Storage::local);
        if (is_group(symbol.type)) {
            symbol.type = argument->type;
        } else if (is_reference && lvalue) {
            symbol.means = std::shared_ptr<const Expr>(settled(std::move(argument), before));
            symbol.type = symbol.means->type;
        } else if (points_to_own) {  // of an array of the caller's, or &variable
            symbol.means = std::shared_ptr<const Expr>(decay(std::move(argument)));
        } else if (symbol.type.is_record()) {
            const int own = declare(std::move(symbol));
            before.push_back(
                make_assignment({TokenKind::sign, "=", at}, variable(own, at), std::move(argument)));
            unit_.symbols[own].is_const = false;
            return;
        } else {
            call->parts.push_back(convert(decay(std::move(argument)), symbol.type));
            const int own = declare(std::move(symbol));
            unit_.functions[index].parameters.push_back(own);
            return;
        }
        declare(std::move(symbol));
    });
    if (given_count < arguments.size())
        throw SourceError(at, fmt::format("{} takes {} arguments", in_quotes(declaration.name), given_count));
    now_.returns_place = returns_reference;
    int made = -1;
    if (result.is_record() && !is_group(result) && !returns_reference)
        now_.result = made = declare_hidden(result, "result", at);
    std::vector<ExprPtr> initial;
    if (constructs) read_initializers(declaration, initial);
    now_.at = declaration.body;
    StmtPtr body = read_block();
    for (auto one = initial.rbegin(); one != initial.rend();
         ++one) {  // when its parameters have their values
        auto statement = std::make_unique<Stmt>();
        statement->kind = StmtKind::expression;
        statement->at = (*one)->at;
        statement->condition = std::move(*one);
        body->body.insert(body->body.begin(), std::move(statement));
    }

    unit_.functions[index].body = std::move(body);
    if (automatic) result = unit_.functions[index].result;
    if (returns_reference) {  // a single "return place;"
        if (!now_.place)
            throw SourceError(at, "not in the subset: functions that return references in several ways");
        if (!unit_.functions[index].parameters.empty()) {
            for (std::size_t k = 0; k < call->parts.size(); ++k)
                before.push_back(make_assignment({TokenKind::sign, "=", at},
                                                 plain_variable(unit_.functions[index].parameters[k], at),
                                                 std::move(call->parts[k])));
        }
        return in_sequence(std::move(before), std::move(now_.place));
    }
    if (now_.result >= 0) made = now_.result;
    if (made >= 0) {
        unit_.functions[index].result = {};
        before.push_back(std::move(call));
        return in_sequence(std::move(before), variable(made, at));
    }
    if (result.pointer) only_counted("functions that return pointers");
    call->type = result;
    return in_sequence(std::move(before), std::move(call));
}

/// ": x(a), y(b)" of a constructor.
void Parser::read_initializers(const Declaration& declaration, std::vector<ExprPtr>& initial) {
    while (now_.at < declaration.body && !is(":")) take();
    if (!accept(":")) return;
    while (now_.at < declaration.body) {
        const Token member = take();
        std::vector<ExprPtr> values;
        ExprPtr place = make_member(clone(*now_.object), member);
        const Type type = place->type;
        if (is("{"))
            values = read_braces(type);
        else
            values = read_arguments();
        if (!type.is_array()) {
            ExprPtr value = construct(type, std::move(values), member.at);
            initial.push_back(
                make_assignment({TokenKind::sign, "=", member.at}, std::move(place), std::move(value)));
        }
        if (!accept(",")) break;
    }
}

ExprPtr Parser::plain_variable(int symbol, Position at) const {
    ExprPtr made = node(ExprKind::variable, unit_.symbol(symbol).type, at);
    made->symbol = symbol;
    return made;
}

}  // namespace warplens::typed
