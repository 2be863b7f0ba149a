#include "app/learn/learn_keys.h"

namespace warplens {

Work<Fixes> answer(const FixKey& key, Store&) {
    return in_one_piece<Fixes>([key](const std::stop_token& unwanted) -> std::optional<Fixes> {
        Fixes fixes = find_fixes(key.setting, *key.table, key.choice, unwanted);
        if (unwanted.stop_requested()) return std::nullopt;
        return fixes;
    });
}

Work<Quiz> answer(const QuizKey& key, Store&) {
    return in_one_piece<Quiz>([key](const std::stop_token& unwanted) -> std::optional<Quiz> {
        Quiz quiz = make_quiz(key.seed, key.count, key.about, key.device, *key.table, unwanted);
        if (unwanted.stop_requested()) return std::nullopt;
        // What the window shows first is executed and counted here, too, and kept by the kernel.
        if (key.kernel() != nullptr && !quiz.questions.empty())
            gather_evidence(quiz.questions.front().settings.front(), *key.table);
        return quiz;
    });
}

}  // namespace warplens
