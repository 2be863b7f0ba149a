#pragma once

#include "app/experiment/state.h"
#include "app/learn/markdown.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The lesson that belongs to what the window shows: "transpose", or "board-traffic" while that board is in
/// front. Its text is assets/lessons/<key>.md.
std::string lesson_key(const State& state);

/// The same for a scenario, and for a board; boards that only lay out the scenario have none of their own.
std::string lesson_key(const Scenario& scenario);
std::string lesson_key(Board board);

/// A lesson, read once, with its glossary terms marked; valid for the whole run. Empty: there is none.
const std::vector<Block>& lesson(std::string_view key);

}  // namespace warplens
