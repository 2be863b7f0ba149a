#include "app/learn/learn_keys.h"

#include <utility>

namespace warplens {

Work<Fixes> answer(const FixKey& key, Store&) {
    return in_steps(find_fixes(key.setting, *key.table, key.choice));
}

static InSteps<Quiz> make_quiz(QuizKey key) {
    auto making = quiz_in_steps(key.seed, key.count, key.about, key.device, *key.table);
    while (making.step()) co_yield making.how_far();
    Quiz quiz = making.take();
    // The window shows the first question, so its setting is executed and counted here, too, and kept by the
    // kernel.
    if (key.kernel() != nullptr) gather_evidence(quiz.questions.front().settings.front(), *key.table);
    co_return quiz;
}
Work<Quiz> answer(const QuizKey& key, Store&) { return in_steps(make_quiz(key)); }

}  // namespace warplens
