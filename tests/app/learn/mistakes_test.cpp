// The figure with mistakes: each of them makes the result wrong, and without them it is the product.
#include "app/learn/mistakes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace warplens::test::mistakes_tests {
namespace {

using Matrix = std::vector<float>;

/// What is mended of the figure. Nothing: as printed.
struct Fixes {
    bool float_sum = false, rows_first = false, wait_loaded = false, wait_used = false;
};
constexpr Fixes kAll{true, true, true, true};

/// Runs the figure as C++ would read it. Between barriers the threads of a block run one after the other,
/// each as far as it gets, last thread first: an order that CUDA allows. Shared memory holds zeros when a
/// block begins.
Matrix run_figure(const Fixes& fixes, const Matrix& m, const Matrix& n, int width, int tile) {
    Matrix product(m.size());
    const int blocks = width / tile;
    for (int block = 0; block < blocks * blocks; ++block) {
        Matrix mds(tile * tile), nds(tile * tile), sums(tile * tile);
        const int by = block / blocks * tile, bx = block % blocks * tile;
        const auto load = [&](int tx, int ty, int first) {
            const int to = fixes.rows_first ? ty * tile + tx : tx * tile + ty, row = by + ty, col = bx + tx;
            mds[to] = fixes.rows_first ? m[row * width + first + tx] : m[(first + tx) * width + row];
            nds[to] = fixes.rows_first ? n[(first + ty) * width + col] : n[col * width + first + ty];
        };
        const auto add = [&](int tx, int ty) {
            const int row = fixes.rows_first ? ty : tx, column = fixes.rows_first ? tx : ty;
            float& sum = sums[ty * tile + tx];
            for (int k = 0; k < tile; ++k) {
                sum += mds[row * tile + k] * nds[k * tile + column];
                if (!fixes.float_sum) sum = float(int(sum));
            }
        };
        for (int step = 0, end = 0; step < 2 * blocks; step = end) {  // loads and sums up to the next barrier
            const auto waits = [&](int one) { return one % 2 == 0 ? fixes.wait_loaded : fixes.wait_used; };
            for (end = step + 1; end < 2 * blocks && !waits(end - 1);) ++end;
            for (int i = tile * tile - 1; i >= 0; --i)
                for (int one = step; one < end; ++one)
                    one % 2 == 0 ? load(i % tile, i / tile, one / 2 * tile) : add(i % tile, i / tile);
        }
        for (int i = 0; i < tile * tile; ++i) product[(by + i / tile) * width + bx + i % tile] = sums[i];
    }
    return product;
}

template <class Value>
Matrix filled(int width, Value value) {
    Matrix matrix;
    for (int i = 0; i < width * width; ++i) matrix.push_back(float(value(i / width, i % width)));
    return matrix;
}

/// By the definition.
Matrix product(const Matrix& m, const Matrix& n, int width) {
    return filled(width, [&](int row, int column) {
        float sum = 0;
        for (int k = 0; k < width; ++k) sum += m[row * width + k] * n[k * width + column];
        return sum;
    });
}

constexpr bool Fixes::*kMistakes[] = {&Fixes::float_sum, &Fixes::rows_first, &Fixes::wait_loaded,
                                      &Fixes::wait_used};

TEST(Mistakes, EachAloneMakesTheResultWrong) {
    std::mt19937 random(4);
    // Multiples of 1/4, so that all sums are exact.
    const auto any = [&](int, int) { return float(int(random() % 33) - 16) / 4; };
    for (const auto& [width, tile] : {std::pair{4, 2}, {8, 4}, {16, 4}, {12, 3}, {16, 16}}) {
        const Matrix m = filled(width, any), n = filled(width, any), right = product(m, n, width);
        EXPECT_EQ(run_figure(kAll, m, n, width, tile), right);
        for (const auto mistake : kMistakes) {
            Fixes fixes = kAll;
            fixes.*mistake = false;
            const bool one_tile =
                width == tile && mistake == &Fixes::wait_used;  // nobody brings the next one
            EXPECT_EQ(run_figure(fixes, m, n, width, tile) == right, one_tile);
        }
    }
}

/// An element of a product of 16 x 16 matrices in tiles of 4 x 4, with one mistake and without any.
std::string numbers_of(bool Fixes::*mistake, const Matrix& m, const Matrix& n, int row, int column) {
    Fixes fixes = kAll;
    fixes.*mistake = false;
    const int at = row * 16 + column;
    return fmt::format("should be {}, becomes {}", product(m, n, 16)[at], run_figure(fixes, m, n, 16, 4)[at]);
}

TEST(Mistakes, TheNumbersOfTheQuestions) {
    const Quiz quiz = make_mistake_quiz(*find_figure("figure-4.7"), 0);
    ASSERT_EQ(quiz.questions.size(), 5u);
    std::set<std::string> lines;
    for (const Question& question : quiz.questions) {
        lines.insert(question.right);
        EXPECT_EQ(question.kind, QuestionKind::mistake);
        EXPECT_EQ(std::ranges::count(question.choices, question.right), 1);
        EXPECT_FALSE(question.recorded.empty());
        EXPECT_NE(question.code.find("13    Pd[Row][Col] = Pvalue;"), std::string::npos);
    }
    EXPECT_EQ(lines.size(), 5u) << "each asks for another line";
    const Matrix halves = filled(16, [](int, int) { return 0.5; }),
                 ones = filled(16, [](int, int) { return 1; }),
                 tiles = filled(16, [](int, int column) { return column / 4; }),
                 rows = filled(16, [](int row, int) { return row; }),
                 unit = filled(16, [](int row, int column) { return row == column ? 1 : 0; });
    const std::pair<int, std::string> expected[] = {{0, numbers_of(&Fixes::float_sum, halves, halves, 0, 0)},
                                                    {2, numbers_of(&Fixes::wait_loaded, ones, ones, 3, 3)},
                                                    {3, numbers_of(&Fixes::wait_used, tiles, ones, 0, 0)},
                                                    {4, numbers_of(&Fixes::rows_first, rows, unit, 1, 0)}};
    for (const auto& [question, numbers] : expected) {
        std::smatch said;
        static const std::regex pattern("should be (\\d+)\\.[^.]*becomes (\\d+)[.:]");
        const std::string& text = quiz.questions[question].text;
        ASSERT_TRUE(std::regex_search(text, said, pattern)) << text;
        EXPECT_EQ(fmt::format("should be {}, becomes {}", said[1].str(), said[2].str()), numbers);
    }
}

TEST(Mistakes, OnlyTheRightLineCounts) {
    const Quiz quiz = make_mistake_quiz(*find_figure("figure-4.7"), 0);
    EXPECT_TRUE(is_right(quiz.questions[0], "line 7"));
    EXPECT_FALSE(is_right(quiz.questions[0], "line 8"));
    EXPECT_EQ(find_figure("figure-4.8"), nullptr);
}

}  // namespace
}  // namespace warplens::test::mistakes_tests
