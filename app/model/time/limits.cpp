#include "app/model/time/limits.h"

#include "kernels/loop_shape.h"

#include <cmath>

namespace warplens::limits {

Limit soft_maximum(std::span<const Limit> limits, double softness) {
    Limit longest;
    for (const Limit& limit : limits) {
        if (limit.seconds > longest.seconds) longest = limit;
    }
    if (longest.seconds <= 0) return {};
    double sum = 0;
    for (const Limit& limit : limits) sum += std::pow(limit.seconds / longest.seconds, softness);
    return {longest.seconds * std::pow(sum, 1 / softness), longest.limiter};
}

double launch_seconds(double kernel_seconds, bool cold) {
    if (cold) return kColdLaunchUs * 1e-6;
    constexpr double kBorder =
        0.05;  // of the time: the width of a border that the model does not know more precisely
    const double alone_us = kernel_seconds * 1e6 + kEventLaunchUs;
    const double beyond = (alone_us / kShortLaunchUs - 1) / kBorder;
    const double alone = 1 / (1 + std::exp(-2 * beyond));
    return (alone * kEventLaunchUs + (1 - alone) * kGraphLaunchUs) * 1e-6;
}

}  // namespace warplens::limits
