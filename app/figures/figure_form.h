#pragma once

#include "app/experiment/state.h"
#include "app/figures/figure_options.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The part of the window that becomes a figure.
enum class FigurePart {
    picture,   ///< the instruction in the large picture
    pictures,  ///< all instructions
    plot,      ///< curve, heatmap, or cycles against wavefronts
    all,       ///< pictures and plot
    board,     ///< one of the maps
    slide,     ///< what `export --slide` makes of it, 16:9 or 4:3
};

enum class FigureSize { slide, classic, a4, window };  ///< 16:9, 4:3, text width of A4, window's size

/// The options of the window's figures, which correspond to those of `export`. Saved from run to run.
struct FigureForm {
    FigurePart part = FigurePart::all;
    FigureFormat format = FigureFormat::png;
    bool steps = false;              ///< whether to write an animation of the steps, and a PNG for each
    bool play = false;               ///< whether things move in it
    bool gif = false;                ///< whether the animation is a GIF, not a PNG
    std::optional<ThemeName> theme;  ///< Empty for the window's theme. The palette is always the window's.
    FigureSize size = FigureSize::slide;
    int scale = 2;  ///< pixels per point, 1 to 4
    bool transparent = false, caption = true, license = true, outlines = false;
    std::string folder;  ///< of the last figure. Empty for the program's working folder.

    friend bool operator==(const FigureForm&, const FigureForm&) = default;
};

/// The state of the window from which a figure is made.
struct FigureSource {
    const State& state;
    int focus = 0;  ///< instruction in the large picture. -1 for all.
    ThemeChoice look;
    int width = 1280, height = 800;  ///< of the window [points]
};

/// The parts that can be written now, the one in front first. Empty if the board has no picture.
std::vector<FigurePart> figure_parts(const FigureSource& source);

/// The part that is written: the form's, or the first one if that is not there.
/// @pre figure_parts is not empty.
FigurePart chosen_part(const FigureForm& form, const FigureSource& source);

/// The corresponding options of `export`, without recordings.
FigureOptions figure_options(const FigureForm& form, FigurePart part, const FigureSource& source);

/// A file name that says what the figure shows: "transpose-traffic.svg".
std::string figure_name(const FigureForm& form, FigurePart part, const FigureSource& source);

/// The format that is written: steps are always an animation.
FigureFormat format_of(const FigureForm& form);

/// The ending of the file's name: "png".
std::string_view ending_of(const FigureForm& form);

// Names in the saved state.
std::string_view part_name(FigurePart part);
std::string_view size_name(FigureSize size);
std::optional<FigurePart> find_part(std::string_view name);
std::optional<FigureSize> find_size(std::string_view name);

}  // namespace warplens
