#include "app/model/texture.h"

#include "app/model/sectors.h"
#include "kernels/texture_layout.h"

#include <algorithm>
#include <span>

namespace warplens {
namespace {

/// Addresses that some lanes want; sorted and without repeats after `settle`.
template <std::size_t kRoom>
struct Wanted {
    std::array<std::uint64_t, kRoom> items;  // only the first `count` are read
    std::size_t count = 0;

    void add(std::span<const std::uint64_t> more) {
        std::copy(more.begin(), more.end(), items.begin() + static_cast<std::ptrdiff_t>(count));
        count += more.size();
    }
    std::span<const std::uint64_t> settle() {
        const auto end = items.begin() + static_cast<std::ptrdiff_t>(count);
        if (!std::is_sorted(items.begin(), end)) std::sort(items.begin(), end);
        return {items.begin(), std::unique(items.begin(), end)};
    }
};

int distinct_sectors(std::span<const std::uint64_t> sorted) {
    int sectors = 0;
    std::uint64_t last = kOutsideTexture;
    for (const std::uint64_t address : sorted) {
        sectors += address / kSectorBytes != last;
        last = address / kSectorBytes;
    }
    return sectors;
}

}  // namespace

LaneTexels texels_of_lane(const WarpAccess& access, int lane) {
    LaneTexels texels;
    const auto add = [&texels](std::uint64_t address) {
        if (address != kOutsideTexture) texels.byte_address[texels.count++] = address;
    };
    if ((access.active >> lane & 1u) == 0) return texels;
    if (!access.sampling.linear) {
        add(access.byte_address[lane]);
        return texels;
    }
    const LaneTexel first = access.texel[lane];
    const Texel size{access.sampling.width, access.sampling.height};
    for (const int down : {0, 1}) {
        for (const int right : {0, 1}) {
            const Texel at{first.x + right, first.y + down};
            add(sampled_address(at, size, static_cast<Border>(access.sampling.border)));
        }
    }
    return texels;
}

TextureReport analyze_texture(const WarpAccess& access) {
    TextureReport report;
    Wanted<4 * kWarpLanes> of_warp;
    for (int quad = 0; quad < kQuads; ++quad) {
        Wanted<4 * kQuadLanes> of_quad;
        for (int lane = quad * kQuadLanes; lane < (quad + 1) * kQuadLanes; ++lane) {
            of_quad.add(texels_of_lane(access, lane).all());
        }
        report.count.requests += (access.active >> quad * kQuadLanes & 0xfu) != 0;
        const std::span<const std::uint64_t> wanted = of_quad.settle();
        const int bytes = static_cast<int>(wanted.size()) * access.bytes_per_lane;
        report.quad_sectors[quad] = distinct_sectors(wanted);
        report.count.sectors += report.quad_sectors[quad];
        report.count.ideal_sectors += (bytes + kSectorBytes - 1) / kSectorBytes;
        of_warp.add(wanted);
    }
    report.count.bytes_used = static_cast<int>(of_warp.settle().size()) * access.bytes_per_lane;
    return report;
}

TextureCount count_texture(const WarpAccess& access) { return analyze_texture(access).count; }

}  // namespace warplens
