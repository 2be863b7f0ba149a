#pragma once

#include "app/learn/quiz.h"

#include <ostream>

namespace warplens {

struct QuizCommand;

/// Print the questions of a seed: as text for a work sheet, as JSON, or as CSV into a file.
/// Errors: UsageError for a seed or a space that does not exist, and for a file that cannot be written.
void run_quiz(const QuizCommand& command, std::ostream& out);

/// "2026". Errors: UsageError unless it is a whole number from 0 to 4294967295.
std::uint32_t parse_seed(std::string_view text);

}  // namespace warplens
