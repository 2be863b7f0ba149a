#pragma once

// The folder app/model/fix/ searches for the smallest change of a setting after which its accesses are ideal,
// or as near to it as any change brings them. It counts; words, times and occupancy are in app/learn/fixes.h.

#include "app/base/in_steps.h"
#include "app/model/access/counts.h"
#include "app/model/catalogue.h"
#include "app/model/device/device.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplens {

struct KnobValue {
    const Knob* knob;
    int value;
    friend bool operator==(const KnobValue&, const KnobValue&) = default;
};

/// The setting that is to be made cheaper, and the knobs that may change for it.
struct FixQuestion {
    const Scenario* scenario = nullptr;
    Params params;                   ///< clamped
    std::vector<const Knob*> knobs;  ///< that may change; each is a remedy (KnobRole), and none occurs twice
    /// Further accesses that the kernel does to the same data: each sets these knobs, which may not change,
    /// and leaves the others as they are. One change must suit them all.
    std::vector<std::vector<KnobValue>> also = {};
};

/// How many settings the search is about: all combinations of the knobs' values.
std::int64_t count_combinations(const FixQuestion& question);
/// More are refused. At most so many are tried in well under a second.
inline constexpr std::int64_t kMostCombinations = 2'000'000;
inline constexpr std::size_t kMostFixKnobs = 12;

/// A setting with cheaper accesses.
struct Fix {
    Params params;
    std::vector<const Knob*> changed;  ///< in the order of the question
    int steps = 0;    ///< by how many values the changed knobs move, together; one for a named choice
    KernelCost cost;  ///< of all accesses
    std::int64_t shared_bytes = 0;  ///< of a block [bytes]
};

struct FixSearch {
    KernelCost now;                 ///< of all accesses as they are
    std::int64_t shared_bytes = 0;  ///< of a block, now [bytes]
    /// Those that come nearest to the ideal are first, and among them the smallest change: fewest knobs, then
    /// fewest steps, then the least shared memory.
    std::vector<Fix> fixes;
    std::int64_t combinations = 0;  ///< settings that the search is about, without the present one
    std::int64_t counted = 0;       ///< settings whose requests were counted, all of them or enough to reject
};

/// Finds the smallest changes.
///
/// A setting is a candidate if it differs from the present one in knobs of the question that have an effect,
/// if it is in range and fits the device, if it does not ask for less (see below), and if the whole grid of
/// all accesses takes less beyond its ideal and less in all. Of the candidates that change the same knobs
/// the best are kept: the least beyond the ideal, then the fewest steps; all that are equal in both. They are
/// fixes unless another one is as near to the ideal with some of their knobs, or is nearer with as few knobs.
///
/// It asks for less if a memory of the launch no longer has room for the different bytes that one request
/// needs now: with stride 0 all lanes request the same element, which costs little and does another task.
///
/// Exact where the counts are: every combination is counted, or left out because a part of its requests
/// already takes more than a fix that is known, or because the knobs of a known ideal fix are among its own.
/// Errors: none. The question must have at most kMostCombinations combinations and kMostFixKnobs knobs, and
/// the present setting must fit the device.
InSteps<FixSearch> find_fixes(FixQuestion question, DeviceFacts device);

/// The params with these knobs set and the pictured warp and step in range. Empty if anything else would not
/// be in range.
std::optional<Params> with_access(const Scenario& scenario, const Params& params,
                                  std::span<const KnobValue> access);

/// By how many values two values of a knob are apart: one for choices that have names and so no order.
int steps_apart(const Knob& knob, int a, int b);

}  // namespace warplens
