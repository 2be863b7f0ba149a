#pragma once

// The folder kernels/typed/ compiles kernels that a person typed and runs them on a GPU. Plain C++: callers
// need neither nvcc nor a CUDA header.
#include "kernels/timing/timed.h"
#include "kernels/typed/content.h"
#include "kernels/unavailable.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warplens {

/// A kernel with everything that its launch needs.
struct KernelLaunch {
    /// An array in global memory. Index arrays get their contents, all others random data.
    struct Array {
        std::int64_t bytes = 0;
        Content content = Content::unknown;
        int element_bytes = 4;
    };
    /// A parameter: its bytes, and where in them pointers stand, to the begin of an array or `behind` it.
    struct Pointer {
        std::size_t at = 0;
        int array = 0;
        std::int64_t behind = 0;  ///< [bytes]
    };
    struct Parameter {
        std::vector<unsigned char> bytes;
        std::vector<Pointer> pointers;
    };

    std::string text;  ///< CUDA C++; see app/typed/cuda_text.h
    std::string name;

    std::array<int, 3> grid{1, 1, 1}, block{1, 1, 1};
    int dynamic_shared = 0;  ///< [bytes]
    std::vector<Array> arrays;
    std::vector<Parameter> parameters;

    std::int64_t blocks() const { return std::int64_t{grid[0]} * grid[1] * grid[2]; }
    int threads() const { return block[0] * block[1] * block[2]; }
};

/// One executed load or store of a thread.
struct TracedAccess {
    std::uint32_t site = 0;
    bool store = false;
    std::uint64_t address = 0;  ///< of shared memory: from its begin
};
/// The accesses of the threads of some blocks, thread by thread, x fastest, block by block.
struct KernelTrace {
    std::vector<std::vector<TracedAccess>> threads;
    std::vector<std::uint64_t> arrays;  ///< where each array begins
    bool complete = true;               ///< whether no thread made more accesses than were kept
};

/// Which blocks are traced, x fastest, and how many accesses of each thread are kept.
struct TracedBlocks {
    std::int64_t first = 0, count = 1;
    int kept = 4096;
};

/// Launches typed kernels on the GPU. A kernel that leaves its arrays can make CUDA unusable in the process,
/// or run for ever: use it in a process that may end. Use it from one thread.
class KernelRunner {
public:
    KernelRunner();
    ~KernelRunner();
    KernelRunner(const KernelRunner&) = delete;
    KernelRunner& operator=(const KernelRunner&) = delete;

    /// Time launches of the whole grid, as TimedKernels::time does. All of these compile the text first,
    /// which takes some 100 ms, and keep the last one.
    /// @param useful_bytes  what the active lanes request from global memory in one launch
    /// @return  or why there is none: no GPU, no compiler, not enough memory, an access outside of all arrays
    std::variant<Timing, Unavailable> time(const KernelLaunch& launch, const StopRule& rule,
                                           double useful_bytes, const std::atomic<bool>* cancel = nullptr);

    /// Launch the whole grid exactly once, without timing it.
    std::variant<std::monostate, Unavailable> launch_once(const KernelLaunch& launch);

    /// Read hardware counters of one launch of the whole grid, with a cold L2.
    std::variant<CounterReading, Unavailable> count(const KernelLaunch& launch,
                                                    const std::vector<std::string>& metrics);

    /// The accesses of a launch whose text notes them.
    std::variant<KernelTrace, Unavailable> trace(const KernelLaunch& launch, const TracedBlocks& blocks);

    /// Registers and memory of the compiled kernel.
    std::variant<KernelResources, Unavailable> resources(const KernelLaunch& launch);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warplens
