#include "app/figures/figure_options.h"

#include "app/base/errors.h"
#include "app/base/lower_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace warplens {
namespace {

constexpr std::string_view kViewNames[] = {"all",      "access", "banks",   "sectors", "bandwidth",
                                           "heatmap",  "fit",    "traffic", "phases",  "occupancy",
                                           "roofline", "spaces", "choose"};
constexpr std::string_view kFormatNames[] = {"png", "svg", "pdf", "csv", "json"};

/// Sizes with a name [points]. A4: 170 mm, what margins of 20 mm leave, at 96 points an inch.
struct NamedSize {
    std::string_view name;
    int width, height;
};
constexpr NamedSize kNamedSizes[] = {{"16:9", 1280, 720}, {"4:3", 1024, 768}, {"a4", 642, 480}};

}  // namespace

std::span<const std::string_view> view_names() { return kViewNames; }
std::string_view view_name(FigureView view) { return kViewNames[static_cast<std::size_t>(view)]; }

bool is_about_scenario(FigureView view) {
    return view != FigureView::spaces && view != FigureView::occupancy && view != FigureView::phases &&
           view != FigureView::choose;
}

std::optional<FigureView> view_of_board(Board board) {
    const auto found = std::ranges::find(kViewNames, board_info(board).key);
    if (found == std::end(kViewNames) || board == Board::access) return {};
    return static_cast<FigureView>(found - kViewNames);
}

Board board_of(FigureView view) {
    const BoardInfo* info = find_board(view_name(view));
    return info == nullptr ? Board::access : info->board;
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
    int width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto x = std::from_chars(text.data(), end, width);
    if (x.ec == std::errc() && x.ptr != end && *x.ptr == 'x') {
        const auto rest = std::from_chars(x.ptr + 1, end, height);
        const auto fits = [](int side) { return side >= 320 && side <= 16384; };
        if (rest.ec == std::errc() && rest.ptr == end && fits(width) && fits(height)) return {width, height};
    }
    throw UsageError(fmt::format(
        "--size {}: expected 16:9, 4:3, a4 or WIDTHxHEIGHT, each 320 to 16384, such as 1280x800", text));
}

}  // namespace warplens
