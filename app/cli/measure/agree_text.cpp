#include "app/base/version.h"
#include "app/cli/measure/measure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {

std::string agreement_text(const Agreement& agreement, const GpuInfo& gpu, unsigned seed) {
    std::string text = fmt::format(
        "{} random {} (seed {}) on {}, model against hardware counters\n\n"
        "| scenario | counter | equal | within | off |\n|---|---|---:|---:|---:|\n",
        agreement.settings, agreement.typed_accesses > 0 ? "kernels" : "settings", seed, gpu.name);
    std::array<std::int64_t, 3> sums{};
    for (const auto& [key, row] : agreement.rows) {
        text +=
            fmt::format("| {} | {}{} | {} | {} | {} |\n", key.first, key.second->name(),
                        row.kind == Provenance::exact ? "" : fmt::format(" {}", provenance_mark(row.kind)),
                        row.by_verdict[0], row.by_verdict[1], row.by_verdict[2]);
        for (std::size_t v = 0; v < sums.size() && row.kind == Provenance::exact; ++v)
            sums[v] += row.by_verdict[v];
    }
    text += fmt::format("\n{} counters that should be exact were equal, {} within a known reason, {} off.\n",
                        sums[0], sums[1], agreement.off_exact());
    if (agreement.typed_accesses > 0) {
        text += fmt::format(
            "{} accesses of threads of these kernels, compiled by NVIDIA's compiler: {} "
            "kernels access something else.\n",
            agreement.typed_accesses, agreement.typed_off.size());
        constexpr std::size_t kMostKernels = 10;
        for (std::size_t i = 0; i < std::min(agreement.typed_off.size(), kMostKernels); ++i)
            text += agreement.typed_off[i] + '\n';
    }
    std::map<std::string_view, int> reasons;
    for (const Disagreement& one : agreement.differences) ++reasons[one.judgement.reason];
    for (const auto& [reason, times] : reasons) text += fmt::format("{:6} x {}\n", times, reason);
    for (const auto& [why, times] : agreement.refused)
        text += fmt::format("{:6} x not launched: {}\n", times, why);
    constexpr int kMostShown = 20;
    int shown = 0;
    for (const Disagreement& one : agreement.differences) {
        if (one.judgement.verdict != Verdict::off || shown++ >= kMostShown) continue;
        text += fmt::format("off: {} --set {}: {} expected {:.0f}, counted {:.0f} {}\n", one.scenario,
                            one.settings, one.counter->metric, one.expected, one.counted,
                            provenance_mark(one.kind));
    }
    return text;
}

nlohmann::ordered_json agreement_to_json(const Agreement& agreement, const GpuInfo& gpu, unsigned seed) {
    nlohmann::ordered_json json{{"schema", 1},
                                {"program", fmt::format("warplens {}", version())},
                                {"gpu", gpu.name},
                                {"seed", seed},
                                {"settings", agreement.settings},
                                {"off_exact", agreement.off_exact()},
                                {"rows", nlohmann::ordered_json::array()},
                                {"differences", nlohmann::ordered_json::array()},
                                {"refused", agreement.refused}};
    for (const auto& [key, row] : agreement.rows) {
        json["rows"].push_back({{"scenario", key.first},
                                {"counter", key.second->metric},
                                {"kind", provenance_name(row.kind)},
                                {"equal", row.by_verdict[0]},
                                {"within", row.by_verdict[1]},
                                {"off", row.by_verdict[2]}});
    }
    for (const Disagreement& one : agreement.differences) {
        json["differences"].push_back({{"scenario", one.scenario},
                                       {"settings", one.settings},
                                       {"counter", one.counter->metric},
                                       {"kind", provenance_name(one.kind)},
                                       {"expected", one.expected},
                                       {"counted", one.counted},
                                       {"verdict", verdict_name(one.judgement.verdict)},
                                       {"reason", one.judgement.reason}});
    }
    return json;
}

}  // namespace warplens
