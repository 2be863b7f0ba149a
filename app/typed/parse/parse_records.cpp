#include "app/base/text.h"
#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kMostRecordBytes = 4096;
constexpr std::int64_t kMostCopied = 64;

int aligned(int at, int to) { return (at + to - 1) / to * to; }

}  // namespace

/// "<float, 4>", of which the '<' is next.
TemplateArguments Parser::read_template_arguments() {
    TemplateArguments arguments;
    const std::size_t close = closing_angle(tokens_, now_.at);
    take();
    if (now_.at < close) arguments.push_back(now_.at);
    int open = 0;
    while (now_.at < close) {
        const Token token = take();
        if (token.text == "(" || token.text == "<" || token.text == "[") ++open;
        if (token.text == ")" || token.text == ">" || token.text == "]") --open;
        if (open == 0 && token.text == ",") arguments.push_back(now_.at);
    }
    accept_closing_angle();
    return arguments;
}

/// A number that a template parameter may well be, by what it is called.
std::int64_t Parser::assumed_number(std::string_view name, bool truth) const {
    if (truth) return 1;
    constexpr int kOthers[] = {32, 16, 8, 64};
    if (given_.guess > 0) return kOthers[(given_.guess - 1) % 4];

    bool uses_y = false;
    for (std::size_t i = kernel_ == nullptr ? 0 : kernel_->body; kernel_ != nullptr && i + 2 < kernel_->end;
         ++i)
        uses_y = uses_y || (tokens_[i].text == "threadIdx" && tokens_[i + 2].text == "y");
    const std::string lower = lower_case(std::string(name));
    const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
    if (has("warp") && has("size")) return kWarpLanes;
    // As products of matrices in blocks and tiles name them.
    const bool of_k = lower.ends_with("k"), of_tile = lower.ends_with("m") || lower.ends_with("n");
    if (lower.size() <= 3 && lower.starts_with("b") && (of_k || of_tile)) return of_k ? 8 : 64;
    if (lower.size() <= 3 && lower.starts_with("t") && of_tile) return 8;
    if (has("block_size_") && (of_k || of_tile)) return of_k ? 8 : 64;
    if (has("thread_size_")) return 8;
    if (lower == "_n_" || has("head")) return 64;
    if (lower == "t" || lower == "_t_" || lower == "n") return 64;

    if (has("tile") || has("dim")) return uses_y ? 16 : 32;
    if (has("block") || has("thread") || has("bs") || has("size")) return uses_y ? 16 : 256;
    if (has("warp")) return 4;
    return 4;
}

Parser::Scope Parser::bind_template(const Declaration& declaration, const TemplateArguments& given,
                                    const Scope& deduced, bool assumes) {
    Scope bound;
    if (declaration.parameters == 0) return bound;
    struct Argument {
        std::optional<Type> type;
        std::optional<std::int64_t> value;
    };
    // What was given means what it means here, and not where the template stands.
    const auto read_argument = [&](std::size_t begin) {
        const State here_at{.at = now_.at, .half_taken = now_.half_taken};
        now_.at = begin;
        now_.half_taken = 0;
        Argument argument;
        if (at_type() && !is("(", 1) && !is("{", 1))
            argument.type = read_cast_type();
        else
            argument.value = constant_of(*read_binary(9), "what a template is given");  // '>' ends it
        now_.at = here_at.at;
        now_.half_taken = here_at.half_taken;
        return argument;
    };
    std::vector<Argument> arguments;
    for (const std::size_t begin : given) {
        try {
            arguments.push_back(read_argument(begin));
        } catch (const SourceError&) {  // what a function of the host was given itself
            if (!assumes) throw;
            arguments.emplace_back();
        }
    }
    const Elsewhere there(*this);
    now_.scopes.emplace_back();
    now_.at = declaration.parameters + 1;
    std::size_t index = 0;
    while (!is(">") && !is(">>") && peek().kind != TokenKind::end) {
        const bool of_type = is("typename") || is("class");
        Type type;
        if (of_type) {
            take();
            if (accept("...")) throw SourceError(peek().at, "not in the subset: templates of any length");
        } else {
            type = read_type();
        }
        const Token name = take();
        if (name.kind != TokenKind::name) {  // without a name: something that is only checked
            while (!is(",") && !is(">") && peek().kind != TokenKind::end) take();
            if (!accept(",")) break;
            ++index;
            continue;
        }
        const std::string key(name.text);
        const auto known = given_.values.find(name.text);
        Scope& own = now_.scopes.back();
        const bool written = index < arguments.size();
        std::optional<Type> as_type;
        std::optional<std::int64_t> as_value;
        if (written) {
            as_type = arguments[index].type;
            as_value = arguments[index].value;
        }
        if (const auto found = deduced.types.find(key); !as_type && found != deduced.types.end())
            as_type = found->second;
        if (const auto found = deduced.names.find(key); !as_value && found != deduced.names.end())
            as_value = found->second;
        const bool has_default = accept("=");
        if (has_default) {
            const std::size_t begin = now_.at;
            if (of_type) {
                const Type standard = read_cast_type();
                if (!as_type) as_type = standard;
            } else {
                const ExprPtr standard = read_binary(9);  // '>' ends it
                if (!as_value) as_value = constant_of(*standard, "a template parameter");
            }
            if (now_.at == begin) refuse(peek());
        }
        if (!of_type && known != given_.values.end()) as_value = known->second;
        if (of_type) {
            if (!as_type) {
                if (!assumes)
                    throw SourceError(
                        name.at, fmt::format("which type {} is cannot be found out", in_quotes(name.text)));
                const auto said = given_.types.find(name.text);
                as_type =
                    said == given_.types.end() ? Type{Scalar::float32} : read_argument(said->second).type;
                if (!as_type) throw SourceError(name.at, fmt::format("{} has to be a type", name.text));
                if (said == given_.types.end())
                    unit_.assumed.push_back(
                        fmt::format("{} = float is assumed; say what it is with '// let {} = ...'", name.text,
                                    name.text));
            }
            own.types[key] = *as_type;
        } else {
            if (!as_value && !assumes)
                throw SourceError(
                    name.at, fmt::format("which number {} is cannot be found out", in_quotes(name.text)));
            if (!as_value) {
                as_value = assumed_number(name.text, type.scalar == Scalar::boolean);
                unit_.assumed_numbers.emplace_back(name.text, *as_value);
            }
            Symbol symbol{
                .name = key, .type = type.scalar == Scalar::none ? Type{Scalar::int32} : type, .at = name.at};
            symbol.constant = wrap(*as_value, symbol.type.scalar);
            declare(std::move(symbol));
        }
        ++index;
        if (!accept(",")) break;
    }
    bound = std::move(now_.scopes.back());
    now_.scopes.pop_back();
    return bound;
}

Type Parser::type_of_record(int record) const {
    Type type;
    type.record = record;
    type.record_bytes = unit_.records[record].bytes;
    return type;
}

Type Parser::builtin_record(std::string_view name, Scalar scalar, int members, int align) {
    const auto known = record_of_.find(name);
    if (known != record_of_.end()) return type_of_record(known->second);
    Record record{.name = std::string(name), .align = align};
    for (int i = 0; i < members; ++i)
        place_member(record, i < 4 ? std::string(1, "xyzw"[i]) : fmt::format("word{}", i), {scalar});
    record.bytes = aligned(record.bytes, record.align);
    const int index = int(unit_.records.size());
    unit_.records.push_back(std::move(record));
    record_sources_.emplace_back();
    record_of_[std::string(name)] = index;
    return type_of_record(index);
}

void Parser::place_member(Record& record, std::string name, Type type) const {
    const int whole = type.record >= 0 && !type.pointer && !is_group(type) ? unit_.records[type.record].align
                                                                           : type.element_bytes();
    const int align = type.pointer ? 8 : std::max(1, std::min(whole, 16));
    const std::int64_t bytes = type.pointer ? 8 : std::int64_t{type.element_bytes()} * type.elements();
    record.bytes = aligned(record.bytes, align);
    record.members.push_back({std::move(name), type, record.bytes});
    if (record.bytes + bytes > kMostRecordBytes)
        throw SourceError({}, fmt::format("not in the subset: structs above {} bytes", kMostRecordBytes));
    record.bytes += int(bytes);
    record.align = std::max(record.align, align);
}

Type Parser::record_type(const Declaration& declaration, const TemplateArguments& arguments) {
    std::string key = declaration.name;
    Scope given = bind_template(declaration, arguments, {}, false);
    for (const auto& [name, type] : given.types)
        key += fmt::format(" {}:{}.{}.{}.{}", name, int(type.scalar), type.lanes, type.record, type.pointer);
    for (const auto& [name, symbol] : given.names)
        key += fmt::format(" {}={}", name, unit_.symbols[symbol].constant.value_or(0));
    if (const auto known = record_of_.find(key); known != record_of_.end())
        return type_of_record(known->second);
    constexpr std::size_t kMostRecords = 200;
    const int index = int(unit_.records.size());
    if (unit_.records.size() >= kMostRecords)
        throw SourceError(declaration.at, "not in the subset: so many structs, or one that contains itself");
    unit_.records.push_back({.name = declaration.name});
    record_sources_.push_back({&declaration, std::move(given), {}});
    record_of_[key] = index;
    only_counted("structs");
    read_members(index);
    return type_of_record(index);
}

/// Its variables; its functions are kept until they are called.
void Parser::read_members(int index) {
    const Declaration& declaration = *record_sources_[index].declared;
    const Elsewhere there(*this);
    now_.scopes.push_back(record_sources_[index].given);
    now_.scopes.emplace_back();
    Record record{.name = declaration.name};
    for (std::size_t i = declaration.begin; i < declaration.body; ++i) {
        const std::string_view word = tokens_[i].text;
        if (word != "__align__" && word != "alignas") continue;
        now_.at = i + 2;
        record.align = int(std::clamp<std::int64_t>(constant_of(*read_choice(), "an alignment"), 1, 256));
    }
    std::multimap<std::string, Declaration, std::less<>> methods;
    now_.at = declaration.body + 1;
    const std::size_t end = behind_bracket(tokens_, declaration.body) - 1;
    // Bases come first; their members are its own.
    for (std::size_t i = declaration.begin; i < declaration.body; ++i) {
        if (tokens_[i].text != ":") continue;
        for (std::size_t k = i + 1; k < declaration.body; ++k) {
            const std::string_view word = tokens_[k].text;
            if (tokens_[k].kind != TokenKind::name || word == "public" || word == "private") continue;
            const Declaration* base = declarations_.find(word, Declares::record);
            if (base == nullptr) refuse(tokens_[k]);
            const std::size_t here = now_.at;
            now_.at = k + 1;
            TemplateArguments arguments;
            if (is("<")) arguments = read_template_arguments();
            const Type type = record_type(*base, arguments);
            for (const Member& member : std::vector<Member>(unit_.records[type.record].members))
                place_member(record, member.name, member.type);
            for (const auto& [name, method] : record_sources_[type.record].methods)
                methods.emplace(name, method);
            k = now_.at;
            now_.at = here;
        }
        break;
    }
    while (now_.at < end) {
        if (accept(";")) continue;
        if ((is("public") || is("private") || is("protected")) && is(":", 1)) {
            take();
            take();
            continue;
        }
        // One member up to its end, and whether it is a function.
        std::size_t open = 0, at = now_.at, body = 0;
        Declaration method;
        if (is("template")) {
            method.parameters = at + 1;
            at = closing_angle(tokens_, at + 1) + 1;
        }
        method.begin = at;
        bool assigned = false, is_operator = false;
        for (; at < end; ++at) {
            const std::string_view text = tokens_[at].text;
            if (tokens_[at].kind == TokenKind::text) continue;
            if (text == "operator") {
                is_operator = true;
                method.name = "operator";
                method.at = tokens_[at].at;
                for (++at; at < end && (tokens_[at].text != "(" || tokens_[at + 1].text == ")") &&
                           !(tokens_[at].text == "(" && method.name != "operator");
                     ++at)
                    method.name += tokens_[at].text;
                if (method.name == "operator(" || method.name == "operator()") method.name = "operator()";
                if (tokens_[at].text != "(") --at;
                --at;
                continue;
            }
            if (text == "__align__" || text == "alignas" || text == "__attribute__") {
                at = behind_bracket(tokens_, at + 1) - 1;
                continue;
            }
            if (text == "=") assigned = true;
            if (text == "(" && open == 0 && !assigned) open = at;
            if (text == "(" || text == "[") at = behind_bracket(tokens_, at) - 1;
            if (text == "{") {
                if (open != 0) body = at;
                at = behind_bracket(tokens_, at) - 1;
                if (open != 0) break;
            }
            if (text == ";") break;
        }
        const std::size_t behind = at + 1;
        if (open != 0) {
            if (!is_operator) {
                method.name = tokens_[open - 1].text;
                method.at = tokens_[open - 1].at;
            }
            method.end = behind;
            method.body = body;
            if (body != 0) methods.emplace(method.name, method);
        } else if (is("using") || is("typedef") || is("friend") || is("static_assert")) {
            const bool is_using = take().text == "using";
            if (tokens_[now_.at - 1].text == "typedef" || is_using) {
                Token name;
                Type type;
                if (is_using) {
                    name = take();
                    take();
                    type = read_cast_type();
                } else {
                    type = read_type();
                    type = read_declarator(type, name);
                }
                now_.scopes.back().types[std::string(name.text)] = type;
            }
        } else if (is("enum")) {
            read_enumeration({.end = end, .body = now_.at + (is("{", 1) ? 1u : 2u)});
        } else {
            const bool is_static = is("static");
            bool is_const = false;
            const Type type = read_type(&is_const);
            do {
                Token name;
                const Type own = read_declarator(type, name);
                if (is_static) {
                    Symbol symbol{.name = std::string(name.text), .type = own, .at = name.at};
                    if (accept("=")) symbol.constant = constant_of(*read_assignment(), "a constant");
                    declare(std::move(symbol));
                    continue;
                }
                if (is(":")) throw SourceError(name.at, "not in the subset: members of single bits");
                place_member(record, std::string(name.text), own);
                while (now_.at < behind && !is(",") && !is(";")) {
                    if (is("{") || is("("))
                        skip_brackets();
                    else
                        take();
                }
            } while (accept(","));
        }
        now_.at = behind;
    }
    record.bytes = std::max(1, aligned(record.bytes, record.align));
    unit_.records[index] = std::move(record);
    record_sources_[index].methods = std::move(methods);
    // Names that stand in it: its constants and types.
    Scope own = std::move(now_.scopes.back());
    record_sources_[index].given.names.merge(own.names);
    record_sources_[index].given.types.merge(own.types);
}

/// The same elements of one member, where a record is a variable and so its members are.
ExprPtr Parser::retargeted(ExprPtr chain, std::size_t member) const {
    if (chain->kind == ExprKind::variable)
        return variable(unit_.symbols[chain->symbol].parts.at(member), chain->at);
    chain->parts[0] = retargeted(std::move(chain->parts[0]), member);
    chain->type = chain->parts[0]->type;
    if (!chain->type.dims.empty()) chain->type.dims.erase(chain->type.dims.begin());
    return chain;
}

ExprPtr Parser::member_of(ExprPtr base, std::size_t index, Position at) {
    const Member member = unit_.records[base->type.record].members.at(index);
    if (base->kind == ExprKind::sequence) {
        base->parts[1] = member_of(std::move(base->parts[1]), index, at);
        base->type = base->parts[1]->type;
        return base;
    }
    const Expr* root = base.get();
    while (root->kind == ExprKind::index) root = root->parts[0].get();
    const bool own =
        root->kind == ExprKind::variable && !root->type.pointer && !unit_.symbols[root->symbol].parts.empty();
    if (own) return retargeted(std::move(base), index);
    if (base->kind != ExprKind::index) {
        std::vector<ExprPtr> before;
        ExprPtr place = settled(std::move(base), before);
        return in_sequence(std::move(before), member_of(std::move(place), index, at));
    }
    if (member.type.pointer)
        throw SourceError(at, "not in the subset: pointers that lie in memory; make them parameters");
    base->value += member.offset;
    base->type = member.type;
    base->at = at;
    return base;
}

ExprPtr Parser::make_member(ExprPtr base, const Token& name) {
    if (base->type.is_record() && !is_group(base->type)) {
        const std::vector<Member>& members = unit_.records[base->type.record].members;
        const auto found = std::ranges::find(members, name.text, &Member::name);
        if (found != members.end())
            return member_of(std::move(base), std::size_t(found - members.begin()), name.at);
        const Scope& given = record_sources_[base->type.record].given;
        if (const auto constant = given.names.find(name.text); constant != given.names.end())
            return variable(constant->second, name.at);
        throw SourceError(name.at, fmt::format("{} has no member {}", unit_.records[base->type.record].name,
                                               in_quotes(name.text)));
    }
    constexpr std::string_view kComponents = "xyzw";
    const std::size_t which = name.text.size() == 1 ? kComponents.find(name.text) : std::string_view::npos;
    if (base->type.lanes < 2 || base->type.pointer || base->type.is_array() ||
        which >= static_cast<std::size_t>(base->type.lanes))
        throw SourceError(name.at, fmt::format("not in the subset: the member {}", in_quotes(name.text)));
    if (base->kind == ExprKind::index) {  // only the component is loaded or stored
        base->value += static_cast<std::int64_t>(which) * bytes_of(base->type.scalar);
        base->type = {base->type.scalar};
        return base;
    }
    ExprPtr member = node(ExprKind::member, {base->type.scalar}, name.at);
    member->value = static_cast<std::int64_t>(which);
    member->parts.push_back(std::move(base));
    return member;
}

ExprPtr Parser::in_sequence(std::vector<ExprPtr> before, ExprPtr last) const {
    for (auto one = before.rbegin(); one != before.rend(); ++one) {
        ExprPtr both = node(ExprKind::sequence, last->type, last->at);
        both->parts.push_back(std::move(*one));
        both->parts.push_back(std::move(last));
        last = std::move(both);
    }
    return last;
}

ExprPtr Parser::settled(ExprPtr place, std::vector<ExprPtr>& before) {
    while (place->kind == ExprKind::sequence) {
        before.push_back(std::move(place->parts[0]));
        ExprPtr rest = std::move(place->parts[1]);
        place = std::move(rest);
    }
    if (place->kind == ExprKind::variable) return place;
    const Position at = place->at;
    if (place->kind == ExprKind::index) {
        bool simple = true;
        const Expr* root = place.get();
        for (; root->kind == ExprKind::index; root = root->parts[0].get())
            simple = simple && !touches_memory(*root->parts[1]);
        simple = simple && (root->kind == ExprKind::variable || !touches_memory(*root));
        const bool own = root->kind == ExprKind::variable && !root->type.pointer &&
                         (unit_.symbols[root->symbol].storage == Storage::local ||
                          unit_.symbols[root->symbol].storage == Storage::variable);
        if (simple || own) return place;
        Type type = place->type;
        type.pointer = true;
        ExprPtr address = node(ExprKind::address, type, at);
        address->parts.push_back(std::move(place));
        const int pointer = declare_hidden(type, "place", at);
        before.push_back(
            make_assignment({TokenKind::sign, "=", at}, variable(pointer, at), std::move(address)));
        return make_index(variable(pointer, at), number(0, Scalar::int32, at), at);
    }
    const int value = declare_hidden(place->type, "value", at);
    before.push_back(make_assignment({TokenKind::sign, "=", at}, variable(value, at), std::move(place)));
    return variable(value, at);
}

ExprPtr Parser::assign_record(ExprPtr target, ExprPtr source, Position at) {
    if (is_group(target->type)) return nothing(at);
    std::vector<ExprPtr> before;
    if (source->kind == ExprKind::choice) {  // member by member
        const int value = declare_hidden(source->type, "value", at);
        std::vector<ExprPtr> all;
        const ExprPtr yes = settled(std::move(source->parts[1]), before),
                      no = settled(std::move(source->parts[2]), before);
        const std::size_t members = unit_.records[target->type.record].members.size();
        for (std::size_t i = 0; i < members; ++i) {
            ExprPtr a = member_of(clone(*yes), i, at), b = member_of(clone(*no), i, at);
            ExprPtr choice = node(ExprKind::choice, a->type, at);
            choice->parts.push_back(clone(*source->parts[0]));
            choice->parts.push_back(std::move(a));
            choice->parts.push_back(std::move(b));
            before.push_back(make_assignment({TokenKind::sign, "=", at},
                                             member_of(variable(value, at), i, at), std::move(choice)));
        }
        source = variable(value, at);
    }
    source = settled(std::move(source), before);
    target = settled(std::move(target), before);
    const std::vector<Member> members = unit_.records[target->type.record].members;
    const auto assign = [&](ExprPtr to, ExprPtr from) {
        before.push_back(make_assignment({TokenKind::sign, "=", at}, std::move(to), std::move(from)));
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        ExprPtr to = member_of(clone(*target), i, at), from = member_of(clone(*source), i, at);
        if (!to->type.is_array()) {
            assign(std::move(to), std::move(from));
            continue;
        }
        if (to->type.elements() > kMostCopied || to->type.dims.size() > 1)
            throw SourceError(at, "not in the subset: copies of structs with large arrays");
        for (int k = 0; k < to->type.dims[0]; ++k)
            assign(make_index(clone(*to), number(k, Scalar::int32, at), at),
                   make_index(clone(*from), number(k, Scalar::int32, at), at));
    }
    return in_sequence(std::move(before), std::move(target));
}

/// "{a, b, {c, d}}", of which the '{' is next. Of an array of arrays, all values in order.
std::vector<ExprPtr> Parser::read_braces(const Type& type) {
    std::vector<ExprPtr> parts;
    expect("{", "before values");
    while (!is("}")) {
        if (is("{")) {
            const Position at = peek().at;
            if (type.is_record()) {
                const std::size_t index = parts.size();
                const std::vector<Member>& members = unit_.records[type.record].members;
                if (index >= members.size()) refuse(peek());
                const Type member = members[index].type;
                if (!member.is_record()) refuse(peek());
                parts.push_back(construct(member, read_braces(member), at));
            } else {
                for (ExprPtr& part : read_braces(type)) parts.push_back(std::move(part));
            }
        } else {
            if (is(".") && is("=", 2)) {  // .x = 1
                take();
                take();
                take();
            }
            parts.push_back(read_assignment());
        }
        if (!is("}")) expect(",", "between values");
    }
    take();
    return parts;
}

ExprPtr Parser::construct(const Type& type, std::vector<ExprPtr> parts, Position at) {
    if (is_group(type)) return nothing(at);
    if (!type.is_record()) {
        if (parts.size() == 1) return convert(decay(std::move(parts[0])), type);
        if (parts.empty()) return convert(number(0, Scalar::int32, at), type);
        ExprPtr made = node(ExprKind::make_vector, type, at);
        for (ExprPtr& part : parts) made->parts.push_back(convert(std::move(part), {type.scalar}));
        return made;
    }
    if (parts.size() == 1 && parts[0]->type == type) return std::move(parts[0]);
    const int made = declare_hidden(type, "made", at);
    std::vector<ExprPtr> before;
    const Record record = unit_.records[type.record];
    const auto [begin, end] = record_sources_[type.record].methods.equal_range(record.name);
    std::vector<const Declaration*> constructors;
    for (auto one = begin; one != end; ++one) constructors.push_back(&one->second);
    if (!constructors.empty() && !parts.empty()) {
        const Scope given = record_sources_[type.record].given;
        before.push_back(call_function(constructors, {TokenKind::name, record.name, at}, {}, std::move(parts),
                                       std::shared_ptr<const Expr>(variable(made, at)), &given));
        return in_sequence(std::move(before), variable(made, at));
    }
    if (parts.size() > record.members.size()) throw SourceError(at, "there are more values than members");
    const bool is_dim3 = record.name == "dim3";
    for (std::size_t i = 0; i < record.members.size(); ++i) {
        if (i >= parts.size() && record.members[i].type.is_array()) continue;
        ExprPtr member = member_of(variable(made, at), i, at);
        if (i >= parts.size() && !member->type.is_single()) continue;
        ExprPtr value =
            i < parts.size() ? decay(std::move(parts[i])) : number(is_dim3 ? 1 : 0, Scalar::int32, at);
        const Type to = member->type;
        if (!to.is_record()) value = convert(std::move(value), to);
        before.push_back(make_assignment({TokenKind::sign, "=", at}, std::move(member), std::move(value)));
    }
    return in_sequence(std::move(before), variable(made, at));
}

}  // namespace warplens::typed
