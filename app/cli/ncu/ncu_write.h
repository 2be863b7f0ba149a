#pragma once

#include "app/cli/ncu/ncu_compare.h"

#include <string>
#include <vector>

namespace warplens {

/// What `warplens import-ncu` has found out.
struct NcuAnswer {
    std::string file_name;
    const NcuFile* file = nullptr;
    const NcuBasis* basis = nullptr;
    std::vector<ComparedLaunch> launches;
};

/// For people: a table for each launch, facts, differences, a summary.
std::string ncu_to_text(const NcuAnswer& answer);

/// {"schema":1,"program":…,"file":…,"page":…,"compared_with":…,"launches":[…]}, each launch with
///  "counters":[{"metric":…,"name":…,"predicted":…,"kind":…,"counted":…,
///  "verdict":…,"remark":…},…], "missing":[…], "facts":[…], "differences":[…].
///  null: nothing is predicted.
std::string ncu_to_json(const NcuAnswer& answer);

/// launch,process,kernel,metric,name,predicted,kind,counted,verdict,remark: one row for each counter.
std::string ncu_to_csv(const NcuAnswer& answer);

}  // namespace warplens
