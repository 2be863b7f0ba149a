#include "app/model/access/texture.h"

#include "app/model/access/sectors.h"
#include "app/model/access/small_table.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/test_card.h"
#include "kernels/texture_layout.h"

#include <algorithm>

namespace warplens {
namespace {

/// All that one lane requests: one texel, or with linear filtering the four around its point. Texels outside
/// are marked if the address mode gives them the border's value.
LaneTexels requested_by_lane(const WarpAccess& access, int lane) {
    LaneTexels texels;
    if ((access.active >> lane & 1u) == 0) return texels;
    if (!access.sampling.linear) return {{access.byte_address[lane]}, 1};
    const LaneTexel first = access.texel[lane];
    const Texel size{access.sampling.width, access.sampling.height};
    for (; texels.count < 4; ++texels.count)
        texels.byte_address[texels.count] = sampled_address(
            {first.x + texels.count % 2, first.y + texels.count / 2}, size, Border(access.sampling.border));
    return texels;
}

std::vector<std::uint8_t> make_card(int size) {
    std::vector<std::uint8_t> card;
    card.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) card.push_back(static_cast<std::uint8_t>(test_card(x, y, size)));
    }
    return card;
}

}  // namespace

LaneTexels texels_of_lane(const WarpAccess& access, int lane) {
    LaneTexels texels = requested_by_lane(access, lane);
    const auto end = texels.byte_address.begin() + texels.count;
    texels.count =
        int(std::remove_if(texels.byte_address.begin(), end, is_outside) - texels.byte_address.begin());
    return texels;
}

[[gnu::flatten]] TextureReport analyze_texture(const WarpAccess& access) {
    TextureReport report;
    SmallTable texels_of_warp;
    for (int quad = 0; quad < kQuads; ++quad) {
        SmallTable texels, sectors;
        for (int lane = quad * kQuadLanes; lane < (quad + 1) * kQuadLanes; ++lane) {
            const LaneTexels footprint = requested_by_lane(access, lane);
            for (const std::uint64_t address : footprint.all()) {
                sectors.add((address & ~kOutsideTexture) /
                            kSectorBytes);  // fetched but not used, if it lies outside
                if (is_outside(address) || !texels.add(address)) continue;
                texels_of_warp.add(address);
            }
        }
        report.count.requests += (access.active >> quad * kQuadLanes & 0xfu) != 0;
        report.quad_sectors[quad] = sectors.count();
        report.count.sectors += sectors.count();
        const int packed = (texels.count() * access.bytes_per_lane + kSectorBytes - 1) / kSectorBytes;
        report.count.ideal_sectors += std::max(packed, std::min(sectors.count(), 1));
    }
    report.count.bytes_used = texels_of_warp.count() * access.bytes_per_lane;
    return report;
}

TextureCount count_texture(const WarpAccess& access) { return analyze_texture(access).count; }

const std::vector<std::uint8_t>& FilterImage::draw(const Params& params) {
    constexpr int kImage = TextureFilter::kImage;
    const SampleGrid grid = TextureFilter::grid_of(params);
    const auto border = static_cast<Border>(params.border);
    if (size_ != grid.size) {
        card_ = make_card(grid.size);
        size_ = grid.size;
    }
    const auto texel = [card = card_.data(), size = size_](int x, int y) { return card[y * size + x]; };
    rgba_.resize(std::size_t{kImage} * kImage * 4);
    std::uint8_t* out = rgba_.data();
    for (int y = 0; y < kImage; ++y) {
        for (int x = 0; x < kImage; ++x, out += 4) {
            out[0] = out[1] = out[2] = static_cast<std::uint8_t>(
                sample_texture(grid.at(x, y), params.linear != 0, grid.size, border, texel));
            out[3] = 255;
        }
    }
    return rgba_;
}

}  // namespace warplens
