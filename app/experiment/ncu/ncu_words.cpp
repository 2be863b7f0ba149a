#include "app/experiment/ncu/ncu_words.h"

#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {

std::string ncu_number_text(double value) {
    return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string counted_text(const ComparedCounter& counter) {
    if (counter.rounding < 0.5) return ncu_number_text(counter.counted);
    const double digit = std::pow(10.0, std::floor(std::log10(2 * counter.rounding)));
    return fmt::format("~{:.0f}", std::round(counter.counted / digit) * digit);
}

std::string launch_shape_text(const NcuLaunch& launch) {
    const auto text = [&](const std::optional<Extent3>& extent, std::string_view in_all, const char* things) {
        if (extent) return fmt::format("{} x {} x {}", (*extent)[0], (*extent)[1], (*extent)[2]);
        const auto count = value_of(launch, in_all);
        return count ? fmt::format("{:.0f} {}", *count, things) : "not in the file";
    };
    return fmt::format("grid {}, block {}", text(launch.grid, kNcuGridSize, "blocks"),
                       text(launch.block, kNcuBlockSize, "threads"));
}

std::string short_kernel_name(const std::string& kernel) {
    constexpr std::size_t kLongest = 160;
    if (kernel.size() <= kLongest) return kernel;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(kernel[end]) & 0xc0u) == 0x80u) --end;  // whole characters
    return kernel.substr(0, end) + "...";
}

std::string basis_text(const NcuBasis& basis) {
    if (basis.scenario == nullptr) return basis.accesses_path;
    const std::string settings = describe_settings(*basis.scenario, basis.params);
    return fmt::format("{}, {}", basis.scenario->info->id,
                       settings.empty() ? "all parameters at their defaults" : settings);
}

std::string missing_text(const ComparedLaunch& compared) {
    std::string absent, none;
    for (const CounterWords* words : compared.missing) {
        const auto& without = compared.launch->without_value;
        const bool no_value = std::find(without.begin(), without.end(), words->metric) != without.end();
        std::string& list = no_value ? none : absent;
        (list += list.empty() ? "" : ", ") += words->name();
    }
    std::string text;
    if (!absent.empty()) text += fmt::format("Predicted, but not in the file: {}.\n", absent);
    if (!none.empty()) text += fmt::format("Predicted, but the profiler has no value: {}.\n", none);
    return text;
}

std::string unread_text(const NcuFile& file) {
    constexpr std::size_t kMost = 8;
    if (file.unread.empty()) return {};
    const std::size_t shown = std::min(kMost, file.unread.size());
    const std::vector<std::string_view> names(file.unread.begin(),
                                              file.unread.begin() + std::ptrdiff_t(shown));
    const std::size_t more = file.unread.size() - shown;
    return fmt::format("Metrics that are not read: {}{}", join_names(names),
                       more > 0 ? fmt::format(" and {} more (--json names them)", more) : "");
}

std::array<int, 3> count_verdicts(std::span<const ComparedLaunch> launches) {
    std::array<int, 3> times{};
    for (const ComparedLaunch& launch : launches) {
        for (const ComparedCounter& counter : launch.counters) {
            if (counter.judgement) ++times[int(counter.judgement->verdict)];
        }
    }
    return times;
}

}  // namespace warplens
