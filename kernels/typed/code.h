#pragma once

// The folder kernels/typed/ runs kernels that a person typed on a GPU. No text comes here, only this list of
// instructions, whose operations are known and whose memory is named by number: app/typed/lower.h makes it
// from a checked text, app/typed/ptx.h writes it as PTX, and code_step.h executes it a thread at a time.

#include "kernels/host_device.h"

#include <cstdint>
#include <vector>

namespace warplens {

enum class CodeOp : std::uint8_t {
    constant,  ///< to = value; of floating-point types: the bits of a double
    move,      ///< to = a
    select,    ///< to = a != 0 ? b : c
    mul_wide,  ///< to = a * value, of 64 bits; a is of `type`, which has 32
    add,
    sub,
    mul,
    div,
    rem,
    bit_and,
    bit_or,
    bit_xor,
    shift_left,
    shift_right,
    least,
    most,
    less,        ///< to = a < b, of `type`; the result is 0 or 1
    less_equal,  ///< likewise
    equal,
    not_equal,
    absolute,
    popcount,
    leading_zeros,
    find_first,
    square_root,  ///< this and the following: floating-point types only
    reciprocal_root,
    power_of_two,
    logarithm,  ///< of base 2
    sine,
    cosine,
    round_down,
    round_up,
    round_nearest,
    truncate,
    convert,  ///< to = a, of type `from`, as `type`
    special,  ///< to = value: a CodeSpecial
    load,     ///< `lanes` registers from `to` on = memory[a]; a is a byte offset of 32 or 64 bits; value:
              ///< which access; c: the register of the element's index, if a follows from it alone, else -1
    store,    ///< memory[a] = `lanes` registers from b on
    jump,     ///< to instruction `to`
    jump_if_zero,  ///< the same if a is 0
    shuffle,       ///< to = a of another lane; b: the lane or distance; c: the mask; value: a CodeShuffle and
                   ///< 16 times the lanes of a group
    barrier,       ///< of the block
    warp_barrier,  ///< of the warp
    part,  ///< to = the lanes that execute this together, before they may part. Only where lanes are counted.
    meet,  ///< the lanes of `a` wait for each other. Only where lanes are counted.
    finish,
};

enum class CodeType : std::uint8_t { boolean, s8, u8, s16, u16, s32, u32, s64, u64, f32, f64 };
WARPLENS_HD constexpr bool is_float(CodeType type) { return type >= CodeType::f32; }
WARPLENS_HD constexpr int bytes_of(CodeType type) {
    constexpr int kBytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return kBytes[int(type)];
}

enum class CodeSpecial : std::uint8_t { thread_x, thread_y, thread_z, block_x, block_y };
enum class CodeShuffle : std::uint8_t { from, up, down, across };

/// Registers hold one value of a thread: integers below 64 bits as themselves, extended by their sign or by
/// 0.
struct CodeInstr {
    CodeOp op = CodeOp::finish;
    CodeType type = CodeType::s32, from = CodeType::s32;
    std::uint8_t lanes = 1;    ///< of a vector in memory: 1, 2 or 4
    bool counted = true;       ///< load, store: whether it is one of the accesses of the text
    bool inside = false;       ///< load, store: it cannot leave its memory, which was found out beforehand
    std::int16_t memory = -1;  ///< load, store: its number
    std::int32_t to = 0, a = 0, b = 0, c = 0;
    std::int64_t value = 0;
};

enum class CodeSpace : std::uint8_t { global, shared, constant, local };
/// The integers of an array before the launch.
enum class CodeContent : std::uint8_t { unknown, sequential, reversed, permuted, random };

struct CodeMemory {
    CodeSpace space = CodeSpace::global;
    CodeType type = CodeType::f32;  ///< of an element, or of a component of it
    std::int64_t begin = 0;         ///< of shared, constant and local memory: where it begins in that [bytes]
    std::int64_t bytes = 0;         ///< more than 0
    CodeContent content = CodeContent::unknown;
    std::int32_t slot = 0;  ///< of local memory: where code_step.h keeps its elements, among the registers
};

/// A kernel with everything that its launch needs.
struct Code {
    std::vector<CodeInstr> instructions;
    std::vector<CodeType> registers;  ///< the type of each
    std::vector<CodeMemory> memories;
    std::int64_t shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
    int slots = 0;  ///< registers and elements of local memory
    int grid_x = 1, grid_y = 1;
    int block_x = 1, block_y = 1, block_z = 1;
    int accesses = 0;  ///< of the text

    std::int64_t blocks() const { return std::int64_t{grid_x} * grid_y; }
    int threads() const { return block_x * block_y * block_z; }
};

/// One executed load or store of a thread.
struct CodeAccess {
    std::uint64_t packed = 0;

    static constexpr int kOffsetBits = 48;
    WARPLENS_HD static constexpr CodeAccess of(std::int64_t access, std::int64_t offset) {
        return {static_cast<std::uint64_t>(access) << kOffsetBits | static_cast<std::uint64_t>(offset)};
    }
    constexpr int access() const { return int(packed >> kOffsetBits); }
    constexpr std::int64_t offset() const {
        return static_cast<std::int64_t>(packed & ((std::uint64_t{1} << kOffsetBits) - 1));
    }
};

}  // namespace warplens
