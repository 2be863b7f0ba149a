#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// A metric of Nsight Compute that something here makes use of.
struct KnownMetric {
    std::string_view metric;  ///< the one spelling that is used from here on
    bool whole = true;        ///< it counts things, so it has no decimals
};

/// Find a column or a row's name: a metric, with or without its ".sum", or the label of a section.
/// @return  null if nothing makes use of it.
const KnownMetric* find_known_metric(std::string_view name);

/// What `ncu --metrics` is to collect, separated by commas.
std::string ncu_metric_list();

}  // namespace warplens
