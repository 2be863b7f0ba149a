#include "app/pictures/kit/palette.h"

#include <gtest/gtest.h>

namespace warplens::test::thick_lines_tests {

TEST(ThickLines, LinesAreThickerAndPlacesStay) {
    Picture picture;
    picture.size = {100, 50};
    picture.shapes = {Box{.rect = {1, 2, 3, 4}, .stroke_width = 1}, Path{{{0, 0}, {5, 5}}, {}, 2},
                      Wire{{0, 0}, {9, 9}, {}, 1.5f}, Mark{{4, 4}, MarkShape::circle, 4, {}}};
    picture.hits = {Hit{{0, 0, 10, 10}, 3}};
    const Picture thick = with_thick_lines(picture, 2);
    EXPECT_EQ(std::get<Box>(thick.shapes[0]).stroke_width, 2);
    EXPECT_EQ(std::get<Box>(thick.shapes[0]).rect.w, 3);
    EXPECT_EQ(std::get<Path>(thick.shapes[1]).width, 4);
    EXPECT_EQ(std::get<Path>(thick.shapes[1]).points[1].x, 5);
    EXPECT_EQ(std::get<Wire>(thick.shapes[2]).width, 3);
    EXPECT_GT(std::get<Mark>(thick.shapes[3]).radius, 4);
    EXPECT_EQ(thick.hits.size(), 1u);
    EXPECT_EQ(std::get<Path>(with_thick_lines(picture, 1).shapes[1]).width, 2);
}

}  // namespace warplens::test::thick_lines_tests
