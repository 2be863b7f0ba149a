#pragma once

#include "app/typed/lower.h"
#include "app/typed/warp/warp_value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace warplens::typed {

/// Registers that are the same for each block have negative numbers.
inline constexpr std::int32_t kNoRegister = std::numeric_limits<std::int32_t>::min();

/// An instruction that a whole warp executes; see CodeOp. Besides:
/// | meet         | the begin of a straight piece of code: lanes that wait for others here go on with them |
/// | load         | a request, and if `to` is a register what an index array contains                     |
/// | jump_if_zero | only forward                                                                           |
/// | finish       | value 1: the end of the kernel, 0: a return before it                                  |
struct WarpInstr {
    CodeOp op = CodeOp::finish;
    CodeType from = CodeType::s32;
    bool whole = false;    ///< no other instruction writes its register, so that all lanes may be overwritten
    bool counted = false;  ///< load, store: one that the model records
    std::int16_t memory = -1;
    std::int32_t to = kNoRegister;     ///< a register, or where a jump leads
    std::int32_t a = 0, b = 0, c = 0;  ///< registers
    std::int32_t steps = 0;            ///< meet: of the model, in the piece of code
    std::int64_t value = 0;            ///< load, store: which site
    std::int64_t most = 0;             ///< load, store: the last offset inside the memory [bytes]
    std::int32_t bytes = 0;            ///< load, store: of each lane [bytes]
    WarpType type{CodeType::s32};
};

/// A kernel for one block after the other, a warp at a time. What follows from the thread alone stands apart,
/// because it is the same in every block; and so does what follows from the block alone, or from both,
/// because it needs no loop.
struct WarpCode {
    std::vector<WarpInstr> of_thread, of_block, of_block_and_thread, instructions;
    int of_warp = 0;        ///< registers that of_thread writes: ~0, ~1, ~2 ...
    int of_each_block = 0;  ///< registers that of_block writes: 0, 1, 2 ...
    int registers = 0;      ///< the others: of_each_block + 0, 1, 2 ...
    std::vector<ModelCode::Site> sites;
};

/// @return  nothing for what no warp executes here: then machine.h is there for it
std::optional<WarpCode> warp_code(const Bound& bound);

}  // namespace warplens::typed
