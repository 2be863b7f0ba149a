#pragma once

#include "app/model/device/device.h"

#include <string_view>
#include <vector>

namespace warplens {

// The way of the two factors of one multiply-add, sum += a * b, from DRAM into registers: straight, as in the
// simple product of two matrices, or once for a whole tile, through shared memory.

/// What is set on the board.
struct JourneySetting {
    bool tiled = false;
    int tile = 32;  ///< rows and columns of a tile; each element in it is used so often
};

enum class JourneyStep {
    ask,       ///< the warp requests a and b
    in_l1,     ///< they are looked up in the L1 of the SM
    in_l2,     ///< then in the L2
    in_dram,   ///< DRAM delivers them
    arrive,    ///< they are in registers
    store,     ///< tiled: the thread stores them into shared memory
    wait,      ///< tiled: all threads of the block wait for each other
    read,      ///< tiled: factors come from shared memory into registers
    multiply,  ///< the multiply-add
    next_k,    ///< the trip begins again with it
    finish,    ///< the sum is written
};

/// The steps of a setting, in order.
const std::vector<JourneyStep>& journey_steps(const JourneySetting& setting);
/// @param index  is clamped to the steps.
JourneyStep journey_step(const JourneySetting& setting, int index);
std::string_view journey_step_name(JourneyStep step);

/// Places where a value can be, from far to near.
enum class Station { dram, l2, l1, shared, registers, arithmetic };
inline constexpr int kStations = 6;
std::string_view station_name(Station station);
/// Where the factors, or the question for them, are in a step.
Station station_of(JourneyStep step);
/// Whether only the request is there, and not the values.
bool is_request(const JourneySetting& setting, JourneyStep step);

/// Cycles of one multiply-add of one warp that waits for everything in turn. The multiply-add itself is not
/// counted where its latency is not known: it is a few cycles. Storing into shared memory and the barrier are
/// not counted either: nobody has measured them alone.
struct JourneyCost {
    double far = 0;       ///< of the trip to DRAM, divided among the multiply-adds that it serves
    double near = 0;      ///< of the load from shared memory
    double multiply = 0;  ///< of the multiply-add itself; 0 if not known
    bool known = false;   ///< whether the latencies of the memories are
    double all() const { return far + near + multiply; }
};
JourneyCost journey_cost(const JourneySetting& setting, const Latencies& latencies);

/// Loads from global memory for one multiply-add: 2, or with a tile 2 / tile.
double loads_per_multiply_add(const JourneySetting& setting);

/// Bytes that must be on their way in each SM for DRAM to be busy all the time: its rate times its latency,
/// divided among the SMs (Little's law). 0 if something is not known.
double bytes_under_way(const DeviceFacts& device);

/// So many warps of each SM keep DRAM busy if each has one coalesced request of 4 bytes a lane under way. 0
/// if something is not known.
int warps_that_hide_dram(const DeviceFacts& device);

/// The most warps that an SM of this GPU holds. 0 if not known.
int warps_that_fit(const DeviceFacts& device);

/// Where it is shown how many warps, or bytes of each, hide what one warp waits for.
inline constexpr const char* kHidingLink = "latency-hiding?warps=8&board=flight";

}  // namespace warplens
