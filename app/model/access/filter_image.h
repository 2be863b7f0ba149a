#pragma once

#include "kernels/params.h"

#include <cstdint>
#include <vector>

namespace warplens {

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
