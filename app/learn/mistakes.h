#pragma once

#include "app/learn/quiz.h"

#include <span>
#include <string_view>

namespace warplens {

/// A mistake of a figure, and the question that leads to it.
struct FigureMistake {
    int line;               ///< that is wrong
    std::string_view text;  ///< what goes wrong, with numbers, and what is asked
    std::string_view why;
};

/// A published figure whose code has mistakes.
struct FigureWithMistakes {
    std::string_view id;      ///< for --mistakes: "figure-4.7"
    std::string_view title;   ///< "Tiled matrix product, figure 4.7"
    std::string_view source;  ///< the key of its ClaimSource
    std::string_view code;    ///< with the numbers of the lines
    std::span<const FigureMistake> mistakes;
};
std::span<const FigureWithMistakes> figures_with_mistakes();
/// Null if there is none with this id.
const FigureWithMistakes* find_figure(std::string_view id);

/// Questions that lead to the mistakes of a figure one by one.
/// @param device  index into devices, for the setting to look at.
Quiz make_mistake_quiz(const FigureWithMistakes& figure, std::size_t device);

}  // namespace warplens
