#pragma once

#include "app/cli/options.h"

namespace CLI {
class App;
}

namespace warplens {

/// The options of `warplens quiz`.
void add_quiz(CLI::App& app, QuizCommand& command);

}  // namespace warplens
