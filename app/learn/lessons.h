#pragma once

#include "app/experiment/state.h"
#include "app/learn/markdown.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The lesson that belongs to what the window shows: "transpose", or "board-traffic" while that board is
/// selected. Its text is assets/lessons/<key>.md.
std::string lesson_key(const State& state);

/// The same for a scenario.
std::string lesson_key(const Scenario& scenario);

/// A lesson, read once, with its glossary terms marked; valid for the whole run. Empty if there is none.
const std::vector<Block>& lesson(std::string_view key);

}  // namespace warplens
