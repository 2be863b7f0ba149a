#include "app/cli/options_export.h"

#include "app/cli/options_choice.h"
#include "app/experiment/codec.h"

#include <CLI/Validators.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace warplens {
namespace {

const std::map<std::string, FigureFormat> kFormats{{"png", FigureFormat::png},
                                                   {"svg", FigureFormat::svg},
                                                   {"pdf", FigureFormat::pdf},
                                                   {"csv", FigureFormat::csv},
                                                   {"json", FigureFormat::json}};

const std::map<std::string, StepBy> kStepBy{{"wavefront", StepBy::wavefront}, {"step", StepBy::step}};

/// Sizes with a name [points]. A4: 170 mm, what margins of 20 mm leave, at 96 points an inch.
struct NamedSize {
    std::string_view name;
    int width, height;
};
constexpr NamedSize kSizes[] = {{"16:9", 1280, 720}, {"4:3", 1024, 768}, {"a4", 642, 480}};

/// A title goes into XML and onto one line.
std::string check_title(const std::string& text) {
    std::size_t following = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool continues = (byte & 0xc0u) == 0x80;
        if (continues != (following > 0) || byte < ' ' || byte == 0x7f || byte >= 0xf8)
            return "--title: expected UTF-8 text on one line";
        following = continues ? following - 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    }
    return following > 0 ? "--title: expected UTF-8 text on one line" : "";
}

}  // namespace

void add_figure_look(CLI::App& command, FigureOptions& figure) {
    add_choice(command, "--format", figure.format, kFormats, "Default: as the file's name ends");
    command.add_flag("--transparent", figure.transparent, "No page behind the panels: for slides");
    command.add_flag("--outlines", figure.outlines, "SVG: text as shapes, which look the same everywhere");
    command.add_flag("!--no-caption", figure.caption, "Leave out the lines below the pictures");
    command.add_flag("!--no-license", figure.license, "Leave out \"CC BY 4.0\"");
}

void add_field_options(CLI::App& command, std::vector<std::string>& settings) {
    for (const Field& field : fields()) {
        const std::string name = fmt::format("--{}", field.key);
        if (field.help.empty() || command.get_option_no_throw(name) != nullptr) continue;
        const auto set = [&field, &settings, name](const std::string& value) {
            try {
                check_value(field, value);
            } catch (const UsageError& why) {
                throw UsageError(fmt::format("{} {}: {}", name, value, why.what()));
            }
            settings.push_back(item_text({std::string(field.key), value}));
        };
        if (field.is_flag()) {
            command.add_flag_callback(
                name, [set] { set("1"); }, std::string(field.help));
            continue;
        }
        std::string help(field.help), values;
        for (const FieldWord& word : field.words)
            values += fmt::format("{}{}", values.empty() ? "" : ", ", word.value);
        if (!values.empty()) help += fmt::format(" ({})", values);
        command.add_option_function<std::string>(name, set, help)
            ->type_name(field.words.empty() ? std::string(field.value_name) : "WORD");
    }
}

void add_export_options(CLI::App& command, ExportCommand& parsed) {
    FigureOptions& figure = parsed.figure;
    add_figure_look(command, figure);
    command.add_option("--title", figure.title, "In place of the scenario's")
        ->type_name("TEXT")
        ->check(check_title);
    command
        .add_option("--compare", figure.compare,
                    "Beside it another setting: the parameters that differ, with commas, or a link")
        ->type_name("KNOB=VALUE|LINK");
    command.add_flag("--steps", parsed.steps,
                     "One PNG for each step (wavefronts, steps of a board) and an animated one, F.png");
    add_choice(command, "--step-by", parsed.step_by, kStepBy, "What --steps plays, where there is a choice");
    command.add_option("--seconds", parsed.seconds, "How long the animation shows a step (default 1)")
        ->type_name("S")
        ->check(CLI::Range(0.05, 60.0));
    command.add_flag("--all", parsed.all,
                     "Figures of all scenarios, presets and boards into the folder --out");
}

std::pair<int, int> parse_figure_size(const std::string& text) {
    const auto named = std::ranges::find(kSizes, text, &NamedSize::name);
    if (named != std::end(kSizes)) return {named->width, named->height};
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

Command make_export(ExportCommand&& parsed) {
    const FigureFormat format = parsed.figure.format.value_or(FigureFormat::png);
    if (parsed.all) {
        if (!parsed.choice.scenario.empty() || !parsed.choice.settings.empty() || parsed.steps)
            throw UsageError(
                "export --all draws every scenario as it is: leave out the scenario, its settings and --steps");
        if (!parsed.figure.compare.empty())
            throw UsageError("export --all draws every scenario as it is: leave out --compare");
        if (format == FigureFormat::csv || format == FigureFormat::json)
            throw UsageError("export --all writes pictures: --format png, svg or pdf");
        GalleryCommand gallery{parsed.device, parsed.figure};
        if (!parsed.output_path.empty()) gallery.folder = parsed.output_path;
        return gallery;
    }
    if (parsed.choice.scenario.empty() && is_about_scenario(parsed.figure.view))
        throw UsageError("export: expected a scenario, or --all; see 'warplens export --help'");
    if (parsed.output_path.empty())
        throw UsageError("export: --out is missing: the file to write, such as figure.svg");
    const FigureView view = parsed.figure.view;
    if (!parsed.figure.compare.empty() &&
        (view == FigureView::heatmap || view == FigureView::fit || view == FigureView::spaces))
        throw UsageError(
            fmt::format("export --compare shows pictures, the curve, or a board beside itself: not --view {}",
                        view_name(view)));
    if (parsed.steps && !parsed.figure.compare.empty())
        throw UsageError("export: --steps and --compare exclude each other: name one of them");
    if (parsed.steps && format_of(parsed.figure, parsed.output_path) != FigureFormat::png)
        throw UsageError("export --steps writes PNG files: the name should end in .png");
    return std::move(parsed);
}

std::string_view format_name(FigureFormat format) {
    for (const auto& [name, value] : kFormats) {
        if (value == format) return name;
    }
    return "";
}

std::optional<FigureFormat> find_format(std::string_view name) {
    const auto found = kFormats.find(std::string(name));
    if (found == kFormats.end()) return std::nullopt;
    return found->second;
}

FigureFormat format_of(const FigureOptions& figure, const std::string& path) {
    if (figure.format) return *figure.format;
    std::string ending = std::filesystem::path(path).extension().string();
    if (ending.empty()) return FigureFormat::png;
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (const auto found = kFormats.find(ending.substr(1)); found != kFormats.end()) return found->second;
    throw UsageError(fmt::format(
        "cannot tell the format of '{}': its name should end in .png, .svg, .pdf, .csv or .json, or --format say it",
        path));
}

}  // namespace warplens
