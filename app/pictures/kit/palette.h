#pragma once

#include "app/model/verdict.h"
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
/// Its name for --theme and in files, for example "dark".
std::string_view theme_key(ThemeName name);
/// The theme that a key names. Nothing if there is no such theme.
std::optional<ThemeName> find_theme(std::string_view key);

/// A set of colours for data: series, lanes, heatmaps and differences. In each of them colour-blind eyes can
/// tell the colours apart (a test simulates it). Which one looks best depends on taste and on the projector.
enum class PaletteName {
    okabe_ito,  ///< series by Okabe and Ito; cividis and viridis; differences from blue to vermilion
    tol,        ///< Paul Tol's vibrant series; his iridescent and YlOrBr; differences in his sunset
    plasma,     ///< plasma, magma and inferno, which span more lightness; differences purple to green
};
inline constexpr PaletteName kPaletteNames[] = {PaletteName::okabe_ito, PaletteName::tol,
                                                PaletteName::plasma};
/// Its name for --palette and in files, for example "okabe-ito".
std::string_view palette_key(PaletteName name);
/// The palette that a key names. Nothing if there is no such palette.
std::optional<PaletteName> find_palette(std::string_view key);

/// A person's choice of colours.
struct ThemeChoice {
    ThemeName theme = ThemeName::dark;
    PaletteName palette = PaletteName::okabe_ito;  ///< without effect on `print`, which has greys only

    friend bool operator==(const ThemeChoice&, const ThemeChoice&) = default;
};

/// The colours of one theme with one palette, by what they mean. The contrast with the background is at least
/// 4.5 to 1 for text and 3 to 1 for marks.
struct Theme {
    ThemeName name;
    PaletteName palette;
    Color page, panel, panel_border, control, control_hover;
    Color text, text_weak, accent, accent_text;
    Color grid, outline;          ///< of thin lines; of the outline of what was not fetched
    Color cell_empty;             ///< a bank cell that no lane wants
    Color hatch;                  ///< of the lines over what was fetched but not used, and over padding
    Color good, bad, highlight;   ///< no conflicts; conflicts; the lane under the mouse
    std::array<Color, 7> series;  ///< in `print` they are greys, and patterns and markers differ instead
};

/// Indices into Theme::series whose meaning is the same in every palette.
inline constexpr int kSeriesMeasured = 4;  ///< blue in all palettes
inline constexpr int kSeriesModel = 5;     ///< a red or vermilion

/// The colour of a verdict, and of what shows the same thing in a picture.
inline Color color_of(const Theme& theme, Tone tone) {
    return tone == Tone::good ? theme.good : tone == Tone::bad ? theme.bad : theme.text;
}

const Theme& theme(ThemeChoice look);
inline const Theme& theme(ThemeName name) { return theme(ThemeChoice{.theme = name}); }

/// How the points of one GPU are drawn in a plot.
struct SeriesLook {
    Color color;
    MarkShape shape;
};
/// @param look  0 for the GPU of this machine, 1 and more for recordings. Recordings 1 to 5 have different
/// colours; recordings 1 to 25 have different pairs of colour and marker.
SeriesLook series_look(const Theme& theme, int look);

/// Colour of a lane, 0 to 31, from dark to light. Lanes, their wires and their cells in memory share it.
Color lane_color(const Theme& theme, int lane);

/// Colour of a ramp, t from 0 to 1.
Color ramp_color(Ramp ramp, float t);
/// The ramp for wavefronts, which goes from a good colour to a bad one, and the ramp for words.
Ramp wavefront_ramp(const Theme& theme);
Ramp word_ramp(const Theme& theme);

/// Colour of a value in a heatmap, t from 0 to 1. Lightness rises evenly with t.
Color heat_color(const Theme& theme, float t);

/// Colour of a difference, t from 0 to 1. At 0.5, which means no difference, it is light; the two sides have
/// different hues, and equal distances from 0.5 differ equally from the middle.
Color difference_color(const Theme& theme, float t);

/// The position of a heat cell's value on its ramp, 0 to 1. The value `first` has the first colour and `max`
/// the last one.
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

/// A picture as it is to look in a theme: most stay as they are; in `print` every colour becomes the grey of
/// the same lightness (so what could be read before can be read now), areas in the colours of Theme::series
/// and Theme::bad get a pattern each, and rounded cells too light for white paper an outline. Canvas::take()
/// calls it.
Picture in_look_of(const Theme& theme, Picture&& picture);

/// The grey that is as light as the colour, by WCAG's relative luminance; greys stay as they are.
Color grey_of(Color color);

/// The picture with lines, wires, frames and markers that are thicker, for a room: places and sizes stay.
/// @param factor  1 for no change
Picture with_thick_lines(Picture picture, float factor);

}  // namespace warplens
