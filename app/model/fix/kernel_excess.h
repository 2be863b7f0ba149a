#pragma once

#include "app/model/fix/find_fixes.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace warplens {

/// Counts what all accesses of a question take beyond their ideal, setting by setting.
class KernelExcess {
public:
    KernelExcess(const FixQuestion& question, const DeviceFacts& device);

    /// The params of all accesses: the setting's own first. Empty if one of them would not be in range.
    std::vector<Params> accesses(const Params& params) const;

    /// Over the whole grid of all accesses. It stops counting as soon as there is more than `limit`.
    /// @return  empty if there is more, or if one of the accesses is not in range or does not fit the device
    std::optional<std::int64_t> of(const Params& params, std::int64_t limit);

    /// Whether a memory has no room for the different bytes that one request of the question wants there.
    bool asks_for_less(const Params& params) const;

    std::int64_t counted() const { return counted_; }  ///< how many settings were counted

private:
    /// By memory: shared memory, then the buffers of global memory [bytes].
    using Bytes = std::array<std::int64_t, 1 + kMaxBuffers>;
    Bytes most_of_request(const Params& params) const;
    /// The excess of a setting that was counted, or a limit that it is above.
    struct Known {
        std::int64_t excess = 0;
        bool exact = false;
    };
    std::optional<std::int64_t> count(const std::vector<Params>& accesses, std::int64_t limit);
    /// Adds what one access takes beyond its ideal. @return  whether the sum is not above the limit
    bool add_access(const Params& params, int& worst, std::int64_t limit, std::int64_t& sum) const;

    const FixQuestion& question_;
    const DeviceFacts& device_;
    std::vector<Bytes> wanted_;  ///< by access: the most different bytes that one request wants now
    // The instruction that took too much last is counted first, because it probably does again.
    std::size_t worst_access_ = 0;
    std::vector<int> worst_instruction_;  ///< by access
    std::int64_t counted_ = 0;
    std::map<std::array<int, 4>, Known> known_;  ///< by what decides (see tile_layout)
};

/// These decide the bank conflicts of a setting of shared-tile, other things being equal: its padding, and
/// the bits, base and shift of its swizzle without the bits that decide nothing. These are bits of the index
/// that choose no bank, and those that are XOR-ed with bits that no element's index has.
std::array<int, 4> tile_layout(const Params& params, const BankRules& rules);

}  // namespace warplens
