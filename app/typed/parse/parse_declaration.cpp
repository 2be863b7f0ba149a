#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

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
    if (accept(";")) return all;  // of a type alone
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
    std::vector<ExprPtr> values;  // of an array
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
            const std::vector<int> row(type.dims.begin() + 1, type.dims.end());
            values = read_braces({type.scalar, type.lanes, false, row, type.record, type.record_bytes});
            for (const ExprPtr& value : values) {
                const std::optional<std::int64_t> constant = fold(unit_, *value);
                symbol.initial.push_back(constant.value_or(0));
                symbol.is_const = symbol.is_const && constant;
            }
            if (type.dims.front() == 0)
                type.dims.front() =
                    std::max(1, int(symbol.initial.size() /
                                    std::max<std::size_t>(1, std::size_t(Type{.dims = row}.elements()))));
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
        const Expr* address = declares->condition.get();
        if (type.pointer && address != nullptr && address->kind == ExprKind::address &&
            is_own(*address->parts[0])) {  // float* p = &own[1][0]: a name for that
            std::vector<ExprPtr> before;
            ExprPtr place = bound_place(std::move(declares->condition->parts[0]), before);
            for (Expr* one = place.get(); one->kind == ExprKind::index; one = one->parts[0].get()) {
                if (compiler_knows(unit_, *one->parts[1])) continue;
                const int index = declare_hidden(one->parts[1]->type, "index", name.at);  // as it is now
                before.push_back(make_assignment({TokenKind::sign, "=", name.at}, variable(index, name.at),
                                                 std::move(one->parts[1])));
                one->parts[1] = variable(index, name.at);
            }
            declares->condition->parts[0] = std::move(place);
            symbol.type = type;
            symbol.means = std::shared_ptr<const Expr>(std::move(declares->condition));
            declare(std::move(symbol));
            return in_statement(std::move(before), name.at);
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
        type.dims.clear();
        symbol.storage = Storage::variable;
        symbol.is_scalar = symbol.dynamic = false;
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
        return with_values(std::move(declares), std::move(values), made.type.dims);
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

/// "int t[2] = {i, 1};": what is not constant is assigned.
StmtPtr Parser::with_values(StmtPtr declares, std::vector<ExprPtr> values, const std::vector<int>& dims) {
    StmtPtr all = statement(StmtKind::block, declares->at);
    const int symbol = declares->symbol;
    const Position at = declares->at;
    all->body.push_back(std::move(declares));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (fold(unit_, *values[i]) || values[i]->kind == ExprKind::number) continue;
        ExprPtr place = variable(symbol, at);
        std::size_t rest = i;
        for (std::size_t d = 0; d < dims.size(); ++d) {
            std::size_t below = 1;
            for (std::size_t k = d + 1; k < dims.size(); ++k) below *= std::size_t(dims[k]);
            place = make_index(std::move(place), number(std::int64_t(rest / below), Scalar::int32, at), at);
            rest %= below;
        }
        StmtPtr one = statement(StmtKind::expression, values[i]->at);
        one->condition = make_assignment({TokenKind::sign, "=", at}, std::move(place), std::move(values[i]));
        all->body.push_back(std::move(one));
    }
    return all->body.size() == 1 ? std::move(all->body.front()) : std::move(all);
}

/// "float& x = a[i];": another name for a variable, or for an element whose place is found out here.
StmtPtr Parser::declare_reference(const Token& name) {
    expect("=", "after a reference");
    std::vector<ExprPtr> before;
    ExprPtr place = bound_place(read_assignment(), before);
    Symbol symbol{.name = std::string(name.text), .type = place->type, .at = name.at};
    symbol.means = std::shared_ptr<const Expr>(std::move(place));
    declare(std::move(symbol));
    return in_statement(std::move(before), name.at);
}

/// Null if there are none.
StmtPtr Parser::in_statement(std::vector<ExprPtr> before, Position at) const {
    if (before.empty()) return nullptr;
    StmtPtr does = statement(StmtKind::expression, at);
    ExprPtr last = std::move(before.back());
    before.pop_back();
    does->condition = in_sequence(std::move(before), std::move(last));
    return does;
}

}  // namespace warplens::typed
