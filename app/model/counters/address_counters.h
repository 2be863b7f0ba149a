#pragma once

#include "app/model/counters/agreement.h"

#include <span>
#include <vector>

namespace warplens {

/// Counters that Nsight Compute computes from addresses: it adds instructions to the kernel that inspect what
/// each warp requests. They do not depend on arbitration, and no other profiling interface has them.
std::span<const CounterWords> address_words();

/// What they are expected to show for a scenario's whole grid. Counters of shared memory are left out if the
/// kernel fills it with additional stores, because these counters do not distinguish loads from stores.
std::vector<ExpectedCounter> expect_address_counters(const Scenario& scenario, const Params& params,
                                                     const DeviceFacts& device);
/// The same for requests that were traced.
std::vector<ExpectedCounter> expect_address_counters(std::span<const CountedAccess> accesses);

/// These counters agree to the last digit, because arbitration has no influence on addresses; otherwise
/// another program was run.
Judgement judge_address_counter(const ExpectedCounter& counter, double counted);

}  // namespace warplens
