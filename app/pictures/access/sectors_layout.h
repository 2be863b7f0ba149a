#pragma once

#include "app/pictures/kit/canvas.h"

#include <vector>

namespace warplens {

/// One row of the lower half of the sectors picture.
struct LineRow {
    enum class Kind { line, gap, fold } kind = Kind::line;
    int line = 0;           ///< line: index into SectorReport::lines; fold: the first one that is not shown
    int count = 1;          ///< fold: how many lines are not shown
    std::string text = {};  ///< gap and fold: what stands there; may be empty
    float y = 0, h = 0;     ///< of the row's cells [points]
};

/// Where everything stands: lanes and words share their columns, so that a coalesced access has straight
/// wires.
struct SectorsLayout {
    float memory_x = 0, word = 0, sector_gap = 0;  ///< [points]
    float lanes_y = 0, lanes_h = 0, wires_bottom = 0;
    float bottom = 0;           ///< below the last row
    bool numbers = false;       ///< lane numbers fit into word cells
    bool lane_numbers = false;  ///< and into lane cells
    bool lane_ticks = false;    ///< else every fourth lane is named above its cell
    bool long_counts = false;   ///< "4 of 4 sectors", not "4/4"
    int address_digits = 3;
    std::vector<LineRow> rows;

    float x_of_byte(int byte_in_line) const {
        const int sector = byte_in_line / kSectorBytes;
        return memory_x + static_cast<float>(sector) * (8 * word + sector_gap) +
               static_cast<float>(byte_in_line % kSectorBytes) / 4 * word;
    }
    float memory_width() const { return 32 * word + 3 * sector_gap; }
    Rect lane_cell(int lane) const { return {x_of_byte(4 * lane), lanes_y, word, lanes_h}; }
    Rect element_cell(const LineRow& row, int byte_in_line, int bytes) const {
        return {x_of_byte(byte_in_line), row.y, static_cast<float>(bytes) / 4 * word, row.h};
    }
};

/// What is moved of a line, beside it: "4 of 4 sectors"; on CC 1.x and 2.x the pieces, "2 × 64 B".
std::string moved_text(const SectorReport& report, const LineUse& line, bool long_counts);

/// @param top, bottom  where lanes, wires and lines may stand [points].
SectorsLayout lay_out_sectors(const Canvas& canvas, const SectorReport& report, float top, float bottom);

}  // namespace warplens
