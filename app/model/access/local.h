#pragma once

#include "app/model/access/sectors.h"
#include "kernels/warp_access.h"

namespace warplens {

/// Where the per-thread arrays of a warp really lie. The hardware interleaves them: word w of all 32 lanes is
/// adjacent in one 128-byte line, so lanes that use the same index access 4 sectors and lanes that use
/// different ones up to 32. Sectors and lines are then counted as in global memory
/// (app/model/access/sectors.h). Source: CUDA C++ Programming Guide, local memory; reference tables, measured
/// by `l1tex__t_sectors_pipe_lsu_mem_local_op_ld`.
///
/// @param access  Space::local: byte offsets in the array of each lane, at most 4 bytes per lane.
/// @return        addresses from the start of the warp's interleaved words, with 4 bytes per word and lane.
WarpAccess interleave_local(const WarpAccess& access);

/// What one warp-wide load or store of per-thread arrays costs. A lane of 8 or 16 bytes accesses 2 or 4
/// words, each in a line of its own: for every width at least as many bytes are moved as the lanes request.
/// Errors: none. Allocates nothing.
/// @param rules  for CC 1.x and 2.x: how the interleaved words are moved. Each word of a lane's 8 or 16 bytes
/// is then a request of its own.
SectorCount count_local(const WarpAccess& access, const SectorRules& rules = {});

}  // namespace warplens
