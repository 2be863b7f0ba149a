#include "app/base/format.h"
#include "app/base/output.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/code/as_compiled.h"
#include "app/code/code_text.h"
#include "app/experiment/devices.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/access/counts.h"

#include <nlohmann/json.hpp>

namespace warplens {
namespace {

struct CodeCommand {
    ScenarioChoice choice;
    std::string path;  ///< Empty for standard output.
    DeviceChoice device;
    bool sass = false;   ///< the machine instructions of each access in place of the program
    bool json = false;   ///< these and their counts, of a person's own kernel
    std::string record;  ///< a table of all kernels' machine instructions in place of the program
};

/// Nothing of the machine's own counters is in it: what they count of a program that nvcc compiles are the
/// numbers as compiled, and what `measure --counters` counts of the text those as written.
std::string counts_text(const CompiledKernel& made) {
    TextTable table({"access", "line", "counter", "as written", "as compiled"});
    for (const AsCompiled& one : made.counts) {
        for (const CountWords& words : counts_of(one.space))
            if (words.main || words.key == "requests")
                table.add({one.label, std::to_string(*one.lines.begin()), std::string(words.name),
                           format_count(words.value(one.written)),
                           one.unknown.empty() ? format_count(words.value(one.compiled)) : "not known"});
    }
    return table.text() +
           "Nsight Compute counts what stands as compiled, of a program that nvcc makes of this text; "
           "measure --counters\nalso what stands as written, where each access is made as the text has it.\n";
}

std::string compiled_json(const CompiledKernel& made, const CompiledCode& code) {
    using nlohmann::ordered_json;
    ordered_json all{{"schema", "warplens compiled"},
                     {"version", 1},
                     {"compiler", code.from},
                     {"registers", code.registers},
                     {"spill_stores", code.spill_stores},
                     {"spill_loads", code.spill_loads},
                     {"accesses", ordered_json::array()}};
    const auto counts_json = [](const Totals& totals) {
        ordered_json counts;
        for (const CountKey& count : counts_of_files()) counts[count.key] = count.value(totals);
        return counts;
    };
    for (const AsCompiled& one : made.counts) {
        ordered_json row{{"instructions", one.instructions},
                         {"lines", one.lines},
                         {"label", one.label},
                         {"kind", provenance_name(one.kind)},
                         {"written", counts_json(one.written)}};
        for (const int line : one.lines) row["made_of_lines"].push_back(made.made.at(line));
        if (one.unknown.empty()) {
            row["machine"] = one.machine;
            row["joined"] = one.joined;
            row["compiled"] = counts_json(one.compiled);
        } else {
            row["unknown"] = one.unknown;
        }
        all["accesses"].push_back(row);
    }
    return all.dump(2) + '\n';
}

/// A person's own kernel, and the text that the compiler is given.
std::string sass_of_kernel(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                           bool json) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty()) throw UsageError("there is no nvcc here to compile it: install CUDA's toolkit");
    const CompiledCode code = compile_kernel(nvcc, text_to_compile(scenario, params), arch_of(device));
    const CompiledKernel made = compiled_kernel(scenario, params, code, device);
    if (json) return compiled_json(made, code);
    std::string text = fmt::format("{} {}\n", provenance_mark(Provenance::exact), made.summary);
    const std::vector<std::string_view> lines = lines_of_code(scenario.typed->text());
    for (const auto& [line, sass] : made.made) {
        const std::string_view code_line = lines.at(std::size_t(line) - 1);
        text += fmt::format(
            "{:>4}  {}\n      -> {}\n", line,
            printable(code_line.substr(std::min(code_line.find_first_not_of(" \t"), code_line.size()))),
            compiled_line(made, line));
    }
    return text + '\n' + counts_text(made);
}

std::string sass_of(const Scenario& scenario, const Params& params, const CodeCommand& command) {
    std::vector<DeviceFacts> devices = device_table();
    const std::size_t chosen = choose_device(devices, command.device.name, command.device.cpu);
    if (scenario.typed != nullptr) return sass_of_kernel(scenario, params, devices[chosen], command.json);
    CodePage page = code_page(scenario, params);
    if (const std::string nvcc = find_nvcc(); !nvcc.empty())
        add_sass(page, scenario, params, compile_kernel(nvcc, page.kernel_text(), arch_of(devices[chosen])),
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
    if (command.json && !(own && command.sass))
        throw UsageError("code --json needs --sass and a kernel of your own");
    const Scenario& scenario = own ? open_kernel_file(command.choice.scenario, command.choice.kernel)
                                   : require_scenario(command.choice.scenario);
    const Params params = apply_settings(scenario, command.choice.settings);
    write_answer(command.path, out, [&] {
        return command.sass ? sass_of(scenario, params, command)
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
                                 "the nvcc of this machine, otherwise as recorded; of a kernel of your own "
                                 "also what they take of the grid");
                    add_json(app, command.json);
                    add_device(app, command.device, false);
                    add_value(app, "--record", command.record,
                              "Compile the kernels of all presets with nvcc, and write their machine "
                              "instructions into this file (assets/sass.json)",
                              "FILE");
                    add_output(app, command.path);
                },
                run_code)};
}

}  // namespace warplens
