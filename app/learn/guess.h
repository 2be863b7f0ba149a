#pragma once

#include <array>
#include <optional>
#include <string>

namespace warplens {

/// Compared with the scenario's defaults.
enum class Pace { slower, same, faster };

/// A person's guess about a setting before its numbers are shown. Empty members were not guessed.
struct Guess {
    std::optional<double>
        count;  ///< what the pictured request costs: sectors, wavefronts, passes; or a share [%]
    std::optional<Pace> pace;
    std::optional<double> speed;  ///< in the unit of the plot

    bool empty() const { return !count && !pace && !speed; }
    friend bool operator==(const Guess&, const Guess&) = default;
};

/// The text that is being typed in courses, predictions and quizzes.
struct LearnInputs {
    std::array<char, 16> count{}, speed{}, answer{};
    std::optional<Pace> pace;
    std::string of;  ///< the setting or question that they belong to. For another one they are cleared.
    std::array<char, 12> seed{'2', '0', '2', '6'};
    int questions = 10;
    int space = -1;  ///< the Space of a quiz. -1 for all.
    std::array<char, 1024> csv_path{};
};

}  // namespace warplens
