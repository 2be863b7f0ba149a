#pragma once

// The folder app/interop/ is the only place that knows OpenGL and CUDA at once: a buffer and a texture of
// OpenGL that kernels write to directly. If that is refused, the results are copied through host memory;
// without CUDA the model computes them, and callers need not know.

#include "kernels/trace/trace.h"

#include <memory>
#include <string>

namespace warplens {

enum class TraceMode {
    interop,  ///< a kernel writes into the mapped GL buffer
    copy,     ///< a kernel writes it, and the result is copied through host memory
    model,    ///< the CPU model computes it
};

/// The GL buffer with the values of the heat cells.
///
/// It is registered once, mapped only while the kernel runs, and unregistered before it is deleted. If
/// interop is refused (another GPU draws, WSL2, remote X), it clears the error and copies instead; without
/// CUDA the model fills it. Needs the same GL context current for its whole life.
class TraceBuffer {
public:
    /// The mode to try first. The next lower one is used if it fails. `model` never uses CUDA.
    explicit TraceBuffer(TraceMode wanted);
    ~TraceBuffer();

    /// Renew the contents. `by_model` is the result of the model, which is used in model mode and if a launch
    /// fails.
    /// Never waits for the GPU in interop mode: unmapping orders the kernel before GL's next read.
    void update(const TraceRequest& request, const Trace& by_model);

    /// Read back the contents of the GL buffer. Slow, for tests.
    Trace read_back() const;

    unsigned gl_texture() const;     ///< buffer texture, format R32UI
    TraceMode mode() const;          ///< the mode in use
    const std::string& why() const;  ///< why it is not interop; empty in interop mode

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
