#include "app/base/output.h"
#include "app/cli/command_options.h"
#include "app/code/code_text.h"
#include "app/code/compiled_code.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"

namespace warplens {
namespace {

struct CodeCommand {
    ScenarioChoice choice;
    std::string path;    ///< Empty for standard output.
    bool sass = false;   ///< the machine instructions of each access in place of the program
    std::string record;  ///< a table of all kernels' machine instructions in place of the program
};

/// The name that nvcc has for the GPU of this machine; without one, for those that were recorded.
std::string arch_here() {
    const auto gpus = list_gpus();
    const auto* found = std::get_if<std::vector<GpuInfo>>(&gpus);
    if (found == nullptr || found->empty()) return kRecordedArch;
    return fmt::format("sm_{}{}", found->front().cc_major, found->front().cc_minor);
}

/// The same of a person's own kernel, and the text that the compiler is given.
std::string sass_of_kernel(const Scenario& scenario, const Params& params) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) throw UsageError("there is no nvcc here to compile it: install CUDA's toolkit");
    const CompiledKernel made = compiled_kernel(
        scenario, params, compile_kernel(nvcc, text_to_compile(scenario, params), arch_here()));
    std::string text = fmt::format("{} {}\n", provenance_mark(Provenance::exact), made.summary);
    const std::vector<std::string_view> lines = lines_of_code(scenario.typed->text());
    for (const auto& [line, sass] : made.accesses) {
        const std::string_view code = lines.at(std::size_t(line) - 1);
        text += fmt::format("{:>4}  {}\n", line,
                            printable(code.substr(std::min(code.find_first_not_of(" \t"), code.size()))));
        for (int k = 0; k < scenario.instruction_count(params); ++k)
            if (scenario.typed->line_of(params, k) == line)
                text += fmt::format("      {}\n", scenario.instruction(params, k).label);
        text += fmt::format("      -> {}\n", sass.empty() ? "no memory instruction" : sass);
    }
    return text;
}

std::string sass_of(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) return sass_of_kernel(scenario, params);
    CodePage page = code_page(scenario, params);
    if (const std::string nvcc = find_nvcc(); !nvcc.empty())
        add_sass(page, scenario, params, compile_kernel(nvcc, page.kernel_text(), arch_here()),
                 Provenance::exact);
    if (page.compiled.empty())
        throw UsageError(
            "the machine code of this kernel was not recorded, and there is no nvcc here to compile it: "
            "install CUDA's toolkit, or ask for a preset of the scenario");
    return sass_text(page, scenario, params);
}

/// Compiles the kernels of all defaults and presets with nvcc, and of all settings of scenarios that have
/// few kernels. Kernels that were recorded with this compiler are not compiled again.
SassTable compile_all(std::ostream& out) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) throw UsageError("--record needs nvcc, and there is none on the PATH");
    constexpr std::size_t kFew = 20;
    SassTable table;
    std::string compiler;  // known once it has compiled a kernel
    const auto add = [&](const Scenario& scenario, const Params& params) {
        const std::string text = code_page(scenario, params).kernel_text();
        const auto [row, is_new] = table.try_emplace(kernel_hash(text));
        if (!is_new) return;
        const auto recorded = recorded_sass().find(row->first);
        const bool known = recorded != recorded_sass().end() && recorded->second.from == compiler;
        row->second = known ? recorded->second : compile_kernel(nvcc, text, kRecordedArch);
        compiler = row->second.from;
    };
    for (const Scenario& scenario : all_scenarios()) {
        add(scenario, preset_params(scenario, {"", ""}));
        for (const Preset& preset : scenario.info->presets) add(scenario, preset_params(scenario, preset));
        std::vector<const Params*> settings;
        for (const KernelRow& row : kernel_tables().front().rows)
            if (row.scenario == &scenario) settings.push_back(&row.params);
        if (settings.size() > kFew) continue;
        for (const Params* params : settings) add(scenario, *params);
    }
    out << table.size() << " kernels\n";
    return table;
}

void run_code(const CodeCommand& command, std::ostream& out) {
    if (!command.record.empty()) {
        check_output(command.record);
        write_output(command.record, write_sass_table(compile_all(out)));
        return;
    }
    if (command.choice.scenario.empty()) throw UsageError("code needs a scenario: warplens code transpose");
    const bool own = is_kernel_file(command.choice.scenario);
    const Scenario& scenario = own ? open_kernel_file(command.choice.scenario, command.choice.kernel)
                                   : require_scenario(command.choice.scenario);
    const Params params = apply_settings(scenario, command.choice.settings);
    write_answer(command.path, out, [&] {
        return command.sass ? sass_of(scenario, params)
               : own        ? text_to_compile(scenario, params)
                            : code_page(scenario, params).text();
    });
}

}  // namespace

CommandEntry code_command() {
    return {"code", "Write the kernel of a setting as a CUDA program of its own",
            "code transpose --set variant=padded --out t.cu       a program for nvcc",
            options_of<CodeCommand>(
                [](CLI::App& app, CodeCommand& command) {
                    add_scenario(app, command.choice);
                    app.add_flag("--sass", command.sass,
                                 "Write each access with its machine instructions, registers and spills: by "
                                 "the nvcc of this machine, otherwise as recorded");
                    add_value(app, "--record", command.record,
                              "Compile the kernels of all presets with nvcc, and write their machine "
                              "instructions into this file (assets/sass.json)",
                              "FILE");
                    add_output(app, command.path);
                },
                run_code)};
}

}  // namespace warplens
