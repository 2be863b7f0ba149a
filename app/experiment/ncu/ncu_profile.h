#pragma once

#include "app/experiment/ncu/ncu_compare.h"
#include "app/model/device/capability.h"

#include <vector>

namespace warplens {

/// The words that profile_words() should have for a scenario: time, the resources of its kernel as they were
/// recorded, conflicts from its addresses.
std::vector<ExpectedCounter> expect_profile(const NcuBasis& basis, const DeviceFacts& device,
                                            const ExpectedLaunch& addresses);

/// Add the rows of profile_words() that the launch has. Occupancy is worked out from the launch's own
/// resources, whether or not there is a basis.
/// @param expected  of the scenario; empty if there is none
/// @param facts     by whose rules; null if they are not known
void compare_profile(ComparedLaunch& compared, const std::vector<ExpectedCounter>& expected,
                     const CapabilityFacts* facts);

}  // namespace warplens
