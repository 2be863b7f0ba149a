#include "app/experiment/ncu/ncu_compare.h"

#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/text.h"
#include "app/experiment/devices.h"
#include "app/experiment/ncu/ncu_profile.h"
#include "app/measure/accesses/access_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens {
namespace {

/// The numbers of the model, by the rules of one device.
struct Expectation {
    std::string device;
    ComputeCapability cc;
    ExpectedLaunch hardware;
    ExpectedLaunch addresses;
    std::optional<double> wanted_bytes;  ///< by global loads
    std::vector<ExpectedCounter> profile = {};
};

Expectation expect_of_scenario(const NcuBasis& basis, const DeviceFacts& device) {
    const Scenario& scenario = *basis.scenario;
    Expectation expectation{device.name,
                            device.cc,
                            expect_counters(scenario, basis.params, device),
                            {expect_address_counters(scenario, basis.params, device)},
                            std::nullopt};
    expectation.profile = expect_profile(basis, device, expectation.addresses);
    for (int i = 0; i < scenario.instruction_count(basis.params); ++i) {
        const Instruction one = scenario.instruction(basis.params, i);
        if (one.space != Space::global || !is_load(one.op)) continue;
        const Totals totals = count_grid(scenario, basis.params, i, device);
        expectation.wanted_bytes = expectation.wanted_bytes.value_or(0) + double(totals.bytes_used);
    }
    return expectation;
}

Expectation expect_of_accesses(const NcuBasis& basis, const DeviceFacts& device,
                               const std::stop_token& stop) {
    std::ifstream file = open_input(basis.accesses_path);
    constexpr std::size_t kOps = kOpCount;
    std::array<CountedAccess, kSpaceCount * kOps> sums{};  // however long the file is
    std::array<bool, kSpaceCount * kOps> found{};
    AccessReader reader(file, basis.accesses_path);
    std::int64_t rows = 0;
    for (AccessRow row; !stop.stop_requested() && reader.next(row); ++rows) {
        const std::size_t at = std::size_t(row.access.space) * kOps + std::size_t(row.access.op);
        sums[at].space = row.access.space;
        sums[at].op = row.access.op;
        sums[at].totals += count_access(row.access, device);
        if (found[at]) ++sums[at].executed;  // it starts at one
        found[at] = true;
    }
    std::vector<CountedAccess> accesses;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (found[i]) accesses.push_back(sums[i]);
    }
    Expectation expectation{
        device.name, device.cc, expect_counters(accesses), {expect_address_counters(accesses)}, std::nullopt};
    expectation.hardware.warps = rows;
    expectation.hardware.alone = rows <= 1;
    return expectation;
}

/// Expectations by device, each worked out once.
class Expectations {
public:
    Expectations(const NcuBasis& basis, const std::string& file_name, const std::stop_token& stop)
        : basis_(basis), file_name_(file_name), stop_(stop) {}

    const Expectation& of(const NcuLaunch& launch) {
        std::string wanted = basis_.device.empty() ? launch.cc : basis_.device;
        if (wanted.empty()) wanted = kMeasuredRules;
        const auto found = by_device_.find(wanted);
        return found != by_device_.end() ? found->second
                                         : by_device_.emplace(wanted, make(wanted)).first->second;
    }

private:
    Expectation make(const std::string& wanted) {
        const DeviceFacts& device = choose(wanted);
        return basis_.scenario != nullptr ? expect_of_scenario(basis_, device)
                                          : expect_of_accesses(basis_, device, stop_);
    }

    /// The GPU that was measured, if it has a compute capability that the file names.
    const DeviceFacts& choose(const std::string& wanted) {
        if (!basis_.device.empty()) return devices_[choose_device(devices_, wanted, false)];
        const DeviceFacts& measured = devices_[choose_device(devices_, kDefaultDevice, true)];
        if (wanted == measured.cc.text()) return measured;
        try {
            return devices_[choose_device(devices_, "CC " + wanted, true)];
        } catch (const UsageError&) {
            throw UsageError(fmt::format("{}: compute capability {} is not known: name the rules by --device",
                                         file_name_, in_quotes(wanted)));
        }
    }

    const NcuBasis& basis_;
    const std::string& file_name_;
    const std::stop_token& stop_;
    std::vector<DeviceFacts> devices_ = device_table();
    std::map<std::string, Expectation> by_device_;
};

std::string shape_text(const Extent3& extent) {
    return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
}

/// Grid and block of the scenario.
std::pair<Extent3, Extent3> shape_of(const NcuBasis& basis) {
    const LaunchShape shape = basis.scenario->launch(basis.params);
    return {{shape.grid.x, shape.grid.y, 1}, {shape.block.x, shape.block.y, 1}};
}

void remark_on_shape(ComparedLaunch& compared, const NcuBasis& basis) {
    const NcuLaunch& launch = *compared.launch;
    if (basis.scenario == nullptr) return;
    if (!launch.grid || !launch.block) {
        compared.remarks.push_back(
            "The file does not tell the launch's grid and block: compare only if they are "
            "the scenario's.");
        return;
    }
    if (has_shape_of(launch, basis)) return;
    const auto [grid, block] = shape_of(basis);
    compared.remarks.push_back(fmt::format(
        "The launch has a grid of {} blocks of {} threads, the scenario {} blocks of {} threads: "
        "counts can only agree where both do the same work.",
        shape_text(*launch.grid), shape_text(*launch.block), shape_text(grid), shape_text(block)));
}

bool is_of_caches(std::string_view metric) {
    return metric.starts_with("lts__") || metric.starts_with("dram__");
}

std::string why_not_predicted(const NcuBasis& basis, std::string_view metric) {
    if (metric == "idc__requests.sum")
        return "not predicted: kernels read their arguments from constant memory";
    if (is_of_caches(metric)) return "not predicted: it depends on what the caches held before";
    return basis.scenario != nullptr
               ? "not predicted: the scenario asks for none, or its kernel does more there"
               : "not predicted: the file of accesses has none";
}

ComparedCounter judge(const ExpectedLaunch& launch, const ExpectedCounter& expected, bool by_addresses,
                      const NcuCount& count) {
    ComparedCounter compared{expected.words, expected, count.value, std::nullopt, ""};
    // A little more than half a digit, because the profiler rounds a binary number.
    if (count.rounding > 0 && std::abs(count.value - expected.expected) <= 1.001 * count.rounding) {
        compared.judgement = Judgement{};
        compared.remark =
            fmt::format("as far as the unit {} tells: ncu --print-units base prints all digits", count.unit);
        return compared;
    }
    compared.judgement = by_addresses ? judge_address_counter(expected, count.value)
                                      : judge_counter(launch, expected, count.value);
    compared.remark = compared.judgement->reason;
    return compared;
}

/// Counters of one table: what is predicted, and what else was counted and is not zero.
void compare_table(ComparedLaunch& compared, const NcuBasis& basis, const Expectation* expectation,
                   std::span<const CounterWords> table, bool by_addresses) {
    for (const CounterWords& words : table) {
        const ExpectedCounter* expected =
            expectation == nullptr
                ? nullptr
                : (by_addresses ? expectation->addresses : expectation->hardware).find(words.metric);
        const auto count = count_of(*compared.launch, words.metric);
        if (!count) {
            if (expected != nullptr) compared.missing.push_back(&words);
            continue;
        }
        if (expected != nullptr)
            compared.counters.push_back(judge(expectation->hardware, *expected, by_addresses, *count));
        else if (expectation == nullptr)
            compared.counters.push_back({&words, std::nullopt, count->value, std::nullopt, ""});
        else if (count->value != 0)
            compared.counters.push_back(
                {&words, std::nullopt, count->value, std::nullopt, why_not_predicted(basis, words.metric)});
        else
            continue;
        compared.counters.back().rounding = count->rounding;
    }
}

/// Loads and stores, or those of the two that were counted.
std::optional<double> loads_or_stores(const NcuLaunch& launch, const std::string& stem) {
    if (const auto both = loads_and_stores(launch, stem)) return both;
    const auto loads = value_of(launch, stem + "_op_ld.sum");
    return loads ? loads : value_of(launch, stem + "_op_st.sum");
}

NcuExcess excess_of(const NcuLaunch& launch, const Expectation* expectation) {
    NcuExcess excess{value_of(launch, kNcuExcessSectors), value_of(launch, kNcuExcessWavefronts),
                     std::nullopt};
    const ExpectedCounter* ideal =
        expectation == nullptr ? nullptr : expectation->addresses.find(kNcuIdealSectors);
    const auto sectors = loads_or_stores(launch, kGlobalSectors);
    if (!excess.sectors && ideal != nullptr && sectors)
        excess.sectors = std::max(0.0, *sectors - ideal->expected);
    if (!excess.wavefronts) excess.wavefronts = loads_or_stores(launch, kConflicts);
    // For the case that nothing but the larger of the two takes time.
    const auto share = [](std::optional<double> lost, std::optional<double> all) {
        return lost && all && *all > 0 ? std::min(1.0, *lost / *all) : 0;
    };
    if (const auto time = value_of(launch, kNcuTime); time && excess.known())
        excess.time_ns =
            *time * std::max(share(excess.sectors, sectors),
                             share(excess.wavefronts, loads_or_stores(launch, kSharedWavefronts)));
    return excess;
}

/// By whose rules the resources of a launch are looked at: those that a person asks for, else those that the
/// file names, else the prediction's.
const CapabilityFacts* rules_of(const NcuLaunch& launch, const Expectation* expectation,
                                std::optional<ComputeCapability> asked) {
    std::optional<ComputeCapability> cc = asked ? asked : parse_capability(launch.cc);
    if (!cc && expectation != nullptr) cc = expectation->cc;
    return cc ? find_capability(capability_table(), *cc) : nullptr;
}

}  // namespace

std::optional<Verdict> ComparedLaunch::verdict() const {
    std::optional<Verdict> worst;
    for (const ComparedCounter& counter : counters)
        if (counter.judgement) worst = std::max(worst.value_or(Verdict::equal), counter.judgement->verdict);
    return worst;
}

bool ComparedLaunch::predicts() const {
    return std::ranges::any_of(counters,
                               [](const ComparedCounter& row) { return row.predicted.has_value(); });
}

bool has_shape_of(const NcuLaunch& launch, const NcuBasis& basis) {
    const auto [grid, block] = shape_of(basis);
    return launch.grid && launch.block && *launch.grid == grid && *launch.block == block;
}

void sort_by_loss(std::vector<ComparedLaunch>& launches) {
    const auto less = [](const ComparedLaunch& one) {
        return std::tuple(-one.excess.time_ns.value_or(-1), !one.excess.known(), -one.excess.sum(),
                          -value_of(*one.launch, kNcuTime).value_or(0));
    };
    std::ranges::stable_sort(launches, {}, less);
}

std::vector<ComparedLaunch> compare_launches(const std::vector<const NcuLaunch*>& launches,
                                             const NcuBasis& basis, const std::string& file_name,
                                             const std::stop_token& stop) {
    Expectations expectations(basis, file_name, stop);
    std::vector<DeviceFacts> devices = device_table();
    std::optional<ComputeCapability> asked;
    if (!basis.device.empty()) asked = devices[choose_device(devices, basis.device, false)].cc;
    std::vector<ComparedLaunch> answer;
    for (const NcuLaunch* launch : launches) {
        if (stop.stop_requested()) break;
        ComparedLaunch compared;
        compared.launch = launch;
        const Expectation* expectation = basis.any() ? &expectations.of(*launch) : nullptr;
        if (expectation != nullptr) {
            compared.device = expectation->device;
            remark_on_shape(compared, basis);
        }
        const std::optional<ComputeCapability> rules = expectation != nullptr ? expectation->cc : asked;
        if (!launch->cc.empty() && rules && launch->cc != rules->text())
            compared.remarks.push_back(
                fmt::format("The launch ran on compute capability {}, the prediction is for {}.", launch->cc,
                            rules->text()));
        compare_table(compared, basis, expectation, counter_words(), false);
        compare_table(compared, basis, expectation, address_words(), true);
        compare_profile(compared,
                        expectation == nullptr ? std::vector<ExpectedCounter>() : expectation->profile,
                        rules_of(*launch, expectation, asked));
        compared.facts =
            derive_facts(*launch, expectation == nullptr ? std::nullopt : expectation->wanted_bytes);
        compared.differences = explain_differences(*launch);
        compared.excess = excess_of(*launch, expectation);
        answer.push_back(std::move(compared));
    }
    return answer;
}

}  // namespace warplens
