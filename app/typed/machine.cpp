#include "app/typed/machine.h"

#include "kernels/typed/code_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace warplens::typed {
namespace {

/// A value of every lane. In block (x, y) of the range it is `at + x per_x + y per_y`, for all lanes alike.
struct Lanes {
    std::array<std::int64_t, kWarpLanes> at{};  ///< of a pointer: bytes behind the begin of its memory
    std::uint32_t known = 0;                    ///< lanes whose value is known
    std::int64_t per_x = 0, per_y = 0;
    int memory = -1;  ///< of a pointer

    bool moves() const { return per_x != 0 || per_y != 0; }
};

/// Integers of an array that each thread has for itself; of vectors all components.
struct OwnArray {
    std::vector<std::array<std::int64_t, kWarpLanes>> at;
    std::vector<std::uint32_t> known;
};

struct LaneRange {
    std::uint32_t lanes;
    struct Iterator {
        std::uint32_t rest;
        int operator*() const { return std::countr_zero(rest); }
        Iterator& operator++() {
            rest &= rest - 1;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return rest != other.rest; }
    };
    Iterator begin() const { return {lanes}; }
    Iterator end() const { return {0}; }
};

std::string lanes_text(std::uint32_t lanes) {
    const int first = std::countr_zero(lanes), count = std::popcount(lanes);
    return count == 1 ? fmt::format("lane {}", first)
                      : fmt::format("{} lanes, the first is {}", count, first);
}

/// Executes one warp of the blocks of a range.
class WarpRun {
public:
    WarpRun(const Bound& bound, const BlockRange& range, int warp, std::vector<Request>& requests,
            std::int64_t& steps_left, std::int64_t& requests_left)
        : bound_(bound),
          unit_(*bound.unit),
          range_(range),
          warp_(warp),
          requests_(requests),
          steps_left_(steps_left),
          requests_left_(requests_left),
          variables_(unit_.symbols.size()),
          arrays_(unit_.symbols.size()) {
        const int threads = bound.launch.threads() - warp * kWarpLanes;
        live_ = threads >= kWarpLanes ? kAllLanes : (1u << threads) - 1;
        find_threads();
        for (const int parameter : bound.kernel->parameters) {
            const auto index = static_cast<std::size_t>(parameter);
            Lanes& lanes = variables_[index];
            lanes.memory = bound.memory_of[index];
            if (lanes.memory < 0 && !bound.has_value[index]) continue;
            lanes.at.fill(lanes.memory >= 0 ? 0 : bound.values[index]);
            lanes.known = kAllLanes;
        }
    }

    /// @return  how many barriers of the block it passed
    int run() {
        execute(*bound_.kernel->body, live_);
        return interval_;
    }
    /// Whether all threads of the warp have returned, so that barriers wait for none of them.
    bool has_ended() const { return live_ == 0; }

private:
    // Cutting ranges ---------------------------------------------------------------------------------------

    /// @param at  how many blocks the first part has along x, or along y
    [[noreturn]] void cut(bool along_x, int at) const {
        BlockRange first = range_, second = range_;
        (along_x ? first.width : first.height) = at;
        (along_x ? second.width : second.height) -= at;
        (along_x ? second.x : second.y) += at;
        throw RangeCut{{first, second}};
    }
    /// Every block does something else, along each axis along which these numbers move.
    [[noreturn]] void cut_into_single(const Lanes& lanes) const {
        constexpr int kMostParts = 1 << 16;
        const bool along_x = lanes.per_x != 0;
        const int count = along_x ? range_.width : range_.height;
        if (count > kMostParts) halve();
        RangeCut cut;
        for (int i = 0; i < count; ++i) {
            BlockRange& part = cut.parts.emplace_back(range_);
            (along_x ? part.x : part.y) += i;
            (along_x ? part.width : part.height) = 1;
        }
        throw cut;
    }
    [[noreturn]] void halve() const {
        const bool along_x = range_.width >= range_.height;
        cut(along_x, (along_x ? range_.width : range_.height) / 2);
    }

    /// The value must not depend on the block.
    void hold(const Lanes& lanes) const {
        if (lanes.moves()) halve();
    }

    /// Take the blocks apart where the truth about a moving number changes.
    template <class Truth>
    void same_everywhere(std::int64_t at, const Lanes& moving, const Truth& truth) const {
        const bool here = truth(at);
        const std::int64_t x = moving.per_x * (range_.width - 1), y = moving.per_y * (range_.height - 1);
        const bool corners = truth(at + x) == here && truth(at + y) == here && truth(at + x + y) == here;
        // Between corners only == can change; 0 lies between values of opposite signs.
        const std::int64_t low = at + std::min<std::int64_t>(x, 0) + std::min<std::int64_t>(y, 0),
                           high = at + std::max<std::int64_t>(x, 0) + std::max<std::int64_t>(y, 0);
        const bool crosses = low < 0 && high > 0 && truth(0) != here;
        if (corners && !crosses) return;
        if (y != 0 && x != 0) halve();
        const bool along_x = x != 0;
        const std::int64_t step = along_x ? moving.per_x : moving.per_y;
        const int count = along_x ? range_.width : range_.height;
        int first = 1;
        // The first block with another truth; a search by halves where only the last ones differ.
        if (!crosses) {
            int last = count - 1;
            while (first < last) {
                const int middle = (first + last) / 2;
                if (truth(at + step * middle) != here)
                    last = middle;
                else
                    first = middle + 1;
            }
        } else {
            const std::int64_t zero = -at / step;
            first = static_cast<int>(std::clamp<std::int64_t>(zero, 1, count - 1));
        }
        cut(along_x, first);
    }

    /// Numbers that leave the range of their type wrap round, each for itself.
    void settle(Lanes& lanes, std::uint32_t mask, Scalar type) const {
        if (type == Scalar::int64 || type == Scalar::uint64) return;
        if (!lanes.moves() && (type == Scalar::int32 || type == Scalar::uint32)) {
            const bool is_signed = type == Scalar::int32;
            for (std::int64_t& at : lanes.at)  // of lanes whose number is not known, too: nobody reads them
                at = is_signed ? std::int64_t{static_cast<std::int32_t>(at)}
                               : std::int64_t{static_cast<std::uint32_t>(at)};
            return;
        }
        const std::int64_t x = lanes.per_x * (range_.width - 1), y = lanes.per_y * (range_.height - 1);
        for (const int lane : LaneRange{mask & lanes.known}) {
            auto& at = lanes.at[static_cast<std::size_t>(lane)];
            const std::int64_t wrapped = wrap(at, type);
            if (lanes.moves()) {
                const auto stays = [&](std::int64_t value) { return wrap(value, type) == value; };
                if (!stays(at) || !stays(at + x) || !stays(at + y) || !stays(at + x + y)) halve();
            }
            at = wrapped;
        }
    }

    // Values -----------------------------------------------------------------------------------------------

    static Lanes uniform(std::int64_t value) {
        Lanes lanes;
        lanes.at.fill(value);
        lanes.known = kAllLanes;
        return lanes;
    }

    /// What takes too long is the innermost loop, wherever in it the last step falls.
    void count_step(Position at) {
        if (--steps_left_ < 0)
            throw SourceError(
                loop_.value_or(at),
                fmt::format("a block takes more than {} steps; make its loops shorter", kMostSteps));
    }

    /// threadIdx of all lanes: x is fastest, then y, then z.
    void find_threads() {
        const Launch& launch = bound_.launch;
        const int first = warp_ * kWarpLanes;
        int x = first % launch.block_x, y = first / launch.block_x % launch.block_y,
            z = first / (launch.block_x * launch.block_y);
        for (std::size_t l = 0; l < kWarpLanes; ++l) {
            thread_[0].at[l] = x;
            thread_[1].at[l] = y;
            thread_[2].at[l] = z;
            if (++x == launch.block_x) x = 0, ++y;
            if (y == launch.block_y) y = 0, ++z;
        }
        for (Lanes& lanes : thread_) lanes.known = kAllLanes;
    }

    Lanes builtin(Builtin which) const {
        if (which <= Builtin::thread_z) return thread_[static_cast<std::size_t>(which)];
        Lanes lanes = uniform(0);
        const Launch& launch = bound_.launch;
        switch (which) {
            case Builtin::block_x:
                lanes = uniform(range_.x);
                lanes.per_x = range_.width > 1;
                break;
            case Builtin::block_y:
                lanes = uniform(range_.y);
                lanes.per_y = range_.height > 1;
                break;
            case Builtin::block_dim_x:
                return uniform(launch.block_x);
            case Builtin::block_dim_y:
                return uniform(launch.block_y);
            case Builtin::grid_dim_x:
                return uniform(launch.grid_x);
            case Builtin::grid_dim_y:
                return uniform(launch.grid_y);
            case Builtin::block_dim_z:
                return uniform(launch.block_z);
            case Builtin::grid_dim_z:
                return uniform(1);
            case Builtin::warp_size:
                return uniform(kWarpLanes);
            default:
                break;  // z of blocks is 0
        }
        return lanes;
    }

    /// The one value of all lanes. Empty if they differ or it is not known.
    static std::optional<std::int64_t> single(const Lanes& lanes, std::uint32_t mask) {
        if (mask == 0 || (lanes.known & mask) != mask || lanes.moves()) return std::nullopt;
        const std::int64_t value = lanes.at[static_cast<std::size_t>(std::countr_zero(mask))];
        for (const int lane : LaneRange{mask})
            if (lanes.at[static_cast<std::size_t>(lane)] != value) return std::nullopt;
        return value;
    }

    /// Operators that keep a number moving evenly. @return  whether the answer is complete
    bool apply_moving(std::string_view sign, const Lanes& a, const Lanes& b, std::uint32_t mask,
                      Lanes& out) const {
        const auto move = [&](std::int64_t x, std::int64_t y) {
            out.per_x = x;
            out.per_y = y;
        };
        if (sign == "+") {
            move(a.per_x + b.per_x, a.per_y + b.per_y);
            return true;
        }
        if (sign == "-") {
            move(a.per_x - b.per_x, a.per_y - b.per_y);
            return true;
        }
        const auto right = single(b, mask), left = single(a, mask);
        if (sign == "*" && (right || left)) {
            const Lanes& moving = right ? a : b;
            const std::int64_t times = right ? *right : *left;
            move(moving.per_x * times, moving.per_y * times);
            return true;
        }
        if (!right) return false;
        if (sign == "<<" && *right >= 0 && *right < 32) {
            move(a.per_x << *right, a.per_y << *right);
            return true;
        }
        // Whole multiples of the divisor go through; numbers below 0 are divided otherwise.
        std::int64_t divisor = 0;
        if (sign == "/" || sign == "%") divisor = *right;
        if (sign == ">>" && *right >= 0 && *right < 62) divisor = std::int64_t{1} << *right;
        if (sign == "&" && *right >= 0 && *right < std::numeric_limits<std::int32_t>::max() &&
            std::has_single_bit(static_cast<std::uint64_t>(*right) + 1))
            divisor = *right + 1;
        if (divisor <= 0 || a.per_x % divisor != 0 || a.per_y % divisor != 0) return false;
        const std::int64_t x = std::min<std::int64_t>(0, a.per_x * (range_.width - 1)),
                           y = std::min<std::int64_t>(0, a.per_y * (range_.height - 1));
        for (const int lane : LaneRange{mask & a.known})
            if (a.at[static_cast<std::size_t>(lane)] + x + y < 0) return false;
        if (sign == "/" || sign == ">>") move(a.per_x / divisor, a.per_y / divisor);
        return true;
    }

    /// Division by one number above 0. @return  whether it is that
    static bool divide_at_once(bool quotient, const Lanes& a, const Lanes& b, Lanes& out) {
        const auto by = single(b, out.known);
        if (!by || *by <= 0) return false;
        std::int64_t signs = 0;
        for (const std::int64_t at : a.at) signs |= at;
        if (signs >= 0 && std::has_single_bit(static_cast<std::uint64_t>(*by))) {
            const int shift = std::countr_zero(static_cast<std::uint64_t>(*by));
            for (std::size_t l = 0; l < kWarpLanes; ++l)
                out.at[l] = quotient ? a.at[l] >> shift : a.at[l] & (*by - 1);
            return true;
        }
        for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = quotient ? a.at[l] / *by : a.at[l] % *by;
        return true;
    }

    /// The frequent operators, for all lanes at once. What it computes of lanes whose numbers are not known,
    /// nobody reads. @return  whether it was one of them
    static bool apply_at_once(std::string_view sign, const Lanes& a, const Lanes& b, Scalar operands,
                              Lanes& out) {
        const auto each = [&](auto&& of) {
            for (std::size_t l = 0; l < kWarpLanes; ++l)
                out.at[l] = static_cast<std::int64_t>(
                    of(static_cast<std::uint64_t>(a.at[l]), static_cast<std::uint64_t>(b.at[l])));
            return true;
        };
        const auto compare = [&](auto&& of) {
            if (operands == Scalar::uint64) return false;
            for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = of(a.at[l], b.at[l]);
            return true;
        };
        const bool alone = sign.size() == 1;
        switch (sign.front()) {
            case '+':
                return each([](std::uint64_t x, std::uint64_t y) { return x + y; });
            case '-':
                return each([](std::uint64_t x, std::uint64_t y) { return x - y; });
            case '*':
                return each([](std::uint64_t x, std::uint64_t y) { return x * y; });
            case '&':
                return each([](std::uint64_t x, std::uint64_t y) { return x & y; });
            case '|':
                return each([](std::uint64_t x, std::uint64_t y) { return x | y; });
            case '^':
                return each([](std::uint64_t x, std::uint64_t y) { return x ^ y; });
            case '=':
                return compare([](std::int64_t x, std::int64_t y) { return x == y; });
            case '!':
                return compare([](std::int64_t x, std::int64_t y) { return x != y; });
            case '/':
            case '%':
                return operands != Scalar::uint64 && divide_at_once(sign.front() == '/', a, b, out);
            case '<':
                if (!alone && sign[1] == '<') return false;
                return alone ? compare([](std::int64_t x, std::int64_t y) { return x < y; })
                             : compare([](std::int64_t x, std::int64_t y) { return x <= y; });
            case '>':
                if (!alone && sign[1] == '>') {
                    const auto by = single(b, out.known);
                    if (!by || *by < 0 || *by >= 8 * bytes_of(operands) || operands == Scalar::uint64)
                        return false;
                    for (std::size_t l = 0; l < kWarpLanes; ++l) out.at[l] = a.at[l] >> *by;
                    return true;
                }
                return alone ? compare([](std::int64_t x, std::int64_t y) { return x > y; })
                             : compare([](std::int64_t x, std::int64_t y) { return x >= y; });
            default:
                return false;
        }
    }

    Lanes apply(std::string_view sign, const Lanes& a, const Lanes& b, std::uint32_t mask, Scalar operands,
                Scalar result, Position at) const {
        Lanes out;
        out.known = a.known & b.known & mask;
        const bool comparison = result == Scalar::boolean;
        if (a.moves() || b.moves()) {
            if (comparison) {
                Lanes difference;
                difference.per_x = a.per_x - b.per_x;
                difference.per_y = a.per_y - b.per_y;
                for (const int lane : LaneRange{out.known}) {
                    const auto l = static_cast<std::size_t>(lane);
                    same_everywhere(a.at[l] - b.at[l], difference, [&](std::int64_t value) {
                        return apply_sign(sign, value, 0, Scalar::int64).value_or(0) != 0;
                    });
                }
            } else if (!apply_moving(sign, a, b, mask, out)) {
                halve();
            }
        }
        const bool at_once = apply_at_once(sign, a, b, operands, out);
        for (const int lane : LaneRange{at_once ? 0 : out.known}) {
            const auto l = static_cast<std::size_t>(lane);
            // Before it is settled, so that a number that moves is not wrapped by its first block alone.
            const bool even = sign == "+" || sign == "-" || sign == "*" || sign == "<<";
            const auto value = apply_sign(sign, a.at[l], b.at[l],
                                          even && operands != Scalar::uint64 ? Scalar::int64 : operands);
            if (!value)
                throw SourceError(at, sign == "/" || sign == "%"
                                          ? "this divides by 0"
                                          : fmt::format("this shifts by {} bits", b.at[l]));
            out.at[l] = *value;
        }
        if (!comparison) settle(out, mask, result);
        return out;
    }

    void choose(Lanes& into, const Lanes& from, std::uint32_t mask, bool fresh) const {
        if (mask == 0) return;
        const bool all = fresh || (mask & live_) == live_;
        if (!all && (into.per_x != from.per_x || into.per_y != from.per_y) &&
            (into.known & live_ & ~mask) != 0)
            halve();
        if (!all && into.memory != from.memory && into.memory >= 0)
            into.known = 0;  // which array is not known
        into.per_x = from.per_x;
        into.per_y = from.per_y;
        into.memory = from.memory;
        for (const int lane : LaneRange{mask})
            into.at[static_cast<std::size_t>(lane)] = from.at[static_cast<std::size_t>(lane)];
        into.known = (into.known & ~mask) | (from.known & mask);
    }

    // Memory -----------------------------------------------------------------------------------------------

    struct Place {
        Lanes offset;  ///< bytes in its memory, or the element of an own array
        int own = -1;  ///< the symbol of a thread's own array whose elements are in registers or local memory
    };

    /// Where an element is. Evaluates the indices.
    Place place_of(const Expr& element, std::uint32_t mask) {
        // Indices of an array, the innermost last.
        const Expr* base = &element;
        while (base->kind == ExprKind::index) {
            base = base->parts[0].get();
            if (!base->type.is_array()) break;
        }
        Place place;
        if (base->type.is_array() && base->kind == ExprKind::variable) {
            const Symbol& symbol = unit_.symbol(base->symbol);
            place.offset = index_in(symbol.type, element, mask, 0);
            if (symbol.storage == Storage::local) {
                place.own = base->symbol;
                return place;
            }
            scale(place.offset, symbol.type.element_bytes(), element.value);
            place.offset.memory = bound_.memory_of[static_cast<std::size_t>(base->symbol)];
            return place;
        }
        Lanes room;
        const Lanes& pointer = value_of(*base, mask, room, element.parts[1].get());
        place.offset = checked_index(*element.parts[1], mask);
        scale(place.offset, base->type.element_bytes(), element.value);
        add(place.offset, pointer);
        place.offset.memory = pointer.memory;
        if (pointer.memory < 0)
            throw SourceError(base->at, "it is not known which array this pointer points into");
        return place;
    }

    /// Which element of an array it is.
    /// @param beyond  how many indices stand behind this one
    Lanes index_in(const Type& array, const Expr& element, std::uint32_t mask, std::size_t beyond) {
        const Expr& base = *element.parts[0];
        if (base.kind != ExprKind::index) return checked_index(*element.parts[1], mask);
        // An index beyond its own dimension still lies in the array: only the whole is checked.
        Lanes index = index_in(array, base, mask, beyond + 1);
        scale(index, std::max<std::int64_t>(array.dims[array.dims.size() - 1 - beyond], 1));
        add(index, checked_index(*element.parts[1], mask));
        return index;
    }

    // Offsets have 64 bits and do not wrap round.
    static void scale(Lanes& lanes, std::int64_t by, std::int64_t more = 0) {
        for (std::int64_t& at : lanes.at) at = multiply_add(at, by, more);
        lanes.per_x *= by;
        lanes.per_y *= by;
    }
    static void add(Lanes& lanes, const Lanes& other) {
        for (std::size_t l = 0; l < kWarpLanes; ++l) lanes.at[l] = multiply_add(lanes.at[l], 1, other.at[l]);
        lanes.known &= other.known;
        lanes.per_x += other.per_x;
        lanes.per_y += other.per_y;
    }
    /// a by + more, also of lanes whose numbers are not known, which may be any.
    static std::int64_t multiply_add(std::int64_t a, std::int64_t by, std::int64_t more) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(by) +
                                         static_cast<std::uint64_t>(more));
    }

    Lanes checked_index(const Expr& index, std::uint32_t mask) {
        Lanes lanes = evaluate(index, mask);
        if (const std::uint32_t unknown = mask & ~lanes.known; unknown != 0)
            throw SourceError(
                index.at,
                "this index is not known: it follows from values in memory; declare the array that it is "
                "read from with '// index int[n] permuted'");
        return lanes;
    }

    void record(const Expr& element, const Place& place, std::uint32_t mask, bool store) {
        const Memory& memory = bound_.memories[static_cast<std::size_t>(place.offset.memory)];
        const int bytes = element.type.element_bytes();
        Request& request = requests_.emplace_back(Request{.site = &element,
                                                          .memory = place.offset.memory,
                                                          .store = store,
                                                          .bytes = static_cast<std::int16_t>(bytes),
                                                          .interval = interval_,
                                                          .warp_interval = warp_interval_,
                                                          .active = mask,
                                                          .per_x = place.offset.per_x,
                                                          .per_y = place.offset.per_y});
        const std::int64_t x = request.per_x * (range_.width - 1), y = request.per_y * (range_.height - 1);
        const std::int64_t low = std::min<std::int64_t>(x, 0) + std::min<std::int64_t>(y, 0),
                           high = std::max<std::int64_t>(x, 0) + std::max<std::int64_t>(y, 0);
        std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                     most = std::numeric_limits<std::int64_t>::min(), remainder = 0;
        const auto look_at = [&](auto is_active) {
            for (std::size_t l = 0; l < kWarpLanes; ++l) {
                const bool active = is_active(l);
                const std::int64_t at = place.offset.at[l];
                request.address[l] = active ? at : 0;
                least = std::min(least, active ? at : least);
                most = std::max(most, active ? at : most);
                remainder |= active ? at & (bytes - 1) : 0;  // widths are powers of two
            }
        };
        if (mask == kAllLanes)
            look_at([](std::size_t) { return true; });
        else
            look_at([&](std::size_t l) { return (mask >> l & 1u) != 0; });
        const bool wrong =
            least + low < 0 || (memory.bytes > 0 && most + high + bytes > memory.bytes) || remainder != 0;
        for (const int lane : LaneRange{wrong ? mask : 0}) {
            const std::int64_t at = place.offset.at[static_cast<std::size_t>(lane)];
            const bool outside = at + low < 0 || (memory.bytes > 0 && at + high + bytes > memory.bytes);
            if (outside && !range_.is_single()) {
                // Which block is it? It is looked for by halves.
                halve();
            }
            if (outside)
                throw SourceError(
                    element.at,
                    fmt::format("out of bounds: lane {} of warp {} in block ({}, {}) accesses byte {} of {}, "
                                "which has {} bytes",
                                lane, warp_, range_.x, range_.y, at, in_quotes(memory.name), memory.bytes));
            if (at % bytes != 0)
                throw SourceError(element.at,
                                  fmt::format("misaligned: lane {} accesses {} bytes at byte {} of {}", lane,
                                              bytes, at, in_quotes(memory.name)));
        }
        if (request.per_x % bytes != 0 || request.per_y % bytes != 0) halve();
        if (--requests_left_ < 0)
            throw SourceError(
                element.at, fmt::format("a block makes more than {} loads and stores; make its loops shorter",
                                        kMostRequests));
    }

    /// The integers that an index array contains.
    Lanes content_of(const Memory& memory, const Place& place, std::uint32_t mask, Scalar type) const {
        Lanes out;
        if (memory.content == Content::unknown || memory.bytes == 0) return out;
        const int bytes = bytes_of(memory.scalar);
        const std::int64_t count = memory.bytes / bytes;
        if (memory.content != Content::sequential && place.offset.moves()) cut_into_single(place.offset);
        out.known = mask;
        out.per_x = place.offset.per_x / bytes;
        out.per_y = place.offset.per_y / bytes;
        for (const int lane : LaneRange{mask}) {
            const auto l = static_cast<std::size_t>(lane);
            out.at[l] = code_content(memory.content, place.offset.at[l] / bytes, count);
        }
        settle(out, mask, type);
        return out;
    }

    OwnArray& own_array(int symbol) {
        OwnArray& array = arrays_[static_cast<std::size_t>(symbol)];
        const Type& type = unit_.symbol(symbol).type;
        const auto size = static_cast<std::size_t>(type.elements() * type.lanes);
        if (array.at.size() != size) {
            array.at.resize(size);
            array.known.assign(size, 0);
        }
        return array;
    }

    /// Load or store an element of a thread's own array.
    Lanes access_own(const Expr& element, const Place& place, std::uint32_t mask, const Lanes* value) {
        OwnArray& array = own_array(place.own);
        hold(place.offset);
        if (value != nullptr && value->moves()) halve();
        const Type& type = unit_.symbol(place.own).type;
        const std::int64_t size = type.elements(), component = element.value / bytes_of(type.scalar);
        Lanes out;
        for (const int lane : LaneRange{mask}) {
            const auto l = static_cast<std::size_t>(lane);
            const std::int64_t at = place.offset.at[l];
            if (at < 0 || at >= size)
                throw SourceError(
                    element.at, fmt::format("out of bounds: lane {} accesses element {} of {}, which has {}",
                                            lane, at, in_quotes(unit_.symbol(place.own).name), size));
            const auto i = static_cast<std::size_t>(at * type.lanes + component);
            const std::uint32_t bit = 1u << lane;
            if (value == nullptr) {
                if (element.type.lanes > 1) continue;  // of whole vectors nothing is known
                out.at[l] = array.at[i][l];
                out.known |= array.known[i] & bit;
                continue;
            }
            array.at[i][l] = value->at[l];
            for (std::size_t k = i; k < i + static_cast<std::size_t>(element.type.lanes); ++k)
                array.known[k] = (array.known[k] & ~bit) | (poison_ > 0 ? 0 : value->known & bit);
        }
        const Expr* base = &element;
        bool known = true;
        while (base->kind == ExprKind::index) {
            known = known && compiler_knows(unit_, *base->parts[1]);
            base = base->parts[0].get();
        }
        if (!known) {
            Place in_memory = place;
            scale(in_memory.offset, base->type.element_bytes(), element.value);
            in_memory.offset.memory = bound_.memory_of[static_cast<std::size_t>(place.own)];
            record(element, in_memory, mask, value != nullptr);
        }
        return out;
    }

    Lanes load(const Expr& element, std::uint32_t mask) {
        return load_from(element, place_of(element, mask), mask);
    }

    Lanes load_from(const Expr& element, const Place& place, std::uint32_t mask) {
        if (place.own >= 0) return access_own(element, place, mask, nullptr);
        record(element, place, mask, false);
        if (!element.type.is_integer()) return {};
        return content_of(bound_.memories[static_cast<std::size_t>(place.offset.memory)], place, mask,
                          element.type.scalar);
    }

    void store_to(const Expr& element, const Place& place, const Lanes& value, std::uint32_t mask) {
        if (place.own >= 0) {
            access_own(element, place, mask, &value);
            return;
        }
        const Memory& memory = bound_.memories[static_cast<std::size_t>(place.offset.memory)];
        if (memory.content != Content::unknown)
            throw SourceError(element.at,
                              fmt::format("{} was declared as an index array, which only loads may access",
                                          in_quotes(memory.name)));
        record(element, place, mask, true);
    }

    // Expressions ------------------------------------------------------------------------------------------

    /// As evaluate, without a copy where a variable has the value.
    /// @param next  what is evaluated while the value is in use, and must not change it
    const Lanes& value_of(const Expr& expr, std::uint32_t mask, Lanes& room, const Expr* next = nullptr) {
        if (expr.kind == ExprKind::variable && (next == nullptr || next->parts.empty())) {
            const Symbol& symbol = unit_.symbol(expr.symbol);
            if (!symbol.constant && symbol.storage != Storage::constant &&
                symbol.storage != Storage::shared) {
                count_step(expr.at);
                return variables_[static_cast<std::size_t>(expr.symbol)];
            }
        }
        if (expr.kind == ExprKind::builtin && expr.value <= static_cast<int>(Builtin::thread_z)) {
            count_step(expr.at);
            return thread_[static_cast<std::size_t>(expr.value)];
        }
        return room = evaluate(expr, mask);
    }

    Lanes evaluate(const Expr& expr, std::uint32_t mask) {
        count_step(expr.at);
        switch (expr.kind) {
            case ExprKind::number:
                return expr.type.is_integer() ? uniform(expr.value) : Lanes{};
            case ExprKind::variable: {
                const Symbol& symbol = unit_.symbol(expr.symbol);
                if (symbol.constant) return uniform(*symbol.constant);
                if (symbol.storage == Storage::constant || symbol.storage == Storage::shared) return {};
                return variables_[static_cast<std::size_t>(expr.symbol)];
            }
            case ExprKind::builtin:
                return builtin(static_cast<Builtin>(expr.value));
            case ExprKind::unary:
                return unary(expr, mask);
            case ExprKind::binary: {
                Lanes room_a, room_b;
                const Lanes& a = value_of(*expr.parts[0], mask, room_a, expr.parts[1].get());
                const Lanes& b = value_of(*expr.parts[1], mask, room_b);
                if (!expr.parts[0]->type.is_integer() || !expr.type.is_integer()) return {};
                return apply(expr.sign, a, b, mask, expr.parts[0]->type.scalar, expr.type.scalar, expr.at);
            }
            case ExprKind::logic:
                return logic(expr, mask);
            case ExprKind::choice:
                return choice(expr, mask);
            case ExprKind::assign:
                return assign(expr, mask);
            case ExprKind::step: {
                const Expr& target = *expr.parts[0];
                const int by = target.type.pointer ? target.type.element_bytes() : 1;
                const auto [before, after] = update(target, mask, [&](const Lanes& value) {
                    Lanes next;
                    if (target.type.is_integer() || target.type.pointer)
                        next = apply(expr.sign == "++" ? "+" : "-", value, uniform(by), mask, Scalar::int64,
                                     target.type.pointer ? Scalar::int64 : target.type.scalar, expr.at);
                    next.memory = value.memory;
                    return next;
                });
                return expr.value == 1 ? before : after;
            }
            case ExprKind::index:
                return load(expr, mask);
            case ExprKind::member:
                evaluate(*expr.parts[0], mask);  // components of vectors are not followed
                return {};
            case ExprKind::address: {
                const Place place = place_of(*expr.parts[0], mask);
                if (place.own >= 0)
                    throw SourceError(expr.at, "not in the subset: pointers into arrays of a thread");
                return place.offset;
            }
            case ExprKind::cast:
                return cast(expr, mask);
            case ExprKind::call:
                return call(expr, mask);
            case ExprKind::intrinsic:
                return intrinsic(expr, mask);
            case ExprKind::make_vector:
                for (const ExprPtr& part : expr.parts) evaluate(*part, mask);
                return {};
            case ExprKind::sequence:
                evaluate(*expr.parts[0], mask);
                return evaluate(*expr.parts[1], mask);
        }
        return {};
    }

    Lanes unary(const Expr& expr, std::uint32_t mask) {
        const Lanes of = evaluate(*expr.parts[0], mask);
        if (!expr.type.is_integer() || !expr.parts[0]->type.is_integer()) return {};
        if (expr.sign == "-")
            return apply("-", uniform(0), of, mask, Scalar::int64, expr.type.scalar, expr.at);
        hold(of);
        Lanes out = of;
        for (const int lane : LaneRange{mask}) {
            auto& at = out.at[static_cast<std::size_t>(lane)];
            at = wrap(expr.sign == "!" ? at == 0 : ~at, expr.type.scalar);
        }
        return out;
    }

    Lanes cast(const Expr& expr, std::uint32_t mask) {
        Lanes of = evaluate(*expr.parts[0], mask);
        const Type& from = expr.parts[0]->type;
        if (expr.type.pointer) return of;
        if (!expr.type.is_integer() || (!from.is_integer() && !from.pointer)) return {};
        if (expr.type.scalar == Scalar::boolean) {
            if (from.pointer) return uniform(1);
            if (from.scalar == Scalar::boolean) return of;
            return apply("!=", of, uniform(0), mask, Scalar::int64, Scalar::boolean, expr.at);
        }
        settle(of, mask, expr.type.scalar);
        return of;
    }

    /// The lanes for which a condition holds. It has to be known.
    std::uint32_t lanes_where(const Expr& condition, std::uint32_t mask, const Lanes& truth) const {
        if ((truth.known & mask) != mask)
            throw SourceError(condition.at,
                              "which lanes go on is not known: this condition follows from values in memory");
        std::uint32_t lanes = 0;
        for (const int lane : LaneRange{mask})
            if (truth.at[static_cast<std::size_t>(lane)] != 0) lanes |= 1u << lane;
        return lanes;
    }

    Lanes logic(const Expr& expr, std::uint32_t mask) {
        const Lanes left = evaluate(*expr.parts[0], mask);
        const bool both = expr.sign == "&&";
        if ((left.known & mask) != mask) {
            if (touches_memory(*expr.parts[1])) lanes_where(*expr.parts[0], mask, left);
            return {};
        }
        const std::uint32_t yes = lanes_where(*expr.parts[0], mask, left), goes_on = both ? yes : mask & ~yes;
        Lanes out = uniform(both ? 0 : 1);
        if (goes_on == 0) return out;
        const Lanes right = evaluate(*expr.parts[1], goes_on);
        for (const int lane : LaneRange{goes_on})
            out.at[static_cast<std::size_t>(lane)] = right.at[static_cast<std::size_t>(lane)];
        out.known = (kAllLanes & ~goes_on) | (right.known & goes_on);
        return out;
    }

    Lanes choice(const Expr& expr, std::uint32_t mask) {
        const Lanes truth = evaluate(*expr.parts[0], mask);
        if ((truth.known & mask) != mask) {
            if (touches_memory(*expr.parts[1]) || touches_memory(*expr.parts[2]))
                lanes_where(*expr.parts[0], mask, truth);
            return {};
        }
        const std::uint32_t yes = lanes_where(*expr.parts[0], mask, truth), no = mask & ~yes;
        Lanes out;
        if (yes != 0) out = evaluate(*expr.parts[1], yes);
        if (no != 0) {
            const Lanes other = evaluate(*expr.parts[2], no);
            if (yes == 0) return other;
            if (out.per_x != other.per_x || out.per_y != other.per_y) halve();
            if (out.memory != other.memory)
                throw SourceError(expr.at, "not in the subset: pointers into one of two arrays");
            for (const int lane : LaneRange{no})
                out.at[static_cast<std::size_t>(lane)] = other.at[static_cast<std::size_t>(lane)];
            out.known = (out.known & yes) | (other.known & no);
        }
        return out;
    }

    void write(const Expr& target, const Lanes& value, std::uint32_t mask) {
        if (target.kind == ExprKind::index) return store_to(target, place_of(target, mask), value, mask);
        if (target.kind == ExprKind::member) return;
        Lanes known = value;
        if (poison_ > 0) known.known = 0;
        choose(variables_[static_cast<std::size_t>(target.symbol)], known, mask, false);
    }

    /// Reads a target, changes it by change(before), and writes it, with its index evaluated once.
    /// @return  the values before and after
    template <class Change>
    std::pair<Lanes, Lanes> update(const Expr& target, std::uint32_t mask, const Change& change) {
        if (target.kind != ExprKind::index) {
            const Lanes before = evaluate(target, mask), after = change(before);
            write(target, after, mask);
            return {before, after};
        }
        count_step(target.at);
        const Place place = place_of(target, mask);
        const Lanes before = load_from(target, place, mask), after = change(before);
        store_to(target, place, after, mask);
        return {before, after};
    }

    Lanes assign(const Expr& expr, std::uint32_t mask) {
        const Expr &target = *expr.parts[0], &source = *expr.parts[1];
        const Lanes by = evaluate(source, mask);
        if (expr.sign == "=") {
            write(target, by, mask);
            return by;
        }
        return update(target, mask, [&](const Lanes& before) { return changed(expr, before, by, mask); })
            .second;
    }

    /// What a compound assignment makes of a value.
    Lanes changed(const Expr& expr, const Lanes& before, const Lanes& by, std::uint32_t mask) const {
        const Expr &target = *expr.parts[0], &source = *expr.parts[1];
        Lanes value;
        if (target.type.pointer) {
            const Lanes bytes = apply("*", by, uniform(target.type.element_bytes()), mask, Scalar::int64,
                                      Scalar::int64, expr.at);
            value = apply(expr.sign, before, bytes, mask, Scalar::int64, Scalar::int64, expr.at);
            value.memory = before.memory;
        } else if (target.type.is_integer() && source.type.is_integer()) {
            value = apply(expr.sign, before, by, mask, static_cast<Scalar>(expr.value),
                          static_cast<Scalar>(expr.value), expr.at);
            settle(value, mask, target.type.scalar);
        }
        return value;
    }

    Lanes call(const Expr& expr, std::uint32_t mask) {
        const Function& function = unit_.functions[static_cast<std::size_t>(expr.symbol)];
        constexpr int kDeepestCall = 16;
        if (++call_depth_ > kDeepestCall) throw SourceError(expr.at, "functions call each other too deeply");
        std::vector<Lanes> arguments;
        for (const ExprPtr& part : expr.parts) arguments.push_back(evaluate(*part, mask));
        for (std::size_t i = 0; i < arguments.size(); ++i)
            choose(variables_[static_cast<std::size_t>(function.parameters[i])], arguments[i], mask, true);
        const Lanes outer_result = std::exchange(result_, Lanes{});
        const bool outer_call = std::exchange(in_call_, true);
        result_fresh_ = true;
        execute(*function.body, mask);
        Lanes value = result_;
        result_ = outer_result;
        in_call_ = outer_call;
        --call_depth_;
        return value;
    }

    Lanes intrinsic(const Expr& expr, std::uint32_t mask) {
        const auto which = static_cast<Intrinsic>(expr.value);
        switch (which) {
            case Intrinsic::sync_threads:
                if (mask != live_)
                    throw SourceError(
                        expr.at,
                        fmt::format(
                            "not all threads reach __syncthreads(): {} of warp {} in block ({}, {}) do "
                            "not, so the others wait for ever",
                            lanes_text(live_ & ~mask), warp_, range_.x, range_.y));
                ++interval_;
                ++warp_interval_;
                return {};
            case Intrinsic::sync_warp:
                ++warp_interval_;
                return {};
            case Intrinsic::load_cached:
                return load(*expr.parts[0], mask);
            default:
                break;
        }
        std::vector<Lanes> parts;
        for (const ExprPtr& part : expr.parts) parts.push_back(evaluate(*part, mask));
        if (!expr.type.is_integer()) return {};
        switch (which) {
            case Intrinsic::min:
            case Intrinsic::max: {
                const Lanes less =
                    apply("<", parts[0], parts[1], mask, expr.type.scalar, Scalar::boolean, expr.at);
                std::uint32_t first = 0;
                for (const int lane : LaneRange{less.known})
                    if ((less.at[static_cast<std::size_t>(lane)] != 0) == (which == Intrinsic::min))
                        first |= 1u << lane;
                Lanes out = (first & mask) == 0 ? parts[1] : parts[0];
                if ((first & mask) != 0 && (mask & ~first) != 0) {
                    if (parts[0].per_x != parts[1].per_x || parts[0].per_y != parts[1].per_y) halve();
                    for (const int lane : LaneRange{mask & ~first})
                        out.at[static_cast<std::size_t>(lane)] = parts[1].at[static_cast<std::size_t>(lane)];
                }
                out.known = less.known;
                return out;
            }
            case Intrinsic::shuffle:
            case Intrinsic::shuffle_up:
            case Intrinsic::shuffle_down:
            case Intrinsic::shuffle_xor:
                return shuffle(which, parts, mask);
            default: {  // of one number
                hold(parts[0]);
                Lanes out;
                out.known = parts[0].known & mask;
                for (const int lane : LaneRange{out.known}) {
                    const std::int64_t of = parts[0].at[static_cast<std::size_t>(lane)];
                    const auto bits = static_cast<std::uint32_t>(of);
                    out.at[static_cast<std::size_t>(lane)] =
                        which == Intrinsic::abs             ? wrap(of < 0 ? -of : of, expr.type.scalar)
                        : which == Intrinsic::popcount      ? std::popcount(bits)
                        : which == Intrinsic::leading_zeros ? std::countl_zero(bits)
                                                            : (bits == 0 ? 0 : std::countr_zero(bits) + 1);
                }
                return out;
            }
        }
    }

    Lanes shuffle(Intrinsic which, const std::vector<Lanes>& parts, std::uint32_t mask) const {
        const Lanes &value = parts[1], &from = parts[2];
        const std::int64_t width =
            parts.size() > 3 ? single(parts[3], mask).value_or(kWarpLanes) : kWarpLanes;
        Lanes out = value;
        out.known = 0;
        hold(from);
        for (const int lane : LaneRange{mask & from.known}) {
            const auto l = static_cast<std::size_t>(lane);
            const int first = lane / static_cast<int>(width) * static_cast<int>(width);
            std::int64_t source = which == Intrinsic::shuffle        ? first + (from.at[l] & (width - 1))
                                  : which == Intrinsic::shuffle_up   ? lane - from.at[l]
                                  : which == Intrinsic::shuffle_down ? lane + from.at[l]
                                                                     : lane ^ from.at[l];
            if (source < first || source >= first + width) source = lane;
            out.at[l] = value.at[static_cast<std::size_t>(source)];
            if ((value.known >> source & mask >> source & 1u) != 0) out.known |= 1u << lane;
        }
        return out;
    }

    // Statements -------------------------------------------------------------------------------------------

    /// The lanes that go on behind a statement, which begins with `mask`.
    std::uint32_t execute(const Stmt& stmt, std::uint32_t mask) {
        if (mask == 0) return 0;
        count_step(stmt.at);
        switch (stmt.kind) {
            case StmtKind::empty:
                return mask;
            case StmtKind::expression:
                evaluate(*stmt.condition, mask);
                return mask;
            case StmtKind::declare:
                declare(stmt, mask);
                return mask;
            case StmtKind::block:
                for (const StmtPtr& part : stmt.body) mask = execute(*part, mask);
                return mask;
            case StmtKind::branch:
                return branch(stmt, mask);
            case StmtKind::loop:
                return loop(stmt, mask);
            case StmtKind::leave:
                left_ |= mask;
                return 0;
            case StmtKind::next:
                next_ |= mask;
                return 0;
            case StmtKind::finish:
                if (stmt.condition) {
                    const Lanes value = evaluate(*stmt.condition, mask);
                    choose(result_, value, mask, std::exchange(result_fresh_, false));
                }
                if (!in_call_) live_ &= ~mask;
                return 0;
        }
        return mask;
    }

    void declare(const Stmt& stmt, std::uint32_t mask) {
        const Symbol& symbol = unit_.symbol(stmt.symbol);
        if (symbol.storage == Storage::local) {
            OwnArray& array = own_array(stmt.symbol);
            for (std::size_t i = 0; i < array.at.size(); ++i) {
                const bool given = !symbol.initial.empty();
                const std::int64_t value = i < symbol.initial.size() ? symbol.initial[i] : 0;
                for (const int lane : LaneRange{mask}) array.at[i][static_cast<std::size_t>(lane)] = value;
                array.known[i] = given ? array.known[i] | mask : array.known[i] & ~mask;
            }
            return;
        }
        if (symbol.storage != Storage::variable) return;
        Lanes& variable = variables_[static_cast<std::size_t>(stmt.symbol)];
        if (stmt.condition)
            choose(variable, evaluate(*stmt.condition, mask), mask, true);
        else
            variable.known &= ~mask;
        if (poison_ > 0) variable.known &= ~mask;
    }

    std::uint32_t branch(const Stmt& stmt, std::uint32_t mask) {
        const Lanes truth = evaluate(*stmt.condition, mask);
        const bool has_else = stmt.body.size() > 1;
        if ((truth.known & mask) != mask) {
            const bool harmless = only_assigns(*stmt.body[0]) && (!has_else || only_assigns(*stmt.body[1]));
            if (!harmless) lanes_where(*stmt.condition, mask, truth);
            ++poison_;
            for (const StmtPtr& part : stmt.body) execute(*part, mask);
            --poison_;
            return mask;
        }
        const std::uint32_t yes = lanes_where(*stmt.condition, mask, truth);
        std::uint32_t out = execute(*stmt.body[0], yes);
        out |= has_else ? execute(*stmt.body[1], mask & ~yes) : mask & ~yes;
        return out;
    }

    std::uint32_t loop(const Stmt& stmt, std::uint32_t mask) {
        const std::uint32_t outer_left = std::exchange(left_, 0u), outer_next = std::exchange(next_, 0u);
        const std::optional<Position> outer_loop = std::exchange(loop_, stmt.at);
        if (stmt.init) mask = execute(*stmt.init, mask);
        std::uint32_t running = mask, done = 0;
        bool check = stmt.check_first;
        while (running != 0) {
            count_step(stmt.at);
            if (check && stmt.condition) {
                const Lanes truth = evaluate(*stmt.condition, running);
                const std::uint32_t yes = lanes_where(*stmt.condition, running, truth);
                done |= running & ~yes;
                running = yes;
                if (running == 0) break;
            }
            check = true;
            running = execute(*stmt.body.front(), running);
            running |= std::exchange(next_, 0u);
            done |= std::exchange(left_, 0u);
            if (stmt.step && running != 0) evaluate(*stmt.step, running);
        }
        left_ = outer_left;
        next_ = outer_next;
        loop_ = outer_loop;
        return done;
    }

    const Bound& bound_;
    const Unit& unit_;
    BlockRange range_;
    int warp_;
    std::vector<Request>& requests_;
    std::int64_t &steps_left_, &requests_left_;
    std::array<Lanes, 3> thread_;  ///< threadIdx
    std::vector<Lanes> variables_;
    std::vector<OwnArray> arrays_;
    std::uint32_t live_ = 0;             ///< lanes that have not returned from the kernel
    std::uint32_t left_ = 0, next_ = 0;  ///< lanes that met break, and continue, in the innermost loop
    Lanes result_;
    bool result_fresh_ = true, in_call_ = false;
    int interval_ = 0, warp_interval_ = 0;
    int poison_ = 0;  ///< in branches of which it is not known whether they are taken
    int call_depth_ = 0;
    std::optional<Position> loop_;  ///< the innermost one
};

}  // namespace

BlockTrace run_blocks(const Bound& bound, const BlockRange& range) {
    BlockTrace trace;
    trace.range = range;
    std::int64_t steps = kMostSteps, requests = kMostRequests;
    int barriers = -1, first = 0;
    for (int warp = 0; warp < bound.launch.warps(); ++warp) {
        const std::size_t like_the_last = trace.warps.empty() ? 0 : trace.warps.back().size();
        trace.warps.emplace_back().reserve(like_the_last);
        WarpRun run(bound, range, warp, trace.warps.back(), steps, requests);
        const int passed = run.run();
        trace.requests += static_cast<std::int64_t>(trace.warps.back().size());
        if (run.has_ended()) continue;  // threads that have ended are not waited for
        if (barriers >= 0 && passed != barriers)
            throw SourceError(
                bound.kernel->at,
                fmt::format("not all warps reach __syncthreads() equally often: warp {} {} times, warp {} {}",
                            first, barriers, warp, passed));
        if (barriers < 0) first = warp;
        barriers = passed;
    }
    trace.steps = kMostSteps - steps;
    return trace;
}

std::string_view line_of(std::string_view text, Position at) {
    for (int line = 1; line < at.line; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (const std::size_t comment = text.find("//"); comment != std::string_view::npos)
        text = text.substr(0, comment);
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace warplens::typed
