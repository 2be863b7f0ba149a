#pragma once

#include "app/model/catalogue.h"
#include "app/model/device/device.h"
#include "app/model/time/limiter.h"

namespace warplens {

/// How data get from the memory of the host to a kernel.
enum class Carrier {
    none,
    staged_copies,  ///< The driver copies them to pinned memory of its own, and the GPU from there.
    copy,           ///< The GPU copies them at once.
    sectors,        ///< Each request of a warp fetches its own.
    faults,         ///< A page moves when it is touched.
    faults_again,   ///< The same in every read, because those that come push out those that were there.
    prefetch,       ///< The driver moves them in large pages before the kernel.
};

/// The bytes that cross the link between host and GPU for one launch. Provenance: approximate.
struct Transfer {
    Carrier carrier = Carrier::none;
    double bytes = 0, seconds = 0;
    Limiter limiter = Limiter::none;  ///< if the transfer is what takes longest
};

/// The transfer of a scenario whose buffer 0 lies on the host (LaunchShape::host). No seconds if the link of
/// the device is not known.
/// Source: measured on an H200 (PCI Express 5.0, 16 lanes), as shares of the link where it is the limit; how
/// fast a host copies and serves faults is taken to be the same elsewhere.
Transfer transfer_of(const Scenario& scenario, const Params& params, const DeviceFacts& device);

}  // namespace warplens
