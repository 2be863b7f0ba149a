#include "app/learn/mistakes.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

// A test runs the figure with one mistake at a time for the numbers.
constexpr FigureMistake kMistakes[] = {
    {7,
     "All elements of Md and Nd are 0.5, and Width is 16, so each element of Pd should be 4. It becomes 0. Which "
     "line is the reason?",
     "The sum is an int. 0 + 0.25 is cut to 0 each time. It has to be a float: float Pvalue = 0;"},
    {13,
     "TILE_WIDTH is 4, Width 16. Each thread writes its element 4 times, though one time would do. Which line "
     "stands in the wrong place?",
     "The store stands inside the loop over tiles. The result is right after the last tile, so it belongs behind "
     "the loop: one store instead of one for each tile."},
    {10,
     "All elements are 1 and Width is 16, so Pd[3][3] should be 16. If the thread of this element runs first, it "
     "becomes 13: it reads elements that no thread has brought yet. After which line must all threads wait?",
     "Mds and Nds are complete only when all threads have stored. So __syncthreads() belongs between line 10 and "
     "line 11."},
    {12,
     "With that barrier, but no other, and with 0, 1, 2 and 3 in the four tiles of each row of Md and 1 everywhere "
     "in Nd, Pd[0][0] should be 24. If its thread comes last, it becomes 33: the others have already brought the "
     "next tile. After which line must they wait?",
     "A thread that is ahead overwrites what another one still reads. So a second __syncthreads() belongs behind "
     "line 12, at the end of the loop over tiles."},
    {9,
     "C stores arrays row by row: Md[row][column]. In row r of Md all elements are r, and Nd is the unit matrix, so "
     "Pd[1][0] should be 1. It becomes 0. Which line is the first to read with row and column exchanged?",
     "Line 9 reads Md[m*TILE_WIDTH + tx][Row]: the column stands where C wants the row. Lines 10 and 12 have the "
     "same fault. In C it is Mds[ty][tx] = Md[Row][m*TILE_WIDTH + tx], then Nds[ty][tx] = Nd[m*TILE_WIDTH + ty][Col], "
     "and Mds[ty][k] * Nds[k][tx]. Then neighbouring lanes also read neighbouring elements."}};

constexpr FigureWithMistakes kFigures[] = {{"figure-4.7", "Tiled matrix product, figure 4.7", "cuda-memories",
                                            R"(__global__ void MatrixMulKernel(float* Md, float* Nd,
                                float* Pd, int Width) {
 1  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
 2  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
 3  int bx = blockIdx.x;  int by = blockIdx.y;
 4  int tx = threadIdx.x; int ty = threadIdx.y;
 5  int Row = by * TILE_WIDTH + ty;
 6  int Col = bx * TILE_WIDTH + tx;
 7  int Pvalue = 0;
 8  for (int m = 0; m < Width/TILE_WIDTH; ++m) {
 9    Mds[tx][ty] = Md[m*TILE_WIDTH + tx][Row];
10    Nds[tx][ty] = Nd[Col][m*TILE_WIDTH + ty];
11    for (int k = 0; k < TILE_WIDTH; ++k)
12      Pvalue += Mds[tx][k] * Nds[k][ty];
13    Pd[Row][Col] = Pvalue;
    }
})",
                                            kMistakes}};

}  // namespace

std::span<const FigureWithMistakes> figures_with_mistakes() { return kFigures; }

const FigureWithMistakes* find_figure(std::string_view id) {
    const auto found = std::ranges::find(kFigures, id, &FigureWithMistakes::id);
    return found == std::end(kFigures) ? nullptr : &*found;
}

Quiz make_mistake_quiz(const FigureWithMistakes& figure, std::size_t device) {
    Quiz quiz{.code = std::string(figure.code), .figure = std::string(figure.id)};
    for (const FigureMistake& mistake : figure.mistakes) {
        Question question{.kind = QuestionKind::mistake,
                          .settings = {initial_state(*find_scenario("matrix-multiply"), device)},
                          .situation = fmt::format("{}, as a draft of a textbook prints it.", figure.title),
                          .code = std::string(figure.code),
                          .text = std::string(mistake.text),
                          .right = fmt::format("line {}", mistake.line),
                          .recorded = std::string(mistake.why)};
        for (int line = 5; line <= 13; ++line) question.choices.push_back(fmt::format("line {}", line));
        quiz.questions.push_back(std::move(question));
    }
    return quiz;
}

}  // namespace warplens
