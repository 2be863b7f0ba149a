#pragma once

#include "kernels/host_device.h"

#include <span>
#include <string_view>

namespace warplens {

enum class Operation : int { load, store, copy, copy_both };  ///< what `global-stride` does
enum class Walk : int { row, column, diagonal };              ///< how `shared-tile` is walked
enum class Variant : int { naive, tile, padded, swizzled };   ///< how `transpose` goes about it

/// Every number that a person can change, for all scenarios. Trivially copyable: kernels take it by value.
/// Ranges, units and meanings are given by the knobs of each scenario; a field without a knob keeps its
/// default.
struct Params {
    int stride = 1;           ///< distance between neighbouring lanes [elements]
    int offset = 0;           ///< first element accessed by lane 0 [elements]
    int element_bytes = 4;    ///< size of one element [bytes]: 1, 2, 4, 8 or 16
    int operation = 0;        ///< an `Operation`; for shared memory 0 load, 1 store
    int elements_log2 = 25;   ///< elements in all = threads in the grid [log2]
    int mask = -1;            ///< bit i set: lane i takes part, in every warp
    int warp = 0;             ///< which warp of the grid the pictures show [index]
    int blocks_log2 = 10;     ///< blocks in the grid of a scenario in which all blocks do the same [log2]
    int width = 32;           ///< columns of a tile, or elements of a vector; padding not counted
    int height = 32;          ///< rows of a tile
    int padding = 0;          ///< unused elements at the end of each tile row [elements]
    int swizzle_bits = 0;     ///< XOR swizzle: how many bits are changed; 0 means no swizzle
    int swizzle_base = 0;     ///< XOR swizzle: lowest bit that is changed
    int swizzle_shift = 5;    ///< XOR swizzle: how far above them stand the bits that are XOR-ed in
    int block_x = 32;         ///< threads of a block in x (lanes are numbered x first)
    int block_y = 8;          ///< threads of a block in y
    int walk = 0;             ///< a `Walk`
    int step = 0;             ///< which step of a walk the pictures show [index]
    int matrix = 4096;        ///< rows and columns of a square matrix [elements]
    int tile = 32;            ///< rows and columns of a square tile [elements]: 8, 16 or 32
    int block_rows = 8;       ///< threads of a block in z; or in y when a tile takes several steps
    int variant = 0;          ///< how a scenario performs its task: an enum of its own header
    int pattern = 0;          ///< which elements the lanes access: an enum of the scenario's header
    int seed = 1;             ///< seed of patterns that look random
    int distance = 1;         ///< how far away the partner is [lanes, or blocks of a cluster]
    int words = 1;            ///< distinct words that a warp requests [words]
    int layout = 0;           ///< how records are stored: 0 array of structures, 1 structure of arrays
    int fields = 4;           ///< 4-byte fields of a structure
    int field = 0;            ///< which of these fields is read [index]
    int read_all = 0;         ///< 1 if all fields are read, one after the other
    int pack_bytes = 4;       ///< fields that one load accesses together: 4, 8 or 16 [bytes]
    int window_log2 = 16;     ///< range of the gathered indices [log2 of elements]
    int duplicates = 1;       ///< neighbouring lanes that request the same element
    int matrices = 4;         ///< 8 x 8 matrices of one ldmatrix: 1, 2 or 4
    int memory = 0;           ///< which memory holds the data: an enum of the scenario's header
    int filter = 3;           ///< rows and columns of a filter: 3, 5, 7 or 9
    int border = 0;           ///< a `Border` (kernels/texture_layout.h)
    int texture_log2 = 9;     ///< width and height of a texture [log2 of texels]
    int linear = 0;           ///< texture filter: 0 nearest texel, 1 bilinear
    int zoom_percent = 400;   ///< pixels for each texel, times 100
    int angle = 0;            ///< by which a texture is rotated [degrees]
    int array_words = 32;     ///< per-thread array [4-byte words]
    int registers = 64;       ///< the most registers that a thread may have
    int live_values = 64;     ///< values that a thread holds at once [4-byte words]
    int blocks_per_sm = 0;    ///< blocks that must fit on an SM, by launch bounds [blocks]; 0: no bound
    int footprint_log2 = 20;  ///< bytes that are read repeatedly [log2]
    int quantity = 0;         ///< what is measured: an enum of the scenario's header
    int bins_log2 = 8;        ///< bins of a histogram [log2]
    int items = 64;           ///< elements that a thread handles, one after the other
    int aggregate = 0;        ///< 1 if the lanes of a warp join what they add to one word
    int tile_kib = 4;         ///< a tile that a block copies at once [KiB]
    int left_free_gib = 0;    ///< memory that other work leaves free on the GPU [GiB]; 0 for all of it
    int cluster = 2;          ///< blocks of a cluster: 2, 4, 8 or 16
    /// The knobs that a typed kernel declares, in their order (app/typed/): the value, or log2 of it.
    int own0 = 0, own1 = 0, own2 = 0, own3 = 0, own4 = 0, own5 = 0, own6 = 0, own7 = 0;
    /// From a typed kernel's launch, which its text says: what limits the knobs `warp` and `step`.
    int launched_warps = 1, launched_steps = 1;

    friend bool operator==(const Params&, const Params&) = default;
};

/// One value of a knob that has named values.
struct Choice {
    int value;
    std::string_view name;  ///< shown in the window and accepted on the command line
    std::string_view alias =
        {};  ///< its name in earlier versions, which files and links still contain, or empty
};

enum class KnobKind {
    slider,  ///< any whole number from min to max
    choice,  ///< one of `choices`
    power,   ///< the field holds k and the person sees 2^k
    mask,    ///< 32 lanes, one bit each; min and max are not used
};

/// The effect of a knob on the task of a scenario.
enum class KnobRole {
    task,    ///< It asks for other data, other work or another amount of it, or chooses what is shown.
    remedy,  ///< The same work on the same data, laid out or done in another way: what `fix` may change.
    access,  ///< Which of several accesses to the same data it is. A kernel may do several of them.
};

/// One parameter as a control: which field of Params it changes, how a person reads it, and its legal range.
struct Knob {
    int Params::*field;
    std::string_view key;      ///< as in --set key=value on the command line
    std::string_view alias;    ///< a second spelling of the key, or empty
    std::string_view label;    ///< the name in the window
    std::string_view unit;     ///< of the value, for example "elements"; empty for choices
    std::string_view tooltip;  ///< one or two sentences that say what it means
    KnobKind kind = KnobKind::slider;
    int min = 0;
    int max = 0;
    std::span<const Choice> choices = {};
    bool picture_only = false;  ///< The knob chooses what is shown; totals of the grid do not depend on it.
    bool axis = false;          ///< The knob makes sense as the x axis of the bandwidth plot.
    /// The largest value at present, if that depends on other knobs; it is never above `max`. Null if `max`
    /// is always the limit.
    int (*limit)(const Params&) = nullptr;
    /// Why the knob has no effect at present, as a sentence that names what would give it one; empty if it
    /// has. Null if it always has.
    std::string_view (*idle)(const Params&) = nullptr;
    KnobRole role = KnobRole::task;
};

// Around a knob in a scenario's table they say what a change of it does.
constexpr Knob remedy(Knob knob) {
    knob.role = KnobRole::remedy;
    return knob;
}
constexpr Knob which_access(Knob knob) {
    knob.role = KnobRole::access;
    return knob;
}

inline int knob_limit(const Knob& knob, const Params& p) {
    if (knob.limit == nullptr) return knob.max;
    const int limit = knob.limit(p);
    return limit < knob.max ? limit : knob.max;
}

/// Why a knob has no effect at present; empty if it has.
inline std::string_view why_idle(const Knob& knob, const Params& p) {
    return knob.idle == nullptr ? std::string_view() : knob.idle(p);
}

inline constexpr std::span<const Choice> kNoChoices{};

// Choices that several scenarios share.
inline constexpr Choice kElementBytes[] = {{1, "1 B"}, {2, "2 B"}, {4, "4 B"}, {8, "8 B"}, {16, "16 B"}};
inline constexpr Choice kLoadOrStore[] = {{0, "load"}, {1, "store"}};
inline constexpr Choice kPowersTo32[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}};

}  // namespace warplens
