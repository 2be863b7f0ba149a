#include "app/figures/figure_form.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {
namespace {

constexpr std::string_view kParts[] = {"picture", "pictures", "plot", "all", "board", "slide"};
constexpr std::string_view kSizes[] = {"16:9", "4:3", "a4", "window"};

template <class T, std::size_t N>
std::optional<T> find_in(const std::string_view (&names)[N], std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == std::end(names)) return std::nullopt;
    return T(found - std::begin(names));
}

FigureView view_of(FigurePart part, const State& state) {
    const bool pictures = part == FigurePart::picture || part == FigurePart::pictures;
    if (part != FigurePart::plot)
        return !pictures ? FigureView::all : state.bits ? FigureView::bits : FigureView::access;
    if (state.fit && !state.compared) return FigureView::fit;
    const bool map = state.second_axis != nullptr && !state.compared;
    return map ? FigureView::heatmap : FigureView::bandwidth;
}

constexpr std::string_view kViewNames[] = {"all",  "access",    "banks",   "sectors",
                                           "bits", "bandwidth", "heatmap", "fit"};
constexpr std::string_view kFormatNames[] = {"png", "svg", "pdf", "csv", "json", "gif"};

/// Sizes with a name [points]. A4: 170 mm, what margins of 20 mm leave, at 96 points an inch.
struct NamedSize {
    std::string_view name;
    int width, height;
};
constexpr NamedSize kNamedSizes[] = {{"16:9", 1280, 720}, {"4:3", 1024, 768}, {"a4", 642, 480}};

}  // namespace

std::vector<FigurePart> figure_parts(const FigureSource& source) {
    const State& state = source.state;
    if (!state.board->picture) return {};
    std::vector<FigurePart> parts;
    if (!state.compared) parts.push_back(FigurePart::slide);
    if (!state.board->instructions) {
        parts.insert(parts.begin(), FigurePart::board);
        return parts;
    }
    const int count = state.scenario->instruction_count(state.params);
    if (source.focus >= 0 && source.focus < count && count > 1) parts.push_back(FigurePart::picture);
    parts.push_back(FigurePart::pictures);
    if (state.axis == nullptr) return parts;
    parts.push_back(FigurePart::plot);
    parts.push_back(FigurePart::all);
    return parts;
}

FigurePart chosen_part(const FigureForm& form, const FigureSource& source) {
    const std::vector<FigurePart> parts = figure_parts(source);
    return std::ranges::find(parts, form.part) == parts.end() ? parts.front() : form.part;
}

FigureOptions figure_options(const FigureForm& form, FigurePart part, const FigureSource& source) {
    FigureOptions options;
    options.board = source.state.board;
    options.view = view_of(part, source.state);
    if (part == FigurePart::picture) options.instruction = source.focus;
    options.scale = float(form.scale);
    options.slide = part == FigurePart::slide;
    constexpr int kLeast = 320, kMost = 4096;  // four times as many pixels are the most that `export` writes
    if (options.slide) {
        const SlideShape& shape = kSlides[form.size == FigureSize::classic ? 1 : 0];
        options.width = shape.width;
        options.height = shape.height;
        options.scale *= kSlideScale / float(FigureForm().scale);
    } else if (form.size == FigureSize::window) {
        options.width = std::clamp(source.width, kLeast, kMost);
        options.height = std::clamp(source.height, kLeast, kMost);
    } else {
        std::tie(options.width, options.height) = parse_figure_size(std::string(size_name(form.size)));
    }
    options.look = {form.theme.value_or(source.look.theme), source.look.palette};
    options.format = format_of(form);
    options.transparent = form.transparent;
    options.outlines = form.outlines;
    options.caption = form.caption;
    options.license = form.license;
    return options;
}

FigureFormat format_of(const FigureForm& form) {
    return !form.steps ? form.format : form.gif ? FigureFormat::gif : FigureFormat::png;
}

std::string_view ending_of(const FigureForm& form) { return format_name(format_of(form)); }

std::string figure_name(const FigureForm& form, FigurePart part, const FigureSource& source) {
    const FigureOptions options = figure_options(form, part, source);
    std::string name = options.board->about_scenario ? std::string(source.state.scenario->info->id) : "";
    const bool pictures = options.view == FigureView::all || options.view == FigureView::access;
    if (!options.board->instructions || !pictures)
        name += fmt::format("{}{}", name.empty() ? "" : "-", view_name(options));
    if (part == FigurePart::slide) name += "-slide";
    if (part == FigurePart::picture) name += fmt::format("-{}", source.focus + 1);
    if (source.state.compared) name += "-a-b";
    if (form.steps) name += form.play ? "-played" : "-steps";
    return fmt::format("{}.{}", name, ending_of(form));
}

std::string_view part_name(FigurePart part) { return kParts[int(part)]; }
std::string_view size_name(FigureSize size) { return kSizes[int(size)]; }
std::optional<FigurePart> find_part(std::string_view name) { return find_in<FigurePart>(kParts, name); }
std::optional<FigureSize> find_size(std::string_view name) { return find_in<FigureSize>(kSizes, name); }

std::span<const std::string_view> view_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all(std::begin(kViewNames), std::end(kViewNames));
        for (const BoardInfo* board : all_boards()) {
            if (board->picture && !board->instructions) all.push_back(board->key);
        }
        return all;
    }();
    return names;
}

std::string_view view_name(FigureView view) { return kViewNames[int(view)]; }

std::string_view view_name(const FigureOptions& figure) {
    return figure.board->instructions ? view_name(figure.view) : figure.board->key;
}

void choose_view(FigureOptions& figure, std::size_t place) {
    const bool is_view = place < std::size(kViewNames);
    figure.board = is_view ? first_board() : find_board(view_names()[place]);
    figure.view = is_view ? FigureView(place) : FigureView::all;
}

std::span<const std::string_view> format_names() { return kFormatNames; }
std::string_view format_name(FigureFormat format) { return kFormatNames[int(format)]; }

std::optional<FigureFormat> find_format(std::string_view name) {
    return find_in<FigureFormat>(kFormatNames, name);
}

FigureFormat format_of(const FigureOptions& figure, const std::string& path) {
    if (figure.format) return *figure.format;
    const std::string ending = lower_case(std::filesystem::path(path).extension().string());
    if (ending.empty()) return FigureFormat::png;
    if (const auto format = find_format(ending.substr(1))) return *format;
    throw UsageError(fmt::format(
        "cannot tell the format of '{}': its name should end in .png, .svg, .pdf, .csv or .json, or --format say it",
        path));
}

std::pair<int, int> parse_figure_size(const std::string& text) {
    const auto named = std::ranges::find(kNamedSizes, text, &NamedSize::name);
    if (named != std::end(kNamedSizes)) return {named->width, named->height};
    const auto size = parse_pair<int>(text, 'x');
    const auto fits = [](int side) { return side >= 320 && side <= 16384; };
    if (size && fits(size->first) && fits(size->second)) return *size;
    throw UsageError(fmt::format(
        "--size {}: expected 16:9, 4:3, a4 or WIDTHxHEIGHT, each 320 to 16384, such as 1280x800", text));
}

}  // namespace warplens
