#pragma once

#include "app/experiment/ncu/ncu_compare.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens {

/// A file of Nsight Compute beside what is expected of its launches.
struct ComparedPage {
    std::string name;                     ///< of the file; printable
    std::shared_ptr<const NcuFile> file;  ///< the launches refer to it
    NcuBasis basis;
    std::vector<ComparedLaunch> launches;  ///< by sort_by_loss
};

/// Compare the launches of a file, and order them. A scenario is only laid beside launches of its own grid
/// and block, because a file has those of other kernels as well; a remark says what is not compared, and why.
/// So it does where nothing can be predicted, for example because the accesses cannot be read.
/// @param stop  gives up; the answer is then incomplete.
ComparedPage compare_page(std::shared_ptr<const NcuFile> file, const std::string& name, const NcuBasis& basis,
                          const std::stop_token& stop = {});

}  // namespace warplens
