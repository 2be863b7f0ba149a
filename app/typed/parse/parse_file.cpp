#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

int Parser::find(std::string_view name) {
    const auto known = [&] {
        for (auto scope = now_.scopes.rbegin(); scope != now_.scopes.rend(); ++scope)
            if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
        return -1;
    };
    if (const int found = known(); found >= 0) return found;
    if (const Declaration* constant = declarations_.find(name, Declares::constant)) {
        read_file_constant(*constant);
        return known();
    }
    if (enumerations_read_) return -1;
    enumerations_read_ = true;
    for (const Declaration& one : declarations_.all)
        if (one.what == Declares::enumeration) read_enumeration(one);
    return known();
}

int Parser::declare(Symbol symbol) {
    if (now_.scopes.size() > 1 && now_.scopes.back().names.contains(symbol.name))
        throw SourceError(symbol.at, fmt::format("{} is declared twice", in_quotes(symbol.name)));
    const int index = int(unit_.symbols.size());
    now_.scopes.back().names[symbol.name] = index;
    const bool parts = symbol.type.record >= 0 && !symbol.type.pointer && !is_group(symbol.type) &&
                       !symbol.means &&
                       (symbol.storage == Storage::variable || symbol.storage == Storage::local);
    constexpr int kMostOwnBytes = 4096;
    if (parts && unit_.records[symbol.type.record].bytes > kMostOwnBytes)
        throw SourceError(
            symbol.at, fmt::format("not in the subset: structs of a thread above {} bytes", kMostOwnBytes));
    if (parts) symbol.storage = Storage::variable;
    unit_.symbols.push_back(std::move(symbol));
    if (parts) declare_parts(index);
    return index;
}

/// A variable that no name of the text means.
int Parser::declare_hidden(const Type& type, std::string_view name, Position at) {
    Symbol symbol{.name = fmt::format("{}${}", name, hidden_++), .type = type, .at = at};
    if (type.is_array()) symbol.storage = Storage::local;
    return declare(std::move(symbol));
}

void Parser::declare_parts(int symbol) {
    const Type whole = unit_.symbols[symbol].type;
    std::vector<int> parts;
    for (const Member& member : std::vector<Member>(unit_.records[whole.record].members)) {
        Symbol part{.name = fmt::format("{}.{}", unit_.symbols[symbol].name, member.name),
                    .type = member.type,
                    .at = unit_.symbols[symbol].at};
        part.in_union = overlap_[whole.record] || unit_.symbols[symbol].in_union;
        part.type.dims.insert(part.type.dims.begin(), whole.dims.begin(), whole.dims.end());
        if (part.type.is_array()) part.storage = Storage::local;
        const int index = int(unit_.symbols.size());
        const bool record = part.type.record >= 0 && !part.type.pointer;
        if (record) part.storage = Storage::variable;
        unit_.symbols.push_back(std::move(part));
        parts.push_back(index);
        if (record) declare_parts(index);
    }
    unit_.symbols[symbol].parts = std::move(parts);
}

std::int64_t Parser::constant_of(const Expr& expr, std::string_view what) const {
    const auto value = fold(unit_, expr);
    const bool divides = expr.kind == ExprKind::binary && (expr.sign == "/" || expr.sign == "%");
    if (!value && divides && fold(unit_, *expr.parts[1]) == 0)
        throw SourceError(expr.at, "this divides by 0");
    if (!value)
        throw SourceError(expr.at,
                          fmt::format("{} has to be a constant: a number, constexpr, #define, template "
                                      "parameter or '// knob'",
                                      what));
    return *value;
}

/// "using T = float;", "typedef float T;". @return  whether it names a type
bool Parser::read_alias(const Declaration& declaration) {
    if (!aliases_read_.insert(&declaration).second) return false;  // it failed, or names itself
    Type type;
    {
        const Elsewhere there(*this);
        now_.at = declaration.begin;
        use(declaration);
        const bool is_using = take().text == "using";
        if (is_using) now_.at += 2;
        try {
            type = is_using ? read_cast_type() : read_type();
            if (!is_using) {
                Token name;
                type = read_declarator(type, name);
            }
        } catch (const SourceError&) {
            return false;
        }
    }
    now_.scopes.front().types[declaration.name] = type;
    return true;
}

/// "enum Name { a, b = 4, c };"
void Parser::read_enumeration(const Declaration& declaration) {
    use(declaration);
    const Elsewhere there(*this);
    now_.at = declaration.body + 1;
    std::int64_t next = 0;
    while (peek().kind == TokenKind::name && now_.at < declaration.end) {
        const Token name = take();
        if (accept("=")) next = constant_of(*read_choice(), "a value of an enum");
        Symbol symbol{.name = std::string(name.text), .type = {Scalar::int32}, .at = name.at};
        symbol.constant = next++;
        declare(std::move(symbol));
        if (!accept(",")) break;
    }
}

/// "constexpr int N = 4;", "__constant__ float weights[64];", "__device__ int count;", "__shared__ bool
/// last;"
void Parser::read_file_constant(const Declaration& declaration) {
    use(declaration);
    const Elsewhere there(*this);
    now_.at = declaration.begin;
    if (is("__shared__") || is("__shared__", 1)) {  // of all functions in which it is named
        read_declaration();
        return;
    }
    bool in_constant = false, in_global = false, is_const = false;
    while (is("__constant__") || is("__device__") || is("static") || is("__managed__") || is("extern")) {
        const std::string_view word = take().text;
        in_constant = in_constant || word == "__constant__";
        in_global = in_global || word == "__device__" || word == "__managed__";
    }
    const Type type = read_type(&is_const);
    while (is("__constant__") || is("__device__")) {
        const std::string_view word = take().text;
        in_constant = in_constant || word == "__constant__";
        in_global = in_global || word == "__device__";
    }
    if (in_constant) in_global = false;
    do {
        Token name;
        Symbol symbol;
        symbol.type = read_declarator(type, name);
        symbol.name = name.text;
        symbol.at = name.at;
        symbol.is_const = is_const || in_constant;
        if (now_.scopes.front().names.contains(symbol.name)) return;
        if (in_constant || in_global) {
            if (symbol.type.pointer) refuse(name);
            symbol.storage = in_constant ? Storage::constant : Storage::global;
            symbol.is_scalar = symbol.type.dims.empty();
            if (symbol.is_scalar) symbol.type.dims = {1};
            if (is("=")) take();
            if (is("{") || is("(")) skip_brackets();
            while (!is(",") && !is(";") && peek().kind != TokenKind::end) take();
            if (in_constant && symbol.type.elements() * symbol.type.element_bytes() > 65'536)
                throw SourceError(name.at, "constant memory has 64 KiB");
            declare(std::move(symbol));
            continue;
        }
        const auto given = given_.values.find(name.text);
        if (symbol.type.is_array()) {  // a table that the compiler knows
            symbol.storage = Storage::local;
            symbol.is_const = true;
            if (!accept("=") && !is("{")) refuse(name);
            const std::vector<int> row(symbol.type.dims.begin() + 1, symbol.type.dims.end());
            for (const ExprPtr& value : read_braces({symbol.type.scalar, symbol.type.lanes, false, row}))
                symbol.initial.push_back(fold(unit_, *value).value_or(0));
            if (symbol.type.dims.front() == 0) symbol.type.dims.front() = int(symbol.initial.size());
            declare(std::move(symbol));
            continue;
        }
        if (symbol.type.pointer || symbol.type.record >= 0) refuse(name);
        ExprPtr value;
        if (accept("=")) {
            value = read_assignment();
        } else if (accept("{")) {
            value = read_assignment();
            expect("}", "after a value");
        }
        if (value && symbol.type.scalar == Scalar::none) symbol.type = value->type;  // auto
        if (given != given_.values.end())
            symbol.constant = wrap(given->second, symbol.type.scalar);
        else if (value && symbol.type.is_integer())
            symbol.constant = wrap(constant_of(*value, "a constant"), symbol.type.scalar);
        declare(std::move(symbol));
    } while (accept(","));
}

std::int64_t Parser::read_number() { return constant_of(*read_sequence(), "this"); }

std::int64_t evaluate(Source& source, const Unit& unit, std::vector<Token> tokens, const Values& values) {
    const Declarations none;
    Given given{.values = values};
    for (const Symbol& symbol : unit.symbols)
        if (symbol.constant) given.values.emplace(symbol.name, *symbol.constant);
    const Token end = tokens.back();
    tokens.pop_back();
    tokens = expanded(source, tokens);
    tokens.push_back(end);
    Parser parser(tokens, none, given);
    parser.in_comment_ = true;
    const std::int64_t value = parser.read_number();
    if (parser.peek().kind != TokenKind::end) parser.refuse(parser.peek());
    return value;
}

}  // namespace warplens::typed
