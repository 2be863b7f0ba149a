#include "app/typed/guards.h"

#include <algorithm>
#include <utility>

namespace warplens::typed {
namespace {

/// Conditions of conditions, and operands of operands.
constexpr int kDeepest = 10;
/// Results that are looked at in a kernel, because those of operands of operands may be very many.
constexpr int kMostLooks = 50'000;

bool is_order(const CodeInstr& instr) {
    return (instr.op == CodeOp::less || instr.op == CodeOp::less_equal) && !is_float(instr.type);
}

}  // namespace

Guards::Guards(const CodeFlow& flow, std::size_t registers, RangeOf range_of)
    : flow_(flow), range_of_(std::move(range_of)), unsure_(registers) {
    find_unsure();
    find_names();
    for (int i = 0; i + 1 < flow_.count(); ++i) {
        const CodeInstr& jump = flow_.at(i);
        if (jump.op != CodeOp::jump_if_zero || jump.to >= flow_.count()) continue;
        // Only where nobody comes from elsewhere.
        if (flow_.jumps_to(i + 1) == 0) learn(jump.a, true, i + 1, i, 0);
        const CodeOp before = flow_.at(jump.to - 1).op;
        if (jump.to > i + 1 && flow_.jumps_to(jump.to) == 1 &&
            (before == CodeOp::jump || before == CodeOp::finish))
            learn(jump.a, false, jump.to, i, 0);
    }
}

void Guards::find_names() {
    names_.reserve(flow_.count());
    for (int i = 0; i < flow_.count(); ++i)
        names_.push_back(flow_.at(i).op == CodeOp::move ? name_of_move(i) : name_of_result(i));
}

int Guards::name_of(int number, int reader) const {
    const int writer = flow_.writer_for(number, reader);
    return writer < 0 ? -1 : names_[writer];
}

/// A name of its own is the number of the instruction.
int Guards::name_of_move(int index) {
    const int from = flow_.at(index).a;
    if (const int name = name_of(from, index); name >= 0) return name;
    // A counter is the same as when it was read last, if nobody has changed it since.
    const auto [last, is_first] = last_copy_.try_emplace(from, index);
    const int before = std::exchange(last->second, index);
    return !is_first && flow_.stays(from, before, index) ? names_[before] : index;
}

int Guards::name_of_result(int index) {
    const CodeInstr& instr = flow_.at(index);
    if (instr.op > CodeOp::special) return index;
    std::array<std::int64_t, 7> key{int(instr.op), int(instr.type), int(instr.from), instr.value};
    const CodeReads reads(instr);
    for (int k = 0; k < reads.count; ++k) {
        const int name = name_of(reads.of[k], index);
        if (name < 0) return index;
        key[4 + k] = name;
    }
    return known_names_.try_emplace(key, index).first->second;
}

void Guards::find_unsure() {
    for (std::size_t number = 0; number < unsure_.size(); ++number)
        unsure_[number] = flow_.writers(int(number)).empty();
    const auto is_unsure = [&](const CodeInstr& instr) {
        if (instr.op == CodeOp::load || instr.op == CodeOp::shuffle || instr.op == CodeOp::part) return true;
        const CodeReads reads(instr);
        return std::any_of(reads.of, reads.of + reads.count, [&](int number) { return unsure_[number]; });
    };
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 0; i < flow_.count(); ++i) {
            const CodeInstr& instr = flow_.at(i);
            if (!CodeFlow::writes(instr) || !is_unsure(instr)) continue;
            const int lanes = instr.op == CodeOp::load ? instr.lanes : 1;
            for (int lane = 0; lane < lanes; ++lane) {
                const std::size_t number = instr.to + lane;
                grows = grows || !unsure_[number];
                unsure_[number] = true;
            }
        }
    }
}

/// Takes up what follows from a truth.
void Guards::learn(int truth, bool holds, int behind, int jump, int depth) {
    const int index = flow_.only_writer(truth);
    if (index < 0 || depth > kDeepest || !flow_.comes_before(index, jump)) return;
    const CodeInstr& instr = flow_.at(index);
    const bool truths = instr.type == CodeType::boolean;
    if (is_order(instr)) return learn_order(instr, index, holds, behind);
    if (instr.op == CodeOp::move) return learn(instr.a, holds, behind, index, depth + 1);
    if (truths && ((instr.op == CodeOp::bit_and && holds) || (instr.op == CodeOp::bit_or && !holds))) {
        learn(instr.a, holds, behind, index, depth + 1);
        learn(instr.b, holds, behind, index, depth + 1);
    }
}

void Guards::learn_order(const CodeInstr& compare, int index, bool holds, int behind) {
    // Not a < b is b <= a.
    const int below = holds ? compare.a : compare.b, above = holds ? compare.b : compare.a;
    const bool or_equal = (compare.op == CodeOp::less) != holds;
    const auto add = [&](int number, int other, bool is_above) {
        if (const int name = name_of(number, index); name >= 0)
            bounds_[name].push_back({behind, index, other, is_above, or_equal});
    };
    add(below, above, false);
    add(above, below, true);
}

/// The known range of an instruction's result, at a reader that comes behind: also once more from its
/// operands, about which more may be known there than where it was computed.
CodeRange Guards::narrowed(int writer, CodeRange known, int reader, int depth) const {
    const CodeInstr& instr = flow_.at(writer);
    if (unsure_[instr.to] || ++looks_ > kMostLooks) return known;
    const auto narrow = [&](std::int64_t least, std::int64_t most) {
        const CodeRange both{std::max(known.least, least), std::min(known.most, most)};
        if (both.least <= both.most) known = both;  // else nobody comes here
    };
    if (depth < kDeepest) {
        const auto again = range_of_result(instr, [&](int operand) {
            std::optional<CodeRange> its = range_of_(operand, writer);
            const int before = flow_.writer_for(operand, writer);
            if (its && before >= 0) its = narrowed(before, *its, reader, depth + 1);
            return its;
        });
        if (again) narrow(again->least, again->most);
    }
    const auto found = bounds_.find(names_[writer]);
    if (found == bounds_.end()) return known;
    for (const Bound& bound : found->second) {
        if (bound.behind != reader && !flow_.comes_before(bound.behind, reader)) continue;
        const auto other = range_of_(bound.other, bound.compare);
        if (!other) continue;
        const std::int64_t beside = bound.or_equal ? 0 : 1;
        if (bound.above)
            narrow(other->least + beside, known.most);
        else
            narrow(known.least, other->most - beside);
    }
    return known;
}

std::optional<CodeRange> Guards::range(int number, int reader) const {
    const std::optional<CodeRange> known = range_of_(number, reader);
    const int writer = flow_.writer_for(number, reader);
    if (!known || bounds_.empty() || writer < 0) return known;
    return narrowed(writer, *known, reader, 0);
}

}  // namespace warplens::typed
