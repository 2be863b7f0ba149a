#include "app/experiment/kernel_table.h"

#include "app/base/assets.h"
#include "app/base/json_place.h"
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <mutex>

namespace warplens {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kSchema = "warplens kernels";
constexpr int kVersion = 1;

constexpr std::pair<const char*, int KernelResources::*> kNumbers[] = {
    {"threads", &KernelResources::threads},      {"registers", &KernelResources::registers},
    {"static", &KernelResources::static_shared}, {"dynamic", &KernelResources::dynamic_shared},
    {"local", &KernelResources::local},          {"carveout", &KernelResources::carveout},
    {"blocks", &KernelResources::blocks_per_sm}};

/// Knobs as describe_settings writes them: "stride=8, op=load".
Params params_from(const Scenario& scenario, std::string_view settings) {
    Params params = scenario.info->defaults;
    while (!settings.empty()) {
        const auto [key, text] = take_knob_text(settings, ", ");
        const Knob& knob = require_knob(scenario, key);
        params.*knob.field =
            parse_knob(without_limit(knob), params, text).value();  // they may be in any order
    }
    return params;
}

KernelRow row_from(const JsonPlace& from) {
    const Scenario& scenario = require_scenario(from.member("scenario").text());
    KernelRow row{&scenario, params_from(scenario, from.member("set").text()), {}};
    for (const JsonPlace& kernel : from.member("kernels").elements())
        row.kernels.push_back(kernel_from_json(kernel));
    return row;
}

/// The properties of the compiled kernels. Two settings that run the same kernels agree in them; what the
/// launch determines, such as dynamic shared memory, is left out.
std::vector<std::tuple<std::string, std::string, int, int, int>> code_of(const KernelRow& row) {
    std::vector<std::tuple<std::string, std::string, int, int, int>> code;
    for (const KernelResources& kernel : row.kernels)
        code.emplace_back(kernel.role, kernel.name, kernel.registers, kernel.static_shared, kernel.local);
    return code;
}

/// The rows, without those that repeat an earlier one.
std::vector<const KernelRow*> distinct_rows(const std::vector<KernelRow>& rows) {
    std::vector<const KernelRow*> distinct;
    std::multimap<std::string, const KernelRow*> by_key;
    for (const KernelRow& row : rows) {
        const auto [first, last] = by_key.equal_range(row.key);
        const bool known = std::any_of(
            first, last, [&](const auto& entry) { return code_of(*entry.second) == code_of(row); });
        if (known) continue;
        by_key.emplace(row.key, &row);
        distinct.push_back(&row);
    }
    return distinct;
}

const KernelResources* grid_kernel(const KernelRow& row) {
    const auto found = std::ranges::find(row.kernels, std::string("grid"), &KernelResources::role);
    return found == row.kernels.end() ? nullptr : &*found;
}

struct Compiled {
    const Scenario* scenario;
    Params params;
    KernelResources kernel;
    std::string where;
};
std::mutex compiled_mutex;
std::deque<Compiled> compiled;  // the newest last; what was handed out stays

/// The kernel from the row of a setting. If it has none, from other settings with the same kernels, if all of
/// these agree.
const KernelResources* find_in(const KernelTable& table, const Scenario& scenario, const Params& params) {
    const std::string key = kernel_key(scenario, params);
    const KernelResources* found = nullptr;
    bool agree = true;
    for (const KernelRow& row : table.rows) {
        const KernelResources* kernel = row.scenario == &scenario ? grid_kernel(row) : nullptr;
        if (kernel == nullptr) continue;
        if (row.params == params) return kernel;
        if (row.key != key) continue;
        agree = agree && (found == nullptr || found->registers == kernel->registers);
        found = kernel;
    }
    return agree ? found : nullptr;
}

}  // namespace

ordered_json kernel_to_json(const KernelResources& kernel) {
    ordered_json row{{"role", kernel.role}, {"name", kernel.name}};
    for (const auto& [key, field] : kNumbers) row[key] = kernel.*field;
    row["timed"] = kernel.is_timed;
    return row;
}

KernelResources kernel_from_json(const JsonPlace& row) {
    constexpr int kMany = std::numeric_limits<int>::max();
    KernelResources kernel;
    kernel.role = row.member("role").text();
    kernel.name = row.member("name").text();
    for (const auto& [key, field] : kNumbers) kernel.*field = row.member(key).whole(-kMany, kMany);
    kernel.is_timed = row.member("timed").flag();
    return kernel;
}

std::string KernelTable::where() const {
    return fmt::format("{} {}, CUDA {}.{}, recorded {}", provenance_mark(Provenance::recorded), gpu,
                       cuda_runtime / 1000, cuda_runtime % 1000 / 10, date);
}

std::string write_kernel_table(const KernelTable& table) {
    const ordered_json head{{"schema", kSchema},
                            {"version", kVersion},
                            {"gpu", table.gpu},
                            {"cc", table.cc.text()},
                            {"date", table.date},
                            {"program", table.program},
                            {"cuda_runtime", table.cuda_runtime},
                            {"cuda_driver", table.cuda_driver}};
    std::string text = head.dump();
    text.pop_back();
    text += ",\n\"rows\":[";
    bool first = true;
    for (const KernelRow* row : distinct_rows(table.rows)) {
        ordered_json line{{"scenario", row->scenario->info->id},
                          {"set", describe_settings(*row->scenario, row->params)},
                          {"kernels", ordered_json::array()}};
        for (const KernelResources& kernel : row->kernels) line["kernels"].push_back(kernel_to_json(kernel));
        text += (first ? "\n" : ",\n") + line.dump();
        first = false;
    }
    return text + "\n]}\n";
}

KernelTable read_kernel_table(std::string_view text) {
    const nlohmann::json file = nlohmann::json::parse(text);
    KernelTable table{.gpu = file.at("gpu"),
                      .cc = parse_capability(file.at("cc").get<std::string>()).value(),
                      .date = file.at("date"),
                      .program = file.at("program"),
                      .cuda_runtime = file.at("cuda_runtime"),
                      .cuda_driver = file.at("cuda_driver"),
                      .rows = {}};
    for (const JsonPlace& row : JsonPlace(file, "").member("rows").elements())
        table.rows.push_back(row_from(row));
    return table;
}

const std::vector<KernelTable>& kernel_tables() {
    static const std::vector<KernelTable> tables = [] {
        std::vector<KernelTable> read;
        for (const std::string_view path : asset_paths("assets/kernels/"))
            read.push_back(read_kernel_table(asset(path)));
        return read;
    }();
    return tables;
}

RecordedKernel find_grid_kernel(const std::vector<KernelTable>& tables, const Scenario& scenario,
                                const Params& params) {
    for (const KernelTable& table : tables) {
        if (const KernelResources* kernel = find_in(table, scenario, params)) return {kernel, table.where()};
    }
    return {nullptr, tables.empty() ? "no GPU was asked for the registers of kernels"
                                    : "the registers of this kernel were not recorded"};
}

RecordedKernel recorded_grid_kernel(const Scenario& scenario, const Params& params) {
    if (scenario.typed != nullptr) {
        const std::scoped_lock lock(compiled_mutex);
        for (auto one = compiled.rbegin(); one != compiled.rend(); ++one)
            if (one->scenario == &scenario && same_work(scenario, one->params, params))
                return {&one->kernel, one->where};
        return {nullptr, "known once Run has compiled it"};
    }
    return find_grid_kernel(kernel_tables(), scenario, params);
}

void keep_compiled(const Scenario& scenario, const Params& params, const KernelResources& kernel,
                   const std::string& where) {
    const std::scoped_lock lock(compiled_mutex);
    compiled.push_back({&scenario, params, kernel, where});
}

}  // namespace warplens
