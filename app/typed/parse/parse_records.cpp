#include "app/base/text.h"
#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::int64_t kMostRecordBytes = 1 << 30;

int aligned(int at, int to) { return (at + to - 1) / to * to; }

}  // namespace

std::vector<const Declaration*> Parser::methods_of(int record, std::string_view name) const {
    std::vector<const Declaration*> found;
    const auto [begin, end] = record_sources_[record].methods.equal_range(name);
    for (auto one = begin; one != end; ++one) found.push_back(&one->second);
    return found;
}

Type Parser::type_of_record(int record) const {
    Type type;
    type.record = record;
    type.record_bytes = unit_.records[record].bytes;
    return type;
}

std::string Parser::text_of(const Type& type) const {
    constexpr std::string_view kNames[] = {
        "void",           "bool",  "char",     "unsigned char", "short",
        "unsigned short", "int",   "unsigned", "long long",     "unsigned long long",
        "__half",         "float", "double"};
    constexpr std::string_view kVectors[] = {"",       "",      "char",  "uchar",    "short",
                                             "ushort", "int",   "uint",  "longlong", "ulonglong",
                                             "__half", "float", "double"};
    const std::string base = type.record >= 0 && !is_group(type) ? unit_.records[type.record].name
                             : type.lanes > 1 ? fmt::format("{}{}", kVectors[int(type.scalar)], type.lanes)
                                              : std::string(kNames[int(type.scalar)]);
    return base + (type.pointer ? "*" : "");
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
        key += fmt::format(" {}:{}.{}.{}.{}{}", name, int(type.scalar), type.lanes, type.record, type.pointer,
                           type.rows ? "*" : "");
    for (const auto& [name, symbol] : given.names)
        key += fmt::format(" {}={}", name, unit_.symbols[symbol].constant.value_or(0));
    if (const auto known = record_of_.find(key); known != record_of_.end())
        return type_of_record(known->second);
    constexpr std::size_t kMostRecords = 200;
    const int index = int(unit_.records.size());
    if (unit_.records.size() >= kMostRecords)
        throw SourceError(declaration.at, "not in the subset: so many structs, or one that contains itself");
    const Declaration* special = specialized(declaration, given);
    const Declaration& read = special == nullptr ? declaration : *special;
    unit_.records.push_back({.name = declaration.name});
    record_sources_.push_back({&read, std::move(given), {}});
    record_of_[key] = index;
    use(read);
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
    bool is_union = false;
    int longest = 0;  // of a union, whose members lie upon each other
    for (std::size_t i = declaration.begin; i < declaration.body; ++i) {
        const std::string_view word = tokens_[i].text;
        is_union = is_union || word == "union";
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
            use(*base);
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
            // A table of functions, and places that do not follow from the types.
            if (text == "virtual" || text == "__align__" || text == "alignas") refuse(tokens_[at]);
            if (text == "__attribute__") {
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
            if (is(";") && type.is_record() && !is_group(type)) {  // struct { float x, y; };
                const int align = unit_.records[type.record].align;
                const int begin = is_union ? 0 : aligned(record.bytes, align);
                for (Member member : std::vector<Member>(unit_.records[type.record].members)) {
                    member.offset += begin;
                    record.members.push_back(std::move(member));
                }
                record.bytes = begin + unit_.records[type.record].bytes;
                record.align = std::max(record.align, align);
                longest = std::max(longest, record.bytes);
                overlap_.insert_or_assign(index, is_union || overlap_[index] || overlap_[type.record]);
                now_.at = behind;
                continue;
            }
            do {
                Token name;
                const Type own = read_declarator(type, name);
                if (is_static) {
                    Symbol symbol{.name = std::string(name.text), .type = own, .at = name.at};
                    if (accept("=")) symbol.constant = constant_of(*read_assignment(), "a constant");
                    declare(std::move(symbol));
                    continue;
                }
                if (is(":"))
                    throw SourceError(name.at,
                                      "not in the subset: members of single bits; shift and mask an integer");
                if (is_union) record.bytes = 0;
                place_member(record, std::string(name.text), own);
                longest = std::max(longest, record.bytes);
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
    if (is_union) overlap_[index] = true;
    record.bytes = std::max(1, aligned(is_union ? longest : record.bytes, record.align));
    for (Member& member : record.members)  // pointers to others like it
        if (member.type.record == index) member.type.record_bytes = record.bytes;
    unit_.records[index] = std::move(record);
    record_sources_[index].methods = std::move(methods);
    // Names that stand in it: its constants and types.
    Scope own = std::move(now_.scopes.back());
    record_sources_[index].given.names.merge(own.names);
    record_sources_[index].given.types.merge(own.types);
}

}  // namespace warplens::typed
