#include "app/typed/parse/capability_of.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

namespace {

struct Level {
    std::string_view sign;
    int binds;  ///< tighter if larger
};
constexpr Level kLevels[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                             {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                             {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

}  // namespace

int level_of(std::string_view sign) {
    for (const Level& level : kLevels)
        if (level.sign == sign) return level.binds;
    return 0;
}

bool is_comparison(std::string_view sign) { return level_of(sign) == 6 || level_of(sign) == 7; }
bool is_shift(std::string_view sign) { return level_of(sign) == 8; }
bool is_of_integers(std::string_view sign) {
    return sign == "%" || sign == "&" || sign == "|" || sign == "^" || is_shift(sign);
}

Scalar common_type(Scalar a, Scalar b) {
    if (is_floating(a) || is_floating(b)) return std::max(a, b);
    const auto promoted = [](Scalar one) { return bytes_of(one) < 4 ? Scalar::int32 : one; };
    return std::max(promoted(a), promoted(b));
}

ExprPtr node(ExprKind kind, Type type, Position at) {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->type = std::move(type);
    expr->at = at;
    return expr;
}

/// Whether it follows from floating-point numbers in memory, which nobody knows.
bool Parser::is_of_data(const Expr& expr) const {
    if (expr.kind == ExprKind::index && is_floating(expr.type.scalar) && !is_own(expr)) return true;
    return std::ranges::any_of(expr.parts, [&](const ExprPtr& part) { return is_of_data(*part); });
}

ExprPtr Parser::number(std::int64_t value, Scalar type, Position at) const {
    ExprPtr expr = node(ExprKind::number, {type}, at);
    expr->value = value;
    return expr;
}

ExprPtr Parser::variable(int symbol, Position at) const {
    const Symbol& one = unit_.symbol(symbol);
    if (one.means) {
        ExprPtr means = clone(*one.means);
        means->at = at;
        return means;
    }
    ExprPtr made = node(ExprKind::variable, one.type, at);
    made->symbol = symbol;
    if (!one.is_scalar) return made;
    Type type = one.type;
    type.dims.clear();
    ExprPtr element = node(ExprKind::index, type, at);
    element->parts.push_back(std::move(made));
    element->parts.push_back(number(0, Scalar::int32, at));
    return element;
}

/// An array's name stands for a pointer to its first element.
ExprPtr Parser::decay(ExprPtr array) {
    if (!array->type.is_array()) return array;
    Type type = array->type;
    type.dims.clear();
    type.pointer = true;
    const Position at = array->at;
    while (array->type.is_array()) array = make_index(std::move(array), number(0, Scalar::int32, at), at);
    ExprPtr address = node(ExprKind::address, type, at);
    address->parts.push_back(std::move(array));
    return address;
}

ExprPtr Parser::cast_to(ExprPtr expr, const Type& type, Position at) {
    if (is_group(type)) return construct(type, {}, at);
    expr = decay(std::move(expr));
    if (type.scalar == Scalar::none && !type.pointer && type.record < 0) return expr;  // (void)x
    if (type.pointer && expr->type.pointer) {
        ExprPtr cast = node(ExprKind::cast, type, at);
        cast->parts.push_back(std::move(expr));
        return cast;
    }
    if (type.pointer || type.is_record())
        if (ExprPtr made = foreign_as(expr, type)) return made;
    if (type.is_record()) {
        std::vector<ExprPtr> parts;
        parts.push_back(std::move(expr));
        return construct(type, std::move(parts), at);
    }
    expr = convert(std::move(expr), type);
    if (expr->kind != ExprKind::index) return expr;
    ExprPtr cast = node(ExprKind::cast, expr->type, at);  // the value of an element is no element
    cast->parts.push_back(std::move(expr));
    return cast;
}

ExprPtr Parser::convert(ExprPtr expr, const Type& type) {
    if (expr->type == type || is_group(type)) return expr;
    expr = decay(std::move(expr));
    const auto is_three = [&](const Type& one) {  // uint3 t = threadIdx;
        return one.is_record() && !is_group(one) &&
               (unit_.records[one.record].name == "dim3" || unit_.records[one.record].name == "uint3");
    };
    if (expr->type == type || (is_three(type) && is_three(expr->type))) return expr;
    if (type.pointer && expr->type.is_record() && !is_group(expr->type)) {
        for (const auto& [name, method] : record_sources_[expr->type.record].methods) {
            if (!name.starts_with("operator") || !name.ends_with('*') || name == "operator*") continue;
            const Scope given = record_sources_[expr->type.record].given;
            const Position at = expr->at;
            std::vector<ExprPtr> before;
            const std::shared_ptr<const Expr> object(settled(std::move(expr), before).release());
            ExprPtr made = call_function({&method}, {TokenKind::name, name, at}, {}, {}, object, &given);
            return convert(in_sequence(std::move(before), std::move(made)), type);
        }
    }
    if (type.pointer || type.is_record() || type.lanes > 1)
        if (ExprPtr made = foreign_as(expr, type)) return made;
    const bool any_pointer = type.scalar == Scalar::none && type.record < 0;  // void*
    const bool pointers = expr->type.pointer && type.pointer &&
                          (any_pointer || expr->type.element_bytes() == type.element_bytes() ||
                           expr->type.element_bytes() == 0);
    const bool singles = expr->type.is_single() && type.is_single() && expr->type.scalar != Scalar::none &&
                         type.scalar != Scalar::none;
    const bool truth = expr->type.pointer && type.is_single() && type.scalar == Scalar::boolean;
    const bool null = type.pointer && expr->kind == ExprKind::number && expr->value == 0;
    if (type.is_record() && !expr->type.pointer) {
        std::vector<ExprPtr> parts;
        const Position at = expr->at;
        parts.push_back(std::move(expr));
        return construct(type, std::move(parts), at);
    }
    // Vectors of halves, and a number for all components.
    const bool vectors = type.lanes > 1 && !type.pointer && !type.is_array() &&
                         expr->type.lanes <= type.lanes && !expr->type.pointer && expr->type.record < 0 &&
                         expr->type.scalar != Scalar::none;
    if (!singles && !pointers && !truth && !null && !vectors)
        throw SourceError(expr->at, "these types do not fit together");
    if (vectors) {
        ExprPtr made = node(ExprKind::make_vector, type, expr->at);
        made->parts.push_back(std::move(expr));
        return made;
    }
    unit_.makes_integers =
        unit_.makes_integers || (type.is_integer() && is_floating(expr->type.scalar) && !is_of_data(*expr));
    ExprPtr cast = node(ExprKind::cast, type, expr->at);
    cast->parts.push_back(std::move(expr));
    return cast;
}

void Parser::need_halves(const Type& type, std::string_view sign) {
    if (type.scalar != Scalar::float16 || type.pointer) return;
    unit_.need(kHalvesSince, fmt::format("{} of {}", sign, has_bfloat_ ? "__nv_bfloat16" : text_of(type)));
}

ExprPtr Parser::make_binary(const Token& sign, ExprPtr a, ExprPtr b) {
    if (ExprPtr made = call_operator(sign.text, a, &b, sign.at)) return made;
    if (sign.text == "&&" || sign.text == "||") {
        ExprPtr logic = node(ExprKind::logic, {Scalar::boolean}, sign.at);
        logic->sign = sign.text;
        logic->parts.push_back(convert(std::move(a), {Scalar::boolean}));
        logic->parts.push_back(convert(std::move(b), {Scalar::boolean}));
        return logic;
    }
    a = decay(std::move(a));
    b = decay(std::move(b));
    const bool difference = sign.text == "-" && a->type.pointer && b->type.pointer;
    if ((a->type.pointer || b->type.pointer) && (is_comparison(sign.text) || difference)) {
        const int bytes = std::max(1, a->type.element_bytes());
        const auto as_number = [&](ExprPtr one) {
            ExprPtr cast = node(ExprKind::cast, {Scalar::int64}, one->at);
            cast->parts.push_back(std::move(one));
            return cast;
        };
        if (!a->type.pointer || !b->type.pointer) {  // no array lies at 0
            const bool differs = sign.text != "==";
            return number(differs, Scalar::boolean, sign.at);
        }
        ExprPtr made = make_binary(sign, as_number(std::move(a)), as_number(std::move(b)));
        if (!difference) return made;
        return make_binary({TokenKind::sign, "/", sign.at}, std::move(made),
                           number(bytes, Scalar::int64, sign.at));
    }
    if (a->type.pointer || b->type.pointer) {
        if (sign.text == "+" && b->type.pointer) std::swap(a, b);
        if ((sign.text != "+" && sign.text != "-") || !b->type.is_integer())
            throw SourceError(sign.at, "not in the subset: this operation with pointers");
        if (sign.text == "-") {
            ExprPtr minus = node(ExprKind::unary, {Scalar::int64}, sign.at);
            minus->sign = "-";
            minus->parts.push_back(convert(std::move(b), {Scalar::int64}));
            b = std::move(minus);
        }
        Type type = a->type;
        ExprPtr address = node(ExprKind::address, type, sign.at);
        address->parts.push_back(make_index(std::move(a), std::move(b), sign.at));
        return address;
    }
    if (a->type.lanes > 1 || b->type.lanes > 1) {
        // As helpers of the toolkit's samples compute with them.
        ExprPtr made =
            node(ExprKind::make_vector, a->type.lanes >= b->type.lanes ? a->type : b->type, sign.at);
        need_halves(made->type, sign.text);
        if (is_comparison(sign.text)) made->type = {Scalar::boolean};
        made->parts.push_back(std::move(a));
        made->parts.push_back(std::move(b));
        return made;
    }
    if (!a->type.is_single() || !b->type.is_single() || a->type.scalar == Scalar::none ||
        b->type.scalar == Scalar::none)
        throw SourceError(sign.at, fmt::format("'{}' is not for these types", sign.text));
    if (in_comment_ && sign.text == "^") {
        const std::int64_t base = constant_of(*a, "a number"), power = constant_of(*b, "a power");
        std::int64_t product = 1;
        for (std::int64_t i = 0; i < std::clamp<std::int64_t>(power, 0, 62); ++i)
            product = std::int64_t(std::uint64_t(product) * std::uint64_t(base));
        return number(product, product == std::int32_t(product) ? Scalar::int32 : Scalar::int64, sign.at);
    }
    const bool shift = is_shift(sign.text);
    const Scalar type =
        shift ? common_type(a->type.scalar, a->type.scalar) : common_type(a->type.scalar, b->type.scalar);
    if (is_floating(type) && is_of_integers(sign.text))
        throw SourceError(sign.at, fmt::format("'{}' is for integers", sign.text));
    need_halves({type}, sign.text);
    ExprPtr binary = node(ExprKind::binary, {is_comparison(sign.text) ? Scalar::boolean : type}, sign.at);
    binary->sign = sign.text;
    binary->parts.push_back(convert(std::move(a), {type}));
    binary->parts.push_back(shift ? std::move(b) : convert(std::move(b), {type}));
    return binary;
}

ExprPtr Parser::make_index(ExprPtr base, ExprPtr index, Position at) {
    if (base->kind == ExprKind::address && index->kind == ExprKind::number && index->value == 0) {
        ExprPtr of = std::move(base->parts[0]);  // *&x
        return of;
    }
    if (base->kind == ExprKind::cast && base->type.pointer && base->parts[0]->kind == ExprKind::address &&
        base->parts[0]->parts[0]->kind == ExprKind::index && index->kind == ExprKind::number) {
        // *(float4*)&a[i] of an array of the thread's own
        const Expr* root = base->parts[0]->parts[0].get();
        while (root->kind == ExprKind::index) root = root->parts[0].get();
        if (root->kind == ExprKind::variable && !root->type.pointer &&
            unit_.symbols[root->symbol].storage == Storage::local) {
            ExprPtr element = std::move(base->parts[0]->parts[0]);
            element->type = base->type;
            element->type.pointer = false;
            element->value += index->value * element->type.element_bytes();
            element->at = at;
            return element;
        }
    }
    if (base->kind == ExprKind::cast && base->type.pointer && !base->type.rows &&
        base->parts[0]->kind == ExprKind::address && base->parts[0]->parts[0]->kind == ExprKind::variable &&
        unit_.symbols[base->parts[0]->parts[0]->symbol].storage == Storage::variable) {
        // ((float*)&v)[k] of a variable of the thread: a part of it, whose value is not known
        Type part = base->type;
        part.pointer = false;
        std::vector<ExprPtr> before;
        if (touches_memory(*index)) before.push_back(std::move(index));
        return in_sequence(std::move(before), variable(declare_hidden(part, "part", at), at));
    }
    if (base->kind == ExprKind::address && base->parts[0]->kind == ExprKind::index) {
        // (&a[i])[k], where the array is one of the thread's own
        Expr& first = *base->parts[0];
        const Expr& root = root_of(first);
        const bool own = root.kind == ExprKind::variable && first.parts[0]->type.dims.size() == 1 &&
                         unit_.symbols[root.symbol].storage == Storage::local && first.value == 0;
        if (own) {
            first.parts[1] =
                make_binary({TokenKind::sign, "+", at}, std::move(first.parts[1]), std::move(index));
            ExprPtr element = std::move(base->parts[0]);
            return element;
        }
    }
    if (base->kind == ExprKind::sequence) {
        base->parts[1] = make_index(std::move(base->parts[1]), std::move(index), at);
        base->type = base->parts[1]->type;
        return base;
    }
    if (!index->type.is_integer()) throw SourceError(index->at, "an index has to be an integer");
    Type type = base->type;
    if (type.is_array())
        type.dims.erase(type.dims.begin());
    else if (type.rows)
        type.rows = false;
    else if (type.pointer)
        type.pointer = false;
    else
        throw SourceError(at, "this is neither an array nor a pointer");
    ExprPtr element = node(ExprKind::index, type, at);
    element->parts.push_back(std::move(base));
    element->parts.push_back(std::move(index));
    return element;
}

void Parser::check_assignable(const Expr& target) const {
    const Expr* at = &target;
    while (at->kind == ExprKind::sequence) at = at->parts[1].get();
    if (at->kind == ExprKind::member) at = at->parts[0].get();
    if (at->kind == ExprKind::index && !at->type.is_array()) return;
    if (at->kind != ExprKind::variable || unit_.symbol(at->symbol).type.is_array())
        throw SourceError(target.at, "nothing can be assigned to this");
    const Symbol& symbol = unit_.symbol(at->symbol);
    if (symbol.constant || (symbol.is_const && !symbol.type.pointer && symbol.type.record < 0))
        throw SourceError(target.at, fmt::format("{} is constant", in_quotes(symbol.name)));
}

ExprPtr Parser::make_assignment(const Token& token, ExprPtr target, ExprPtr value) {
    if (ExprPtr made = call_operator(token.text, target, &value, token.at)) return made;
    if (target->kind == ExprKind::sequence) {  // what comes before it is done before it
        ExprPtr last = make_assignment(token, std::move(target->parts[1]), std::move(value));
        target->parts[1] = std::move(last);
        return target;
    }
    check_assignable(*target);
    if (target->type.is_record()) {
        if (token.text != "=") {  // a += b of a type that has only a + b
            std::vector<ExprPtr> before;
            target = settled(std::move(target), before);
            const std::string_view plain = token.text.substr(0, token.text.size() - 1);
            ExprPtr sum = make_binary({TokenKind::sign, plain, token.at}, clone(*target), std::move(value));
            before.push_back(assign_record(std::move(target), std::move(sum), token.at));
            ExprPtr last = std::move(before.back());
            before.pop_back();
            return in_sequence(std::move(before), std::move(last));
        }
        if (!(value->type == target->type)) value = convert(std::move(value), target->type);
        return assign_record(std::move(target), std::move(value), token.at);
    }
    value = decay(std::move(value));
    const Type type = target->type;
    if (root_of(*target).kind == ExprKind::variable && unit_.symbols[root_of(*target).symbol].in_union &&
        type.is_integer() && value->type.is_single()) {
        std::vector<ExprPtr> of;
        of.push_back(std::move(value));
        value = unknown_value(type, std::move(of), token);
    }
    ExprPtr assign = node(ExprKind::assign, type, token.at);
    if (token.text == "=" || (type.lanes > 1 && !type.pointer)) {
        const bool vector = type.lanes > 1 && token.text != "=";
        assign->sign = "=";
        if (vector) {  // c += a * b with vectors
            need_halves(type, token.text);
            ExprPtr both = node(ExprKind::make_vector, type, token.at);
            both->parts.push_back(clone(*target));
            both->parts.push_back(std::move(value));
            value = std::move(both);
        }
        assign->parts.push_back(std::move(target));
        assign->parts.push_back(convert(std::move(value), type));
        return assign;
    }
    const std::string_view plain = token.text.substr(0, token.text.size() - 1);
    if (type.pointer && plain != "+" && plain != "-")
        throw SourceError(token.at, "not in the subset: this operation with pointers");
    // The operator's own types are found by a binary expression of the same types.
    assign->sign = plain;
    if (!type.pointer) {
        if (!type.is_single() || !value->type.is_single() || value->type.scalar == Scalar::none)
            throw SourceError(token.at, fmt::format("'{}' is not for these types", token.text));
        const Scalar common = is_shift(plain) ? common_type(type.scalar, type.scalar)
                                              : common_type(type.scalar, value->type.scalar);
        if (is_floating(common) && is_of_integers(plain))
            throw SourceError(token.at, fmt::format("'{}' is for integers", token.text));
        need_halves({common}, token.text);
        if (!is_shift(plain)) value = convert(std::move(value), {common});
        assign->value = static_cast<std::int64_t>(common);
    }
    assign->parts.push_back(std::move(target));
    assign->parts.push_back(std::move(value));
    return assign;
}

}  // namespace warplens::typed
