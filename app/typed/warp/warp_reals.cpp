#include "app/typed/warp/warp_executor.h"

#include <bit>
#include <cmath>

namespace warplens::typed {
namespace {

double real(std::int64_t bits) { return std::bit_cast<double>(bits); }
/// As a number of this type.
std::int64_t bits_of(double value, Scalar type) {
    return std::bit_cast<std::int64_t>(type == Scalar::float64 ? value : double(float(value)));
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
/// doubles, which do not move evenly: so they are those of one block and one round.
bool WarpExecutor::follows(const Lanes& one, std::uint32_t mask) const {
    return (one.known & mask) == mask && (unit_.makes_integers || one.is_uniform());
}

template <class Of>
Lanes WarpExecutor::each_real(const Lanes& a, const Lanes& b, std::uint32_t mask, const Of& of) const {
    Lanes out;
    if (!follows(a, mask) || !follows(b, mask)) return out;
    out.known = mask;
    if (a.is_uniform() && b.is_uniform()) {
        out.base = of(real(a.base), real(b.base));
        return out;
    }
    out.spread();
    for (const int lane : LaneRange{mask}) out.at[lane] = of(real(a.of(lane)), real(b.of(lane)));
    return out;
}

Lanes WarpExecutor::apply_reals(const Expr& expr, const Lanes& a, const Lanes& b, std::uint32_t mask) const {
    const Scalar type = expr.type.scalar;
    if (!expr.type.is_single() || type == Scalar::float16 || !apply_sign_to_reals(expr.sign, 0, 1)) return {};
    return each_real(a, b, mask, [&](double one, double other) {
        const double result = *apply_sign_to_reals(expr.sign, one, other);
        return is_floating(type) ? bits_of(result, type) : std::int64_t(result);
    });
}

Lanes WarpExecutor::function_of_reals(const Expr& expr, const std::vector<Lanes>& parts,
                                      std::uint32_t mask) const {
    for (const ExprPtr& part : expr.parts)
        if (!is_floating(part->type.scalar)) return {};
    return each_real(parts.front(), parts.back(), mask, [&](double one, double other) {
        return bits_of(expr.of_numbers(one, other), expr.type.scalar);
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
    return each_real(of, of, mask, [&](double one, double) {
        if (is_floating(to.scalar)) return bits_of(one, to.scalar);
        if (to.scalar == Scalar::boolean) return std::int64_t{one != 0};
        constexpr double kMost = 9.2e18;  // of 64 bits
        return std::abs(one) < kMost ? wrap(std::int64_t(one), to.scalar) : 0;
    });
}

}  // namespace warplens::typed
