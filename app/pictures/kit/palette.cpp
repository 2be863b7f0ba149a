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

/// A palette is made of these, but for its series.
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

const ColorMaps& maps_of(PaletteName name) { return kMaps[int(name)]; }

Color along(std::span<const Color> stops, float t) {
    const float at = std::clamp(t, 0.0f, 1.0f) * float(stops.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix(stops[low], stops[low + 1], at - float(low));
}

/// A colour by what it means in the dark, the light, the high-contrast and the print theme. Those of print
/// are greys, and none twice among those that carry a meaning: in_look_of goes by them.
struct ThemeColor {
    Color Theme::*meaning;
    Color of_theme[std::size(kThemeNames)];
};
constexpr ThemeColor kColors[] = {
    {&Theme::page, {rgb(0x15181b), rgb(0xf3f4f6), rgb(0x000000), rgb(0xffffff)}},
    {&Theme::panel, {rgb(0x1d2124), rgb(0xffffff), rgb(0x000000), rgb(0xffffff)}},
    {&Theme::panel_border, {rgb(0x343a40), rgb(0xd5d9de), rgb(0xb4bac0), rgb(0xb0b0b0)}},
    {&Theme::control, {rgb(0x2a2f34), rgb(0xeceef1), rgb(0x1c1c1c), rgb(0xf0f0f0)}},
    {&Theme::control_hover, {rgb(0x383f46), rgb(0xdde1e6), rgb(0x3a3a3a), rgb(0xdedede)}},
    {&Theme::text, {rgb(0xe8eaec), rgb(0x1f2429), rgb(0xffffff), rgb(0x000000)}},
    {&Theme::text_weak, {rgb(0xa3abb3), rgb(0x59626b), rgb(0xdcdfe2), rgb(0x404040)}},
    {&Theme::accent, {rgb(0x56b4e9), rgb(0x0072b2), rgb(0xffd54a), rgb(0x222222)}},
    {&Theme::accent_text, {rgb(0x0b1720), rgb(0xffffff), rgb(0x000000), rgb(0xffffff)}},
    {&Theme::grid, {rgb(0x3a4147), rgb(0xdfe2e6), rgb(0x565c62), rgb(0xd8d8d8)}},
    {&Theme::outline, {rgb(0x747d86), rgb(0x8a929b), rgb(0xaab0b6), rgb(0x757575)}},
    {&Theme::cell_empty, {rgb(0x2b3035), rgb(0xeceef1), rgb(0x26292c), rgb(0xf4f4f4)}},
    {&Theme::hatch, {rgb(0x7b848d), rgb(0x868e97), rgb(0xaab0b6), rgb(0x7a7a7a)}},
    {&Theme::good, {rgb(0x2fb98c), rgb(0x00795a), rgb(0x4be3b0), rgb(0x525252)}},
    {&Theme::bad, {rgb(0xf5813a), rgb(0xad4900), rgb(0xff9a52), rgb(0x0d0d0d)}},
    {&Theme::highlight, {rgb(0x8fd6ff), rgb(0x00599c), rgb(0xffffff), rgb(0x020202)}},
};

/// The series of the palettes in the dark, the light and the high-contrast theme; print has its own in all.
///
/// The first palette follows Okabe and Ito (2008): orange, sky blue, bluish green, yellow, blue, vermilion,
/// reddish purple; what is too close to a theme's panel is darkened or lightened until it has a contrast of 3
/// to 1. Then Tol's vibrant scheme with the yellow of his muted one, and hues between plasma's ends; each
/// shade chosen for its theme so that the nearest two are as far apart as can be for eyes of all kinds
/// (tests/app/pictures/kit/palette_test.cpp).
constexpr std::uint32_t kSeries[std::size(kPaletteNames)][3][7] = {
    {{0xe69f00, 0x56b4e9, 0x1fae85, 0xf0e442, 0x3d96d2, 0xe8702a, 0xcc79a7},
     {0xc28600, 0x3a98d0, 0x00875f, 0x4f4b00, 0x0072b2, 0xc04c00, 0xb25a8b},
     {0xffb000, 0x7cc8ff, 0x2fd9a8, 0xfff27a, 0x3d9be8, 0xff7a33, 0xf29ad0}},
    {{0xef7f3e, 0x6bcef3, 0x20a697, 0xddcc77, 0x0077bb, 0xcc3311, 0xef3a7c},
     {0xe57331, 0x124052, 0x12a091, 0x50492b, 0x0069a5, 0xb72e0f, 0xef3b7c},
     {0xee7733, 0x8fdaf6, 0x00695d, 0xddcc77, 0x3392c9, 0xb82e0f, 0xf589b0}},
    {{0xf0a030, 0xb09cff, 0x7cc3ba, 0xece685, 0x4b6cf0, 0xcf4f27, 0xb43d87},
     {0x83571a, 0x9887dd, 0x20786d, 0x9b9647, 0x4b6cf0, 0x632612, 0xda6db0},
     {0xf0a030, 0xb19eff, 0x72beb5, 0xede78d, 0x4766e2, 0xc44b25, 0xa84f85}},
};
/// 10 units of lightness (CIE L*) apart.
constexpr std::uint32_t kPrintSeries[7] = {0x5e5e5e, 0x919191, 0x303030, 0x777777,
                                           0x1b1b1b, 0x010101, 0x474747};

template <class Name, std::size_t n>
std::optional<Name> find_key(const Name (&names)[n], std::string_view (*key_of)(Name), std::string_view key) {
    const auto found = std::ranges::find(names, key, key_of);
    return found == std::end(names) ? std::nullopt : std::optional(*found);
}

Theme make_theme(ThemeName name, PaletteName palette) {
    const int row = int(name);
    const bool print = name == ThemeName::print;
    Theme theme{.name = name, .palette = print ? PaletteName::okabe_ito : palette};
    for (const ThemeColor& color : kColors) theme.*color.meaning = color.of_theme[row];
    const auto& series = print ? kPrintSeries : kSeries[int(palette)][row];
    std::ranges::transform(series, theme.series.begin(), rgb);
    return theme;
}

constexpr float kLeastPatterned = 5;  // [points] of a box: a pattern in less is noise
constexpr double kFaintest = 1.6;     // contrast with paper of an area without an outline
constexpr Color kPaper{255, 255, 255, 255};

/// The pattern of each colour of Theme::series, and none for `measured`: it is plain.
constexpr std::optional<Hatch> kPatterns[] = {Hatch::rising, Hatch::upright, Hatch::level,  Hatch::crossed,
                                              std::nullopt,  Hatch::falling, Hatch::squared};

std::optional<Hatch> pattern_for(const Theme& theme, Color fill) {
    for (std::size_t i = 0; i < theme.series.size(); ++i) {
        if (fill == theme.series[i]) return kPatterns[i];
    }
    return fill == theme.bad ? std::optional(Hatch::falling) : std::nullopt;
}

struct Printed {
    const Theme& theme;

    void operator()(Box& box) const {
        const bool colored = grey_of(box.fill) != box.fill;
        const bool large = std::min(box.rect.w, box.rect.h) >= kLeastPatterned;
        const auto pattern = pattern_for(theme, box.fill);
        if (pattern && large && !box.plain && box.hatch.a == 0) {
            box.hatch = with_alpha(kPaper, 0.75f);
            box.pattern = *pattern;
        }
        box.fill = grey_of(box.fill);
        if (colored && large && box.rounding > 0 && box.fill.a == 255 && box.stroke.a == 0 &&
            contrast(box.fill, kPaper) < kFaintest) {
            box.stroke = theme.outline;
            box.stroke_width = 1;
        }
        box.stroke = grey_of(box.stroke);
        box.hatch = grey_of(box.hatch);
    }
    void operator()(Path& path) const { path.color = grey_of(path.color); }
    void operator()(Wire& wire) const { wire.color = grey_of(wire.color); }
    void operator()(Label& label) const { label.color = grey_of(label.color); }
    void operator()(Mark& mark) const { mark.color = grey_of(mark.color); }
    void operator()(HeatCell&) const {}  // its ramp is the theme's
    void operator()(ImageBox&) const {}  // its test card is grey already
};

}  // namespace

std::string_view theme_key(ThemeName name) {
    constexpr std::string_view kKeys[std::size(kThemeNames)] = {"dark", "light", "high-contrast", "print"};
    return kKeys[int(name)];
}

const Theme& theme(ThemeChoice look) {
    static const auto themes = [] {
        std::array<std::array<Theme, std::size(kPaletteNames)>, std::size(kThemeNames)> all;
        for (const ThemeName name : kThemeNames) {
            for (const PaletteName palette : kPaletteNames)
                all[int(name)][int(palette)] = make_theme(name, palette);
        }
        return all;
    }();
    return themes[int(look.theme)][int(look.palette)];
}

std::string_view palette_key(PaletteName name) { return maps_of(name).key; }

std::optional<PaletteName> find_palette(std::string_view key) {
    return find_key(kPaletteNames, palette_key, key);
}

std::optional<ThemeName> find_theme(std::string_view key) { return find_key(kThemeNames, theme_key, key); }

SeriesLook series_look(const Theme& theme, int look) {
    if (look <= 0) return {theme.series[kSeriesMeasured], MarkShape::diamond};
    // Neither blue nor vermilion: those are measured and model.
    constexpr std::array<std::size_t, 5> kOrder{2, 6, 0, 1, 3};
    constexpr std::array kShapes{MarkShape::triangle, MarkShape::square, MarkShape::triangle_down,
                                 MarkShape::cross, MarkShape::circle};
    const std::size_t k = look - 1;
    return {theme.series[kOrder[k % 5]], kShapes[(k + k / 5) % 5]};
}

Color lane_color(const Theme& theme, int lane) {
    return along(maps_of(theme.palette).lanes, float(lane) / 31.0f);
}

Color ramp_color(Ramp ramp, float t) {
    static constexpr std::span<const Color> kRamps[kRampCount] = {
        kBlueVermilion, kViridis, kGreys, kBlueRed, kYlOrBr, kPurpleGold, kMagma};
    return along(kRamps[int(ramp)], t);
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
            const double v = double(i) / 255;
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
        return static_cast<std::uint8_t>(std::lround(float(from) + float(to - from) * t));
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

Color grey_of(Color color) {
    if (color.r == color.g && color.g == color.b) return color;
    const double linear = luminance(color);
    const double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    const auto grey = static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
    return {grey, grey, grey, color.a};
}

Picture in_look_of(const Theme& theme, Picture&& picture) {
    if (theme.name == ThemeName::print) {
        for (Shape& shape : picture.shapes) std::visit(Printed{theme}, shape);
    }
    return std::move(picture);
}

Picture with_thick_lines(Picture picture, float factor) {
    constexpr float kMarks = 1.25f;  // markers of neighbouring points must not meet
    for (Shape& shape : picture.shapes) {
        if (auto* box = std::get_if<Box>(&shape)) box->stroke_width *= factor;
        if (auto* path = std::get_if<Path>(&shape)) path->width *= factor;
        if (auto* wire = std::get_if<Wire>(&shape)) wire->width *= factor;
        if (auto* mark = std::get_if<Mark>(&shape); mark != nullptr && factor > 1) mark->radius *= kMarks;
    }
    return picture;
}

}  // namespace warplens
