#pragma once

#include "app/pictures/kit/picture.h"

#include <array>
#include <optional>
#include <string_view>

namespace warplens {

enum class ThemeName {
    dark,
    light,
    high_contrast,  ///< white on black, for bright rooms and weak eyes
    print,          ///< black on white: greys, patterns and shapes instead of colours
};
inline constexpr ThemeName kThemeNames[] = {ThemeName::dark, ThemeName::light, ThemeName::high_contrast,
                                            ThemeName::print};
/// "dark": as --theme takes it, and as files name it.
std::string_view theme_key(ThemeName name);
/// Empty: there is no such theme.
std::optional<ThemeName> find_theme(std::string_view key);

/// The colours of data: which series, lane, heat map and difference have. All are told apart by eyes of all
/// kinds (a test measures it); which one is liked best, and comes through a projector best, differs.
enum class PaletteName {
    okabe_ito,  ///< Okabe and Ito's series; cividis, viridis; blue to vermilion
    tol,        ///< Tol's vibrant series; his iridescent, YlOrBr and sunset
    plasma,     ///< plasma, magma and inferno, which span more of lightness; purple to green
};
inline constexpr PaletteName kPaletteNames[] = {PaletteName::okabe_ito, PaletteName::tol,
                                                PaletteName::plasma};
/// "okabe-ito": as --palette takes it, and as files name it.
std::string_view palette_key(PaletteName name);
/// Empty: there is no such palette.
std::optional<PaletteName> find_palette(std::string_view key);

/// What a person chooses of colours.
struct ThemeChoice {
    ThemeName theme = ThemeName::dark;
    PaletteName palette = PaletteName::okabe_ito;  ///< `print`, which has greys, does without

    friend bool operator==(const ThemeChoice&, const ThemeChoice&) = default;
};

/// Colours by meaning, one set per theme and palette. Text has a contrast of at least 4.5 to 1, marks 3 to 1.
struct Theme {
    ThemeName name;
    PaletteName palette;
    Color page, panel, panel_border, control, control_hover;
    Color text, text_weak, accent, accent_text;
    Color grid, outline;          ///< thin lines of pictures; outline of what was not fetched
    Color cell_empty;             ///< a bank cell that no lane wants
    Color hatch;                  ///< fetched but not used; padding
    Color good, bad, highlight;   ///< free of conflicts, conflicts, the lane under the mouse
    std::array<Color, 7> series;  ///< in `print` greys that patterns and markers tell apart
};

/// Places in Theme::series that always mean the same.
inline constexpr int kSeriesMeasured = 4;  ///< blue in all palettes
inline constexpr int kSeriesModel = 5;     ///< a red or vermilion

const Theme& theme(ThemeChoice look);
inline const Theme& theme(ThemeName name) { return theme(ThemeChoice{.theme = name}); }

/// How the points of one GPU are drawn in a plot.
struct SeriesLook {
    Color color;
    MarkShape shape;
};
/// @param look  0: the GPU that is here; from 1 on recordings, which differ in colour up to 5, then in the
/// pair of colour and marker up to 25.
SeriesLook series_look(const Theme& theme, int look);

/// Colour of a lane, 0 to 31: from dark to light, the same on lanes, wires and memory cells.
Color lane_color(const Theme& theme, int lane);

/// Colour of a ramp, t from 0 to 1.
Color ramp_color(Ramp ramp, float t);
/// The ramps of a theme: of wavefronts, which goes from a good colour to a bad one, and of words.
Ramp wavefront_ramp(const Theme& theme);
Ramp word_ramp(const Theme& theme);

/// Colour of a value in a heatmap, t from 0 to 1: lightness rises evenly for all eyes.
Color heat_color(const Theme& theme, float t);

/// Colour of a difference, t from 0 through 0.5 (light: no difference) to 1: told apart by eyes of all kinds,
/// and as far from the middle on both sides.
Color difference_color(const Theme& theme, float t);

/// Where a value of a heat cell stands on its ramp: `first` is the first colour, `max` the last.
float ramp_position(float value, float first, float max);

/// Black or white, whichever is easier to read on the colour.
Color text_on(Color background);

/// Relative luminance by WCAG 2.1, 0 to 1.
double luminance(Color color);

/// WCAG contrast ratio, 1 to 21.
double contrast(Color a, Color b);

/// The colour, moved towards black or white until it stands out from the background by that contrast ratio.
Color distinct_from(Color color, Color background, double ratio);

Color with_alpha(Color color, float alpha);
Color mix(Color a, Color b, float t);

}  // namespace warplens
