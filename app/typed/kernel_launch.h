#pragma once

#include "app/typed/cuda_text.h"
#include "kernels/typed/kernel_runner.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warplens::typed {

/// The place of a memory of the model in a launch.
struct PlacedMemory {
    int array = -1;  ///< which of KernelLaunch::arrays; -1 for memory that the kernel declares itself
    std::int64_t behind = 0;  ///< its first byte, from the array's begin [bytes]
};

/// The bytes of a launch's arrays: those of unknown size end where it accesses them last, or where some of
/// its blocks do if patience ends before the grid. 0 if places follow from data.
/// The launch must live as long.
InSteps<std::int64_t> least_global_bytes(const TypedLaunch& launch, Patience patience);

/// A text with what it is launched with. Arrays of the launch come in the order of its parameters.
/// @param placed  if not null: where each memory lies
/// Errors: SourceError for arrays whose size is neither known nor to be found out.
KernelLaunch kernel_launch(const TypedLaunch& launch, CudaText text,
                           std::vector<PlacedMemory>* placed = nullptr);

/// The accesses of a launch, as the model and another execution made them.
struct ComparedAddresses {
    std::int64_t accesses = 0;  ///< of threads, that the model made
    std::int64_t blocks = 0;
    std::int64_t off = 0;  ///< that the other one made differently, or not
    std::string first;     ///< one sentence about the first that differs; empty if none does
};

/// Compares what the threads of a block do: which elements of the text they load and store, how often and
/// where, whatever the order in which a compiler evaluates an expression. Memory that the kernel declares
/// itself may begin anywhere.
class BlockComparison {
public:
    BlockComparison(const TypedLaunch& launch, const std::vector<const Expr*>& sites, std::int64_t block);

    int most() const;  ///< accesses of a thread, as the model has them
    /// @param placed  of kernel_launch
    void compare(const KernelTrace& trace, const std::vector<PlacedMemory>& placed, ComparedAddresses& sum);

private:
    struct Access {
        std::uint32_t site = 0;
        bool store = false;
        int memory = 0;
        std::int64_t offset = 0;
        friend auto operator<=>(const Access&, const Access&) = default;
    };
    struct Comparing;

    const TypedLaunch& launch_;
    std::int64_t block_;
    std::map<const Expr*, std::uint32_t> number_of_;
    std::vector<std::vector<Access>> model_;  ///< of each thread
};

}  // namespace warplens::typed
