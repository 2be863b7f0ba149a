#pragma once

#include "app/model/bandwidth.h"
#include "app/model/banks.h"
#include "app/model/report.h"
#include "app/model/sectors.h"
#include "app/pictures/palette.h"
#include "app/pictures/picture.h"
#include "kernels/bank_rules.h"

#include <span>
#include <string>
#include <vector>

namespace warplens {

enum class ColorBy { wavefront, words };

/// What every picture needs to know about how it is to be drawn.
struct Style {
    const Theme* theme = nullptr;
    const TextMeasure* measure = nullptr;
    Vec2 size;              ///< room for the picture [points]
    int hovered_lane = -1;  ///< highlighted, the others dimmed
    bool embedded =
        false;  ///< in a panel that has a head and says why elsewhere: no title, no reason, small margins
    bool compact = false;  ///< one of several small pictures: no sentence, no numbers in small cells
};

/// One instruction of a report with what the pictures draw of it.
struct InstructionView {
    const InstructionReport* report = nullptr;
    const BankReport* banks = nullptr;      ///< shared memory; else null
    const SectorReport* sectors = nullptr;  ///< global memory; else null
    int index = 0;                          ///< number of the instruction: its block in the trace buffer
    BankRules bank_rules = {};              ///< the device's; as they are given here: CC 7.0 and later
};

/// A two-dimensional arrangement of shared memory, so that rows of the picture are the tile's rows.
struct TileShape {
    int width = 0, height = 0, padding = 0;  ///< [elements]; width 0: no tile, rows are 32 words
    int element_bytes = 4;
    int swizzle_bits = 0, swizzle_base = 0, swizzle_shift = 5;  ///< of the element index: kernels/swizzle.h
};
/// The tile that an instruction works on, or no tile.
TileShape tile_shape(const Scenario& scenario, const Params& params, const Instruction& instruction);

/// Lanes on top, wires, 128-byte lines of four sectors below, used and wasted bytes, one efficiency, one
/// sentence.
Picture draw_sectors(const InstructionView& view, const Style& style);

/// Banks across, words or tile rows down, a bar per bank above; groups of wide accesses side by side.
/// @param only_wavefront  -1: all; else the player's position: lanes of other wavefronts are dimmed.
Picture draw_banks(const InstructionView& view, const TileShape& tile, ColorBy color_by, int only_wavefront,
                   const Style& style);

/// One measured point of the plot.
struct MeasuredPoint {
    double x = 0;      ///< knob value
    double value = 0;  ///< median, in the curve's unit
    double lower = 0, upper = 0;
};

/// A curve against one knob.
struct Curve {
    const Knob* knob = nullptr;
    std::vector<double> x;         ///< knob values, rising (2^k for powers)
    std::vector<Bandwidth> model;  ///< at each x
    std::vector<MeasuredPoint> measured;
    double here = 0;             ///< the present setting
    std::string gpu;             ///< the device of the model
    std::string measured_gpu;    ///< which GPU the points come from; empty: no points
    std::string peak_source;     ///< "peak 4800 GB/s, datasheet"
    std::string no_measurement;  ///< why there are no measured points; empty when there are
    std::string caption;         ///< knobs that are not at their default
    bool log_axes = false;
};
Picture draw_bandwidth(const Curve& curve, const Style& style);

/// The verdict: one sentence that a teacher would say, with the numbers in it, and one more that says why.
struct Explanation {
    std::string verdict = {};
    std::string why = {};
    bool good = false;  ///< nothing to improve
};
/// @param tile  where known, for a hint when its padding does not help.
Explanation explain(const InstructionView& view, const TileShape& tile = {});

/// Numbers as people read them: 2 097 152 with thin gaps, 2.15 GB.
std::string format_count(std::int64_t value);
std::string format_bytes(double bytes);
/// "12.5 %"; always say next to it of what. An empty whole gives "0 %".
std::string format_percent(double part, double whole);

}  // namespace warplens
