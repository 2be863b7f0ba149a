#include "app/pictures/access/explain.h"
#include "kernels/texture_sample.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace warplens {
namespace {

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

std::string_view border_phrase(Border border) {
    switch (border) {
        case Border::clamp:
            return "they get the nearest texel of the edge";
        case Border::border:
            return "there it is black, and nothing is fetched";
        case Border::wrap:
            return "there the texture starts again";
        case Border::mirror:
            return "there the texture turns back";
    }
    return "";
}

}  // namespace

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
                                       outside == 1 ? "lies" : "lie",
                                       border_phrase(static_cast<Border>(access.sampling.border)));
    }
    return explanation;
}

}  // namespace warplens
