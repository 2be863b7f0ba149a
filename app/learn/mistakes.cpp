#include "app/learn/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace warplens {
namespace {

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
})"}};

/// One thread while the figure runs.
struct FigureThread {
    int tx = 0, ty = 0, row = 0, col = 0;
    float sum = 0;
};

/// One block while the figure runs.
class FigureBlock {
public:
    FigureBlock(const FigureFixes& fixes, const std::vector<float>& m, const std::vector<float>& n, int width,
                int tile)
        : fixes_(fixes), m_(m), n_(n), width_(width), tile_(tile) {
        const auto elements = static_cast<std::size_t>(tile) * static_cast<std::size_t>(tile);
        mds_.assign(elements, 0);
        nds_.assign(elements, 0);
    }

    /// Lines 9 and 10.
    void load(const FigureThread& t, int phase) {
        const int first = phase * tile_;
        if (fixes_.rows_first) {
            in_tile(mds_, t.ty, t.tx) = in_matrix(m_, t.row, first + t.tx);
            in_tile(nds_, t.ty, t.tx) = in_matrix(n_, first + t.ty, t.col);
        } else {
            in_tile(mds_, t.tx, t.ty) = in_matrix(m_, first + t.tx, t.row);
            in_tile(nds_, t.tx, t.ty) = in_matrix(n_, t.col, first + t.ty);
        }
    }

    /// Lines 11 and 12. An int forgets the fraction at each addition.
    void add(FigureThread& t) {
        for (int k = 0; k < tile_; ++k) {
            const float product = fixes_.rows_first ? in_tile(mds_, t.ty, k) * in_tile(nds_, k, t.tx)
                                                    : in_tile(mds_, t.tx, k) * in_tile(nds_, k, t.ty);
            t.sum = fixes_.float_sum ? t.sum + product : float(int(t.sum + product));
        }
    }

private:
    float& in_tile(std::vector<float>& tile, int row, int column) { return tile[row * tile_ + column]; }
    float in_matrix(const std::vector<float>& matrix, int row, int column) const {
        return matrix[row * width_ + column];
    }

    const FigureFixes& fixes_;
    const std::vector<float>&m_, &n_;
    int width_, tile_;
    std::vector<float> mds_, nds_;
};

/// The work of one phase between two barriers: what each thread does before it waits.
enum class Part { load, add };

/// The parts of all phases, cut into pieces that no barrier interrupts.
std::vector<std::vector<std::pair<int, Part>>> pieces_of(const FigureFixes& fixes, int phases) {
    std::vector<std::vector<std::pair<int, Part>>> pieces(1);
    for (int phase = 0; phase < phases; ++phase) {
        pieces.back().emplace_back(phase, Part::load);
        if (fixes.wait_loaded) pieces.emplace_back();
        pieces.back().emplace_back(phase, Part::add);
        if (fixes.wait_used) pieces.emplace_back();
    }
    return pieces;
}

std::string number(float value) { return fmt::format("{:g}", value); }

Question about_line(const FigureWithMistakes& figure, std::size_t device, std::string text, int line,
                    std::string why) {
    const Scenario& scenario = *find_scenario("matrix-multiply");
    Question question;
    question.kind = QuestionKind::mistake;
    question.settings = {initial_state(scenario, device)};
    question.situation = fmt::format("{}, as a draft of a textbook prints it.", figure.title);
    question.code = figure.code;
    question.text = std::move(text);
    for (int choice = 5; choice <= 13; ++choice) question.choices.push_back(fmt::format("line {}", choice));
    question.right = fmt::format("line {}", line);
    question.recorded = std::move(why);
    return question;
}

std::vector<float> filled(int width, float value) {
    return std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(width), value);
}

/// An element of the result when one thing is not mended.
float with_mistake(bool FigureFixes::*mistake, const std::vector<float>& m, const std::vector<float>& n,
                   int width, int tile, int row, int column) {
    FigureFixes fixes = FigureFixes::all();
    fixes.*mistake = false;
    return run_figure(fixes, m, n, width, tile).product[row * width + column];
}

}  // namespace

FigureRun run_figure(const FigureFixes& fixes, const std::vector<float>& m, const std::vector<float>& n,
                     int width, int tile) {
    assert(tile > 0 && width % tile == 0);
    const int phases = width / tile, blocks = width / tile;
    FigureRun run{filled(width, 0), fixes.store_once ? 1 : phases};
    const auto pieces = pieces_of(fixes, phases);
    for (int block = 0; block < blocks * blocks; ++block) {
        FigureBlock shared(fixes, m, n, width, tile);
        std::vector<FigureThread> threads;
        for (int i = tile * tile - 1; i >= 0; --i)
            threads.push_back(
                {i % tile, i / tile, block / blocks * tile + i / tile, block % blocks * tile + i % tile, 0});
        for (const auto& piece : pieces) {
            for (FigureThread& thread : threads) {
                for (const auto& [phase, part] : piece) {
                    if (part == Part::load)
                        shared.load(thread, phase);
                    else
                        shared.add(thread);
                }
            }
        }
        for (const FigureThread& thread : threads) run.product[thread.row * width + thread.col] = thread.sum;
    }
    return run;
}

std::span<const FigureWithMistakes> figures_with_mistakes() { return kFigures; }

const FigureWithMistakes* find_figure(std::string_view id) {
    const auto found = std::ranges::find(kFigures, id, &FigureWithMistakes::id);
    return found == std::end(kFigures) ? nullptr : &*found;
}

Quiz make_mistake_quiz(const FigureWithMistakes& figure, std::size_t device) {
    constexpr int kWidth = 16, kTile = 4;
    const std::vector<float> halves = filled(kWidth, 0.5f), ones = filled(kWidth, 1);
    std::vector<float> ramp = filled(kWidth, 0), unit = filled(kWidth, 0);
    for (int i = 0; i < kWidth * kWidth; ++i) {
        ramp[i] = float(i / kWidth);
        unit[i] = i / kWidth == i % kWidth ? 1.0f : 0.0f;
    }
    const float truncated = with_mistake(&FigureFixes::float_sum, halves, halves, kWidth, kTile, 0, 0);
    const float transposed = with_mistake(&FigureFixes::rows_first, ramp, unit, kWidth, kTile, 1, 0);
    const float too_early = with_mistake(&FigureFixes::wait_loaded, ones, ones, kWidth, kTile, 3, 3);
    std::vector<float> blocks_of_k = filled(kWidth, 0);
    for (int i = 0; i < kWidth * kWidth; ++i) blocks_of_k[i] = float(i % kWidth / kTile);
    const float overwritten = with_mistake(&FigureFixes::wait_used, blocks_of_k, ones, kWidth, kTile, 0, 0);
    const float right = run_figure(FigureFixes::all(), blocks_of_k, ones, kWidth, kTile).product[0];
    const int stores = run_figure({}, ones, ones, kWidth, kTile).stores_per_thread;
    const auto ask = [&](std::string text, int line, std::string why) {
        return about_line(figure, device, std::move(text), line, std::move(why));
    };
    return {
        0,
        {ask(fmt::format("All elements of Md and Nd are 0.5, and Width is {}, so each element of Pd should "
                         "be {}. It becomes {}. Which line is the reason?",
                         kWidth, number(0.25f * kWidth), number(truncated)),
             7, "The sum is an int. 0 + 0.25 is cut to 0 each time. It has to be a float: float Pvalue = 0;"),
         ask(fmt::format("TILE_WIDTH is {}, Width {}. Each thread writes its element {} times, though one "
                         "time would do. Which line stands in the wrong place?",
                         kTile, kWidth, stores),
             13,
             "The store stands inside the loop over tiles. The result is right after the last tile, so it "
             "belongs behind the loop: one store instead of one for each tile."),
         ask(fmt::format("All elements are 1 and Width is {}, so Pd[3][3] should be {}. If the thread of "
                         "this element runs first, it becomes {}: it reads elements that no thread has "
                         "brought yet. After which line must all threads wait?",
                         kWidth, kWidth, number(too_early)),
             10,
             "Mds and Nds are complete only when all threads have stored. So __syncthreads() belongs "
             "between line 10 and line 11."),
         ask(fmt::format(
                 "With that barrier, but no other, and with 0, 1, 2 and 3 in the four tiles of each "
                 "row of Md and 1 everywhere in Nd, Pd[0][0] should be {}. If its thread comes last, "
                 "it becomes {}: the others have already brought the next tile. After which line must "
                 "they wait?",
                 number(right), number(overwritten)),
             12,
             "A thread that is ahead overwrites what another one still reads. So a second __syncthreads() "
             "belongs behind line 12, at the end of the loop over tiles."),
         ask(fmt::format(
                 "C stores arrays row by row: Md[row][column]. In row r of Md all elements are r, and "
                 "Nd is the unit matrix, so Pd[1][0] should be 1. It becomes {}. Which line is the "
                 "first to read with row and column exchanged?",
                 number(transposed)),
             9,
             "Line 9 reads Md[m*TILE_WIDTH + tx][Row]: the column stands where C wants the row. Lines 10 and "
             "12 have the same fault. In C it is Mds[ty][tx] = Md[Row][m*TILE_WIDTH + tx], then Nds[ty][tx] = "
             "Nd[m*TILE_WIDTH + ty][Col], and Mds[ty][k] * Nds[k][tx]. Then neighbouring lanes also read "
             "neighbouring elements.")},
        std::string(figure.code)};
}

}  // namespace warplens
