#include "app/model/fix/kernel_excess.h"

#include "app/model/access/banks.h"
#include "kernels/scenarios/shared_tile.h"

#include <algorithm>

namespace warplens {
namespace {

/// The place of a memory in Bytes. -1 for memories whose room says nothing.
int memory_of(const Instruction& instruction) {
    if (has_banks(instruction.space)) return 0;
    const bool global = instruction.space == Space::global || instruction.space == Space::l2;
    return global ? 1 + instruction.buffer : -1;
}

/// The excess of one request over its ideal. The same as by cost_of(count_access()), which counts more than
/// this.
std::int64_t excess_of(const Instruction& instruction, const WarpAccess& access, const DeviceFacts& device) {
    if (access.active == 0) return 0;
    if (has_banks(access.space)) return count_banks(access, device.bank_rules).excessive();
    return cost_of(instruction, count_access(access, device), device.sector_rules).excess();
}

}  // namespace

KernelExcess::KernelExcess(const FixQuestion& question, const DeviceFacts& device)
    : question_(question), device_(device) {
    for (const Params& access : accesses(question.params)) wanted_.push_back(most_of_request(access));
    worst_instruction_.assign(wanted_.size(), 0);
}

std::vector<Params> KernelExcess::accesses(const Params& params) const {
    std::vector<Params> all{params};
    for (const auto& also : question_.also) {
        const std::optional<Params> access = with_access(*question_.scenario, params, also);
        if (!access) return {};
        all.push_back(*access);
    }
    return all;
}

std::optional<std::int64_t> KernelExcess::of(const Params& params, std::int64_t limit) {
    const std::vector<Params> all = accesses(params);
    for (const Params& access : all)
        if (!does_not_fit(*question_.scenario, access, device_).empty()) return std::nullopt;
    if (all.empty()) return std::nullopt;
    if (question_.scenario->info->id != SharedTile::info.id) return count(all, limit);
    const auto [at, is_new] = known_.try_emplace(tile_layout(params, device_.bank_rules));
    Known& known = at->second;
    if (is_new || (!known.exact && limit > known.excess)) {
        const std::optional<std::int64_t> excess = count(all, limit);
        known = {excess.value_or(limit), excess.has_value()};
    }
    return known.exact && known.excess <= limit ? std::optional(known.excess) : std::nullopt;
}

std::optional<std::int64_t> KernelExcess::count(const std::vector<Params>& all, std::int64_t limit) {
    ++counted_;
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < all.size(); ++n) {
        const std::size_t i = (worst_access_ + n) % all.size();
        if (add_access(all[i], worst_instruction_[i], limit, sum)) continue;
        worst_access_ = i;
        return std::nullopt;
    }
    return sum;
}

bool KernelExcess::add_access(const Params& params, int& worst, std::int64_t limit, std::int64_t& sum) const {
    const Scenario& scenario = *question_.scenario;
    const int count = scenario.instruction_count(params);
    for (int n = 0; n < count; ++n) {
        const int k = (worst + n) % count;
        const Instruction instruction = scenario.instruction(params, k);
        if (scenario.info->irregular || scenario.typed != nullptr) {
            const Totals totals = count_grid(scenario, params, k, device_);
            sum += cost_of(instruction, totals, device_.sector_rules).excess();
        } else {
            visit_requests(scenario, params, k, [&](const WarpAccess& access, std::int64_t times) {
                sum += excess_of(instruction, access, device_) * times;
                return sum <= limit;
            });
        }
        if (sum <= limit) continue;
        worst = k;
        return false;
    }
    return true;
}

bool KernelExcess::asks_for_less(const Params& params) const {
    const std::vector<Params> all = accesses(params);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const LaunchShape shape = question_.scenario->launch(all[i]);
        const auto too_small = [](std::int64_t room, std::int64_t wanted) {
            return room > 0 && room < wanted;  // a variant may do without the memory
        };
        if (too_small(shape.shared_bytes, wanted_[i][0])) return true;
        for (std::size_t b = 0; b < kMaxBuffers; ++b)
            if (too_small(shape.buffer_bytes[b], wanted_[i][1 + b])) return true;
    }
    return false;
}

KernelExcess::Bytes KernelExcess::most_of_request(const Params& params) const {
    Bytes most{};
    const Scenario& scenario = *question_.scenario;
    if (scenario.info->irregular || scenario.typed != nullptr) return most;
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const int memory = memory_of(scenario.instruction(params, k));
        if (memory < 0) continue;
        std::int64_t& bytes = most[memory];
        visit_requests(scenario, params, k, [&](const WarpAccess& access, std::int64_t) {
            if (access.active != 0) bytes = std::max<std::int64_t>(bytes, count_bytes_used(access));
            return true;
        });
    }
    return most;
}

// A swizzle keeps different indices different, and the bits above those that choose a bank follow from
// themselves: so with or without a change among them equal words stay equal, and banks are the same.
std::array<int, 4> tile_layout(const Params& p, const BankRules& rules) {
    // Everything repeats after so many bytes: 32 banks of 4 bytes, or of 8.
    const int period = rules.banks * 4 * (rules.wide_banks ? 2 : 1);
    const int choosing = std::countr_zero(static_cast<unsigned>(period / p.element_bytes));
    const int last = (p.width + p.padding) * p.height - 1;
    const int of_index = std::bit_width(static_cast<unsigned>(last));
    const int end = std::min({p.swizzle_base + p.swizzle_bits, choosing, of_index - p.swizzle_shift});
    if (end <= p.swizzle_base) return {p.padding, 0, 0, 0};
    return {p.padding, end - p.swizzle_base, p.swizzle_base, p.swizzle_shift};
}

}  // namespace warplens
