#include "app/pictures/kit/palette.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace warplens {
namespace {

constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex), 255};
}

/// Cividis: Nunez, Anderton and Renslow, PLoS ONE 13(7), 2018; ten even steps of matplotlib's table.
constexpr Color kCividis[] = {rgb(0x00224e), rgb(0x123570), rgb(0x3b496c), rgb(0x575d6d), rgb(0x707173),
                              rgb(0x8a8678), rgb(0xa59c74), rgb(0xc3b369), rgb(0xe1cc55), rgb(0xfee838)};

/// Viridis: van der Walt and Smith, 2015 (CC0); ten even steps of matplotlib's table.
constexpr Color kViridis[] = {rgb(0x440154), rgb(0x482878), rgb(0x3e4989), rgb(0x31688e), rgb(0x26828e),
                              rgb(0x1f9e89), rgb(0x35b779), rgb(0x6ece58), rgb(0xb5de2b), rgb(0xfde725)};

/// Okabe and Ito's blue and vermilion with a neutral between that stands out from both themes' panels.
constexpr Color kBlueVermilion[] = {rgb(0x0072b2), rgb(0x4d82a3), rgb(0x8b8a84), rgb(0xb67446),
                                    rgb(0xd55e00)};

/// Tol, "Colour schemes", SRON technical note 3.2, 2021: the vibrant scheme's blue and red with the same
/// neutral.
constexpr Color kBlueRed[] = {rgb(0x0077bb), rgb(0x4d84a0), rgb(0x8b8a84), rgb(0xab6048), rgb(0xcc3311)};

/// Tol's iridescent from its dark end, and his YlOrBr likewise; sunset.
constexpr Color kIridescent[] = {rgb(0x46353a), rgb(0x684957), rgb(0x805770), rgb(0x906388),
                                 rgb(0x9a709e), rgb(0x9b8ac4), rgb(0x8da3dc), rgb(0x7bbce7),
                                 rgb(0x88ceef), rgb(0xa8d8dc), rgb(0xd0e7ca), rgb(0xf5f3c1)};
constexpr Color kYlOrBr[] = {rgb(0x662506), rgb(0x993404), rgb(0xcc4c02), rgb(0xec7014),
                             rgb(0xfb9a29), rgb(0xfec44f), rgb(0xfee391), rgb(0xfff7bc)};
constexpr Color kSunset[] = {rgb(0x364b9a), rgb(0x4a7bb7), rgb(0x6ea6cd), rgb(0x98cae1),
                             rgb(0xc2e4ef), rgb(0xeaeccc), rgb(0xfeda8b), rgb(0xfdb366),
                             rgb(0xf67e4b), rgb(0xdd3d2d), rgb(0xa50026)};

/// Plasma, magma and inferno: van der Walt and Smith, 2015 (CC0); ten even steps of matplotlib's tables.
constexpr Color kPlasma[] = {rgb(0x0d0887), rgb(0x46039f), rgb(0x7201a8), rgb(0x9c179e), rgb(0xbd3786),
                             rgb(0xd8576b), rgb(0xed7953), rgb(0xfb9f3a), rgb(0xfdca26), rgb(0xf0f921)};
constexpr Color kMagma[] = {rgb(0x000004), rgb(0x180f3d), rgb(0x440f76), rgb(0x721f81), rgb(0x9e2f7f),
                            rgb(0xcd4071), rgb(0xf1605d), rgb(0xfd9668), rgb(0xfeca8d), rgb(0xfcfdbf)};
constexpr Color kInferno[] = {rgb(0x000004), rgb(0x1b0c41), rgb(0x4a0c6b), rgb(0x781c6d), rgb(0xa52c60),
                              rgb(0xcf4446), rgb(0xed6925), rgb(0xfb9b06), rgb(0xf7d13d), rgb(0xfcffa4)};

/// From purple to gold through the neutral; and ColorBrewer's PRGn, from green through white to purple
/// (Harrower and Brewer, The Cartographic Journal 40(1), 2003).
constexpr Color kPurpleGold[] = {rgb(0x7a5bb5), rgb(0x82739c), rgb(0x8b8a84), rgb(0xa28947), rgb(0xb8860b)};
constexpr Color kPurpleGreen[] = {rgb(0x00441b), rgb(0x5aae61), rgb(0xd9f0d3), rgb(0xf7f7f7),
                                  rgb(0xe7d4e8), rgb(0x9970ab), rgb(0x40004b)};

/// Even steps of lightness (CIE L* 61 to 10) for print; the lightest stands out from white paper.
constexpr Color kGreys[] = {rgb(0x949494), rgb(0x737373), rgb(0x545454), rgb(0x363636), rgb(0x1b1b1b)};

/// Between shades of Okabe and Ito's blue and vermilion, lightest in the middle: hue tells the side,
/// lightness how far.
constexpr Color kDifference[] = {rgb(0x00477a), rgb(0x2a86bf), rgb(0x9fcae4), rgb(0xf3f1ec),
                                 rgb(0xf1b98c), rgb(0xd56f22), rgb(0x8a3700)};

/// What a palette is made of, but for its series.
struct ColorMaps {
    std::string_view key;
    Ramp wavefront, words;
    std::span<const Color> lanes, heat, difference;
};
constexpr ColorMaps kMaps[] = {
    {"okabe-ito", Ramp::blue_vermilion, Ramp::viridis, kCividis, kCividis, kDifference},
    {"tol", Ramp::blue_red, Ramp::ylorbr, kIridescent, kIridescent, kSunset},
    {"plasma", Ramp::purple_gold, Ramp::magma, kPlasma, kInferno, kPurpleGreen},
};
static_assert(std::size(kMaps) == std::size(kPaletteNames));

const ColorMaps& maps_of(PaletteName name) { return kMaps[static_cast<int>(name)]; }

Color along(std::span<const Color> stops, float t) {
    const float at = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix(stops[low], stops[low + 1], at - static_cast<float>(low));
}

// Series of the first palette follow Okabe and Ito (2008): orange, sky blue, bluish green, yellow, blue,
// vermilion, reddish purple. What is too close to a theme's panel is darkened or lightened until it has a
// contrast of 3 to 1.
constexpr Theme kDark{.name = ThemeName::dark,
                      .palette = PaletteName::okabe_ito,
                      .page = rgb(0x15181b),
                      .panel = rgb(0x1d2124),
                      .panel_border = rgb(0x343a40),
                      .control = rgb(0x2a2f34),
                      .control_hover = rgb(0x383f46),
                      .text = rgb(0xe8eaec),
                      .text_weak = rgb(0xa3abb3),
                      .accent = rgb(0x56b4e9),
                      .accent_text = rgb(0x0b1720),
                      .grid = rgb(0x3a4147),
                      .outline = rgb(0x747d86),
                      .cell_empty = rgb(0x2b3035),
                      .hatch = rgb(0x7b848d),
                      .good = rgb(0x2fb98c),
                      .bad = rgb(0xf5813a),
                      .highlight = rgb(0x8fd6ff),
                      .series = {rgb(0xe69f00), rgb(0x56b4e9), rgb(0x1fae85), rgb(0xf0e442), rgb(0x3d96d2),
                                 rgb(0xe8702a), rgb(0xcc79a7)}};

constexpr Theme kLight{.name = ThemeName::light,
                       .palette = PaletteName::okabe_ito,
                       .page = rgb(0xf3f4f6),
                       .panel = rgb(0xffffff),
                       .panel_border = rgb(0xd5d9de),
                       .control = rgb(0xeceef1),
                       .control_hover = rgb(0xdde1e6),
                       .text = rgb(0x1f2429),
                       .text_weak = rgb(0x59626b),
                       .accent = rgb(0x0072b2),
                       .accent_text = rgb(0xffffff),
                       .grid = rgb(0xdfe2e6),
                       .outline = rgb(0x8a929b),
                       .cell_empty = rgb(0xeceef1),
                       .hatch = rgb(0x868e97),
                       .good = rgb(0x00795a),
                       .bad = rgb(0xad4900),
                       .highlight = rgb(0x00599c),
                       .series = {rgb(0xc28600), rgb(0x3a98d0), rgb(0x00875f), rgb(0x4f4b00), rgb(0x0072b2),
                                  rgb(0xc04c00), rgb(0xb25a8b)}};

constexpr Theme kHighContrast{.name = ThemeName::high_contrast,
                              .palette = PaletteName::okabe_ito,
                              .page = rgb(0x000000),
                              .panel = rgb(0x000000),
                              .panel_border = rgb(0xb4bac0),
                              .control = rgb(0x1c1c1c),
                              .control_hover = rgb(0x3a3a3a),
                              .text = rgb(0xffffff),
                              .text_weak = rgb(0xdcdfe2),
                              .accent = rgb(0xffd54a),
                              .accent_text = rgb(0x000000),
                              .grid = rgb(0x565c62),
                              .outline = rgb(0xaab0b6),
                              .cell_empty = rgb(0x26292c),
                              .hatch = rgb(0xaab0b6),
                              .good = rgb(0x4be3b0),
                              .bad = rgb(0xff9a52),
                              .highlight = rgb(0xffffff),
                              .series = {rgb(0xffb000), rgb(0x7cc8ff), rgb(0x2fd9a8), rgb(0xfff27a),
                                         rgb(0x3d9be8), rgb(0xff7a33), rgb(0xf29ad0)}};

// All greys, and none twice among those that carry a meaning: app/pictures/kit/looks.h goes by them.
// Series lie 10 units of lightness (CIE L*) apart.
constexpr Theme kPrint{.name = ThemeName::print,
                       .palette = PaletteName::okabe_ito,
                       .page = rgb(0xffffff),
                       .panel = rgb(0xffffff),
                       .panel_border = rgb(0xb0b0b0),
                       .control = rgb(0xf0f0f0),
                       .control_hover = rgb(0xdedede),
                       .text = rgb(0x000000),
                       .text_weak = rgb(0x404040),
                       .accent = rgb(0x222222),
                       .accent_text = rgb(0xffffff),
                       .grid = rgb(0xd8d8d8),
                       .outline = rgb(0x757575),
                       .cell_empty = rgb(0xf4f4f4),
                       .hatch = rgb(0x7a7a7a),
                       .good = rgb(0x525252),
                       .bad = rgb(0x0d0d0d),
                       .highlight = rgb(0x020202),
                       .series = {rgb(0x5e5e5e), rgb(0x919191), rgb(0x303030), rgb(0x777777), rgb(0x1b1b1b),
                                  rgb(0x010101), rgb(0x474747)}};

using Series = std::array<Color, 7>;

/// The series of the other palettes: Tol's vibrant scheme with the yellow of his muted one, and hues between
/// plasma's ends; each shade chosen for its theme so that the nearest two are as far apart as can be for eyes
/// of all kinds (tests/app/pictures/kit/palette_test.cpp).
struct PaletteSeries {
    ThemeName theme;
    PaletteName palette;
    Series series;
};
constexpr PaletteSeries kSeries[] = {
    {ThemeName::dark,
     PaletteName::tol,
     {rgb(0xef7f3e), rgb(0x6bcef3), rgb(0x20a697), rgb(0xddcc77), rgb(0x0077bb), rgb(0xcc3311),
      rgb(0xef3a7c)}},
    {ThemeName::light,
     PaletteName::tol,
     {rgb(0xe57331), rgb(0x124052), rgb(0x12a091), rgb(0x50492b), rgb(0x0069a5), rgb(0xb72e0f),
      rgb(0xef3b7c)}},
    {ThemeName::high_contrast,
     PaletteName::tol,
     {rgb(0xee7733), rgb(0x8fdaf6), rgb(0x00695d), rgb(0xddcc77), rgb(0x3392c9), rgb(0xb82e0f),
      rgb(0xf589b0)}},
    {ThemeName::dark,
     PaletteName::plasma,
     {rgb(0xf0a030), rgb(0xb09cff), rgb(0x7cc3ba), rgb(0xece685), rgb(0x4b6cf0), rgb(0xcf4f27),
      rgb(0xb43d87)}},
    {ThemeName::light,
     PaletteName::plasma,
     {rgb(0x83571a), rgb(0x9887dd), rgb(0x20786d), rgb(0x9b9647), rgb(0x4b6cf0), rgb(0x632612),
      rgb(0xda6db0)}},
    {ThemeName::high_contrast,
     PaletteName::plasma,
     {rgb(0xf0a030), rgb(0xb19eff), rgb(0x72beb5), rgb(0xede78d), rgb(0x4766e2), rgb(0xc44b25),
      rgb(0xa84f85)}},
};

template <class Name, std::size_t n>
std::optional<Name> find_key(const Name (&names)[n], std::string_view (*key_of)(Name), std::string_view key) {
    const auto found = std::ranges::find(names, key, key_of);
    return found == std::end(names) ? std::nullopt : std::optional(*found);
}

Theme with_palette(Theme theme, PaletteName palette) {
    if (theme.name == ThemeName::print) return theme;
    theme.palette = palette;
    for (const PaletteSeries& one : kSeries) {
        if (one.theme == theme.name && one.palette == palette) theme.series = one.series;
    }
    return theme;
}

}  // namespace

std::string_view theme_key(ThemeName name) {
    switch (name) {
        case ThemeName::dark:
            return "dark";
        case ThemeName::light:
            return "light";
        case ThemeName::high_contrast:
            return "high-contrast";
        case ThemeName::print:
            return "print";
    }
    return "";
}

const Theme& theme(ThemeChoice look) {
    static const auto themes = [] {
        std::array<std::array<Theme, std::size(kPaletteNames)>, std::size(kThemeNames)> all;
        for (const Theme& one : {kDark, kLight, kHighContrast, kPrint}) {
            for (const PaletteName palette : kPaletteNames)
                all[static_cast<std::size_t>(one.name)][static_cast<std::size_t>(palette)] =
                    with_palette(one, palette);
        }
        return all;
    }();
    return themes[static_cast<std::size_t>(look.theme)][static_cast<std::size_t>(look.palette)];
}

std::string_view palette_key(PaletteName name) { return maps_of(name).key; }

std::optional<PaletteName> find_palette(std::string_view key) {
    return find_key(kPaletteNames, palette_key, key);
}

std::optional<ThemeName> find_theme(std::string_view key) { return find_key(kThemeNames, theme_key, key); }

SeriesLook series_look(const Theme& theme, int look) {
    if (look <= 0) return {theme.series[kSeriesMeasured], MarkShape::diamond};
    // Neither blue nor vermilion: those are measured and model.
    constexpr std::array<std::size_t, 5> kColors{2, 6, 0, 1, 3};
    constexpr std::array kShapes{MarkShape::triangle, MarkShape::square, MarkShape::triangle_down,
                                 MarkShape::cross, MarkShape::circle};
    const auto k = static_cast<std::size_t>(look - 1);
    return {theme.series[kColors[k % 5]], kShapes[(k + k / 5) % 5]};
}

Color lane_color(const Theme& theme, int lane) {
    return along(maps_of(theme.palette).lanes, static_cast<float>(lane) / 31.0f);
}

Color ramp_color(Ramp ramp, float t) {
    static constexpr std::span<const Color> kRamps[kRampCount] = {
        kBlueVermilion, kViridis, kGreys, kBlueRed, kYlOrBr, kPurpleGold, kMagma};
    return along(kRamps[static_cast<int>(ramp)], t);
}

Ramp wavefront_ramp(const Theme& theme) {
    return theme.name == ThemeName::print ? Ramp::greys : maps_of(theme.palette).wavefront;
}

Ramp word_ramp(const Theme& theme) {
    return theme.name == ThemeName::print ? Ramp::greys : maps_of(theme.palette).words;
}

Color heat_color(const Theme& theme, float t) { return along(maps_of(theme.palette).heat, t); }

Color difference_color(const Theme& theme, float t) { return along(maps_of(theme.palette).difference, t); }

float ramp_position(float value, float first, float max) {
    return max <= first ? 0.0f : std::clamp((value - first) / (max - first), 0.0f, 1.0f);
}

Color text_on(Color background) {
    constexpr Color kBlack = rgb(0x000000), kWhite = rgb(0xffffff);
    return contrast(kWhite, background) >= contrast(kBlack, background) ? kWhite : kBlack;
}

// The powers are tabled: layouts ask for the contrast of every cell.
double luminance(Color c) {
    static const auto linear = [] {
        std::array<double, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i) {
            const double v = static_cast<double>(i) / 255;
            table[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        }
        return table;
    }();
    return 0.2126 * linear[c.r] + 0.7152 * linear[c.g] + 0.0722 * linear[c.b];
}

double contrast(Color a, Color b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Color with_alpha(Color color, float alpha) {
    color.a = static_cast<std::uint8_t>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255.0f));
    return color;
}

Color mix(Color a, Color b, float t) {
    const auto between = [t](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(from) + static_cast<float>(to - from) * t));
    };
    return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

Color distinct_from(Color color, Color background, double ratio) {
    const Color toward = text_on(background);
    Color seen = color;
    for (float t = 0.1f; contrast(seen, background) < ratio && t <= 1.0f; t += 0.1f)
        seen = mix(color, toward, t);
    return seen;
}

}  // namespace warplens
