#include "app/pictures/access/explain.h"
#include "kernels/texture_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens {
namespace {

int lanes_outside(const WarpAccess& access) {
    int outside = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        outside += is_outside(access.byte_address[std::countr_zero(rest)]);
    }
    return outside;
}

/// Texels from one pixel to the next, seen along the first row of the warp.
double texels_per_pixel(const WarpAccess& access) {
    const LaneTexel &a = access.texel[0], &b = access.texel[1];
    return std::hypot(b.x - a.x + double(b.fraction_x - a.fraction_x) / kTexelParts,
                      b.y - a.y + double(b.fraction_y - a.fraction_y) / kTexelParts);
}

int lanes_beyond_the_edge(const WarpAccess& access) {
    int outside = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const LaneTexel& texel = access.texel[lane];
        const bool inside = texel.x >= 0 && texel.y >= 0 && texel.x < access.sampling.width &&
                            texel.y < access.sampling.height;
        outside += (access.active >> lane & 1u) != 0 && !inside;
    }
    return outside;
}

/// What lanes outside the texture get, by Border.
constexpr std::string_view kBeyond[] = {"they get the nearest texel of the edge",
                                        "there it is black, and nothing is fetched",
                                        "there the texture starts again", "there the texture turns back"};

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

Explanation explain_filter(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    const TextureCount& count = view.texture->count;
    const int active = std::popcount(access.active), texels = count.bytes_used / access.bytes_per_lane;
    Explanation explanation;
    explanation.good = count.sectors <= count.ideal_sectors;
    explanation.verdict =
        texels == 0
            ? fmt::format("{} read outside the texture: {} fetched for nothing.", lanes_phrase(active),
                          counted(count.sectors, "sector"))
            : fmt::format("{} {}, {} in all: {} for {}{}.", lanes_phrase(active),
                          access.sampling.linear ? "blend 4 texels each" : "take the texel they lie in",
                          counted(texels, "different texel"), counted(count.sectors, "sector"),
                          counted(count.requests, "request"),
                          explanation.good ? ", as few as possible"
                                           : fmt::format(", {} is the minimum", count.ideal_sectors));
    const int fetched = count.sectors * kSectorBytes / access.bytes_per_lane;
    if (texels > 0 && fetched > texels)
        explanation.verdict +=
            fmt::format(" {} of {} fetched are not used.", fetched - texels, counted(fetched, "texel"));
    const double step = texels_per_pixel(access);
    explanation.why =
        step > 1.5
            ? fmt::format(
                  "From pixel to pixel it is {:.1f} texels, so most of a sector of 4 x 2 is not used.", step)
        : step > 0.7
            ? "Pixels and texels are about as large; four pixels in a row are one request."
            : fmt::format("A texel is {:.1f} pixels wide here, so neighbours share texels.", 1 / step);
    const int outside = lanes_beyond_the_edge(access);
    if (outside > 0 && texels > 0) {
        explanation.why += fmt::format(" {} {} outside the texture: {}.", counted(outside, "lane"),
                                       outside == 1 ? "lies" : "lie", kBeyond[access.sampling.border]);
    }
    return explanation;
}

}  // namespace warplens
