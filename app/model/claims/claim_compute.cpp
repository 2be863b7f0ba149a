#include "app/model/claims/claims.h"

#include "app/base/text.h"
#include "app/model/access/tile_phases.h"
#include "app/model/device/capability.h"
#include "app/model/device/occupancy.h"
#include "app/model/device/spaces.h"
#include "app/model/time/prediction.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace warplens {
namespace {

using nlohmann::json;

[[noreturn]] void unknown(std::string_view what, std::string_view name) {
    throw std::runtime_error("published claims: there is no " + std::string(what) + " '" + std::string(name) +
                             "'");
}

Computed number(double value, Provenance kind = Provenance::exact) { return {value, value, kind}; }

template <class T>
struct Named {
    std::string_view name;
    T what;
};

template <class T, std::size_t N>
T look_up(const Named<T> (&table)[N], std::string_view kind, std::string_view name) {
    const auto found = std::ranges::find(table, name, &Named<T>::name);
    if (found == std::end(table)) unknown(kind, name);
    return found->what;
}

constexpr Named<Totals InstructionReport::*> kScopes[] = {{"warp", &InstructionReport::warp},
                                                          {"block", &InstructionReport::block},
                                                          {"grid", &InstructionReport::grid}};
constexpr Named<std::int64_t Totals::*> kCounts[] = {{"instructions", &Totals::instructions},
                                                     {"requests", &Totals::requests},
                                                     {"sectors", &Totals::sectors},
                                                     {"ideal_sectors", &Totals::ideal_sectors},
                                                     {"lines", &Totals::lines},
                                                     {"wavefronts", &Totals::wavefronts},
                                                     {"ideal_wavefronts", &Totals::ideal_wavefronts},
                                                     {"bytes_used", &Totals::bytes_used},
                                                     {"bytes_moved", &Totals::bytes_moved}};
constexpr Named<double Prediction::*> kPredicted[] = {{"value", &Prediction::value},
                                                      {"peak", &Prediction::peak},
                                                      {"flop", &Prediction::flop},
                                                      {"intensity", &Prediction::intensity},
                                                      {"useful_bytes", &Prediction::useful_bytes},
                                                      {"dram_bytes", &Prediction::dram_bytes},
                                                      {"l2_bytes", &Prediction::l2_bytes}};

/// A formula of recorded numbers is approximate; a recorded number among exact ones stays recorded.
Provenance weakest(Provenance a, Provenance b) {
    const auto rank = [](Provenance kind) {
        return kind == Provenance::exact ? 0 : kind == Provenance::approximate ? 2 : 1;
    };
    return rank(a) < rank(b) ? b : a;
}

double whole(double value) { return std::floor(value + 1e-9); }

/// All numbers here are positive, so the ends of a range follow from the ends of the operands.
Computed combine(std::string_view how, const Computed& a, const Computed& b) {
    const Provenance kind = weakest(a.kind, b.kind);
    if (how == "sum") return {a.low + b.low, a.high + b.high, kind};
    if (how == "difference") return {a.low - b.high, a.high - b.low, kind};
    if (how == "product") return {a.low * b.low, a.high * b.high, kind};
    if ((how == "ratio" || how == "percent" || how == "remainder") && b.low <= 0)
        unknown("division by 0 in", how);
    if (how == "ratio") return {a.low / b.high, a.high / b.low, kind};
    if (how == "percent") return {100 * a.low / b.high, 100 * a.high / b.low, kind};
    if (how == "remainder") return {std::fmod(a.low, b.low), std::fmod(a.high, b.high), kind};
    if (how == "range") return {std::min(a.low, b.low), std::max(a.high, b.high), kind};
    unknown("computation", how);
}

int certainty(const json& row, const char* otherwise) {
    return confidence_of(row.value("confidence", otherwise));
}

/// Whether a row of a table is selected, by name or by capability; without either all rows are.
bool is_meant(const json& what, const json& row, const char* name) {
    const auto agrees = [&](const char* asked, const char* field) {
        return !what.contains(asked) || row.value(field, "") == what[asked].get<std::string>();
    };
    return agrees("gpu", name) && agrees("cc", "compute_capability");
}

OccupancyInput launch_of(const json& what) {
    return {.threads = what.at("threads").get<int>(),
            .registers = what.value("registers", 0),
            .dynamic_shared = what.value("shared", 0),
            .arguments = what.value("hidden", true) ? what.value("arguments", 0) : kNothingHidden};
}

}  // namespace

double report_field(const Report& report, std::string_view field, int instruction) {
    const std::size_t dot = std::min(field.find('.'), field.size());
    if (field == "shape.shared_bytes") return double(report.shape.shared_bytes);
    if (field == "shape.steps") return report.shape.steps;
    const auto scope = look_up(kScopes, "scope of a report", field.substr(0, dot));
    const auto count = look_up(kCounts, "count of a report", field.substr(std::min(dot + 1, field.size())));
    const auto value = [&](const InstructionReport& row) { return double(row.*scope.*count); };
    if (instruction >= 0) return value(report.instructions.at(instruction));
    double sum = 0;
    for (const InstructionReport& row : report.instructions) sum += value(row);
    return sum;
}

ClaimComputer::ClaimComputer(std::string_view gpus, const std::vector<DeviceFacts>& devices,
                             RecordedTime times, Witnessed witnessed)
    : devices_(devices),
      capabilities_(load_capabilities(gpus)),
      gpus_(std::make_unique<json>(json::parse(gpus))),
      times_(std::move(times)),
      witnessed_(std::move(witnessed)) {}
ClaimComputer::~ClaimComputer() = default;

const DeviceFacts& ClaimComputer::device(const std::string& name) const {
    const auto found = find_device(devices_, name);
    if (!found) unknown("GPU", name);
    return devices_[*found];
}

const CapabilityFacts& ClaimComputer::capability(const std::string& cc) const {
    const auto parsed = parse_capability(cc);
    const CapabilityFacts* facts = parsed ? find_capability(capabilities_, *parsed) : nullptr;
    if (facts == nullptr) unknown("compute capability", cc);
    return *facts;
}

Computed ClaimComputer::of_report(const json& what) const {
    const Scenario* scenario = find_scenario(what.at("scenario").get<std::string>());
    if (scenario == nullptr) unknown("scenario", what["scenario"].get<std::string>());
    const auto settings = what.value("settings", "");
    const Params params = preset_params(*scenario, {"", settings});
    const Report report = analyze(*scenario, params, device(what.at("device").get<std::string>()));
    const auto field = what.at("field").get<std::string>();
    const Provenance kind = split_once(field, ".").first == "shape" ? Provenance::exact : report.kind;
    return number(report_field(report, field, what.value("instruction", 0)), kind);
}

Computed ClaimComputer::of_recorded_time(const json& what) const {
    const Scenario* scenario = find_scenario(what.at("scenario").get<std::string>());
    if (scenario == nullptr) unknown("scenario", what["scenario"].get<std::string>());
    const Params params = preset_params(*scenario, {"", what.at("settings").get<std::string>()});
    const std::optional<double> time =
        times_ ? times_(what.at("gpu").get<std::string>(), *scenario, params) : std::nullopt;
    if (!time) unknown("recorded time", what.dump());
    return number(*time, Provenance::recorded);
}

double ClaimComputer::witnessed(const json& what, const std::string& name) const {
    const std::optional<double> value =
        witnessed_ ? witnessed_(what.at("gpu").get<std::string>(), name) : std::nullopt;
    if (!value) unknown("witnessed number", name);
    return *value;
}

Computed ClaimComputer::of_witness(const json& what) const {
    return number(witnessed(what, what.at("name").get<std::string>()), Provenance::recorded);
}

Computed ClaimComputer::rises(const json& what) const {
    const auto name = what.at("name").get<std::string>();
    const int from = what.at("from").get<int>(), to = what.at("to").get<int>();
    const double least = 1 + what.at("percent").get<double>() / 100;
    int count = 0;
    for (int i = from + 1; i <= to; ++i)
        count +=
            witnessed(what, name + std::to_string(i)) > least * witnessed(what, name + std::to_string(i - 1))
                ? 1
                : 0;
    return number(count, Provenance::recorded);
}

Computed ClaimComputer::of_prediction(const json& what) const {
    const Scenario* scenario = find_scenario(what.at("scenario").get<std::string>());
    if (scenario == nullptr) unknown("scenario", what["scenario"].get<std::string>());
    const auto settings = what.value("settings", "");
    const Prediction result =
        predict(*scenario, preset_params(*scenario, {"", settings}),
                device(what.at("device").get<std::string>()), what.value(kColdKey, false));
    const auto field = look_up(kPredicted, "prediction", what.at("field").get<std::string>());
    const bool counted = field == &Prediction::flop || field == &Prediction::intensity;
    return number(result.*field, counted ? Provenance::exact : Provenance::approximate);
}

Computed ClaimComputer::of_occupancy(const json& what) const {
    const CapabilityFacts& facts = capability(what.at("cc").get<std::string>());
    const OccupancyInput input = launch_of(what);
    const Occupancy result = compute_occupancy(facts, input);
    const auto field = what.at("field").get<std::string>();
    if (field == "blocks") return number(result.blocks, facts.kind);
    if (field == "warps") return number(result.warps(), facts.kind);
    if (field == "threads") return number(result.blocks * input.threads, facts.kind);
    if (field == "percent") return number(100 * result.share(), facts.kind);
    if (field == "shared_per_block") return number(result.shared_per_block, facts.kind);
    unknown("number of an occupancy", field);
}

/// The rules are not monotonic everywhere in small steps, so every value is tried, in descending order.
Computed ClaimComputer::most(const json& what) const {
    const CapabilityFacts& facts = capability(what.at("cc").get<std::string>());
    const auto of = what.at("of").get<std::string>();
    const int wanted = what.at("blocks").get<int>();
    OccupancyInput input = launch_of(what);
    int OccupancyInput::*field = of == "registers" ? &OccupancyInput::registers
                                 : of == "shared"  ? &OccupancyInput::dynamic_shared
                                                   : nullptr;
    if (field == nullptr) unknown("resource", of);
    for (int value = of == "registers" ? facts.registers_per_thread : facts.shared_per_block_most; value >= 0;
         --value) {
        input.*field = value;
        if (compute_occupancy(facts, input).blocks >= wanted) return number(value, facts.kind);
    }
    return number(0, facts.kind);
}

Computed ClaimComputer::of_table(const json& what, const char* table, const char* name) const {
    const auto field = what.at("field").get<std::string>();
    const bool recorded = std::string_view(table) == "latencies";
    Computed result{0, 0, recorded ? Provenance::recorded : Provenance::exact};
    bool any = false;
    for (const json& row : gpus_->at(table)) {
        if (!is_meant(what, row, name) || (recorded && certainty(row, "") < certainty(what, "high")))
            continue;
        if (!row.contains(field) || !row[field].is_number()) continue;
        const double value = row[field].get<double>();
        result.low = any ? std::min(result.low, value) : value;
        result.high = any ? std::max(result.high, value) : value;
        any = true;
    }
    if (!any && recorded) unknown("latency", what.dump());
    // Otherwise an empty result is valid: a GPU without an L2 has 0 bytes of it.
    const bool no_such_row = std::ranges::none_of(
        gpus_->at(table), [&](const json& row) { return is_meant(what, row, name) && row.contains(field); });
    if (no_such_row) unknown("row or field in the table of GPUs", what.dump());
    return result;
}

Computed ClaimComputer::of_bandwidth(const json& what) const {
    const DeviceFacts& gpu = device(what.at("gpu").get<std::string>());
    const auto of = what.at("of").get<std::string>();
    const double bytes = bytes_per_clock(of, gpu, find_capability(capabilities_, gpu.cc));
    if (bytes <= 0) unknown("width of", of);
    return number(gpu.sm_count * bytes * what.value("clock_mhz", gpu.clock_mhz) / 1000,
                  Provenance::approximate);
}

Computed ClaimComputer::of_phases(const json& what) const {
    const TileProduct product{.matrix = what.at("matrix").get<int>(),
                              .tile = what.at("tile").get<int>(),
                              .block_row = what.value("block_row", 0),
                              .block_column = what.value("block_column", 0)};
    const PhaseMoment end = phase_moment(product, phase_steps(product) - 1);
    const auto field = what.at("field").get<std::string>();
    if (field == "phases") return number(product.phases());
    if (field == "result_row") return number(product.result(what.at("thread").get<int>()).row);
    if (field == "result_column") return number(product.result(what.at("thread").get<int>()).column);
    if (field == "global_loads") return number(double(end.counts.global_loads));
    if (field == "untiled_loads") return number(double(end.counts.untiled_loads()));
    if (field == "shared_loads") return number(double(end.counts.shared_loads));
    if (field == "threads") return number(product.threads());
    unknown("count of the tile phases", field);
}

Computed ClaimComputer::arithmetic(const json& what) const {
    const auto how = what.at("compute").get<std::string>();
    const json& of = what.at("of");
    Computed result = compute(of.at(0));
    if (how == "floor") return {whole(result.low), whole(result.high), result.kind};
    if (how == "root") return {std::sqrt(result.low), std::sqrt(result.high), result.kind};
    if (how == "smallest") return {result.low, result.low, result.kind};
    if (how == "largest") return {result.high, result.high, result.kind};
    for (std::size_t i = 1; i < of.size(); ++i) result = combine(how, result, compute(of[i]));
    return result;
}

Computed ClaimComputer::compute(const json& what) const {
    if (what.is_number()) return number(what.get<double>());
    const auto how = what.at("compute").get<std::string>();
    if (how == "report") return of_report(what);
    if (how == "predict") return of_prediction(what);
    if (how == "occupancy") return of_occupancy(what);
    if (how == "most") return most(what);
    if (how == "capability") return of_table(what, "compute_capabilities", "compute_capability");
    if (how == "device") return of_table(what, "gpus", "name");
    if (how == "timed") return of_recorded_time(what);
    if (how == "witness") return of_witness(what);
    if (how == "rises") return rises(what);
    if (how == "recorded") return of_table(what, "latencies", "gpu");
    if (how == "bandwidth") return of_bandwidth(what);
    if (how == "phases") return of_phases(what);
    return arithmetic(what);
}

}  // namespace warplens
