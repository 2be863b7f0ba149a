#pragma once

#include "kernels/replay/trace.h"

#include <memory>
#include <string>

namespace warplens {

/// How the trace gets into the GL buffer.
enum class TraceMode {
    interop,  ///< a kernel writes into the mapped GL buffer
    copy,     ///< a kernel writes, and the result goes through host memory
    model,    ///< the CPU model writes
};

/// The GL buffer behind the heat cells, and the only place that knows GL and CUDA at once.
///
/// Registered once, mapped only while the kernel runs, unregistered before it is deleted. When interop is
/// refused (another GPU draws, WSL2, remote X), it clears the error and goes on with the copy; without CUDA
/// the model fills it. Needs the same GL context current for its whole life.
class TraceBuffer {
public:
    /// What to try first; a lower one is used when it fails. `model` never touches CUDA.
    explicit TraceBuffer(TraceMode wanted);
    ~TraceBuffer();
    TraceBuffer(const TraceBuffer&) = delete;
    TraceBuffer& operator=(const TraceBuffer&) = delete;

    /// Renew the contents. `by_model` is what the model says: used in model mode, and when a launch fails.
    /// Never waits for the GPU in interop mode: the unmap orders the kernel before GL's next read.
    void update(const TraceRequest& request, const Trace& by_model);

    /// Read back what the GL buffer holds now. Slow; for tests.
    Trace read_back() const;

    unsigned gl_texture() const;     ///< buffer texture, format R32UI
    TraceMode mode() const;          ///< what is in use
    const std::string& why() const;  ///< why not interop; empty in interop mode

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
