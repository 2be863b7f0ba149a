#include "app/base/version.h"
#include "app/cli/occupancy/occupancy.h"
#include "app/cli/text_table.h"
#include "app/experiment/devices.h"
#include "app/experiment/pipeline.h"
#include "kernels/cuda/gpu.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <set>
#include <tuple>

namespace warplens {
namespace {

std::string or_defaults(const std::string& settings) { return settings.empty() ? "(defaults)" : settings; }

}  // namespace

KernelSurvey survey_kernels(const GpuInfo& gpu, const AskResources& ask) {
    const CudaVersions versions = cuda_versions();
    KernelSurvey survey;
    KernelTable& table = survey.table;
    table.gpu = gpu.name;
    table.cc = {gpu.cc_major, gpu.cc_minor};
    table.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    table.program = fmt::format("warplens {}", version());
    table.cuda_runtime = versions.runtime;
    table.cuda_driver = versions.driver;
    std::set<std::string> reasons;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            auto answer = ask(scenario.info->id, params);
            if (const auto* why = std::get_if<Unavailable>(&answer)) {
                const std::string reason = fmt::format("{}: {}", scenario.info->id, why->reason);
                if (reasons.insert(reason).second) survey.left_out.push_back(reason);
                continue;
            }
            table.rows.push_back(
                {&scenario, params, std::get<std::vector<KernelResources>>(std::move(answer))});
        }
    }
    return survey;
}

std::optional<Occupancy> model_of_kernel(ComputeCapability cc, const KernelResources& kernel) {
    const std::optional<CapabilityFacts> facts = rules_of(cc);
    if (!facts) return std::nullopt;
    OccupancyInput input{kernel.threads, kernel.registers, kernel.static_shared, kernel.dynamic_shared};
    if (facts->has_carveout()) input.carveout = kernel.carveout;
    return compute_occupancy(*facts, input);
}

std::string survey_text(const KernelSurvey& survey, int& differing) {
    TextTable table(
        {"scenario", "kernel", "threads", "registers", "shared", "local", "driver", "model", "", "settings"});
    std::set<std::tuple<const Scenario*, std::string, std::string, int, int, int, int>> shown;
    int kernels = 0;
    differing = 0;
    for (const KernelRow& row : survey.table.rows) {
        for (const KernelResources& kernel : row.kernels) {
            const std::optional<Occupancy> model = model_of_kernel(survey.table.cc, kernel);
            const bool differs = model && model->blocks != kernel.blocks_per_sm;
            ++kernels;
            differing += differs ? 1 : 0;
            const int shared = kernel.static_shared + kernel.dynamic_shared;
            const bool is_new = shown
                                    .emplace(row.scenario, kernel.role, kernel.name, kernel.threads,
                                             kernel.registers, shared, kernel.local)
                                    .second;
            if (!is_new && !differs) continue;
            table.add({std::string(row.scenario->info->id),
                       fmt::format("{} ({})", kernel.name.empty() ? "kernel" : kernel.name, kernel.role),
                       std::to_string(kernel.threads), std::to_string(kernel.registers),
                       std::to_string(shared), std::to_string(kernel.local),
                       std::to_string(kernel.blocks_per_sm), model ? std::to_string(model->blocks) : "?",
                       model ? differs ? "≠" : "=" : "",
                       or_defaults(describe_settings(*row.scenario, row.params))});
        }
    }
    std::string text = fmt::format("{}\n", survey.table.where()) + table.text();
    text += fmt::format(
        "{} launches of kernels asked for; in {} the driver puts another number of blocks onto "
        "an SM than the model.\n",
        kernels, differing);
    for (const std::string& reason : survey.left_out) text += fmt::format("left out: {}\n", reason);
    return text;
}

}  // namespace warplens
