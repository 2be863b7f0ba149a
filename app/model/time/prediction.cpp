#include "app/model/time/prediction.h"

#include "app/model/time/arithmetic.h"
#include "app/model/time/spilling.h"

#include <utility>

namespace warplens {

Prediction predict(const Scenario& scenario, const Params& params, const DeviceFacts& device, bool cold) {
    switch (speed_unit_of(*scenario.info, params)) {
        case SpeedUnit::cycles:
            return predict_cycles(scenario, params, device);
        case SpeedUnit::gflop_per_s:
            if (scenario.info->time == TimeModel::spills) return predict_spill(scenario, params, device);
            return predict_flop(scenario, params, device, cold);
        case SpeedUnit::gb_per_s:
        case SpeedUnit::sectors:  // of plots alone
            break;
    }
    return predict_bandwidth(scenario, params, device, cold);
}

std::string_view limiter_meaning(std::string_view limiter) {
    static constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
        {"DRAM",
         "Bytes to and from DRAM: what is fetched, written, and read because it was written in part."},
        {"DRAM rows",
         "Before DRAM can read or write, it opens a row. Neighbours share an opening; accesses far apart pay for "
         "one each, so large strides get slower although no more bytes are transferred."},
        {"block launch overhead",
         "One work distributor starts the blocks of all SMs. If threads do little, it takes longer than memory."},
        {"bytes in flight",
         "An SM holds a limited number of warps, and each waits for its loads and stores. More bytes per thread would help."},
        {"L2 sectors",
         "32-byte sectors between the SMs and the L2, and lines that are written only in part."},
        {"requests to the L2",
         "Each line that a load misses in the L1 is a request of its own, whatever it needs of it. Lanes that are far "
         "apart make many."},
        {"stores to one sector",
         "All warps store to the same sector, and the L2 takes them one after the other."},
        {"the launch itself", "The kernel is so short that launching it takes longer."},
        {"the L1", "Lines that an SM's L1 looks up and delivers."},
        {limits::kBankConflicts, "Wavefronts of shared memory, many of them more than the ideal."},
        {limits::kSharedBandwidth, "Wavefronts of shared memory, few or none of them more than the ideal."},
        {"the texture unit", "It serves four lanes at a time."},
        {"issued instructions", "Four instructions per clock and SM."},
    };
    for (const auto& [name, meaning] : kMeanings) {
        if (name == limiter) return meaning;
    }
    return {};
}

const SpeedWords& speed_words(SpeedUnit speed_unit) {
    static constexpr SpeedWords kWords[] = {
        {"Bandwidth", "useful bandwidth", "GB/s", "useful GB/s", "useful_gb_per_s",
         "Useful bandwidth: the bytes that lanes request, per second. Bytes fetched but not used do not count."},
        {"Latency", "latency", "cycles", "cycles/instruction", "cycles_per_request",
         "Cycles from one instruction of a warp to the next when each waits for the one before."},
        {"Speed", "speed", "GFLOP/s", "GFLOP/s", "gflop_per_s",
         "Floating-point operations per second, in thousand millions; a multiply-add counts as two."},
        {"Sectors", "sectors", "sectors", "sectors/warp", "sectors_per_warp",
         "Sectors of 32 bytes that a warp fetches, on average over the texture. Counted from addresses; fewer are "
         "better."},
    };
    return kWords[int(speed_unit)];
}

}  // namespace warplens
