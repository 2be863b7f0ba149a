#include "app/model/time/transfer.h"

#include "app/model/access/report.h"
#include "kernels/scenarios/host_memory.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

using Way = HostMemory::Way;

/// The share of the link that a long copy of pinned memory reaches, and what each copy takes before [s].
constexpr double kCopyShare = 0.88, kCopyStart = 8e-6;
/// Copies of pageable memory: what the driver does before, and how fast a host copies what its caches hold,
/// and more [bytes/s]. Measured on one host with an H200: 13 GB/s up to 32 MiB, 7.5 from 64 MiB on.
constexpr double kStagedStart = 15e-6, kStagedRate = 13.4e9, kStagedRateOfMore = 7.5e9, kHostCache = 48 << 20;
/// The cost of a read of mapped memory to the link beside its sectors, for each piece of neighbouring
/// sectors, and the least of both together: 128 bytes at a time reach 51 GB/s, 32 bytes 23 to 29 GB/s
/// [bytes].
constexpr double kPieceBytes = 30, kLeastOfPiece = 75;
/// From a request to mapped memory to its value, with nothing else on the link [s].
constexpr double kMappedLatency = 1.14e-6;
/// Pages that move on demand: the first fault, and all that follow [bytes/s]. 2 to 256 MiB took 6.0 to 6.8
/// GB/s (another host 8.7 to 11.1), arrays that do not fit 5.9 to 8.5 GB/s in each read.
constexpr double kFirstFault = 0.1e-3, kFaultRate = 6.9e9, kRateOfTooLarge = 6.9e9;
/// Pages that are moved before: the call, and each large page beside its bytes [s].
constexpr double kPrefetchStart = 0.08e-3, kPrefetchOfPage = 4.9e-6, kLargePage = 2 << 20;

/// Whether the GPU's memory has no room for the array.
bool is_too_large(const LaunchShape& shape, const DeviceFacts& device) {
    const std::int64_t room = shape.left_free > 0 ? shape.left_free : device.memory_bytes;
    return room > 0 && shape.buffer_bytes[0] >= room;
}

Transfer read_in_place(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const Totals grid = count_grid(scenario, params, 0, device);
    const bool apart = params.stride * HostMemory::kBytes > kSectorBytes;
    const auto sectors = double(grid.sectors), pieces = apart ? sectors : double(grid.lines);
    const double carried = std::max(kSectorBytes * sectors + kPieceBytes * pieces, kLeastOfPiece * pieces);
    return {Carrier::sectors, kSectorBytes * sectors, carried / (device.link_gb_per_s * 1e9) + kMappedLatency,
            Limiter::link};
}

}  // namespace

Transfer transfer_of(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    const auto bytes = double(shape.buffer_bytes[0]);
    const double copied = bytes / (kCopyShare * device.link_gb_per_s * 1e9);
    Transfer result;
    switch (HostMemory::way(params)) {
        case Way::pageable:
            result = {Carrier::staged_copies, bytes,
                      kStagedStart +
                          std::max(bytes / (bytes > kHostCache ? kStagedRateOfMore : kStagedRate), copied),
                      Limiter::host_copies};
            break;
        case Way::pinned:
            result = {Carrier::copy, bytes, kCopyStart + copied, Limiter::link};
            break;
        case Way::mapped:
            result = read_in_place(scenario, params, device);
            break;
        case Way::managed:
            if (is_too_large(shape, device))
                result = {Carrier::faults_again, bytes * params.items,
                          params.items * std::max(bytes / kRateOfTooLarge, copied), Limiter::page_faults};
            else
                result = {Carrier::faults, bytes, kFirstFault + std::max(bytes / kFaultRate, copied),
                          Limiter::page_faults};
            break;
        case Way::prefetched:
            result = {Carrier::prefetch, bytes,
                      kPrefetchStart + std::ceil(bytes / kLargePage) * kPrefetchOfPage + copied,
                      Limiter::link};
    }
    if (device.link_gb_per_s <= 0) result.seconds = 0;
    return result;
}

}  // namespace warplens
