#include "app/typed/ranges.h"

#include "app/typed/code_flow.h"
#include "app/typed/guards.h"

#include <algorithm>
#include <bit>

namespace warplens::typed {
namespace {

using Range = CodeRange;
using MaybeRange = std::optional<Range>;

/// Products and sums of numbers below it fit into 64 bits.
constexpr std::int64_t kLarge = std::int64_t{1} << 62, kFactor = std::int64_t{1} << 31;

Range limits_of(CodeType type) {
    const int bits = 8 * bytes_of(type);
    switch (type) {
        case CodeType::boolean:
            return {0, 1};
        case CodeType::u8:
        case CodeType::u16:
        case CodeType::u32:
            return {0, (std::int64_t{1} << bits) - 1};
        case CodeType::u64:
            return {0, kLarge};
        case CodeType::s64:
            return {-kLarge, kLarge};
        default:
            return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
    }
}

/// Nothing if the number could have wrapped round.
MaybeRange within(MaybeRange range, CodeType type) {
    if (!range || is_float(type)) return std::nullopt;
    const Range limits = limits_of(type);
    return range->least >= limits.least && range->most <= limits.most ? range : std::nullopt;
}

bool is_small(const Range& range) { return range.least > -kFactor && range.most < kFactor; }

MaybeRange product(const Range& a, const Range& b) {
    if (!is_small(a) || !is_small(b)) return std::nullopt;
    const auto corners = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
    return Range{std::min(corners), std::max(corners)};
}

/// The least number of the form 2^n - 1 that is not below any number of the range.
std::int64_t all_ones(std::int64_t most) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(most) + 1)) - 1;
}

/// The range of an operator's result when both operands are known.
MaybeRange result_of(CodeOp op, const Range& a, const Range& b) {
    const bool positive = a.least >= 0 && b.least >= 0;
    const bool fixed = b.least == b.most;
    switch (op) {
        case CodeOp::add:
            return Range{a.least + b.least, a.most + b.most};
        case CodeOp::sub:
            return Range{a.least - b.most, a.most - b.least};
        case CodeOp::mul:
            return product(a, b);
        case CodeOp::div:
            if (b.least <= 0) return std::nullopt;
            return Range{std::min(a.least / b.least, a.least / b.most),
                         std::max(a.most / b.least, a.most / b.most)};
        case CodeOp::rem:
            if (b.least <= 0) return std::nullopt;
            return Range{a.least >= 0 ? 0 : -(b.most - 1), a.most <= 0 ? 0 : std::min(a.most, b.most - 1)};
        case CodeOp::bit_and:
            if (a.least < 0 && b.least < 0) return std::nullopt;
            return Range{0, a.least < 0 ? b.most : b.least < 0 ? a.most : std::min(a.most, b.most)};
        case CodeOp::bit_or:
        case CodeOp::bit_xor:
            if (!positive) return std::nullopt;
            return Range{0, all_ones(std::max(a.most, b.most))};
        case CodeOp::shift_left:
            if (!fixed || b.least < 0 || b.least > 30) return std::nullopt;
            return product(a, {std::int64_t{1} << b.least, std::int64_t{1} << b.least});
        case CodeOp::shift_right:
            if (!fixed || b.least < 0 || b.least > 31) return std::nullopt;
            return Range{a.least >> b.least, a.most >> b.least};
        case CodeOp::least:
            return Range{std::min(a.least, b.least), std::min(a.most, b.most)};
        case CodeOp::most:
            return Range{std::max(a.least, b.least), std::max(a.most, b.most)};
        default:
            return std::nullopt;
    }
}

class Ranges {
public:
    explicit Ranges(const Code& code) : code_(code), flow_(code), results_(code.instructions.size()) {
        // Again, because what a counter is in the body of its loop follows from its step behind the body.
        for (int pass = 0; pass < 3; ++pass)
            for (int i = 0; i < flow_.count(); ++i) results_[i] = result(i);
    }

    const CodeFlow& flow() const { return flow_; }
    /// The range of a register where an instruction reads it.
    MaybeRange of(int number, int reader) const {
        if (const int writer = flow_.writer_for(number, reader); writer >= 0) return results_[writer];
        return flow_.writers(number).size() == 2 ? of_counter(number, reader) : std::nullopt;
    }

private:
    const CodeInstr& at(int index) const { return flow_.at(index); }
    /// Whether a register is a copy of another one that a move made.
    bool is_copy(int number, int of) const {
        const int writer = flow_.only_writer(number);
        return writer >= 0 && at(writer).op == CodeOp::move && at(writer).a == of;
    }

    /// In the body of `for (k = from; k < end; k += step)`, which does not write k otherwise:
    ///     move k, from;   copy = k;  t = copy < end;  jump_if_zero t, leave;   ...   move k, copy' + step
    MaybeRange of_counter(int number, int reader) const {
        const std::vector<int>& writers = flow_.writers(number);
        const int begins = writers[0], steps = writers[1];
        if (at(begins).op != CodeOp::move || at(steps).op != CodeOp::move || reader > steps)
            return std::nullopt;
        const int sum = flow_.only_writer(at(steps).a);
        if (sum < 0 || at(sum).op != CodeOp::add || !is_copy(at(sum).a, number)) return std::nullopt;
        const MaybeRange from = results_[begins], step = of(at(sum).b, sum);
        if (!from || !step || step->least <= 0) return std::nullopt;
        for (int check = begins + 1; check < reader; ++check) {
            const CodeInstr& jump = at(check);
            if (jump.op != CodeOp::jump_if_zero || jump.to <= steps || !flow_.comes_before(check, reader) ||
                !flow_.comes_before(check, steps))
                continue;
            const int compare = flow_.only_writer(jump.a);
            if (compare < 0 || !flow_.comes_before(begins, compare)) continue;
            const CodeInstr& less = at(compare);
            if ((less.op != CodeOp::less && less.op != CodeOp::less_equal) || !is_copy(less.a, number))
                continue;
            const MaybeRange end = of(less.b, compare);
            if (!end) continue;
            const std::int64_t most = end->most - (less.op == CodeOp::less ? 1 : 0);
            if (!within(Range{from->least, most + step->most}, less.type)) continue;
            return Range{std::min(from->least, most), most};
        }
        return std::nullopt;
    }

    MaybeRange result(int index) const {
        const CodeInstr& instr = at(index);
        if (instr.op == CodeOp::special) {
            const int counts[] = {code_.block_x, code_.block_y, code_.block_z, code_.grid_x, code_.grid_y};
            return Range{0, counts[instr.value] - 1};
        }
        return range_of_result(instr, [&](int number) { return of(number, index); });
    }

    const Code& code_;
    CodeFlow flow_;
    std::vector<MaybeRange> results_;  ///< by instruction
};

}  // namespace

MaybeRange range_of_result(const CodeInstr& instr, const std::function<MaybeRange(int)>& operand) {
    if (!CodeFlow::writes(instr)) return std::nullopt;
    switch (instr.op) {
        case CodeOp::constant:
            return within(Range{instr.value, instr.value}, instr.type);
        case CodeOp::move:
            return within(operand(instr.a), instr.type);
        case CodeOp::select: {
            const MaybeRange a = operand(instr.b), b = operand(instr.c);
            if (!a || !b) return std::nullopt;
            return within(Range{std::min(a->least, b->least), std::max(a->most, b->most)}, instr.type);
        }
        case CodeOp::convert:
            return is_float(instr.from) ? std::nullopt : within(operand(instr.a), instr.type);
        case CodeOp::mul_wide: {
            const MaybeRange a = operand(instr.a);
            return a ? product(*a, {instr.value, instr.value}) : std::nullopt;
        }
        case CodeOp::less:
        case CodeOp::less_equal:
        case CodeOp::equal:
        case CodeOp::not_equal:
            return Range{0, 1};
        case CodeOp::popcount:
        case CodeOp::leading_zeros:
        case CodeOp::find_first:
            return Range{0, 32};
        case CodeOp::special:
        case CodeOp::load:
        case CodeOp::shuffle:
        case CodeOp::part:
            return std::nullopt;
        default:
            break;
    }
    MaybeRange a = operand(instr.a), b = operand(instr.b);
    const bool masks = instr.op == CodeOp::bit_and || instr.op == CodeOp::rem;
    if (masks && !is_float(instr.type)) {  // one operand is enough
        if (!a) a = limits_of(instr.type);
        if (!b && instr.op == CodeOp::bit_and) b = limits_of(instr.type);
    }
    if (!a || !b) return std::nullopt;
    return within(result_of(instr.op, *a, *b), instr.type);
}

std::vector<std::optional<CodeRange>> ranges_of_offsets(const Code& code) {
    const Ranges ranges(code);
    const Guards guards(ranges.flow(), code.registers.size(),
                        [&](int number, int reader) { return ranges.of(number, reader); });
    std::vector<std::optional<CodeRange>> offsets(code.instructions.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const CodeInstr& instr = code.instructions[i];
        if (instr.op == CodeOp::load || instr.op == CodeOp::store) offsets[i] = guards.range(instr.a, int(i));
    }
    return offsets;
}

void find_inside(Code& code) {
    const auto offsets = ranges_of_offsets(code);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        CodeInstr& instr = code.instructions[i];
        if (instr.op != CodeOp::load && instr.op != CodeOp::store) continue;
        const std::int64_t bytes = std::int64_t{bytes_of(instr.type)} * instr.lanes;
        instr.inside = offsets[i] && offsets[i]->least >= 0 &&
                       offsets[i]->most <= code.memories[instr.memory].bytes - bytes;
    }
}

}  // namespace warplens::typed
