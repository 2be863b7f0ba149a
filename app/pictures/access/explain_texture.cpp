#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

int lanes_outside(const WarpAccess& access) {
    int outside = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        outside += is_outside(access.byte_address[std::countr_zero(rest)]);
    }
    return outside;
}

}  // namespace

Explanation explain_texture(const InstructionView& view) {
    const TextureCount& count = view.texture->count;
    const int outside = lanes_outside(view.report->access);
    Explanation e{.good = count.sectors <= count.ideal_sectors};
    const int texels = count.sectors * kSectorBytes / view.report->access.bytes_per_lane;
    const int unused = texels - count.bytes_used / view.report->access.bytes_per_lane;
    const std::string requests = fmt::format("{} of {} lanes {}", counted(count.requests, "request"),
                                             kQuadLanes, count.requests == 1 ? "fetches" : "fetch");
    e.verdict = e.good ? fmt::format("{} {}, and {} is the ideal.", requests,
                                     counted(count.sectors, "sector"), count.ideal_sectors)
                       : fmt::format("{} {}, {} is the minimum.", requests, counted(count.sectors, "sector"),
                                     count.ideal_sectors);
    if (unused > 0)
        e.verdict += fmt::format(" {} of {} fetched are not used.", unused, counted(texels, "texel"));
    if (count.bytes_used == 0) {
        e.why =
            "All texels that are asked for lie outside the texture: the sectors of the nearest texels are "
            "fetched, but the border's value is given.";
        return e;
    }
    const int most = *std::max_element(view.texture->quad_sectors.begin(), view.texture->quad_sectors.end());
    const int moved = count.sectors * kSectorBytes;
    e.why = fmt::format(
        "A sector holds 4 texels across and 2 down; a group of {} lanes needs {}{}: {} of the {} bytes "
        "fetched are used.",
        kQuadLanes, most == 1 ? "" : "up to ", counted(most, "sector"), format_count(count.bytes_used),
        format_count(moved));
    if (outside > 0) {
        e.why += fmt::format(" {} outside the texture and {} the border's value.",
                             outside == 1 ? std::string("1 lane lies") : fmt::format("{} lanes lie", outside),
                             outside == 1 ? "gets" : "get");
    }
    return e;
}

}  // namespace warplens
