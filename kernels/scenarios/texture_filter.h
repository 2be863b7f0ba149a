#pragma once

#include "kernels/scenarios/shared_knobs.h"
#include "kernels/texture_sample.h"

namespace warplens {

/// Every thread draws one pixel of an image: a picture in a texture (kernels/test_card.h), enlarged, rotated,
/// and read with or without bilinear filtering.
///
/// A block has 8 x 8 threads, so a warp draws 8 x 4 pixels. The grid draws the image several times, one below
/// the other, so that the kernel runs long enough to be timed.
struct TextureFilter {
    static constexpr int kImage = 512;  ///< pixels a side
    static constexpr int kImages = 16;
    static constexpr int kBlock = 8;
    static constexpr Choice kFilters[] = {{0, "nearest"}, {1, "linear"}};
    static constexpr Choice kBorders[] = {{int(Border::clamp), "clamp"},
                                          {int(Border::border), "border"},
                                          {int(Border::wrap), "wrap"},
                                          {int(Border::mirror), "mirror"}};
    static constexpr int last_warp(const Params&) { return kImage * kImage / kWarpLanes - 1; }

    static constexpr Knob knobs[] = {
        {&Params::linear, "filter", "linear", "Filter", "",
         "nearest: the texel that contains the point. linear: the four texels around the point, weighted by how near "
         "their centres are.",
         KnobKind::choice, 0, 1, kFilters, false, true},
        {&Params::zoom_percent, "zoom", "zoom_percent", "Zoom", "%",
         "Pixels of the image for each texel. Below 100 % pixels skip texels.", KnobKind::slider, 25, 1600,
         kNoChoices, false, true},
        {&Params::angle, "angle", "", "Angle", "degrees",
         "Rotates the picture. Rows of pixels then cross rows of texels.", KnobKind::slider, 0, 90,
         kNoChoices, false, true},
        {&Params::border, "border", "", "Border", "",
         "Outside the texture. clamp: repeats the edge. border: black. wrap: repeats the texture. "
         "mirror: repeats it mirrored.",
         KnobKind::choice, 0, 3, kBorders},
        {&Params::texture_log2, "texture", "texture_log2", "Texture", "texels",
         "Rows and columns of the texture.", KnobKind::power, 4, 10, kNoChoices, false, true},
        warp_knob((1 << 24) - 1, &last_warp, "Which warp of the image the pictures show."),
    };
    static constexpr Preset presets[] = {{"nearest", "filter=nearest"},
                                         {"linear", "filter=linear"},
                                         {"texel by texel", "zoom=100,angle=0,texture=512"},
                                         {"minified", "zoom=25,texture=1024,filter=nearest"},
                                         {"tiles", "zoom=400,border=mirror,texture=32"}};
    static constexpr ScenarioInfo info{
        .id = "texture-filter",
        .title = "Filtering",
        .formula = "tex2D(card, rotate(x, y) / zoom)",
        .summary = "Enlarges and rotates a picture in a texture, with and without bilinear filtering.",
        .spaces = space_bit(Space::texture),
        .knobs = knobs,
        .defaults = {.warp = 3142,
                     .border = int(Border::border),
                     .texture_log2 = 6,
                     .linear = 1,
                     .zoom_percent = 600,
                     .angle = 20},
        .presets = presets,
        .main_knobs = "filter,zoom,angle",
        .first_axis = "zoom",
        .irregular = true,
        .plots_sectors = true};

    WARPLENS_HD static constexpr SampleGrid grid_of(const Params& p) {
        return sample_grid(kImage, 1 << p.texture_log2, p.zoom_percent, p.angle);
    }

    static constexpr LaunchShape launch(const Params& p) {
        const int size = 1 << p.texture_log2;
        return {.grid = {kImage / kBlock, kImage / kBlock * kImages},
                .block = {kBlock, kBlock},
                .texture = {size, size},
                .border = p.border,
                .image = {kImage, kImage}};
    }

    static constexpr int instruction_count(const Params&) { return 1; }

    static constexpr Instruction instruction(const Params& p, int) {
        return {.label = p.linear != 0 ? "fetch, linear" : "fetch, nearest",
                .object = "texel",
                .code = "value = tex2D<float>(card, x, y);",
                .space = Space::texture,
                .op = Op::load,
                .linear = p.linear != 0};
    }

    WARPLENS_HD static constexpr LaneAccess access(const Params& p, int, const ThreadId& t) {
        const int x = t.block_x * kBlock + t.x, y = t.block_y * kBlock + t.y;
        const Footprint f = footprint_of(grid_of(p).at(x, y % kImage), p.linear != 0);
        const int size = 1 << p.texture_log2;
        return {.byte_address = sampled_address(f.first, {size, size}, static_cast<Border>(p.border)),
                .texel = LaneTexel::of(f.first.x, f.first.y, f.fraction_x, f.fraction_y)};
    }

    static KernelCode code(const Params& p) {
        const SampleGrid grid = grid_of(p);
        KernelCode code{"filter_image", {{"kImage", kImage}}, texture_values(p)};
        code.values.insert(code.values.end(), {{"across", grid.across}, {"aslant", grid.aslant}});
        return code;
    }
    static constexpr Sharing sharing{};
    static constexpr std::span<const QuizSource> quiz = kNoQuiz;
};

}  // namespace warplens
