#pragma once

#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"
#include "app/model/time/prediction.h"
#include "app/pictures/kit/palette.h"
#include "app/pictures/kit/picture.h"
#include "kernels/bank_rules.h"

#include <optional>
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
    bool compact = false;        ///< one of several small pictures: no sentence, no numbers in small cells
    bool counts_hidden = false;  ///< where everything goes, but not what it costs: for guesses and quizzes
};

/// One instruction of a report with what the pictures draw of it.
struct InstructionView {
    const InstructionReport* report = nullptr;
    const BankReport* banks = nullptr;         ///< shared memory, cluster; else null
    const SectorReport* sectors = nullptr;     ///< global memory; local: of the interleaved words; else null
    const ConstantReport* constant = nullptr;  ///< constant memory; else null
    const TextureReport* texture = nullptr;    ///< texture; else null
    const LaunchShape* shape = nullptr;  ///< never null in a drawn view: texture, cluster, private array
    int index = 0;                       ///< number of the instruction: its block in the trace buffer
    WarpPlace place = {};                ///< of the pictured warp in the grid
    BankRules bank_rules = {};           ///< the device's; as they are given here: CC 7.0 and later

    Space space() const { return report->instruction.space; }
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

/// The words of the constant bank that the lanes want, in a row, each with the number of its pass; lanes on
/// top with wires; 64-byte lines and the 2 KB constant L1 marked.
Picture draw_constant(const InstructionView& view, const Style& style);

/// The texels round the ones that are fetched, the 4 x 2 sectors as frames, the lanes' order as a walk over
/// them, groups of four lanes told apart; border texels outside the edge.
Picture draw_texture(const InstructionView& view, const Style& style);

/// An image that the grid draws from a texture (LaunchShape::image), with the pictured warp's pixels marked,
/// and beside it the texels round that warp: sectors, where each lane samples, and for one lane what it gets
/// from which texel.
Picture draw_filter(const InstructionView& view, const Style& style);

/// A warp's private arrays as the hardware interleaves them: lanes across, words of the array down, sectors
/// as frames of eight cells.
Picture draw_local(const InstructionView& view, const Style& style);

/// Values that stay in registers or move between lanes: lanes above and below, an arrow for each move.
Picture draw_registers(const InstructionView& view, const Style& style);

/// The blocks of a cluster with their own shared memories; the one that asks, the one that is asked, and in
/// it the banks.
Picture draw_cluster(const InstructionView& view, const Style& style);

/// What a picture of one instruction in that space is called: "Sectors", "Banks".
/// @param rules  global memory: what travels has another name on old GPUs.
std::string_view picture_title(Space space, const SectorRules& rules = {});

/// The picture that fits the instruction's memory space.
/// @param tile, color_by, only_wavefront  for shared memory: see draw_banks.
Picture draw_access(const InstructionView& view, const TileShape& tile, ColorBy color_by, int only_wavefront,
                    const Style& style);

/// Where measurements come from.
struct MeasuredOn {
    Provenance kind = Provenance::measured;  ///< measured here, or recorded
    std::string gpu;                         ///< "NVIDIA H200"; recorded: with the date; empty: nowhere
    /// "◆ measured on NVIDIA H200", "▲ NVIDIA H200, recorded 2026-11-21"
    std::string text() const;
};

/// One measured point of the plot.
struct MeasuredPoint {
    double x = 0;      ///< knob value
    double value = 0;  ///< median, in the curve's unit
    double lower = 0, upper = 0;
};

/// The points of one GPU in the plot.
struct MeasuredSeries {
    Provenance kind = Provenance::measured;  ///< measured: here, now; or recorded
    std::string label;                       ///< "NVIDIA H200, here"; "NVIDIA H200, recorded 2026-11-21"
    int look = 0;                            ///< colour and marker: series_look; 0: the GPU that is here
    std::vector<MeasuredPoint> points;
    bool of_model = true;  ///< of the GPU whose model is drawn: then the two can be compared
};

/// A place on the x axis that means something, for example the size of a cache.
struct CurveMark {
    double x = 0;
    std::string label;
};

/// A curve against one knob.
struct Curve {
    const Knob* knob = nullptr;
    std::vector<double> x;               ///< knob values, rising (2^k for powers)
    std::vector<Prediction> model;       ///< at each x
    std::vector<MeasuredSeries> series;  ///< none of them empty; what was measured here comes first
    double here = 0;                     ///< the present setting
    std::string gpu;                     ///< the device of the model
    std::string peak_source;             ///< "peak 4800 GB/s, datasheet"
    std::string no_measurement;          ///< why there are no measured points; empty when there are
    std::string caption;                 ///< knobs that are not at their default
    bool log_axes = false;
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;  ///< of the y axis
    std::vector<CurveMark> marks;  ///< places on the x axis that mean something: sizes of caches
    /// The model at the setting that this one is compared with; empty: with none.
    struct Other {
        double here = 0;
        std::vector<double> x;
        std::vector<Prediction> model;
        std::string gpu;
    };
    std::optional<Other> other = {};
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
