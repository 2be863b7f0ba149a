#pragma once

#include "app/experiment/state.h"
#include "app/figures/figure_options.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What of the window becomes a figure.
enum class FigurePart {
    picture,   ///< the instruction in the large picture
    pictures,  ///< all instructions
    plot,      ///< curve, heatmap, or cycles against wavefronts
    all,       ///< pictures and plot
    board,     ///< one of the maps
};

enum class FigureSize { slide, classic, a4, window };  ///< 16:9, 4:3, a column of A4, as large as the window

/// How the window's figures are written, as `export` takes it; kept from run to run.
struct FigureForm {
    FigurePart part = FigurePart::all;
    FigureFormat format = FigureFormat::png;
    bool steps = false;              ///< an animated PNG of the steps, and one PNG for each
    std::optional<ThemeName> theme;  ///< empty: the window's; its palette is the window's
    FigureSize size = FigureSize::slide;
    int scale = 2;  ///< pixels per point, 1 to 4
    bool transparent = false, caption = true, license = true, outlines = false;
    std::string folder;  ///< where the last one was written; empty: the program's working folder

    friend bool operator==(const FigureForm&, const FigureForm&) = default;
};

/// What a figure is made of: the window as it stands.
struct FigureSource {
    const State& state;
    int focus = 0;  ///< instruction in the large picture; -1: all
    ThemeChoice look;
    int width = 1280, height = 800;  ///< of the window [points]
};

/// Which parts there are now, the one in front first; empty: the board has no picture.
std::vector<FigurePart> figure_parts(const FigureSource& source);

/// The part that is written: the form's, or the first one where that is not there.
/// @pre figure_parts is not empty.
FigurePart chosen_part(const FigureForm& form, const FigureSource& source);

/// The options of `export` for it, without recordings.
FigureOptions figure_options(const FigureForm& form, FigurePart part, const FigureSource& source);

/// "transpose-traffic.svg": a name that says what is in it.
std::string figure_name(const FigureForm& form, FigurePart part, const FigureSource& source);

/// "png": how such a file's name ends.
std::string_view ending_of(const FigureForm& form);

// Names in the file that is kept from run to run.
std::string_view part_name(FigurePart part);
std::string_view size_name(FigureSize size);
std::optional<FigurePart> find_part(std::string_view name);
std::optional<FigureSize> find_size(std::string_view name);

}  // namespace warplens
