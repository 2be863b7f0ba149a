#include "app/code/code_page.h"

#include "app/base/assets.h"
#include "app/code/compiled_code.h"
#include "app/code/program_text.h"
#include "app/experiment/evidence.h"
#include "app/experiment/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace warplens {
namespace {

constexpr std::string_view kAccess = "// access: ";
constexpr std::size_t kColumns = 110;  ///< of the sources

using Names = std::set<std::string, std::less<>>;

/// A file of sources, read once, or a text.
struct Source {
    explicit Source(std::string_view text) : lines(lines_of_code(text)), definitions(definitions_in(text)) {}
    std::vector<std::string_view> lines;
    std::vector<Definition> definitions;

    /// The names in some lines, except members of an object and what comments say.
    void add_names(std::size_t first, std::size_t last, Names& names) const {
        for (std::size_t i = first; i <= last; ++i) {
            const std::vector<CodeToken> tokens = code_tokens(lines[i]);
            for (std::size_t k = 0; k < tokens.size(); ++k) {
                const bool member = k > 0 && (tokens[k - 1].text == "." || tokens[k - 1].text == ">");
                if (tokens[k].word && !member) names.emplace(tokens[k].text);
            }
        }
    }
    void add_names(const Definition& definition, Names& names) const {
        Names found;
        add_names(definition.head, definition.last, found);
        for (const std::string& parameter : definition.parameters) found.erase(parameter);
        names.merge(found);
    }
};

const Source& source_file(const std::string& path) {
    static std::map<std::string, Source> files;
    return files.try_emplace(path, asset(path)).first->second;
}

/// The definitions of some names, and of all names in these, in the order of the source.
/// @param names  grows by the names that are found on the way
std::vector<const Definition*> definitions_of(const Source& source, Names& names) {
    std::set<const Definition*> used;
    for (bool more = true; more;) {
        more = false;
        for (const Definition& one : source.definitions) {
            if (!names.contains(one.name) || !used.insert(&one).second) continue;
            source.add_names(one, names);
            more = true;
        }
    }
    std::vector<const Definition*> all;
    for (const Definition& one : source.definitions) {
        const bool told = !all.empty() && all.back()->head == one.head;  // one line with several names
        if (used.contains(&one) && !told) all.push_back(&one);
    }
    return all;
}

const Definition& require_definition(const Source& source, const std::string& kernel) {
    const auto found = std::ranges::find(source.definitions, kernel, &Definition::name);
    if (found == source.definitions.end()) throw std::runtime_error("there is no kernel " + kernel);
    return *found;
}

std::string kernel_file(const Scenario& scenario) {
    std::string file = fmt::format("kernels/scenarios/cuda/{}.cu", scenario.info->id);
    std::ranges::replace(file, '-', '_');
    return file;
}

/// Replace every occurrence.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string resources_text(const KernelResources& kernel) {
    return fmt::format("{} {} registers, {}", provenance_mark(Provenance::recorded), kernel.registers,
                       kernel.local > 0 ? fmt::format("{} bytes of local memory", kernel.local)
                                        : std::string("no local memory"));
}

/// Makes the program of one setting.
class PageMaker {
public:
    PageMaker(const Scenario& scenario, const Params& params)
        : scenario_(scenario),
          params_(params),
          code_(scenario.facts->code(params)),
          source_(source_file(kernel_file(scenario))),
          kernel_(require_definition(source_, code_.function)) {
        for (int k = 0; k < scenario.instruction_count(params); ++k)
            labels_.emplace_back(scenario.instruction(params, k).label);
        find_facts();
        make_host();
    }

    CodePage make() {
        CodePage page{.file = fmt::format("{}.cu", scenario_.info->id), .launch = launch_text()};
        const RecordedKernel recorded = recorded_grid_kernel(scenario_, params_);
        if (recorded.kernel != nullptr && recorded.kernel->name == code_.function) {
            page.resources = resources_text(*recorded.kernel);
            page.resources_from = recorded.where;
        }
        page.sections = {head_section(), kernel_section(), std::move(host_)};
        for (std::size_t i = 1; i < page.sections.size(); ++i) {  // the empty line between two ends the first
            std::vector<CodeLine>& lines = page.sections[i].lines;
            page.sections[i - 1].lines.push_back(std::move(lines.front()));
            lines.erase(lines.begin());
        }
        const auto compiled = recorded_sass().find(kernel_hash(page.kernel_text()));
        if (compiled != recorded_sass().end())
            add_sass(page, scenario_, params_, compiled->second, Provenance::recorded);
        return page;
    }

private:
    CodeSection head_section() const {
        CodeSection section{CodePart::head, {}};
        const std::string settings = describe_settings(scenario_, params_, ",");
        const std::string_view id = scenario_.info->id;
        add(section, fmt::format("// {}: {}\n// {}\n//\n", scenario_.info->title, scenario_.info->formula,
                                 scenario_.info->summary));
        add(section,
            fmt::format("//     warplens code {}{}{}\n", id, settings.empty() ? "" : " --set ", settings));
        add(section, fmt::format("//     nvcc -O3 -arch=native {0}.cu -o {0} && ./{0}\n", id));
        // CUDA's headers are called after their namespaces, and cuda.h defines the type of tensor maps.
        constexpr std::string_view kInclude = "#include <", kEnd = ".h>";
        if (own_names_.contains("CUtensorMap")) add(section, "#include <cuda.h>");
        for (const std::string_view line : source_.lines) {
            if (!line.starts_with(kInclude) || !line.ends_with(kEnd)) continue;
            const std::size_t length = line.size() - kInclude.size() - kEnd.size();
            if (own_names_.contains(line.substr(kInclude.size(), length))) add(section, line);
        }
        // Functions of kernels/cuda/element.cuh are for the host's part, too.
        Names names;
        for (const char* name : {"fold", "unfold", "filled_word"})
            if (own_names_.contains(name) || host_names_.contains(name)) names.emplace(name);
        const Source& elements = source_file("kernels/cuda/element.cuh");
        add_definitions(section, elements, definitions_of(elements, names));
        return section;
    }

    CodeSection kernel_section() const {
        CodeSection section{CodePart::kernel, {}};
        add_definitions(section, source_, own_);
        add(section, "\n");
        for (const std::string& parameter : kernel_.template_parameters)
            add(section, constant(parameter) + '\n');
        if (!kernel_.template_parameters.empty()) add(section, "\n");
        if (kernel_.head > kernel_.first) add_source(section, source_, kernel_.first, kernel_.head - 1);
        add_source(section, source_, kernel_.body, kernel_.last);
        return section;
    }

    /// All but the kernel, with lines between them as in their file.
    void add_definitions(CodeSection& section, const Source& source,
                         const std::vector<const Definition*>& definitions) const {
        const Definition* before = nullptr;
        for (const Definition* one : definitions) {
            if (one == &kernel_) continue;
            if (before == nullptr || before->last + 1 != one->first) add(section, "\n");
            add_source(section, source, one->first, one->last);
            before = one;
        }
    }

    /// Takes the scenario's host code from assets/programs, and those functions of common.cu that it calls.
    void make_host() {
        const std::string main =
            fill_program(asset(fmt::format("assets/programs/{}.cu", scenario_.info->id)), facts_);
        const Source program(main);
        const Source& functions = source_file("assets/programs/common.cu");
        Names names;
        for (std::size_t i = 0; i < program.lines.size(); ++i) program.add_names(i, i, names);
        add(host_, "\n// Host code\n");
        for (const std::string_view line : functions.lines) {
            const bool defines = line.starts_with("#define");
            if (!defines && !line.starts_with("#include")) continue;
            if (defines) add(host_, "\n");
            add(host_, std::string(line) + '\n');
            if (!defines) continue;
            for (const CodeToken& token : code_tokens(line)) names.emplace(token.text);
        }
        add_definitions(host_, functions, definitions_of(functions, names));
        add(host_, "\n" + main);
        host_names_ = std::move(names);
    }

    /// `int kTile` as a constant.
    std::string constant(std::string_view parameter) const {
        const std::size_t space = parameter.rfind(' ');
        const std::string_view type = parameter.substr(0, space), name = parameter.substr(space + 1);
        const auto value = std::ranges::find(code_.arguments, name, &CodeValue::name);
        if (value == code_.arguments.end())
            throw std::runtime_error(fmt::format("{} has no value for {}", code_.function, name));
        return type == "class" || type == "typename"
                   ? fmt::format("using {} = {};", name, value->text)
                   : fmt::format("constexpr {} {} = {};", type, name, value->text);
    }

    void add(CodeSection& section, std::string_view text) const {
        for (const std::string_view line : lines_of_code(text))
            section.lines.push_back({std::string(line), {}, {}});
    }

    void add_source(CodeSection& section, const Source& source, std::size_t first, std::size_t last) const {
        for (std::size_t i = first; i <= last; ++i) {
            std::string_view line = source.lines[i];
            CodeLine made;
            if (const std::size_t at = line.find(kAccess); at != std::string_view::npos) {
                made.instructions = instructions_called(line.substr(at + kAccess.size()));
                line = line.substr(0, line.find_last_not_of(' ', at - 1) + 1);
            }
            made.text = line;
            replace_all(made.text, "WARPLENS_HD", "__host__ __device__");
            // Without its comment a statement may fit into one line.
            std::string* const before = section.lines.empty() ? nullptr : &section.lines.back().text;
            const std::size_t begin = std::min(made.text.find_first_not_of(' '), made.text.size());
            const bool joins = !made.instructions.empty() && before != nullptr && before->ends_with(" =") &&
                               before->size() + 1 + made.text.size() - begin <= kColumns;
            if (joins) made.text = fmt::format("{} {}", *before, made.text.substr(begin));
            if (joins) section.lines.pop_back();
            section.lines.push_back(std::move(made));
        }
    }

    std::vector<int> instructions_called(std::string_view labels) const {
        std::vector<int> found;
        while (!labels.empty()) {
            const std::size_t end = std::min(labels.find("; "), labels.size());
            const auto label = std::ranges::find(labels_, labels.substr(0, end));
            if (label != labels_.end()) found.push_back(int(label - labels_.begin()));
            labels.remove_prefix(std::min(end + 2, labels.size()));
        }
        return found;
    }

    /// As short as possible: what the host code spells out.
    std::string launch_text() const {
        const LaunchShape shape = scenario_.launch(params_);
        return fmt::format("{}<<<dim3({}, {}), dim3({}, {}), {}>>>", code_.function, shape.grid.x,
                           shape.grid.y, shape.block.x, shape.block.y,
                           dynamic_shared_ ? shared_bytes_of(shape) : 0);
    }

    void find_facts();

    const Scenario& scenario_;
    const Params& params_;
    KernelCode code_;
    const Source& source_;
    const Definition& kernel_;
    std::vector<std::string_view> labels_;  ///< by instruction
    std::vector<const Definition*> own_;  ///< what the kernel's file defines and the kernel needs, itself too
    Names own_names_, host_names_;
    CodeSection host_{CodePart::host, {}};
    bool dynamic_shared_ = false;
    ProgramFacts facts_;
};

std::string extent_text(const Extent& extent) {
    return extent.y == 1 ? std::to_string(extent.x) : fmt::format("{}, {}", extent.x, extent.y);
}

/// A knob's value as a number in the code.
std::string number_of(const Knob& knob, const Params& params) {
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::mask) return fmt::format("0x{:08x}", static_cast<unsigned>(value));
    return std::to_string(knob.kind == KnobKind::power ? std::int64_t{1} << value : value);
}

void PageMaker::find_facts() {
    own_names_ = {code_.function};
    for (const CodeValue& one : code_.arguments) own_names_.insert(one.text);  // it may be a type of the file
    own_ = definitions_of(source_, own_names_);
    for (const Definition* one : own_)
        for (std::size_t i = one->head; i <= one->last; ++i)
            dynamic_shared_ =
                dynamic_shared_ || source_.lines[i].find("extern __shared__") != std::string_view::npos;

    const LaunchShape shape = scenario_.launch(params_);
    for (const Knob& knob : scenario_.info->knobs) {
        facts_.values.emplace(knob.key, number_of(knob, params_));
        facts_.words.insert(fmt::format("{}={}", knob.key, format_knob(knob, params_)));
    }
    for (const CodeValue& one : code_.values) facts_.values.insert_or_assign(one.name, one.text);
    for (const std::string& parameter : kernel_.parameters) facts_.words.insert("takes." + parameter);
    facts_.words.insert(code_.function);
    facts_.values["id"] = scenario_.info->id;
    facts_.values["grid"] = extent_text(shape.grid);
    facts_.values["block"] = extent_text(shape.block);
    facts_.values["kernel"] = code_.function;
    facts_.values["shared_bytes"] = std::to_string(shared_bytes_of(shape));
    std::string arguments;
    for (const std::string& parameter : kernel_.parameters)
        arguments += (arguments.empty() ? "" : ", ") + parameter;
    facts_.values["arguments"] = arguments;
    facts_.values["launch"] = fmt::format("{}<<<grid, block, {}, stream>>>({})", code_.function,
                                          dynamic_shared_ ? "shared_bytes" : "0", arguments);
    if (dynamic_shared_) facts_.words.insert("dynamic-shared");
    constexpr std::size_t kWithoutAsking = 48 * 1024;
    if (dynamic_shared_ && shared_bytes_of(shape) > kWithoutAsking) facts_.words.insert("much-shared");
}

}  // namespace

std::string_view part_title(CodePart part) {
    switch (part) {
        case CodePart::head:
            return "What it is";
        case CodePart::kernel:
            return "The kernel";
        case CodePart::host:
            break;
    }
    return "Host code";
}

std::string CodePage::kernel_text() const {
    std::string text;
    for (const CodeSection& section : sections) {
        for (const CodeLine& line : section.lines)
            if (section.part != CodePart::host) text += line.text + '\n';
    }
    return text;
}

std::string CodePage::text() const {
    std::string text;
    for (const CodeSection& section : sections)
        for (const CodeLine& line : section.lines) text += line.text + '\n';
    return text;
}

/// The text of a typed kernel as it is: without host code, and nobody has compiled it.
static CodePage typed_page(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    CodePage page{
        .file = scenario.info->title.ends_with(".cu") ? std::string(scenario.info->title) : "kernel.cu",
        .launch = fmt::format("{}<<<dim3({}), dim3({})>>>",
                              scenario.info->formula.substr(0, scenario.info->formula.find('(')),
                              extent_text(shape.grid), extent_text(shape.block))};
    CodeSection section{CodePart::kernel, {}};
    for (const std::string_view line : lines_of_code(scenario.typed->text()))
        section.lines.push_back({std::string(line), {}, {}});
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const int line = scenario.typed->line_of(params, k);
        if (line > 0 && static_cast<std::size_t>(line) <= section.lines.size())
            section.lines[static_cast<std::size_t>(line) - 1].instructions.push_back(k);
    }
    page.sections.push_back(std::move(section));
    return page;
}

CodePage code_page(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) return typed_page(scenario, params);
    return PageMaker(scenario, params).make();
}

}  // namespace warplens
