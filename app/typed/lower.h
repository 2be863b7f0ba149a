#pragma once

#include "app/typed/program.h"
#include "kernels/typed/code.h"

namespace warplens::typed {

/// A launch as instructions for one thread. Calls are written where they stand, and loops with constant
/// bounds that index arrays of a thread are unrolled, as nvcc does, so that these arrays stay in registers.
/// @return  its loads and stores are numbered as TypedLaunch::accesses
/// Errors: SourceError for what cannot be launched: too many instructions, a pointer that changes its array
/// in a loop, an array whose size nobody said and no model can find out.
Code lower(const TypedLaunch& launch);

/// A kernel as instructions of one thread that do what the model does: offsets that never wrap round, and
/// registers that nobody wrote where the model knows no number.
struct ModelCode {
    struct Site {
        const Expr* element = nullptr;  ///< in the text
        int memory = 0;
        bool store = false;

        friend bool operator==(const Site&, const Site&) = default;
    };

    Code code;
    std::vector<Site> sites;  ///< by the numbers of the code's loads and stores
    /// By instruction: the steps that are counted with it, at least as many as machine.h counts.
    std::vector<int> steps;
    /// By instruction: whether it is a jump of a branch that may be taken both ways if its condition is not
    /// known, because what stands in it only assigns.
    std::vector<bool> harmless;

    std::int64_t site_of(const Site& site);  ///< its number, a new one if it had none
};

/// Errors: SourceError as those of lower, apart from sizes that nobody said.
ModelCode lower_for_model(const Bound& bound);

}  // namespace warplens::typed
