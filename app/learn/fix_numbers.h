#pragma once

#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/state.h"
#include "app/learn/fixes.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/prediction.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The cost of an instruction of one of the accesses over the whole grid.
struct InstructionCost {
    std::size_t access = 0;
    std::string label;  ///< "load tile, by columns"
    std::string name;   ///< without how it walks, which a change may change
    Cost cost;
};

/// One side of the numbers: what a setting takes with all accesses.
struct SettingCost {
    KernelCost cost;
    std::vector<InstructionCost> instructions;  ///< of all accesses, one access after the other
    std::int64_t shared_bytes = 0;
    Prediction prediction;  ///< of the setting's own access; its time is that of all of them
    std::optional<Occupancy> occupancy;
    Provenance occupancy_kind = Provenance::exact;
    std::string registers_from;
};

/// The sum with this name. Null if there is none.
const Cost* find_cost(const KernelCost& cost, std::string_view name);

/// Makes numbers of settings that differ from one in nothing but remedies. What it is made of must outlive
/// it.
class Takes {
public:
    Takes(const Setting& setting, const std::vector<DeviceFacts>& devices, const FixQuestion& question)
        : setting_(setting), devices_(devices), question_(question) {}

    SettingCost of(const Params& params, KernelCost cost) const;
    std::vector<Params> accesses(const Params& params) const;

private:
    void add_instructions(std::vector<InstructionCost>& to, std::size_t access, const Params& params) const;

    const Setting& setting_;
    const std::vector<DeviceFacts>& devices_;
    const FixQuestion& question_;
};

/// A change with what it brings.
FixAnswer answer_of(const Params& params, std::string change, const SettingCost& now, const SettingCost& then,
                    Provenance kind);

/// " (load tile, by columns)": what a gain is about, where that is not the only instruction.
std::string gain_is_of(const SettingCost& now);

}  // namespace warplens
