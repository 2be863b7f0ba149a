#pragma once

namespace warplens {

/// How something stands, by which its verdict is coloured everywhere.
enum class Tone {
    bad,    ///< worse than it could be
    good,   ///< as good as it can be
    plain,  ///< a statement, or a limit of the machine
};

/// The facts that a kernel is judged by. The sentences that say so are made from it last
/// (app/boards/access/).
struct KernelVerdict {
    enum class Kind {
        refused,      ///< the GPU cannot run it, or its text does wrong
        fault,        ///< Report::fault
        spills,       ///< how many registers are spilled
        footprint,    ///< which cache holds it
        limit,        ///< what limits the launch: no instruction takes more than its ideal
        instruction,  ///< its worst instruction
    };
    Kind kind = Kind::instruction;
    int instruction = 0;  ///< the worst one, see worst_instruction
    double factor = 1;    ///< what a request of the worst one costs, over its ideal; 1 if nothing is counted
    bool good = false;    ///< there is nothing to improve
    bool slow_without_fault =
        false;  ///< a limit of the launch, no access is to blame; see Style::slow_kernel

    friend bool operator==(const KernelVerdict&, const KernelVerdict&) = default;
};

}  // namespace warplens
