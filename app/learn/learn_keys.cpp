#include "app/learn/learn_keys.h"

#include <utility>

namespace warplens {

Work<Fixes> answer(const FixKey& key, Store&) {
    return in_steps(find_fixes(key.setting, *key.table, key.choice));
}

static InSteps<Quiz> make_quiz(QuizKey key) {
    Work<Quiz> work = begin_quiz(key.seed, key.count, key.about, key.device, *key.table);
    while (!work->result && work->step()) co_yield work->how_far();
    // The window shows the first question, so its setting is executed and counted here, too, and kept by the
    // kernel.
    if (key.kernel() != nullptr)
        gather_evidence(work->result->questions.front().settings.front(), *key.table);
    co_return std::move(*work->result);
}
Work<Quiz> answer(const QuizKey& key, Store&) { return in_steps(make_quiz(key)); }

}  // namespace warplens
