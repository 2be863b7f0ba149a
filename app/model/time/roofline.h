#pragma once

#include "app/model/time/flow.h"
#include "app/model/time/prediction.h"

#include <string>
#include <vector>

namespace warplens {

/// The roof of a device: its peak, and the speed that each memory allows for a number of bytes that a kernel
/// reads from it. After Williams, Waterman and Patterson, CACM 52(4), 2009; for several roofs: Yang, Kurth
/// and Williams, 2020.
struct Roof {
    Memory memory = Memory::dram;
    double gb_per_s = 0;  ///< MemoryInfo::gb_per_s [10^9 bytes/s]
};

/// A point under the roof.
struct RooflinePoint {
    std::string name;              ///< as "tiled 16"; empty for the present setting
    Memory memory = Memory::dram;  ///< the memory whose bytes the intensity counts, and whose roof applies
    double intensity = 0;          ///< [FLOP/byte]
    double gflop_per_s = 0;        ///< [10^9/s]
    std::string refused = {};      ///< why the device cannot run this; empty if it can
    /// settings of matrix-multiply, as "variant=tiled,tile=16"; empty for the present ones
    std::string settings = {};
};

struct Roofline {
    double peak = 0;          ///< FP32, all SMs [10^9/s]; 0 if not known
    std::vector<Roof> roofs;  ///< of the memories whose bandwidth is known, DRAM first
    double flop = 0;          ///< of the launch; 0 if none are counted
    double requested = 0;     ///< FLOP per byte that lanes load from global memory; 0 if there is none
    double gflop_per_s = 0;   ///< predicted; 0 if not known, or if no FLOP are counted
    /// Points of the launch, one for each memory that it uses and whose roof is known. None lies above its
    /// roof.
    std::vector<RooflinePoint> points;
    bool in_l2 = false;  ///< faster than DRAM would allow, because earlier launches left everything in the L2
    /// The transfers of the launch, by memory, if it has a predicted time [10^9 bytes/s]. For launches
    /// without counted FLOP.
    std::vector<Roof> moved;

    double ridge()
        const;  ///< FLOP for each DRAM byte from which on the peak is in reach [FLOP/byte]. 0 if not known.
    double speed_of(Memory memory) const;  ///< the bandwidth of its roof [10^9 bytes/s]; 0 if not known
    /// The most that the device could reach [10^9/s].
    double attainable(Memory memory, double intensity) const;
    const RooflinePoint* point(Memory memory) const;  ///< null if the launch reads no byte from it
};

/// The bytes of DRAM are those of a launch with an empty L2: what has to be read at least once.
/// @param flows  follow_bytes of the same launch
/// @param cold   the same with an empty L2
/// Errors: none; what is not known is left out.
Roofline make_roofline(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                       const Prediction& prediction, const FlowReport& flows, const FlowReport& cold);

/// The roofline points of a matrix product as Kirk and Hwu present them: how many FLOP each variant does per
/// byte that its lanes load, and what DRAM would allow if it delivered each of these bytes. The points lie on
/// the roof.
/// @param matrix  rows and columns of the matrices
std::vector<RooflinePoint> textbook_ladder(const Roofline& roofline, const DeviceFacts& device, int matrix);

/// The predicted variants of the product, each over the DRAM bytes that have to be read at least once: all
/// variants with the present tile, and the present variant with all tiles. What the device cannot run is left
/// out.
/// @param params  the present setting of matrix-multiply
std::vector<RooflinePoint> predicted_ladder(const Roofline& roofline, const Params& params,
                                            const DeviceFacts& device, bool cold);

}  // namespace warplens
