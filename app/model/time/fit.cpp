#include "app/model/time/fit.h"

#include <algorithm>

namespace warplens {

std::optional<LineFit> fit_line(std::span<const FitSample> samples) {
    if (samples.empty()) return std::nullopt;
    const auto count = double(samples.size());
    FitSample mean;
    for (const FitSample& s : samples) {
        mean.x += s.x / count;
        mean.y += s.y / count;
    }
    double xx = 0, xy = 0, yy = 0;
    bool spread = false;
    for (const FitSample& s : samples) {
        const double dx = s.x - mean.x, dy = s.y - mean.y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        spread = spread ||
                 s.x != samples.front().x;  // compared exactly, because the sums of equal x need not be zero
    }
    if (!spread || xx <= 0) return std::nullopt;
    LineFit fit{.slope = xy / xx, .r_squared = 1, .points = samples.size()};
    fit.intercept = mean.y - fit.slope * mean.x;
    if (yy > 0) fit.r_squared = std::clamp(xy * xy / (xx * yy), 0.0, 1.0);
    return fit;
}

}  // namespace warplens
