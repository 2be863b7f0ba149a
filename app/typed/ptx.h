#pragma once

#include "kernels/typed/code.h"

#include <string>

namespace warplens::typed {

/// The task of a kernel's PTX beside the kernel's own work.
enum class PtxKind {
    plain,    ///< nothing: for times
    counted,  ///< nothing, and the compiler may neither drop nor merge an access: for hardware counters
    traced,   ///< it writes the accesses of each thread of some blocks
};

/// A kernel as PTX, the text that NVIDIA's driver compiles. Nothing of a person's text is in it: names are
/// ours, opcodes come from a fixed list, numbers are written by us. Each access is checked: where it lies
/// outside its array, it is not made, and the thread says so.
///
/// The entry "typed_kernel" takes a pointer for each array in global memory, in their order, a pointer to a
/// 32-bit word that becomes 1 when an access lay outside; if traced, further a pointer to 64-bit words, the
/// number of the first traced block (x fastest), how many blocks are traced, and how many accesses of each
/// thread are kept. Each thread of these has a row there: how many it made, then the CodeAccess of each.
/// Shared memory is dynamic: Code::shared_bytes.
std::string ptx_of(const Code& code, PtxKind kind);

}  // namespace warplens::typed
