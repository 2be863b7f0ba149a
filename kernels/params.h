#pragma once

#include "kernels/host_device.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace warplens {

enum class Operation : int { load, store, copy, copy_both };  ///< what `global-stride` does
enum class Walk : int { row, column, diagonal };              ///< how `shared-tile` is walked
enum class Variant : int { naive, tile, padded, swizzled };   ///< how `transpose` goes about it

/// Every number that a person can turn, for all scenarios. Trivially copyable: kernels take it by value.
/// Ranges, units and meanings stand with the knobs of each scenario; a field without a knob keeps its
/// default.
struct Params {
    int stride = 1;          ///< distance between neighbouring lanes [elements]
    int offset = 0;          ///< first element touched by lane 0 [elements]
    int element_bytes = 4;   ///< size of one element [bytes]: 1, 2, 4, 8 or 16
    int operation = 0;       ///< an `Operation`; for shared memory 0 load, 1 store
    int elements_log2 = 25;  ///< elements in all = threads in the grid [log2]
    int mask = -1;           ///< bit i set: lane i takes part, in every warp
    int warp = 0;            ///< which warp of the grid the pictures show [index]
    int blocks_log2 = 10;    ///< blocks in the grid, where they all do the same [log2]
    int width = 32;          ///< columns of a tile, padding not counted [elements]
    int height = 32;         ///< rows of a tile
    int padding = 0;         ///< unused elements at the end of each tile row [elements]
    int swizzle_bits = 0;    ///< XOR swizzle: how many bits are changed; 0: none
    int swizzle_base = 0;    ///< XOR swizzle: lowest bit that is changed
    int swizzle_shift = 5;   ///< XOR swizzle: how far above stand the bits that are XOR-ed in
    int block_x = 32;        ///< threads of a block in x (lanes are numbered x first)
    int block_y = 8;         ///< threads of a block in y
    int walk = 0;            ///< a `Walk`
    int step = 0;            ///< which step of a walk the pictures show [index]
    int matrix = 4096;       ///< rows and columns of a square matrix [elements]
    int tile = 32;           ///< rows and columns of a square tile [elements]: 8, 16 or 32
    int block_rows = 8;      ///< threads of a block in y when a tile takes several steps
    int variant = 0;         ///< a `Variant`

    friend bool operator==(const Params&, const Params&) = default;
};

/// One entry of a knob with named values.
struct Choice {
    int value;
    std::string_view name;  ///< shown in the window and taken on the command line
};

enum class KnobKind {
    slider,  ///< any whole number from min to max
    choice,  ///< one of `choices`
    power,   ///< the field holds k and the person sees 2^k
    mask,    ///< 32 lanes, one bit each; min and max are not used
};

/// One control: which field of Params it turns, how a person reads it, and its legal range.
struct Knob {
    int Params::*field;
    std::string_view key;      ///< on the command line: --set key=value
    std::string_view alias;    ///< a second spelling of the key, or empty
    std::string_view label;    ///< in the window
    std::string_view unit;     ///< of the value, for example "elements"; empty for choices
    std::string_view tooltip;  ///< one or two sentences: what it means
    KnobKind kind = KnobKind::slider;
    int min = 0;
    int max = 0;
    std::span<const Choice> choices = {};
    bool picture_only = false;  ///< chooses what is shown; totals of the grid do not depend on it
    bool axis = false;          ///< makes sense as the x axis of the bandwidth plot
    /// The largest value at present, where that depends on other knobs; never above `max`. Null: `max`
    /// itself.
    int (*limit)(const Params&) = nullptr;
};

inline int knob_limit(const Knob& knob, const Params& p) {
    if (knob.limit == nullptr) return knob.max;
    const int limit = knob.limit(p);
    return limit < knob.max ? limit : knob.max;
}

inline constexpr std::span<const Choice> kNoChoices{};

// Choices that several scenarios share.
inline constexpr Choice kElementBytes[] = {{1, "1 B"}, {2, "2 B"}, {4, "4 B"}, {8, "8 B"}, {16, "16 B"}};
inline constexpr Choice kLoadOrStore[] = {{0, "load"}, {1, "store"}};
inline constexpr Choice kPowersTo32[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}};

}  // namespace warplens
