#include "app/cli/occupancy/occupancy.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/base/version.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/evidence.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <tuple>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// Null if the table has no such compute capability.
const CapabilityFacts* capability_named(std::string_view text) {
    const auto cc = parse_capability(text);
    return cc ? find_capability(capability_table(), *cc) : nullptr;
}

const CapabilityFacts& require_capability(const std::string& text) {
    if (const CapabilityFacts* facts = capability_named(text)) return *facts;
    throw UsageError(
        fmt::format("--cc {}: expected a compute capability of the table: {}", text, capability_names()));
}

/// The input from the command line. An option that means nothing on this compute capability is a mistake.
OccupancyInput input_of(const OccupancyCommand& command, const CapabilityFacts& facts) {
    if (command.input.carveout >= 0 && !facts.has_carveout())
        throw UsageError(
            fmt::format("--carveout {}: compute capability {} has none; from 7.0 on there is one",
                        command.input.carveout, facts.cc.text()));
    if (command.input.arguments != 0 && facts.most_arguments == 0)
        throw UsageError(fmt::format(
            "--arguments: at compute capability {} a kernel's arguments take no shared memory; on 1.x they do",
            facts.cc.text()));
    if (command.input.arguments > facts.most_arguments)
        throw UsageError(fmt::format("--arguments {}: expected 0 to {} bytes, or none",
                                     command.input.arguments, facts.most_arguments));
    return command.input;
}

ordered_json blocks_json(int blocks) { return blocks == kUnlimited ? ordered_json() : ordered_json(blocks); }

ordered_json input_json(const OccupancyInput& input) {
    ordered_json json{{"threads", input.threads},
                      {"registers", input.registers},
                      {"static_shared", input.static_shared},
                      {"dynamic_shared", input.dynamic_shared}};
    json["carveout"] = input.carveout < 0 ? ordered_json() : ordered_json(input.carveout);
    json["arguments"] = input.arguments == kNothingHidden ? ordered_json() : ordered_json(input.arguments);
    return json;
}

/// The limits of the number of blocks; several can hold.
std::vector<std::string_view> limiters(const Occupancy& occupancy) {
    std::vector<std::string_view> names;
    for (int k = 0; k < kResources; ++k)
        if (occupancy.limits(Resource(k))) names.push_back(resource_name(Resource(k)));
    return names;
}

std::string_view knob_name(OccupancyKnob knob) {
    constexpr std::string_view kNames[] = {"threads", "registers", "shared", "carveout"};
    return kNames[int(knob)];
}

ordered_json remedy_json(const OccupancySetting& view, const Remedy& remedy) {
    ordered_json changes = ordered_json::array();
    for (const OccupancyChange& change : remedy.changes)
        changes.push_back({{"knob", knob_name(change.knob)}, {"from", change.from}, {"to", change.to}});
    return {{"changes", changes},
            {"blocks", remedy.occupancy.blocks},
            {"warps", remedy.occupancy.warps()},
            {"sentence", remedy_sentence(view, remedy)}};
}

std::string json_text(const OccupancySetting& view, const Occupancy& now) {
    const CapabilityFacts& facts = view.facts;
    const Explanation explanation = explain_occupancy(view);
    ordered_json allowed, remedies = ordered_json::array();
    for (int k = 0; k < kResources; ++k)
        allowed[std::string(resource_name(Resource(k)))] = blocks_json(now.allowed_by(Resource(k)));
    for (const Remedy& remedy : find_remedies(facts, view.input))
        remedies.push_back(remedy_json(view, remedy));
    ordered_json json{{"cc", facts.cc.text()},
                      {"architecture", facts.architecture},
                      {"kind", provenance_name(facts.kind)},
                      {"source", facts.source},
                      {"input", input_json(view.input)},
                      {"blocks", now.blocks},
                      {"warps", now.warps()},
                      {"max_warps", now.max_warps},
                      {"occupancy", now.share()},
                      {"allowed", allowed},
                      {"limiter", limiters(now)},
                      {"registers_per_block", now.registers_per_block},
                      {"shared_per_block", now.shared_per_block},
                      {"shared_per_sm", now.shared_per_sm},
                      {"needs_opt_in", now.asks_for_shared},
                      {"verdict", explanation.verdict},
                      {"why", explanation.why},
                      {"remedies", remedies},
                      {"full_block_sizes", full_block_sizes(facts, view.input)}};
    return json.dump(2) + '\n';
}

std::string launch_line(const OccupancySetting& view) {
    const OccupancyInput& input = view.input;
    std::string line = fmt::format("{}: {} per block, {} per thread, {} of shared memory", view.where,
                                   counted(input.threads, "thread"), counted(input.registers, "register"),
                                   counted(input.declared_shared(), "byte"));
    if (input.carveout >= 0) line += fmt::format(", carve-out {} %", input.carveout);
    if (view.facts.most_arguments > 0)
        line += input.arguments == kNothingHidden
                    ? std::string(", arguments not counted")
                    : fmt::format(", {} of arguments", counted(input.arguments, "byte"));
    return line + '\n';
}

std::string table_text(const OccupancySetting& view, const Occupancy& now) {
    const CapabilityFacts& facts = view.facts;
    struct Has {
        Resource resource;
        int of_sm, of_block;
    };
    const Has all[] = {{Resource::warps, facts.max_warps, now.warps_per_block},
                       {Resource::registers, facts.registers_per_sm, now.registers_per_block},
                       {Resource::shared, now.shared_per_sm, now.shared_per_block},
                       {Resource::blocks, facts.max_blocks, 1},
                       {Resource::barriers, facts.max_barriers, view.input.barriers}};
    TextTable table({"", "an SM has", "a block gets", "room for", ""});
    for (const auto& [resource, of_sm, of_block] : all) {
        const int allowed = now.allowed_by(resource);
        if (resource == Resource::barriers && allowed == kUnlimited) continue;
        table.add({std::string(resource_words(resource)), format_count(of_sm), format_count(of_block),
                   allowed == kUnlimited ? std::string("any") : counted(allowed, "block"),
                   now.limits(resource) ? "limits" : ""});
    }
    const Explanation explanation = explain_occupancy(view);
    std::string text = launch_line(view) + table.text() + explanation.verdict + '\n';
    if (!explanation.why.empty()) text += explanation.why + '\n';
    return text +
           fmt::format("{} {}: {}\n", provenance_mark(facts.kind), provenance_name(facts.kind), facts.source);
}

/// @return  what is printed; differing: see survey_text.
std::string kernels_text(const OccupancyCommand& command, int& differing) {
    const GpuInfo gpu = require_gpu("occupancy --kernels", command.cpu);
    TimedKernels kernels;
    const KernelSurvey survey = survey_kernels(
        gpu, [&](std::string_view scenario, const Params& p) { return kernels.resources(scenario, p); });
    const std::string text = survey_text(survey, differing);
    return command.json ? write_kernel_table(survey.table) : text;
}

enum LaunchColumn { kLaunchCapability, kLaunchBlock, kLaunchRegisters, kLaunchShared };

const CapabilityFacts& read_capability(const CsvTable& table) {
    const CapabilityFacts* facts = capability_named(table[kLaunchCapability]);
    if (facts == nullptr)
        table.fail(kLaunchCapability,
                   fmt::format("a compute capability of the table, {} to {}",
                               capability_table().front().cc.text(), capability_table().back().cc.text()));
    return *facts;
}

int read_whole_number(const CsvTable& table, LaunchColumn column, int least, int most) {
    const auto value = parse_number<int>(table[column]);
    if (!value || *value < least || *value > most)
        table.fail(column, fmt::format("a whole number from {} to {}", least, most));
    return *value;
}

/// "40", or "none": neither they nor what the launch puts there are counted.
int parse_arguments(const std::string& text) {
    if (text == "none") return kNothingHidden;
    const auto value = parse_number<int>(text);
    if (!value || *value < 0)
        throw UsageError(fmt::format("--arguments {}: expected a number of bytes, or none", text));
    return *value;
}

void add_occupancy_options(CLI::App& app, OccupancyCommand& command) {
    CLI::Option* file =
        add_value(app, "file", command.path, "A CSV file of launches; - is standard input", "FILE");
    CLI::Option* cc =
        add_value(app, "--cc", command.cc, "Compute capability, 1.0 to 12.1", "CC")->excludes(file);
    const auto number = [&](const char* name, auto& value, const char* meaning, const char* unit) {
        add_value(app, name, value, meaning, unit)->needs(cc);
    };
    number("--threads", command.input.threads, "Threads per block (default 256)", "T");
    number("--registers", command.input.registers, "Registers per thread (default 32)", "R");
    number("--shared", command.input.dynamic_shared, "Dynamic shared memory per block (default 0)", "BYTES");
    number("--static", command.input.static_shared, "Static shared memory per block (default 0)", "BYTES");
    number("--carveout", command.carveout,
           "Share of the SM's memory asked for as shared memory, 0 to 100 (default: the driver chooses)",
           "PERCENT");
    number("--arguments", command.arguments,
           "Bytes of the kernel's arguments, which lie in shared memory on 1.x (default 0); none: count "
           "nothing that is hidden there",
           "BYTES|none");
    app.add_flag("--kernels", command.kernels,
                 "All kernels of Warplens on this GPU: what they take, by the driver and by the model")
        ->excludes(file)
        ->excludes(cc);
    app.add_flag("--json", command.json, "As JSON")->excludes(file);
    add_output(app, command.output_path);
    add_cpu(app, command.cpu);
}

void check_occupancy(OccupancyCommand& command) {
    constexpr int kMostShared = 1 << 28;
    if (command.path.empty() && command.cc.empty() && !command.kernels)
        throw UsageError(
            "occupancy: expected --cc with a launch, a FILE, or --kernels; see 'warplens occupancy --help'");
    check_range("--threads", command.input.threads, 1, 65536);
    check_range("--registers", command.input.registers, 0, 65535);
    check_range("--shared", command.input.dynamic_shared, 0, kMostShared);
    check_range("--static", command.input.static_shared, 0, kMostShared);
    if (command.carveout) check_range("--carveout", *command.carveout, 0, 100);
    command.input.carveout = command.carveout.value_or(-1);
    if (!command.arguments.empty()) command.input.arguments = parse_arguments(command.arguments);
}

std::string or_defaults(const std::string& settings) { return settings.empty() ? "(defaults)" : settings; }

}  // namespace

std::string occupancy_of_launch(const OccupancyCommand& command) {
    const CapabilityFacts& facts = require_capability(command.cc);
    const OccupancySetting view{
        facts, input_of(command, facts),
        fmt::format("Compute capability {}, {}", facts.cc.text(), facts.architecture)};
    const Occupancy now = compute_occupancy(facts, view.input);
    return command.json ? json_text(view, now) : table_text(view, now);
}

void run_occupancy(const OccupancyCommand& command, std::istream& input, std::ostream& out) {
    int differing = 0;
    write_answer(command.output_path, out, [&] {
        return command.kernels        ? kernels_text(command, differing)
               : command.path.empty() ? occupancy_of_launch(command)
                                      : read_input(command.path, input, occupancy_rows);
    });
    if (differing == 0) return;
    out.flush();
    throw Failure(fmt::format("of {} the driver and the model say different numbers of blocks",
                              counted(differing, "kernel")));
}

CommandEntry occupancy_command() {
    return {
        "occupancy", "Count the blocks that fit into an SM, and say what limits",
        "occupancy --cc 9.0 --threads 256 --registers 33      blocks that fit into an SM, and what limits",
        options_of<OccupancyCommand>(add_occupancy_options, run_occupancy, check_occupancy)};
}

std::string occupancy_rows(std::istream& input, const std::string& name) {
    CsvTable table(input, name, {"cc", "block", "regs", "smem_dyn"}, "cc,block,regs,smem_dyn");
    std::string answer = "cc,block,regs,smem_dyn,blocks,limiter\n";
    while (table.next()) {
        const CapabilityFacts& facts = read_capability(table);
        OccupancyInput launch;
        launch.threads = read_whole_number(table, kLaunchBlock, 1, 65536);
        launch.registers = read_whole_number(table, kLaunchRegisters, 0, 65535);
        launch.dynamic_shared = read_whole_number(table, kLaunchShared, 0, 1 << 28);
        const Occupancy occupancy = compute_occupancy(facts, launch);
        fmt::format_to(std::back_inserter(answer), "{},{},{},{},{},{}\n", facts.cc.text(), launch.threads,
                       launch.registers, launch.dynamic_shared, occupancy.blocks,
                       fmt::join(limiters(occupancy), "+"));
    }
    return answer;
}

KernelSurvey survey_kernels(const GpuInfo& gpu, const AskResources& ask) {
    const CudaVersions versions = cuda_versions();
    KernelSurvey survey;
    KernelTable& table = survey.table;
    table.gpu = gpu.name;
    table.cc = {gpu.cc_major, gpu.cc_minor};
    table.date = today();
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
