#include "app/cli/report.h"

#include "app/base/version.h"
#include "app/cli/text_table.h"
#include "app/experiment/pipeline.h"
#include "app/experiment/settings.h"
#include "app/figures/report_writer.h"
#include "app/figures/scenario_json.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// One scope of the report, a table for each memory space that the instructions go to: counts that mean
/// nothing in a space are not zero, they are not there.
std::string scope_tables(const Report& report, const Scope& scope) {
    std::string text;
    for (int k = 0; k < kSpaceCount; ++k) {
        const auto space = static_cast<Space>(k);
        std::vector<std::string> header{fmt::format("{}, {}", scope.name, space_name(space))};
        for (const CountWords& count : counts_of(space, report.sector_rules)) header.emplace_back(count.name);
        TextTable table(header);
        bool any = false;
        for (const InstructionReport& row : report.instructions) {
            if (row.instruction.space != space) continue;
            any = true;
            std::vector<std::string> cells{
                fmt::format("{} {}", provenance_mark(row.kind), row.instruction.label)};
            for (const CountWords& count : counts_of(space, report.sector_rules))
                cells.push_back(fmt::format("{}", count.value(row.*scope.totals)));
            table.add(std::move(cells));
        }
        if (any) text += table.text();
    }
    return text;
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

std::string prediction_text(const Prediction& predicted) {
    const std::string_view mark = provenance_mark(Provenance::approximate);
    const SpeedWords& words = speed_words(predicted.speed_unit);
    if (predicted.speed_unit == SpeedUnit::gb_per_s && predicted.useful_bytes <= 0)
        return fmt::format("{} no bandwidth: no lane is active\n", mark);
    if (predicted.value <= 0) {
        return fmt::format("{} no {} predicted: what it needs to know of this GPU is not known\n", mark,
                           words.name);
    }
    if (predicted.speed_unit == SpeedUnit::cycles)
        return fmt::format("{} {} {:.1f} {}, limited by {}\n", mark, words.name, predicted.value, words.unit,
                           predicted.limiter);
    const std::string speed =
        fmt::format("{} {} {:.0f} {} of a peak of {:.0f} {}, limited by {}{}\n", mark, words.name,
                    predicted.value, words.unit, predicted.peak, words.unit, predicted.limiter,
                    predicted.fits_l2 ? "; the footprint fits the L2, so repeated runs are faster" : "");
    if (predicted.intensity <= 0) return speed;
    return speed +
           fmt::format("{} {:.4g} flop for each byte loaded from global memory; {} pass the L2, {} DRAM\n",
                       mark, predicted.intensity, format_bytes(predicted.l2_bytes),
                       format_bytes(predicted.dram_bytes));
}

void write_text(const Experiment& experiment, const Evidence& evidence, std::ostream& out) {
    const ScenarioInfo& info = *experiment.state.scenario->info;
    const std::string settings = describe_settings(*experiment.state.scenario, experiment.state.params);
    out << fmt::format("{} ({})  {}\n", info.title, info.id, info.formula);
    out << fmt::format("{}, compute capability {}{}\n", experiment.device().name,
                       experiment.device().cc.text(), experiment.device().here ? ", here" : "");
    out << (settings.empty() ? "all parameters at their defaults" : settings) << '\n'
        << launch_text(evidence.report) << '\n';
    if (!evidence.report.does_not_fit.empty()) out << evidence.report.does_not_fit << "\n\n";
    for (const Scope& scope : kScopes) out << scope_tables(evidence.report, scope) << '\n';
    for (std::size_t k = 0; k < evidence.report.instructions.size(); ++k) {
        const Explanation explanation = explain(view_of(evidence, static_cast<int>(k)), evidence.tiles[k]);
        out << fmt::format("{}: {}\n", evidence.report.instructions[k].instruction.label,
                           explanation.verdict);
        if (!explanation.why.empty()) out << "  " << explanation.why << '\n';
    }
    out << '\n' << prediction_text(evidence.prediction);
    out << fmt::format("\n{} {}   {} {}\n", provenance_mark(Provenance::exact),
                       "exact: counted from addresses", provenance_mark(Provenance::approximate),
                       "approximate: by a formula");
}

}  // namespace

void run_report(const ReportCommand& command, std::ostream& out) {
    const Experiment experiment = make_experiment(command.choice, command.device);
    const Evidence evidence = gather_evidence(experiment.state, experiment.devices);
    switch (command.format) {
        case ReportFormat::text:
            write_text(experiment, evidence, out);
            return;
        case ReportFormat::csv:
            out << report_to_csv(evidence.report);
            return;
        case ReportFormat::json:
            break;
    }
    const ReportContext context{experiment.state.scenario, experiment.state.params, &experiment.device(),
                                evidence.prediction, fmt::format("warplens {}", version())};
    out << report_to_json(evidence.report, context).dump(2) << '\n';
}

}  // namespace warplens
