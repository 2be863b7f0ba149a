#include "app/model/access/counts.h"

#include <algorithm>

namespace warplens {
namespace {

using T = const Totals&;

constexpr CountKey kInstructions{"instructions", [](T t) { return t.instructions; }};
constexpr CountKey kRequests{"requests", [](T t) { return t.requests; }, Better::less};
constexpr CountKey kSectors{"sectors", [](T t) { return t.sectors; }, Better::less, true};
constexpr CountKey kIdealSectors{"ideal_sectors", [](T t) { return t.ideal_sectors; }, Better::neither, true};
constexpr CountKey kLines{"lines", [](T t) { return t.lines; }, Better::less};
constexpr CountKey kTransactions{"transactions", [](T t) { return t.transactions; }, Better::less, true};
constexpr CountKey kIdealTransactions{"ideal_transactions", [](T t) { return t.ideal_transactions; },
                                      Better::neither, true};
constexpr CountKey kWavefronts{"wavefronts", [](T t) { return t.wavefronts; }, Better::less, true};
constexpr CountKey kIdealWavefronts{"ideal_wavefronts", [](T t) { return t.ideal_wavefronts; },
                                    Better::neither, true};
constexpr CountKey kExcessive{"excessive_wavefronts", [](T t) { return t.excessive_wavefronts(); },
                              Better::less};
constexpr CountKey kBytesUsed{"bytes_used", [](T t) { return t.bytes_used; }};
constexpr CountKey kBytesMoved{"bytes_moved", [](T t) { return t.bytes_moved; }, Better::less};

constexpr std::string_view kRequest = "Warp-wide instructions with at least one active lane.";
constexpr std::string_view kUsed = "Distinct bytes that lanes request, summed over requests.";
constexpr std::string_view kPacked = "If the lanes' bytes were contiguous.";

constexpr CountWords kGlobal[] = {
    {kRequests, "requests", kRequest, "l1tex__t_requests_pipe_lsu_mem_global_op_{}"},
    {kSectors, "sectors", "32-byte pieces of memory that are transferred.",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_{}"},
    {kIdealSectors, "ideal sectors", kPacked, "memory_l2_theoretical_sectors_global_ideal"},
    {kLines, "lines", "Distinct 128-byte lines, four sectors each, summed over requests.",
     "smsp__sass_l1tex_tags_mem_global"},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Sectors × 32 bytes.", "", true},
};

/// CC 3.x to 6.x: the same, but a warp is served in parts, and no current profiler counts there.
constexpr CountWords kSplit[] = {
    {kRequests, "requests", "Groups of lanes that are served on their own and have an active one.", ""},
    {kSectors, "sectors", "32-byte pieces of memory that are transferred, summed over requests.", ""},
    {kIdealSectors, "ideal sectors", kPacked, ""},
    {kLines, "lines", "Distinct 128-byte lines, four sectors each, summed over requests.", ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Sectors × 32 bytes.", "", true},
};
/// CC 2.x.
constexpr CountWords kLinesWhole[] = {
    {kRequests, "requests", "Warps; half-warps for 8 bytes per lane, quarter-warps for 16.", ""},
    {kTransactions, "lines",
     "128-byte lines that are transferred whole, through the L1 (-Xptxas -dlcm=ca, the default). With -dlcm=cg loads "
     "bypass the L1 and move 32-byte segments.",
     ""},
    {kIdealTransactions, "ideal lines", kPacked, ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Lines × 128 bytes.", "", true},
};
/// CC 1.x.
constexpr CountWords kSegments[] = {
    {kRequests, "requests", "Half-warps with an active lane: each is served on its own.", ""},
    {kTransactions, "transactions", "Segments of 32, 64 or 128 bytes that are transferred.", ""},
    {kIdealTransactions, "ideal", kPacked, ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Sizes of all transactions together.", "", true},
};

constexpr CountWords kShared[] = {
    {kRequests, "requests", kRequest, "smsp__inst_executed_op_shared_{}"},
    {kWavefronts, "wavefronts", "Steps in which each bank delivers one word.",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}"},
    {kIdealWavefronts, "ideal",
     "Wavefronts that the same lanes would need without conflicts: one per group of lanes.",
     "memory_l1_wavefronts_shared_ideal"},
    {kExcessive, "excessive", "Wavefronts above the ideal: what conflicts cost.",
     "derived__memory_l1_wavefronts_shared_excessive"},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes at full bank width", "What the banks could have delivered in these wavefronts.", "",
     true},
};

constexpr CountWords kCluster[] = {
    {kRequests, "requests", kRequest, ""},
    {kWavefronts, "wavefronts", "Wavefronts of the banks of the target block.", ""},
    {kIdealWavefronts, "ideal", "Wavefronts that the same lanes would need without conflicts.", ""},
    {kExcessive, "excessive", "Wavefronts above the ideal: what conflicts cost.", ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
};

constexpr CountWords kConstant[] = {
    {kInstructions, "instructions", kRequest, ""},
    {kRequests, "requests",
     "One for each distinct 32-bit word that the lanes of an instruction request; they are serialized.",
     "idc__requests"},
    {kLines, "lines", "Distinct 64-byte lines of the constant cache, summed over instructions.", ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Lines × 64 bytes.", "", true},
};

constexpr CountWords kTexture[] = {
    {kInstructions, "instructions", kRequest, ""},
    {kRequests, "requests", "Groups of four neighbouring lanes: the texture unit takes one at a time.",
     "l1tex__t_requests_pipe_tex_mem_texture"},
    {kSectors, "sectors", "32-byte pieces, 4 texels across by 2 rows, summed over requests.",
     "l1tex__t_sectors_pipe_tex_mem_texture"},
    {kIdealSectors, "ideal sectors", "If each group's texels lay in as few sectors as possible.", ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Sectors × 32 bytes.", "", true},
};

constexpr CountWords kLocal[] = {
    {kRequests, "requests", kRequest, "l1tex__t_requests_pipe_lsu_mem_local_op_{}"},
    {kSectors, "sectors", "32-byte pieces: one word of 8 neighbouring lanes each.",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_{}"},
    {kIdealSectors, "ideal sectors", "If all lanes used the same index.", ""},
    {kLines, "words", "Distinct words of the array, summed over requests: a 128-byte line each.", ""},
    {kBytesUsed, "bytes used", kUsed, "", true},
    {kBytesMoved, "bytes moved", "Sectors × 32 bytes.", "", true},
};

constexpr CountWords kRegisters[] = {
    {kInstructions, "instructions",
     "Warp-wide instructions with at least one active lane. No memory is accessed.", ""},
};

}  // namespace

std::span<const CountKey> counts_of_files() {
    static constexpr CountKey kFiles[] = {kRequests,  kSectors,    kIdealSectors,
                                          kLines,     kWavefronts, kIdealWavefronts,
                                          kExcessive, kBytesUsed,  kBytesMoved};
    return kFiles;
}

std::span<const CountWords> counts_of(Space space, const SectorRules& rules) {
    if (space == Space::shared) return kShared;
    if (space == Space::cluster) return kCluster;
    if (space == Space::constant) return kConstant;
    if (space == Space::texture) return kTexture;
    if (space == Space::registers) return kRegisters;
    if (rules.coalescing == CoalescingRules::whole_lines) return kLinesWhole;
    if (rules.coalescing != CoalescingRules::sectors) return kSegments;
    if (space == Space::local) return kLocal;
    if (rules.lanes_per_request != SectorRules{}.lanes_per_request) return kSplit;
    return kGlobal;
}

CostWords cost_of(Space space, const SectorRules& rules) {
    if (has_banks(space)) return {"wavefronts", kWavefronts.value, kIdealWavefronts.value, kWavefronts.key};
    if (space == Space::constant)
        return {"requests", kRequests.value, kInstructions.value, kRequests.key, "an instruction"};
    if (space == Space::registers)
        return {"instructions",    kInstructions.value, kInstructions.value,
                kInstructions.key, "a request",         Better::neither};
    if (space == Space::texture)  // a request is of four lanes
        return {"sectors", kSectors.value, kIdealSectors.value, kSectors.key, "an instruction"};
    if (rules.coalescing == CoalescingRules::sectors)
        return {"sectors", kSectors.value, kIdealSectors.value, kSectors.key};
    return {rules.coalescing == CoalescingRules::whole_lines ? "lines" : "transactions", kTransactions.value,
            kIdealTransactions.value, kTransactions.key};
}

Cost cost_of(const Instruction& instruction, const Totals& totals, const SectorRules& rules) {
    if (instruction.space == Space::registers) return {};
    Cost one{.words = cost_of(instruction.space, rules), .requests = totals.instructions};
    one.cost = one.words.cost(totals);
    one.ideal = std::min(one.cost, one.words.ideal(totals));
    if (instruction.operand && instruction.space == Space::constant) one.ideal = one.cost;
    if (instruction.by_assembler) one.ideal = 0;
    return one;
}

bool is_notable(std::int64_t part, std::span<const Cost> grid) {
    constexpr std::int64_t kShare = 20;
    std::int64_t all = 0;
    for (const Cost& one : grid) all += one.cost;
    return part > 0 && part * kShare >= all;
}

std::size_t costliest(std::span<const Cost> grid) {
    const auto place = [&](auto most) { return static_cast<std::size_t>(most - grid.begin()); };
    if (grid.empty()) return 0;
    const auto worst = std::ranges::max_element(grid, {}, &Cost::excess);
    return place(is_notable(worst->excess(), grid) ? worst : std::ranges::max_element(grid, {}, &Cost::cost));
}

void KernelCost::add(const Cost& one) {
    if (one.words.name.empty()) return;
    const auto same =
        std::ranges::find_if(sums, [&](const Cost& sum) { return sum.words.name == one.words.name; });
    if (same == sums.end()) return sums.push_back(one);
    same->cost += one.cost;
    same->ideal += one.ideal;
    same->requests += one.requests;
}

std::int64_t KernelCost::cost() const {
    std::int64_t all = 0;
    for (const Cost& sum : sums) all += sum.cost;
    return all;
}

std::int64_t KernelCost::excess() const {
    std::int64_t all = 0;
    for (const Cost& sum : sums) all += sum.excess();
    return all;
}

bool is_ideal(const Report& report) {
    return report.does_not_fit.empty() && report.fault == Fault::none &&
           std::ranges::all_of(report.instructions, [&](const InstructionReport& row) {
               return cost_of(row.instruction, row.grid, report.sector_rules).excess() == 0;
           });
}

void add_kernel(KernelCost& sum, const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        sum.add(cost_of(scenario.instruction(params, k), count_grid(scenario, params, k, device),
                        device.sector_rules));
}

}  // namespace warplens
