#include "app/base/text.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// A pasted kernel's needs of other files are assumed by their use, and said.

namespace warplens::typed {

/// All that is done with a variable, or with a member, of a struct that is not in the text.
struct MemberUse {
    std::string name;
    int indices = 0;       ///< in a row, at most
    bool pointer = false;  ///< it is copied to one, or "->" stands behind it
    std::vector<MemberUse> members = {};
};

namespace {

/// The members behind a variable: "[i].pos.x".
/// @param own  whether an index directly behind it is one of the type itself
/// @return     the last member
MemberUse* read_chain(const std::vector<Token>& tokens, std::size_t at, bool own, MemberUse& variable) {
    MemberUse* one = &variable;
    for (int indices = 0; at + 2 < tokens.size();) {
        if (tokens[at].text == "[") {
            ++indices;
            if (one != &variable || own) one->indices = std::max(one->indices, indices);
            at = behind_bracket(tokens, at);
            continue;
        }
        const bool arrow = tokens[at].text == "->";
        if ((!arrow && tokens[at].text != ".") || tokens[at + 1].kind != TokenKind::name ||
            tokens[at + 2].text == "(" || tokens[at + 2].text == "<")
            break;  // the end, or one of its functions
        one->pointer = one->pointer || (arrow && one != &variable);
        const auto known = std::ranges::find(one->members, tokens[at + 1].text, &MemberUse::name);
        const bool is_new = known == one->members.end();
        if (is_new) one->members.push_back({.name = std::string(tokens[at + 1].text)});
        one = is_new ? &one->members.back() : &*known;
        indices = 0;
        at += 2;
    }
    return one;
}

/// All that is known of how a type of another file is used.
struct TypeUse {
    MemberUse all;
    bool in_memory = false;  ///< so that its layout counts
};

/// @param is_type  else it is a variable
TypeUse find_uses(const std::vector<Token>& tokens, const Declarations& declarations, std::string_view name,
                  bool is_type) {
    TypeUse use;
    const auto is = [&](std::size_t at, std::string_view text) {
        return at < tokens.size() && tokens[at].text == text;
    };
    for (const Declaration& one : declarations.all) {
        if (one.what != Declares::function || (!one.kernel && !one.device)) continue;
        std::map<std::string_view, bool> variables;  // and whether an index is one of the type's own
        if (!is_type) variables[name] = false;
        for (std::size_t i = std::max<std::size_t>(one.begin, 1); i + 1 < one.end; ++i) {
            if (tokens[i].kind != TokenKind::name || is(i - 1, ".") || is(i - 1, "->")) continue;
            if (const auto known = variables.find(tokens[i].text); known != variables.end()) {
                MemberUse* last = read_chain(tokens, i + 1, known->second, use.all);
                const bool copied = i > 3 && is(i - 1, "=") && is(i - 3, "*");  // float* p = s.data
                last->pointer = last->pointer || (copied && last != &use.all);
                // "auto one = all[i];" has the type, too.
                const std::size_t first = i - (is(i - 1, "&") ? 1 : 0);
                const bool same = last == &use.all && first > 3 && is(first - 1, "=") &&
                                  (is(first - 3, "auto") || (is(first - 3, "&") && is(first - 4, "auto")));
                if (same) variables[tokens[first - 2].text] = false;
                continue;
            }
            if (!is_type || tokens[i].text != name) continue;
            std::size_t at = i + 1;
            if (is(at, "<")) at = closing_angle(tokens, at) + 1;
            bool pointer = false;
            for (; at < one.end; ++at) {
                const std::string_view text = tokens[at].text;
                pointer = pointer || text == "*";
                if (text != "*" && text != "&" && text != "const" && !text.starts_with("__restrict")) break;
            }
            if (at >= one.end || tokens[at].kind != TokenKind::name) continue;
            const bool array = is(at + 1, "[");
            use.in_memory = use.in_memory || pointer || array;
            variables[tokens[at].text] = !pointer && !array;
            i = at;
            while (is(i + 1, "[")) i = behind_bracket(tokens, i + 1) - 1;
        }
    }
    return use;
}

/// Whether one letter of a name is wrong, missing or too much, or two of them are exchanged.
bool is_slip(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
    while (!a.empty() && !b.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
    return (a.size() <= 1 && b.size() <= 1) ||
           (a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0]);
}

/// Whether a constant would be called so: "TILE", "kWarpSize", "threadsPerBlock".
bool is_constant_name(std::string_view name) {
    if (std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; })) return true;
    if (name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z') return true;
    const std::string lower = lower_case(name);
    constexpr std::string_view kWords[] = {"size", "block", "tile", "threads", "warps", "width", "height"};
    return std::ranges::any_of(kWords, [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

/// "vec3", "Real4": so many numbers.
int lanes_named(std::string_view lower) {
    for (const std::string_view head : {"vec", "real", "float", "double", "vector", "point", "scalar"})
        if (lower.starts_with(head) && lower.size() <= head.size() + 2 && lower.size() > head.size()) {
            const char digit = lower[head.size()];
            if (digit >= '2' && digit <= '4') return digit - '0';
        }
    return 0;
}

/// A type of a header, by what it is called; none if that says nothing.
Scalar scalar_named(std::string_view name) {
    const std::string lower = lower_case(name);
    constexpr std::pair<std::string_view, Scalar> kWords[] = {
        {"uint64", Scalar::uint64}, {"u64", Scalar::uint64},     {"size", Scalar::uint64},
        {"int64", Scalar::int64},   {"i64", Scalar::int64},      {"uint8", Scalar::uint8},
        {"u8", Scalar::uint8},      {"byte", Scalar::uint8},     {"uchar", Scalar::uint8},
        {"uint16", Scalar::uint16}, {"ushort", Scalar::uint16},  {"uint", Scalar::uint32},
        {"u32", Scalar::uint32},    {"int8", Scalar::int8},      {"int16", Scalar::int16},
        {"bool", Scalar::boolean},  {"double", Scalar::float64}, {"half", Scalar::float16},
        {"bf16", Scalar::float16},  {"index", Scalar::int32},    {"idx", Scalar::int32},
        {"i32", Scalar::int32},     {"int_", Scalar::int32},     {"int32", Scalar::int32}};
    for (const auto& [word, scalar] : kWords)
        if (lower.find(word) != std::string::npos) return scalar;
    if (lower == "int" || name.find("Int") != name.npos || name.find("INT_") != name.npos)
        return Scalar::int32;
    return lower.find("real") != std::string::npos || lower.find("float") != std::string::npos
               ? Scalar::float32
               : Scalar::none;
}

}  // namespace

/// Whether nothing is known of a name.
bool Parser::is_undeclared(std::string_view name) {
    constexpr std::string_view kKnown[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                           "warpSize",  "this",     "true",     "false",
                                           "nullptr",   "NULL",     "sizeof",   "wmma"};
    return !in_comment_ && std::ranges::find(kKnown, name) == std::end(kKnown) &&
           !given_.values.contains(name) && declarations_.named(name).empty() && find(name) < 0 &&
           find_type(name) == nullptr;
}

/// "cub::BlockReduce<float, 256>", "cuda::barrier<...>", and a union of what they need.
bool Parser::at_opaque() {
    if (is("cub") && is("::", 1)) return true;
    if (is("cuda") && is("::", 1)) {
        constexpr std::string_view kTypes[] = {
            "barrier",    "pipeline",         "pipeline_shared_state", "atomic",
            "atomic_ref", "binary_semaphore", "counting_semaphore"};
        return std::ranges::find(kTypes, peek(2).text) != std::end(kTypes);
    }
    if (!(is("union") || is("struct")) || in_comment_) return false;
    const std::size_t open = now_.at + (is("{", 1) ? 1 : 2);
    if (open >= tokens_.size() || tokens_[open].text != "{") return false;
    const std::size_t close = behind_bracket(tokens_, open);
    return std::any_of(tokens_.begin() + std::ptrdiff_t(open), tokens_.begin() + std::ptrdiff_t(close),
                       [](const Token& token) { return token.text == "TempStorage"; });
}

Type Parser::read_opaque() {
    if (is("union") || is("struct")) {
        while (!is("{")) take();
        skip_brackets();
    } else {
        if (!is("::")) take();
        while (accept("::")) {
            accept("template");
            take();
            if (is("<")) now_.at = std::min(closing_angle(tokens_, now_.at) + 1, tokens_.size() - 1);
        }
    }
    leave_out("what functions of CUDA's libraries load and store");
    unit_.only_counted = "functions of CUDA's libraries";
    Type type;
    type.record = kGroup;
    type.record_bytes = kOpaque;
    return type;
}

/// The size of each dimension of a view of several, which comes from elsewhere.
constexpr int kAccessorSize = 64;

/// Past "name", "space::name", "name<...>" from here on, if nothing here is known; else 0.
std::size_t Parser::behind_undeclared_type() {
    std::size_t at = now_.at;
    if (tokens_[at].kind != TokenKind::name || is("goto") || is("case") || is("return") || is("union") ||
        is("asm") || !is_undeclared(peek().text))
        return 0;
    while (tokens_[at + 1].text == "::" && tokens_[at + 2].kind == TokenKind::name) at += 2;
    ++at;
    if (tokens_[at].text != "<") return at;
    const std::size_t close = closing_angle(tokens_, at);
    return tokens_[close].text == ">" ? close + 1 : 0;
}

/// A struct of the members that are used, in the order of their first use, of 4 bytes each where nothing says
/// more.
Type Parser::assumed_record(const std::string& name, const MemberUse& use) {
    Type type{Scalar::int32};
    if (use.members.empty()) {
        if (use.indices > 0) type.scalar = Scalar::float32;
        if (use.indices == 0 && use.pointer) type.scalar = Scalar::none;  // to anything
        type.pointer = use.indices > 0 || use.pointer;
        type.rows = use.indices > 1;
        return type;
    }
    std::vector<MemberUse> members = use.members;
    const auto component = [](const MemberUse& member) {
        return member.name.size() == 1 ? std::string_view("xyzw").find(member.name) : std::string_view::npos;
    };
    if (std::ranges::none_of(members,
                             [&](const auto& one) { return component(one) == std::string_view::npos; }))
        std::ranges::sort(members, {}, component);
    Record record{.name = name};
    for (const MemberUse& member : members)
        place_member(record, member.name, assumed_record(name + "." + member.name, member));
    record.bytes = (record.bytes + record.align - 1) / record.align * record.align;
    const int index = int(unit_.records.size());
    unit_.records.push_back(std::move(record));
    record_sources_.emplace_back();
    type = type_of_record(index);
    type.pointer = use.indices > 0 || use.pointer;
    return type;
}

/// A type that stands in no file that is here: a number by its name, or a struct.
Type Parser::assumed_type(const Token& name) {
    const std::string key(name.text);
    if (const Type* known = find_type(key)) return *known;
    const TypeUse use = find_uses(tokens_, declarations_, key, true);
    Type type;
    const int lanes = lanes_named(lower_case(key));
    if (lanes > 0) {
        type = lanes == 3 ? builtin_record(key, Scalar::float32, 3, 4) : Type{Scalar::float32, lanes};
        assume(fmt::format("{} is not in this text: {} floats are assumed", in_quotes(key), lanes));
    } else if (use.all.members.empty()) {
        const Scalar named = scalar_named(key);
        type = {named == Scalar::none ? Scalar::float32 : named};
        type.pointer = use.all.indices == 1;
        type.dims.assign(use.all.indices > 1 ? std::size_t(use.all.indices) : 0, kAccessorSize);
        if (type.is_array()) {
            assume(fmt::format("{} is not in this text: an array of float is assumed, each dimension of {}",
                               in_quotes(key), kAccessorSize));
            unit_.leaves_out = true;
        } else if (type.pointer)
            assume(fmt::format("{} is not in this text: a pointer to float is assumed", in_quotes(key)));
        else {
            assume(fmt::format("{} = {} is assumed; say what it is with 'using {} = ...;'", key,
                               text_of(type), key));
            // How wide its elements are is a guess, unless its name says that it is a number.
            unit_.leaves_out =
                unit_.leaves_out || (use.in_memory && named == Scalar::none && !is_number_type(key));
        }
    } else {
        type = assumed_record(key, use.all);
        assume_members(key, type, use.in_memory);
    }
    now_.scopes.front().types[key] = type;
    assumed_types_.insert(key);
    return type;
}

void Parser::assume_members(std::string_view name, const Type& type, bool in_memory) {
    std::string names;
    for (const Member& member : unit_.records[type.record].members)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", member.name);
    assume(fmt::format(
        "{} is not in this text: a struct of {} is assumed{}", in_quotes(name), names,
        in_memory ? ", one behind the other in this order, 4 bytes each; paste it, and its addresses "
                    "are exact"
                  : ""));
    unit_.only_counted = "structs of other files";
    unit_.leaves_out = unit_.leaves_out || in_memory;
}

void Parser::assume(std::string sentence) {
    if (std::ranges::find(unit_.assumed, sentence) == unit_.assumed.end())
        unit_.assumed.push_back(std::move(sentence));
}

/// What a name that nothing declares stands for: an array, where it is indexed or its address is taken, else
/// a number that a person may change. Null where it is rather mistyped, or where a macro may have declared
/// it.
ExprPtr Parser::assumed_name(const Token& name) {
    if (in_comment_ || name.text.starts_with("cuda") || (!macro_.empty() && !is_constant_name(name.text)))
        return nullptr;
    const bool element = is("["), place = tokens_[now_.at - 2].text == "&" && (is(",") || is(")"));
    std::vector<std::string_view> names{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (std::size_t i = 1; i < now_.scopes.size(); ++i)
        for (const auto& [one, symbol] : now_.scopes[i].names) names.push_back(one);
    const bool mistyped = std::ranges::any_of(
        names, [&](std::string_view one) { return name.text.size() > 1 && is_slip(name.text, one); });
    if (!is_constant_name(name.text) && mistyped) return nullptr;
    Symbol symbol{.name = std::string(name.text), .type = {Scalar::int32}, .at = name.at};
    const TypeUse use = find_uses(tokens_, declarations_, name.text, false);
    const std::string missing = fmt::format("{} is not in this text: ", in_quotes(name.text));
    if (!use.all.members.empty()) {
        symbol.type = assumed_record(std::string(name.text), use.all);
        symbol.type.pointer = symbol.type.rows = false;
        symbol.type.dims = {element || is("->") ? 0 : 1};
        symbol.is_scalar = is(".");
        symbol.storage = Storage::global;
        assume_members(name.text, symbol.type, true);
    } else if (element || place) {
        std::vector<int> dims(1, place ? 1 : 0);
        std::size_t behind = element ? behind_bracket(tokens_, now_.at) : now_.at;
        for (; dims.size() < 3 && tokens_[behind].text == "["; behind = behind_bracket(tokens_, behind))
            dims.push_back(16);
        assume(missing + (place             ? "an int in global memory is assumed"
                          : dims.size() > 1 ? "an array of float with rows of 16 in global memory is assumed"
                                            : "an array of float in global memory is assumed"));
        unit_.only_counted = "arrays of other files";
        unit_.leaves_out = unit_.leaves_out || element;  // how wide its elements are is a guess
        symbol.type = {place ? Scalar::int32 : Scalar::float32, 1, false, dims};
        symbol.storage = Storage::global;
        symbol.is_scalar = place;
    } else {
        // A name that is assigned to is no constant, and what alone is an index is hardly one.
        const bool assigned =
            is("=") || is("++") || is("--") || (peek().text.ends_with('=') && !is_comparison(peek().text));
        const bool alone = tokens_[now_.at - 2].text == "[" && is("]");
        const bool constant = is_constant_name(name.text);
        if (is(".") || is("->") || is("(") || is("{") || assigned || (alone && !constant)) return nullptr;
        symbol.constant = assumed_number(name.text, false);
        unit_.assumed_numbers.emplace_back(name.text, *symbol.constant);
    }
    const int index = int(unit_.symbols.size());
    now_.scopes.front().names[symbol.name] = index;
    unit_.symbols.push_back(std::move(symbol));
    return variable(index, name.at);
}

}  // namespace warplens::typed
