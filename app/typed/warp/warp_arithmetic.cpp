#include "app/typed/warp/warp_executor.h"

namespace warplens::typed {
namespace {

// Instructions of a warp, as nvcc 13.0 makes them for sm_90, and those of them for the units of special
// functions and conversions: a quotient of integers of 32 bits, and of 64; of float, and of double.
constexpr Arithmetic kOfIntegers{24, 3}, kOfLongs{75, 4}, kOfFloats{10, 1}, kOfDoubles{14, 1, 10};

bool is_quotient(Sign sign) { return sign == "/" || sign == "%"; }

/// Whether it becomes a part of the sum that it is added to: a multiply-add.
bool is_product(const Expr& expr) {
    return expr.kind == ExprKind::binary && expr.sign == "*" && is_floating(expr.type.scalar);
}
bool has_product(const Expr& expr) {
    if (expr.sign != "+" && expr.sign != "-") return false;
    const bool assigns = expr.kind == ExprKind::assign;
    return is_product(*expr.parts[1]) || (!assigns && is_product(*expr.parts[0]));
}

}  // namespace

/// Additions and products of known integers are places of threads: they are part of what an access takes.
/// Divisions by constants are products and shifts.
void WarpExecutor::compute(const Expr& expr, bool data) {
    if (expr.kind == ExprKind::intrinsic) {
        const double instructions = Intrinsic(expr.value) == Intrinsic::math ? expr.instructions : 1;
        const bool is_double = expr.type.scalar == Scalar::float64;
        arithmetic_ += {instructions, double(expr.special), is_double ? instructions : 0};
        return;
    }
    const Scalar type = expr.parts[0]->type.scalar;
    if (is_quotient(expr.sign) && (is_floating(type) || !fold(unit_, *expr.parts[1]))) {
        arithmetic_ += type == Scalar::float64 ? kOfDoubles
                       : is_floating(type)     ? kOfFloats
                       : bytes_of(type) > 4    ? kOfLongs
                                               : kOfIntegers;
        return;
    }
    if (!data || has_product(expr)) return;
    arithmetic_ += {1, 0, double(type == Scalar::float64)};
}

}  // namespace warplens::typed
