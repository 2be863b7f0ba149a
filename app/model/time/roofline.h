#pragma once

#include "app/model/time/flow.h"
#include "app/model/time/prediction.h"

#include <string>
#include <vector>

namespace warplens {

/// The roof of a device: what it can compute, and what each memory lets it compute by the bytes that a kernel
/// takes from there. After Williams, Waterman and Patterson, CACM 52(4), 2009; several roofs at a time: Yang,
/// Kurth and Williams, 2020.
struct Roof {
    Memory memory = Memory::dram;
    double gb_per_s = 0;  ///< MemoryInfo::gb_per_s [10^9 bytes/s]
};

/// A point under the roof.
struct RooflinePoint {
    std::string name;              ///< "tiled 16"; of the present setting: empty
    Memory memory = Memory::dram;  ///< whose bytes the intensity is about, and so which roof is above it
    double intensity = 0;          ///< [FLOP/byte]
    double gflop_per_s = 0;        ///< [10^9/s]
    std::string refused = {};      ///< why the device cannot run this; empty: it can
    std::string settings = {};     ///< of matrix-multiply: "variant=tiled,tile=16"; empty: the present one
};

struct Roofline {
    double peak = 0;          ///< FP32, all SMs [10^9/s]; 0: not known
    std::vector<Roof> roofs;  ///< of the memories whose bandwidth is known, DRAM first
    double flop = 0;          ///< of the launch; 0: it computes nothing
    double requested = 0;     ///< FLOP for each byte that lanes load from global memory; 0: none
    double gflop_per_s = 0;   ///< predicted; 0: not known, or it computes nothing
    /// Of the launch, one for each memory that it uses and whose roof is known. None lies above its roof.
    std::vector<RooflinePoint> points;
    bool in_l2 = false;  ///< faster than DRAM would allow, because launches before left everything in the L2
    /// What the launch moves, by memory, where it has a predicted time [10^9 bytes/s]. For launches that
    /// compute nothing.
    std::vector<Roof> moved;

    double ridge()
        const;  ///< FLOP for each DRAM byte from which on the peak is in reach [FLOP/byte]; 0: not known
    double speed_of(Memory memory) const;  ///< of its roof [10^9 bytes/s]; 0: not known
    /// What the device could reach at most [10^9/s].
    double attainable(Memory memory, double intensity) const;
    const RooflinePoint* point(Memory memory) const;  ///< null: the launch takes no byte from there
};

/// Bytes of DRAM are those of a launch that finds the L2 empty: what has to come once.
/// @param flows  follow_bytes of the same launch
/// @param cold   the same for an empty L2
/// Errors: none; what is not known is left out.
Roofline make_roofline(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                       const Prediction& prediction, const FlowReport& flows, const FlowReport& cold);

/// The ladder of a matrix product, as Kirk and Hwu tell it: how many FLOP each variant gets out of a byte
/// that its lanes load, and what DRAM would allow if each of these bytes came from there. Points on the roof.
/// @param matrix  rows and columns of the matrices
std::vector<RooflinePoint> textbook_ladder(const Roofline& roofline, const DeviceFacts& device, int matrix);

/// The variants of the product as they are predicted, each over the DRAM bytes that have to come once: with
/// the present tile, and the present variant with all tiles. What the device cannot run is left out.
/// @param params  the present setting of matrix-multiply
std::vector<RooflinePoint> predicted_ladder(const Roofline& roofline, const Params& params,
                                            const DeviceFacts& device, bool cold);

}  // namespace warplens
