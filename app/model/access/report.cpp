#include "app/model/access/report.h"

#include "app/base/text.h"

#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/hazards.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"
#include "kernels/launch_setting.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace warplens {
namespace {

/// Goes through the requests of one block, over one period of its steps.
bool visit_block(const Scenario& scenario, const Params& params, int instruction, const LaunchShape& shape,
                 Extent block, const VisitRequest& visit) {
    const Instruction what = scenario.instruction(params, instruction);
    const int steps = steps_of(shape, what), warps = warps_per_block(shape);
    const int period = what.step_period > 0 ? std::min(what.step_period, steps) : steps;
    for (int step = 0; step < period; ++step) {
        const int times = steps / period + (step < steps % period ? 1 : 0);
        for (int warp = 0; warp < warps; ++warp) {
            if (!visit(scenario.warp(params, instruction, block, warp, step), times)) return false;
        }
    }
    return true;
}

/// Adds what visited requests take.
VisitRequest add_to(Totals& totals, const DeviceFacts& device) {
    return [&](const WarpAccess& access, std::int64_t times) {
        totals += count_access(access, device) * times;
        return true;
    };
}

Totals count_block(const Scenario& scenario, const Params& params, int instruction, const LaunchShape& shape,
                   Extent block, const DeviceFacts& device) {
    if (scenario.typed != nullptr && block == Extent{0, 0})
        return scenario.typed->count_first_block(params, instruction, device);
    Totals totals;
    visit_block(scenario, params, instruction, shape, block, add_to(totals, device));
    return totals;
}

/// Blocks of one row or column of the grid that have equal counts: the first of them, and their number.
struct BlockClass {
    int first;
    int times;
};

/// @param shift  the distance of the addresses of neighbouring blocks, modulo kPeriodBytes
std::vector<BlockClass> classes_along(int blocks, int shift) {
    const int inner = blocks - 1;  // only the last block may be partly empty
    const int period = kPeriodBytes / std::gcd(shift, kPeriodBytes);
    std::vector<BlockClass> classes;
    for (int first = 0; first < std::min(period, inner); ++first) {
        classes.push_back({first, (inner - first + period - 1) / period});
    }
    classes.push_back({inner, 1});
    return classes;
}

/// A block, and how many blocks have the same counts.
struct BlockTimes {
    Extent block;
    std::int64_t times;
};

/// Blocks inside the grid differ only by their total shift, so a step in x may represent one in y.
std::vector<BlockTimes> blocks_that_differ(Extent grid, int shift_x, int shift_y) {
    std::vector<BlockTimes> blocks;
    std::array<std::size_t, kPeriodBytes> with_shift;  // the index of the inner block with this shift
    with_shift.fill(SIZE_MAX);
    const auto columns = classes_along(grid.x, shift_x);
    for (const BlockClass& row : classes_along(grid.y, shift_y)) {
        for (const BlockClass& column : columns) {
            const std::int64_t times = std::int64_t{column.times} * row.times;
            const std::int64_t shift =
                (std::int64_t{column.first} * shift_x + std::int64_t{row.first} * shift_y) % kPeriodBytes;
            std::size_t& known = with_shift[std::size_t(shift)];
            const bool inner = column.first < grid.x - 1 && row.first < grid.y - 1;
            if (inner && known != SIZE_MAX) {
                blocks[known].times += times;
                continue;
            }
            if (inner) known = blocks.size();
            blocks.push_back({{column.first, row.first}, times});
        }
    }
    return blocks;
}

/// The number of warps that are counted for the grid of an irregular scenario. In a plot of 65 settings they
/// cost less than the 4 ms that a change may take.
constexpr int kMostWarps = 24;

/// The warps of an irregular grid: all of them up to kMostWarps, otherwise a sample.
Totals count_some(const Scenario& scenario, const Params& params, int instruction, const LaunchShape& shape,
                  const DeviceFacts& device) {
    const int in_block = warps_per_block(shape);
    const int steps = steps_of(shape, scenario.instruction(params, instruction));
    const std::int64_t warps = std::int64_t{shape.grid.x} * shape.grid.y * in_block;
    const bool all = warps <= kMostWarps;
    Totals totals;
    for (int i = 0; i < (all ? int(warps) : kMostWarps); ++i) {
        const WarpPlace place =
            all ? place_of_warp(shape, i) : WarpPlace{sampled_block(i, shape.grid), i % in_block};
        for (int step = 0; step < steps; ++step) {
            totals += count_access(scenario.warp(params, instruction, place.block, place.warp_in_block, step),
                                   device);
        }
    }
    return all ? totals : totals.scaled(warps, kMostWarps);
}

Totals totals_of(const SectorCount& count) {
    return {.instructions = 1,
            .requests = count.requests,
            .sectors = count.sectors,
            .ideal_sectors = count.ideal_sectors,
            .lines = count.lines,
            .transactions = count.transactions,
            .ideal_transactions = count.ideal_transactions,
            .bytes_used = count.bytes_used,
            .bytes_moved = count.bytes_moved};
}

Totals totals_of(const ConstantCount& count) {
    return {.instructions = 1,
            .requests = count.requests,
            .lines = count.lines,
            .bytes_used = count.bytes_used,
            .bytes_moved = std::int64_t{count.lines} * kConstantLineBytes};
}

Totals totals_of(const TextureCount& count) {
    return {.instructions = 1,
            .requests = count.requests,
            .sectors = count.sectors,
            .ideal_sectors = count.ideal_sectors,
            .bytes_used = count.bytes_used,
            .bytes_moved = std::int64_t{count.sectors} * kSectorBytes};
}

Totals count_served(const WarpAccess& access, const DeviceFacts& device) {
    switch (access.space) {
        case Space::global:
        case Space::l2:
            return totals_of(count_sectors(access, device.sector_rules));
        case Space::local:
            return totals_of(count_local(access, local_rules(device)));
        case Space::constant:
            return totals_of(count_constant(access));
        case Space::texture:
            return totals_of(count_texture(access));
        case Space::registers:
            return {.instructions = 1, .requests = 1};
        case Space::shared:
        case Space::cluster:
            break;
    }
    const BankCount count = count_banks(access, device.bank_rules);
    const int bank_bytes = device.bank_rules.wide_banks ? 8 : 4;
    return {.instructions = 1,
            .requests = 1,
            .wavefronts = count.wavefronts,
            .ideal_wavefronts = count.ideal,
            .bytes_used = count_bytes_used(access),
            .bytes_moved = std::int64_t{count.wavefronts} * device.bank_rules.banks * bank_bytes};
}

constexpr std::int64_t Totals::*kFields[] = {
    &Totals::instructions,       &Totals::requests,    &Totals::sectors,
    &Totals::ideal_sectors,      &Totals::lines,       &Totals::transactions,
    &Totals::ideal_transactions, &Totals::wavefronts,  &Totals::ideal_wavefronts,
    &Totals::bytes_used,         &Totals::bytes_moved, &Totals::bytes_wanted};

constexpr CountBasis kExact{};

CountBasis global_basis(const Instruction& instruction, int major) {
    if (major == 3 || major == 1) return kExact;
    if (major == 2 && is_load(instruction.op)) return kExact;
    if (major == 2)
        return {Provenance::approximate,
                "The CUDA C Programming Guide 4.2, appendix F, describes loads; stores are counted alike."};
    return {
        Provenance::approximate,
        "That CC 5.x and 6.x cut a warp into requests of 8, 4 or 2 lanes is an NVIDIA engineer's answer in "
        "the developer forum; the guides only name the 32-byte sectors."};
}

CountBasis shared_basis(const Instruction& instruction, const DeviceFacts& device) {
    const int major = device.cc.major, bytes = instruction.bytes_per_lane;
    if (major == 1)
        return {Provenance::approximate,
                "Which word a step broadcasts is not documented (CUDA C Programming Guide 4.2, appendix F): "
                "the lowest waiting lane's is taken."};
    if (bytes <= 4) return kExact;
    if (major == 2) {
        return bytes == 8
                   ? kExact
                   : CountBasis{Provenance::approximate,
                                "The CUDA C Programming Guide 4.2, appendix F, says that the majority of "
                                "128-bit accesses need one trip more; it is counted for all."};
    }
    if (major == 3) {
        if (bytes == 8 && device.bank_rules.wide_words) return kExact;
        return {Provenance::approximate,
                "The guides give no rule for this width on CC 3.x: that for 32-bit words is applied to all "
                "words of a lane."};
    }
    return {Provenance::approximate,
            "Groups of wide accesses were measured on CC 7.0 and later, not on this one."};
}

CountBasis basis_of(const Scenario& scenario, const Params& params, int index, const DeviceFacts& device) {
    const Instruction instruction = scenario.instruction(params, index);
    if (bool exact = true; scenario.typed != nullptr) {
        scenario.typed->count_grid(params, index, device, exact);
        if (!exact)
            return {
                Provenance::approximate,
                "Blocks do different things, and there are too many of them to execute all at once: some are "
                "counted for all."};
    }
    if (instruction.remade)
        return {Provenance::approximate,
                "The compiler may make others of this atomic operation: it adds up first what the lanes of a "
                "warp add to one place, and has loops for what shared memory cannot do at once."};
    if (scenario.info->irregular)
        return {Provenance::approximate, "Of an irregular grid some blocks are counted for all."};
    if (!is_sure_of_sectors(scenario, params, index, device)) return {Provenance::approximate, kMoreLines};
    return rules_basis(instruction, device);
}

void find_fault(Report& report, const TypedKernel& kernel, const Params& params, const DeviceFacts& device) {
    constexpr int kVolta = 7;
    report.fault_words = kernel.out_of_bounds(params);
    if (!report.fault_words.empty()) report.fault = Fault::out_of_bounds;
    std::string race = kernel.race(params);
    if (race.empty()) return;
    const HazardReport blocks = kernel.first_hazards(params, {0, 0});
    const bool unstored = blocks.counts[int(HazardKind::uninitialized)] > 0;
    if (device.cc.major < kVolta && !unstored && blocks.total() > 0 &&
        blocks.within_warps == blocks.total() && kernel.grid_hazards(params).total() == 0) {
        report.warnings.push_back(
            "the lanes of a warp run in lock step here, so what they share is in order if it is volatile; "
            "from compute capability 7.0 on they do not. " +
            race);
        return;
    }
    report.fault_words = std::move(race);
    const bool first_unstored =
        !blocks.pairs.empty() && blocks.pairs.front().kind == HazardKind::uninitialized;
    // Threads of one block may race in global memory, too.
    const HazardReport grid = blocks.total() == 0 ? kernel.grid_hazards(params) : HazardReport{};
    const bool apart =
        !grid.pairs.empty() && grid.pairs.front().example.first_thread / grid.threads_per_block !=
                                   grid.pairs.front().example.second_thread / grid.threads_per_block;
    report.fault = first_unstored ? Fault::never_stored : apart ? Fault::race_of_blocks : Fault::race;
}

}  // namespace

// To a place outside a texture it is farther than signed numbers reach.
int shift_to(const Scenario& scenario, const Params& params, int instruction, Extent block) {
    const auto at = [&](Extent b) { return scenario.access(params, instruction, {b.x, b.y}).byte_address; };
    return int((at(block) - at({0, 0})) % kPeriodBytes);
}

Totals& Totals::operator+=(const Totals& other) {
    for (const auto field : kFields) this->*field += other.*field;
    return *this;
}

Totals Totals::operator*(std::int64_t times) const {
    Totals result = *this;
    for (const auto field : kFields) result.*field *= times;
    return result;
}

Totals Totals::scaled(std::int64_t times, std::int64_t divisor) const {
    Totals result = *this * times;
    for (const auto field : kFields) result.*field = (result.*field + divisor / 2) / divisor;
    return result;
}

// Uses multiples of Roberts's two irrational numbers, 1 / g and 1 / g^2 with g^3 = g + 1 (the R2 sequence).
Extent sampled_block(int i, Extent grid) {
    const auto place = [i](double irrational, int of) {
        const double at = 0.5 + i * irrational;
        return int((at - std::floor(at)) * of);
    };
    return {place(0.7548776662466927, grid.x), place(0.5698402909980532, grid.y)};
}

std::string_view space_name(Space space) {
    constexpr std::string_view kNames[kSpaceCount] = {"global", "shared",    "constant", "texture",
                                                      "local",  "registers", "l2",       "cluster"};
    return kNames[int(space)];
}

Totals count_access(const WarpAccess& access, const DeviceFacts& device) {
    if (access.active == 0) return {};
    Totals totals = count_served(access, device);
    totals.bytes_wanted = std::int64_t{std::popcount(access.active)} * access.bytes_per_lane;
    return totals;
}

Totals count_grid(const Scenario& scenario, const Params& params, int instruction,
                  const DeviceFacts& device) {
    if (bool exact = false; scenario.typed != nullptr)
        return scenario.typed->count_grid(params, instruction, device, exact);
    const LaunchShape shape = scenario.launch(params);
    if (scenario.info->irregular) return count_some(scenario, params, instruction, shape, device);
    Totals totals;
    visit_requests(scenario, params, instruction, add_to(totals, device));
    return totals;
}

bool visit_requests(const Scenario& scenario, const Params& params, int instruction,
                    const VisitRequest& visit) {
    const LaunchShape shape = scenario.launch(params);
    for (const BlockTimes& one :
         blocks_that_differ(shape.grid, shift_to(scenario, params, instruction, {1, 0}),
                            shift_to(scenario, params, instruction, {0, 1}))) {
        const bool whole = visit_block(
            scenario, params, instruction, shape, one.block,
            [&](const WarpAccess& access, std::int64_t times) { return visit(access, times * one.times); });
        if (!whole) return false;
    }
    return true;
}

bool is_sure_of_sectors(const Scenario& scenario, const Params& params, int instruction,
                        const DeviceFacts& device) {
    const Instruction what = scenario.instruction(params, instruction);
    if (what.space != Space::global || !is_atomic(what.op)) return true;
    if (scenario.typed != nullptr) return false;
    return visit_requests(scenario, params, instruction, [&](const WarpAccess& access, std::int64_t) {
        return count_sectors(access, device.sector_rules).lines <= kSureLines;
    });
}

Totals count_grid_by_force(const Scenario& scenario, const Params& params, int instruction,
                           const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    Totals totals;
    for (int y = 0; y < shape.grid.y; ++y) {
        for (int x = 0; x < shape.grid.x; ++x) {
            totals += count_block(scenario, params, instruction, shape, {x, y}, device);
        }
    }
    return totals;
}

CountBasis count_basis(const Instruction& instruction, const DeviceFacts& device) {
    const int major = device.cc.major;
    if (is_atomic(instruction.op) && major != 0 && (major != 9 || device.cc.minor != 0))
        return {
            Provenance::approximate,
            "How lanes wait for each other in atomic operations was measured on CC 9.0 only. That this GPU "
            "does the same is assumed."};
    if ((major == 0 || major >= 7) && instruction.space != Space::cluster) return kExact;
    const Space space = instruction.space;
    if (space == Space::registers) return kExact;
    if (space == Space::global || space == Space::l2) return global_basis(instruction, major);
    if (space == Space::shared) return shared_basis(instruction, device);
    return {
        Provenance::approximate,
        space == Space::cluster ? "How the banks serve remote requests is not documented."
        : space == Space::constant
            ? "One request for each distinct word was measured on CC 9.0; the guides say that the cost grows "
              "with the number of addresses, on CC 1.x in each half-warp."
        : space == Space::texture
            ? "Groups of four lanes and sectors of 4 x 2 texels were measured on CC 9.0; this GPU's layout "
              "is not documented."
            : "Interleaved words are documented; how this GPU moves them is taken from its global memory, "
              "or from CC 9.0."};
}

CountBasis rules_basis(const Instruction& instruction, const DeviceFacts& device) {
    if (instruction.linear)
        return {Provenance::approximate, "How the four texels of a lane travel was not measured."};
    if (instruction.by_assembler) return {Provenance::recorded, "From what the compiler reported."};
    return count_basis(instruction, device);
}

SectorRules local_rules(const DeviceFacts& device) {
    return device.cc.major >= 1 && device.cc.major <= 2 ? device.sector_rules : SectorRules{};
}

std::optional<WarpAccess> joined_access(std::span<const WarpAccess> parts) {
    WarpAccess all = parts.front();
    all.bytes_per_lane *= int(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].active != all.active) return std::nullopt;
        for (std::uint32_t rest = all.active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t first = all.byte_address[lane],
                                own = i * std::size_t(parts[i].bytes_per_lane);
            if (first % std::size_t(all.bytes_per_lane) != 0 || parts[i].byte_address[lane] != first + own)
                return std::nullopt;
        }
    }
    return all;
}

std::vector<InstructionReport> pictured_requests(const Scenario& scenario, const Params& params,
                                                 const DeviceFacts& device) {
    std::vector<InstructionReport> rows;
    const LaunchShape shape = scenario.launch(params);
    const WarpPlace place = place_of_warp(shape, params.warp);
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        InstructionReport row{.instruction = scenario.instruction(params, k)};
        const int step = pictured_step(shape, row.instruction, params.step);
        row.access = scenario.warp(params, k, place.block, place.warp_in_block, step);
        row.warp = count_access(row.access, device);
        rows.push_back(row);
    }
    return rows;
}

std::string does_not_fit(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const auto why = refuse_launch(*scenario.info, params, scenario.launch(params),
                                   {.gpu = device.name,
                                    .cc = device.cc.major * 10 + device.cc.minor,
                                    .threads_per_block = device.max_threads_per_block,
                                    .shared_per_block = device.shared_per_block_bytes,
                                    .registers_per_thread = device.registers_per_thread,
                                    .registers_per_block = device.registers_per_block,
                                    .sms = device.sm_count,
                                    .threads_per_sm = device.max_threads_per_sm,
                                    .blocks_per_sm = device.max_blocks_per_sm,
                                    .registers_per_sm = device.memory.registers_bytes / 4,
                                    .shared_per_sm = device.memory.shared_bytes,
                                    .memory_bytes = device.memory_bytes});
    return why ? capitalized(why->reason) + "." : std::string();
}

Report analyze(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    Report report{.shape = scenario.launch(params), .step = params.step, .sector_rules = device.sector_rules};
    report.place = place_of_warp(report.shape, params.warp);
    report.does_not_fit = does_not_fit(scenario, params, device);
    if (scenario.typed != nullptr) {
        report.warnings = scenario.typed->warnings(params);
        find_fault(report, *scenario.typed, params, device);
        if (std::string problem = scenario.typed->problem(params); !problem.empty())
            report.does_not_fit = std::move(problem);
    } else if (const auto lost = scenario.facts->sharing.lost; lost != nullptr && !lost(params).empty()) {
        report.fault = Fault::lost_updates;
        report.fault_words = lost(params);
    }
    report.instructions = pictured_requests(scenario, params, device);
    for (int k = 0; InstructionReport & row : report.instructions) {
        const CountBasis basis = basis_of(scenario, params, k, device);
        row.kind = basis.kind;
        row.source = basis.source;
        if (row.kind != Provenance::exact) report.kind = row.kind;
        row.block = count_block(scenario, params, k, report.shape, report.place.block, device);
        row.grid = count_grid(scenario, params, k, device);
        ++k;
    }
    return report;
}

}  // namespace warplens
