#include "app/figures/export_options.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/experiment/codec.h"
#include "app/experiment/link.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace warplens {
namespace {

constexpr std::string_view kStepBy[] = {"any", "wavefront", "step"};  // nobody types the first one

template <class Name, std::size_t n>
std::array<std::string_view, n> keys_of(const Name (&names)[n], std::string_view (*key_of)(Name)) {
    std::array<std::string_view, n> keys;
    std::ranges::transform(names, keys.begin(), key_of);
    return keys;
}
const auto kThemes = keys_of(kThemeNames, theme_key);
const auto kPalettes = keys_of(kPaletteNames, palette_key);

std::string with_words(std::string_view meaning, std::span<const std::string_view> words) {
    return fmt::format("{} ({})", meaning, fmt::join(words, ", "));
}

std::size_t place_of(std::string_view option, const std::string& text,
                     std::span<const std::string_view> words) {
    const auto found = std::ranges::find(words, text);
    if (found == words.end())
        throw UsageError(fmt::format("{} {}: expected one of {}", option, text, fmt::join(words, ", ")));
    return std::size_t(found - words.begin());
}

template <class T>
T read_number(std::string_view option, const std::string& text, T least, T most) {
    const auto value = parse_number<T>(text);
    if (!value || !(*value >= least && *value <= most))
        throw UsageError(fmt::format("{} {}: expected {} to {}", option, text, least, most));
    return *value;
}

std::string read_title(const std::string& text) {
    if (printable(text, text.size()) != text)
        throw UsageError("--title: expected printable UTF-8 text on one line");
    return text;
}

int read_instruction(const std::string& text) {
    const auto value = parse_number<int>(text);
    if (!value || *value < 0) throw UsageError(fmt::format("--instruction {}: expected 0 or more", text));
    return *value;
}

/// A field of the text form of settings as an option: it becomes one of the settings.
ExportOption option_of(const Field& field, const std::string& name) {
    const auto words = names_of(field.words, &FieldWord::value);
    const auto read = [&field, name](ExportRequest& request, const std::string& text) {
        const std::string value = field.is_flag() ? "1" : text;
        try {
            check_value(field, value);
        } catch (const UsageError& why) {
            throw UsageError(fmt::format("{} {}: {}", name, value, why.what()));
        }
        request.choice.settings.push_back(item_text({std::string(field.key), value}));
    };
    if (field.is_flag()) return {name, "", std::string(field.help), read};
    if (words.empty()) return {name, field.value_name, std::string(field.help), read};
    return {name, "WORD", with_words(field.help, words), read};
}

std::vector<ExportOption> make_options() {
    using R = ExportRequest;
    using T = const std::string&;
    constexpr auto kEvery = ExportOption::Of::every_figure, kOne = ExportOption::Of::figure;
    std::vector<ExportOption> options{
        {"scenario", "ID", "Which one: see 'warplens scenarios'",
         [](R& r, T text) { r.choice.scenario = text; }},
        {"--set", "NAME=VALUE", "Set a parameter; again or with commas for several, the last one wins",
         [](R& r, T text) { r.choice.settings.push_back(text); }, kOne, true},
        {"--kernel", "NAME", "Of a file with several kernels: this one",
         [](R& r, T text) { r.choice.kernel = text; }, kOne},
        {"--out", "FILE",
         "The file: its name ends in .png, .svg, .pdf, .gif, .csv or .json; with --all a folder",
         [](R& r, T text) { r.output_path = text; }},
        {"--view", "WORD", with_words("Which pictures; default all", view_names()),
         [](R& r, T text) { choose_view(r.figure, place_of("--view", text, view_names())); }},
        {"--instruction", "K", "Only this instruction, counted from 0",
         [](R& r, T text) { r.figure.instruction = read_instruction(text); }},
        {"--format", "WORD", with_words("Default: as the file's name ends", format_names()),
         [](R& r, T text) { r.figure.format = FigureFormat(place_of("--format", text, format_names())); },
         kEvery},
        {"--transparent", "", "No page behind the panels: for slides",
         [](R& r, T) { r.figure.transparent = true; }, kEvery},
        {"--outlines", "", "SVG: text as shapes, which look the same everywhere",
         [](R& r, T) { r.figure.outlines = true; }, kEvery},
        {"--no-caption", "", "Leave out the lines below the pictures",
         [](R& r, T) { r.figure.caption = false; }, kEvery},
        {"--no-license", "", "Leave out \"CC BY 4.0\"", [](R& r, T) { r.figure.license = false; }, kEvery},
        {"--web-address", "URL",
         "Name this page in the file: https://…/warplens.html, which opens what it shows",
         [](R& r, T text) {
             check_web_address(text);
             r.figure.web_address = text;
         }},
        {"--title", "TEXT", "In place of the scenario's",
         [](R& r, T text) { r.figure.title = read_title(text); }},
        {"--compare", "NAME=VALUE|LINK",
         "Beside it another setting: the parameters that differ, with commas, or a link",
         [](R& r, T text) { r.figure.compare = text; }},
        {"--steps", "",
         "One PNG for each step (wavefronts, steps of a board) and an animation, F.png or F.gif",
         [](R& r, T) { r.steps = true; }},
        {"--step-by", "WORD",
         with_words("What --steps plays, where there is a choice", std::span(kStepBy).subspan(1)),
         [](R& r, T text) {
             r.step_by = StepBy(1 + place_of("--step-by", text, std::span(kStepBy).subspan(1)));
         }},
        {"--play", "",
         "One animation of them in motion: the bytes of wavefronts and sectors travel, the elements of a board's "
         "steps glide",
         [](R& r, T) { r.steps = r.play = true; }},
        {"--seconds", "S",
         "How long the animation shows a step, 0.05 to 60 (default 1; --play 0.25 to 1.2, a board's 0.7)",
         [](R& r, T text) { r.seconds = read_number("--seconds", text, 0.05, 60.0); }},
        {"--size", "WxH", "Size in points (default 1280x800), or 16:9, 4:3, a4; pixels are size times scale",
         [](R& r, T text) { std::tie(r.figure.width, r.figure.height) = parse_figure_size(text); }, kEvery},
        {"--slide", "16:9|4:3", "A slide: the verdict as headline, one picture, type of 20 points and more",
         [](R& r, T text) {
             const SlideShape& shape =
                 kSlides[place_of("--slide", text, names_of(std::span(kSlides), &SlideShape::name))];
             r.figure.slide = true;
             r.figure.width = shape.width;
             r.figure.height = shape.height;
             r.figure.scale = kSlideScale;
         },
         kEvery},
        {"--scale", "N", "Pixels per point, 0.5 to 8 (default 1)",
         [](R& r, T text) { r.figure.scale = read_number("--scale", text, 0.5f, 8.0f); }, kEvery},
        {"--theme", "WORD", with_words("Colours", kThemes),
         [](R& r, T text) { r.figure.look.theme = kThemeNames[place_of("--theme", text, kThemes)]; }, kEvery},
        {"--palette", "WORD", with_words("Colours of lanes, counts, heatmaps and plots", kPalettes),
         [](R& r, T text) { r.figure.look.palette = kPaletteNames[place_of("--palette", text, kPalettes)]; },
         kEvery},
        {"--recording", "FILE", "Draw a recording beside the model; again for several",
         [](R& r, T text) { r.figure.recordings.files.push_back(text); }, kEvery, true},
        {"--no-recordings", "",
         "Leave out what comes with Warplens (else drawn where it is of the chosen GPU)",
         [](R& r, T) { r.figure.recordings.shipped = false; }, kEvery},
        {"--device", "NAME|CC", "For which GPU: words of its name, a compute capability, or here",
         [](R& r, T text) { r.device.name = text; }, kEvery},
        {"--bank-mode", "4|8",
         "GPUs of compute capability 3.x: bytes of a shared memory bank's word; default 4",
         [](R& r, T text) { r.device.bank_mode = text; }, kEvery},
        {"--cpu,--no-gpu", "", "Never touch CUDA", [](R& r, T) { r.device.cpu = true; }, kEvery},
    };
    for (const Field& field : fields()) {
        const std::string name = fmt::format("--{}", field.key);
        const bool known = std::ranges::find(options, name, &ExportOption::name) != options.end();
        if (!known && !field.help.empty()) options.push_back(option_of(field, name));
    }
    return options;
}

/// The option with a name as it is typed. An operand has none.
const ExportOption* find_option(std::string_view typed) {
    const auto is = [&](const ExportOption& option) {
        const std::size_t comma = option.name.find(',');
        return typed == std::string_view(option.name).substr(0, comma) ||
               (comma != std::string_view::npos && typed == std::string_view(option.name).substr(comma + 1));
    };
    const auto found = std::ranges::find_if(export_options(), is);
    return found == export_options().end() ? nullptr : &*found;
}

}  // namespace

std::span<const ExportOption> export_options() {
    static const std::vector<ExportOption> options = make_options();
    return options;
}

void check_size(const FigureOptions& figure) {
    constexpr float kLargestPixels = 16384;
    const float longest = float(std::max(figure.width, figure.height));
    if (longest * figure.scale > kLargestPixels)
        throw UsageError(fmt::format("--size {}x{} with --scale {}: at most {} pixels each way", figure.width,
                                     figure.height, figure.scale, kLargestPixels));
}

void check_export(const ExportRequest& request) {
    const FigureOptions& figure = request.figure;
    const FigureView view = figure.view;
    check_size(figure);
    if (request.choice.scenario.empty() && figure.board->about_scenario)
        throw UsageError("export: expected a scenario, or --all; see 'warplens export --help'");
    if (request.output_path.empty())
        throw UsageError("export: --out is missing: the file to write, such as figure.svg");
    if (!figure.compare.empty() &&
        (view == FigureView::heatmap || view == FigureView::fit || !figure.board->can_compare()))
        throw UsageError(
            fmt::format("export --compare shows pictures, the curve, or a board beside itself: not --view {}",
                        view_name(figure)));
    if (figure.slide && !figure.compare.empty())
        throw UsageError("export --slide: a slide shows one setting: leave out --compare");
    if (request.steps && !figure.compare.empty())
        throw UsageError("export: --steps and --compare exclude each other: name one of them");
    const FigureFormat format = format_of(figure, request.output_path);
    if (request.steps && format != FigureFormat::png && format != FigureFormat::gif)
        throw UsageError("export --steps writes an animation: the name should end in .png or .gif");
    if (!request.steps && format == FigureFormat::gif)
        throw UsageError("a GIF is an animation: add --play or --steps, or write .png, .svg or .pdf");
}

ExportRequest read_export(const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments.front() != "export")
        throw UsageError("expected the command 'export', which draws one figure");
    ExportRequest request;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const bool operand = !arguments[i].starts_with('-');
        const std::size_t equals = operand ? std::string::npos : arguments[i].find('=');
        const std::string name = operand ? "scenario" : arguments[i].substr(0, equals);
        const ExportOption* option = find_option(name);
        if (option == nullptr || (operand && !request.choice.scenario.empty()))
            throw UsageError(
                fmt::format("export has no option '{}'; see 'warplens export --help'", arguments[i]));
        const bool takes_next = !operand && !option->value.empty() && equals == std::string::npos;
        if (takes_next && i + 1 == arguments.size())
            throw UsageError(fmt::format("{}: a value is missing", name));
        option->read(request, operand                       ? arguments[i]
                              : takes_next                  ? arguments[++i]
                              : equals == std::string::npos ? std::string()
                                                            : arguments[i].substr(equals + 1));
    }
    check_export(request);
    return request;
}

}  // namespace warplens
