#pragma once

#include "app/typed/tree.h"

#include <map>
#include <string>

namespace warplens::typed {

/// How many rounds of the innermost loop around each load nvcc has under way at once. Loads outside of loops
/// are left out.
/// @param unrolls  of Source
std::map<const Expr*, int> rounds_under_way(const Unit& unit,
                                            const std::map<std::size_t, std::string>& unrolls);

}  // namespace warplens::typed
