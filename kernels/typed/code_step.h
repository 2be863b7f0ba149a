#pragma once

#include "kernels/hash.h"
#include "kernels/host_device.h"
#include "kernels/typed/code.h"

namespace warplens {

/// An integer in the range of a type, as C++ converts it: modulo 2^bits.
WARPLENS_HD constexpr std::int64_t code_wrap(std::int64_t value, CodeType type) {
    switch (type) {
        case CodeType::boolean:
            return value != 0;
        case CodeType::s8:
            return static_cast<std::int8_t>(value);
        case CodeType::u8:
            return static_cast<std::uint8_t>(value);
        case CodeType::s16:
            return static_cast<std::int16_t>(value);
        case CodeType::u16:
            return static_cast<std::uint16_t>(value);
        case CodeType::s32:
            return static_cast<std::int32_t>(value);
        case CodeType::u32:
            return static_cast<std::uint32_t>(value);
        default:
            return value;
    }
}

/// Element i of an array of `count` integers; see CodeContent.
WARPLENS_HD constexpr std::int64_t code_content(CodeContent content, std::int64_t i, std::int64_t count) {
    if (content == CodeContent::sequential) return i;
    if (content == CodeContent::reversed) return count - 1 - i;
    if (content == CodeContent::random)
        return static_cast<std::int64_t>(mix_bits(static_cast<std::uint32_t>(i) + 1) %
                                         static_cast<std::uint64_t>(count));
    if (content != CodeContent::permuted) return 0;
    int bits = 2;
    while (bits < 31 && (std::int64_t{1} << bits) < count) ++bits;
    // Numbers beyond the end are shuffled again until they lie in the array.
    std::uint32_t item = shuffle_bits(static_cast<std::uint32_t>(i), bits, 1);
    while (item >= static_cast<std::uint64_t>(count)) item = shuffle_bits(item, bits, 1);
    return item;
}

/// The result of an operation with one or two integers. Divisions by 0 and shifts by more than the width,
/// which the model refuses, give 0.
WARPLENS_HD constexpr std::int64_t code_result(const CodeInstr& instr, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    const bool wide = instr.type == CodeType::u64;
    const int bits = 8 * bytes_of(instr.type);
    std::int64_t result = 0;
    switch (instr.op) {
        case CodeOp::add:
            result = static_cast<std::int64_t>(ua + ub);
            break;
        case CodeOp::sub:
            result = static_cast<std::int64_t>(ua - ub);
            break;
        case CodeOp::mul:
            result = static_cast<std::int64_t>(ua * ub);
            break;
        case CodeOp::div:
        case CodeOp::rem:
            if (b == 0 || (!wide && b == -1)) {
                result = b == 0 || instr.op == CodeOp::rem ? 0 : static_cast<std::int64_t>(0 - ua);
                break;
            }
            if (wide)
                result = static_cast<std::int64_t>(instr.op == CodeOp::div ? ua / ub : ua % ub);
            else
                result = instr.op == CodeOp::div ? a / b : a % b;
            break;
        case CodeOp::bit_and:
            return a & b;
        case CodeOp::bit_or:
            return a | b;
        case CodeOp::bit_xor:
            return a ^ b;
        case CodeOp::shift_left:
            result = b < 0 || b >= bits ? 0 : static_cast<std::int64_t>(ua << b);
            break;
        case CodeOp::shift_right:
            result = b < 0 || b >= bits ? 0 : wide ? static_cast<std::int64_t>(ua >> b) : a >> b;
            break;
        case CodeOp::least:
            return (wide ? ua < ub : a < b) ? a : b;
        case CodeOp::most:
            return (wide ? ua < ub : a < b) ? b : a;
        case CodeOp::less:
            return wide ? ua < ub : a < b;
        case CodeOp::less_equal:
            return wide ? ua <= ub : a <= b;
        case CodeOp::equal:
            return a == b;
        case CodeOp::not_equal:
            return a != b;
        case CodeOp::absolute:
            result = a < 0 ? static_cast<std::int64_t>(0 - ua) : a;
            break;
        case CodeOp::popcount: {
            int count = 0;
            for (auto rest = static_cast<std::uint32_t>(a); rest != 0; rest &= rest - 1) ++count;
            return count;
        }
        case CodeOp::leading_zeros: {
            int count = 0;
            for (std::uint32_t bit = 1u << 31; bit != 0 && (static_cast<std::uint32_t>(a) & bit) == 0;
                 bit >>= 1)
                ++count;
            return count;
        }
        case CodeOp::find_first: {
            int place = 0;
            for (auto rest = static_cast<std::uint32_t>(a); rest != 0; rest >>= 1) {
                ++place;
                if ((rest & 1u) != 0) return place;
            }
            return 0;
        }
        default:
            return 0;
    }
    return code_wrap(result, instr.type);
}

/// The places at which the threads of a block wait for each other, and the end.
enum class CodeStop : std::uint8_t { finished, at_barrier, at_shuffle, out_of_bounds, too_long };

/// A thread between two steps.
struct CodeThread {
    int thread_x = 0, thread_y = 0, thread_z = 0, block_x = 0, block_y = 0;
    int next = 0;                 ///< the instruction
    std::int64_t steps_left = 0;  ///< a bound for the loops of a text that nobody has checked
};

/// The lane whose value a shuffle gives to a lane.
/// @param by  the lane or the distance
WARPLENS_HD constexpr int code_shuffle_source(const CodeInstr& instr, int lane, std::int64_t by) {
    const int width = int(instr.value / 16), begin = lane / width * width;
    std::int64_t from = lane;
    switch (static_cast<CodeShuffle>(instr.value % 16)) {
        case CodeShuffle::from:
            from = begin + (by & (width - 1));
            break;
        case CodeShuffle::up:
            from = lane - by;
            break;
        case CodeShuffle::down:
            from = lane + by;
            break;
        case CodeShuffle::across:
            from = lane ^ by;
            break;
    }
    return from < begin || from >= begin + width ? lane : int(from);
}

/// Executes a thread until it has to wait. Only integers are computed that follow from thread indices and
/// from index arrays, because only these choose addresses: all other values are 0.
/// @param registers  those of the thread
/// @param visit      called as visit(access, offset) for each load and store of the text
/// @return           at_shuffle: `next` is the exchange, which the caller has to do, and then add 1
template <class Registers, class Visit>
WARPLENS_HD CodeStop run_code(const CodeInstr* code, const CodeMemory* memories, CodeThread& thread,
                              Registers& registers, Visit&& visit) {
    while (true) {
        if (--thread.steps_left < 0) return CodeStop::too_long;
        const CodeInstr& instr = code[thread.next];
        switch (instr.op) {
            case CodeOp::constant:
                registers[instr.to] = is_float(instr.type) ? 0 : instr.value;
                break;
            case CodeOp::move:
                registers[instr.to] = registers[instr.a];
                break;
            case CodeOp::select:
                registers[instr.to] = registers[registers[instr.a] != 0 ? instr.b : instr.c];
                break;
            case CodeOp::mul_wide:
                registers[instr.to] = static_cast<std::int64_t>(
                    static_cast<std::uint64_t>(registers[instr.a]) * static_cast<std::uint64_t>(instr.value));
                break;
            case CodeOp::convert:
                registers[instr.to] = is_float(instr.type) || is_float(instr.from)
                                          ? 0
                                          : code_wrap(registers[instr.a], instr.type);
                break;
            case CodeOp::special: {
                const int values[] = {thread.thread_x, thread.thread_y, thread.thread_z, thread.block_x,
                                      thread.block_y};
                registers[instr.to] = values[instr.value];
                break;
            }
            case CodeOp::load:
            case CodeOp::store: {
                const CodeMemory& memory = memories[instr.memory];
                const std::int64_t offset = registers[instr.a], bytes = bytes_of(instr.type) * instr.lanes;
                if (offset < 0 || offset > memory.bytes - bytes) return CodeStop::out_of_bounds;
                if (instr.counted) visit(instr.value, offset);
                const int each = bytes_of(memory.type);
                if (memory.space == CodeSpace::local) {
                    const auto element = static_cast<std::int32_t>(memory.slot + offset / each);
                    for (int lane = 0; lane < instr.lanes; ++lane) {
                        if (instr.op == CodeOp::store)
                            registers[element + lane] = registers[instr.b + lane];
                        else
                            registers[instr.to + lane] = registers[element + lane];
                    }
                    break;
                }
                if (instr.op == CodeOp::store) break;
                for (int lane = 0; lane < instr.lanes; ++lane)
                    registers[instr.to + lane] =
                        instr.lanes > 1 || is_float(instr.type)
                            ? 0
                            : code_wrap(code_content(memory.content, offset / each, memory.bytes / each),
                                        instr.type);
                break;
            }
            case CodeOp::jump:
                thread.next = instr.to;
                continue;
            case CodeOp::jump_if_zero:
                if (registers[instr.a] == 0) {
                    thread.next = instr.to;
                    continue;
                }
                break;
            case CodeOp::shuffle:
                return CodeStop::at_shuffle;
            case CodeOp::barrier:
                ++thread.next;
                return CodeStop::at_barrier;
            case CodeOp::warp_barrier:
            case CodeOp::part:
            case CodeOp::meet:
                break;
            case CodeOp::finish:
                return CodeStop::finished;
            default:
                registers[instr.to] =
                    is_float(instr.type) ? 0 : code_result(instr, registers[instr.a], registers[instr.b]);
        }
        ++thread.next;
    }
}

}  // namespace warplens
