#pragma once

#include "app/model/access/sectors.h"
#include "kernels/warp_access.h"

namespace warplens {

/// Where a warp's private arrays really lie. The hardware interleaves them: word w of all 32 lanes stands
/// side by side in one 128-byte line, so lanes that use the same index touch 4 sectors and lanes that use
/// different ones up to 32. Sectors and lines are then counted as in global memory
/// (app/model/access/sectors.h). Source: CUDA C++ Programming Guide, local memory; reference tables, measured
/// by `l1tex__t_sectors_pipe_lsu_mem_local_op_ld`.
///
/// @param access  Space::local: byte offsets in each lane's own array, at most 4 bytes per lane.
/// @return        addresses from the start of the warp's interleaved words; 4 bytes of it per word and lane.
WarpAccess interleave_local(const WarpAccess& access);

/// What one warp-wide load or store of private arrays costs. A lane of 8 or 16 bytes uses 2 or 4 words, each
/// in a line of its own: every width moves at least as many bytes as its lanes want.
/// Errors: none. Allocates nothing.
/// @param rules  CC 1.x and 2.x: how the interleaved words are moved; each word of a lane's 8 or 16 bytes is
///               then a request of its own.
SectorCount count_local(const WarpAccess& access, const SectorRules& rules = {});

}  // namespace warplens
