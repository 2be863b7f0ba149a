#pragma once

#include "app/model/catalogue.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace warplens {

/// Settings of one scenario that are measured one after the other.
struct PlannedSeries {
    const Scenario* scenario = nullptr;
    std::vector<Params> settings;
};

/// What `measure --all` measures: of every scenario the curves that a person is likely to look at, at the
/// points that plots have. From the defaults: along every axis, and along the first one with each other
/// choice of each knob that has named choices. From every preset: along the first axis. No setting is there
/// twice.
std::vector<PlannedSeries> standard_set();

/// One part of several, for the tasks of an array job.
struct Part {
    std::size_t index = 0;  ///< from 0
    std::size_t count = 1;
};

/// Read "I/N", I from 0 to N - 1. Empty: the whole. Errors: UsageError.
Part parse_part(std::string_view text);

/// Every N-th series, so that all parts take about as long. Together the parts are the whole.
std::vector<PlannedSeries> part_of(std::vector<PlannedSeries> whole, Part part);

std::size_t count_settings(const std::vector<PlannedSeries>& plan);

}  // namespace warplens
