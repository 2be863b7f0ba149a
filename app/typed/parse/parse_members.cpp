#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::int64_t kMostCopied = 64;

}  // namespace

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
    if (member.type.pointer) unit_.only_counted = "pointers that lie in memory";
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
        if (is("::"))
            throw SourceError(name.at,
                              fmt::format("not in the subset: a member by the name of its base; leave "
                                          "'{}::' out",
                                          name.text));
        throw SourceError(name.at, fmt::format("{} has no member {}", unit_.records[base->type.record].name,
                                               in_quotes(name.text)));
    }
    constexpr std::string_view kComponents = "xyzw";
    const std::size_t which = name.text.size() == 1 ? kComponents.find(name.text) : std::string_view::npos;
    if (base->type.lanes < 2 || base->type.pointer || base->type.is_array() ||
        which >= static_cast<std::size_t>(base->type.lanes))
        throw SourceError(name.at,
                          fmt::format("no struct with the member {} is declared in this text; paste it, too",
                                      in_quotes(name.text)));
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

const Expr& Parser::root_of(const Expr& place) {
    const Expr* root = &place;
    while (root->kind == ExprKind::index || root->kind == ExprKind::address) root = root->parts[0].get();
    return *root;
}

/// Whether it lies in a variable or an array of the thread, and not in memory.
bool Parser::is_own(const Expr& place) const {
    const Expr& root = root_of(place);
    return root.kind == ExprKind::variable && !root.type.pointer &&
           (unit_.symbols[root.symbol].storage == Storage::local ||
            unit_.symbols[root.symbol].storage == Storage::variable);
}

/// An element by a pointer that was put by, so that its place is that of here.
ExprPtr Parser::by_pointer(ExprPtr element, std::vector<ExprPtr>& before) {
    const Position at = element->at;
    Type type = element->type;
    type.pointer = true;
    ExprPtr address = node(ExprKind::address, type, at);
    address->parts.push_back(std::move(element));
    const int pointer = declare_hidden(type, "place", at);
    before.push_back(make_assignment({TokenKind::sign, "=", at}, variable(pointer, at), std::move(address)));
    return make_index(variable(pointer, at), number(0, Scalar::int32, at), at);
}

/// What a reference means from here on, whatever its index becomes.
ExprPtr Parser::bound_place(ExprPtr place, std::vector<ExprPtr>& before) {
    place = settled(std::move(place), before);
    if (place->kind != ExprKind::index || place->type.is_array() || is_own(*place)) return place;
    return by_pointer(std::move(place), before);
}

ExprPtr Parser::settled(ExprPtr place, std::vector<ExprPtr>& before) {
    while (place->kind == ExprKind::sequence) {
        before.push_back(std::move(place->parts[0]));
        ExprPtr rest = std::move(place->parts[1]);
        place = std::move(rest);
    }
    if (place->kind == ExprKind::variable) return place;
    if (place->kind == ExprKind::index) {
        bool simple = true;
        for (const Expr* at = place.get(); at->kind == ExprKind::index; at = at->parts[0].get())
            simple = simple && !touches_memory(*at->parts[1]);
        const Expr& root = root_of(*place);
        simple = simple && (root.kind == ExprKind::variable || !touches_memory(root));
        if (simple || is_own(*place)) return place;
        return by_pointer(std::move(place), before);
    }
    const Position at = place->at;
    const int value = declare_hidden(place->type, "value", at);
    before.push_back(make_assignment({TokenKind::sign, "=", at}, variable(value, at), std::move(place)));
    return variable(value, at);
}

/// The bytes that a copy of a whole record moves at once, where they are more than each of its members': a
/// struct that is aligned to 8 or 16 bytes is loaded and stored in such pieces (CUDA C++ Programming Guide,
/// "Device Memory Accesses"). Else 0.
int Parser::joined_bytes(const Type& record) const {
    const auto align_of = [&](const Type& type) {
        return type.record >= 0 && !type.pointer ? unit_.records[type.record].align : type.element_bytes();
    };
    const Record& all = unit_.records[record.record];
    int widest = 1;
    for (const Member& member : all.members)
        widest = std::max(widest, member.type.pointer ? Type::kPointerBytes : align_of(member.type));
    const int each = std::min(all.align, 16);
    return each >= 8 && each > widest ? each : 0;
}

/// The pieces of an element that is copied as a whole.
std::vector<ExprPtr> Parser::joined_pieces(const Expr& element) const {
    std::vector<ExprPtr> pieces;
    const int each = element.kind == ExprKind::index && !element.joined && !is_own(element)
                         ? joined_bytes(element.type)
                         : 0;
    for (int at = 0; each > 0 && at < element.type.record_bytes; at += each) {
        ExprPtr& piece = pieces.emplace_back(clone(element));
        piece->value += at;
        piece->type = {Scalar::uint32, each / 4};
    }
    return pieces;
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
    constexpr int kMostCopiedBytes = 1 << 13;
    if (target->type.record_bytes > kMostCopiedBytes)
        throw SourceError(
            at, fmt::format("not in the subset: copies of structs above {} bytes", kMostCopiedBytes));
    const std::vector<Member> members = unit_.records[target->type.record].members;
    std::vector<ExprPtr> loads = joined_pieces(*source), stores = joined_pieces(*target);
    source->joined = source->joined || !loads.empty();
    target->joined = target->joined || !stores.empty();
    for (ExprPtr& load : loads) before.push_back(std::move(load));
    const auto assign = [&](ExprPtr to, ExprPtr from) {
        if (to->kind == ExprKind::index) to->joined = target->joined;
        if (from->kind == ExprKind::index) from->joined = source->joined;
        before.push_back(make_assignment({TokenKind::sign, "=", at}, std::move(to), std::move(from)));
    };
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), 0);
    const auto bytes = [&](std::size_t i) { return members[i].type.bytes() * members[i].type.elements(); };
    const bool overlap = overlap_[target->type.record];
    if (overlap) std::ranges::stable_sort(order, std::greater(), bytes);
    std::vector<std::pair<std::int64_t, std::int64_t>> copied;  // where members lie upon each other: once
    for (const std::size_t i : order) {
        const std::int64_t begin = members[i].offset, end = begin + bytes(i);
        if (overlap && std::ranges::any_of(
                           copied, [&](const auto& one) { return one.first < end && begin < one.second; }))
            continue;
        copied.emplace_back(begin, end);
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
    for (ExprPtr& store : stores) {
        ExprPtr words = node(ExprKind::make_vector, store->type, at);
        before.push_back(make_assignment({TokenKind::sign, "=", at}, std::move(store), std::move(words)));
    }
    target->joined = false;
    return in_sequence(std::move(before), std::move(target));
}

/// "{a, b, {c, d}}", of which the '{' is next. Of an array of arrays, all values in order.
/// @param type  of a value; its dimensions are those of a row
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
                Type row = type;
                if (!row.dims.empty()) row.dims.erase(row.dims.begin());
                for (ExprPtr& part : read_braces(row)) parts.push_back(std::move(part));
                while (type.record < 0 && parts.size() % std::size_t(type.elements()) != 0)
                    parts.push_back(number(0, Scalar::int32, at));
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
    if (is_group(type)) {
        ExprPtr made = nothing(at);
        made->type = type;
        return made;
    }
    if (!type.is_record()) {
        if (parts.size() == 1) return convert(decay(std::move(parts[0])), type);
        if (parts.empty()) return convert(number(0, Scalar::int32, at), type);
        ExprPtr made = node(ExprKind::make_vector, type, at);
        std::vector<ExprPtr> before;
        for (ExprPtr& part : parts) {
            const bool whole = part->type.is_record() || part->type.lanes > 1;  // float4(v, 1)
            if (part->type.is_record()) {
                const ExprPtr place = settled(std::move(part), before);
                for (std::size_t i = 0; i < unit_.records[place->type.record].members.size(); ++i)
                    made->parts.push_back(member_of(clone(*place), i, at));
            } else {
                made->parts.push_back(whole ? std::move(part) : convert(std::move(part), {type.scalar}));
            }
        }
        return in_sequence(std::move(before), std::move(made));
    }
    if (parts.size() == 1 && parts[0]->type == type) return std::move(parts[0]);
    if (parts.size() == 1 && parts[0]->type.lanes > 1 && !parts[0]->type.pointer &&
        record_sources_[type.record].declared == nullptr) {  // float3 of a float4
        std::vector<ExprPtr> before;
        const ExprPtr vector = settled(std::move(parts[0]), before);
        parts.clear();
        for (const char* name : {"x", "y", "z"})
            if (int(parts.size()) <
                std::min(vector->type.lanes, int(unit_.records[type.record].members.size())))
                parts.push_back(make_member(clone(*vector), {TokenKind::name, name, at}));
        return in_sequence(std::move(before), construct(type, std::move(parts), at));
    }
    const int made = declare_hidden(type, "made", at);
    std::vector<ExprPtr> before;
    const Record record = unit_.records[type.record];
    const std::vector<const Declaration*> constructors = methods_of(type.record, record.name);
    if (!constructors.empty() && !parts.empty()) {
        const Scope given = record_sources_[type.record].given;
        before.push_back(call_function(constructors, {TokenKind::name, record.name, at}, {}, std::move(parts),
                                       std::shared_ptr<const Expr>(variable(made, at)), &given));
        return in_sequence(std::move(before), variable(made, at));
    }
    if (parts.size() > record.members.size()) {  // of an assumed struct only those are known that are used
        if (record_sources_[type.record].declared != nullptr)
            throw SourceError(at, "there are more values than members");
        parts.resize(record.members.size());
    }
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
