#include "app/code/code_page.h"

#include "app/base/assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace warplens {
namespace {

constexpr std::string_view kAccess = "// access: ", kAddress = "// address of: ";

/// A file of kernels, read once.
struct SourceFile {
    std::vector<std::string_view> lines;
    std::map<std::string, CodeRange, std::less<>> functions;
};
const SourceFile& source_file(const std::string& path) {
    static std::map<std::string, SourceFile> files;
    const auto [found, is_new] = files.try_emplace(path);
    if (is_new) found->second = {lines_of_code(asset(path)), functions_in(asset(path))};
    return found->second;
}

/// What is needed to make the lines of one section.
struct Maker {
    const Scenario& scenario;
    const Params& params;
    std::vector<std::vector<std::string>> names;                 ///< by instruction; see names_of_access
    std::vector<std::pair<std::string, std::string>> arguments;  ///< of the kernel's template
};

std::string value_of(const Knob& knob, const Params& params) {
    const std::string text = format_knob(knob, params);
    const bool number = !text.empty() && text.front() >= '0' && text.front() <= '9';
    // The code contains the value of the field: the exponent of a power, the bytes of an element.
    return number && knob.kind != KnobKind::mask ? std::to_string(params.*knob.field) : text;
}

const Knob* knob_of(const Scenario& scenario, int Params::*field) {
    const auto found = std::ranges::find(scenario.info->knobs, field, &Knob::field);
    return found == scenario.info->knobs.end() ? nullptr : &*found;
}

/// The value of `p.stride`, by the field's name. Empty if no knob of the scenario sets it.
std::string value_of_field(const Maker& maker, std::string_view name) {
    const auto found = std::ranges::find(params_fields(), name, &ParamsField::name);
    const Knob* knob = found == params_fields().end() ? nullptr : knob_of(maker.scenario, found->field);
    return knob == nullptr ? std::string() : value_of(*knob, maker.params);
}

/// The value of `blockDim.x` and the like. Empty for anything else.
std::string value_of_launch(const Maker& maker, std::string_view what, std::string_view axis) {
    const LaunchShape shape = maker.scenario.launch(maker.params);
    const Extent* extent = what == "blockDim" ? &shape.block : what == "gridDim" ? &shape.grid : nullptr;
    if (extent == nullptr || (axis != "x" && axis != "y")) return {};
    return std::to_string(axis == "x" ? extent->x : extent->y);
}

/// The present value of the name at index i of a line. Empty if it has no known value here.
std::string value_at(const Maker& maker, std::span<const CodeToken> tokens, std::size_t i) {
    if (i >= 2 && tokens[i - 1].text == ".") {
        if (tokens[i - 2].text == "p") return value_of_field(maker, tokens[i].text);
        return value_of_launch(maker, tokens[i - 2].text, tokens[i].text);
    }
    for (const auto& [name, value] : maker.arguments) {
        if (name.starts_with('k') && name == tokens[i].text) return value;
    }
    return {};
}

/// The same in a line that says what one thread does, where names are those of the knobs.
std::string value_in_step(const Maker& maker, std::span<const CodeToken> tokens, std::size_t i) {
    const bool array = i + 1 < tokens.size() && tokens[i + 1].text == "[";
    const bool member = i > 0 && tokens[i - 1].text == ".";
    const Knob* knob = array || member ? nullptr : find_knob(maker.scenario, tokens[i].text);
    return knob == nullptr ? std::string() : value_of(*knob, maker.params);
}

/// What a comment says a line is about. Empty if it says nothing.
std::vector<std::string> tags_of(std::string_view comment) {
    const std::string_view head = comment.starts_with(kAccess)    ? kAccess
                                  : comment.starts_with(kAddress) ? kAddress
                                                                  : std::string_view{};
    std::vector<std::string> tags;
    if (head.empty()) return tags;
    comment.remove_prefix(head.size());
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find("; "), comment.size());
        tags.emplace_back(comment.substr(0, end));
        comment.remove_prefix(std::min(end + 2, comment.size()));
    }
    return tags;
}

bool is_called(const std::vector<std::string>& names, std::string_view tag) {
    return std::ranges::any_of(names, [&](const std::string& name) {
        return name == tag || (name.starts_with(tag) && name.substr(tag.size()).starts_with(", "));
    });
}

void tie_to_instructions(const Maker& maker, std::span<const std::string> tags, CodeLine& line) {
    for (std::size_t k = 0; k < maker.names.size(); ++k) {
        const bool own =
            std::ranges::any_of(tags, [&](const std::string& tag) { return is_called(maker.names[k], tag); });
        if (own) line.instructions.push_back(static_cast<int>(k));
    }
    line.other = !tags.empty() && line.instructions.empty();
}

using ValueOf = std::string (*)(const Maker&, std::span<const CodeToken>, std::size_t);

CodeLine make_line(const Maker& maker, std::string_view text, ValueOf value_of_name) {
    CodeLine line;
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    line.indent = static_cast<int>(first);
    const std::vector<CodeToken> tokens = code_tokens(text.substr(first));
    std::set<std::string_view> told;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const CodeToken& token = tokens[i];
        if (const auto tags = tags_of(token.text); !tags.empty() && token.tone == CodeTone::comment) {
            tie_to_instructions(maker, tags, line);
            if (!line.pieces.empty()) line.pieces.pop_back();  // the space before the comment
            break;
        }
        line.pieces.push_back({std::string(token.text), token.tone});
        if (!token.word || !told.insert(token.text).second) continue;
        const std::string value = value_of_name(maker, tokens, i);
        if (!value.empty())
            line.pieces.push_back({fmt::format("={}", value), CodeTone::plain, true});
        else
            told.erase(token.text);
    }
    return line;
}

/// A function of a file, without its indentation. It has no lines if the file has no such function.
CodeFunction make_function(const Maker& maker, const std::string& file, const std::string& name) {
    CodeFunction made{.file = file, .name = name, .lines = {}};
    const SourceFile& source = source_file(file);
    const auto found = source.functions.find(name);
    if (found == source.functions.end()) return made;
    int least = 1000;
    for (std::size_t i = found->second.first; i <= found->second.last; ++i) {
        made.lines.push_back(make_line(maker, source.lines[i], &value_at));
        made.lines.back().number = static_cast<int>(i) + 1;
        if (!made.lines.back().pieces.empty()) least = std::min(least, made.lines.back().indent);
    }
    for (CodeLine& line : made.lines) line.indent = std::max(0, line.indent - least);
    return made;
}

bool has_access(const CodeFunction& function) {
    return std::ranges::any_of(function.lines, [](const CodeLine& l) { return !l.instructions.empty(); });
}

CodeSection steps_section(const Maker& maker) {
    CodeSection section{CodePart::steps, "One line for each instruction, in the order of the pictures.", {}};
    CodeFunction steps{.file = scenario_file(maker.scenario), .name = "", .lines = {}};
    int phase = 0;
    for (int k = 0; k < maker.scenario.instruction_count(maker.params); ++k) {
        const Instruction one = maker.scenario.instruction(maker.params, k);
        if (one.phase != phase) steps.lines.push_back(make_line(maker, "__syncthreads();", &value_in_step));
        phase = one.phase;
        steps.lines.push_back(make_line(maker, one.code, &value_in_step));
        steps.lines.back().instructions = {k};
    }
    section.functions.push_back(std::move(steps));
    return section;
}

/// The names of the functions that the lines of a function call.
std::vector<std::string> calls_in(const CodeFunction& function) {
    std::vector<std::string> names;
    const std::vector<std::string_view>& lines = source_file(function.file).lines;
    for (const CodeLine& line : function.lines) {
        const std::vector<CodeToken> tokens =
            code_tokens(lines.at(static_cast<std::size_t>(line.number) - 1));
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
            if (tokens[i].word && tokens[i + 1].text == "(") names.emplace_back(tokens[i].text);
    }
    return names;
}

/// The file, and those of our headers that it includes and that are embedded in the program.
std::vector<std::string> files_round(const std::string& file) {
    std::vector<std::string> files{file};
    for (const std::string_view line : source_file(file).lines) {
        constexpr std::string_view kInclude = "#include \"";
        if (!line.starts_with(kInclude) || !line.ends_with('"')) continue;
        const std::string_view path = line.substr(kInclude.size(), line.size() - kInclude.size() - 1);
        if (!asset(path).empty()) files.emplace_back(path);
    }
    return files;
}

/// The address formula and, folded, everything that it calls.
CodeSection address_section(const Maker& maker) {
    CodeSection section{
        CodePart::address,
        "Written once: the model calls it for the pictures, the kernel for its addresses, and the "
        "tests compare the two.",
        {}};
    const std::string file = scenario_file(maker.scenario);
    const std::vector<std::string> files = files_round(file);
    section.functions.push_back(make_function(maker, file, "access"));
    std::set<std::string> known{"access"};
    for (std::size_t next = 0; next < section.functions.size(); ++next) {
        const CodeFunction from = section.functions[next];
        for (const std::string& name : calls_in(from)) {
            if (!known.insert(name).second) continue;
            for (const std::string& where : files) {
                if (!source_file(where).functions.contains(name)) continue;
                CodeFunction called = make_function(maker, where, name);
                // A function that the scenario's formula only forwards to is the formula.
                called.folded = !has_access(called);
                section.functions.push_back(std::move(called));
                break;
            }
        }
    }
    return section;
}

CodeSection kernel_section(Maker maker, const KernelCode& code, CodePart part) {
    CodeSection section{part, "", {}};
    maker.arguments = code.arguments;
    CodeFunction kernel = make_function(maker, code.file, code.function);
    kernel.name = code.specialised();
    section.functions.push_back(std::move(kernel));
    for (const std::string& name : code.helpers) {
        CodeFunction helper = make_function(maker, code.file, name);
        if (has_access(helper)) section.functions.push_back(std::move(helper));
    }
    for (const std::string& name : code.between) {
        section.functions.push_back(make_function(maker, code.file, name));
        section.functions.back().folded = true;
    }
    section.note = part == CodePart::timed
                       ? "Its time is what the plot shows: the pictured warp alone, over and over."
                       : "It runs over the whole grid. Faint lines are what other settings do.";
    return section;
}

std::string launch_text(const LaunchShape& shape) {
    const std::string size =
        fmt::format("dim3({}, {}), dim3({}, {})", shape.grid.x, shape.grid.y, shape.block.x, shape.block.y);
    return shape.shared_bytes > 0 ? fmt::format("<<<{}, {}>>>", size, shape.shared_bytes)
                                  : fmt::format("<<<{}>>>", size);
}

}  // namespace

std::string_view part_title(CodePart part) {
    switch (part) {
        case CodePart::steps:
            return "What one thread does";
        case CodePart::address:
            return "Which address it takes";
        case CodePart::kernel:
            return "The kernel";
        case CodePart::timed:
            return "The kernel that is timed";
    }
    return "";
}

std::string CodeLine::source() const {
    std::string text(static_cast<std::size_t>(indent), ' ');
    for (const CodePiece& piece : pieces)
        if (!piece.value) text += piece.text;
    return text.find_first_not_of(' ') == std::string::npos ? std::string() : text;
}

std::vector<std::string> names_of_access(const Scenario& scenario, const Params& params, int instruction) {
    const Instruction one = scenario.instruction(params, instruction);
    const std::string kind = kind_of_access(scenario, params, instruction);
    const std::string space = kind.substr(0, kind.find(' '));
    return {std::string(one.label), kind,
            fmt::format("{} {} {} memory", one.label, is_load(one.op) ? "from" : "to", space)};
}

CodePage code_page(const Scenario& scenario, const Params& params) {
    Maker maker{scenario, params, {}, {}};
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        maker.names.push_back(names_of_access(scenario, params, k));
    CodePage page;
    page.sections = {steps_section(maker), address_section(maker)};
    const KernelCode grid = grid_kernel(scenario, params), timed = timed_kernel(scenario, params);
    page.sections.push_back(kernel_section(maker, grid, CodePart::kernel));
    if (timed.function != grid.function)
        page.sections.push_back(kernel_section(maker, timed, CodePart::timed));
    page.launch = launch_text(scenario.launch(params));
    for (const Knob& knob : scenario.info->knobs)
        page.values.push_back(fmt::format("{} = {}", knob.key, format_knob(knob, params)));
    return page;
}

std::string CodePage::text() const {
    std::string text;
    for (const std::string& value : values) text += fmt::format("// {}\n", value);
    for (const CodeSection& section : sections) {
        text += fmt::format("\n// {}{}\n", part_title(section.part),
                            section.part == CodePart::kernel ? ": " + launch : "");
        for (const CodeFunction& function : section.functions) {
            if (!function.name.empty()) text += fmt::format("\n// {}: {}\n", function.file, function.name);
            for (const CodeLine& line : function.lines) text += line.source() + "\n";
        }
    }
    return text;
}

}  // namespace warplens
