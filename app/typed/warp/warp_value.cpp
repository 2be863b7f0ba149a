#include "app/typed/warp/warp_value.h"

#include "kernels/hash.h"
#include "kernels/typed/code_step.h"

#include <algorithm>
#include <bit>

namespace warplens::typed {
namespace {

// Four lanes at once: AVX2 in functions that ask for it, elsewhere what every processor has.
using Four [[gnu::vector_size(32), gnu::may_alias]] = std::int64_t;
using FourBits [[gnu::vector_size(32), gnu::may_alias]] = std::uint64_t;
constexpr int kFours = kWarpLanes / 4;

#if defined(__x86_64__)
#define WARPLENS_QUICK gnu::target("avx2")
const bool kIsQuick = __builtin_cpu_supports("avx2") != 0;
#else
#define WARPLENS_QUICK gnu::noinline
const bool kIsQuick = false;
#endif

template <class Vector>
[[gnu::always_inline]] inline const Vector& part(const std::int64_t* at, int i) {
    return reinterpret_cast<const Vector*>(at)[i];
}
template <class Vector>
[[gnu::always_inline]] inline Vector& part(std::int64_t* at, int i) {
    return reinterpret_cast<Vector*>(at)[i];
}

struct alignas(32) LaneTable {
    std::int64_t at[kWarpLanes];
};
/// Bit i in lane i.
constexpr LaneTable kBits = [] {
    LaneTable table{};
    for (int i = 0; i < kWarpLanes; ++i) table.at[i] = std::int64_t{1} << i;
    return table;
}();

/// In each lane of `lanes` all bits, in the others none.
[[gnu::always_inline]] inline void spread(Four& out, std::uint32_t lanes, int i) {
    out = (part<Four>(kBits.at, i) & std::int64_t{lanes}) != 0;
}

struct Operands {
    std::int64_t* out;
    const std::int64_t *a, *b;
    std::uint64_t bits, sign;  // of the type
};

template <CodeOp op>
[[gnu::always_inline]] inline void compute_body(const Operands& with) {
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        const FourBits a = part<FourBits>(with.a, i), b = part<FourBits>(with.b, i);
        FourBits out = a;
        if constexpr (op == CodeOp::add) out = a + b;
        if constexpr (op == CodeOp::sub) out = a - b;
        if constexpr (op == CodeOp::mul) out = a * b;
        if constexpr (op == CodeOp::bit_and) out = a & b;
        if constexpr (op == CodeOp::bit_or) out = a | b;
        if constexpr (op == CodeOp::bit_xor) out = a ^ b;
        if constexpr (op == CodeOp::shift_left) out = a << b;
        if constexpr (op == CodeOp::shift_right) {  // numbers below 0 keep their sign
            const auto sign_of = FourBits(part<Four>(with.a, i) < 0);
            out = ((a ^ sign_of) >> b) ^ sign_of;
        }
        if constexpr (op == CodeOp::least || op == CodeOp::most) {
            const auto less = FourBits(part<Four>(with.a, i) < part<Four>(with.b, i));
            out = op == CodeOp::least ? (a & less) | (b & ~less) : (b & less) | (a & ~less);
        }
        part<FourBits>(with.out, i) = ((out & with.bits) ^ with.sign) - with.sign;
    }
}
template <CodeOp op>
[[WARPLENS_QUICK]] void compute_quick(const Operands& with) {
    compute_body<op>(with);
}
template <CodeOp op>
void compute(const Operands& with) {
    kIsQuick ? compute_quick<op>(with) : compute_body<op>(with);
}

template <CodeOp op>
[[gnu::always_inline]] inline void compare_body(const std::int64_t* a, const std::int64_t* b,
                                                std::uint32_t& lanes) {
    Four all{};
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        const Four x = part<Four>(a, i), y = part<Four>(b, i);
        Four holds{};
        if constexpr (op == CodeOp::less) holds = x < y;
        if constexpr (op == CodeOp::less_equal) holds = x <= y;
        if constexpr (op == CodeOp::equal) holds = x == y;
        if constexpr (op == CodeOp::not_equal) holds = x != y;
        all |= holds & part<Four>(kBits.at, i);
    }
    lanes = static_cast<std::uint32_t>(all[0] | all[1] | all[2] | all[3]);
}
template <CodeOp op>
[[WARPLENS_QUICK]] void compare_quick(const std::int64_t* a, const std::int64_t* b, std::uint32_t& lanes) {
    compare_body<op>(a, b, lanes);
}
template <CodeOp op>
std::uint32_t compare(const std::int64_t* a, const std::int64_t* b) {
    std::uint32_t lanes = 0;
    kIsQuick ? compare_quick<op>(a, b, lanes) : compare_body<op>(a, b, lanes);
    return lanes;
}

[[gnu::always_inline]] inline void fill_body(std::int64_t* out, std::int64_t base, std::int64_t step) {
    Four next{base, base + step, base + 2 * step, base + 3 * step};
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        part<Four>(out, i) = next;
        next += 4 * step;
    }
}
[[WARPLENS_QUICK]] void fill_quick(std::int64_t* out, std::int64_t base, std::int64_t step) {
    fill_body(out, base, step);
}

[[gnu::always_inline]] inline void choose_body(std::int64_t* out, const std::int64_t* yes,
                                               const std::int64_t* no, std::uint32_t lanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        Four chosen;
        spread(chosen, lanes, i);
        part<Four>(out, i) = (part<Four>(yes, i) & chosen) | (part<Four>(no, i) & ~chosen);
    }
}
[[WARPLENS_QUICK]] void choose_quick(std::int64_t* out, const std::int64_t* yes, const std::int64_t* no,
                                     std::uint32_t lanes) {
    choose_body(out, yes, no, lanes);
}

template <bool all>
[[gnu::always_inline]] inline void outside_body(const std::int64_t* at, std::uint32_t lanes,
                                                std::int64_t most, std::int64_t multiple, bool& outside) {
    // The sign of `at | most - at` says whether it is outside. Without signs, because of what may wrap round.
    FourBits signs{}, rests{};
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        FourBits one = part<FourBits>(at, i);
        if constexpr (!all) {
            Four chosen;
            spread(chosen, lanes, i);
            one &= FourBits(chosen);
        }
        signs |= one | (static_cast<std::uint64_t>(most) - one);
        rests |= one;
    }
    // Keeps the sign of each lane, and the bits of a remainder.
    signs = signs >> 63 | (rests & static_cast<std::uint64_t>(multiple - 1));
    outside = (signs[0] | signs[1] | signs[2] | signs[3]) != 0;
}
[[WARPLENS_QUICK]] void outside_quick(const std::int64_t* at, std::uint32_t lanes, std::int64_t most,
                                      std::int64_t multiple, bool& outside) {
    lanes == kAllLanes ? outside_body<true>(at, lanes, most, multiple, outside)
                       : outside_body<false>(at, lanes, most, multiple, outside);
}

/// The lanes whose number is not below `most`.
[[gnu::always_inline]] inline void beyond_body(const std::int64_t* at, std::int64_t most,
                                               std::uint32_t& lanes) {
    Four all{};
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) all |= (part<Four>(at, i) >= most) & part<Four>(kBits.at, i);
    lanes = static_cast<std::uint32_t>(all[0] | all[1] | all[2] | all[3]);
}
[[WARPLENS_QUICK]] void beyond_quick(const std::int64_t* at, std::int64_t most, std::uint32_t& lanes) {
    beyond_body(at, most, lanes);
}

[[gnu::always_inline]] inline void add_body(std::int64_t* out, const std::int64_t* in, std::int64_t more) {
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        const FourBits sum = part<FourBits>(in, i) + static_cast<std::uint64_t>(more);
        __builtin_memcpy(out + 4 * i, &sum, sizeof sum);
    }
}
[[WARPLENS_QUICK]] void add_quick(std::int64_t* out, const std::int64_t* in, std::int64_t more) {
    add_body(out, in, more);
}

[[gnu::always_inline]] inline void shift_left_body(std::int64_t* out, const std::int64_t* in, int bits) {
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) part<FourBits>(out, i) = part<FourBits>(in, i) << bits;
}
[[WARPLENS_QUICK]] void shift_left_quick(std::int64_t* out, const std::int64_t* in, int bits) {
    shift_left_body(out, in, bits);
}

#if defined(__x86_64__)
/// Products of the low halves, for which a processor needs one instruction. Clang finds that out, GCC does
/// not.
[[WARPLENS_QUICK, gnu::always_inline]] inline void multiply_low(FourBits& out, const FourBits& a,
                                                                const FourBits& b) {
#if defined(__clang__)
    out = (a & 0xffff'ffffu) * (b & 0xffff'ffffu);
#else
    using Eight [[gnu::vector_size(32)]] = int;
    out = FourBits(__builtin_ia32_pmuludq256(Eight(a), Eight(b)));
#endif
}
[[WARPLENS_QUICK]] void multiply_low_halves(const Operands& with) {
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        FourBits out;
        multiply_low(out, part<FourBits>(with.a, i), part<FourBits>(with.b, i));
        part<FourBits>(with.out, i) = ((out & with.bits) ^ with.sign) - with.sign;
    }
}
/// Applies mix_bits to the numbers plus 1, modulo a number below 2^32.
[[WARPLENS_QUICK]] void mix_lanes(std::int64_t* out, const std::int64_t* in, std::int64_t count) {
    using FourReals [[gnu::vector_size(32)]] = double;
    // Doubles from 2^52 on are whole numbers, and the integer stands in their lowest bits.
    constexpr double kWhole = 0x1p52;
    constexpr std::uint64_t kWholeBits = 0x4330'0000'0000'0000;
    const FourBits low = FourBits{} + 0xffff'ffffu, first = FourBits{} + 0x7feb'352du,
                   second = FourBits{} + 0x846c'a68bu,
                   divisor = FourBits{} + static_cast<std::uint64_t>(count);
    const FourReals inverse = FourReals{} + 1.0 / double(count);
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        FourBits x = (part<FourBits>(in, i) + 1) & low;
        x ^= x >> 16;
        multiply_low(x, x, first);
        x &= low;
        x ^= x >> 15;
        multiply_low(x, x, second);
        x &= low;
        x ^= x >> 16;
        const FourReals real = FourReals(x | kWholeBits) - kWhole;
        const FourBits quotient = FourBits(real * inverse + kWhole) & (kWholeBits - 1);
        FourBits product;
        multiply_low(product, quotient, divisor);
        const Four rest = Four(x - product);  // the quotient is the nearest one, so it may be below 0
        part<Four>(out, i) = rest + (Four(divisor) & (rest < 0));
    }
}
/// Applies shuffle_bits with this seed to numbers.
[[WARPLENS_QUICK]] void shuffle_lanes(std::int64_t* out, const std::int64_t* in, int bits,
                                      std::uint32_t seed) {
    const FourBits first = FourBits{} + 0x9e37'79b1u, second = FourBits{} + 0x85eb'ca6bu;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1, more = mix_bits(seed);
    const int half = bits / 2;
#pragma GCC unroll 8
    for (int i = 0; i < kFours; ++i) {
        FourBits x;
        multiply_low(x, part<FourBits>(in, i), first);
        x = (x + more) & mask;
        x ^= x >> half;
        multiply_low(x, x, second);
        x &= mask;
        part<FourBits>(out, i) = x ^ x >> half;
    }
}
#else
void multiply_low_halves(const Operands& with) { compute<CodeOp::mul>(with); }
void shuffle_lanes(std::int64_t*, const std::int64_t*, int, std::uint32_t) {}
void mix_lanes(std::int64_t*, const std::int64_t*, std::int64_t) {}
#endif

}  // namespace

WarpType::WarpType(CodeType of) : type(of) {
    const int width = 8 * bytes_of(type);
    const bool is_signed = type == CodeType::s8 || type == CodeType::s16 || type == CodeType::s32;
    if (type == CodeType::u64) least = 0;
    if (width == 64) return;
    bits = (std::uint64_t{1} << width) - 1;
    if (is_signed) sign = std::uint64_t{1} << (width - 1);
    least = -static_cast<std::int64_t>(sign);
    most = static_cast<std::int64_t>(is_signed ? sign - 1 : bits);
}

void fill_lanes(WarpValue& value) {
    kIsQuick ? fill_quick(value.at, value.base, value.step) : fill_body(value.at, value.base, value.step);
    value.has_lanes = true;
}

void find_even(WarpValue& value) {
    if (value.even) return;
    const auto difference = [&](int i) {
        return static_cast<std::uint64_t>(value.at[i]) - static_cast<std::uint64_t>(value.at[i - 1]);
    };
    const std::uint64_t step = difference(1);
    for (int i = 2; i < kWarpLanes; ++i)
        if (difference(i) != step) return;
    const std::int64_t first = value.at[0], last = value.at[kWarpLanes - 1];
    if (std::min(first, last) < -kMostEven || std::max(first, last) > kMostEven) return;
    value.base = first;
    value.step = static_cast<std::int64_t>(step);
    value.even = true;
}

void compute_lanes(CodeOp op, WarpValue& out, const WarpValue& a, const WarpValue& b, const WarpType& type) {
    const Operands with{out.at, a.at, b.at, type.bits, type.sign};
    const bool wide = type.type == CodeType::u64;
    out.even = false;
    out.has_lanes = true;
    switch (op) {
        case CodeOp::add:
            return compute<CodeOp::add>(with);
        case CodeOp::sub:
            return compute<CodeOp::sub>(with);
        case CodeOp::mul:
            if (type.bits > 0xffff'ffff || !kIsQuick) return compute<CodeOp::mul>(with);
            return multiply_low_halves(with);
        case CodeOp::bit_and:
            return compute<CodeOp::bit_and>(with);
        case CodeOp::bit_or:
            return compute<CodeOp::bit_or>(with);
        case CodeOp::bit_xor:
            return compute<CodeOp::bit_xor>(with);
        case CodeOp::shift_left:
            return compute<CodeOp::shift_left>(with);
        case CodeOp::convert:
            return compute<CodeOp::convert>(with);
        case CodeOp::shift_right:
            if (!wide) return compute<CodeOp::shift_right>(with);
            break;
        case CodeOp::least:
            if (!wide) return compute<CodeOp::least>(with);
            break;
        case CodeOp::most:
            if (!wide) return compute<CodeOp::most>(with);
            break;
        default:
            break;
    }
    const CodeInstr instr{.op = op, .type = type.type};
    for (int i = 0; i < kWarpLanes; ++i) out.at[i] = code_result(instr, a.at[i], b.at[i]);
}

void shift_lanes_left(WarpValue& out, const WarpValue& a, int bits) {
    kIsQuick ? shift_left_quick(out.at, a.at, bits) : shift_left_body(out.at, a.at, bits);
    out.even = false;
    out.has_lanes = true;
}

std::uint32_t compare_lanes(CodeOp op, const WarpValue& a, const WarpValue& b, const WarpType& type) {
    if (type.type != CodeType::u64 || op == CodeOp::equal || op == CodeOp::not_equal) {
        switch (op) {
            case CodeOp::less:
                return compare<CodeOp::less>(a.at, b.at);
            case CodeOp::less_equal:
                return compare<CodeOp::less_equal>(a.at, b.at);
            case CodeOp::equal:
                return compare<CodeOp::equal>(a.at, b.at);
            default:
                return compare<CodeOp::not_equal>(a.at, b.at);
        }
    }
    const CodeInstr instr{.op = op, .type = type.type};
    std::uint32_t lanes = 0;
    for (int i = 0; i < kWarpLanes; ++i)
        lanes |= static_cast<std::uint32_t>(code_result(instr, a.at[i], b.at[i])) << i;
    return lanes;
}

void lanes_of_bits(WarpValue& out, std::uint32_t bits) {
    for (int i = 0; i < kWarpLanes; ++i) out.at[i] = bits >> i & 1u;
    out.even = false;
    out.has_lanes = true;
}

void choose_lanes(WarpValue& out, const WarpValue& yes, const WarpValue& no, std::uint32_t lanes) {
    kIsQuick ? choose_quick(out.at, yes.at, no.at, lanes) : choose_body(out.at, yes.at, no.at, lanes);
    out.even = false;
    out.has_lanes = true;
}

void add_to_lanes(std::uint64_t* out, const WarpValue& offsets, std::int64_t more) {
    auto* to = reinterpret_cast<std::int64_t*>(out);
    kIsQuick ? add_quick(to, offsets.at, more) : add_body(to, offsets.at, more);
}

bool any_outside(const WarpValue& offsets, std::uint32_t lanes, std::int64_t most, std::int64_t multiple) {
    bool outside = false;
    kIsQuick ? outside_quick(offsets.at, lanes, most, multiple, outside)
             : outside_body<false>(offsets.at, lanes, most, multiple, outside);
    return outside;
}

void content_of_lanes(WarpValue& out, const WarpValue& elements, CodeContent content, std::int64_t count,
                      std::uint32_t lanes) {
    out.even = false;
    out.has_lanes = true;
    constexpr std::int64_t kMostMixed = std::int64_t{1} << 31;
    if (content == CodeContent::random && kIsQuick && count < kMostMixed)
        return mix_lanes(out.at, elements.at, count);
    if (content != CodeContent::permuted) {
        for (int i = 0; i < kWarpLanes; ++i)
            if ((lanes >> i & 1u) != 0) out.at[i] = code_content(content, elements.at[i], count);
        return;
    }
    const int bits = std::clamp(int(std::bit_width(static_cast<std::uint64_t>(count - 1))), 2, 31);
    // As code_content: numbers beyond the end are shuffled again.
    constexpr std::uint32_t kSeed = 1;
    const auto shuffle = [&](std::int64_t of) {
        return std::int64_t{shuffle_bits(static_cast<std::uint32_t>(of), bits, kSeed)};
    };
    if (kIsQuick)
        shuffle_lanes(out.at, elements.at, bits, kSeed);
    else
        std::ranges::transform(elements.at, out.at, shuffle);
    if ((std::int64_t{1} << bits) <= count) return;
    std::uint32_t beyond = 0;
    kIsQuick ? beyond_quick(out.at, count, beyond) : beyond_body(out.at, count, beyond);
    for (beyond &= lanes; beyond != 0; beyond &= beyond - 1) {
        std::int64_t& item = out.at[std::countr_zero(beyond)];
        while (item >= count) item = shuffle(item);
    }
}

}  // namespace warplens::typed
