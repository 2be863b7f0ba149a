#pragma once

#include "kernels/typed/code.h"

#include <cstddef>
#include <vector>

namespace warplens::typed {

/// The registers that an instruction reads itself, apart from what a store writes.
struct CodeReads {
    int of[3];
    int count = 0;

    explicit CodeReads(const CodeInstr& instr);
};

/// Which instructions of a kernel are always executed before which, and which write a register. Loops are
/// those of a text: nothing jumps into one, but to its begin.
class CodeFlow {
public:
    explicit CodeFlow(const Code& code);

    int count() const { return int(code_.instructions.size()); }
    const CodeInstr& at(int index) const { return code_.instructions[index]; }
    /// Whether whoever executes `later` has executed `first` before, and since then nothing before it.
    bool comes_before(int first, int later) const { return first < later && later < skips_[first]; }
    const std::vector<int>& writers(int number) const { return writers_[number]; }
    /// The only instruction that writes a register. -1 if there are several or none.
    int only_writer(int number) const {
        const std::vector<int>& all = writers(number);
        return all.size() == 1 ? all[0] : -1;
    }
    /// The instruction whose result a register contains where an instruction reads it. -1 if that may be one
    /// of several, or none.
    int writer_for(int number, int reader) const;
    /// How many jumps lead to an instruction.
    int jumps_to(int index) const { return jumps_to_[index]; }
    /// Whether a register is the same when `first` is executed and when `later` is, which comes behind.
    bool stays(int number, int first, int later) const {
        return comes_before(first, later) && is_kept(number, first, later);
    }

    static bool writes(const CodeInstr& instr);
    static bool is_jump(const CodeInstr& instr) {
        return instr.op == CodeOp::jump || instr.op == CodeOp::jump_if_zero;
    }

private:
    /// Whether no instruction writes the register on the way.
    bool is_kept(int number, int first, int later) const;

    const Code& code_;
    std::vector<std::vector<int>> writers_;  ///< by register
    /// By instruction: the first one behind it that can be reached without it, from before it.
    std::vector<int> skips_;
    std::vector<int> jumps_to_;
    std::vector<int> backward_;  ///< jumps
};

}  // namespace warplens::typed
