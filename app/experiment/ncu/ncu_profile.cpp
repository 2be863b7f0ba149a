#include "app/experiment/ncu/ncu_profile.h"

#include "app/experiment/kernel_table.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The profiler prints percentages with two decimals.
constexpr double kRounded = 0.0051;

struct BlockLimit {
    Resource resource;
    std::string_view metric;
};
constexpr BlockLimit kBlockLimits[] = {{Resource::blocks, "launch__occupancy_limit_blocks"},
                                       {Resource::warps, "launch__occupancy_limit_warps"},
                                       {Resource::registers, "launch__occupancy_limit_registers"},
                                       {Resource::shared, "launch__occupancy_limit_shared_mem"}};

ExpectedCounter expect(std::string_view metric, double value, Provenance kind) {
    const auto words = std::ranges::find(profile_words(), metric, &CounterWords::metric);
    return {.words = &*words, .expected = value, .kind = kind};
}

/// 0 if the file does not say it. A size that it rounded is the largest one that is allocated whole, if there
/// is one as near: "32.77 Kbyte" are 32,768 bytes.
double shared_bytes(const NcuLaunch& launch, std::string_view metric, const CapabilityFacts& facts) {
    const NcuCount* count = launch.find(metric);
    if (count == nullptr || facts.shared_unit <= 0) return count == nullptr ? 0 : count->value;
    const double unit = facts.shared_unit, least = count->value - 1.001 * count->rounding,
                 whole = std::floor((count->value + 1.001 * count->rounding) / unit) * unit;
    return count->rounding > 0 && whole >= least ? whole : count->value;
}

std::optional<Occupancy> occupancy_of(const NcuLaunch& launch, const CapabilityFacts& facts) {
    const auto registers = value_of(launch, kNcuRegisters);
    const double fixed = shared_bytes(launch, kNcuStatic, facts),
                 set = shared_bytes(launch, kNcuDynamic, facts);
    auto threads = value_of(launch, kNcuBlockSize);
    if (launch.block)
        threads = double((*launch.block)[0]) * double((*launch.block)[1]) * double((*launch.block)[2]);
    if (!registers || !threads || *threads < 1 || *threads > facts.max_threads_per_block) return std::nullopt;
    constexpr double kMost = 1e8;  // a file may say anything
    for (const double one : {*registers, fixed, set})
        if (one < 0 || one > kMost) return std::nullopt;
    OccupancyInput input{.threads = int(*threads),
                         .registers = int(*registers),
                         .static_shared = int(fixed),
                         .dynamic_shared = int(set)};
    if (const auto share = value_of(launch, kNcuShareSize); share && facts.has_carveout()) {
        // The file may say it in Kbyte with two decimals.
        const int size = *std::ranges::min_element(facts.shared_sizes, {},
                                                   [&](int one) { return std::abs(one - *share); });
        input.carveout = carveout_for(facts, size).value_or(-1);
    }
    return compute_occupancy(facts, input);
}

std::vector<ExpectedCounter> expect_occupancy(const Occupancy& occupancy, Provenance kind,
                                              bool knows_shared) {
    std::vector<ExpectedCounter> expected;
    if (knows_shared) expected.push_back(expect(kNcuTheoretical, 100 * occupancy.share(), kind));
    for (const BlockLimit& limit : kBlockLimits) {
        if (limit.resource == Resource::shared && !knows_shared) continue;
        const int allowed = occupancy.allowed_by(limit.resource);
        if (allowed != kUnlimited) expected.push_back(expect(limit.metric, allowed, kind));
    }
    return expected;
}

/// "limited by registers and warps"
std::string limiters_text(const Occupancy& occupancy) {
    std::string text;
    for (int i = 0; i < kResources; ++i) {
        if (occupancy.limits(Resource(i)))
            text += fmt::format("{}{}", text.empty() ? "limited by " : " and ", resource_name(Resource(i)));
    }
    return text;
}

/// Empty for what nobody can judge: the profiler sets clocks and caches.
std::optional<Judgement> judge(const ExpectedCounter& expected, const NcuCount& count) {
    if (expected.words->metric == kNcuTime) return std::nullopt;
    if (std::abs(count.value - expected.expected) <= std::max(kRounded, 1.001 * count.rounding))
        return Judgement{};
    if (expected.words->metric == kNcuConflicts && count.value > expected.expected)
        return Judgement{Verdict::within, "the hardware counts every further cycle in the data stage"};
    if (expected.kind == Provenance::recorded) return std::nullopt;  // every compiler has its own
    return Judgement{Verdict::off,
                     "by NVIDIA's rules, from the file's own registers, block and shared memory"};
}

std::string remark_of(const ComparedCounter& row, const std::optional<Occupancy>& occupancy) {
    const std::string_view metric = row.words->metric;
    if (metric == kNcuTime && row.predicted)
        return "predicted with empty caches and full clocks; the profiler lowers clocks but for --clock-control none";
    if (metric == kNcuTheoretical && row.predicted) return limiters_text(*occupancy);
    if (row.predicted && !row.judgement)
        return "recorded of this scenario's kernel: another compiler has others";
    return row.judgement ? std::string(row.judgement->reason) : std::string();
}

}  // namespace

std::vector<ExpectedCounter> expect_profile(const NcuBasis& basis, const DeviceFacts& device,
                                            const ExpectedLaunch& addresses) {
    std::vector<ExpectedCounter> expected;
    const double time_us = predict(*basis.scenario, basis.params, device, true).time_us;
    if (time_us > 0) expected.push_back(expect(kNcuTime, std::round(time_us * 1e3), Provenance::approximate));
    if (const KernelResources* kernel = recorded_grid_kernel(*basis.scenario, basis.params).kernel) {
        expected.push_back(expect(kNcuRegisters, kernel->registers, Provenance::recorded));
        expected.push_back(expect(kNcuStatic, kernel->static_shared, Provenance::recorded));
        expected.push_back(expect(kNcuDynamic, kernel->dynamic_shared, Provenance::recorded));
    }
    if (const auto* excessive = addresses.find(kNcuExcessWavefronts))
        expected.push_back(expect(kNcuConflicts, excessive->expected, excessive->kind));
    return expected;
}

void compare_profile(ComparedLaunch& compared, const std::vector<ExpectedCounter>& expected,
                     const CapabilityFacts* facts) {
    std::optional<Occupancy> occupancy;
    if (facts != nullptr) occupancy = occupancy_of(*compared.launch, *facts);
    const bool has_static = compared.launch->find(kNcuStatic) != nullptr,
               has_dynamic = compared.launch->find(kNcuDynamic) != nullptr;
    std::vector<ExpectedCounter> all = expected;
    if (occupancy)
        std::ranges::move(expect_occupancy(*occupancy, facts->kind, has_static && has_dynamic),
                          std::back_inserter(all));
    if (occupancy && (has_static || has_dynamic) && compared.launch->find(kNcuTheoretical) == nullptr)
        compared.remarks.push_back(
            fmt::format("Its registers, block and {}shared memory allow an occupancy of {:.4g} %, {}.",
                        has_dynamic ? (has_static ? "" : "dynamic ") : "static ", 100 * occupancy->share(),
                        limiters_text(*occupancy)));
    for (const CounterWords& words : profile_words()) {
        const NcuCount* count = compared.launch->find(words.metric);
        if (count == nullptr) continue;
        ComparedCounter row{&words, std::nullopt, count->value, std::nullopt, "", count->rounding};
        if (const auto found = std::ranges::find(all, &words, &ExpectedCounter::words); found != all.end()) {
            row.predicted = *found;
            row.judgement = judge(*found, *count);
        }
        row.remark = remark_of(row, occupancy);
        compared.counters.push_back(std::move(row));
    }
}

}  // namespace warplens
