#include "app/model/texture.h"

#include "app/model/sectors.h"

#include <bit>

namespace warplens {

TextureReport analyze_texture(const WarpAccess& access) {
    TextureReport report;
    WarpAccess inside = access;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (access.byte_address[lane] == kOutsideTexture) inside.active &= ~(1u << lane);
    }
    report.count.bytes_used = count_bytes_used(inside);
    for (int quad = 0; quad < kQuads; ++quad) {
        const std::uint32_t lanes = 0xfu << quad * kQuadLanes;
        report.count.requests += (access.active & lanes) != 0;
        WarpAccess part = inside;
        part.active &= lanes;
        if (part.active == 0) continue;
        const SectorCount count = count_sectors(part, {});
        report.quad_sectors[quad] = count.sectors;
        report.count.sectors += count.sectors;
        report.count.ideal_sectors += (count.bytes_used + kSectorBytes - 1) / kSectorBytes;
    }
    return report;
}

TextureCount count_texture(const WarpAccess& access) { return analyze_texture(access).count; }

}  // namespace warplens
