#pragma once

#include "app/base/in_steps.h"
#include "app/model/access/report.h"
#include "app/typed/program.h"

#include <memory>
#include <vector>

namespace warplens::typed {

/// The effect of each load and store of a launch on memory, in the order of TypedLaunch::accesses.
struct TypedCounts {
    std::vector<Totals> warp;   ///< the first request with an active lane in block (0, 0)
    std::vector<Totals> block;  ///< block (0, 0)
    std::vector<Totals> grid;
    Arithmetic arithmetic;  ///< of the grid
    /// Exact if all blocks were executed; approximate if some of them stand for all, because too many do
    /// something of their own, if a block makes an access that no block made before, or if lanes part.
    Provenance kind = Provenance::exact;
    bool tried_all = false;  ///< whether patience was without limits
};

/// Errors: SourceError for what a block does wrong.
/// @param patience  when it ends, some blocks are counted for all
InSteps<TypedCounts> count_launch(std::shared_ptr<const TypedLaunch> launch, DeviceFacts device,
                                  Patience patience = {});

/// A request as the memory system sees it, in the block that lies (x, y) behind the first of its range.
WarpAccess warp_access(const TypedLaunch& launch, const Request& request, std::int64_t x = 0,
                       std::int64_t y = 0);

Space space_of(Storage storage);  ///< of memory

}  // namespace warplens::typed
