#include "app/typed/parser.h"

#include <fmt/format.h>

#include <algorithm>
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

Unit Parser::read_file() {
    while (peek().kind != TokenKind::end) {
        if (accept(";")) continue;
        if (is("template")) {
            read_template();
        } else if (is("using") || is("typedef")) {
            read_alias();
        } else if (is("extern") && is("\"C\"", 1)) {
            refuse(peek());
        } else if (is("__global__") || is("__launch_bounds__")) {
            take();
            read_function(true);
        } else if (is("__device__") || is("__host__")) {
            while (accept("__device__") || accept("__host__")) {
            }
            read_function(false);
        } else if (is("__constant__") || is("constexpr") || is("const") || is("static")) {
            read_constant();
        } else {
            refuse(peek());
        }
    }
    return std::move(unit_);
}

/// "template <int TILE = 32>" before a kernel: the parameter is a constant.
void Parser::read_template() {
    take();
    expect("<", "after template");
    while (!is(">")) {
        const Type type = read_type();
        if (!type.is_integer())
            throw SourceError(peek().at, "not in the subset: template parameters but integers");
        const Token name = take();
        if (name.kind != TokenKind::name) refuse(name);
        std::optional<std::int64_t> value;
        if (accept("=")) value = constant_of(*read_binary(9), "a template parameter");  // '>' ends it
        if (const auto knob = values_.find(name.text); knob != values_.end()) value = knob->second;
        if (!value)
            throw SourceError(name.at, fmt::format("give {} a value: 'int {} = 32', or a line '// knob'",
                                                   in_quotes(name.text), name.text));
        declare({std::string(name.text), type, Storage::variable, name.at, wrap(*value, type.scalar)});
        if (!is(">")) expect(",", "between template parameters");
    }
    take();
}

/// "using T = float;", "typedef float T;"
void Parser::read_alias() {
    const bool is_using = take().text == "using";
    if (is_using) {
        const Token name = take();
        if (name.kind != TokenKind::name || !accept("=")) refuse(name);
        aliases_[std::string(name.text)] = read_type();
    } else {
        const Type type = read_type();
        const Token name = take();
        if (name.kind != TokenKind::name) refuse(name);
        aliases_[std::string(name.text)] = type;
    }
    expect(";", "after a type's name");
}

/// "constexpr int N = 4;", "__constant__ float weights[64];", "const int table[4] = {1, 2, 3, 4};"
void Parser::read_constant() {
    const bool in_memory = accept("__constant__");
    bool is_const = false;
    const Type type = read_type(&is_const);
    do {
        Token name;
        Symbol symbol;
        symbol.type = read_declarator(type, name);
        symbol.name = name.text;
        symbol.at = name.at;
        symbol.is_const = true;
        if (symbol.type.pointer) refuse(name);
        if (in_memory) {
            if (symbol.type.elements() * symbol.type.element_bytes() > 65'536)
                throw SourceError(name.at, "constant memory has 64 KiB");
            symbol.storage = Storage::constant;
            if (symbol.type.dims.empty()) symbol.type.dims = {1};
            if (accept("="))
                throw SourceError(peek().at, "not in the subset: initial values of constant memory");
        } else {
            if (!symbol.type.is_integer() && !is_floating(symbol.type.scalar)) refuse(name);
            if (symbol.type.is_array())
                throw SourceError(name.at, "not in the subset: arrays outside of kernels");
            expect("=", "after a constant's name");
            ExprPtr value = read_assignment();
            if (symbol.type.is_integer()) {
                const auto knob = values_.find(name.text);
                symbol.constant =
                    wrap(knob != values_.end() ? knob->second : constant_of(*value, "a constant"),
                         symbol.type.scalar);
            }
        }
        declare(std::move(symbol));
    } while (accept(","));
    expect(";", "after a constant");
}

void Parser::read_parameter(Function& function) {
    bool is_const = false;
    const Type type = read_type(&is_const);
    Token name;
    Symbol symbol;
    symbol.type = read_declarator(type, name);
    if (symbol.type.dims.size() == 1) {  // float a[] is a pointer
        symbol.type.dims.clear();
        symbol.type.pointer = true;
    }
    if (symbol.type.is_array()) refuse(name);
    symbol.name = name.text;
    symbol.at = name.at;
    symbol.is_const = is_const;
    function.parameters.push_back(declare(std::move(symbol)));
}

void Parser::read_function(bool kernel) {
    Function function;
    function.kernel = kernel;
    while (is("__launch_bounds__")) {  // says something about registers, nothing about addresses
        take();
        expect("(", "after __launch_bounds__");
        while (!is(")") && peek().kind != TokenKind::end) take();
        expect(")", "after __launch_bounds__");
    }
    function.result = read_type();
    if (accept("*")) throw SourceError(peek().at, "not in the subset: functions that return pointers");
    if (kernel && function.result.scalar != Scalar::none)
        throw SourceError(peek().at, "a kernel returns void");
    while (is("__launch_bounds__")) {
        take();
        expect("(", "after __launch_bounds__");
        while (!is(")") && peek().kind != TokenKind::end) take();
        expect(")", "after __launch_bounds__");
    }
    const Token name = take();
    if (name.kind != TokenKind::name) refuse(name);
    function.name = name.text;
    function.at = name.at;
    scopes_.emplace_back();
    expect("(", "after the function's name");
    while (!is(")")) {
        if (!function.parameters.empty()) expect(",", "between parameters");
        read_parameter(function);
    }
    take();
    const std::size_t index = unit_.functions.size();
    unit_.functions.push_back(std::move(function));
    if (!accept(";")) {
        function_ = int(index);
        StmtPtr body = read_block();
        unit_.functions[index].body = std::move(body);
        function_ = -1;
    } else {
        unit_.functions.pop_back();  // it is declared again where it is written
    }
    scopes_.pop_back();
}

StmtPtr Parser::read_block() {
    StmtPtr block = statement(StmtKind::block, peek().at);
    expect("{", "before statements");
    scopes_.emplace_back();
    while (!is("}")) {
        if (peek().kind == TokenKind::end) throw SourceError(peek().at, "a '}' is missing");
        block->body.push_back(read_statement());
    }
    take();
    scopes_.pop_back();
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
    if (accept("break") || accept("continue")) {
        if (loops_ == 0) throw SourceError(at, "there is no loop to leave");
        StmtPtr leaves = statement(tokens_[at_ - 1].text == "break" ? StmtKind::leave : StmtKind::next, at);
        expect(";", "after it");
        return leaves;
    }
    if (accept("return")) {
        StmtPtr finish = statement(StmtKind::finish, at);
        const Type result = unit_.functions[function_].result;
        if (!is(";")) {
            if (result.scalar == Scalar::none) throw SourceError(at, "this function returns nothing");
            finish->condition = convert(decay(read_sequence()), result);
        } else if (result.scalar != Scalar::none) {
            throw SourceError(at, "this function returns a value");
        }
        expect(";", "after return");
        return finish;
    }
    if (is("extern") || is("__shared__") || at_type()) return read_declaration();
    if (token.kind == TokenKind::name &&
        (token.text == "switch" || token.text == "goto" || token.text == "asm" || token.text == "struct" ||
         token.text == "case" || token.text == "dim3"))
        refuse(token);
    StmtPtr expression = statement(StmtKind::expression, at);
    expression->condition = read_sequence();
    expect(";", "after a statement");
    return expression;
}

StmtPtr Parser::read_declaration() {
    bool dynamic = false, shared = false, is_const = false;
    while (is("extern") || is("__shared__") || is("__align__") || is("alignas")) {
        const std::string_view word = take().text;
        dynamic = dynamic || word == "extern";
        shared = shared || word == "__shared__";
        if (word == "__align__" || word == "alignas") {
            expect("(", "after an alignment");
            while (!is(")") && peek().kind != TokenKind::end) take();
            expect(")", "after an alignment");
        }
    }
    const Position at = peek().at;
    const Type type = read_type(&is_const);
    shared = accept("__shared__") || shared;
    StmtPtr all = statement(StmtKind::block, at);
    do {
        all->body.push_back(
            declare_variable(type, is_const, shared ? Storage::shared : Storage::variable, dynamic));
    } while (accept(","));
    expect(";", "after a declaration");
    return all->body.size() == 1 ? std::move(all->body.front()) : std::move(all);
}

StmtPtr Parser::declare_variable(Type type, bool is_const, Storage storage, bool dynamic) {
    Token name;
    Symbol symbol;
    const bool automatic = type.scalar == Scalar::none;
    type = read_declarator(type, name);
    symbol.name = name.text;
    symbol.at = name.at;
    symbol.is_const = is_const;
    symbol.storage = storage;
    StmtPtr declares = statement(StmtKind::declare, name.at);
    if (storage == Storage::shared) {
        if (automatic || type.pointer) refuse(name);
        if (type.dims.empty()) type.dims = {1};
        symbol.dynamic = dynamic;
        if (dynamic != (type.dims.front() == 0))
            throw SourceError(
                name.at, dynamic ? "extern __shared__ arrays have no size: 'extern __shared__ float s[];'"
                                 : "an array needs a size");
    } else if (type.is_array()) {
        symbol.storage = Storage::local;
        if (std::ranges::count(type.dims, 0) > 0) throw SourceError(name.at, "an array needs a size");
        if (type.elements() > 4096)
            throw SourceError(name.at, "not in the subset: arrays of a thread above 4096 elements");
    }
    if (accept("=")) {
        if (storage == Storage::shared) throw SourceError(name.at, "shared memory has no initial value");
        if (is("{")) {
            const bool array = type.is_array();
            if (!array) refuse(peek());
            take();
            while (!is("}")) {  // values that were written out are known where they are constants
                const ExprPtr value = read_assignment();
                symbol.initial.push_back(fold(unit_, *value).value_or(0));
                if (!is("}")) expect(",", "between initial values");
            }
            take();
        } else {
            declares->condition = decay(read_assignment());
            if (automatic) type = declares->condition->type;
            declares->condition = convert(std::move(declares->condition), type);
            // Never assigned again, so its value is known wherever that of the right side is.
            if (is_const && type.is_integer()) symbol.constant = fold(unit_, *declares->condition);
        }
    } else if (automatic) {
        throw SourceError(name.at, fmt::format("the type of {} is not known", in_quotes(name.text)));
    }
    symbol.type = type;
    declares->symbol = declare(std::move(symbol));
    return declares;
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
    branch->body.push_back(read_statement());
    if (accept("else")) branch->body.push_back(read_statement());
    return branch;
}

StmtPtr Parser::read_for() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    scopes_.emplace_back();
    expect("(", "after for");
    if (!accept(";")) {
        if (at_type()) {
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
    ++loops_;
    loop->body.push_back(read_statement());
    --loops_;
    scopes_.pop_back();
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
    ++loops_;
    loop->body.push_back(read_statement());
    --loops_;
    return loop;
}

StmtPtr Parser::read_do() {
    StmtPtr loop = statement(StmtKind::loop, take().at);
    loop->check_first = false;
    ++loops_;
    loop->body.push_back(read_statement());
    --loops_;
    expect("while", "after the body of do");
    loop->condition = read_condition();
    expect(";", "after do ... while");
    return loop;
}

}  // namespace warplens::typed
