#include "app/pictures/access/access_facts.h"

#include <algorithm>
#include <bit>

namespace warplens {

WantedElements collect_elements(const WarpAccess& access, std::uint32_t lanes, int granule) {
    const auto unit = static_cast<std::uint64_t>(granule);
    WantedElements found;
    for (std::uint32_t rest = access.active & lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        found.items[found.count++] = {access.byte_address[lane] / unit * unit, 1u << lane};
    }
    std::sort(found.items.begin(), found.items.begin() + found.count,
              [](const WantedElement& a, const WantedElement& b) { return a.byte_address < b.byte_address; });
    int kept = 0;
    for (int i = 0; i < found.count; ++i) {
        const WantedElement item = found.items[i];
        if (kept > 0 && found.items[kept - 1].byte_address == item.byte_address) {
            found.items[kept - 1].lanes |= item.lanes;
        } else {
            found.items[kept++] = item;
        }
    }
    found.count = kept;
    return found;
}

AccessFacts describe_access(const WarpAccess& access) {
    AccessFacts facts{.active = std::popcount(access.active)};
    if (facts.active == 0) return facts;
    const WantedElements elements = collect_elements(access);
    facts.distinct = elements.count;
    facts.lowest = elements.items[0].byte_address;
    facts.end =
        elements.items[elements.count - 1].byte_address + static_cast<std::uint64_t>(access.bytes_per_lane);
    facts.contiguous = facts.end - facts.lowest == static_cast<std::uint64_t>(elements.count) *
                                                       static_cast<std::uint64_t>(access.bytes_per_lane);
    if (facts.active < 2) return facts;

    const int first = std::countr_zero(access.active);
    const int second = std::countr_zero(access.active & (access.active - 1));
    const auto from_first = [&](int lane) {
        return static_cast<std::int64_t>(access.byte_address[lane] - access.byte_address[first]);
    };
    facts.step_bytes = from_first(second) / (second - first);
    facts.even_step = true;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        facts.even_step = facts.even_step && from_first(lane) == facts.step_bytes * (lane - first);
    }
    return facts;
}

}  // namespace warplens
