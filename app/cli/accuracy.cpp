#include "app/experiment/accuracy.h"

#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/devices.h"
#include "app/model/time/prediction.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// The options of `warplens accuracy`.
struct AccuracyCommand {
    std::vector<std::string> files;  ///< recordings; none: those that come with the program
    bool json = false;
    bool settings =
        false;         ///< also name the settings with the largest errors, and every published measurement
    bool csv = false;  ///< every setting, one a line
};

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

std::string setting_text(const Accuracy& row, const Params& params) {
    return recorded_setting(*row.scenario, params);
}

void write_text(const OpenRecording& recording, const AccuracyCommand& command, std::ostream& out) {
    out << "The model beside " << recording.label() << '\n';
    TextTable table({"scenario", "settings", "median", "9 of 10", "in 30 %", "worst", "order", "goal"});
    const std::vector<Accuracy> rows = accuracy_of(recording);
    for (const Accuracy& row : rows) {
        table.add({std::string(row.scenario->info->id), std::to_string(row.points), percent(row.median),
                   percent(row.tenth), percent(row.within), fmt::format("x{:.2f}", row.worst),
                   fmt::format("{}/{}", row.ordered, row.pairs), meets_goal(row) ? "yes" : "no"});
    }
    out << table.text();
    if (!command.settings) return;
    for (const Accuracy& row : rows) {
        out << fmt::format("worst   {}\n", setting_text(row, row.worst_params));
        if (row.ordered < row.pairs)
            out << fmt::format("order   {}\n    and {}\n", setting_text(row, row.wrong_order[0]),
                               setting_text(row, row.wrong_order[1]));
    }
}

/// The time that each part of the GPU alone would need: "DRAM 12.3; the banks 4.5" [us].
std::string limits_text(const Prediction& prediction) {
    std::string text;
    for (const limits::Limit& limit : prediction.limits) {
        if (limit.seconds <= 0) continue;
        text += fmt::format("{}{} {:.5g}", text.empty() ? "" : "; ", limiter_name(limit.limiter),
                            limit.seconds * 1e6);
    }
    return text;
}

void write_csv(const OpenRecording& recording, std::ostream& out) {
    for (const Scenario& scenario : all_scenarios()) {
        const std::string_view unit =
            speed_words(speed_unit_of(*scenario.info, scenario.info->defaults)).unit;
        for (const ComparedPoint& point : compare_with_model(scenario, recording)) {
            const std::string setting = recorded_setting(scenario, point.params);
            out << fmt::format("{},{},\"{}\",{:.5g},{:.5g},{},{:.3f},{},{}\n", recording.gpu.name,
                               scenario.info->id,
                               setting.substr(std::min(setting.find(' ') + 1, setting.size())),
                               point.measured, point.predicted, unit, point.factor(),
                               limiter_name(point.prediction.limiter), limits_text(point.prediction));
        }
    }
}

ordered_json to_json(const OpenRecording& recording) {
    ordered_json rows = ordered_json::array();
    for (const Accuracy& row : accuracy_of(recording)) {
        rows.push_back({{"scenario", row.scenario->info->id},
                        {"gpu", row.gpu},
                        {"points", row.points},
                        {"median_error", row.median},
                        {"error_of_9_in_10", row.tenth},
                        {"share_within_30_percent", row.within},
                        {"worst_factor", row.worst},
                        {"worst_setting", setting_text(row, row.worst_params)},
                        {"pairs", row.pairs},
                        {"pairs_in_order", row.ordered},
                        {"meets_goal", meets_goal(row)}});
    }
    return rows;
}

std::string generation_name(int major) { return major == 0 ? "all" : fmt::format("{}.x", major); }

/// The model beside what was published for GPUs of which there is no recording.
void write_published(const AccuracyCommand& command, std::ostream& out) {
    const std::vector<Published> all = published_beside_model();
    if (command.csv) {
        for (const Published& one : all)
            out << fmt::format(
                "{},{},\"{}\",{:.5g},{:.5g},{},{:.3f},,\n", one.device->name, one.scenario->info->id,
                describe_settings(*one.scenario, one.params), one.value, one.predicted,
                speed_words(speed_unit_of(*one.scenario->info, one.params)).unit, one.factor());
        return;
    }
    out << "The model beside published measurements of other GPUs, by compute capability\n";
    TextTable table({"capability", "published", "median", "9 of 10", "in 40 %", "worst", ""});
    for (const GenerationAccuracy& row : accuracy_by_generation(all))
        table.add({generation_name(row.major), std::to_string(row.points), percent(row.median),
                   percent(row.tenth), percent(row.within), fmt::format("x{:.2f}", row.worst), row.worst_id});
    out << table.text();
    if (!command.settings) return;
    for (const Published& one : all)
        out << fmt::format(
            "{}: {}, {} {}\n    {}\n    \"{}\"\n    {:.5g} as `report` counts, {:.5g} predicted, x{:.2f}{}\n    {}\n",
            one.id, one.device->name, one.scenario->info->id, describe_settings(*one.scenario, one.params),
            one.setting, one.printed, one.value, one.predicted, one.factor(),
            one.input ? "; the model takes a number from it" : "", one.source);
}

/// The model beside kernels as courses show them.
void write_texts(const AccuracyCommand& command, std::ostream& out) {
    const TextAccuracy all = accuracy_of_texts();
    out << fmt::format(
        "\nThe model beside {} plain kernels on the {}: median {}, 9 of 10 {}, {} of them within 30 %\n",
        all.kernels.size(), all.gpu, percent(all.median), percent(all.tenth), percent(all.within));
    if (!command.settings) return;
    TextTable table({"kernel", "measured us", "predicted us", "factor"});
    for (const TimedText& one : all.kernels)
        table.add({one.kernel, fmt::format("{:.1f}", one.measured), fmt::format("{:.1f}", one.predicted),
                   fmt::format("x{:.2f}", one.factor())});
    out << table.text();
}

void run_accuracy(const AccuracyCommand& command, std::ostream& out) {
    const std::vector<DeviceFacts> devices = device_table();
    Recordings recordings;
    if (command.files.empty()) recordings.add_shipped();
    for (const std::string& file : command.files) recordings.open(file, devices);
    ordered_json json = ordered_json::array();
    if (command.csv) out << "gpu,scenario,settings,measured,predicted,unit,factor,limiter,limits [us]\n";
    for (const OpenRecording& recording : recordings.all()) {
        if (command.csv) {
            write_csv(recording, out);
        } else if (command.json) {
            for (ordered_json& row : to_json(recording)) json.push_back(std::move(row));
        } else {
            write_text(recording, command, out);
            out << '\n';
        }
    }
    if (command.files.empty() && !command.json) write_published(command, out);
    if (command.files.empty() && !command.json && !command.csv) write_texts(command, out);
    if (command.files.empty() && command.json) {
        for (const GenerationAccuracy& row : accuracy_by_generation(published_beside_model()))
            json.push_back({{"generation", row.major},
                            {"points", row.points},
                            {"median_error", row.median},
                            {"error_of_9_in_10", row.tenth},
                            {"share_within_40_percent", row.within},
                            {"worst_factor", row.worst},
                            {"worst_setting", row.worst_id},
                            {"kinds", row.kinds}});
        const TextAccuracy texts = accuracy_of_texts();
        json.push_back({{"kernels", texts.kernels.size()},
                        {"gpu", texts.gpu},
                        {"median_error", texts.median},
                        {"error_of_9_in_10", texts.tenth},
                        {"share_within_30_percent", texts.within}});
    }
    if (command.json) out << json.dump(2) << '\n';
}

}  // namespace

CommandEntry accuracy_command() {
    return {
        "accuracy", "How far the model is from recorded times",
        "accuracy                                             the model beside what was measured",
        options_of<AccuracyCommand>(
            [](CLI::App& app, AccuracyCommand& command) {
                app.add_option("recording", command.files,
                               "Files of `measure --record`; without: those of the program");
                app.add_flag("--settings", command.settings,
                             "Also name the settings that are farthest off, and all that was published");
                CLI::Option* json = app.add_flag("--json", command.json, "As JSON");
                app.add_flag("--csv", command.csv, "Every setting, measured and predicted")->excludes(json);
            },
            run_accuracy)};
}

}  // namespace warplens
