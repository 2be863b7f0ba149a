#pragma once

#include "app/model/catalogue.h"

namespace warplens {

/// Sectors that a warp of texture-filter fetches, as the mean over some warps evenly spread over the texture
/// in the middle of the image. Single warps have more or fewer, by where their texels lie in the sectors.
/// Provenance: approximate, as all counts of linear filtering.
double mean_filter_sectors(const Scenario& scenario, const Params& params);

}  // namespace warplens
