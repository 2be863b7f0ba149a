#include "app/pictures/kit/picture.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// From a place among rising stops, counted from 0, to a value, and back: straight between neighbours.
double value_of_step(const std::vector<double>& stops, double step) {
    const double last = double(stops.size() - 1);
    const double at = std::clamp(step, 0.0, last);
    const auto low = std::size_t(at);
    if (low + 1 >= stops.size()) return stops.back();
    return stops[low] + (stops[low + 1] - stops[low]) * (at - double(low));
}

double step_of_value(const std::vector<double>& stops, double value) {
    if (value <= stops.front()) return 0;
    const auto above = std::upper_bound(stops.begin(), stops.end(), value);
    if (above == stops.end()) return double(stops.size() - 1);
    const auto low = above - 1;
    return double(low - stops.begin()) + (value - *low) / (*above - *low);
}

/// The place of a value between two others, 0 to 1.
double share(double value, double low, double high, bool log) {
    if (log) {
        value = std::log(std::max(value, low)), low = std::log(low), high = std::log(high);
    }
    return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.0;
}

}  // namespace

// Even steps keep half a step free at either end, so that the first and the last point are not cut by the
// frame.
double PlotArea::x_at(float x) const {
    const double t = rect.w > 0 ? std::clamp((x - rect.x) / rect.w, 0.0f, 1.0f) : 0.0;
    if (x_even && !x_stops.empty()) {
        return value_of_step(x_stops, t * double(x_stops.size()) - 0.5);
    }
    if (x_log) return x_min * std::pow(x_max / x_min, t);
    return x_min + (x_max - x_min) * t;
}

float PlotArea::x_of(double value) const {
    if (x_even && !x_stops.empty()) {
        const double t = (step_of_value(x_stops, value) + 0.5) / double(x_stops.size());
        return rect.x + rect.w * float(t);
    }
    return rect.x + rect.w * float(share(value, x_min, x_max, x_log));
}

float PlotArea::y_of(double value) const {
    return rect.y + rect.h * float(1 - share(value, y_min, y_max, y_log));
}

double PlotArea::nearest_stop(float x) const {
    if (x_stops.empty()) return x_at(x);
    return *std::min_element(x_stops.begin(), x_stops.end(), [&](double a, double b) {
        return std::abs(x_of(a) - x) < std::abs(x_of(b) - x);
    });
}

const Hit* Picture::hit_at(Vec2 p) const {
    const auto hit =
        std::find_if(hits.rbegin(), hits.rend(), [p](const Hit& h) { return h.rect.contains(p); });
    return hit == hits.rend() ? nullptr : &*hit;
}

}  // namespace warplens
