#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/bank_rules.h"
#include "kernels/params.h"
#include "kernels/scenario.h"
#include "kernels/unavailable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace warplens {

inline constexpr std::uint32_t kTraceInactive = 0xffff'ffffu;

/// The values that colour the cells of the pictures, for one instruction: an array of 32-bit words. It lies
/// in a GL buffer that a kernel fills through interop, or is filled by the model. Shaders address it by word,
/// see the offsets below.
struct TraceBlock {
    std::uint32_t address_low[kWarpLanes];   ///< byte address of each lane, low half
    std::uint32_t address_high[kWarpLanes];  ///< high half
    std::uint32_t wavefront[kWarpLanes];     ///< BankReport::wavefront of each lane, or kTraceInactive
    std::uint32_t active[kWarpLanes];        ///< 1 if the lane takes part
    std::uint32_t words[4][kWarpLanes];      ///< BankReport::words by group and bank; 0 for global memory
};
inline constexpr int kTraceWords = sizeof(TraceBlock) / sizeof(std::uint32_t);
inline constexpr int kTraceWavefront = 2 * kWarpLanes;  ///< word offset of `wavefront` in a block
inline constexpr int kTraceBankWords = 4 * kWarpLanes;  ///< word offset of `words` in a block

/// The trace of a picture: one block per instruction, in order.
struct Trace {
    TraceBlock instructions[kMaxPictured];
};

/// One warp of one scenario at one step.
struct TraceRequest {
    std::string_view scenario;  ///< id
    Params params;
    Extent block;  ///< block index in the grid
    int warp_in_block = 0;
    int step = 0;
    /// The rules of CC 1.x to 3.x are in the model only; with them the result is Unavailable.
    BankRules rules;
};

/// Evaluate the scenario's own address formula on the GPU and write the trace to `device_trace` (a CUDA
/// device pointer, for example a mapped GL buffer). Asynchronous, on `stream` (a cudaStream_t; null for the
/// default stream).
/// @return  why it was not launched, or empty. CUDA's error state is clean afterwards.
std::optional<Unavailable> launch_trace(const TraceRequest& request, Trace* device_trace, void* stream);

/// Computes traces and copies them to host memory, for machines without interop. Device memory, pinned host
/// memory and a stream are kept between calls. The stream has the highest priority, so that a trace does not
/// wait for the timed kernels.
class HostTracer {
public:
    HostTracer();
    ~HostTracer();
    HostTracer(const HostTracer&) = delete;
    HostTracer& operator=(const HostTracer&) = delete;

    /// Blocks until these traces are done, but does not wait for other work of the GPU.
    /// @param traces  as many as requests.
    std::optional<Unavailable> trace(std::span<const TraceRequest> requests, std::span<Trace> traces);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The same with a temporary HostTracer.
std::optional<Unavailable> trace_to_host(std::span<const TraceRequest> requests, std::span<Trace> traces);

}  // namespace warplens
