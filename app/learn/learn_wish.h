#pragma once

#include <array>
#include <optional>
#include <string>

namespace warplens {

/// Compared with the scenario's defaults.
enum class Pace { slower, same, faster };

/// What a person guesses about a setting before its numbers are shown. Empty: not guessed.
struct Guess {
    std::optional<double>
        count;  ///< what the pictured request costs: sectors, wavefronts, passes; or a share [%]
    std::optional<Pace> pace;
    std::optional<double> speed;  ///< in the unit of the plot

    bool empty() const { return !count && !pace && !speed; }
    friend bool operator==(const Guess&, const Guess&) = default;
};

/// What a person did in a course, a prediction or a quiz (app/learn/learning.h carries it out).
struct LearnWish {
    enum class Act {
        none,
        open_course,  ///< text: its id
        leave_course,
        reset_course,   ///< text: its id; its progress is forgotten
        go_to_step,     ///< number: from 0
        set_up,         ///< the step's link once more
        show_me,        ///< what the step asks for
        predict_first,  ///< number: 1 on, 0 off
        guess,          ///< guess: of the present setting, or of the step
        give_up,        ///< show the numbers without a guess
        start_quiz,     ///< text: seed; number: questions; space: -1 for all
        answer,         ///< text: what was typed or chosen
        look_at,        ///< number: which of the question's settings
        next_question,
        leave_quiz,
        write_answers,  ///< text: path of a CSV file
    };
    Act act = Act::none;
    std::string text;
    int number = 0;
    int space = -1;
    Guess guess;
};

/// What is being typed there.
struct LearnInputs {
    bool menu = false;  ///< the menu of courses is to be opened
    std::array<char, 16> count{}, speed{}, answer{};
    std::optional<Pace> pace;
    std::string of;  ///< the setting or question that they belong to: for another one they are empty again
    std::array<char, 12> seed{'2', '0', '2', '6'};
    int questions = 10;
    int space = -1;  ///< of a quiz; -1: all
    std::array<char, 1024> csv_path{};
};

}  // namespace warplens
