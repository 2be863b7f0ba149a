#include "app/cli/report.h"

#include "app/base/version.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/accuracy.h"
#include "app/experiment/quantities.h"
#include "app/experiment/recordings.h"
#include "app/experiment/settings.h"
#include "app/figures/report_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

/// One scope of the report, a table for each memory space that the instructions go to: counts that mean
/// nothing in a space are not zero, they are not there.
std::string scope_tables(const Evidence& evidence, CountScope scope) {
    std::string text;
    const auto& instructions = evidence.report.instructions;
    for (int space = 0; space < kSpaceCount; ++space) {
        std::optional<TextTable> table;
        for (std::size_t k = 0; k < instructions.size(); ++k) {
            if (instructions[k].instruction.space != Space(space)) continue;
            std::vector<std::string> names{
                fmt::format("{}, {}", scope_name(scope), space_name(instructions[k].instruction.space))};
            std::vector<std::string> cells{fmt::format("{} {}", provenance_mark(instructions[k].kind),
                                                       instructions[k].instruction.label)};
            for (const Quantity& count : evidence.counts_over(scope, k)) {
                names.push_back(count.name);
                cells.push_back(fmt::format("{:.12g}", count.amount.value_or(0)));
            }
            if (!table) table.emplace(std::move(names));
            table->add(std::move(cells));
        }
        if (table) text += table->text();
    }
    return text;
}

/// The predictions for the launch, one number in a row.
std::string launch_table(const Evidence& evidence) {
    TextTable table({"launch", "predicted", ""});
    for (const auto* quantities : {&evidence.predicted, &evidence.launch}) {
        for (const Quantity& quantity : *quantities)
            table.add({fmt::format("{} {}", provenance_mark(quantity.provenance), quantity.name),
                       quantity.amount ? fmt::format("{:.12g}", *quantity.amount) : "not known",
                       quantity.unit});
    }
    return table.text();
}

std::string launch_text(const Report& report) {
    const LaunchShape& shape = report.shape;
    return fmt::format(
        "{} x {} blocks of {} x {} threads{}{}\nwarp shown: block ({}, {}), warp {} of the block{}\n",
        shape.grid.x, shape.grid.y, shape.block.x, shape.block.y,
        shape.steps > 1 ? fmt::format(", {} steps", shape.steps) : "",
        shape.shared_bytes > 0 ? fmt::format(", {} bytes of shared memory each", shape.shared_bytes) : "",
        report.place.block.x, report.place.block.y, report.place.warp_in_block,
        shape.steps > 1 ? fmt::format(", step {}", report.step) : "");
}

/// The setting in a recording of this GPU's model. Empty if it is in none.
std::string recorded_text(const Evidence& evidence) {
    const std::optional<Observation>& recorded = evidence.observed.recorded;
    if (!recorded) return {};
    const SpeedWords& words = speed_words(evidence.prediction.speed_unit);
    return fmt::format("{} {} {} {}, {}\n", provenance_mark(recorded->provenance), words.name,
                       format_speed(recorded->point.value), words.unit, recorded->where);
}

std::string prediction_text(const Setting& setting, const Prediction& predicted) {
    const std::string_view mark = provenance_mark(Provenance::approximate);
    const SpeedWords& words = speed_words(predicted.speed_unit);
    std::string error = error_text(*setting.scenario);
    if (!error.empty())
        error += fmt::format(" (nine of ten settings on the {})", known_error(*setting.scenario).gpus);
    if (predicted.speed_unit == SpeedUnit::gb_per_s && predicted.useful_bytes <= 0)
        return fmt::format("{} no bandwidth: no lane is active\n", mark);
    if (predicted.value <= 0) {
        return fmt::format("{} no {} predicted: what it needs to know of this GPU is not known\n", mark,
                           words.name);
    }
    if (predicted.speed_unit == SpeedUnit::cycles)
        return fmt::format("{} {} {:.1f} {}{}, limited by {}\n", mark, words.name, predicted.value,
                           words.unit, error, limiter_name(predicted.limiter));
    const std::string speed =
        fmt::format("{} {} {} {}{} of a peak of {} {}, limited by {}{}\n", mark, words.name,
                    format_speed(predicted.value), words.unit, error, format_speed(predicted.peak),
                    words.unit, limiter_name(predicted.limiter),
                    predicted.fits_l2 ? "; the footprint fits in the L2, so repeated runs are faster" : "");
    if (predicted.intensity <= 0) return speed;
    return speed +
           fmt::format("{} {:.4g} flop for each byte loaded from global memory; {} pass the L2, {} DRAM\n",
                       mark, predicted.intensity, format_bytes(predicted.l2_bytes),
                       format_bytes(predicted.dram_bytes));
}

void write_text(const Evidence& evidence, const DeviceFacts& device, std::ostream& out) {
    const Setting& setting = evidence.setting;
    const ScenarioInfo& info = *setting.scenario->info;
    const std::string settings = describe_settings(*setting.scenario, setting.params);
    out << fmt::format("{} ({})  {}\n", info.title, info.id, info.formula);
    out << fmt::format("{}, compute capability {}{}\n", device.name, device.cc.text(),
                       device.here ? ", here" : "");
    out << (settings.empty() ? "all parameters at their defaults" : settings) << '\n'
        << launch_text(evidence.report) << '\n';
    if (!evidence.report.does_not_fit.empty()) out << evidence.report.does_not_fit << "\n\n";
    for (const CountScope scope : kCountScopes) out << scope_tables(evidence, scope) << '\n';
    for (std::size_t k = 0; k < evidence.report.instructions.size(); ++k) {
        const Explanation explanation = explain(view_of(evidence, int(k)), evidence.tiles[k]);
        out << fmt::format("{}: {}\n", evidence.report.instructions[k].instruction.label,
                           explanation.verdict);
        if (setting.scenario->typed != nullptr)
            out << "  " << printable(evidence.report.instructions[k].instruction.code, kMostMessageBytes)
                << '\n';
        if (!explanation.why.empty()) out << "  " << explanation.why << '\n';
    }
    for (const std::string& warning : evidence.report.warnings) out << fmt::format("! {}\n", warning);
    out << "\nVerdict: " << explain_kernel(evidence, device).verdict << '\n'
        << recorded_text(evidence) << prediction_text(setting, evidence.prediction) << '\n'
        << launch_table(evidence);
    out << "\n● exact: counted from addresses   ○ approximate: by a formula";
    out << (evidence.seen.empty() ? "\n" : "   ▲ recorded: measured earlier on the GPU that is named\n");
}

}  // namespace

void write_report(const Evidence& evidence, const DeviceFacts& device, ReportFormat format,
                  std::ostream& out) {
    if (format == ReportFormat::csv)
        out << report_to_csv(evidence);
    else if (format == ReportFormat::json)
        out << report_to_json(evidence, device, fmt::format("warplens {}", version())).dump(2) << '\n';
    else
        write_text(evidence, device, out);
}

void run_report(const ReportCommand& command, std::ostream& out) {
    const Experiment experiment = make_experiment(command.choice, command.device);
    Recordings recordings;
    recordings.add_shipped();
    Observed observed;
    observed.recorded = recordings.find(
        *experiment.state.scenario, experiment.state.params,
        {.devices = &experiment.devices, .device = experiment.state.device, .cold = experiment.state.cold});
    write_report(gather_evidence(experiment.state, experiment.devices, observed), experiment.device(),
                 command.format, out);
}

CommandEntry report_command() {
    return {"report", "Count what a warp, a block and the grid do to memory",
            "report global-stride --set stride=8,op=load          count sectors and wavefronts",
            options_of<ReportCommand>(
                [](CLI::App& app, ReportCommand& command) {
                    add_scenario(app, command.choice)->required();
                    add_device(app, command.device);
                    add_report_format(app, command.format);
                },
                run_report)};
}

}  // namespace warplens
