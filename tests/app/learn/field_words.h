#pragma once

#include "tests/pattern.h"

#include <regex>
#include <string>
#include <vector>

namespace warplens::test {

/// Words of the field, written down apart from the glossary: those of lessons, and those of labels.
inline const std::vector<std::string>& words_of_the_field() {
    static const std::vector<std::string> words = {
        "lane",
        "lanes",
        "warp",
        "warps",
        "block",
        "blocks",
        "grid",
        "thread",
        "threads",
        "kernel",
        "kernels",
        "request",
        "requests",
        "sector",
        "sectors",
        "line",
        "lines",
        "word",
        "words",
        "wavefront",
        "wavefronts",
        "bank",
        "banks",
        "broadcast",
        "multicast",
        "conflict",
        "conflicts",
        "coalesced",
        "coalescing",
        "stride",
        "strides",
        "offset",
        "misaligned",
        "padding",
        "padded",
        "pitch",
        "swizzle",
        "swizzled",
        "tile",
        "tiles",
        "row-major",
        "cache",
        "caches",
        "latency",
        "latencies",
        "bandwidth",
        "footprint",
        "register",
        "registers",
        "spill",
        "spills",
        "spilled",
        "shuffle",
        "shuffles",
        "texture",
        "textures",
        "texel",
        "texels",
        "nearest",
        "filter",
        "tap",
        "taps",
        "halo",
        "occupancy",
        "resident",
        "limiter",
        "roofline",
        "cluster",
        "clusters",
        "rank",
        "ranks",
        "barrier",
        "barriers",
        "reduction",
        "transpose",
        "chunk",
        "chunks",
        "unrolled",
        "unroll",
        "profiler",
        "counters",
        "arbitration",
        "assembler",
        "gather",
        "gathers",
        "divergent",
        "mask",
        "float2",
        "float4",
        "element",
        "elements",
        "cycle",
        "cycles",
        "compute capability",
        "constant memory",
        "shared memory",
        "global memory",
        "local memory",
        "data sheet",
        "bytes in flight",
        "in flight",
        "multiply-add",
        "multiply-adds",
        "array of structures",
        "structure of arrays",
        "stack frame",
        "recorded",
        "predicted",
        "ideal",
        "excessive",
        "carve-out",
        "DRAM row",
        "fetch granularity",
        "fill read",
        "warm",
        "cold",
        "launch",
        "launches",
        "ldmatrix",
        "transaction",
        "transactions",
        "segment",
        "segments",
        "half-warp",
        "interop",
        "quartiles",
        "datasheet",
        "instruction",
        "instructions",
        "scenario",
        "renderer",
        "useful bytes",
        "capability",
        "GFLOP/s",
        "GB/s",
    };
    return words;
}

/// Words of our own that CUDA programmers do not say; each has a standard one.
inline const std::regex& words_out_of_use() {
    static const std::regex words(
        "\\b(turned|far memory|in one go|used share|bytes possible|starting blocks|how high up|private array|"
        "worked numbers|dearest|knobs?|lanes want|the wrong way round|exchange between lanes|utilizes?|"
        "rows or columns|walk over a tile|no background|sets the pace|where [0-9]+ would do|"
        "nobody's measurement|forbids to|from behind|full with blocks)\\b",
        std::regex::icase);
    return words;
}

/// The first of them in a text. Empty if there is none.
inline std::string word_out_of_use(const std::string& text) {
    std::smatch found;
    return std::regex_search(text, found, words_out_of_use()) ? found.str() : std::string();
}

/// Whether a whole word stands in a text, in this spelling.
inline bool has_word(const std::string& text, const std::string& word) {
    return std::regex_search(text, pattern("(^|[^A-Za-z0-9_-])" + word + "($|[^A-Za-z0-9_])"));
}

}  // namespace warplens::test
