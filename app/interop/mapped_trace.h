#pragma once

#include "kernels/replay/trace.h"

#include <memory>
#include <optional>
#include <variant>

namespace warplens {

/// A GL buffer that CUDA may write to: registered once, mapped only while the kernel runs, unregistered
/// before it dies.
class MappedTrace {
public:
    /// @param gl_buffer  at least sizeof(Trace), alive longer than the result; its GL context is current.
    /// @return  or why CUDA cannot write to it; CUDA's error state is left clean.
    static std::variant<std::unique_ptr<MappedTrace>, Unavailable> create(unsigned gl_buffer);

    virtual ~MappedTrace() = default;

    /// Map, launch, unmap; the CPU does not wait for the kernel, GL's next read does.
    /// @return  empty: done; else why not, and `lost()` says whether trying again makes sense.
    virtual std::optional<Unavailable> fill(const TraceRequest& request) = 0;

    /// Mapping or unmapping failed once: the buffer belongs to GL alone from now on.
    virtual bool lost() const = 0;
};

}  // namespace warplens
