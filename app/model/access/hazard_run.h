#pragma once

#include "app/model/access/hazards.h"

#include <cstdint>
#include <optional>

namespace warplens {

/// A run of a block that its barriers allow, and what comes out of it.
///
/// Between two barriers each warp runs as far as it can before the next one begins, its lanes in step; one
/// warp is the first. Shared memory holds zeros at first. Input values are chosen so that a wrong one shows.
struct HazardRun {
    int first_warp = 0;
    int first_thread = -1;  ///< the lane that runs ahead of the rest of its warp. -1 if lanes run in step.
    bool in_step = false;   ///< it is wrong because lanes run in step, whichever warp is the first
    int thread = 0;         ///< whose result it is
    std::int64_t right = 0, wrong = 0;
    int results = 0;        ///< of how many threads the result is compared, and
    int wrong_results = 0;  ///< how many of them are wrong
};

/// Words for the values that a run computes.
inline const ValueMeaning& values_of(const Scenario& scenario) { return scenario.facts->sharing.values; }

/// A run that gives a wrong result: the first one found when the later threads of the report's line pairs run
/// first. Empty if none of these runs does, in particular if there is no hazard.
std::optional<HazardRun> find_wrong_run(const Scenario& scenario, const Params& params,
                                        const HazardReport& report);

/// The result of a thread when a warp runs first, and within it a lane if that is not -1.
std::int64_t result_of_run(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out,
                           int first_warp, int first_thread, int thread);

}  // namespace warplens
