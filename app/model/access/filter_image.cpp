#include "app/model/access/filter_image.h"

#include "kernels/scenarios/texture_filter.h"
#include "kernels/test_card.h"

namespace warplens {
namespace {

std::vector<std::uint8_t> make_card(int size) {
    std::vector<std::uint8_t> card;
    card.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) card.push_back(static_cast<std::uint8_t>(test_card(x, y, size)));
    }
    return card;
}

}  // namespace

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
