#pragma once

#include "app/answers/setting_keys.h"
#include "app/learn/fixes.h"
#include "app/learn/quiz.h"

#include <cstddef>
#include <cstdint>

namespace warplens {

/// Asks what would fix a setting.
struct FixKey {
    Setting setting;
    FixChoice choice;
    Ready<Devices> table;
    friend bool operator==(const FixKey&, const FixKey&) = default;
};
Work<Fixes> answer(const FixKey& key, Store&);

/// A quiz, in steps. That of a typed kernel executes it at up to 16 settings, which may take half a second.
struct QuizKey {
    std::uint32_t seed = 0;
    int count = 1;
    QuizAbout about;
    std::size_t device = 0;  ///< whose rules apply
    Ready<Devices> table;

    /// The typed kernel that the quiz is about. Null if it is about other things as well.
    const Scenario* kernel() const {
        return about.here && about.here->scenario->typed != nullptr ? about.here->scenario : nullptr;
    }
    friend bool operator==(const QuizKey&, const QuizKey&) = default;
};
Work<Quiz> answer(const QuizKey& key, Store&);

}  // namespace warplens
