#pragma once

// The folder app/figures/ makes figures for paper and slides: it composes pictures, plots and captions, and
// writes PNG, SVG, PDF, APNG, CSV and JSON. What a picture shows is decided in app/pictures/ and app/boards/;
// which figure is wanted comes from the command line or the window.

#include "app/model/verdict.h"
#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/compared_numbers.h"
#include "app/pictures/plot/curve.h"
#include "app/pictures/plot/heatmap.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The content of a figure: texts and reports, but no positions and sizes.
struct FigureContent {
    std::string title, subtitle;
    std::string settings;  ///< every knob that is not at its default. Empty if all are.
    std::string recorded =
        {};              ///< Of a recorded request: where it was made. It stands in place of the knobs.
    std::string device;  ///< "NVIDIA H200, compute capability 9.0"
    Provenance count_kind = Provenance::exact;
    std::string count_source = {};  ///< for counts that are not exact, one sentence about their source
    struct Item {
        InstructionView view;
        TileShape tile;
        /// Cost of the launch's requests, compared with the ideal: the costliest have room first.
        double cost = 1;
        bool judged = false;  ///< the verdict on the kernel is about it
    };
    std::vector<Item> instructions;
    const Curve* curve = nullptr;  ///< null if there is no bandwidth plot
    // Each of these is alone in a figure. Null if it is not shown.
    const Heatmap* heatmap = nullptr;
    const FitPlot* fit = nullptr;
    std::function<Picture(const Style&)> board = {};  ///< draws the board. Empty if there is none.
    std::vector<std::string> board_caption = {};      ///< the whole caption, if it shows a board
    AccessLook look = {};
    bool slow_kernel = false;  ///< as Style::slow_kernel
    Explanation whole = {};    ///< as Style::whole. Its verdict is empty for the requests' own.
    bool caption = true;       ///< whether to write it below the pictures
    /// Only of a slide, which has no title: the verdict and its tone, and the speed in words.
    bool slide = false;
    std::string headline = {};
    std::vector<std::string> speeds = {};  ///< the longest first
    Tone tone = Tone::plain;
    bool license = true;  ///< whether to name the licence there
};

/// The licence of figures.
inline constexpr std::string_view kLicenseName = "CC BY 4.0";
inline constexpr std::string_view kLicenseAddress = "https://creativecommons.org/licenses/by/4.0/";

/// One picture of a figure, at its place [points].
struct PlacedPicture {
    Picture picture;
    Vec2 position;
    bool of_a = false;  ///< of a comparison's side A: its heat cells and image are that side's
};

/// Lay out a figure: title, the pictures in panels, and a caption with the settings, the GPU and the kinds of
/// numbers. The first picture is the page with its panels; the others are placed on it.
/// @param size  of the whole figure [points], at least 320 x 320.
std::vector<PlacedPicture> compose_figure(const FigureContent& content, const Theme& theme,
                                          const TextMeasure& measure, Vec2 size);

/// The smallest size at which the texts of a figure can be read, near the one that is wanted: wider only if
/// that is too narrow, higher only if it is then too low. The wanted one if it is large enough [points].
Vec2 legible_size(const FigureContent& content, const TextMeasure& measure, Vec2 wanted);

/// The sentences below a figure: "Settings: stride=8, op=load".
std::vector<std::string> figure_caption(const FigureContent& content);

/// Two settings side by side: what their figures show, their names, and the numbers in which they differ.
struct ComparedContent {
    const FigureContent* a = nullptr;
    const FigureContent* b = nullptr;  ///< its curve, if there is one, contains A's (Curve::other)
    std::string name_a, name_b;        ///< "Padding 0". Empty if they are equal.
    std::vector<QuantityPair> numbers;
};

/// Lay out a comparison: A and B next to each other, or above each other on a narrow page; below them the
/// curve, and the numbers that differ. The first picture is the page; those of A have PlacedPicture::of_a
/// set.
/// @param size  of the whole figure [points], at least 320 x 320.
std::vector<PlacedPicture> compose_comparison(const ComparedContent& content, const Theme& theme,
                                              const TextMeasure& measure, Vec2 size);

/// The sentences below a comparison: those that are true for both sides once, the others with "A: " or "B: "
/// in front.
std::vector<std::string> comparison_caption(const ComparedContent& content);

/// The same as of a single figure.
Vec2 legible_size(const ComparedContent& content, const TextMeasure& measure, Vec2 wanted);

/// "Matrix transpose", or "Matrix transpose / Stride and offset" for two scenarios.
std::string comparison_title(const ComparedContent& content);

}  // namespace warplens
