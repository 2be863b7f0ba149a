#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warplens {

struct FitSample {
    double x = 0, y = 0;
};

/// A straight line through points, and how well it describes them.
struct LineFit {
    double slope = 0, intercept = 0;
    /// The share of the variance of y that the line explains, 0 to 1 (R squared). 1 if y does not vary.
    double r_squared = 0;
    std::size_t points = 0;
    double at(double x) const { return intercept + slope * x; }
};

/// The least-squares line, with equal weights.
///
/// Sums are taken about the means, so that points far from zero lose no digits.
/// @return  empty with fewer than two distinct x, because no line is better than another.
/// Errors: none; values must be finite.
std::optional<LineFit> fit_line(std::span<const FitSample> samples);

}  // namespace warplens
