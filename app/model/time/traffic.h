#pragma once

#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warplens {

/// Transfers of instructions that go beyond the SM, over the whole grid. Provenance: approximate, because a
/// few neighbouring blocks represent all, and what they access twice is counted once.
struct Traffic {
    double read = 0;     ///< by loads, in pieces of the device's fetch granularity [bytes]
    double filled = 0;   ///< the remainder of sectors that stores write in part, which is read first [bytes]
    double written = 0;  ///< [bytes]
    /// DRAM rows opened: a third of the number of distinct pieces of 128, of 256 and of 512 bytes
    /// (bandwidth.cpp gives the reason).
    double read_rows = 0, filled_rows = 0, written_rows = 0;
    double read_lines = 0, written_lines = 0;  ///< distinct 128-byte lines that the L2 has to allocate
    double useful = 0;                         ///< requested by active lanes [bytes]
    double footprint = 0;                      ///< distinct bytes that the L2 would have to hold [bytes]
    double sectors = 0;  ///< distinct 32-byte sectors of each few blocks, which an L1 has to fetch
    /// The bytes that DRAM could transfer while blocks queue at few of its partitions, where it has some
    /// [bytes].
    double queued = 0;

    double of_dram() const { return read + filled + written; }  ///< [bytes]
    Traffic& operator+=(const Traffic& other);
};

/// Loaded by instructions of a typed kernel already, so that another one finds it in the L1 or the L2.
struct LoadedBefore {
    std::vector<std::uint64_t> addresses;  ///< of a few blocks, sorted
    int blocks = 0;
    double repeats = 0;
    Traffic traffic = {};  ///< of the addresses
};

/// The spaces whose traffic is counted. That of per-thread arrays depends on what the L1 keeps.
bool has_traffic(Space space);

/// Blocks whose addresses are compared: two by two, or only two if they are large.
std::vector<Extent> neighbours(Extent grid, bool large, bool in_the_middle);

/// A launch of which each count is made once, when it is asked for first: the parts of the model ask for the
/// same ones. Not to be shared by threads.
class LaunchCounts {
public:
    /// All that it is made of must live as long.
    /// @param grids  the instructions' totals over the whole grid if they are known; otherwise empty
    LaunchCounts(const Scenario& launched, const Params& with, const DeviceFacts& on,
                 std::span<const Totals> grids = {});

    const Scenario& scenario;
    const Params& params;
    const DeviceFacts& device;
    const LaunchShape shape;
    const int instructions;

    /// The totals of an instruction over the whole grid.
    const Totals& grid(int index);
    /// An instruction's transfers between the L2 and DRAM if the L2 kept nothing. All 0 without
    /// has_traffic().
    const Traffic& traffic(int index);

private:
    std::vector<std::optional<Totals>> grids_;
    std::vector<Traffic> traffic_;  ///< of the first instructions, as far as one was asked for
    LoadedBefore loaded_;
    double footprint_ = 0;  ///< of these
};

/// The sectors that an instruction transfers between the SMs and the L2: those that the L1 or the texture
/// cache has to fetch; for stores, and for loads that no cache of the SM keeps, those of each request.
/// @param grid  totals of the instruction over the whole grid
double sectors_past_l1(const Instruction& instruction, const Traffic& traffic, const Totals& grid,
                       const DeviceFacts& device);

/// The part that is left for DRAM if the L2 keeps all that it can.
///
/// A warm launch follows another one like it, and what fits the L2 stays there. A cold launch begins with an
/// empty L2: everything is read, and some lines that were written are still in the L2 when the launch ends.
/// @param all  the sum of a launch's instructions
Traffic beyond_l2(Traffic all, const DeviceFacts& device, bool cold);

/// For a scenario that reads the same bytes repeatedly (TimeModel::walk): what the caches do not deliver.
struct WalkTraffic {
    double past_l1 = 0, of_dram = 0;  ///< [bytes]
};
/// @param grid  totals of its one instruction over the whole grid
WalkTraffic count_walk_traffic(const Totals& grid, const LaunchShape& shape, const DeviceFacts& device);

}  // namespace warplens
