#pragma once

// The folder app/figures/ makes figures for paper and slides: how pictures, plots and captions are
// composed, and the writers for PNG, SVG, PDF, APNG, CSV and JSON. What a picture shows is decided in
// app/pictures/ and app/boards/; which figure is wanted comes from the command line or the window.

#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/compared_numbers.h"
#include "app/pictures/plot/curve.h"
#include "app/pictures/plot/fit_plot.h"
#include "app/pictures/plot/heatmap.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What a figure shows, in words and reports; nothing about places and sizes.
struct FigureContent {
    std::string title, subtitle;
    std::string settings;  ///< every knob that is not at its default; empty: none
    std::string device;    ///< "NVIDIA H200, compute capability 9.0"
    Provenance count_kind = Provenance::exact;
    std::string count_source = {};  ///< of counts that are not exact: a sentence
    struct Item {
        InstructionView view;
        TileShape tile;
    };
    std::vector<Item> instructions;
    const Curve* curve = nullptr;  ///< null: no bandwidth plot
    // Alone in a figure, or null:
    const Heatmap* heatmap = nullptr;
    const FitPlot* fit = nullptr;
    std::function<Picture(const Style&)> board = {};  ///< empty: none
    std::vector<std::string> board_caption = {};      ///< the whole caption of a figure of a board
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;  ///< the others are dimmed; -1: all
    bool caption = true;      ///< the lines below the pictures
    bool license = true;      ///< name it there
};

/// What figures may be used for.
inline constexpr std::string_view kLicenseName = "CC BY 4.0";
inline constexpr std::string_view kLicenseAddress = "https://creativecommons.org/licenses/by/4.0/";

/// One picture of a figure, at its place [points].
struct PlacedPicture {
    Picture picture;
    Vec2 position;
    bool of_a = false;  ///< of a comparison's side A: its heat cells and image are that side's
};

/// Lay a figure out: title, the pictures in panels, a caption that says what was set, for which GPU, and what
/// kind of numbers there are. The first picture is the page with its panels; the others lie on it.
/// @param size  of the whole figure [points], at least 320 x 320.
std::vector<PlacedPicture> compose_figure(const FigureContent& content, const Theme& theme,
                                          const TextMeasure& measure, Vec2 size);

/// "Settings: stride=8, op=load": what stands under a figure, sentence by sentence.
std::vector<std::string> figure_caption(const FigureContent& content);

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
