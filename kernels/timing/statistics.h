#pragma once

#include "kernels/timing/timed.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warplens {

/// Median and quartiles of some samples, and the uncertainty of the median.
struct Spread {
    double median = 0;
    double lower = 0;  ///< first quartile
    double upper = 0;  ///< third quartile
    /// half the width of the median's 95 % confidence interval; infinite below 6 samples
    double half_width = INFINITY;
};

/// The quantile of some samples, interpolated linearly. `sorted` must not be empty.
inline double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

/// How many of the smallest (and as many of the largest) samples lie outside the median's 95 % confidence
/// interval.
///
/// Each sample falls below the true median with probability 1/2, so the number of such samples has a binomial
/// distribution, whatever the distribution of the times.
/// @return  the largest k with P(fewer than k below) <= 2.5 %; 0 if there are too few samples.
inline int samples_outside(int count) {
    double probability = std::pow(0.5, count), sum = 0;
    int k = 0;
    while (k < count && sum + probability <= 0.025) {
        sum += probability;
        probability *= double(count - k) / (k + 1);
        ++k;
    }
    return k;
}

/// @param samples  at least one
inline Spread spread_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    Spread spread{quantile(samples, 0.5), quantile(samples, 0.25), quantile(samples, 0.75)};
    const std::size_t outside = samples_outside(int(samples.size()));
    if (outside > 0) spread.half_width = (samples[samples.size() - outside] - samples[outside - 1]) / 2;
    return spread;
}

enum class Stopped { precise, repeats, seconds, cancelled };

struct Repeats {
    std::vector<double> samples;
    Stopped stopped = Stopped::repeats;
};

/// Take samples until the stop rule is satisfied; at least one, unless cancelled before.
/// @param cancel  may be null
/// @param sample  () -> double takes one measurement
template <class Sample>
Repeats repeat_until(const StopRule& rule, const std::atomic<bool>* cancel, Sample sample) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    Repeats repeats;
    while (true) {
        if (cancel != nullptr && cancel->load()) return repeats.stopped = Stopped::cancelled, repeats;
        repeats.samples.push_back(sample());
        const int count = int(repeats.samples.size());
        if (count >= rule.min_repeats) {
            const Spread spread = spread_of(repeats.samples);
            if (spread.half_width <= rule.relative_error * spread.median) {
                return repeats.stopped = Stopped::precise, repeats;
            }
        }
        if (count >= rule.max_repeats) return repeats.stopped = Stopped::repeats, repeats;
        const std::chrono::duration<double> seconds = Clock::now() - begin;
        if (seconds.count() >= rule.max_seconds) return repeats.stopped = Stopped::seconds, repeats;
    }
}

}  // namespace warplens
