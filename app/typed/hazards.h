#pragma once

#include "app/model/access/hazards.h"
#include "app/typed/program.h"

#include <string>

namespace warplens::typed {

/// The loads and stores of shared memory, with a barrier where accesses before it and behind it are separated
/// by one.
KernelOrder shared_order(const TypedLaunch& launch);

/// The harm that a block's accesses to shared memory can do each other, as the kernel is written. In a block
/// with very many of them the first ones are looked at.
InSteps<HazardReport> report_hazards(const TypedLaunch& launch, std::shared_ptr<const BlockTrace> trace);

/// The same of a block; if it has no hazard, of the first one that has. Blocks that do the same are looked at
/// once. Of a large grid whose blocks do not do the same only some are: then every_block is false.
/// Errors: SourceError for what the block does wrong.
/// @param launch  has to outlive it
InSteps<HazardReport> report_first_hazards(const TypedLaunch& launch, Extent block);

/// The same between the threads of the whole grid, in the array of global memory in which they harm each
/// other most. In a large grid its first blocks and the last one are compared: then there may be more.
///
/// Blocks wait for each other at grid.sync(). Else they are in order where each adds to a counter once: what
/// stands before a __threadfence() and the addition comes before what stands behind a later addition, as in
/// the block that gets the last number (CUDA C++ Programming Guide, memory fence functions).
/// @param launch  has to outlive it
InSteps<HazardReport> report_grid_hazards(const TypedLaunch& launch);

/// The pair of lines with most hazards as a sentence: "a race: ...", "thread 3 loads ...". Empty if nothing
/// is wrong.
std::string race_sentence(const TypedLaunch& launch, const HazardReport& report);

}  // namespace warplens::typed
