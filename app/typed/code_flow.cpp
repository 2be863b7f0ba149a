#include "app/typed/code_flow.h"

#include <algorithm>
#include <iterator>

namespace warplens::typed {

CodeReads::CodeReads(const CodeInstr& instr) {
    const auto add = [&](int number) { of[count++] = number; };
    const CodeOp op = instr.op;
    if (op == CodeOp::constant || op == CodeOp::special || op == CodeOp::jump || op >= CodeOp::barrier)
        return;
    add(instr.a);
    if ((op >= CodeOp::add && op <= CodeOp::not_equal) || op == CodeOp::select || op == CodeOp::shuffle)
        add(instr.b);
    if (op == CodeOp::select) add(instr.c);
}

CodeFlow::CodeFlow(const Code& code)
    : code_(code),
      writers_(code.registers.size()),
      skips_(code.instructions.size(), int(code.instructions.size())),
      jumps_to_(code.instructions.size() + 1) {
    std::vector<int> targets;  // of jumps before, that lie behind
    for (int i = 0; i < count(); ++i) {
        const CodeInstr& instr = at(i);
        std::erase_if(targets, [&](int target) { return target <= i; });
        if (!targets.empty()) skips_[i] = std::ranges::min(targets);
        if (is_jump(instr)) {
            ++jumps_to_[instr.to];
            if (instr.to > i + 1) targets.push_back(instr.to);
            if (instr.to <= i) backward_.push_back(i);
        }
        if (!writes(instr)) continue;
        const int lanes = instr.op == CodeOp::load ? instr.lanes : 1;
        for (int lane = 0; lane < lanes; ++lane) writers_[instr.to + lane].push_back(i);
    }
}

bool CodeFlow::writes(const CodeInstr& instr) {
    return instr.op != CodeOp::store && !is_jump(instr) && instr.op != CodeOp::barrier &&
           instr.op != CodeOp::warp_barrier && instr.op != CodeOp::meet && instr.op != CodeOp::finish;
}

int CodeFlow::writer_for(int number, int reader) const {
    const std::vector<int>& all = writers(number);
    if (all.size() == 1) return comes_before(all[0], reader) ? all[0] : -1;
    const auto behind = std::ranges::lower_bound(all, reader);
    if (behind == all.begin()) return -1;
    const int last = *std::prev(behind);
    return stays(number, last, reader) ? last : -1;
}

bool CodeFlow::is_kept(int number, int first, int later) const {
    // All that may be executed in between: also the rest of a loop that begins there.
    int end = later;
    for (bool grows = true; grows;) {
        grows = false;
        for (const int jump : backward_) {
            if (jump <= end || at(jump).to <= first || at(jump).to > end) continue;
            end = jump;
            grows = true;
        }
    }
    return std::ranges::none_of(writers(number), [&](int i) { return i > first && i <= end; });
}

}  // namespace warplens::typed
