#include "app/base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace warplens::test::has_part_tests {
namespace {

TEST(HasPart, WorkedExamples) {
    struct Example {
        const char *text, *pattern;
        bool fits;
    };
    for (const Example& one : {Example{"transpose_tile(float *)", "tile", true},
                               {"transpose_tile(float *)", "", true},
                               {"transpose_tile(float *)", "tile(float *)", true},
                               {"transpose_tile(float *)", "trans*float", true},
                               {"transpose_tile(float *)", "float*trans", false},
                               {"gather<4>", "gather<?>", true},
                               {"gather<16>", "gather<?>", false},
                               {"aab", "a*ab", true},
                               {"abcabd", "abd", true},
                               {"abcab", "abd", false},
                               {"", "*", true},
                               {"", "?", false}})
        EXPECT_EQ(has_part(one.text, one.pattern), one.fits) << one.text << " | " << one.pattern;
}

}  // namespace
}  // namespace warplens::test::has_part_tests
