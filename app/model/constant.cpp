#include "app/model/constant.h"

#include "app/model/sectors.h"

#include <algorithm>
#include <bit>

namespace warplens {

ConstantReport analyze_constant(const WarpAccess& access) {
    ConstantReport report;
    ConstantCount& count = report.count;
    count.bytes_used = count_bytes_used(access);
    constexpr std::uint64_t kWord = 4;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t first = access.byte_address[lane];
        for (std::uint64_t at = first / kWord * kWord; at < first + access.bytes_per_lane; at += kWord) {
            const auto end = report.words.begin() + count.requests;
            const auto known = std::find_if(report.words.begin(), end, [at](const ConstantWord& word) {
                return word.byte_address == at;
            });
            if (known == end) *known = {at, 0}, ++count.requests;
            known->lanes |= 1u << lane;
        }
    }
    std::array<std::uint64_t, 4 * kWarpLanes> lines;
    const auto end =
        std::transform(report.words.begin(), report.words.begin() + count.requests, lines.begin(),
                       [](const ConstantWord& word) { return word.byte_address / kConstantLineBytes; });
    std::sort(lines.begin(), end);
    count.lines = static_cast<int>(std::unique(lines.begin(), end) - lines.begin());
    return report;
}

ConstantCount count_constant(const WarpAccess& access) { return analyze_constant(access).count; }

}  // namespace warplens
