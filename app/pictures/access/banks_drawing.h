#pragma once

#include "app/pictures/access/banks_layout.h"
#include "app/pictures/kit/canvas.h"

#include <algorithm>

namespace warplens {

/// What all parts of the banks picture need.
struct BanksCanvas {
    Canvas& canvas;
    const WarpAccess& access;
    const BankReport& report;
    const BanksLayout& layout;
    int instruction = 0;  ///< block of the trace buffer
    ColorBy color_by = ColorBy::wavefront;
    int only_wavefront = -1;

    int hovered() const {
        const int lane = canvas.style.hovered_lane;
        return lane >= 0 && lane < kWarpLanes && (access.active >> lane & 1u) != 0 ? lane : -1;
    }
    Ramp ramp() const {
        return color_by == ColorBy::wavefront ? wavefront_ramp(canvas.theme) : word_ramp(canvas.theme);
    }
    int banks_wide() const { return std::max(1, layout.granule / layout.bank_bytes); }
};

/// Bars, bank numbers, rows of words and the lanes' cells of every group.
void draw_blocks(const BanksCanvas& d, const TileShape& tile);

/// Samples of what appears in this picture, and nothing else.
Legend banks_legend(const InstructionView& view, const TileShape& tile, ColorBy color_by, const Style& style);
void draw_banks_legend(const BanksCanvas& d, const Legend& legend, float y, int max_rows);

}  // namespace warplens
