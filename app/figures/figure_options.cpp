#include "app/figures/figure_options.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace warplens {
namespace {

constexpr std::string_view kViewNames[] = {"all",       "access",  "banks", "sectors",
                                           "bandwidth", "heatmap", "fit"};
constexpr std::string_view kFormatNames[] = {"png", "svg", "pdf", "csv", "json"};

/// Sizes with a name [points]. A4: 170 mm, what margins of 20 mm leave, at 96 points an inch.
struct NamedSize {
    std::string_view name;
    int width, height;
};
constexpr NamedSize kNamedSizes[] = {{"16:9", 1280, 720}, {"4:3", 1024, 768}, {"a4", 642, 480}};

}  // namespace

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

std::string_view view_name(FigureView view) { return kViewNames[static_cast<std::size_t>(view)]; }

std::string_view view_name(const FigureOptions& figure) {
    return figure.board->instructions ? view_name(figure.view) : figure.board->key;
}

void choose_view(FigureOptions& figure, std::size_t place) {
    const bool is_view = place < std::size(kViewNames);
    figure.board = is_view ? first_board() : find_board(view_names()[place]);
    figure.view = is_view ? static_cast<FigureView>(place) : FigureView::all;
}

std::span<const std::string_view> format_names() { return kFormatNames; }
std::string_view format_name(FigureFormat format) { return kFormatNames[static_cast<std::size_t>(format)]; }

std::optional<FigureFormat> find_format(std::string_view name) {
    const auto found = std::ranges::find(kFormatNames, name);
    if (found == std::end(kFormatNames)) return {};
    return static_cast<FigureFormat>(found - kFormatNames);
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
