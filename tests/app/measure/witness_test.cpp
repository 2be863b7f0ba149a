#include "app/measure/witness.h"

#include <gtest/gtest.h>

namespace warplens::test::witness_tests {

TEST(Witness, HasValuesByTheirNamesInOrder) {
    ASSERT_FALSE(shipped_witness().empty());
    for (const Witness& one : shipped_witness()) {
        EXPECT_EQ(one.where(), one.gpu + ", " + one.date + ", driver for CUDA " + one.cuda);
        EXPECT_FALSE(one.values.empty());
        EXPECT_EQ(one.find("no such value"), nullptr);
        for (const auto& [name, value] : one.values) {
            EXPECT_EQ(one.find(name), &value);
            EXPECT_TRUE(0 <= value.least && value.least <= value.median && value.median <= value.most)
                << name;
        }
    }
}

}  // namespace warplens::test::witness_tests
