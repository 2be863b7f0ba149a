#include "app/boards/journey/journey.h"

#include "app/boards/occupancy/occupancy_picture.h"
#include "app/model/device/capability.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using enum JourneyStep;

constexpr std::string_view kStepNames[] = {"request a and b",    "look in the L1",     "look in the L2",
                                           "DRAM answers",       "in registers",       "into shared memory",
                                           "wait for the block", "from shared memory", "multiply and add",
                                           "the next k",         "write the sum"};

}  // namespace

const std::vector<JourneyStep>& journey_steps(const JourneySetting& setting) {
    static const std::vector<JourneyStep> straight{
        ask, in_l1, in_l2, in_dram, arrive, JourneyStep::multiply, next_k, finish};
    static const std::vector<JourneyStep> tiled{
        ask, in_l1, in_l2, in_dram, arrive, store, wait, read, JourneyStep::multiply, next_k, finish};
    return setting.tiled ? tiled : straight;
}

JourneyStep journey_step(const JourneySetting& setting, int index) {
    const std::vector<JourneyStep>& steps = journey_steps(setting);
    return steps[std::clamp(index, 0, int(steps.size()) - 1)];
}

std::string_view journey_step_name(JourneyStep step) { return kStepNames[int(step)]; }

std::string_view station_name(Station station) {
    constexpr std::string_view kNames[] = {"DRAM", "L2", "L1", "shared", "registers", "FMA"};
    return kNames[int(station)];
}

Station station_of(JourneyStep step) {
    switch (step) {
        case in_l1:
            return Station::l1;
        case in_l2:
            return Station::l2;
        case in_dram:
        case finish:
            return Station::dram;
        case store:
        case wait:
            return Station::shared;
        case JourneyStep::multiply:
            return Station::arithmetic;
        default:
            return Station::registers;
    }
}

bool is_request(const JourneySetting& setting, JourneyStep step) {
    return step == ask || step == in_l1 || step == in_l2 || (step == next_k && !setting.tiled);
}

JourneyCost journey_cost(const JourneySetting& setting, const Latencies& latencies) {
    JourneyCost cost;
    cost.far = setting.tiled ? latencies.dram / setting.tile : latencies.dram;
    cost.near = setting.tiled ? latencies.shared : 0;
    cost.multiply = latencies.multiply_add;
    cost.known = latencies.dram > 0 && (!setting.tiled || latencies.shared > 0);
    return cost;
}

double loads_per_multiply_add(const JourneySetting& setting) {
    return setting.tiled ? 2.0 / setting.tile : 2.0;
}

double bytes_under_way(const DeviceFacts& device) {
    if (device.sm_count <= 0 || device.clock_mhz <= 0) return 0;
    const double latency_ns = device.latencies.dram / device.clock_mhz * 1000;
    return device.peak_gb_per_s * latency_ns / device.sm_count;
}

int warps_that_hide_dram(const DeviceFacts& device) {
    constexpr double kRequest = 128;  // 32 lanes with a float each
    return int(std::ceil(bytes_under_way(device) / kRequest));
}

int warps_that_fit(const DeviceFacts& device) {
    const CapabilityFacts* rules = find_capability(known_capabilities(), device.cc);
    return rules == nullptr ? 0 : rules->max_warps;
}

}  // namespace warplens
