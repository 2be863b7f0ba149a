#include "app/model/access/constant.h"

#include "app/model/access/sectors.h"
#include "app/model/access/small_table.h"

#include <algorithm>
#include <bit>

namespace warplens {

ConstantReport analyze_constant(const WarpAccess& access) {
    ConstantReport report;
    ConstantCount& count = report.count;
    count.bytes_used = count_bytes_used(access);
    constexpr std::uint64_t kWord = 4;
    SmallTable known;
    std::array<std::uint8_t, SmallTable::kSlots> word_of_slot;  // only entries of known words are read
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t first = access.byte_address[lane];
        for (std::uint64_t at = first / kWord * kWord; at < first + access.bytes_per_lane; at += kWord) {
            bool is_new = false;
            const int slot = known.slot_of(at, is_new);
            if (is_new) {
                word_of_slot[slot] = static_cast<std::uint8_t>(count.requests);
                report.words[count.requests++] = {at, 0};
            }
            report.words[word_of_slot[slot]].lanes |= 1u << lane;
        }
    }
    std::array<std::uint64_t, 4 * kWarpLanes> lines;
    const auto end =
        std::transform(report.words.begin(), report.words.begin() + count.requests, lines.begin(),
                       [](const ConstantWord& word) { return word.byte_address / kConstantLineBytes; });
    std::sort(lines.begin(), end);
    count.lines = int(std::unique(lines.begin(), end) - lines.begin());
    return report;
}

ConstantCount count_constant(const WarpAccess& access) { return analyze_constant(access).count; }

}  // namespace warplens
