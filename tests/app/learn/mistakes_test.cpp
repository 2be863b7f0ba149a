// The figure with mistakes: each of them makes the result wrong, and without them it is the product.
#include "app/learn/mistakes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warplens::test::mistakes_tests {
namespace {

using Matrix = std::vector<float>;

/// Multiples of 1/4, so that all sums are exact.
Matrix random_matrix(int width, std::mt19937& random) {
    Matrix matrix;
    for (int i = 0; i < width * width; ++i)
        matrix.push_back(static_cast<float>(static_cast<int>(random() % 33) - 16) / 4);
    return matrix;
}

/// By the definition.
Matrix product(const Matrix& m, const Matrix& n, int width) {
    Matrix result;
    for (int row = 0; row < width; ++row) {
        for (int column = 0; column < width; ++column) {
            float sum = 0;
            for (int k = 0; k < width; ++k)
                sum += m[static_cast<std::size_t>(row * width + k)] *
                       n[static_cast<std::size_t>(k * width + column)];
            result.push_back(sum);
        }
    }
    return result;
}

constexpr bool FigureFixes::*kMistakes[] = {&FigureFixes::float_sum, &FigureFixes::rows_first,
                                            &FigureFixes::wait_loaded, &FigureFixes::wait_used};

TEST(Mistakes, WithAllOfThemMendedItIsTheProduct) {
    std::mt19937 random(3);
    for (const auto& [width, tile] : {std::pair{4, 2}, {8, 4}, {16, 4}, {12, 3}, {16, 16}}) {
        const Matrix m = random_matrix(width, random), n = random_matrix(width, random);
        EXPECT_EQ(run_figure(FigureFixes::all(), m, n, width, tile).product, product(m, n, width));
    }
}

TEST(Mistakes, EachAloneMakesTheResultWrong) {
    std::mt19937 random(4);
    for (const auto mistake : kMistakes) {
        for (int trial = 0; trial < 20; ++trial) {
            const Matrix m = random_matrix(8, random), n = random_matrix(8, random);
            FigureFixes fixes = FigureFixes::all();
            fixes.*mistake = false;
            EXPECT_NE(run_figure(fixes, m, n, 8, 4).product, product(m, n, 8));
        }
    }
    FigureFixes early = FigureFixes::all();
    early.store_once = false;
    const Matrix ones(64, 1);
    EXPECT_EQ(run_figure(early, ones, ones, 8, 4).product, product(ones, ones, 8)) << "only more stores";
    EXPECT_EQ(run_figure(early, ones, ones, 8, 4).stores_per_thread, 2);
    EXPECT_EQ(run_figure(FigureFixes::all(), ones, ones, 8, 4).stores_per_thread, 1);
}

// By hand: 0.25 cut to 0 sixteen times is 0; the first thread to run has only its own pair in the first of
// four tiles, and ones in the others: 1 + 3 * 4.
TEST(Mistakes, TheNumbersOfTheQuestions) {
    const Quiz quiz = make_mistake_quiz(*find_figure("figure-4.7"), 0);
    ASSERT_EQ(quiz.questions.size(), 5u);
    std::string all;
    std::set<std::string> lines;
    for (const Question& question : quiz.questions) {
        all += question.text + "\n";
        lines.insert(question.right);
        EXPECT_EQ(question.kind, QuestionKind::mistake);
        EXPECT_EQ(std::ranges::count(question.choices, question.right), 1);
        EXPECT_FALSE(question.recorded.empty());
        EXPECT_NE(question.code.find("13    Pd[Row][Col] = Pvalue;"), std::string::npos);
    }
    EXPECT_EQ(lines.size(), 5u) << "each asks for another line";
    EXPECT_NE(all.find("should be 4. It becomes 0."), std::string::npos) << all;
    EXPECT_NE(all.find("writes its element 4 times"), std::string::npos) << all;
    EXPECT_NE(all.find("should be 16. If the thread of this element runs first, it becomes 13"),
              std::string::npos)
        << all;
    EXPECT_NE(all.find("so Pd[1][0] should be 1. It becomes "), std::string::npos) << all;
    EXPECT_EQ(all.find("It becomes 1."), std::string::npos) << "that would be no mistake\n" << all;
}

TEST(Mistakes, OnlyTheRightLineCounts) {
    const Quiz quiz = make_mistake_quiz(*find_figure("figure-4.7"), 0);
    EXPECT_TRUE(is_right(quiz.questions[0], "line 7"));
    EXPECT_FALSE(is_right(quiz.questions[0], "line 8"));
    EXPECT_EQ(find_figure("figure-4.8"), nullptr);
}

}  // namespace
}  // namespace warplens::test::mistakes_tests
