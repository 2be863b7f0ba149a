#pragma once

#include "app/figures/figure.h"
#include "app/pictures/plot/compared_numbers.h"

#include <string>
#include <vector>

namespace warplens {

/// Two settings side by side: what their figures show, what they are called, in which numbers they differ.
struct ComparedContent {
    const FigureContent* a = nullptr;
    const FigureContent* b = nullptr;  ///< its curve, if any, has A's beside it (Curve::other)
    std::string name_a, name_b;        ///< "Padding 0"; empty: they are alike
    std::vector<QuantityPair> numbers;
};

/// Lay it out: A and B next to each other, above each other where the page is narrow; below them the curve,
/// and the numbers that differ. The first picture is the page; those of A say so (PlacedPicture::of_a).
/// @param size  of the whole figure [points], at least 320 x 320.
std::vector<PlacedPicture> compose_comparison(const ComparedContent& content, const Theme& theme,
                                              const TextMeasure& measure, Vec2 size);

/// What stands under it: what holds for both once, else with "A: " or "B: " in front.
std::vector<std::string> comparison_caption(const ComparedContent& content);

/// "Matrix transpose"; "Matrix transpose / Strided access" for different ones.
std::string comparison_title(const ComparedContent& content);

}  // namespace warplens
