#include "app/model/counters/agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace warplens {
namespace {

using T = const Totals&;

struct Source {
    std::string_view metric, group, what, meaning;  ///< see CounterWords
    Space space = Space::global;
    std::int64_t (*count)(T) = nullptr;
    bool of_ideal = false;       ///< it depends on what is regarded as ideal
    std::string_view sass = {};  ///< see sass_metric
};

/// The counters as sums of loads and stores. Sources: Nsight Compute's Kernel Profiling Guide; tags were
/// measured on an H200. What the profiler regards as ideal sectors is not documented where lanes share bytes,
/// so there these are approximate.
constexpr Source kSources[] = {
    {"memory_l1_wavefronts_shared", "shared", "wavefronts, by addresses",
     "Trips through the banks that the addresses ask for, atomic operations included.", Space::shared,
     [](T t) { return t.wavefronts; }, false, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"},
    {"memory_l1_wavefronts_shared_ideal", "shared", "ideal wavefronts, by addresses",
     "Trips that the same lanes would need without conflicts.", Space::shared,
     [](T t) { return t.ideal_wavefronts; }, false, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"},
    {"derived__memory_l1_wavefronts_shared_excessive", "shared", "excessive wavefronts, by addresses",
     "The difference of the two: what conflicts of the code cost.", Space::shared,
     [](T t) { return t.excessive_wavefronts(); }},
    {"memory_l2_theoretical_sectors_global", "global", "sectors, by addresses",
     "32-byte sectors that loads and stores request, as if the L1 kept nothing.", Space::global,
     [](T t) { return t.sectors; }, false, "smsp__sass_sectors_mem_global"},
    {"memory_l2_theoretical_sectors_global_ideal", "global", "ideal sectors, by addresses",
     "Sectors if the bytes of each request lay side by side.", Space::global,
     [](T t) { return t.ideal_sectors; }, true, "smsp__sass_sectors_mem_global_ideal"},
    {"derived__memory_l2_theoretical_sectors_global_excessive", "global", "excessive sectors, by addresses",
     "The difference of the two: what scattered or misaligned addresses cost.", Space::global,
     [](T t) { return t.sectors - t.ideal_sectors; }, true},
    {"smsp__sass_l1tex_tags_mem_global.sum", "global", "lines, by addresses",
     "Distinct 128-byte lines, summed over requests.", Space::global, [](T t) { return t.lines; }, false,
     "smsp__sass_l1tex_tags_mem_global"},
};

constexpr auto kWords = [] {
    std::array<CounterWords, std::size(kSources)> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = {kSources[i].metric, kSources[i].group, kSources[i].what, kSources[i].meaning};
    }
    return words;
}();

/// The tolerance if only some blocks are counted for all.
constexpr double kSampleTolerance = 0.1;

std::vector<ExpectedCounter> sum_up(std::span<const CountedAccess> accesses, Provenance kind) {
    std::vector<ExpectedCounter> counters;
    for (std::size_t i = 0; i < std::size(kSources); ++i) {
        std::optional<double> sum;
        bool shared_bytes = false;
        // What the others make of atomic operations in global memory is not known: of these they count the
        // sectors that words lie in, not how often they are asked for (measured on an H200).
        const bool mixed = std::ranges::any_of(accesses, [&](const CountedAccess& access) {
            return access.space == Space::global && is_atomic(access.op);
        });
        if (mixed && kSources[i].space == Space::global) continue;
        for (const CountedAccess& access : accesses) {
            if (access.space != kSources[i].space) continue;
            sum = sum.value_or(0) + double(kSources[i].count(access.totals));
            shared_bytes = shared_bytes || access.totals.bytes_wanted != access.totals.bytes_used;
        }
        const Provenance its = kSources[i].of_ideal && shared_bytes ? Provenance::approximate : kind;
        if (sum) counters.push_back({.words = &kWords[i], .expected = *sum, .kind = its});
    }
    return counters;
}

}  // namespace

std::span<const CounterWords> address_words() { return kWords; }

std::string_view sass_metric(const CounterWords& words) { return kSources[&words - kWords.data()].sass; }

std::vector<ExpectedCounter> expect_address_counters(const Scenario& scenario, const Params& params,
                                                     const DeviceFacts& device) {
    if (!not_comparable(scenario, params).empty()) return {};
    const bool shared_known =
        !may_be_remade(scenario, params, Space::shared) && !fills_shared(scenario, params);
    const bool global_known = !may_be_remade(scenario, params, Space::global);
    std::vector<CountedAccess> accesses;
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        if (has_banks(one.space) ? !shared_known : !global_known) continue;
        accesses.push_back({one.space, one.op, count_grid(scenario, params, i, device)});
    }
    return sum_up(accesses, scenario.info->irregular ? Provenance::approximate : Provenance::exact);
}

std::vector<ExpectedCounter> expect_address_counters(std::span<const CountedAccess> accesses) {
    return sum_up(accesses, Provenance::exact);
}

Judgement judge_address_counter(const ExpectedCounter& counter, double counted) {
    const double more = counted - counter.expected;
    if (more == 0) return {};
    if (counter.kind == Provenance::approximate && std::abs(more) <= kSampleTolerance * counter.expected)
        return {Verdict::within,
                kSources[counter.words - kWords.data()].of_ideal
                    ? "lanes share bytes, and what the profiler regards as ideal then is not documented"
                    : "of an irregular pattern some blocks are counted for all"};
    return {Verdict::off,
            "not explained: addresses know no arbitration, so the settings or the launch are others"};
}

}  // namespace warplens
