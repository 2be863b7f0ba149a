#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"
#include "app/model/time/prediction.h"

namespace warplens {

/// Little's law for one SM: what it has on its way is what arrives in each cycle, times the cycles that a
/// load takes. Fewer bytes on their way than the memory could deliver in that time leave it idle.
///
/// `now` is exact for latency-hiding on a GPU with as many SMs as the scenario has blocks for. All other
/// numbers are approximate.
struct InFlight {
    double blocks = 0;          ///< resident on an SM
    double warps = 0;           ///< resident on an SM
    double places = 0;          ///< most bytes that the loads of an SM have room for [bytes]
    double now = 0;             ///< of these, on their way on average while memory is not busy [bytes]
    double needed = 0;          ///< what the memory delivers to an SM while a load takes its time [bytes]
    double latency_cycles = 0;  ///< of a round of loads while memory is not busy; 0 if not known
    double own_cycles = 0;      ///< in which a block uses what has come, before more is on its way
    double barrier_cycles = 0, issue_cycles = 0;  ///< of these: at barriers, and to begin the next copies
    double gb_per_s = 0;                          ///< what the memory delivers to all SMs [10^9 bytes/s]
    bool from_l2 = false;  ///< the memory is the L2, which still has everything; else DRAM

    double stage_cycles = 0;  ///< from one round of loads into the same place to the next

    /// Whether memory waits for the SM: less is on its way than it could deliver.
    bool memory_waits() const { return now < needed; }
};

/// @param scenario  one with TimeModel::in_flight
/// @param cold      whether the L2 is empty before the launch
/// All numbers are 0 for a device of which too little is known.
InFlight bytes_in_flight(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                         bool cold);

/// Cycles of a block from one of its tiles to the next in a predicted launch, without its start. What is left
/// beyond `own_cycles` it waits.
/// @param scenario  one whose blocks wait for their threads in each round (Streaming::barriers)
double cycles_of_tile(const InFlight& flight, const Prediction& prediction, const Scenario& scenario,
                      const Params& params, const DeviceFacts& device);

/// Bytes in flight of a kernel of which only the speed is known: so many bytes are on their way on average.
/// @param gb_per_s  what comes from the memory and goes there [10^9 bytes/s]
/// @param from_l2   whether that is the L2; else DRAM
InFlight average_in_flight(double gb_per_s, const DeviceFacts& device, bool from_l2);

/// The bandwidth of such a scenario: the memory's, that of the banks, or what is on its way in each latency.
/// Errors: none; value 0 if the latencies of the device are not known.
Prediction predict_in_flight(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                             bool cold);

}  // namespace warplens
