#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// Metrics that are read for the facts and differences derived from them; nothing is predicted of these.
struct NcuExtra {
    std::string_view metric;
    std::string_view
        label;  ///< as the details page names it where whole sections were collected; empty if it is `metric`
    bool whole = true;  ///< it counts things
};
std::span<const NcuExtra> ncu_extras();

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
