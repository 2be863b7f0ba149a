#include "app/figures/figure_command.h"

#include "app/base/text.h"
#include "app/experiment/link.h"
#include "app/figures/formats/png.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {
namespace {

constexpr std::string_view kSource = "<dc:source>", kSourceEnd = "</dc:source>", kSvg = "<svg",
                           kPng = "\x89PNG";

std::string without_entities(std::string_view text) {
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string plain;
    while (!text.empty()) {
        std::size_t taken = 1;
        char c = text[0];
        for (const auto& [entity, meaning] : kEntities) {
            if (text.starts_with(entity)) {
                c = meaning;
                taken = entity.size();
            }
        }
        plain += c;
        text.remove_prefix(taken);
    }
    return plain;
}

std::optional<std::string> svg_source(std::string_view file) {
    if (!is_svg(file)) return {};
    const std::size_t start = file.find(kSource);
    if (start == std::string_view::npos) return {};
    const std::size_t end = file.find(kSourceEnd, start);
    if (end == std::string_view::npos) return {};
    return without_entities(file.substr(start + kSource.size(), end - start - kSource.size()));
}

bool needs_quotes(std::string_view text) { return percent_encode(text, "-_.,:+/^=") != text; }

/// An item as an option of its own if there is one, otherwise as `--set` takes it.
std::string words_of(const Item& item) {
    const Field* field = find_field(item.key);
    if (field == nullptr || field->help.empty()) {
        const std::string text = item_text(item);
        return " --set " + (needs_quotes(text) ? shell_word(text) : text);
    }
    if (field->is_flag()) return item.value == "1" ? " --" + item.key : "";
    return fmt::format(" --{} {}", item.key, needs_quotes(item.value) ? shell_word(item.value) : item.value);
}

/// How the figure is composed.
std::string words_of(const FigureOptions& options) {
    std::string line;
    if (options.instruction >= 0) line += fmt::format(" --instruction {}", options.instruction);
    for (const std::string& file : options.recordings.files) line += " --recording " + shell_word(file);
    if (!options.recordings.shipped) line += " --no-recordings";
    if (!options.title.empty()) line += " --title " + shell_word(options.title);
    if (!options.caption) line += " --no-caption";
    if (!options.license) line += " --no-license";
    if (!options.web_address.empty()) line += " --web-address " + shell_word(options.web_address);
    if (options.transparent) line += " --transparent";
    if (options.outlines) line += " --outlines";
    if (options.look.palette != PaletteName::okabe_ito)
        line += fmt::format(" --palette {}", palette_key(options.look.palette));
    const auto shape = std::ranges::find(kSlides, options.width, &SlideShape::width);
    line += options.slide ? fmt::format(" --slide {}", shape->name)
                          : fmt::format(" --size {}x{}", options.width, options.height);
    return line + fmt::format(" --scale {} --theme {}", options.scale, theme_key(options.look.theme));
}

}  // namespace

bool is_png(std::string_view file) { return file.starts_with(kPng); }
bool is_svg(std::string_view file) { return file.find(kSvg) != std::string_view::npos; }

std::string shell_word(std::string_view text) {
    const bool plain = text.find_first_of("\"$`\\!\n'") == std::string_view::npos;
    if (plain) return fmt::format("\"{}\"", text);
    std::string inner;
    for (const char c : text) inner += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inner + "'";
}

State usual_state_of_view(const Scenario& scenario, std::size_t device, const FigureOptions& options) {
    State state = initial_state(scenario, device);
    state.board = options.board;
    state.fit = options.board->instructions && options.view == FigureView::fit;
    state.bits = options.board->instructions && options.view == FigureView::bits;
    return state;
}

std::string export_command_line(const State& state, const std::vector<DeviceFacts>& devices,
                                const FigureOptions& options, const std::string& out) {
    constexpr std::size_t kNoDevice = -1;  // so that a command always names the device
    const bool pair = state.compared && options.board->can_compare();  // else the figure shows only one side
    State first = pair ? state_of(*state.compared, state) : state;
    first.compared.reset();
    first.board = options.board;
    const Place usual{usual_state_of_view(*first.scenario, kNoDevice, options), {}, {}, {}};
    const std::string scenario = scenario_link(*first.scenario);
    std::string line =
        fmt::format("warplens export {} --view {}",
                    first.scenario->typed != nullptr ? shell_word(scenario) : scenario, view_name(options));
    for (const Item& item : write_items({first, {}, {}, {}}, usual, devices)) line += words_of(item);
    if (pair) line += " --compare " + shell_word(compared_text(state, first, devices));
    line += words_of(options);
    if (!out.empty()) line += " --out " + shell_word(std::filesystem::path(out).filename().string());
    return printable(line, line.size());  // names of files may have any bytes
}

std::optional<std::string> figure_command(std::string_view file) {
    if (auto command = png_text(file, "Command")) return command;
    return svg_source(file);
}

std::optional<std::vector<std::string>> split_command(std::string_view line) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool escaped = c == '\\' && quote != '\'' && i + 1 < line.size();
        if (quote == 0 && c == ' ') {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (escaped) {
            words.back() += line[++i];
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) return {};
    return words;
}

std::optional<std::vector<std::string>> figure_arguments(std::string_view file) {
    const auto command = figure_command(file);
    if (!command) return {};
    auto words = split_command(*command);
    if (!words || words->size() < 2 || words->front() != "warplens") return {};
    words->erase(words->begin());
    return words;
}

}  // namespace warplens
