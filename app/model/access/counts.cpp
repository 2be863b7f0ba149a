#include "app/model/access/counts.h"

namespace warplens {
namespace {

using T = const Totals&;

constexpr auto kInstructions = [](T t) { return t.instructions; };
constexpr auto kRequests = [](T t) { return t.requests; };
constexpr auto kSectors = [](T t) { return t.sectors; };
constexpr auto kIdealSectors = [](T t) { return t.ideal_sectors; };
constexpr auto kLines = [](T t) { return t.lines; };
constexpr auto kTransactions = [](T t) { return t.transactions; };
constexpr auto kIdealTransactions = [](T t) { return t.ideal_transactions; };
constexpr auto kWavefronts = [](T t) { return t.wavefronts; };
constexpr auto kIdealWavefronts = [](T t) { return t.ideal_wavefronts; };
constexpr auto kExcessive = [](T t) { return t.excessive_wavefronts(); };
constexpr auto kBytesUsed = [](T t) { return t.bytes_used; };
constexpr auto kBytesMoved = [](T t) { return t.bytes_moved; };

constexpr std::string_view kRequest = "Warp-wide instructions with at least one active lane.";
constexpr std::string_view kUsed = "Distinct bytes that lanes request, summed over requests.";
constexpr std::string_view kPacked = "If the lanes' bytes were contiguous.";

constexpr CountWords kGlobal[] = {
    {"requests", kRequests, kRequest, "l1tex__t_requests_pipe_lsu_mem_global_op_{}"},
    {"sectors", kSectors, "32-byte pieces of memory that are transferred.",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_{}"},
    {"ideal sectors", kIdealSectors, kPacked, "memory_l2_theoretical_sectors_global_ideal"},
    {"lines", kLines, "Distinct 128-byte lines, four sectors each, summed over requests.",
     "smsp__sass_l1tex_tags_mem_global"},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Sectors × 32 bytes.", "", true},
};

/// CC 3.x to 6.x: the same, but a warp is served in parts, and no current profiler counts there.
constexpr CountWords kSplit[] = {
    {"requests", kRequests, "Groups of lanes that are served on their own and have an active one.", ""},
    {"sectors", kSectors, "32-byte pieces of memory that are transferred, summed over requests.", ""},
    {"ideal sectors", kIdealSectors, kPacked, ""},
    {"lines", kLines, "Distinct 128-byte lines, four sectors each, summed over requests.", ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Sectors × 32 bytes.", "", true},
};
/// CC 2.x.
constexpr CountWords kLinesWhole[] = {
    {"requests", kRequests, "Warps; half-warps for 8 bytes per lane, quarter-warps for 16.", ""},
    {"lines", kTransactions,
     "128-byte lines that are transferred whole, through the L1 (-Xptxas -dlcm=ca, the default). With -dlcm=cg loads "
     "bypass the L1 and move 32-byte segments.",
     ""},
    {"ideal lines", kIdealTransactions, kPacked, ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Lines × 128 bytes.", "", true},
};
/// CC 1.x.
constexpr CountWords kSegments[] = {
    {"requests", kRequests, "Half-warps with an active lane: each is served on its own.", ""},
    {"transactions", kTransactions, "Segments of 32, 64 or 128 bytes that are transferred.", ""},
    {"ideal", kIdealTransactions, kPacked, ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Sizes of all transactions together.", "", true},
};

constexpr CountWords kShared[] = {
    {"requests", kRequests, kRequest, "smsp__inst_executed_op_shared_{}"},
    {"wavefronts", kWavefronts, "Steps in which each bank delivers one word.",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}"},
    {"ideal", kIdealWavefronts,
     "Wavefronts that the same lanes would need without conflicts: one per group of lanes.",
     "memory_l1_wavefronts_shared_ideal"},
    {"excessive", kExcessive, "Wavefronts above the ideal: what conflicts cost.",
     "derived__memory_l1_wavefronts_shared_excessive"},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes at full bank width", kBytesMoved, "What the banks could have delivered in these wavefronts.", "",
     true},
};

constexpr CountWords kCluster[] = {
    {"requests", kRequests, kRequest, ""},
    {"wavefronts", kWavefronts, "Wavefronts of the banks of the target block.", ""},
    {"ideal", kIdealWavefronts, "Wavefronts that the same lanes would need without conflicts.", ""},
    {"excessive", kExcessive, "Wavefronts above the ideal: what conflicts cost.", ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
};

constexpr CountWords kConstant[] = {
    {"instructions", kInstructions, kRequest, ""},
    {"requests", kRequests,
     "One for each distinct 32-bit word that the lanes of an instruction request; they are serialized.",
     "idc__requests"},
    {"lines", kLines, "Distinct 64-byte lines of the constant cache, summed over instructions.", ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Lines × 64 bytes.", "", true},
};

constexpr CountWords kTexture[] = {
    {"instructions", kInstructions, kRequest, ""},
    {"requests", kRequests, "Groups of four neighbouring lanes: the texture unit takes one at a time.",
     "l1tex__t_requests_pipe_tex_mem_texture"},
    {"sectors", kSectors, "32-byte pieces, 4 texels across by 2 rows, summed over requests.",
     "l1tex__t_sectors_pipe_tex_mem_texture"},
    {"ideal sectors", kIdealSectors, "If each group's texels lay in as few sectors as possible.", ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Sectors × 32 bytes.", "", true},
};

constexpr CountWords kLocal[] = {
    {"requests", kRequests, kRequest, "l1tex__t_requests_pipe_lsu_mem_local_op_{}"},
    {"sectors", kSectors, "32-byte pieces: one word of 8 neighbouring lanes each.",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_{}"},
    {"ideal sectors", kIdealSectors, "If all lanes used the same index.", ""},
    {"words", kLines, "Distinct words of the array, summed over requests: a 128-byte line each.", ""},
    {"bytes used", kBytesUsed, kUsed, "", true},
    {"bytes moved", kBytesMoved, "Sectors × 32 bytes.", "", true},
};

constexpr CountWords kRegisters[] = {
    {"instructions", kInstructions,
     "Warp-wide instructions with at least one active lane. No memory is accessed.", ""},
};

}  // namespace

std::span<const CountWords> counts_of(Space space, const SectorRules& rules) {
    switch (space) {
        case Space::shared:
            return kShared;
        case Space::cluster:
            return kCluster;
        case Space::constant:
            return kConstant;
        case Space::texture:
            return kTexture;
        case Space::local:
            if (rules.coalescing == CoalescingRules::sectors) return kLocal;
            break;
        case Space::registers:
            return kRegisters;
        case Space::global:
        case Space::l2:
            break;
    }
    switch (rules.coalescing) {
        case CoalescingRules::half_warp_aligned:
        case CoalescingRules::half_warp_segments:
            return kSegments;
        case CoalescingRules::whole_lines:
            return kLinesWhole;
        case CoalescingRules::sectors:
            break;
    }
    if (rules.lanes_per_request != SectorRules{}.lanes_per_request) return kSplit;
    return kGlobal;
}

CostWords cost_of(Space space, const SectorRules& rules) {
    switch (space) {
        case Space::shared:
        case Space::cluster:
            return {"wavefronts", kWavefronts, kIdealWavefronts};
        case Space::constant:
            return {"requests", kRequests, kInstructions};
        case Space::registers:
            return {"instructions", kInstructions, kInstructions};
        case Space::global:
        case Space::l2:
        case Space::local:
            if (rules.coalescing == CoalescingRules::sectors) break;
            return {rules.coalescing == CoalescingRules::whole_lines ? "lines" : "transactions",
                    kTransactions, kIdealTransactions};
        default:
            break;
    }
    return {"sectors", kSectors, kIdealSectors};
}

}  // namespace warplens
