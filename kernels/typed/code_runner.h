#pragma once

// Plain C++: callers need neither nvcc nor a CUDA header.
#include "kernels/timing/timed.h"
#include "kernels/typed/code.h"
#include "kernels/unavailable.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace warplens {

/// The accesses of the threads of some blocks, thread by thread, x fastest, block by block.
struct CodeTrace {
    std::vector<std::vector<CodeAccess>> threads;
    bool complete = true;  ///< whether no thread made more accesses than were kept
};

/// Which blocks are traced, x fastest, and how many accesses of each thread are kept.
struct CodeBlocks {
    std::int64_t first = 0, count = 1;
    int kept = 4096;
};

/// Launches typed kernels on the GPU. A kernel that does what no check foresaw can make CUDA unusable in the
/// process, or run for ever: use it in a process that may end. Use it from one thread.
class CodeRunner {
public:
    CodeRunner();
    ~CodeRunner();
    CodeRunner(const CodeRunner&) = delete;
    CodeRunner& operator=(const CodeRunner&) = delete;

    /// Time launches of the whole grid, as TimedKernels::time does. All of these compile the PTX first (see
    /// app/typed/ptx.h), which takes some 10 ms, and keep the last one.
    /// @param useful_bytes  what the active lanes request from global memory in one launch
    /// @return  or why there is none: no GPU, not enough memory, an access outside its array
    std::variant<Timing, Unavailable> time(const Code& code, const std::string& ptx, const StopRule& rule,
                                           double useful_bytes, const std::atomic<bool>* cancel = nullptr);

    /// Launch the whole grid exactly once, without timing it.
    std::variant<std::monostate, Unavailable> launch_once(const Code& code, const std::string& ptx);

    /// Read hardware counters of one launch of the whole grid, with a cold L2.
    std::variant<CounterReading, Unavailable> count(const Code& code, const std::string& ptx,
                                                    const std::vector<std::string>& metrics);

    /// The accesses of a launch of PTX that traces itself.
    std::variant<CodeTrace, Unavailable> trace(const Code& code, const std::string& ptx,
                                               const CodeBlocks& blocks);

    /// The same without a compiler: a kernel of ours executes the instructions.
    std::variant<CodeTrace, Unavailable> interpret(const Code& code, const CodeBlocks& blocks);

    /// Registers and memory of the compiled kernel.
    std::variant<KernelResources, Unavailable> resources(const Code& code, const std::string& ptx);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
