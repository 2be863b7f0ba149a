#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kDeepestStatement = 64;

StmtPtr statement(StmtKind kind, Position at) {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = kind;
    stmt->at = at;
    return stmt;
}

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

Unit Parser::read_kernel(const Declaration& kernel) {
    kernel_ = &kernel;

    now_.scopes.push_back(bind_template(kernel, given_.template_arguments, {}, true));
    unit_.functions.push_back({.name = kernel.name, .kernel = true, .at = kernel.at});
    for (const auto& [name, type] : now_.scopes.back().types) unit_.functions[0].type_names.push_back(name);
    now_.scopes.emplace_back();
    now_.function = 0;
    now_.at = kernel.begin;
    for (std::size_t i = kernel.begin; i < kernel.body; ++i) {
        if (tokens_[i].text != "__launch_bounds__" || tokens_[i + 1].text != "(") continue;
        now_.at = i + 2;
        try {
            unit_.most_threads = fold(unit_, *read_assignment()).value_or(0);
        } catch (const SourceError&) {  // says something about registers, nothing about addresses
        }
    }
    skip_to_parameters(kernel);
    read_parameters([&](Symbol symbol, bool, ExprPtr) {
        if (symbol.type.is_record()) symbol.is_const = false;
        const std::function<void(int)> add = [&](int parameter) {  // of a record: each of its members
            const std::vector<int> parts = unit_.symbols[parameter].parts;
            if (parts.empty()) return unit_.functions[0].parameters.push_back(parameter);
            for (const int part : parts) add(part);
        };
        add(declare(std::move(symbol)));
    });
    now_.at = kernel.body;
    StmtPtr body = read_block();
    unit_.functions[0].body = std::move(body);
    merge_sites();
    return std::move(unit_);
}

/// Elements that stand at one place of the text are one, for whichever call they were written.
void Parser::merge_sites() {
    using Key = std::tuple<Position, std::int64_t, int>;
    std::map<Key, const Expr*> known;
    const std::function<void(Expr&)> look = [&](Expr& expr) {
        if (expr.kind == ExprKind::index && !expr.type.is_array())
            expr.site =
                known.emplace(Key{expr.at, expr.value, expr.type.element_bytes()}, &expr).first->second;
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
    if (++depth_ > kDeepestStatement) throw SourceError(peek().at, "this is nested too deeply");
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
    if (skip_without_effect()) return statement(StmtKind::empty, at);
    if (is("extern") || is("__shared__") || (is("static") && is("__shared__", 1)) || at_declaration())
        return read_declaration();
    if (token.kind == TokenKind::name &&
        (token.text == "goto" || token.text == "asm" || token.text == "__asm__" || token.text == "struct" ||
         token.text == "case"))
        refuse(token);
    StmtPtr expression = statement(StmtKind::expression, at);
    expression->condition = read_sequence();
    expect(";", "after a statement");
    return expression;
}

/// Whether a type stands here, and not the value of one: "float4(x)", "Vec::size".
bool Parser::at_declaration() {
    if (!at_type()) return false;
    if (is("::", 1) && !is("std") && !is("cg") && !is("cooperative_groups") && !is("cuda")) return false;
    return !is("(", 1) || is("decltype");
}

/// Statements that change no address: "static_assert(...);", "printf(...);", "typedef float T;".
bool Parser::skip_without_effect() {
    constexpr std::string_view kWords[] = {
        "static_assert", "assert",           "printf",   "memset",  "memcpy",         "__trap",
        "__nanosleep",   "__builtin_assume", "__assume", "_Pragma", "__prof_trigger", "CUDA_KERNEL_ASSERT"};
    if (std::ranges::find(kWords, peek().text) != std::end(kWords) && is("(", 1) && find(peek().text) < 0) {
        take();
        skip_brackets();
        accept(";");
        return true;
    }
    if (is("std") && is("::", 1) && (is("memcpy", 2) || is("memset", 2) || is("printf", 2))) {
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

StmtPtr Parser::read_declaration() {
    bool dynamic = false, shared = false, is_const = false;
    while (is("extern") || is("__shared__") || is("__align__") || is("alignas") || is("static") ||
           is("volatile") || is("__attribute__")) {
        const std::string_view word = take().text;
        dynamic = dynamic || word == "extern";
        shared = shared || word == "__shared__";
        if (word == "__align__" || word == "alignas" || word == "__attribute__") skip_brackets();
    }
    const Position at = peek().at;
    const Type type = read_type(&is_const);
    while (is("__shared__") || is("__align__") || is("__attribute__") || is("volatile")) {
        shared = shared || is("__shared__");
        if (take().text.starts_with("__a")) skip_brackets();
    }
    StmtPtr all = statement(StmtKind::block, at);
    do {
        StmtPtr one = declare_variable(type, is_const, shared ? Storage::shared : Storage::variable, dynamic);
        if (one) all->body.push_back(std::move(one));
    } while (accept(","));
    expect(";", "after a declaration");
    return all->body.size() == 1 ? std::move(all->body.front()) : std::move(all);
}

StmtPtr Parser::declare_variable(Type type, bool is_const, Storage storage, bool dynamic) {
    Token name;
    Symbol symbol;
    const bool automatic = type.scalar == Scalar::none && type.record < 0;
    bool is_reference = false;
    type = read_declarator(type, name, &is_reference);
    if (is("__attribute__")) {
        take();
        skip_brackets();
    }
    if (is_reference) return declare_reference(name);
    symbol.name = name.text;
    symbol.at = name.at;
    symbol.is_const = is_const;
    symbol.storage = storage;
    StmtPtr declares = statement(StmtKind::declare, name.at);
    if (storage == Storage::shared) {
        if ((automatic && !type.pointer) || type.pointer) refuse(name);
        symbol.is_scalar = type.dims.empty() && !dynamic;
        if (type.dims.empty()) type.dims = {dynamic ? 0 : 1};
        symbol.dynamic = dynamic;
        if (dynamic && type.dims.front() != 0) symbol.dynamic = dynamic = false;
        if (!dynamic && std::ranges::count(type.dims, 0) > 0)
            throw SourceError(name.at, "an array needs a size");
    } else if (type.is_array()) {
        symbol.storage = Storage::local;
        if (std::ranges::count(type.dims, 0) > 0 && !is("="))
            throw SourceError(name.at, "an array needs a size");
    }
    if (is("=") || is("{") || (is("(") && !type.is_array())) {
        const bool assigned = accept("=");
        if (storage == Storage::shared) throw SourceError(name.at, "shared memory has no initial value");
        if (is("{") && type.is_array()) {
            for (const ExprPtr& value :
                 read_braces({type.scalar, type.lanes, false, {}, type.record, type.record_bytes}))
                symbol.initial.push_back(fold(unit_, *value).value_or(0));
            if (type.dims.front() == 0) type.dims.front() = std::max(1, int(symbol.initial.size()));
        } else if (is("{") || !assigned) {
            if (automatic && !type.pointer) refuse(peek());
            std::vector<ExprPtr> parts = is("{") ? read_braces(type) : read_arguments();
            declares->condition = type.pointer && parts.size() == 1
                                      ? convert(decay(std::move(parts[0])), type)
                                      : construct(type, std::move(parts), name.at);
        } else {
            declares->condition = read_assignment();
            if (!declares->condition->type.is_record())
                declares->condition = decay(std::move(declares->condition));
            if (automatic && !type.pointer) type = declares->condition->type;
            if (automatic && type.pointer && declares->condition->type.pointer)
                type = declares->condition->type;
            declares->condition = convert(std::move(declares->condition), type);
        }
        // Never assigned again, so its value is known wherever that of the right side is.
        if (is_const && type.is_integer() && declares->condition)
            symbol.constant = fold(unit_, *declares->condition);
    } else if (automatic && !type.pointer) {
        throw SourceError(name.at, fmt::format("the type of {} is not known", in_quotes(name.text)));
    }
    if (type.elements() > 4096 && symbol.storage == Storage::local)
        throw SourceError(name.at, "not in the subset: arrays of a thread above 4096 elements");
    if (is_group(type)) {
        if (declares->condition) type = declares->condition->type;
        symbol.type = type;
        declare(std::move(symbol));
        return nullptr;
    }
    symbol.type = type;
    if (storage == Storage::shared) {  // one for all calls of the function in which it stands
        const auto same = std::ranges::find_if(unit_.symbols, [&](const Symbol& other) {
            return other.storage == Storage::shared && other.at == symbol.at && other.name == symbol.name;
        });
        if (same != unit_.symbols.end()) {
            now_.scopes.back().names[symbol.name] = int(same - unit_.symbols.begin());
            declares->kind = StmtKind::empty;
            return declares;
        }
    }
    const bool record = type.is_record() && storage != Storage::shared;
    if (record) symbol.is_const = false;
    declares->symbol = declare(std::move(symbol));
    if (!record) {
        const Symbol& made = unit_.symbols[declares->symbol];
        if (made.type.record >= 0 && !made.type.pointer &&
            storage != Storage::shared) {  // an array of records
            declares->kind = StmtKind::empty;
            declares->condition = nullptr;
        }
        return declares;
    }
    if (!declares->condition) {
        declares->kind = StmtKind::empty;
        return declares;
    }
    declares->kind = StmtKind::expression;
    declares->condition = make_assignment(
        {TokenKind::sign, "=", name.at}, variable(declares->symbol, name.at), std::move(declares->condition));
    return declares;
}

/// "float& x = a[i];": another name for a variable, or for an element whose place is found out here.
StmtPtr Parser::declare_reference(const Token& name) {
    expect("=", "after a reference");
    std::vector<ExprPtr> before;
    ExprPtr place = settled(read_assignment(), before);
    if (place->kind == ExprKind::index && !place->type.is_array()) {  // the place of here, whatever i becomes
        const Expr* root = place.get();
        while (root->kind == ExprKind::index) root = root->parts[0].get();
        const bool own = root->kind == ExprKind::variable && !root->type.pointer &&
                         (unit_.symbols[root->symbol].storage == Storage::local ||
                          unit_.symbols[root->symbol].storage == Storage::variable);
        if (!own) {
            Type pointer_type = place->type;
            pointer_type.pointer = true;
            ExprPtr address = node(ExprKind::address, pointer_type, name.at);
            address->parts.push_back(std::move(place));
            const int pointer = declare_hidden(pointer_type, name.text, name.at);
            before.push_back(make_assignment({TokenKind::sign, "=", name.at}, variable(pointer, name.at),
                                             std::move(address)));
            place = make_index(variable(pointer, name.at), number(0, Scalar::int32, name.at), name.at);
        }
    }
    Symbol symbol{.name = std::string(name.text), .type = place->type, .at = name.at};
    symbol.means = std::shared_ptr<const Expr>(std::move(place));
    declare(std::move(symbol));
    if (before.empty()) return nullptr;
    StmtPtr does = statement(StmtKind::expression, name.at);
    ExprPtr last = std::move(before.back());
    before.pop_back();
    does->condition = in_sequence(std::move(before), std::move(last));
    return does;
}

/// Cases go on until `break`: each begins with the lanes of those before it that did not leave.
StmtPtr Parser::read_switch() {
    const Position at = take().at;
    expect("(", "after switch");
    now_.scopes.emplace_back();
    ExprPtr of = convert(decay(read_sequence()), {Scalar::int64});
    expect(")", "after switch (value");
    StmtPtr all = statement(StmtKind::block, at);
    const auto add = [&](StmtPtr& to, ExprPtr expr) {
        StmtPtr one = statement(StmtKind::expression, at);
        one->condition = std::move(expr);
        to->body.push_back(std::move(one));
    };
    const Token equals{TokenKind::sign, "=", at};
    const int value = declare_hidden({Scalar::int64}, "switch", at),
              goes_on = declare_hidden({Scalar::boolean}, "case", at);
    add(all, make_assignment(equals, variable(value, at), std::move(of)));
    add(all, make_assignment(equals, variable(goes_on, at), number(0, Scalar::boolean, at)));
    StmtPtr loop = statement(StmtKind::loop, at), body = statement(StmtKind::block, at);
    loop->check_first = false;
    loop->condition = number(0, Scalar::boolean, at);
    expect("{", "after switch (value)");
    ++now_.switches;
    StmtPtr branch;
    std::size_t standard = 0;
    while (!is("}")) {
        if (is("case") || is("default")) {
            ExprPtr truth;
            const bool is_default = is("default");
            if (is_default && standard == 0) standard = now_.at;
            take();
            truth = is_default ? number(1, Scalar::boolean, at)
                               : make_binary({TokenKind::sign, "==", at}, variable(value, at), read_choice());
            expect(":", "after a case");
            if (is_default && !is("case") && !is_last_case())
                throw SourceError(at, "not in the subset: a default before other cases");
            add(body, make_assignment(
                          equals, variable(goes_on, at),
                          make_binary({TokenKind::sign, "||", at}, variable(goes_on, at), std::move(truth))));
            branch = statement(StmtKind::branch, at);
            branch->condition = variable(goes_on, at);
            branch->body.push_back(statement(StmtKind::block, at));
            body->body.push_back(std::move(branch));
            continue;
        }
        if (body->body.empty()) refuse(peek());
        StmtPtr one = read_statement();
        body->body.back()->body[0]->body.push_back(std::move(one));
    }
    take();
    --now_.switches;
    now_.scopes.pop_back();
    loop->body.push_back(std::move(body));
    all->body.push_back(std::move(loop));
    return all;
}

/// Whether no case follows in this switch.
bool Parser::is_last_case() const {
    int open = 0;
    for (std::size_t i = now_.at; i < tokens_.size(); ++i) {
        if (tokens_[i].text == "{") ++open;
        if (tokens_[i].text == "}" && --open < 0) return true;
        if (open == 0 && tokens_[i].text == "case") return false;
    }
    return true;
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
    // What is never executed need not be understood.
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
    ++now_.loops;
    loop->body.push_back(read_statement());
    --now_.loops;
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

StmtPtr Parser::read_while() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    loop->condition = read_condition();
    ++now_.loops;
    loop->body.push_back(read_statement());
    --now_.loops;
    return loop;
}

StmtPtr Parser::read_do() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    loop->check_first = false;
    ++now_.loops;
    loop->body.push_back(read_statement());
    --now_.loops;
    expect("while", "after the body of do");
    loop->condition = read_condition();
    expect(";", "after do ... while");
    return loop;
}

}  // namespace warplens::typed
