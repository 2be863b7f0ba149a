#include "app/cli/command_options.h"

#include "app/base/output.h"
#include "app/experiment/devices.h"

#include <fmt/chrono.h>
#include <algorithm>
#include <cstring>
#include <ctime>
#include <iostream>

namespace warplens {
namespace {

using Values = std::vector<std::string>;

const ExportOption& export_option(std::string_view name) {
    return *std::ranges::find(export_options(), name, &ExportOption::name);
}

void tell_variants(const std::string& wanted) {
    const std::string taken = taken_as(device_table(), wanted);
    if (!taken.empty()) std::cerr << fmt::format("--device {}: {}\n", wanted, taken);
}

CLI::Option* describe(CLI::Option* option, const ExportOption& of) {
    option->type_name(std::string(of.value));
    if (of.name == "--device")  // an unset variable of a script is not the default GPU
        option
            ->check([](const std::string& value) {
                return value.empty() ? "expected words of a GPU's name, a compute capability, or here"
                                     : std::string();
            })
            ->each(&tell_variants);
    if (of.repeats) option->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return option;
}

/// An option that `export` has, too, in the same words, but which is written to `value`.
template <class T>
CLI::Option* add_same(CLI::App& app, std::string_view name, T& value) {
    const ExportOption& option = export_option(name);
    return describe(app.add_option(std::string(name), value, option.meaning), option);
}

CLI::Option* add_figure_option(CLI::App& app, ExportRequest& request, const ExportOption& option) {
    const std::string& name = option.name;
    const auto read = [&request, &option](const std::string& text) { option.read(request, text); };
    if (option.value.empty())
        return app.add_flag_callback(
            name, [read] { read({}); }, option.meaning);
    if (!option.repeats)
        return describe(app.add_option_function<std::string>(name, read, option.meaning), option);
    const auto read_all = [read](const Values& all) { std::ranges::for_each(all, read); };
    return describe(app.add_option_function<Values>(name, read_all, option.meaning), option);
}

}  // namespace

CLI::Option* add_settings(CLI::App& app, ScenarioChoice& choice) {
    return add_same(app, "--set", choice.settings);
}

CLI::Option* add_scenario(CLI::App& app, ScenarioChoice& choice) {
    CLI::Option* scenario = add_same(app, "scenario", choice.scenario);
    add_settings(app, choice);
    add_same(app, "--kernel", choice.kernel);
    return scenario;
}

void add_device(CLI::App& app, DeviceChoice& device, bool bank_mode) {
    add_same(app, "--device", device.name);
    if (bank_mode) add_same(app, "--bank-mode", device.bank_mode);
    add_cpu(app, device.cpu);
}

void add_cpu(CLI::App& app, bool& cpu) { app.add_flag("--cpu,--no-gpu", cpu, "Never touch CUDA"); }
void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "As JSON"); }

void add_report_format(CLI::App& app, ReportFormat& format) {
    CLI::Option* json = app.add_flag_callback(
        "--json", [&format] { format = ReportFormat::json; }, "As JSON");
    app.add_flag_callback(
           "--csv", [&format] { format = ReportFormat::csv; }, "As CSV")
        ->excludes(json);
}

void add_output(CLI::App& app, std::string& path) {
    add_value(app, "--out", path, "Write there instead of standard output", "FILE");
}

void add_export_options(CLI::App& app, ExportRequest& request, bool gallery) {
    for (const ExportOption& option : export_options()) {
        if (!gallery || option.of == ExportOption::Of::every_figure) add_figure_option(app, request, option);
    }
}

CLI::Option* add_export_option(CLI::App& app, ExportRequest& request, std::string_view name) {
    return add_figure_option(app, request, export_option(name));
}

void write_answer(const std::string& path, std::ostream& out, const std::function<std::string()>& make) {
    if (path.empty()) {
        out << make();
        return;
    }
    check_output(path);
    write_output(path, make());
}

GpuInfo require_gpu(std::string_view command, bool cpu) {
    if (cpu) throw NoGpu(fmt::format("{} needs an NVIDIA GPU, and --cpu forbids using one", command));
    const auto gpus = list_gpus();
    if (const auto* list = std::get_if<std::vector<GpuInfo>>(&gpus); list != nullptr && !list->empty())
        return list->front();
    const auto* none = std::get_if<Unavailable>(&gpus);
    throw NoGpu(fmt::format("{} needs an NVIDIA GPU: {}", command,
                            none != nullptr ? none->reason : "there is none here"));
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

}  // namespace warplens
