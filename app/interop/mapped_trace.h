#pragma once

#include "kernels/replay/trace.h"

#include <memory>
#include <optional>
#include <variant>

namespace warplens {

/// A GL buffer that CUDA may write to. It is registered once, mapped only while the kernel runs, and
/// unregistered in the destructor.
class MappedTrace {
public:
    /// @param gl_buffer  at least sizeof(Trace); it must outlive the result, and its GL context must be
    /// current.
    /// @return  why CUDA cannot write to it, if it cannot; CUDA's error state is clean afterwards.
    static std::variant<std::unique_ptr<MappedTrace>, Unavailable> create(unsigned gl_buffer);

    virtual ~MappedTrace() = default;

    /// Map, launch, unmap. The CPU does not wait for the kernel; GL's next read does.
    /// @return  why it failed, or empty; `lost()` says whether it makes sense to try again.
    virtual std::optional<Unavailable> fill(const TraceRequest& request) = 0;

    /// Mapping or unmapping has failed once: from now on the buffer is used by GL only.
    virtual bool lost() const = 0;
};

}  // namespace warplens
