#include "app/model/access/texture.h"

#include "app/model/access/sectors.h"
#include "app/model/access/small_table.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/test_card.h"
#include "kernels/texture_layout.h"

#include <algorithm>

namespace warplens {
namespace {

/// What one lane requests: one texel, or with linear filtering the four around its point. Texels outside are
/// marked if the address mode gives them the border's value.
class TexelsOfLane {
public:
    TexelsOfLane(const WarpAccess& access, int lane) {
        if ((access.active >> lane & 1u) == 0) return;
        if (!access.sampling.linear) {
            address_[count_++] = access.byte_address[lane];
            return;
        }
        const LaneTexel first = access.texel[lane];
        const Texel size{access.sampling.width, access.sampling.height};
        for (const Texel at : {Texel{first.x, first.y}, Texel{first.x + 1, first.y},
                               Texel{first.x, first.y + 1}, Texel{first.x + 1, first.y + 1}}) {
            address_[count_++] = sampled_address(at, size, static_cast<Border>(access.sampling.border));
        }
    }
    std::span<const std::uint64_t> all() const&& = delete;  // the span would outlive the texels
    std::span<const std::uint64_t> all() const& { return {address_.data(), count_}; }

private:
    std::array<std::uint64_t, 4> address_{};
    std::size_t count_ = 0;
};

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
    LaneTexels texels;
    const TexelsOfLane footprint(access, lane);
    for (const std::uint64_t address : footprint.all()) {
        if (!is_outside(address)) texels.byte_address[texels.count++] = address;
    }
    return texels;
}

[[gnu::flatten]] TextureReport analyze_texture(const WarpAccess& access) {
    TextureReport report;
    SmallTable texels_of_warp;
    for (int quad = 0; quad < kQuads; ++quad) {
        SmallTable texels, sectors;
        for (int lane = quad * kQuadLanes; lane < (quad + 1) * kQuadLanes; ++lane) {
            const TexelsOfLane footprint(access, lane);
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
