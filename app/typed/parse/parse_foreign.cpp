#include "app/base/text.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Functions and macros of other files: what they make of their arguments is not known, but for some that many
// files define alike.

namespace warplens::typed {

/// What a function or macro of another file makes of its arguments: a value that is not known. It can be
/// assigned to, for it may stand for a place. What it is given pointers to may be anything from here on.
ExprPtr Parser::foreign_call(const Token& name, Type made, std::vector<ExprPtr> arguments) {
    leave_out_call(name);
    unit_.only_counted = "functions of other files";
    if (made.scalar == Scalar::none && made.record < 0) {
        made = {Scalar::int32};
        for (const ExprPtr& one : arguments)
            if (one->type.is_single() && one->type.scalar != Scalar::none) {
                made = one->type;
                break;
            }
    }
    std::vector<ExprPtr> before;
    const Token equals{TokenKind::sign, "=", name.at};
    for (ExprPtr& one : arguments) {
        const bool variable_of_thread =
            one->kind == ExprKind::address && is_own(*one->parts[0]) && one->parts[0]->type.is_single();
        if (variable_of_thread) {
            const Type type = one->parts[0]->type;
            ExprPtr place = std::move(one->parts[0]);
            before.push_back(make_assignment(equals, std::move(place), unknown_value(type, {}, name)));
        } else if (one->type.is_single()) {
            before.push_back(std::move(one));
        } else if (one->kind == ExprKind::address || one->type.is_array()) {
            const Expr& root = root_of(*one);
            constexpr int kMost = 64;
            if (root.kind != ExprKind::variable || !is_own(*one) || root.type.dims.size() != 1 ||
                root.type.dims[0] > kMost || root.type.record >= 0 || root.type.lanes > 1 ||
                is_floating(root.type.scalar))
                continue;
            for (int k = 0; k < root.type.dims[0]; ++k)
                before.push_back(make_assignment(
                    equals, make_index(clone(root), number(k, Scalar::int32, name.at), name.at),
                    unknown_value({root.type.scalar}, {}, name)));
        }
    }
    const int value = declare_hidden(made, "value", name.at);
    foreign_values_.insert(value);
    if (made.is_single())
        before.push_back(make_assignment(equals, variable(value, name.at), unknown_value(made, {}, name)));
    return in_sequence(std::move(before), variable(value, name.at));
}

/// The result of a function of another file, as the type that it is assigned to. Null if this is none.
ExprPtr Parser::foreign_as(ExprPtr& value, const Type& type) {
    const Expr* last = value.get();
    while (last->kind == ExprKind::sequence) last = last->parts[1].get();
    if (last->kind != ExprKind::variable || !foreign_values_.contains(last->symbol) || is_group(type))
        return nullptr;
    std::vector<ExprPtr> before;
    const Position at = value->at;
    value = settled(std::move(value), before);
    if (!type.pointer) return in_sequence(std::move(before), variable(declare_hidden(type, "value", at), at));
    if (type.rows) return nullptr;
    Symbol array{
        .name = fmt::format("array${}", hidden_++), .type = type, .storage = Storage::global, .at = at};
    array.type.pointer = false;
    array.type.dims = {0};
    assume(fmt::format("line {}: an array in global memory is assumed, to whose begin this pointer points",
                       at.line));
    const int index = int(unit_.symbols.size());
    unit_.symbols.push_back(std::move(array));
    return in_sequence(std::move(before), decay(plain_variable(index, at)));
}

/// Macros that many files define alike: "FLOAT4(a[i])", "OFFSET(row, column, width)", "CEIL_DIV(a, b)". Null
/// if this is none of them.
ExprPtr Parser::known_macro(const Token& name, std::vector<ExprPtr>& arguments) {
    const std::string lower = lower_case(name.text);
    const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
    const auto sign = [&](std::string_view text) { return Token{TokenKind::sign, text, name.at}; };
    const auto said = [&](ExprPtr made, std::string_view means) {
        assume(fmt::format("{} is not in this text: {} is assumed", in_quotes(name.text), means));
        unit_.only_counted = "macros of other files";
        return made;
    };
    Type wide;
    if (has("128bit") || has("float4"))
        wide = {Scalar::float32, 4};
    else if (has("64bit") || has("float2"))
        wide = {Scalar::float32, 2};
    else if (has("int4"))
        wide = {Scalar::int32, 4};
    else if (has("half2") || has("bfloat2"))
        wide = {Scalar::float16, 2};
    if (wide.lanes > 1 && arguments.size() == 1 && arguments[0]->kind == ExprKind::index) {
        Type pointed = arguments[0]->type;
        pointed.pointer = true;
        ExprPtr address = node(ExprKind::address, pointed, name.at);
        address->parts.push_back(std::move(arguments[0]));
        Type to = wide;
        to.pointer = true;
        return said(
            make_index(cast_to(std::move(address), to, name.at), number(0, Scalar::int32, name.at), name.at),
            fmt::format("({} *)&x, as one vector,", text_of(wide)));
    }
    const bool integers =
        std::ranges::all_of(arguments, [](const ExprPtr& one) { return one->type.is_integer(); });
    if (arguments.size() == 3 && lower == "offset" && integers)
        return said(plus(times(std::move(arguments[0]), std::move(arguments[2]), name.at),
                         std::move(arguments[1]), name.at),
                    "a * c + b");
    if (arguments.size() == 3 && lower == "idx2c" && integers)
        return said(plus(times(std::move(arguments[1]), std::move(arguments[2]), name.at),
                         std::move(arguments[0]), name.at),
                    "b * c + a");
    if (arguments.size() == 2 && integers && (has("ceil") || has("cdiv") || has("divup") || has("div_up"))) {
        ExprPtr more = make_binary(sign("-"), clone(*arguments[1]), number(1, Scalar::int32, name.at));
        return said(make_binary(sign("/"), plus(std::move(arguments[0]), std::move(more), name.at),
                                std::move(arguments[1])),
                    "(a + b - 1) / b");
    }
    return nullptr;
}

/// "CUDA_KERNEL_LOOP(i, n) statement", as frameworks define it: each thread takes every so many of n. Null if
/// this is none.
StmtPtr Parser::read_kernel_loop() {
    const Token name = peek();
    const bool is_loop = name.kind == TokenKind::name && is("(", 1) &&
                         name.text.find("KERNEL_LOOP") != std::string_view::npos && is_undeclared(name.text);
    if (!is_loop) return nullptr;
    assume(fmt::format("{}(i, n) is not in this text: a loop over i of a thread's share of n is assumed",
                       name.text));
    unit_.only_counted = "macros of other files";
    unit_.asks.insert({Builtin::thread_x, Builtin::block_x});
    take();
    take();
    now_.scopes.emplace_back();
    Type type{Scalar::int32};
    if (at_type()) {  // (type, i, n)
        type = read_type();
        expect(",", "between arguments");
    }
    const Token counter = take();
    expect(",", "between arguments");
    ExprPtr end = decay(read_assignment());
    if (accept(",")) type = read_type();
    expect(")", "after the arguments");
    StmtPtr loop = statement(StmtKind::loop, name.at);
    loop->init = statement(StmtKind::declare, name.at);
    loop->init->condition = convert(
        plus(times(builtin(Builtin::block_x, name.at), builtin(Builtin::block_dim_x, name.at), name.at),
             builtin(Builtin::thread_x, name.at), name.at),
        type);
    loop->init->symbol = declare({.name = std::string(counter.text), .type = type, .at = counter.at});
    const int symbol = loop->init->symbol;
    loop->condition = make_binary({TokenKind::sign, "<", name.at}, variable(symbol, name.at), std::move(end));
    loop->step = make_assignment(
        {TokenKind::sign, "+=", name.at}, variable(symbol, name.at),
        times(builtin(Builtin::block_dim_x, name.at), builtin(Builtin::grid_dim_x, name.at), name.at));
    loop->body.push_back(read_body());
    now_.scopes.pop_back();
    return loop;
}

}  // namespace warplens::typed
