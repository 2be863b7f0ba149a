#include "app/base/csv.h"
#include "app/base/version.h"
#include "app/cli/ncu/import_ncu.h"
#include "app/cli/text_table.h"
#include "app/experiment/evidence.h"
#include "app/experiment/ncu/ncu_words.h"
#include "app/figures/report_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace warplens {
namespace {

using nlohmann::ordered_json;

std::string verdict_text(const ComparedCounter& counter) {
    return counter.judgement ? std::string(verdict_name(counter.judgement->verdict)) : "-";
}

std::string meaning_of(const ComparedCounter& counter) {
    return fmt::format("{} ({})", counter.words->meaning, counter.words->metric);
}

std::string counter_table(const ComparedLaunch& compared, bool any_basis) {
    const bool predicted = compared.predicts();
    std::vector<std::string> header{"counter"};
    if (predicted) header.emplace_back("predicted");
    header.emplace_back("counted");
    if (predicted) header.emplace_back("verdict");
    TextTable table(header, predicted ? "" : "meaning");
    for (const ComparedCounter& counter : compared.counters) {
        const std::string name(counter.words->name());
        if (predicted) {
            const bool any = counter.predicted.has_value();
            table.add({fmt::format("{} {}", any ? provenance_mark(counter.predicted->kind) : " ", name),
                       any ? ncu_number_text(counter.predicted->expected) : "-", counted_text(counter),
                       verdict_text(counter)},
                      any_basis || !counter.remark.empty() ? counter.remark : meaning_of(counter));
        } else {
            table.add({name, counted_text(counter)}, meaning_of(counter));
        }
    }
    return table.text();
}

std::string fact_table(const std::vector<NcuFact>& facts) {
    TextTable table({"what follows", "value"});
    for (const NcuFact& fact : facts)
        table.add({std::string(fact.name),
                   fmt::format("{:.2f}{}{}", fact.value, fact.unit.empty() ? "" : " ", fact.unit)},
                  std::string(fact.meaning));
    return table.text();
}

std::string launch_text(const NcuAnswer& answer, const ComparedLaunch& compared, bool many_processes) {
    const NcuLaunch& launch = *compared.launch;
    std::string text = fmt::format("launch {}: {}\n", launch.id, short_kernel_name(launch.kernel));
    text += fmt::format(
        "{}{}{}\n", launch_shape_text(launch), launch.cc.empty() ? "" : ", compute capability " + launch.cc,
        many_processes ? fmt::format(", process {} ({})", launch.process_id, launch.process) : "");
    for (const std::string& remark : compared.remarks) text += remark + '\n';
    text += '\n';
    if (compared.counters.empty())
        text +=
            "None of the counters that mean something here was collected: 'warplens import-ncu --metrics' "
            "lists them.\n";
    else
        text += counter_table(compared, answer.basis->any());
    if (std::ranges::any_of(compared.counters, [](const ComparedCounter& one) { return one.rounding > 0; }))
        text += "~ rounded by the profiler: ncu --print-units base prints all digits\n";
    text += missing_text(compared);
    if (!compared.facts.empty()) text += '\n' + fact_table(compared.facts);
    if (!compared.differences.empty()) text += '\n';
    for (const std::string& line : compared.differences) text += line + '\n';
    return text + '\n';
}

/// More launches than a screen has room for, those that lose most first.
std::string overview(const NcuAnswer& answer) {
    constexpr std::size_t kMost = 40;
    std::vector<ComparedLaunch> launches = answer.launches;
    sort_by_loss(launches);
    const auto text = [](std::optional<double> value) { return value ? ncu_number_text(*value) : "-"; };
    TextTable table({"launch", "time [ns]", "lost at most", "excess sectors", "excess wavefronts"}, "kernel");
    for (std::size_t i = 0; i < std::min(kMost, launches.size()); ++i) {
        const ComparedLaunch& one = launches[i];
        const auto lost = one.excess.time_ns;
        table.add({one.launch->id, text(value_of(*one.launch, kNcuTime)),
                   lost ? ncu_number_text(std::round(*lost)) : "-", text(one.excess.sectors),
                   text(one.excess.wavefronts)},
                  short_kernel_name(one.launch->kernel));
    }
    std::string all = table.text();
    if (launches.size() > kMost) all += fmt::format("and {} more\n", launches.size() - kMost);
    return all + "'--launch ID' or '--kernel NAME' shows some in full, --json and --csv all of them\n\n";
}

std::string summary_text(const NcuAnswer& answer) {
    const bool explained = std::ranges::any_of(
        answer.launches, [](const ComparedLaunch& launch) { return !launch.differences.empty(); });
    const std::array<int, 3> times = count_verdicts(answer.launches);
    std::string text;
    if (explained) text += fmt::format("{}\n\n", address_and_hardware());
    if (!answer.basis->any()) return text;
    return text +
           fmt::format("{} {}: {} counts equal, {} within, {} off\n{} exact   {} approximate   {} recorded\n",
                       answer.launches.size(), answer.launches.size() == 1 ? "launch" : "launches", times[0],
                       times[1], times[2], provenance_mark(Provenance::exact),
                       provenance_mark(Provenance::approximate), provenance_mark(Provenance::recorded));
}

ordered_json extent_json(const std::optional<Extent3>& extent) {
    return extent ? ordered_json(*extent) : ordered_json();
}

ordered_json counter_json(const ComparedCounter& counter) {
    ordered_json json{{"metric", counter.words->metric}, {"name", counter.words->name()}};
    const bool any = counter.predicted.has_value();
    json["predicted"] = any ? ordered_json(counter.predicted->expected) : ordered_json();
    json["kind"] = any ? ordered_json(provenance_name(counter.predicted->kind)) : ordered_json();
    json["counted"] = counter.counted;
    if (counter.rounding > 0) json["rounding"] = counter.rounding;
    json["verdict"] =
        counter.judgement ? ordered_json(verdict_name(counter.judgement->verdict)) : ordered_json();
    json["remark"] = counter.remark;
    return json;
}

ordered_json launch_json(const ComparedLaunch& compared) {
    const NcuLaunch& launch = *compared.launch;
    ordered_json json{{"id", launch.id},
                      {"process_id", launch.process_id},
                      {"process", launch.process},
                      {"kernel", launch.kernel},
                      {"cc", launch.cc},
                      {"grid", extent_json(launch.grid)},
                      {"block", extent_json(launch.block)}};
    json["predicted_for"] = compared.device.empty() ? ordered_json() : ordered_json(compared.device);
    json["remarks"] = compared.remarks;
    json["counters"] = ordered_json::array();
    for (const ComparedCounter& counter : compared.counters)
        json["counters"].push_back(counter_json(counter));
    json["missing"] = ordered_json::array();
    for (const CounterWords* words : compared.missing) json["missing"].push_back(words->metric);
    json["facts"] = ordered_json::array();
    for (const NcuFact& fact : compared.facts)
        json["facts"].push_back({{"name", fact.name}, {"value", fact.value}, {"unit", fact.unit}});
    json["differences"] = compared.differences;
    return json;
}

ordered_json basis_json(const NcuBasis& basis) {
    if (basis.scenario != nullptr)
        return {{"scenario", basis.scenario->info->id},
                {"params", params_to_json(*basis.scenario, basis.params)}};
    return basis.accesses_path.empty() ? ordered_json() : ordered_json{{"analyze", basis.accesses_path}};
}

}  // namespace

std::string ncu_to_text(const NcuAnswer& answer) {
    std::set<std::string> processes;
    for (const NcuLaunch& launch : answer.file->launches) processes.insert(launch.process_id);
    std::string text =
        fmt::format("{}: page {}, {} of {} launches\n", answer.file_name, page_name(answer.file->page),
                    answer.launches.size(), answer.file->launches.size());
    if (answer.basis->any()) {
        text += fmt::format("predicted: {}\n", basis_text(*answer.basis));
        std::set<std::string> devices;
        for (const ComparedLaunch& launch : answer.launches) devices.insert(launch.device);
        for (const std::string& device : devices) text += fmt::format("by the rules of: {}\n", device);
    }
    if (answer.file->skipped_lines > 0)
        text += fmt::format("lines between the rows that are no rows, and were left out: {}\n",
                            answer.file->skipped_lines);
    if (const std::string unread = unread_text(*answer.file); !unread.empty()) text += unread + '\n';
    text += '\n';
    constexpr std::size_t kMostInFull = 6;
    if (answer.launches.size() > kMostInFull) return text + overview(answer);
    for (const ComparedLaunch& launch : answer.launches)
        text += launch_text(answer, launch, processes.size() > 1);
    return text + summary_text(answer);
}

std::string ncu_to_json(const NcuAnswer& answer) {
    ordered_json json{{"schema", 1},
                      {"program", fmt::format("warplens {}", version())},
                      {"file", answer.file_name},
                      {"page", page_name(answer.file->page)},
                      {"compared_with", basis_json(*answer.basis)},
                      {"unread", answer.file->unread},
                      {"skipped_lines", answer.file->skipped_lines}};
    json["launches"] = ordered_json::array();
    for (const ComparedLaunch& launch : answer.launches) json["launches"].push_back(launch_json(launch));
    // Kernel names come from a file that may hold anything.
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string ncu_to_csv(const NcuAnswer& answer) {
    std::string text = "launch,process,kernel,metric,name,predicted,kind,counted,verdict,remark\n";
    for (const ComparedLaunch& launch : answer.launches) {
        for (const ComparedCounter& counter : launch.counters) {
            const bool any = counter.predicted.has_value();
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{}\n", launch.launch->id, csv_field(launch.launch->process_id),
                csv_field(launch.launch->kernel), counter.words->metric, csv_field(counter.words->name()),
                any ? ncu_number_text(counter.predicted->expected) : "",
                any ? provenance_name(counter.predicted->kind) : "", ncu_number_text(counter.counted),
                counter.judgement ? verdict_name(counter.judgement->verdict) : "", csv_field(counter.remark));
        }
    }
    return text;
}

}  // namespace warplens
