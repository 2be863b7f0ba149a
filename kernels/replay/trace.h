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

/// What the pictures' cells are coloured by, for one instruction: an array of 32-bit words, in a GL buffer
/// that a kernel fills through interop, or the model. Shaders address it by word: see the offsets below.
struct TraceBlock {
    std::uint32_t address_low[kWarpLanes];   ///< byte address of each lane, low half
    std::uint32_t address_high[kWarpLanes];  ///< high half
    std::uint32_t wavefront[kWarpLanes];     ///< BankReport::wavefront of each lane, or kTraceInactive
    std::uint32_t active[kWarpLanes];        ///< 1: the lane takes part
    std::uint32_t words[4][kWarpLanes];      ///< BankReport::words by group and bank; 0 in global memory
};
inline constexpr int kTraceWords = sizeof(TraceBlock) / sizeof(std::uint32_t);
inline constexpr int kTraceWavefront = 2 * kWarpLanes;  ///< word offset of `wavefront` in a block
inline constexpr int kTraceBankWords = 4 * kWarpLanes;  ///< word offset of `words` in a block

/// The trace of a picture: one block per instruction, in order.
struct Trace {
    TraceBlock instructions[kMaxInstructions];
};

/// One warp of one scenario at one step.
struct TraceRequest {
    std::string_view scenario;  ///< id
    Params params;
    Extent block;  ///< block index in the grid
    int warp_in_block = 0;
    int step = 0;
    BankRules rules;  ///< rules of CC 1.x to 3.x are the model's alone: Unavailable
};

/// Evaluate the scenario's own address formula on the GPU and write the trace to `device_trace` (a CUDA
/// device pointer, for example a mapped GL buffer). Asynchronous, on `stream` (a cudaStream_t; null: the
/// default stream).
/// @return  empty: launched; else why not. CUDA's error state is left clean.
std::optional<Unavailable> launch_trace(const TraceRequest& request, Trace* device_trace, void* stream);

/// Traces into host memory, for the copy fallback: device memory, pinned host memory and a stream are kept
/// between calls. The stream has the highest priority, so that a trace does not stand in line behind the
/// timed kernels.
class HostTracer {
public:
    HostTracer();
    ~HostTracer();
    HostTracer(const HostTracer&) = delete;
    HostTracer& operator=(const HostTracer&) = delete;

    /// Blocks until these traces (not what else the GPU does) are done.
    /// @param traces  as many as requests.
    std::optional<Unavailable> trace(std::span<const TraceRequest> requests, std::span<Trace> traces);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The same, once.
std::optional<Unavailable> trace_to_host(std::span<const TraceRequest> requests, std::span<Trace> traces);

}  // namespace warplens
