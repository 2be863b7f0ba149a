#include "app/learn/learn_keys.h"

#include <atomic>

namespace warplens {

Work<Fixes> answer(const FixKey& key, Store&) {
    return in_steps(find_fixes(key.setting, *key.table, key.choice));
}

Work<Quiz> answer(const QuizKey& key, Store&) {
    struct Steps : Slow<Quiz> {
        explicit Steps(const QuizKey& of) : key(of) {}
        bool step() override {
            if (!work) {
                work = begin_quiz(key.seed, key.count, key.about, key.device, *key.table);
            } else if (!work->result) {
                work->step();
                far = work->how_far();
            } else {
                result = std::move(work->result);
                // What the window shows first is executed and counted here, too, and kept by the kernel.
                if (key.kernel() != nullptr)
                    gather_evidence(result->questions.front().settings.front(), *key.table);
            }
            return !result;
        }
        double how_far() const override { return far; }
        const QuizKey key;
        Work<Quiz> work;
        std::atomic<double> far = 0;
    };
    return std::make_unique<Steps>(key);
}

}  // namespace warplens
