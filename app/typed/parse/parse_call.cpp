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
    std::vector<std::pair<std::size_t, std::size_t>> tokens;
    expect("(", "before the arguments");
    while (!is(")")) {
        if (!arguments.empty()) expect(",", "between arguments");
        const std::size_t begin = now_.at;
        if (is("{")) {  // values of a type that the function knows
            arguments.push_back(nothing(peek().at));
            skip_brackets();
        } else {
            arguments.push_back(read_assignment());
        }
        tokens.emplace_back(begin, now_.at);
    }
    take();
    argument_tokens_ = std::move(tokens);
    return arguments;
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
    const std::vector<const Declaration*> methods = methods_of(record, name.text);
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

/// "auto f = [&](int x) { return a[x]; };": it is read where it is called, as if it stood there.
bool Parser::read_lambda() {
    std::size_t at = now_.at;
    while (tokens_[at].text == "const" || tokens_[at].text == "constexpr") ++at;
    if (at + 4 > tokens_.size() || tokens_[at].text != "auto" || tokens_[at + 2].text != "=" ||
        tokens_[at + 3].text != "[")
        return false;
    Declaration lambda{.name = std::string(tokens_[at + 1].text), .at = tokens_[at + 1].at};
    at = behind_bracket(tokens_, at + 3);
    while (tokens_[at].kind == TokenKind::name) ++at;  // __device__
    lambda.begin = at;
    while (tokens_[at].kind != TokenKind::end && tokens_[at].text != "{" && tokens_[at].text != ";")
        at = tokens_[at].text == "(" ? behind_bracket(tokens_, at) : at + 1;
    if (tokens_[at].text != "{") refuse(tokens_[at]);
    lambda.body = at;
    lambda.end = now_.at = behind_bracket(tokens_, at);
    expect(";", "after a lambda");
    now_.scopes.back().lambdas[lambda.name] = std::move(lambda);
    return true;
}

/// Null if it is none.
ExprPtr Parser::call_lambda(const Token& name) {
    for (std::size_t i = now_.scopes.size(); i-- > 1;) {
        const auto found = now_.scopes[i].lambdas.find(name.text);
        if (found == now_.scopes[i].lambdas.end()) continue;
        const Declaration lambda = found->second;
        Scope given;  // everything that it sees
        for (std::size_t k = i + 1; k-- > 1;) {
            Scope seen = now_.scopes[k];
            given.names.merge(seen.names);
            given.types.merge(seen.types);
            given.lambdas.merge(seen.lambdas);
        }
        return instantiate(lambda, std::move(given), read_arguments(), now_.object, name.at);
    }
    return nullptr;
}

/// "auto [a, b] = f();": names for the members of a copy. Null if this is none.
StmtPtr Parser::read_binding() {
    std::size_t at = now_.at;
    while (tokens_[at].text == "const" || tokens_[at].text == "auto" || tokens_[at].text == "&") ++at;
    if (at == now_.at || tokens_[at].text != "[" || tokens_[at - 1].text == "const") return nullptr;
    const Position where = take().at;
    now_.at = at + 1;
    std::vector<Token> names;
    do names.push_back(take());
    while (accept(","));
    expect("]", "after names");
    expect("=", "after names");
    ExprPtr value = read_assignment();
    expect(";", "after a declaration");
    if (!value->type.is_record()) refuse(names.front());
    const int all = declare_hidden(value->type, "parts", where);
    StmtPtr does = statement(StmtKind::expression, where);
    does->condition = make_assignment({TokenKind::sign, "=", where}, variable(all, where), std::move(value));
    const std::vector<int> parts = unit_.symbols[all].parts;
    if (parts.size() != names.size())
        throw SourceError(where,
                          fmt::format("there are {} names for {} members", names.size(), parts.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        now_.scopes.back().names[std::string(names[i].text)] = parts[i];
    return does;
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
        const std::vector<const Declaration*> methods = methods_of(a->type.record, name);
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
        if (b != nullptr && a->type.is_record() && (*b)->type.is_record() &&
            a->type.record != (*b)->type.record)
            return nullptr;
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
        std::vector<ExprPtr> probe;
        probe.push_back(clone(*a));
        if (b != nullptr) probe.push_back(clone(**b));
        if (!distance(*one, {}, probe, nullptr)) continue;
        arguments.push_back(std::move(a));
        if (b != nullptr) arguments.push_back(std::move(*b));
        return call_function({one}, token, {}, std::move(arguments), nullptr, nullptr);
    }
    return nullptr;
}

ExprPtr Parser::call_function(const std::vector<const Declaration*>& named, const Token& name,
                              const TemplateArguments& template_arguments, std::vector<ExprPtr> arguments,
                              std::shared_ptr<const Expr> object, const Scope* of_record) {
    // With a body; where there are several, the one whose types are nearest, and of these what is no
    // template.
    std::vector<const Declaration*> with_body;
    bool specials = false;
    for (const Declaration* one : named) specials = specials || one->special != 0;
    for (const Declaration* one : named)
        if (one->special == 0 && (one->body != 0 || (specials && one->parameters != 0)))
            with_body.push_back(one);
    const auto refuse_unknown = [&] {
        throw SourceError(name.at,
                          fmt::format("{} is declared, but what it does is not in this text; paste it, too",
                                      in_quotes(name.text)));
    };
    if (with_body.empty()) refuse_unknown();
    const Declaration* chosen = with_body.front();
    std::optional<int> nearest;
    for (const Declaration* one : with_body.size() > 1 ? with_body : std::vector<const Declaration*>()) {
        const std::optional<int> types = distance(*one, template_arguments, arguments, of_record);
        if (!types) continue;
        const int far = 2 * *types + (one->parameters != 0 ? 1 : 0);
        if (nearest && far > *nearest) continue;
        nearest = far;
        chosen = one;
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
        Scope bound = bind_template(*chosen, template_arguments, deduced, false);
        if (specials)
            if (const Declaration* special = specialized(*chosen, bound)) chosen = special;
        if (chosen->body == 0) refuse_unknown();
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
    if (++calls_deep_ > kDeepest) refuse_depth();
    const std::size_t index = unit_.functions.size();
    unit_.functions.push_back({.name = declaration.name, .at = declaration.at});
    ExprPtr call = node(ExprKind::call, {}, at);
    call->symbol = int(index);
    use(declaration);
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
        automatic = is("auto") || is("(") || is("{");  // of a lambda
        accept("operator");                            // to another type
        if (!is("(") && !is("{")) result = read_type();
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
    const EachParameter each = [&](Symbol symbol, bool is_reference, ExprPtr standard) {
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
        const bool points_to_own = symbol.type.pointer && is_own(*argument);
        if (is_group(symbol.type)) {
            symbol.type = argument->type;
        } else if (is_reference && lvalue) {
            symbol.means = std::shared_ptr<const Expr>(bound_place(std::move(argument), before));
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
    };
    if (is("(")) read_parameters(each);
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
    // When its parameters have their values.
    for (auto one = initial.rbegin(); one != initial.rend(); ++one) {
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
