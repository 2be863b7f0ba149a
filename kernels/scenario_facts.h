#pragma once

// The facts of a scenario beside its numbers: which of its kernels is shown, what the
// values in its shared memory mean, and what a quiz asks about it. Each scenario says so in its own header.
// None of it can be left out there: a scenario without quiz says `quiz = kNoQuiz`, one without shared memory
// `sharing = {}`.

#include "kernels/kernel_order.h"
#include "kernels/scenario.h"
#include "kernels/texture_layout.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A name of a kernel's source, and what it stands for as a person would write it.
struct CodeValue {
    std::string name, text;

    CodeValue(std::string of, std::string value) : name(std::move(of)), text(std::move(value)) {}
    CodeValue(std::string of, const char* value) : name(std::move(of)), text(value) {}
    CodeValue(std::string of, bool value) : name(std::move(of)), text(value ? "true" : "false") {}
    CodeValue(std::string of, std::integral auto value) : name(std::move(of)), text(std::to_string(value)) {}
};

/// The kernel that a setting launches. It repeats what the `launch` function in the scenario's .cu file
/// decides, because that can only be read by nvcc; a test on a GPU compares the two.
struct KernelCode {
    std::string function;                   ///< the kernel itself
    std::vector<CodeValue> arguments = {};  ///< its template arguments
    std::vector<CodeValue> values = {};     ///< more that the program needs; knobs are known by their keys
};

/// The type of an element of so many bytes: Element of kernels/cuda/element.cuh.
inline CodeValue element_type(int bytes, const char* name = "T") {
    return {name, bytes == 1   ? "unsigned char"
                  : bytes == 2 ? "unsigned short"
                  : bytes == 4 ? "unsigned"
                  : bytes == 8 ? "uint2"
                               : "uint4"};
}

/// The bits that a swizzle changes.
constexpr int swizzled_bits(const Params& p, int base) { return ((1 << p.swizzle_bits) - 1) << base; }

/// How a texture object treats what lies outside.
inline std::vector<CodeValue> texture_values(const Params& p) {
    constexpr const char* kModes[] = {"Clamp", "Border", "Wrap", "Mirror"};
    const auto border = static_cast<Border>(p.border);
    const bool normalized = border == Border::wrap || border == Border::mirror;
    return {{"address_mode", "cudaAddressMode" + std::string(kModes[p.border])},
            {"normalized", normalized ? 1 : 0}};
}

/// The registers of a thread while a block runs with values (app/model/access/hazard_run.h).
struct HeldValues {
    std::int64_t value = 0, other = 0;
    std::array<std::int64_t, kWarpLanes> row{};  ///< a product: of A's tile, for each k of the tile
    bool loaded = false;
};

/// One word that a thread loads or stores.
struct WordAccess {
    const Params& params;
    int instruction;
    ThreadId thread;
    int word;  ///< of the access; wide ones have several
};

constexpr std::int64_t lane_and_one(const WordAccess& a, const HeldValues&) { return a.thread.x + 1; }
constexpr std::int64_t just_one(const WordAccess&, const HeldValues&) { return 1; }
constexpr void keep_value(const WordAccess&, std::int64_t value, HeldValues& held) { held.value = value; }
constexpr void add_value(const WordAccess&, std::int64_t value, HeldValues& held) { held.value += value; }
constexpr bool in_first_step(const WordAccess& a) { return a.thread.step == 0 && a.word == 0; }
constexpr bool always_matters(const WordAccess&) { return true; }

/// The meaning of instructions for the values in shared memory. The defaults are those of a kernel that
/// only loads what it has filled the memory with.
struct ValueMeaning {
    std::string_view input = "word i of the tile is filled with i + 1";
    std::string_view result = "the first value that * loads";  ///< "*" stands for a thread
    bool is_sum = false;  ///< so that a wrong one is too small or too large by an amount
    std::int64_t (*stored)(const WordAccess&, const HeldValues&) = &lane_and_one;
    void (*loaded)(const WordAccess&, std::int64_t value, HeldValues&) = &keep_value;
    /// Whether a load can change the result of a thread at all; it is left out if not.
    bool (*matters)(const WordAccess&) = &in_first_step;
    bool stores_what_it_loaded = false;
    bool right_in_turn = false;  ///< no lane does harm to another one that comes only after it
    /// There is one result for the block: the sum of the values of so many first threads. Null if each thread
    /// has a result of its own.
    int (*threads_summed)(const Params&) = nullptr;

    constexpr bool of_block() const { return threads_summed != nullptr; }
};

/// Words of shared memory that stand side by side in rows.
struct SharedRegion {
    std::string name;  ///< "tile", "A's tile"
    int first = 0;     ///< its first word
    int rows = 0, pitch = 0;
};

/// How the threads of a block share memory.
struct Sharing {
    KernelOrder (*order)(const Params&) = nullptr;  ///< Null if they share nothing.
    ValueMeaning values = {};
    /// The parts of shared memory. Null if it is one tile.
    std::vector<SharedRegion> (*regions)(const Params&) = nullptr;
    /// If the blocks' results become one: what makes blocks wait for each other, as a sentence. Null, or
    /// empty, if only further launches do.
    std::string_view (*between_blocks)(const Params&) = nullptr;
    /// Tells what is lost where threads change a word at the same time. Null, or an empty sentence, if
    /// nothing is.
    std::string_view (*lost)(const Params&) = nullptr;
};

/// A knob that questions change, and values that a person can think about, as --set takes them. A value that
/// is listed twice is drawn twice as often.
struct QuizTurn {
    std::string_view key;
    std::string_view values;  ///< "1,2,4,4"
    /// a condition for it to matter, for example "variant=padded"; empty if it always does
    std::string_view only = {};
};

/// The access of lane i in one of a scenario's instructions, as a sheet tells it. {name} stands for the value
/// of that knob.
struct QuizTell {
    std::string_view only;    ///< conditions for it to hold, for example "matrices=4,width=8"
    std::string_view label;   ///< the instruction; empty for any
    std::string_view where;   ///< sentences before it, which define names such as x and y; may be empty
    std::string_view access;  ///< "tile[x * {width} + y]"
};

/// A source of questions about a scenario. Knobs that are not named keep their defaults.
struct QuizSource {
    int place;    ///< among all sources: a seed depends on it, so a new one comes last
    Space space;  ///< the space of the requests that are counted
    std::span<const QuizTurn> turns;
    /// The first that holds counts. Instructions without any are not asked about.
    std::span<const QuizTell> tells;
    /// knobs that change the time of a launch but not its work, for example "walk,block_x"
    std::string_view speed = {};
};
inline constexpr std::span<const QuizSource> kNoQuiz{};

/// The facts of a scenario, for code that does not know its type.
struct ScenarioFacts {
    KernelCode (*code)(const Params&) = nullptr;  ///< Null for a kernel that was typed.
    Sharing sharing = {};
    std::span<const QuizSource> quiz = {};
};

template <class S>
inline constexpr ScenarioFacts kFactsOf{&S::code, S::sharing, S::quiz};

}  // namespace warplens
