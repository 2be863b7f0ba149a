#pragma once

#include "app/model/counters/agreement.h"

#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// Counters that Nsight Compute takes from addresses: it adds instructions to the kernel that look at what
/// each warp asks for. They know nothing of arbitration, and no other profiling interface has them.
std::span<const CounterWords> address_words();

/// What they are expected to show of a scenario's whole grid. Nothing of shared memory where the kernel fills
/// it by stores of its own: these counters do not tell loads from stores.
std::vector<ExpectedCounter> expect_address_counters(const Scenario& scenario, const Params& params,
                                                     const DeviceFacts& device);
/// The same for requests that were traced.
std::vector<ExpectedCounter> expect_address_counters(std::span<const CountedAccess> accesses);

/// Addresses do not get in each other's way: these agree to the last digit, or something else was run.
Judgement judge_address_counter(const ExpectedCounter& counter, double counted);

}  // namespace warplens
