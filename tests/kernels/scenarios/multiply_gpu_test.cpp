// Every variant of matrix-multiply and of matrix-ladder computes the product, exactly: its matrices hold
// multiples of 1/128, so that no sum is ever rounded, in whatever order it is formed.
#include "app/model/catalogue.h"
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/matrix_ladder.h"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/timing/cublas.h"

#include "tests/kernels/scenarios/kernel_output.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace warplens::test::multiply_gpu_tests {
namespace {

std::vector<float> floats_of(const std::vector<unsigned char>& bytes) {
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return floats;
}

/// By the definition, in double.
std::vector<float> product_of(int n, const std::vector<float>& a, const std::vector<float>& b) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> sums(size * size);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t k = 0; k < size; ++k) {
            for (std::size_t column = 0; column < size; ++column)
                sums[row * size + column] += double{a[row * size + k]} * b[k * size + column];
        }
    }
    return {sums.begin(), sums.end()};
}

struct Matrices {
    std::vector<float> a, b, c;
};

class MultiplyGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
    }

    static Matrices run(const Params& p, std::string_view scenario = "matrix-multiply") {
        const auto output = test::launch_to_host(scenario, p);
        if (const auto* why = std::get_if<Unavailable>(&output)) {
            ADD_FAILURE() << why->reason;
            return {};
        }
        const auto& host = std::get<test::KernelOutput>(output);
        return {floats_of(host.in), floats_of(host.second), floats_of(host.after)};
    }
};

TEST_F(MultiplyGpu, EveryVariantComputesTheProduct) {
    for (const int matrix : {64, 128, 384}) {
        std::vector<float> expected;
        for (const Choice& variant : MatrixMultiply::kVariants) {
            for (const Choice& tile : MatrixMultiply::kTiles) {
                for (const int padding : {0, 1, 4, 7}) {
                    Params p = MatrixMultiply::info.defaults;
                    p.matrix = matrix;
                    p.variant = variant.value;
                    p.tile = tile.value;
                    p.padding = padding;
                    clamp_knobs(*find_scenario("matrix-multiply"), p);
                    const Matrices matrices = run(p);
                    if (expected.empty()) expected = product_of(matrix, matrices.a, matrices.b);
                    ASSERT_EQ(matrices.c, expected)
                        << variant.name << " tile " << tile.name << " padding " << padding << " n " << matrix;
                }
            }
        }
    }
}

TEST_F(MultiplyGpu, EveryRungComputesTheProduct) {
    for (const int matrix : {256, 768}) {
        std::vector<float> expected;
        for (const Choice& variant : MatrixLadder::kVariants) {
            for (const int stages : {2, 3, 4}) {
                Params p = MatrixLadder::info.defaults;
                p.matrix = matrix;
                p.variant = variant.value;
                p.distance = stages;
                const Matrices matrices = run(p, "matrix-ladder");
                if (expected.empty()) expected = product_of(matrix, matrices.a, matrices.b);
                ASSERT_EQ(matrices.c, expected) << variant.name << " stages " << stages << " n " << matrix;
                if (!ladder::is_async(p)) break;
            }
        }
    }
}

TEST_F(MultiplyGpu, TheMatricesLookRandom) {
    Params p = MatrixMultiply::info.defaults;
    p.matrix = 128;
    const Matrices matrices = run(p);
    double sum = 0, squares = 0, mixed = 0;
    for (std::size_t i = 0; i < matrices.a.size(); ++i) {
        ASSERT_LE(std::abs(matrices.a[i]), 1);
        sum += matrices.a[i];
        squares += double{matrices.a[i]} * matrices.a[i];
        mixed += double{matrices.a[i]} * matrices.b[i];
    }
    const auto count = static_cast<double>(matrices.a.size());
    EXPECT_NEAR(sum / count, 0, 0.02);
    EXPECT_NEAR(squares / count, 1.0 / 3, 0.02) << "spread evenly from -1 to 1";
    EXPECT_NEAR(mixed / count, 0, 0.02) << "A and B have nothing in common";
}

TEST_F(MultiplyGpu, CublasAgrees) {
    Params p = MatrixMultiply::info.defaults;
    p.matrix = 512;
    p.variant = static_cast<int>(Multiply::vectorized);
    const Matrices matrices = run(p);
    const auto product = multiply_with_cublas(p.matrix, matrices.a, matrices.b);
    if (const auto* why = std::get_if<Unavailable>(&product)) GTEST_SKIP() << why->reason;
    EXPECT_EQ(std::get<std::vector<float>>(product), matrices.c);
}

/// All elements of large products: blocks, groups of blocks and the last tiles.
TEST_F(MultiplyGpu, CublasAgreesWithEveryRung) {
    for (const Choice& variant : MatrixLadder::kVariants) {
        Params p = MatrixLadder::info.defaults;
        p.matrix = 2048;
        p.variant = variant.value;
        const Matrices matrices = run(p, "matrix-ladder");
        const auto product = multiply_with_cublas(p.matrix, matrices.a, matrices.b);
        if (const auto* why = std::get_if<Unavailable>(&product)) GTEST_SKIP() << why->reason;
        EXPECT_TRUE(std::get<std::vector<float>>(product) == matrices.c) << variant.name;
    }
}

}  // namespace
}  // namespace warplens::test::multiply_gpu_tests
