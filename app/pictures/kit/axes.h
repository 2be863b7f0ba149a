#pragma once

#include "app/pictures/kit/pictures.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct Tick {
    double value = 0;
    std::string text = {};
};

/// Round steps (1, 2, 5 times a power of ten) from zero, as many as have `least_points` of room each.
std::vector<Tick> linear_ticks(double max, float points, float least_points);

/// Powers of ten, with 2 and 5 between them where there is room.
std::vector<Tick> log_ticks(double min, double max, float points, float least_points);

/// Ticks on the knob's own settings, thinned out until the numbers do not touch.
std::vector<Tick> setting_ticks(const Curve& curve, const PlotArea& plot, const TextMeasure& measure);

/// A setting as a person reads it: "8", "4 B", "2^25"; powers that count bytes as "64 KB".
std::string setting_text(const Knob& knob, double value);

/// A value of the plotted quantity as a person reads it: a speed whole from 10 on, cycles from 100 on.
std::string value_text(double value, SpeedUnit speed_unit);

/// What stands at the axis of a knob: "stride, elements"; a unit that the name says is not said twice.
std::string axis_name(const Knob& knob);

/// "stride": a label in the middle of a sentence.
std::string lower_first(std::string_view text);

/// A size of memory in units of 1,024, as caches are named: "4 KB", "248 KB", "62.5 MB".
std::string size_text(double bytes);

}  // namespace warplens
