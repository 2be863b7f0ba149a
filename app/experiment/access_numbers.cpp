#include "app/experiment/access_numbers.h"

#include "app/model/access/counts.h"

#include <fmt/format.h>

namespace warplens {
namespace {

const Totals& totals_of(const InstructionReport& row, CountScope scope) {
    return scope == CountScope::warp ? row.warp : scope == CountScope::block ? row.block : row.grid;
}

/// All counts of one instruction that mean something in its memory space.
/// @param old  Nsight Compute knows no such GPU: CC below 7.0
void add_counts(std::vector<Quantity>& rows, const InstructionReport& row, const Totals& totals,
                const SectorRules& rules, bool old) {
    const std::string basis = row.source.empty() ? ""
                                                 : fmt::format("\n{} {}: {}", provenance_mark(row.kind),
                                                               provenance_name(row.kind), row.source);
    for (const CountWords& count : counts_of(row.instruction.space, rules)) {
        const std::int64_t value = count.value(totals);
        std::string tooltip(count.meaning);
        if (!count.metric.empty() && !old) {
            tooltip += "\nNsight Compute: " +
                       fmt::format(fmt::runtime(count.metric), is_load(row.instruction.op) ? "ld" : "st");
        }
        rows.push_back({std::string(count.name),
                        count.bytes ? format_bytes(double(value)) : format_count(value), row.kind,
                        tooltip + basis, double(value), better_of(count.name)});
    }
    if (!has_sectors(row.instruction.space) && row.instruction.space != Space::texture) return;
    const double share =
        totals.bytes_moved > 0 ? 100.0 * double(totals.bytes_used) / double(totals.bytes_moved) : 0;
    rows.push_back({"sector efficiency", fmt::format("{:.4g} %", share), row.kind,
                    "Bytes used, as a share of the bytes fetched." + basis, share, Better::more});
}

}  // namespace

std::string format_speed(double value) {
    return value < 1000 ? fmt::format("{:.4g}", value) : format_count(static_cast<std::int64_t>(value + 0.5));
}

std::vector<Quantity> access_numbers(const Evidence& evidence, const DeviceFacts& device, int focus,
                                     CountScope scope, bool by_label) {
    std::vector<Quantity> rows;
    const Report& report = evidence.report;
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        const Totals& totals = totals_of(row, scope);
        if (focus >= 0) {
            if (k == static_cast<std::size_t>(focus))
                add_counts(rows, row, totals, report.sector_rules, device.cc.major < 7);
            continue;
        }
        const CostWords cost = cost_of(row.instruction.space, report.sector_rules);
        const auto takes = cost.cost(totals);
        const std::string_view label = row.instruction.label;
        const std::string_view what = label.substr(0, label.find(','));  // behind it stands how: "by columns"
        rows.push_back(
            {by_label ? fmt::format("{}: {}", what, cost.name) : fmt::format("{} {}", k + 1, cost.name),
             fmt::format("{} of {}", format_count(cost.ideal(totals)), format_count(takes)), row.kind,
             fmt::format("{}: ideal, of those that it takes.", row.instruction.label), double(takes),
             better_of(cost.name)});
    }
    return rows;
}

Quantity predicted_number(const Prediction& prediction) {
    const SpeedWords& words = speed_words(prediction.speed_unit);
    Quantity number{std::string(words.row), prediction.value > 0 ? format_speed(prediction.value) : "",
                    Provenance::approximate, std::string(words.meaning)};
    if (prediction.value > 0) number.amount = prediction.value;
    number.better = better_of(prediction.speed_unit);
    if (prediction.shared_memory && prediction.speed_unit == SpeedUnit::gb_per_s)
        number.source += " All SMs together; a word that several lanes share counts once.";
    return number;
}

}  // namespace warplens
