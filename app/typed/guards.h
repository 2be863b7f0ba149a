#pragma once

#include "app/typed/code_flow.h"
#include "app/typed/ranges.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace warplens::typed {

/// Branches say something about the numbers of whoever takes them: behind `if (i >= n) return;` is i below n.
/// Numbers that follow from memory or from other lanes are left out: where a load was not made, its register
/// may contain anything, and need not even be the same each time that it is read.
class Guards {
public:
    using RangeOf = std::function<std::optional<CodeRange>(int number, int reader)>;

    /// @param range_of  of a register where an instruction reads it, without guards
    Guards(const CodeFlow& flow, std::size_t registers, RangeOf range_of);

    /// The same with them.
    std::optional<CodeRange> range(int number, int reader) const;

private:
    /// A bound that holds behind an instruction.
    struct Bound {
        int behind = 0;              ///< holds for this instruction, and for those that it comes before
        int compare = 0, other = 0;  ///< the comparison, and the register that was compared with
        bool above = false;          ///< the number lies above that of `other`, not below
        bool or_equal = false;
    };

    void find_unsure();
    void find_names();
    int name_of_move(int index);
    int name_of_result(int index);
    /// Two registers with the same name contain the same where both were computed before. -1 if a register
    /// may contain one of several results.
    int name_of(int number, int reader) const;
    void learn(int truth, bool holds, int behind, int jump, int depth);
    void learn_order(const CodeInstr& compare, int index, bool holds, int behind);
    CodeRange narrowed(int writer, CodeRange known, int reader, int depth) const;

    const CodeFlow& flow_;
    RangeOf range_of_;
    std::vector<bool> unsure_;  ///< by register: whether it follows from memory, or from nothing
    std::vector<int> names_;    ///< of results, by instruction
    std::map<std::array<std::int64_t, 7>, int> known_names_;
    std::map<int, int> last_copy_;              ///< by register that is written several times
    std::map<int, std::vector<Bound>> bounds_;  ///< by name
    mutable int looks_ = 0;
};

}  // namespace warplens::typed
