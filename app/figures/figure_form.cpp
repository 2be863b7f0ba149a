#include "app/figures/figure_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view kParts[] = {"picture", "pictures", "plot", "all", "board"};
constexpr std::string_view kSizes[] = {"16:9", "4:3", "a4", "window"};

template <class T, std::size_t N>
std::optional<T> find_in(const std::string_view (&names)[N], std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == std::end(names)) return std::nullopt;
    return static_cast<T>(found - std::begin(names));
}

FigureView view_of(FigurePart part, const State& state) {
    const bool pictures = part == FigurePart::picture || part == FigurePart::pictures;
    if (part != FigurePart::plot) return pictures ? FigureView::access : FigureView::all;
    if (state.fit && !state.compared) return FigureView::fit;
    const bool map = state.second_axis != nullptr && !state.compared;
    return map ? FigureView::heatmap : FigureView::bandwidth;
}

}  // namespace

std::vector<FigurePart> figure_parts(const FigureSource& source) {
    const State& state = source.state;
    if (!state.board->picture) return {};
    if (!state.board->instructions) return {FigurePart::board};
    std::vector<FigurePart> parts;
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
    constexpr int kLeast = 320, kMost = 4096;  // four times as many pixels are the most that `export` writes
    if (form.size == FigureSize::window) {
        options.width = std::clamp(source.width, kLeast, kMost);
        options.height = std::clamp(source.height, kLeast, kMost);
    } else {
        std::tie(options.width, options.height) = parse_figure_size(std::string(size_name(form.size)));
    }
    options.scale = static_cast<float>(form.scale);
    options.look = {form.theme.value_or(source.look.theme), source.look.palette};
    options.format = form.steps ? FigureFormat::png : form.format;
    options.transparent = form.transparent;
    options.outlines = form.outlines;
    options.caption = form.caption;
    options.license = form.license;
    return options;
}

std::string_view ending_of(const FigureForm& form) {
    return format_name(form.steps ? FigureFormat::png : form.format);
}

std::string figure_name(const FigureForm& form, FigurePart part, const FigureSource& source) {
    const FigureOptions options = figure_options(form, part, source);
    std::string name = options.board->about_scenario ? std::string(source.state.scenario->info->id) : "";
    const bool pictures = options.view == FigureView::all || options.view == FigureView::access;
    if (!options.board->instructions || !pictures)
        name += fmt::format("{}{}", name.empty() ? "" : "-", view_name(options));
    if (part == FigurePart::picture) name += fmt::format("-{}", source.focus + 1);
    if (source.state.compared) name += "-a-b";
    if (form.steps) name += "-steps";
    return fmt::format("{}.{}", name, ending_of(form));
}

std::string_view part_name(FigurePart part) { return kParts[static_cast<int>(part)]; }
std::string_view size_name(FigureSize size) { return kSizes[static_cast<int>(size)]; }
std::optional<FigurePart> find_part(std::string_view name) { return find_in<FigurePart>(kParts, name); }
std::optional<FigureSize> find_size(std::string_view name) { return find_in<FigureSize>(kSizes, name); }

}  // namespace warplens
