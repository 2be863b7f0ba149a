#pragma once

#include "kernels/params.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace warplens {

inline constexpr int kQuadLanes = 4;
inline constexpr int kQuads = kWarpLanes / kQuadLanes;

/// The cost of one warp-wide fetch. The texture unit serves four neighbouring lanes at a time.
struct TextureCount {
    int requests = 0;  ///< groups of four lanes with an active lane (`…t_requests_pipe_tex_mem_texture`)
    int sectors = 0;   ///< distinct 32-byte sectors of each group, summed
    int ideal_sectors = 0;  ///< the sectors if each group's texels were contiguous
    int bytes_used = 0;     ///< distinct bytes that some lane requests [bytes]
};

struct TextureReport {
    TextureCount count;
    std::array<int, kQuads> quad_sectors{};  ///< the sectors of each group of four lanes
};

/// The texels that one lane gets, as far as they are fetched.
struct LaneTexels {
    std::array<std::uint64_t, 4> byte_address{};
    int count = 0;  ///< 0 or 1; with linear filtering up to 4, which may be the same texel
    std::span<const std::uint64_t> all() const&& = delete;  // the span would outlive the texels
    std::span<const std::uint64_t> all() const& {
        return {byte_address.data(), static_cast<std::size_t>(count)};
    }
};
LaneTexels texels_of_lane(const WarpAccess& access, int lane);

/// Measured on CC 9.0 (4-byte texels, point sampling): a row of 32 texels needs 8 sectors, a column 16, a
/// block of 8 x 4 texels 8, one of 4 x 8 texels 8. A lane outside, with Border::border, fetches the sector of
/// the nearest texel and uses nothing of it. With linear filtering a lane's four texels belong to its group's
/// request; this has not been measured yet.
/// Errors: none. Allocates nothing.
TextureCount count_texture(const WarpAccess& access);
TextureReport analyze_texture(const WarpAccess& access);

/// The image of `texture-filter` as the model computes it, with the same formula as kernels/own/filter.cu.
class FilterImage {
public:
    /// @return  RGBA, one byte each, in rows from the top, TextureFilter::kImage a side; valid until the next
    /// call.
    const std::vector<std::uint8_t>& draw(const Params& params);

private:
    std::vector<std::uint8_t> card_;  ///< kernels/test_card.h, row by row, in the size that was drawn last
    int size_ = 0;                    ///< [texels a side]
    std::vector<std::uint8_t> rgba_;
};

}  // namespace warplens
