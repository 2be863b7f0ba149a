#pragma once

#include "app/learn/quiz.h"

#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// What is mended of the tiled matrix product as a draft of a textbook prints it (figure 4.7 of "CUDA
/// Memories", by David Kirk and Wen-mei Hwu). Nothing: as printed.
struct FigureFixes {
    bool float_sum = false;    ///< line 7: the sum is a float, not an int
    bool rows_first = false;   ///< lines 9, 10, 12: arrays are indexed [row][column], as C stores them
    bool wait_loaded = false;  ///< a barrier before line 11: both tiles are complete
    bool wait_used = false;    ///< a barrier after line 12: nobody needs the tiles any more
    bool store_once = false;   ///< line 13 stands behind the loop over tiles

    static constexpr FigureFixes all() { return {true, true, true, true, true}; }
};

/// What one run of the kernel leaves behind.
struct FigureRun {
    std::vector<float> product;  ///< Pd, row by row
    int stores_per_thread = 0;   ///< how often each thread writes its element
};

/// Execute the figure for Width x Width matrices, as C++ would read it. Between barriers the threads of a
/// block run one after the other, each as far as it gets, last thread first: an order that CUDA allows.
/// Shared memory holds zeros when a block begins.
/// @param m, n   Md and Nd, row by row: width * width elements.
/// @param width  a multiple of `tile`.
FigureRun run_figure(const FigureFixes& fixes, const std::vector<float>& m, const std::vector<float>& n,
                     int width, int tile);

/// A published figure whose code has mistakes.
struct FigureWithMistakes {
    std::string_view id;      ///< for --mistakes: "figure-4.7"
    std::string_view title;   ///< "Tiled matrix product, figure 4.7"
    std::string_view source;  ///< the key of its ClaimSource
    std::string_view code;    ///< with the numbers of the lines
};
std::span<const FigureWithMistakes> figures_with_mistakes();
/// Null if there is none with this id.
const FigureWithMistakes* find_figure(std::string_view id);

/// Questions that lead to the mistakes one by one: each tells what goes wrong, with numbers of run_figure,
/// and asks for the line.
/// @param device  index into devices, for the setting to look at.
Quiz make_mistake_quiz(const FigureWithMistakes& figure, std::size_t device);

}  // namespace warplens
