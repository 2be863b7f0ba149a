#include "app/typed/parse/capability_of.h"
#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kDeepestStatement = 64;

/// Whether an expression assigns to a variable.
bool assigns(const Expr& expr, int symbol) {
    const bool writes = expr.kind == ExprKind::assign || expr.kind == ExprKind::step;
    if (writes && expr.parts[0]->kind == ExprKind::variable && expr.parts[0]->symbol == symbol) return true;
    return std::ranges::any_of(expr.parts, [&](const ExprPtr& part) { return assigns(*part, symbol); });
}

bool assigns(const Stmt& stmt, int symbol) {
    if (stmt.condition && assigns(*stmt.condition, symbol)) return true;
    if (stmt.step && assigns(*stmt.step, symbol)) return true;
    if (stmt.init && assigns(*stmt.init, symbol)) return true;
    return std::ranges::any_of(stmt.body,
                               [&](const StmtPtr& part) { return part && assigns(*part, symbol); });
}

}  // namespace

StmtPtr statement(StmtKind kind, Position at) {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = kind;
    stmt->at = at;
    return stmt;
}

Unit Parser::read_kernel(const Declaration& kernel) {
    kernel_ = &kernel;

    now_.scopes.push_back(bind_template(kernel, given_.template_arguments, {}, true));
    unit_.functions.push_back({.name = kernel.name, .kernel = true, .at = kernel.at});
    use(kernel);
    for (const std::string& name : now_.scopes.back().order) {
        const Scope& given = now_.scopes.back();
        const auto type = given.types.find(name);
        unit_.functions[0].arguments.push_back(
            type != given.types.end()
                ? text_of(type->second)
                : std::to_string(unit_.symbols[given.names.at(name)].constant.value_or(0)));
    }
    for (const auto& [name, type] : now_.scopes.back().types) unit_.functions[0].type_names.push_back(name);
    now_.scopes.emplace_back();
    now_.function = 0;
    now_.at = kernel.begin;
    for (std::size_t i = kernel.begin; i < kernel.body; ++i) {
        const bool cluster = tokens_[i].text == "__cluster_dims__";
        if ((!cluster && tokens_[i].text != "__launch_bounds__") || tokens_[i + 1].text != "(") continue;
        unit_.need(capability_of(tokens_[i].text), tokens_[i].text);
        now_.at = i + 2;
        try {
            if (!cluster) unit_.most_threads = fold(unit_, *read_assignment()).value_or(0);
            for (std::size_t axis = 0; cluster && axis < 3 && (axis == 0 || accept(",")); ++axis)
                unit_.cluster[axis] = fold(unit_, *read_assignment()).value_or(1);
        } catch (const SourceError&) {  // says something about registers, nothing about addresses
        }
    }
    skip_to_parameters(kernel);
    read_parameters([&](Symbol symbol, bool, ExprPtr) {
        if (symbol.type.is_record()) symbol.is_const = false;
        if (symbol.type.rows) unit_.only_counted = "pointers to pointers";
        const std::function<void(int)> add = [&](int parameter) {  // of a record: each of its members
            const std::vector<int> parts = unit_.symbols[parameter].parts;
            if (unit_.symbols[parameter].type.is_array()) return;
            if (parts.empty()) return unit_.functions[0].parameters.push_back(parameter);
            for (const int part : parts) add(part);
        };
        unit_.functions[0].declared.push_back(declare(std::move(symbol)));
        add(unit_.functions[0].declared.back());
    });
    now_.at = kernel.body;
    StmtPtr body = read_block();
    unit_.functions[0].body = std::move(body);
    mark_unread();
    finish_tree();
    return std::move(unit_);
}

/// Marks the atomic operations whose results go nowhere: the compiler makes others of them.
void Parser::mark_unread() {
    std::vector<int> named(unit_.symbols.size());  // how often each symbol is
    const std::function<void(const Expr&)> count = [&](const Expr& expr) {
        if (expr.kind == ExprKind::variable && expr.symbol >= 0) ++named[std::size_t(expr.symbol)];
        for (const ExprPtr& part : expr.parts) count(*part);
    };
    const std::function<void(const Stmt&)> count_in = [&](const Stmt& stmt) {
        if (stmt.condition) count(*stmt.condition);
        if (stmt.step) count(*stmt.step);
        if (stmt.init) count_in(*stmt.init);
        for (const StmtPtr& part : stmt.body)
            if (part) count_in(*part);
    };
    for (const Function& function : unit_.functions)
        if (function.body) count_in(*function.body);
    std::function<void(Stmt&, bool)> drop_in;
    const std::function<void(Expr&)> drop = [&](Expr& expr) {  // its value is of no use
        expr.unread = expr.kind == ExprKind::intrinsic && Intrinsic(expr.value) == Intrinsic::atomic;
        const bool to_nobody = expr.kind == ExprKind::assign && expr.parts[0]->kind == ExprKind::variable &&
                               expr.parts[0]->symbol >= 0 && named[std::size_t(expr.parts[0]->symbol)] == 1;
        if (to_nobody || expr.kind == ExprKind::cast) drop(*expr.parts.back());
        if (expr.kind == ExprKind::sequence)
            for (const ExprPtr& part : expr.parts) drop(*part);
        if (expr.kind == ExprKind::call && unit_.functions[std::size_t(expr.symbol)].body)
            drop_in(*unit_.functions[std::size_t(expr.symbol)].body, true);
    };
    drop_in = [&](Stmt& stmt, bool results) {
        if (stmt.condition && stmt.kind == StmtKind::declare && named[std::size_t(stmt.symbol)] == 0)
            drop(*stmt.condition);
        if (stmt.condition &&
            (stmt.kind == StmtKind::expression || (results && stmt.kind == StmtKind::finish)))
            drop(*stmt.condition);
        if (stmt.step) drop(*stmt.step);
        if (stmt.init) drop_in(*stmt.init, results);
        for (const StmtPtr& part : stmt.body)
            if (part) drop_in(*part, results);
    };
    for (Function& function : unit_.functions)
        if (function.body) drop_in(*function.body, false);
}

/// Elements that stand at one place of the text are one, for whichever call they were written. What is the
/// same in each block is computed once.
void Parser::finish_tree() {
    using Key = std::tuple<Position, std::int64_t, int, Op>;
    std::map<Key, const Expr*> known;
    const std::function<void(Expr&)> look = [&](Expr& expr) {
        if (expr.kind == ExprKind::intrinsic && Intrinsic(expr.value) == Intrinsic::atomic) {
            const bool counts =
                expr.unread && expr.sign == "+" && expr.type.is_integer() && fold(unit_, *expr.parts[1]) == 1;
            expr.parts[0]->changed = counts ? Op::increment : expr.unread ? Op::reduction : Op::atomic;
        }
        if (expr.kind == ExprKind::index && !expr.type.is_array())
            expr.site =
                known.emplace(Key{expr.at, expr.value, expr.type.bytes(), expr.changed}, &expr).first->second;
        const bool computes =
            expr.kind == ExprKind::binary || expr.kind == ExprKind::unary || expr.kind == ExprKind::cast;
        expr.integers =
            computes && expr.type.is_integer() &&
            std::ranges::all_of(expr.parts, [](const auto& part) { return part->type.is_integer(); });
        if (computes && is_of_thread(unit_, expr)) {
            expr.kept = unit_.kept++;
        }
        for (const ExprPtr& part : expr.parts) look(*part);
    };
    const std::function<void(Stmt&)> look_at = [&](Stmt& stmt) {
        if (stmt.condition) look(*stmt.condition);
        if (stmt.step) look(*stmt.step);
        if (stmt.init) look_at(*stmt.init);
        for (const StmtPtr& part : stmt.body)
            if (part) look_at(*part);
    };
    for (Function& function : unit_.functions)
        if (function.body) look_at(*function.body);
}

StmtPtr Parser::read_block() {
    StmtPtr block = statement(StmtKind::block, peek().at);
    expect("{", "before statements");
    now_.scopes.emplace_back();
    while (!is("}")) {
        if (peek().kind == TokenKind::end) throw SourceError(peek().at, "a '}' is missing");
        block->body.push_back(read_statement());
    }
    take();
    now_.scopes.pop_back();
    return block;
}

StmtPtr Parser::read_statement() {
    const std::size_t begin = now_.at;
    StmtPtr stmt = read_unmarked_statement();
    stmt->begin = static_cast<std::uint32_t>(begin);
    stmt->end = static_cast<std::uint32_t>(now_.at);
    return stmt;
}

StmtPtr Parser::read_unmarked_statement() {
    if (++depth_ > kDeepestStatement) refuse_depth();
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave{depth_};
    const Token& token = peek();
    const Position at = token.at;
    if (is("{")) return read_block();
    if (accept(";")) return statement(StmtKind::empty, at);
    if (is("if")) return read_if();
    if (is("for")) return read_for();
    if (StmtPtr loop = read_kernel_loop()) return loop;
    if (is("while")) return read_while();
    if (is("do")) return read_do();
    if (is("switch")) return read_switch();
    if (accept("break") || accept("continue")) {
        const bool leaves = tokens_[now_.at - 1].text == "break";
        if (now_.loops + (leaves ? now_.switches : 0) == 0)
            throw SourceError(at, "there is no loop to leave");
        if (!leaves && now_.switches > 0)
            throw SourceError(at, "not in the subset: continue inside of switch; use if");
        StmtPtr left = statement(leaves ? StmtKind::leave : StmtKind::next, at);
        expect(";", "after it");
        return left;
    }
    if (is("return")) return read_return();
    if (skip_without_effect() || read_lambda()) return statement(StmtKind::empty, at);
    if (StmtPtr binding = read_binding()) return binding;
    if (is("extern") || is("__shared__") || is("__align__") || is("alignas") ||
        (is("static") && is("__shared__", 1)) || at_declaration())
        return read_declaration();
    if (token.kind == TokenKind::name && (token.text == "goto" || token.text == "case")) refuse(token);
    if (is("asm") || is("__asm__") || is("__asm")) return read_assembler();
    if (token.kind == TokenKind::name && is(":", 1))
        throw SourceError(at,
                          fmt::format("not in the subset: {}, a label; write a loop", in_quotes(token.text)));
    StmtPtr expression = statement(StmtKind::expression, at);
    expression->condition = read_sequence();
    expect(";", "after a statement");
    return expression;
}

/// Whether a type stands here, and not the value of one: "float4(x)", "Vec::size".
bool Parser::at_declaration() {
    if (!at_type()) {  // "Real x = 0;", "Range<int>* x = a;" of a type of some header
        std::size_t name = behind_undeclared_type();
        if (name == 0) return false;
        while (tokens_[name].text == "*" || tokens_[name].text == "&" || tokens_[name].text == "const")
            ++name;
        constexpr std::string_view kBehind = "=;[,({";
        const std::string_view behind = tokens_[std::min(name + 1, tokens_.size() - 1)].text;
        return tokens_[name].kind == TokenKind::name && behind.size() == 1 &&
               kBehind.find(behind) != std::string_view::npos;
    }
    if (is("::", 1) && !is("std") && !is("cg") && !is("cooperative_groups") && !is("cuda")) return false;
    return !is("(", 1) || is("decltype");
}

/// Inline PTX that computes in registers: asm("mov.u32 %0, %%clock;" : "=r"(x)). Its results are not known.
StmtPtr Parser::read_assembler() {
    const Token word = take();
    while (is("volatile") || is("__volatile__")) take();
    const std::size_t behind = behind_bracket(tokens_, now_.at);
    expect("(", "after asm");
    std::string text;
    while (peek().kind == TokenKind::text) text += take().text;
    // An address, a barrier, the end of the thread.
    for (const std::string_view other : {"[", "bar.", "barrier", "exit", "ret;", "trap", "bra"})
        if (text.find(other) != text.npos && text.find("membar.") == text.npos) refuse(word);
    const bool lane = text.find("%laneid") != text.npos;
    StmtPtr all = statement(StmtKind::block, word.at);
    if (accept(":")) {
        while (!is(":") && !is("::") && now_.at + 1 < behind) {
            if (is("[")) skip_brackets();
            take();
            expect("(", "before what inline PTX writes");
            ExprPtr place = read_sequence();
            expect(")", "after what inline PTX writes");
            accept(",");
            StmtPtr one = statement(StmtKind::expression, word.at);
            const Type type = place->type;
            one->condition =
                make_assignment({TokenKind::sign, "=", word.at}, std::move(place),
                                lane ? thread_rank(word.at, kWarpLanes) : unknown_value(type, {}, word));
            all->body.push_back(std::move(one));
        }
    }
    now_.at = behind;
    expect(";", "after a statement");
    const std::string sentence = "what inline PTX computes in registers is not known";
    if (!lane && std::ranges::find(unit_.assumed, sentence) == unit_.assumed.end())
        unit_.assumed.push_back(sentence);
    unit_.only_counted = "inline PTX";
    return all;
}

/// Statements that change no address: "static_assert(...);", "printf(...);", "typedef float T;".
bool Parser::skip_without_effect() {
    constexpr std::string_view kWords[] = {
        "static_assert", "assert",           "printf",   "memset",  "memcpy",         "__trap",
        "__nanosleep",   "__builtin_assume", "__assume", "_Pragma", "__prof_trigger", "CUDA_KERNEL_ASSERT"};
    if (std::ranges::find(kWords, peek().text) != std::end(kWords) && is("(", 1) && find(peek().text) < 0) {
        if (is("memcpy") || is("memset")) leave_out("what memcpy and memset load and store");
        const auto end = tokens_.begin() + std::ptrdiff_t(behind_bracket(tokens_, now_.at + 1));
        const bool of_memory =
            std::any_of(tokens_.begin() + std::ptrdiff_t(now_.at), end,
                        [](const Token& one) { return one.text == "[" || one.text == "->"; });
        if (is("printf") && of_memory) leave_out("what the arguments of printf load");
        take();
        skip_brackets();
        accept(";");
        return true;
    }
    if (is("std") && is("::", 1) && (is("memcpy", 2) || is("memset", 2) || is("printf", 2))) {
        if (!is("printf", 2)) leave_out("what memcpy and memset load and store");
        now_.at += 3;
        skip_brackets();
        accept(";");
        return true;
    }
    if (is("namespace") || (is("using") && (is("namespace", 1) || is("::", 2)))) {
        while (!accept(";")) take();
        return true;
    }
    if (is("using") || is("typedef")) {
        const bool is_using = take().text == "using";
        Token name;
        Type type;
        if (is_using) {
            name = take();
            expect("=", "after a type's name");
            type = read_cast_type();
        } else {
            type = read_type();
            type = read_declarator(type, name);
        }
        now_.scopes.back().types[std::string(name.text)] = type;
        expect(";", "after a type's name");
        return true;
    }
    if (is("[") && is("[", 1)) {  // [[maybe_unused]]
        skip_brackets();
        return false;
    }
    return false;
}

StmtPtr Parser::read_return() {
    const Position at = take().at;
    StmtPtr finish = statement(StmtKind::finish, at);
    Function& function = unit_.functions[now_.function];
    if (accept(";")) {
        if (function.result.scalar != Scalar::none && !now_.returns_place)
            throw SourceError(at, "this function returns a value");
        return finish;
    }
    const Type expected = function.result;
    ExprPtr value = is("{") ? construct(expected, read_braces(expected), at) : read_sequence();
    expect(";", "after return");
    if (now_.returns_place) {
        if (now_.place)
            throw SourceError(at, "not in the subset: functions that return references in several ways");
        now_.place = std::move(value);
        return finish;
    }
    if (value->type.scalar == Scalar::none && value->type.record < 0 &&
        !value->type.pointer) {  // return f();
        StmtPtr both = statement(StmtKind::block, at);
        StmtPtr first = statement(StmtKind::expression, at);
        first->condition = std::move(value);
        both->body.push_back(std::move(first));
        both->body.push_back(std::move(finish));
        return both;
    }
    if (function.kernel) throw SourceError(at, "a kernel returns void");
    Type& result = unit_.functions[now_.function].result;
    const bool automatic = result.scalar == Scalar::none && result.record < 0 && !result.pointer;
    if (automatic) {
        value = decay(std::move(value));
        result = value->type;
        if (result.is_record()) now_.result = declare_hidden(result, "result", at);
    }
    const Type type = unit_.functions[now_.function].result;
    if (now_.result >= 0) {
        StmtPtr both = statement(StmtKind::block, at);
        StmtPtr first = statement(StmtKind::expression, at);
        first->condition = make_assignment({TokenKind::sign, "=", at}, variable(now_.result, at),
                                           convert(std::move(value), type));
        both->body.push_back(std::move(first));
        both->body.push_back(std::move(finish));
        return both;
    }
    finish->condition = convert(decay(std::move(value)), type);
    return finish;
}

ExprPtr Parser::read_condition() {
    expect("(", "before a condition");
    ExprPtr condition = convert(decay(read_sequence()), {Scalar::boolean});
    expect(")", "after a condition");
    return condition;
}

StmtPtr Parser::read_if() {
    StmtPtr branch = statement(StmtKind::branch, take().at);
    accept("constexpr");
    branch->condition = read_condition();
    // A statement that is never executed need not be understood.
    const auto known = fold(unit_, *branch->condition);
    const auto read = [&](bool executed) {
        if (executed) return read_statement();
        skip_statement();
        return statement(StmtKind::empty, branch->at);
    };
    branch->body.push_back(read(!known || *known != 0));
    if (accept("else")) branch->body.push_back(read(!known || *known == 0));
    return branch;
}

/// Past a statement, whatever stands in it.
void Parser::skip_statement() {
    if (is("{")) return skip_brackets();
    if (is("if") || is("for") || is("while") || is("switch")) {
        take();
        accept("constexpr");
        skip_brackets();
        skip_statement();
        if (accept("else")) skip_statement();
        return;
    }
    if (accept("do")) skip_statement();
    while (!is(";") && peek().kind != TokenKind::end) {
        if (is("{") || is("("))
            skip_brackets();
        else
            take();
    }
    accept(";");
}

StmtPtr Parser::read_for() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    now_.scopes.emplace_back();
    for (std::size_t i = now_.at + 1, end = behind_bracket(tokens_, now_.at); i < end; ++i) {
        if (tokens_[i].text == ";" || tokens_[i].text == "?") break;
        if (tokens_[i].text == ":")
            throw SourceError(tokens_[i].at,
                              "not in the subset: a for over a range; write 'for (int i = 0; i < n; ++i)'");
    }
    expect("(", "after for");
    if (!accept(";")) {
        if (at_declaration()) {
            loop->init = read_declaration();
        } else {
            loop->init = statement(StmtKind::expression, peek().at);
            loop->init->condition = read_sequence();
            expect(";", "in 'for (begin; condition; step)'");
        }
    }
    if (!is(";")) loop->condition = convert(decay(read_sequence()), {Scalar::boolean});
    expect(";", "in 'for (begin; condition; step)'");
    if (!is(")")) loop->step = read_sequence();
    expect(")", "after for (begin; condition; step");
    loop->body.push_back(read_body());
    now_.scopes.pop_back();
    // A counter from a constant to a constant, which the compiler can unroll.
    if (loop->init && loop->init->kind == StmtKind::declare && loop->init->condition && loop->condition &&
        loop->condition->kind == ExprKind::binary) {
        const int symbol = loop->init->symbol;
        const bool bounds = fold(unit_, *loop->init->condition) && fold(unit_, *loop->condition->parts[1]);
        if (bounds && !assigns(*loop->body.front(), symbol)) unit_.symbols[symbol].counter = true;
    }
    return loop;
}

/// A loop has its own `continue`, whatever switch stands around it.
StmtPtr Parser::read_body() {
    const int outer = std::exchange(now_.switches, 0);
    ++now_.loops;
    StmtPtr body = read_statement();
    --now_.loops;
    now_.switches = outer;
    return body;
}

StmtPtr Parser::read_while() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    loop->condition = read_condition();
    loop->body.push_back(read_body());
    return loop;
}

StmtPtr Parser::read_do() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    loop->check_first = false;
    loop->body.push_back(read_body());
    expect("while", "after the body of do");
    loop->condition = read_condition();
    expect(";", "after do ... while");
    return loop;
}

}  // namespace warplens::typed
