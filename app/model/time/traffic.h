#pragma once

#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/device/device.h"

namespace warplens {

/// What instructions that go beyond the SM move, over the whole grid. Provenance: approximate: a few
/// neighbouring blocks stand for all, and what they touch twice is fetched once.
struct Traffic {
    double read = 0;     ///< for loads, in pieces of the device's fetch granularity [bytes]
    double filled = 0;   ///< sectors that stores write in part: the rest of them is read first [bytes]
    double written = 0;  ///< [bytes]
    /// DRAM rows opened: distinct pieces of 128, 256 and 512 bytes, a third of each (bandwidth.cpp says why).
    double read_rows = 0, filled_rows = 0, written_rows = 0;
    double read_lines = 0, written_lines = 0;  ///< distinct 128-byte lines that the L2 has to make room for
    double useful = 0;                         ///< asked for by active lanes [bytes]
    double footprint = 0;                      ///< distinct bytes that the L2 would have to hold [bytes]
    double sectors = 0;  ///< distinct 32-byte sectors of each few blocks: what an L1 has to fetch

    double of_dram() const { return read + filled + written; }  ///< [bytes]
    Traffic& operator+=(const Traffic& other);
};

/// What would travel between the L2 and DRAM if the L2 kept nothing.
/// @param index  an instruction to global memory or a texture
Traffic count_traffic(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                      const DeviceFacts& device);

/// Sectors that an instruction moves between the SMs and the L2: what the L1 or the texture cache has to
/// fetch; of stores, and of loads that no L1 keeps, those of each request.
/// @param grid  totals of the instruction over the whole grid
double sectors_past_l1(const Instruction& instruction, const Traffic& traffic, const Totals& grid,
                       const DeviceFacts& device);

/// What is left for DRAM when the L2 keeps what it can.
///
/// Warm, the launch follows another one like it: what fits the L2 stays there. Cold, the L2 begins empty:
/// everything is read, and some lines that were written are still in the L2 when the launch ends.
/// @param all  the sum of a launch's instructions
Traffic beyond_l2(Traffic all, const DeviceFacts& device, bool cold);

}  // namespace warplens
