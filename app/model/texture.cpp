#include "app/model/texture.h"

#include "app/model/sectors.h"
#include "app/model/small_table.h"
#include "kernels/texture_layout.h"

namespace warplens {
namespace {

/// Counts each key once.
class Distinct {
public:
    /// @return  whether it is a new one.
    bool add(std::uint64_t key) {
        bool is_new = false;
        table_.slot_of(key, is_new);
        count_ += is_new;
        return is_new;
    }
    int count() const { return count_; }

private:
    SmallTable table_;
    int count_ = 0;
};

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
    const int width = access.sampling.width, height = access.sampling.height;
    const auto border = static_cast<Border>(access.sampling.border);
    const int x[2] = {inside_texture(first.x, width, border), inside_texture(first.x + 1, width, border)};
    const int y[2] = {inside_texture(first.y, height, border), inside_texture(first.y + 1, height, border)};
    for (int k = 0; k < 4; ++k) {
        if (x[k % 2] >= 0 && y[k / 2] >= 0) add(texel_address(x[k % 2], y[k / 2], width));
    }
    return texels;
}

TextureReport analyze_texture(const WarpAccess& access) {
    TextureReport report;
    Distinct texels_of_warp;
    for (int quad = 0; quad < kQuads; ++quad) {
        Distinct texels, sectors;
        for (int lane = quad * kQuadLanes; lane < (quad + 1) * kQuadLanes; ++lane) {
            for (const std::uint64_t address : texels_of_lane(access, lane).all()) {
                if (!texels.add(address)) continue;
                sectors.add(address / kSectorBytes);
                texels_of_warp.add(address);
            }
        }
        report.count.requests += (access.active >> quad * kQuadLanes & 0xfu) != 0;
        report.quad_sectors[quad] = sectors.count();
        report.count.sectors += sectors.count();
        report.count.ideal_sectors +=
            (texels.count() * access.bytes_per_lane + kSectorBytes - 1) / kSectorBytes;
    }
    report.count.bytes_used = texels_of_warp.count() * access.bytes_per_lane;
    return report;
}

TextureCount count_texture(const WarpAccess& access) { return analyze_texture(access).count; }

}  // namespace warplens
