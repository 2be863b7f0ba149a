#include "app/typed/warp/warp_executor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace warplens::typed {
namespace {

double rounded(double value, Scalar type) { return type == Scalar::float32 ? double(float(value)) : value; }

/// Computed by the compiler, which rounds it like any other number.
bool is_constant(const Expr& expr) {
    return expr.kind == ExprKind::number ||
           ((expr.kind == ExprKind::binary || expr.kind == ExprKind::unary || expr.kind == ExprKind::cast) &&
            std::ranges::all_of(expr.parts, [](const auto& part) { return is_constant(*part); }));
}
bool is_product(const Expr& expr) {
    return expr.kind == ExprKind::binary && expr.sign == "*" && !is_constant(expr);
}

/// As the GPU converts: towards 0, and to the nearest number that an integer type has.
std::int64_t cut_off(double value, Scalar type) {
    const auto to = [&]<class T>(T) {
        constexpr T kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
        if (std::isnan(value)) return std::int64_t{0};
        return std::int64_t(value >= double(kMost) ? kMost : value <= double(kLeast) ? kLeast : T(value));
    };
    switch (type) {
        case Scalar::uint32:
            return to(std::uint32_t{});
        case Scalar::int64:
            return to(std::int64_t{});
        case Scalar::uint64:
            return to(std::uint64_t{});
        default:  // narrower ones are cut down from 32 bits
            return wrap(to(std::int32_t{}), type);
    }
}

std::optional<double> apply_sign_to_reals(Sign sign, double a, double b) {
    switch (sign.code()) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '/':
            return a / b;
        case '<':
            return a < b;
        case '>':
            return a > b;
        case Sign("<=").code():
            return a <= b;
        case Sign(">=").code():
            return a >= b;
        case Sign("==").code():
            return a == b;
        case Sign("!=").code():
            return a != b;
        default:
            return std::nullopt;
    }
}

}  // namespace

/// Floating-point numbers are followed where that costs little or where an index follows from them: those
/// that are the same for all lanes, and all of a text that makes integers of them. They stand as the bits of
/// doubles, which do not move evenly: so they are those of one block and one round. A product stands as it is
/// before it is rounded to float, because nvcc joins it with a sum into one instruction (-fmad=true), which
/// rounds once; whoever else uses it rounds it.
bool WarpExecutor::follows(const Lanes& one, std::uint32_t mask) const {
    return (one.known & mask) == mask && (unit_.makes_integers || one.is_uniform());
}

template <class Of>
Lanes WarpExecutor::each_real(const Lanes& a, const Lanes& b, std::uint32_t mask, const Of& of) const {
    Lanes out;
    if (!follows(a, mask) || !follows(b, mask)) return out;
    const auto bits = [&](std::int64_t one, std::int64_t other) -> std::int64_t {
        const auto result = of(std::bit_cast<double>(one), std::bit_cast<double>(other));
        if constexpr (std::is_same_v<decltype(result), const double>)
            return std::bit_cast<std::int64_t>(result);
        else
            return result;
    };
    out.known = mask;
    if (a.is_uniform() && b.is_uniform()) {
        out.base = bits(a.base, b.base);
        return out;
    }
    out.spread();
    for (const int lane : LaneRange{mask}) out.at[lane] = bits(a.of(lane), b.of(lane));
    return out;
}

Lanes WarpExecutor::apply_reals(const Expr& expr, const Lanes& a, const Lanes& b, std::uint32_t mask) const {
    const Scalar type = expr.type.scalar, from = expr.parts.back()->type.scalar;
    if (!expr.type.is_single() || from == Scalar::float16 || !apply_sign_to_reals(expr.sign, 0, 1)) return {};
    const bool sum = expr.sign == "+" || expr.sign == "-";
    const auto products =
        std::ranges::count_if(expr.parts, [](const auto& part) { return is_product(*part); });
    // The product of two doubles has more bits than a double; of two products nvcc joins one.
    if (sum && products > (from == Scalar::float32 ? 1 : 0)) return {};
    const auto result = [&](double one, double other) {
        return sum ? *apply_sign_to_reals(expr.sign, one, other)
                   : *apply_sign_to_reals(expr.sign, rounded(one, from), rounded(other, from));
    };
    if (!is_floating(type))
        return each_real(a, b, mask,
                         [&](double one, double other) { return std::int64_t(result(one, other)); });
    return each_real(a, b, mask, [&](double one, double other) {
        return is_product(expr) ? result(one, other) : rounded(result(one, other), type);
    });
}

Lanes WarpExecutor::function_of_reals(const Expr& expr, const std::vector<Lanes>& parts,
                                      std::uint32_t mask) const {
    for (const ExprPtr& part : expr.parts)
        if (!is_floating(part->type.scalar)) return {};
    const Scalar first = expr.parts.front()->type.scalar, last = expr.parts.back()->type.scalar;
    return each_real(parts.front(), parts.back(), mask, [&](double one, double other) {
        return rounded(expr.of_numbers(rounded(one, first), rounded(other, last)), expr.type.scalar);
    });
}

Lanes WarpExecutor::cast_real(const Expr& expr, Lanes of, std::uint32_t mask) const {
    const Type &from = expr.parts[0]->type, &to = expr.type;
    if (!from.is_single() || !to.is_single() || from.scalar == Scalar::float16 ||
        to.scalar == Scalar::float16 || !follows(of, mask))
        return {};
    if (!is_floating(from.scalar)) {
        if (of.moves() && !unit_.makes_integers) return {};
        hold(of);
        of.spread();
        for (std::int64_t& at : of.at) at = std::bit_cast<std::int64_t>(double(at));
        of.find_even();
    }
    if (is_floating(to.scalar))
        return each_real(of, of, mask,
                         [&](double one, double) { return rounded(rounded(one, from.scalar), to.scalar); });
    return each_real(of, of, mask, [&](double one, double) {
        one = rounded(one, from.scalar);
        return to.scalar == Scalar::boolean ? std::int64_t{one != 0} : cut_off(one, to.scalar);
    });
}

}  // namespace warplens::typed
