#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace warplens::typed {
namespace {

struct TypeName {
    std::string_view name;
    Scalar scalar;
};
constexpr TypeName kTypeNames[] = {{"void", Scalar::none},
                                   {"bool", Scalar::boolean},
                                   {"char", Scalar::int8},
                                   {"int8_t", Scalar::int8},
                                   {"uint8_t", Scalar::uint8},
                                   {"int16_t", Scalar::int16},
                                   {"uint16_t", Scalar::uint16},
                                   {"int32_t", Scalar::int32},
                                   {"uint32_t", Scalar::uint32},
                                   {"int64_t", Scalar::int64},
                                   {"uint64_t", Scalar::uint64},
                                   {"size_t", Scalar::uint64},
                                   {"float", Scalar::float32},
                                   {"double", Scalar::float64},
                                   {"uint", Scalar::uint32},
                                   {"uchar", Scalar::uint8},
                                   {"ushort", Scalar::uint16},
                                   {"ulong", Scalar::uint64},
                                   {"ptrdiff_t", Scalar::int64},
                                   {"ssize_t", Scalar::int64},
                                   {"intptr_t", Scalar::int64},
                                   {"uintptr_t", Scalar::uint64},
                                   {"clock_t", Scalar::int64},
                                   {"cudaTextureObject_t", Scalar::uint64},
                                   {"half", Scalar::float16},
                                   {"__half", Scalar::float16},
                                   {"float1", Scalar::float32},
                                   {"int1", Scalar::int32},
                                   {"uint1", Scalar::uint32},
                                   {"nv_bfloat16", Scalar::float16},
                                   {"__nv_bfloat16", Scalar::float16},
                                   {"cudaSurfaceObject_t", Scalar::uint64},
                                   {"CUtexObject", Scalar::uint64},
                                   {"CUsurfObject", Scalar::uint64},
                                   {"cudaStream_t", Scalar::uint64},
                                   {"cudaEvent_t", Scalar::uint64},
                                   {"cudaError_t", Scalar::int32}};

/// Vectors that CUDA names by another word, and their lanes.
struct VectorName {
    std::string_view name;
    Scalar scalar;
    int lanes;
};
constexpr VectorName kVectorNames[] = {
    {"half2", Scalar::float16, 2},           {"__half2", Scalar::float16, 2},
    {"nv_bfloat162", Scalar::float16, 2},    {"__nv_bfloat162", Scalar::float16, 2},
    {"cuComplex", Scalar::float32, 2},       {"cuFloatComplex", Scalar::float32, 2},
    {"cufftComplex", Scalar::float32, 2},    {"cufftReal", Scalar::float32, 1},
    {"cuDoubleComplex", Scalar::float64, 2}, {"cufftDoubleComplex", Scalar::float64, 2}};

/// "float4", "int2", "uchar4".
std::optional<Type> vector_type(std::string_view name) {
    constexpr TypeName kBases[] = {
        {"char", Scalar::int8},     {"uchar", Scalar::uint8},      {"short", Scalar::int16},
        {"ushort", Scalar::uint16}, {"int", Scalar::int32},        {"uint", Scalar::uint32},
        {"float", Scalar::float32}, {"double", Scalar::float64},   {"longlong", Scalar::int64},
        {"long", Scalar::int64},    {"ulonglong", Scalar::uint64}, {"ulong", Scalar::uint64}};
    for (const VectorName& one : kVectorNames)
        if (one.name == name) return Type{one.scalar, one.lanes};
    if (name.size() < 2) return std::nullopt;
    const char last = name.back();
    if (last != '2' && last != '4') return std::nullopt;
    for (const TypeName& base : kBases) {
        if (name.substr(0, name.size() - 1) != base.name) continue;
        const int lanes = last - '0';
        if (bytes_of(base.scalar) * lanes > 16) return std::nullopt;
        return Type{base.scalar, lanes};
    }
    return std::nullopt;
}

bool is_integer_word(std::string_view word) {
    return word == "int" || word == "long" || word == "short" || word == "char" || word == "unsigned" ||
           word == "signed";
}

bool is_qualifier(std::string_view word) {
    return word == "const" || word == "volatile" || word == "__restrict__" || word == "restrict" ||
           word == "static" || word == "constexpr" || word == "__restrict" || word == "inline" ||
           word == "__forceinline__" || word == "register" || word == "__noinline__" ||
           word == "__device__" || word == "__host__" || word == "mutable" || word == "extern" ||
           word == "typename" || word == "thread_local" || word == "__grid_constant__" ||
           word == "consteval" || word == "constinit" || word == "friend" || word == "virtual" ||
           word == "explicit" || word == "__inline__" || word == "__managed__";
}

/// float3 and the like: records of three, which no instruction loads at once.
std::optional<std::pair<Scalar, std::string_view>> vector_of_three(std::string_view name) {
    if (name == "dim3") return std::pair(Scalar::uint32, name);
    constexpr TypeName kBases[] = {{"char", Scalar::int8},     {"uchar", Scalar::uint8},
                                   {"short", Scalar::int16},   {"ushort", Scalar::uint16},
                                   {"int", Scalar::int32},     {"uint", Scalar::uint32},
                                   {"float", Scalar::float32}, {"double", Scalar::float64}};
    if (!name.ends_with('3')) return std::nullopt;
    for (const TypeName& base : kBases)
        if (name.substr(0, name.size() - 1) == base.name) return std::pair(base.scalar, name);
    return std::nullopt;
}

}  // namespace

Parser::Parser(const std::vector<Token>& tokens, const Declarations& declarations, const Given& given)
    : given_(given), tokens_(tokens), declarations_(declarations) {}

const Type* Parser::find_type(std::string_view name) {
    for (auto scope = now_.scopes.rbegin(); scope != now_.scopes.rend(); ++scope)
        if (const auto found = scope->types.find(name); found != scope->types.end()) return &found->second;
    for (const Declaration* one : declarations_.named(name)) {
        if (one->what == Declares::enumeration) {
            now_.scopes.front().types[std::string(name)] = {Scalar::int32};
            return find_type(name);
        }
        if (one->what == Declares::alias && one->parameters == 0 && read_alias(*one)) return find_type(name);
    }
    return nullptr;
}

/// Whether the name of a namespace stands here, before '::'.
bool Parser::is_namespace() {
    if (peek().kind != TokenKind::name || !is("::", 1)) return false;
    const std::string_view name = peek().text;
    return declarations_.find(name, Declares::record) == nullptr &&
           declarations_.find(name, Declares::enumeration) == nullptr &&
           declarations_.find(name, Declares::alias) == nullptr && find_type(name) == nullptr;
}

/// Types that headers name so, for one or the other kind of number.
bool is_number_type(std::string_view name) {
    constexpr std::string_view kNames[] = {"real",       "real_t",    "Real",      "floatX",   "scalar_t",
                                           "FLOAT",      "float_t",   "dtype",     "DTYPE",    "Dtype",
                                           "data_t",     "DATA_TYPE", "data_type", "datatype", "value_t",
                                           "value_type", "T",         "TYPE",      "T_ELEM",   "fp_t"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

bool Parser::at_type() {
    const Token& token = peek();
    if (token.kind != TokenKind::name) return false;
    const std::string_view word = token.text;
    if (is_integer_word(word) || is_qualifier(word) || word == "auto" || word == "struct" ||
        word == "union" || word == "decltype" || word == "enum")
        return true;
    if (at_opaque() || (word == "complex" && is("<", 1) && declarations_.named(word).empty())) return true;
    if (word == "std" || word == "cg" || word == "cooperative_groups" || word == "cuda") {
        if (!is("::", 1)) return false;
        const std::string_view next = peek(2).text;
        for (const TypeName& type : kTypeNames)
            if (type.name == next) return true;
        return next == "thread_block" || next == "thread_block_tile" || next == "grid_group" ||
               next == "coalesced_group" || next == "thread_group";
    }
    for (auto scope = now_.scopes.rbegin(); scope != now_.scopes.rend(); ++scope) {
        if (scope->names.contains(word)) return false;
        if (scope->types.contains(word)) return true;
    }
    for (const TypeName& type : kTypeNames)
        if (type.name == word) return true;
    if (vector_type(word) || vector_of_three(word) || word.starts_with("curandState")) return true;
    if (is_number_type(word) && find(word) < 0 &&
        (is("*", 1) || peek(1).kind == TokenKind::name || is(")", 1)))
        return true;

    if (word == "thread_block" || word == "thread_block_tile" || word == "grid_group" ||
        word == "coalesced_group" || word == "thread_group")
        return true;
    return std::ranges::any_of(declarations_.named(word), [](const Declaration* one) {
        return one->what == Declares::record || one->what == Declares::alias ||
               one->what == Declares::enumeration;
    });
}

/// One word for a type, with what its template is given.
bool Parser::read_named_type(Type& type) {
    const std::string_view name = peek().text;
    has_bfloat_ = has_bfloat_ || name.find("nv_bfloat16") != std::string_view::npos;
    if (const Type* known = find_type(name); known != nullptr && !assumed_types_.contains(name)) {
        type = *known;
        take();
        return true;
    }
    if (name == "complex" && is("<", 1) && declarations_.named(name).empty()) {
        take();
        take();
        type = read_cast_type();
        type.lanes = 2;
        accept_closing_angle();
        return true;
    }
    if (name == "conditional_t" && is("<", 1)) {
        take();
        take();
        ExprPtr condition = read_binary(8);  // '>' ends it
        while (is("==") || is("!=") || is("&&") || is("||")) {
            const Token sign = take();
            condition = make_binary(sign, std::move(condition), read_binary(8));
        }
        const bool first = constant_of(*condition, "a condition") != 0;
        expect(",", "after a condition");
        const Type yes = read_cast_type();
        expect(",", "between types");
        const Type no = read_cast_type();
        accept_closing_angle();
        type = first ? yes : no;
        return true;
    }
    for (const TypeName& one : kTypeNames) {
        if (one.name != name) continue;
        type.scalar = one.scalar;
        take();
        return true;
    }
    const bool own = declarations_.find(name, Declares::record) != nullptr;
    if (const auto vector = own ? std::nullopt : vector_type(name)) {
        type = *vector;
        take();
        return true;
    }
    if (const auto three = own ? std::nullopt : vector_of_three(name)) {
        type = builtin_record(three->second, three->first, 3, bytes_of(three->first));
        take();
        return true;
    }
    if (name == "thread_block" || name == "thread_block_tile" || name == "grid_group" ||
        name == "coalesced_group" || name == "thread_group") {
        take();
        type.record = kGroup;
        type.record_bytes = name == "grid_group" ? kGridGroup : kBlockGroup;
        if (name == "coalesced_group") type.record_bytes = kWarpLanes;
        if (accept("<")) {
            type.record_bytes = int(constant_of(*read_binary(9), "the size of a tile"));
            while (!is(">") && peek().kind != TokenKind::end) take();
            accept_closing_angle();
        }
        return true;
    }
    if (name.starts_with("curandState")) {
        type = builtin_record("curandState", Scalar::float64, 6, 8);
        take();
        return true;
    }
    const Declaration* record = declarations_.find(name, Declares::record);
    const Declaration* alias = declarations_.find(name, Declares::alias);
    const Declaration* found = record != nullptr ? record : alias;
    if (found == nullptr) {
        if (!is_number_type(name) && !assumed_types_.contains(name) && !is_undeclared(name)) return false;
        Token token = take();
        while (is("<") || is("::")) {  // Name<int>::type
            if (is("<")) now_.at = std::min(closing_angle(tokens_, now_.at) + 1, tokens_.size() - 1);
            if (!accept("::")) continue;
            accept("template");
            token = take();
        }
        type = assumed_type(token);
        return true;
    }
    take();
    TemplateArguments arguments;
    if (is("<") && found->parameters != 0) arguments = read_template_arguments();
    if (found == record) {
        type = record_type(*record, arguments);
        return true;
    }
    use(*alias);
    Scope bound = bind_template(*alias, arguments, {}, false);
    const Elsewhere there(*this);
    now_.scopes.push_back(std::move(bound));
    now_.at = alias->begin + 3;  // using name =
    type = read_cast_type();
    return true;
}

/// The '{' of a struct or union that is declared here; 0 if none is.
std::size_t Parser::local_record() const {
    if (!is("struct") && !is("union") && !is("class")) return 0;
    for (std::size_t at = now_.at + 1; at < now_.at + 3 && at < tokens_.size(); ++at)
        if (tokens_[at].text == "{") return at;
    return 0;
}

/// Everything before the name: "const unsigned long long", "float4", "auto" (which is nothing yet).
Type Parser::read_type(bool* is_const, bool* is_reference) {
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave{types_deep_};
    constexpr int kDeepestType = 40;
    if (++types_deep_ > kDeepestType)
        throw SourceError(peek().at, "not in the subset: a type that contains itself");
    Type type;
    bool found = false, is_unsigned = false, constant = false;
    int longs = 0;
    std::string_view word;
    while (peek().kind == TokenKind::name) {
        const std::string_view next = peek().text;
        if (is_qualifier(next)) {
            constant = constant || next == "const" || next == "constexpr";
            take();
            continue;
        }
        if (next == "__align__" || next == "alignas" || next == "__attribute__") {
            take();
            skip_brackets();
            continue;
        }
        if (at_opaque()) {
            if (found) break;
            type = read_opaque();
            found = true;
            continue;
        }
        if (is_namespace()) {
            take();
            take();
            continue;
        }
        if (next == "double" && longs == 1 && !found) {  // long double, which is a double on a GPU
            take();
            type.scalar = Scalar::float64;
            found = true;
            longs = 0;
            word = {};
            continue;
        }
        if (is_integer_word(next)) {
            if (found) break;
            is_unsigned = is_unsigned || next == "unsigned";
            longs += next == "long";
            if (next == "short" || next == "char" || (next == "int" && word.empty())) word = next;
            if (word.empty()) word = "int";
            take();
            continue;
        }
        if (found || !word.empty()) break;
        if (const std::size_t body = local_record(); body != 0) {
            Declaration& own = local_records_[now_.at];
            const std::size_t begin = now_.at;
            own = {.what = Declares::record,
                   .name = tokens_[body - 1].text == next ? fmt::format("struct${}", begin)
                                                          : std::string(tokens_[body - 1].text),
                   .begin = begin,
                   .end = behind_bracket(tokens_, body),
                   .body = body,
                   .at = peek().at};
            type = record_type(own, {});
            now_.scopes.back().types[own.name] = type;
            now_.at = own.end;
            found = true;
            continue;
        }
        if (next == "struct" || next == "class" || next == "enum" || next == "union") {
            take();
            continue;
        }
        if (next == "auto") {
            found = true;
            take();
            continue;
        }
        if (next == "decltype") {
            take();
            expect("(", "after decltype");
            type = read_sequence()->type;
            expect(")", "after decltype");
            found = true;
            continue;
        }
        if (!read_named_type(type)) break;
        if (type.record == kGroup && type.record_bytes == kOpaque && is("::"))
            read_opaque();  // ::TempStorage
        found = true;
    }
    if (!word.empty()) {
        const bool small = word == "short" || word == "char";
        type.scalar = longs > 0        ? (is_unsigned ? Scalar::uint64 : Scalar::int64)
                      : word == "char" ? (is_unsigned ? Scalar::uint8 : Scalar::int8)
                      : small          ? (is_unsigned ? Scalar::uint16 : Scalar::int16)
                                       : (is_unsigned ? Scalar::uint32 : Scalar::int32);
    } else if (!found) {
        refuse(peek());
    }
    if (type.scalar == Scalar::float64) unit_.need(13, "double");
    if (is_const != nullptr) *is_const = constant;
    if (is_reference != nullptr) *is_reference = false;
    return type;
}

/// Makes it a pointer to what it is.
void Parser::point_to(Type& type) const {
    if (type.rows) throw SourceError(peek().at, "not in the subset: pointers to pointers to pointers");
    (type.pointer ? type.rows : type.pointer) = true;
}

/// A type and the signs of its pointer or reference: "const float* __restrict__".
Type Parser::read_cast_type() {
    Type type = read_type();
    while (true) {
        if (accept("*")) {
            point_to(type);
        } else if (accept("&") || accept("&&")) {
        } else if (peek().kind == TokenKind::name && is_qualifier(peek().text)) {
            take();
        } else {
            break;
        }
    }
    if (accept("(") && !is(")")) refuse(peek());
    return type;
}

std::vector<int> Parser::read_dims() {
    std::vector<int> dims;
    while (accept("[")) {
        if (accept("]")) {
            dims.push_back(0);
            continue;
        }
        const Position at = peek().at;
        const std::int64_t size = constant_of(*read_choice(), "the size of an array");
        constexpr std::int64_t kMost = 1 << 24;
        if (size < 1 || size > kMost)
            throw SourceError(at, fmt::format("an array of {} elements cannot be", size));
        dims.push_back(int(size));
        expect("]", "after the size of the array");
    }
    if (dims.size() > 3) throw SourceError(peek().at, "not in the subset: arrays of more than 3 dimensions");
    return dims;
}

/// "* __restrict__ name[4][5]".
Type Parser::read_declarator(Type type, Token& name, bool* is_reference) {
    bool reference = false, in_parentheses = false;
    while (true) {
        if (is("*")) {
            take();
            point_to(type);
        } else if (is("&") || is("&&")) {
            take();
            reference = true;
        } else if (peek().kind == TokenKind::name && is_qualifier(peek().text)) {
            take();
        } else if (!in_parentheses && is("(") && is("&", 1)) {  // float (&name)[4]
            take();
            in_parentheses = true;
        } else {
            break;
        }
    }
    const bool to_rows =
        is("(") && is("*", 1) && peek(2).kind == TokenKind::name && is(")", 3) && is("[", 4) && !type.pointer;
    if (is("(") && !to_rows) throw SourceError(peek().at, "not in the subset: pointers to functions");
    if (to_rows) {  // float (*name)[33]
        take();
        take();
    }
    if (reference && is_reference == nullptr)
        throw SourceError(peek().at, "not in the subset: references here");
    if (is_reference != nullptr) *is_reference = reference;
    if (peek().kind != TokenKind::name)
        throw SourceError(peek().at, fmt::format("expected a name, found {}", in_quotes(peek().text)));
    name = take();
    if (in_parentheses || to_rows) expect(")", "after a name in parentheses");
    const std::vector<int> dims = read_dims();
    if (!dims.empty()) type.dims = dims;
    if (to_rows) type.dims.insert(type.dims.begin(), 0);
    if (type.pointer && type.dims == std::vector<int>{0}) {  // float* rows[]
        type.dims.clear();
        point_to(type);
    }
    if (type.pointer && type.is_array()) throw SourceError(name.at, "not in the subset: arrays of pointers");
    return type;
}

}  // namespace warplens::typed
