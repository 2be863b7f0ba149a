#include "app/typed/cuda_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace warplens::typed {
namespace {

/// Names of other headers, which NVRTC does not have.
constexpr std::string_view kNames = R"(
#define printf(...) 0
#define assert(...) ((void)0)
namespace user {
using int8_t = signed char; using uint8_t = unsigned char; using int16_t = short; using uint16_t = unsigned short;
using int32_t = int; using uint32_t = unsigned; using int64_t = long long; using uint64_t = unsigned long long;
using uint = unsigned; using uchar = unsigned char; using ushort = unsigned short; using ulong = unsigned long;
}
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VALF INFINITY
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#ifndef INT_MAX
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define CHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define LONG_MAX 9223372036854775807ll
#define LLONG_MAX 9223372036854775807ll
#endif
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define SIZE_MAX 18446744073709551615ull
#define RAND_MAX 2147483647
#ifndef CHAR_BIT
#define CHAR_BIT 8
#endif
#ifndef NULL
#define NULL 0
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#endif
)";

/// How an access is made so that no compiler can merge it with another one or drop it.
constexpr std::string_view kAccesses = R"(
template <int words> struct warplens_words { unsigned at[words]; };
#define WARPLENS_ACCESS(space, name, to_space, kind, type)                                                   \
    __device__ __forceinline__ void warplens_##space##_load(const void* p, warplens_words<1>& w) {           \
        asm volatile("ld.volatile" name ".u32 %0, [%1];" : "=r"(w.at[0]) : kind((type)to_space(p)) : "memory"); \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_load(const void* p, warplens_words<2>& w) {           \
        asm volatile("ld.volatile" name ".v2.u32 {%0, %1}, [%2];"                                           \
                     : "=r"(w.at[0]), "=r"(w.at[1]) : kind((type)to_space(p)) : "memory");                   \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_load(const void* p, warplens_words<4>& w) {           \
        asm volatile("ld.volatile" name ".v4.u32 {%0, %1, %2, %3}, [%4];"                                   \
                     : "=r"(w.at[0]), "=r"(w.at[1]), "=r"(w.at[2]), "=r"(w.at[3])                            \
                     : kind((type)to_space(p)) : "memory");                                                  \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_load(const void* p, unsigned short& w) {              \
        asm volatile("ld.volatile" name ".u16 %0, [%1];" : "=h"(w) : kind((type)to_space(p)) : "memory");   \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_load(const void* p, unsigned char& w) {               \
        unsigned short wide;                                                                                 \
        asm volatile("ld.volatile" name ".u8 %0, [%1];" : "=h"(wide) : kind((type)to_space(p)) : "memory"); \
        w = (unsigned char)wide;                                                                             \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_store(void* p, const warplens_words<1>& w) {          \
        asm volatile("st.volatile" name ".u32 [%0], %1;" ::kind((type)to_space(p)), "r"(w.at[0]) : "memory"); \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_store(void* p, const warplens_words<2>& w) {          \
        asm volatile("st.volatile" name ".v2.u32 [%0], {%1, %2};" ::kind((type)to_space(p)), "r"(w.at[0]),  \
                     "r"(w.at[1]) : "memory");                                                               \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_store(void* p, const warplens_words<4>& w) {          \
        asm volatile("st.volatile" name ".v4.u32 [%0], {%1, %2, %3, %4};" ::kind((type)to_space(p)),        \
                     "r"(w.at[0]), "r"(w.at[1]), "r"(w.at[2]), "r"(w.at[3]) : "memory");                     \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_store(void* p, const unsigned short& w) {             \
        asm volatile("st.volatile" name ".u16 [%0], %1;" ::kind((type)to_space(p)), "h"(w) : "memory");     \
    }                                                                                                        \
    __device__ __forceinline__ void warplens_##space##_store(void* p, const unsigned char& w) {              \
        const unsigned short wide = w;                                                                       \
        asm volatile("st.volatile" name ".u8 [%0], %1;" ::kind((type)to_space(p)), "h"(wide) : "memory");   \
    }
WARPLENS_ACCESS(generic, "", , "l", unsigned long long)
WARPLENS_ACCESS(global, ".global", __cvta_generic_to_global, "l", unsigned long long)
WARPLENS_ACCESS(shared, ".shared", __cvta_generic_to_shared, "r", unsigned)
WARPLENS_ACCESS(local, ".local", __cvta_generic_to_local, "r", unsigned)
template <int bytes> struct warplens_bits { using type = warplens_words<bytes / 4>; };
template <> struct warplens_bits<1> { using type = unsigned char; };
template <> struct warplens_bits<2> { using type = unsigned short; };
template <int space, class T> __device__ __forceinline__ T warplens_get(const T* p) {
    if constexpr (space == 3) return *p;
    typename warplens_bits<sizeof(T)>::type bits;
    if constexpr (space == 0) warplens_global_load(p, bits);
    if constexpr (space == 1) warplens_shared_load(p, bits);
    if constexpr (space == 2) warplens_local_load(p, bits);
    if constexpr (space == 4) warplens_generic_load(p, bits);
    T value;
    memcpy(&value, &bits, sizeof(T));
    return value;
}
template <int space, class T> __device__ __forceinline__ void warplens_put(T* p, const T& value) {
    typename warplens_bits<sizeof(T)>::type bits;
    memcpy(&bits, &value, sizeof(T));
    if constexpr (space == 0) warplens_global_store(p, bits);
    if constexpr (space == 1) warplens_shared_store(p, bits);
    if constexpr (space == 2) warplens_local_store(p, bits);
    if constexpr (space == 4) warplens_generic_store(p, bits);
}
template <int space, class T> __device__ __forceinline__ T warplens_load(unsigned site, const volatile T* p) {
    warplens_note(site, false, p);
    return warplens_get<space>((const T*)p);
}
template <class T> __device__ __forceinline__ T* warplens_pointer(unsigned site, bool loads, bool stores, T* p) {
    if (loads) warplens_note(site, false, p);
    if (stores) warplens_note(site, true, p);
    return p;
}
template <class T> struct warplens_element;
template <class T> struct warplens_pointer_to {
    unsigned site;
    const T* p;
    __device__ __forceinline__ warplens_element<T> operator*() const { return {*this}; }
};
template <class T> struct warplens_element {
    warplens_pointer_to<T> p;
    __device__ __forceinline__ warplens_pointer_to<T> operator&() const { return p; }
};
template <class T> __device__ __forceinline__ warplens_pointer_to<T> warplens_cached(unsigned site, const T* p) {
    return {site, p};
}
#define WARPLENS_CACHED(name)                                                            \
    template <class T> __device__ __forceinline__ T name(const warplens_pointer_to<T>& of) { \
        return warplens_load<0>(of.site, of.p);                                          \
    }
WARPLENS_CACHED(__ldg) WARPLENS_CACHED(__ldcg) WARPLENS_CACHED(__ldca)
WARPLENS_CACHED(__ldcs) WARPLENS_CACHED(__ldlu) WARPLENS_CACHED(__ldcv)
template <int space, class T> struct warplens_place {
    unsigned site;
    T* p;
    __device__ __forceinline__ operator T() const { return warplens_load<space>(site, p); }
    __device__ __forceinline__ T operator=(const T& value) {
        warplens_note(site, true, p);
        warplens_put<space>(p, value);
        return value;
    }
    __device__ __forceinline__ T operator=(const warplens_place& other) { return *this = T(other); }
#define WARPLENS_SIGN(sign)                                                      \
    template <class U> __device__ __forceinline__ T operator sign(const U& by) { \
        T value = *this;                                                         \
        value sign by;                                                           \
        return *this = value;                                                    \
    }
    WARPLENS_SIGN(+=) WARPLENS_SIGN(-=) WARPLENS_SIGN(*=) WARPLENS_SIGN(/=) WARPLENS_SIGN(%=)
    WARPLENS_SIGN(&=) WARPLENS_SIGN(|=) WARPLENS_SIGN(^=) WARPLENS_SIGN(<<=) WARPLENS_SIGN(>>=)
    __device__ __forceinline__ T operator++() { T value = *this; ++value; return *this = value; }
    __device__ __forceinline__ T operator--() { T value = *this; --value; return *this = value; }
    __device__ __forceinline__ T operator++(int) { T old = *this, value = old; ++value; *this = value; return old; }
    __device__ __forceinline__ T operator--(int) { T old = *this, value = old; --value; *this = value; return old; }
};
template <int space, class T>
__device__ __forceinline__ warplens_place<space, T> warplens_to(unsigned site, volatile T* p) {
    return {site, (T*)p};
}
)";

constexpr std::string_view kNotes = R"(
__device__ unsigned long long* warplens_rows;
__device__ long long warplens_first, warplens_count;
__device__ int warplens_kept;
__device__ __noinline__ void warplens_note(unsigned site, bool store, const volatile void* p) {
    const long long block = blockIdx.x + (long long)gridDim.x * (blockIdx.y + (long long)gridDim.y * blockIdx.z)
                            - warplens_first;
    if (block < 0 || block >= warplens_count) return;
    const long long thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)
                             + block * (blockDim.x * blockDim.y * blockDim.z);
    unsigned long long* row = warplens_rows + thread * (1 + 2 * warplens_kept);
    const unsigned long long made = row[0]++;
    if (made >= warplens_kept) return;
    const void* at = (const void*)p;
    row[1 + 2 * made] = site | (unsigned long long)store << 32;
    row[2 + 2 * made] = __isShared(at) ? __cvta_generic_to_shared(at) : __isLocal(at) ? 0 : (unsigned long long)at;
}
)";

/// How an element of the text is used.
struct Use {
    const Expr* site = nullptr;
    std::uint32_t begin = 0, end = 0;
    bool loads = false, stores = false;
    std::optional<Storage> storage;  ///< where it lies, if any block accesses it
    AccessBy by = AccessBy::itself;
    bool is_pointer = false;  ///< the tokens are a pointer to it
};

/// By their tokens.
std::map<std::pair<std::uint32_t, std::uint32_t>, Use> uses_of(const TypedLaunch& launch) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Use> uses;
    std::map<const Expr*, Storage> storage_of;
    for (const TypedAccess& access : launch.accesses()) {
        const Storage storage = launch.memories()[access.memory].storage;
        if (storage_of.emplace(access.site, storage).first->second != storage)
            throw SourceError(access.site->at, "what is accessed here lies in one of two memories");
    }
    visit_accesses(launch.unit(), [&](const Expr& expr, bool loads, bool stores, AccessBy by) {
        if (expr.end == 0)
            throw SourceError(expr.at, "what is accessed here cannot be followed on a GPU yet");
        Use& use = uses[{expr.begin, expr.end}];
        const Expr* site = site_of(expr);
        // In templates, one place may have several types.
        if (use.site != nullptr && (use.site->at != site->at || use.site->value != site->value))
            throw SourceError(expr.at, "copies of whole structs cannot be followed on a GPU yet");
        if (use.site == nullptr) use.site = site;
        if (const auto known = storage_of.find(site); known != storage_of.end()) use.storage = known->second;
        use.begin = expr.begin;
        use.end = expr.end;
        use.loads = use.loads || loads;
        use.stores = use.stores || stores;
        use.by = std::max(use.by, by);
        use.is_pointer = expr.by_pointer;
    });
    return uses;
}

class Writer {
public:
    Writer(const TypedLaunch& launch, TextKind kind)
        : launch_(launch), unit_(launch.unit()), needed_(launch.unit().uses) {
        add_called();
        constexpr std::int64_t kFirst = std::int64_t{1} << 40;
        for (const auto& [token, unroll] : launch.unrolls())
            if (kind == TextKind::plain)
                before_[std::uint32_t(token)].push_back({kFirst, 0, "\n#pragma " + unroll + '\n'});
        if (kind == TextKind::plain) return;
        has_own_arrays_ = std::ranges::any_of(
            unit_.symbols, [](const Symbol& one) { return one.storage == Storage::local; });
        for (const auto& [tokens, use] : uses_of(launch)) {
            const auto known = std::ranges::find(result_.sites, use.site);
            const auto number = known - result_.sites.begin();
            if (known == result_.sites.end()) result_.sites.push_back(use.site);
            const int space = !use.storage                        ? 4
                              : *use.storage == Storage::shared   ? 1
                              : *use.storage == Storage::local    ? 2
                              : *use.storage == Storage::constant ? 3
                                                                  : 0;
            std::string before = fmt::format("warplens_load<{}>({}u, ", space, number);
            if (use.stores) before = fmt::format("warplens_to<{}>({}u, ", space, number);
            if (use.by == AccessBy::pointer)
                before = fmt::format("warplens_pointer({}u, {}, {}, ", number, use.loads, use.stores);
            if (use.by == AccessBy::cached_load) before = fmt::format("warplens_cached({}u, ", number);
            if (!use.is_pointer) before = (use.by == AccessBy::itself ? "(" : "(*") + before + "&(";
            before_[use.begin].push_back({use.end, ++inserted_, before});
            after_[use.end].push_back({use.begin, inserted_, use.is_pointer ? ")" : ")))"});
        }
        for (const Function& function : unit_.functions)
            if (function.body) meet(*function.body);
        for (auto& [at, all] : before_)
            std::ranges::sort(all, {}, [](const Inserted& one) { return std::pair(-one.other, one.order); });
        for (auto& [at, all] : after_)
            std::ranges::sort(all, {}, [](const Inserted& one) { return std::pair(-one.other, -one.order); });
    }

    CudaText write(TextKind kind) {
        std::string body;
        std::set<std::size_t> written;  // a record with several names stands there once for each
        for (const std::size_t index : needed_) {
            const Declaration& one = launch_.declarations().all[index];
            if (written.insert(one.begin).second) write(body, one);
        }
        check(body);
        std::string& text = result_.text;
        const auto says = [&](std::string_view word) { return body.find(word) != std::string::npos; };
        if (says("half") || says("__h")) text += "#include <cuda_fp16.h>\n";
        if (says("bfloat")) text += "#include <cuda_bf16.h>\n";
        if (says("__pipeline_")) text += "#include <cuda_pipeline_primitives.h>\n";
        if (says("curand")) text += "#include <curand_kernel.h>\n";
        if (says("CUDART_")) text += "#include <math_constants.h>\n";
        const bool groups = says("this_thread_block") || says("cooperative_groups") || says("cg ") ||
                            says("thread_block") || says("coalesced_") || says("this_grid");
        if (groups) text += "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n";
        text += kNames;
        if (kind == TextKind::traced) text += kNotes;
        if (kind == TextKind::counted)
            text +=
                "__device__ __forceinline__ void warplens_note(unsigned, bool, const volatile void*) {}\n";
        if (kind != TextKind::plain) text += kAccesses;
        text += "namespace user {\n";
        if (groups) text += "namespace cg = cooperative_groups;\nusing namespace cooperative_groups;\n";
        for (const auto& [name, value] : launch_.given())
            if (launch_.declarations().named(name).empty() && body.find(name) != std::string::npos)
                text += fmt::format("constexpr {} {} = {};\n",
                                    value == std::int32_t(value) ? "int" : "long long", name, value);
        text += body + "}\n";
        result_.name = "user::" + unit_.functions[0].name;
        if (!unit_.functions[0].arguments.empty())
            result_.name += fmt::format("<{}>", fmt::join(unit_.functions[0].arguments, ", "));
        return std::move(result_);
    }

private:
    /// Lanes that part meet again as soon as their ways do, so that they make their requests together, as the
    /// model has it.
    void meet(const Stmt& stmt) {
        const bool parts = stmt.kind == StmtKind::branch || stmt.kind == StmtKind::loop;
        if (parts && !may_leave(stmt, false))
            insert(stmt, "{ const unsigned warplens_lanes = __activemask(); ",
                   "__syncwarp(warplens_lanes); } ");
        // Rounds of a loop that is unrolled part lanes that the model has together. Arrays of a thread stay
        // in registers only if it is.
        const bool unrolls =
            has_own_arrays_ && stmt.init && stmt.init->symbol >= 0 && unit_.symbol(stmt.init->symbol).counter;
        const std::string_view word = stmt.end == 0 ? std::string_view() : launch_.tokens()[stmt.begin].text;
        if (stmt.kind == StmtKind::loop && (word == "for" || word == "while") && !unrolls)
            insert(stmt, "{\n#pragma unroll 1\n", "} ");
        if (stmt.kind == StmtKind::loop && !may_break(*stmt.body.front()))
            insert(*stmt.body.front(), "{ const unsigned warplens_lanes = __activemask(); do { ",
                   "} while (false); __syncwarp(warplens_lanes); } ");
        for (const StmtPtr& part : stmt.body)
            if (part) meet(*part);
    }
    void insert(const Stmt& stmt, std::string_view before, std::string_view after) {
        if (stmt.end == 0 || !met_.emplace(stmt.begin, stmt.end, before.size()).second) return;
        before_[stmt.begin].push_back({stmt.end, ++inserted_, std::string(before)});
        after_[stmt.end].push_back({stmt.begin, inserted_, std::string(after)});
    }
    /// Whether lanes may go elsewhere than behind the statement.
    static bool may_leave(const Stmt& stmt, bool in_loop) {
        if (stmt.kind == StmtKind::finish) return true;
        if (stmt.kind == StmtKind::leave || stmt.kind == StmtKind::next) return !in_loop;
        const bool inside = in_loop || stmt.kind == StmtKind::loop;
        return std::ranges::any_of(stmt.body,
                                   [&](const StmtPtr& one) { return one && may_leave(*one, inside); });
    }
    /// Whether lanes may leave the loop whose body this is.
    static bool may_break(const Stmt& body) {
        if (body.kind == StmtKind::finish || body.kind == StmtKind::leave) return true;
        if (body.kind == StmtKind::loop) return may_leave(body, true);
        return std::ranges::any_of(body.body, [](const StmtPtr& one) { return one && may_break(*one); });
    }

    /// Functions that are called where nothing is executed, and others of the same name, belong to the text,
    /// too.
    void add_called() {
        const auto& all = launch_.declarations();
        std::vector<std::size_t> open(needed_.begin(), needed_.end());
        while (!open.empty()) {
            const Declaration& one = all.all[open.back()];
            open.pop_back();
            for (std::size_t at = first_of(one); at + 1 < one.end; ++at) {
                const std::string_view next = launch_.tokens()[at + 1].text;
                if (next != "(" && next != "<") continue;
                const auto [from, to] = all.by_name.equal_range(launch_.tokens()[at].text);
                for (auto named = from; named != to; ++named)
                    if (all.all[named->second].device && needed_.insert(named->second).second)
                        open.push_back(named->second);
            }
        }
    }

    /// With the parameters of its template.
    static std::size_t first_of(const Declaration& one) {
        return one.parameters > 0 ? one.parameters - 1 : one.begin;
    }
    void write(std::string& out, const Declaration& one) {
        const auto& tokens = launch_.tokens();
        std::size_t at = first_of(one);
        for (int line = tokens[at].at.line; at < one.end; ++at) {
            const Token& token = tokens[at];
            if (token.at.line == line + 1 && at > first_of(one))
                out += '\n';
            else if (token.at.line != line || at == first_of(one))
                out += fmt::format("\n#line {}\n", token.at.line);
            line = token.at.line;
            if (const auto found = after_.find(std::uint32_t(at)); found != after_.end())
                for (const Inserted& one_more : found->second) out += one_more.text;
            if (const auto found = before_.find(std::uint32_t(at)); found != before_.end())
                for (const Inserted& one_more : found->second) out += one_more.text;
            if (token.text == "_Pragma" && at + 1 < one.end) {
                at = behind_bracket(tokens, at + 1) - 1;
                continue;
            }
            out += token.text;
            out += ' ';
            if (one.what != Declares::constant || token.kind != TokenKind::name) continue;
            // A constant that a knob stands for.
            const auto given = launch_.given().find(token.text);
            if (given == launch_.given().end() || tokens[at + 1].text != "=") continue;
            out += fmt::format("= {} ", given->second);
            std::size_t end = at + 1;
            while (end + 1 < one.end && tokens[end + 1].text != ";" && tokens[end + 1].text != ",")
                end = tokens[end + 1].text == "(" || tokens[end + 1].text == "{"
                          ? behind_bracket(tokens, end + 1) - 1
                          : end + 1;
            at = end;
        }
        out += '\n';
    }

    /// Nothing of a person's text reaches the preprocessor or the assembler.
    void check(const std::string& body) const {
        for (const std::size_t index : needed_) {
            const Declaration& one = launch_.declarations().all[index];
            for (std::size_t at = first_of(one); at < one.end; ++at) {
                const Token& token = launch_.tokens()[at];
                const bool assembler =
                    token.text == "asm" || token.text == "__asm__" || token.text == "__asm";
                if (assembler || token.text.starts_with('#'))
                    throw SourceError(token.at, fmt::format("not compiled: {}", in_quotes(token.text)));
            }
        }
        constexpr std::size_t kMost = std::size_t{1} << 20;
        if (body.size() > kMost) throw SourceError({}, "this is too long to be compiled");
    }

    const TypedLaunch& launch_;
    const Unit& unit_;
    std::set<std::size_t> needed_;  ///< see Unit::uses
    CudaText result_;
    /// A text before a token that belongs to another token: the outer one begins first, and ends last.
    struct Inserted {
        std::int64_t other = 0;
        int order = 0;
        std::string text;
    };
    std::map<std::uint32_t, std::vector<Inserted>> before_, after_;  ///< by token
    int inserted_ = 0;
    bool has_own_arrays_ = false;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> met_;
};

}  // namespace

CudaText cuda_text(const TypedLaunch& launch, TextKind kind) {
    if (!launch.only_counted().empty())
        throw SourceError(launch.bound().kernel->at,
                          fmt::format("not launched: kernels with {} are counted, but not run on a GPU",
                                      launch.only_counted()));
    return Writer(launch, kind).write(kind);
}

}  // namespace warplens::typed
