#pragma once

#include "app/typed/parse/source.h"

#include <vector>

namespace warplens::typed {

inline constexpr std::size_t kMostTokens = 400'000;

/// Whether the expression behind #if holds, whose macros are replaced. Names are 0.
bool holds_condition(const std::vector<Token>& tokens);

}  // namespace warplens::typed
