#pragma once

#include "app/typed/parse/source.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

/// Types of single values. Integers are known where the interpreter can follow them; of floating-point
/// numbers only the type is known.
enum class Scalar {
    none,
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,  ///< half, and bfloat16, which is as wide
    float32,
    float64
};

int bytes_of(Scalar scalar);  ///< [bytes]; 0 for none
inline bool is_floating(Scalar scalar) { return scalar >= Scalar::float16; }
bool is_signed(Scalar scalar);

struct Type {
    Scalar scalar = Scalar::none;
    int lanes = 1;          ///< 2 or 4 for float2, int4 and the like
    bool pointer = false;   ///< to such values
    std::vector<int> dims;  ///< of an array, the outermost first; empty for a single value
    int record = -1;        ///< of a struct: its number in Unit::records, and below its size [bytes]
    int record_bytes = 0;
    bool rows = false;  ///< a pointer to pointers to such values

    bool is_array() const { return !dims.empty(); }
    bool is_record() const { return record >= 0 && !pointer && dims.empty(); }
    bool is_single() const { return !pointer && dims.empty() && lanes == 1 && record < 0; }
    bool is_integer() const { return is_single() && !is_floating(scalar) && scalar != Scalar::none; }
    /// The size of what a pointer points to, or an array consists of [bytes].
    int element_bytes() const {
        return rows ? kPointerBytes : record >= 0 ? record_bytes : bytes_of(scalar) * lanes;
    }
    /// The size of a value of this type, where it lies in memory [bytes].
    int bytes() const { return pointer ? kPointerBytes : element_bytes(); }
    static constexpr int kPointerBytes = 8;
    std::int64_t elements() const;  ///< of an array; 1 for a single value
    friend bool operator==(const Type&, const Type&) = default;
};

enum class Storage { variable, global, shared, constant, local };

struct Member {
    std::string name;
    Type type;
    int offset = 0;  ///< behind the begin of the record [bytes]
};
/// A struct, as it lies in memory.
struct Record {
    std::string name;
    std::vector<Member> members;
    int bytes = 0, align = 1;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// A variable, or memory that has a name. A variable that is a record is its members: a symbol of each.
struct Symbol {
    std::string name;
    Type type;
    Storage storage = Storage::variable;
    Position at;
    std::optional<std::int64_t> constant;  ///< its value, if it never changes
    bool counter = false;                  ///< counts the rounds of a loop whose bounds are constant
    bool dynamic = false;                  ///< shared memory whose size the launch gives
    bool is_const = false;
    bool read_only = false;                  ///< of a parameter: `const __restrict__`
    std::vector<std::int64_t> initial = {};  ///< integers that an array begins with
    bool in_union = false;                   ///< so that what is stored into others changes it, too
    bool is_scalar = false;                  ///< of memory: an array of one element, named without an index
    std::vector<int> parts = {};             ///< of a record: the symbols of its members
    std::shared_ptr<const Expr> means = {};  ///< of a reference: what its name stands for
};

/// The sign of an operator. It is compared at every step of an executor, so it is a number.
class Sign {
public:
    constexpr Sign() = default;
    constexpr Sign(std::string_view text) {  // NOLINT: it is the same thing
        for (const char c : text) code_ = code_ << 8 | static_cast<unsigned char>(c);
    }
    template <std::size_t size>
    consteval Sign(const char (&text)[size]) : Sign(std::string_view(text, size - 1)) {}  // NOLINT: likewise

    constexpr std::uint32_t code() const { return code_; }
    friend constexpr bool operator==(Sign, Sign) = default;

private:
    std::uint32_t code_ = 0;  ///< its letters
};

enum class ExprKind {
    number,    ///< value; of floating-point ones the bits of a double
    variable,  ///< symbol
    builtin,   ///< value: a Builtin
    unary,     ///< sign: - ~ !
    binary,    ///< sign
    logic,     ///< sign: && ||
    choice,    ///< c ? a : b
    assign,    ///< sign: = += ...
    step,      ///< ++ or --; value 1 if the old value is the result
    index,   ///< array[i], or pointer[i], or a component of it: value: where it begins in the element [bytes]
    member,  ///< value: which component of a vector that is not in memory
    address,  ///< &x of an element
    cast,
    call,         ///< symbol: a device function
    intrinsic,    ///< value: an Intrinsic
    make_vector,  ///< make_float4(...)
    sequence,     ///< a, b
};

enum class Builtin {
    thread_x,
    thread_y,
    thread_z,
    block_x,
    block_y,
    block_z,
    block_dim_x,
    block_dim_y,
    block_dim_z,
    grid_dim_x,
    grid_dim_y,
    grid_dim_z,
    warp_size
};

enum class Intrinsic {
    min,
    max,
    abs,
    math,         ///< floating-point, of any values
    load_cached,  ///< __ldg, __ldcg, __ldca, __ldcs
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    sync_threads,
    sync_warp,
    sync_grid,  ///< grid.sync()
    fence,      ///< __threadfence()
    popcount,
    leading_zeros,
    find_first,
    reverse_bits,
    active_mask,
    ballot,  ///< of the lanes of a mask; any and all are tests of it
    atomic,  ///< reads and writes its first part, an element; sign: + adds, ++ counts
    other,   ///< of other lanes, of a clock: not known
};

struct Expr {
    ExprKind kind = ExprKind::number;
    Type type;
    Position at;
    Sign sign;
    bool integers = false;  ///< of an operator or a cast: whether it makes an integer of integers
    int kept = -1;          ///< which of Unit::kept, if it follows from a thread's place in its block alone
    std::int64_t value = 0;
    int symbol = -1;
    std::vector<ExprPtr> parts;
    /// Of an element: the same place of the text, where a function that is called several times is written
    /// once for each call. Null for itself.
    const Expr* site = nullptr;
    /// An element's tokens, [begin, end), that name it, or a pointer to it; none if `end` is 0.
    std::uint32_t begin = 0, end = 0;
    bool by_pointer = false;
    bool joined = false;    ///< of an element: accessed with others by one that is as wide as all of them
    bool unread = false;    ///< of an atomic operation: nobody reads what it returns
    Op changed = Op::load;  ///< of an element that an atomic operation changes: how
    /// A math function takes so many instructions of a warp, and so many of them are for the special units.
    int instructions = 0, special = 0;
    double (*of_numbers)(double a, double b) = nullptr;  ///< what it computes, where that may become an index
};
inline const Expr* site_of(const Expr& element) { return element.site == nullptr ? &element : element.site; }
ExprPtr clone(const Expr& expr);

enum class StmtKind { expression, declare, branch, loop, block, leave, next, finish, empty };

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

/// | kind       | init           | condition        | step     | body                     |
/// |------------|----------------|------------------|----------|--------------------------|
/// | expression |                | the expression   |          |                          |
/// | declare    |                | or null: initial |          | symbol                   |
/// | branch     |                | if               |          | then, else               |
/// | loop       | for: before    | while            | for      | one; check_first: or do  |
/// | finish     |                | or null: return  |          |                          |
struct Stmt {
    StmtKind kind = StmtKind::empty;
    Position at;
    std::uint32_t begin = 0, end = 0;  ///< its tokens, [begin, end); none if `end` is 0
    int symbol = -1;
    bool check_first = true;
    StmtPtr init;
    ExprPtr condition, step;
    std::vector<StmtPtr> body;
};

struct Function {
    std::string name;
    bool kernel = false;
    Type result;
    std::vector<int> parameters;               ///< symbols; of records those of their members
    std::vector<int> declared = {};            ///< of a kernel: its parameters as they are declared
    std::vector<std::string> type_names = {};  ///< of a kernel: its template's parameters that are types
    std::vector<std::string> arguments = {};   ///< of a kernel: what its template was given, as it is written
    StmtPtr body;
    Position at;
};

/// A text that was understood.
struct Unit {
    std::vector<Symbol> symbols;
    std::deque<Function> functions;  ///< stay where they are while more are read
    std::deque<Record> records;      ///< likewise
    /// A construct that cannot be launched from here: "textures". Empty if everything can.
    std::string_view only_counted;
    int kept = 0;                ///< expressions that are the same in each block
    std::set<std::size_t> uses;  ///< the declarations of the file that were read for it
    std::set<Builtin> asks;      ///< the indices by which it tells threads and blocks apart

    std::vector<std::string> assumed;  ///< each one sentence
    bool makes_integers = false;       ///< whether floating-point numbers become integers
    bool leaves_out = false;           ///< whether it reads memory that is not counted
    bool may_wait = false;        ///< a function of another file may order its threads: races are not told
    bool waits_for_grid = false;  ///< grid.sync(), for which its launch is cooperative

    AssumedNumbers assumed_numbers;                ///< of template parameters
    std::int64_t most_threads = 0;                 ///< of a block, by __launch_bounds__; 0 if it says nothing
    std::array<std::int64_t, 3> cluster{1, 1, 1};  ///< by __cluster_dims__ [blocks]

    int least_cc = 0;       ///< The compute capability that it needs, as major * 10 + minor.
    std::string needed_by;  ///< what in the text needs it: "__reduce_add_sync", "atomicAdd of double"
    void need(int cc, std::string_view name) {
        if (cc <= least_cc) return;
        least_cc = cc;
        needed_by = name;
    }

    const Symbol& symbol(int index) const { return symbols[index]; }
};

/// The value of an expression that does not depend on threads. Empty if it does.
std::optional<std::int64_t> fold(const Unit& unit, const Expr& expr);

/// Whether it follows from a thread's place in its block alone, and cannot fail.
bool is_of_thread(const Unit& unit, const Expr& expr);

/// Whether it does more than to compute a value: loads, assigns, calls, or waits for other threads.
bool touches_memory(const Expr& expr);

/// Whether it does nothing but compute and assign to variables, so that unknown branches may both be taken.
bool only_assigns(const Expr& expr);
bool only_assigns(const Stmt& stmt);

/// The elements of a text that are loaded and stored, apart from those that stay in registers.
enum class AccessBy {
    itself,
    pointer,     ///< a function of CUDA loads or stores at a pointer to it
    cached_load  ///< __ldg and the like
};
using VisitAccess = std::function<void(const Expr& element, bool loads, bool stores, AccessBy by)>;
void visit_accesses(const Unit& unit, const VisitAccess& visit);
void visit_accesses(const Unit& unit, const Stmt& stmt, const VisitAccess& visit);

/// Whether the compiler knows an index, with its loops unrolled, so that an array of a thread can stay in
/// registers: a constant, or the counter of a loop with constant bounds, or computed from these.
bool compiler_knows(const Unit& unit, const Expr& index);

/// Bring a number into the range of an integer type, as C++ does: modulo 2^bits.
std::int64_t wrap(std::int64_t value, Scalar type);

/// The result of an operator for integers that were already converted to a common type.
/// Shifts by more than the width move all bits out, as the GPU's instructions do.
/// Empty where there is none: division by 0, shifts by less than 0.
std::optional<std::int64_t> apply_sign(Sign sign, std::int64_t a, std::int64_t b, Scalar type);

}  // namespace warplens::typed
