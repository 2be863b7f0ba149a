#include "app/cli/report.h"

#include "app/base/version.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/accuracy.h"
#include "app/experiment/quantities.h"
#include "app/experiment/recordings.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/report_writer.h"
#include "app/pictures/access/grid_map_picture.h"
#include "app/typed/parse/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

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

std::string launch_text(const Report& report, const Setting& setting) {
    const LaunchShape& shape = report.shape;
    return fmt::format(
        "{}{}{}\nwarp shown: block ({}, {}), warp {} of the block{}\n",
        launch_words(*setting.scenario, setting.params),
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

std::string prediction_text(const Evidence& evidence) {
    const Prediction& predicted = evidence.prediction;
    const std::string_view mark = provenance_mark(Provenance::approximate);
    const SpeedWords& words = speed_words(predicted.speed_unit);
    std::string error = error_text(*evidence.error);
    if (!error.empty()) error += fmt::format(" ({})", evidence.error->of);
    if (evidence.error->of.empty() && !evidence.error->meets_goal)
        error = " (not compared with any measurement of this kind)";
    if (!evidence.report.does_not_fit.empty())
        return fmt::format("{} no {}: it is not predicted for what cannot run\n", mark, words.name);
    if (predicted.follows_from_data)
        return fmt::format("{} no {} predicted: where its atomic operations meet follows from data\n", mark,
                           words.name);
    if (predicted.speed_unit == SpeedUnit::gb_per_s && predicted.useful_bytes <= 0) {
        const bool any = std::ranges::any_of(
            evidence.report.instructions, [](const InstructionReport& row) { return row.grid.requests > 0; });
        return fmt::format("{} no bandwidth: {}\n", mark,
                           any ? "what atomic operations alone move is no data" : "no lane is active");
    }
    if (predicted.value <= 0) {
        return fmt::format("{} no {} predicted: what it needs to know of this GPU is not known\n", mark,
                           words.name);
    }
    if (predicted.speed_unit == SpeedUnit::cycles)
        return fmt::format("{} {} {:.1f} {}{}, limited by {}\n", mark, words.name, predicted.value,
                           words.unit, error, limiter_name(predicted.limiter));
    const std::string speed = fmt::format(
        "{} {} {} {}{}{}, limited by {}{}\n", mark, words.name, format_speed(predicted.value), words.unit,
        error,
        predicted.below_peak() ? fmt::format(" of a peak of {} {}", format_speed(predicted.peak), words.unit)
                               : "",
        limiter_words(predicted),
        predicted.fits_l2 ? "; the footprint fits in the L2, so repeated runs are faster" : "");
    if (predicted.intensity <= 0) return speed;
    return speed +
           fmt::format("{} {:.4g} flop for each byte loaded from global memory; {}{} pass DRAM\n", mark,
                       predicted.intensity,
                       predicted.l2_bytes > 0 ? format_bytes(predicted.l2_bytes) + " pass the L2, " : "",
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
        << launch_text(evidence.report, setting) << '\n';
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
        << recorded_text(evidence) << prediction_text(evidence) << '\n'
        << launch_table(evidence);
    out << "\n● exact: counted from addresses   ○ approximate: by a formula";
    const bool compiled = std::ranges::any_of(evidence.report.instructions, [](const InstructionReport& row) {
        return row.kind == Provenance::recorded;
    });
    if (!evidence.seen.empty()) out << "   ▲ recorded: measured earlier on the GPU that is named";
    if (compiled)
        out << (evidence.seen.empty() ? "   ▲ recorded: " : ", or ")
            << "what nvcc's assembler reported for compute capability 9.0";
    out << '\n';
}

/// A letter for each cell: '.' for no excess, 1 to 9 up to that of the worst cell, '-' without a request.
std::string map_text(const GridMap& map) {
    const auto excess = [](const GridCell& cell) {
        const RequestSums& sums = cell.sums;
        return sums.requests == 0 ? 0 : double(sums.excess()) / double(sums.requests);
    };
    const double most = excess(*std::ranges::max_element(map.cells, {}, excess));
    std::string text = fmt::format("\nmap: {} {}\n", provenance_mark(map.kind), grid_map_sentence(map));
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const GridCell& cell = map.cells[i];
        const int level = most > 0 ? int(std::ceil(excess(cell) / most * 9)) : 0;
        text += cell.sums.requests == 0 ? '-' : level == 0 ? '.' : char('0' + level);
        if ((i + 1) % std::size_t(map.columns) == 0) text += '\n';
    }
    if (map.worst < 0) return text;
    return text + fmt::format(". no excess, 9 a mean of {:.3g} a request; the worst is among {}\n", most,
                              describe_cell(map, map.cells[map.worst], false));
}

nlohmann::ordered_json map_to_json(const GridMap& map) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (const GridCell& cell : map.cells) {
        const RequestSums& sums = cell.sums;
        cells.push_back({{"first_block", {cell.first.x, cell.first.y}},
                         {"blocks", {cell.blocks.x, cell.blocks.y}},
                         {"first_warp", cell.first_warp},
                         {"warps", cell.warps},
                         {"requests", sums.requests},
                         {"cost", sums.cost},
                         {"ideal", sums.ideal},
                         {"least", sums.least},
                         {"most", sums.most},
                         {"worst_warp", map.number_of(sums.worst.place)},
                         {"worst_step", sums.worst.step},
                         {"worst_instruction", sums.worst.instruction}});
    }
    return {{"kind", provenance_name(map.kind)},
            {"unit", map.unit},
            {"alike", map.alike},
            {"sampled", map.sampled},
            {"columns", map.columns},
            {"rows", map.rows},
            {"repeats", map.repeats},
            {"cells", cells}};
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

void run_report(const ReportCommand& command, std::ostream& out) try {
    const Experiment experiment = make_experiment(command.choice, command.device);
    Recordings recordings;
    recordings.add_shipped();
    Observed observed;
    observed.recorded = recordings.find(
        *experiment.state.scenario, experiment.state.params,
        {.devices = &experiment.devices, .device = experiment.state.device, .cold = experiment.state.cold});
    const Evidence evidence = gather_evidence(experiment.state, experiment.devices, observed);
    if (!command.map) return write_report(evidence, experiment.device(), command.format, out);
    const GridMap map =
        map_grid(*experiment.state.scenario, experiment.state.params, experiment.device(), -1);
    if (command.format == ReportFormat::json) {
        nlohmann::ordered_json json =
            report_to_json(evidence, experiment.device(), fmt::format("warplens {}", version()));
        json["map"] = map_to_json(map);
        out << json.dump(2) << '\n';
        return;
    }
    write_report(evidence, experiment.device(), command.format, out);
    out << map_text(map);
} catch (const typed::SourceError& answer) {
    // A kernel without loads and stores is counted, too: there are none.
    if (answer.kind() != typed::SourceError::Kind::no_access || command.format == ReportFormat::csv) throw;
    const std::string sentence = fmt::format("{}, {}", command.choice.scenario, answer.what());
    if (command.format == ReportFormat::json)
        out << nlohmann::ordered_json{{"tool", fmt::format("warplens {}", version())},
                                      {"scenario", command.choice.scenario},
                                      {"instructions", nlohmann::ordered_json::array()},
                                      {"warnings", {sentence}}}
                   .dump(2)
            << '\n';
    else
        out << sentence << '\n';
}

CommandEntry report_command() {
    return {"report", "Count what a warp, a block and the grid do to memory",
            "report global-stride --set stride=8,op=load          count sectors and wavefronts",
            options_of<ReportCommand>(
                [](CLI::App& app, ReportCommand& command) {
                    add_scenario(app, command.choice)->required();
                    add_device(app, command.device);
                    add_report_format(app, command.format);
                    app.add_flag("--map", command.map,
                                 "The grid in cells as well: where it takes more than its ideal")
                        ->excludes(app.get_option("--csv"));
                },
                run_report)};
}

}  // namespace warplens
