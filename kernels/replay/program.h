#pragma once

#include "kernels/host_device.h"
#include "kernels/scenario.h"

#include <cstddef>
#include <cstdint>

// Finds out which CUDA kernels a scenario needs. A kernel must know its instructions at compile time: a
// switch over memory spaces and widths in its inner loop would cost more than the access. So the compiler
// finds the choice knobs that change a scenario's instructions, tries all combinations of their values, and
// builds one kernel for each distinct list of instructions.

namespace warplens {

/// A list of instructions, and what all settings with this list have in common.
struct KernelCase {
    Instruction instructions[kMaxInstructions];
    int count = 0;
    Params example;           ///< one of these settings
    std::uint32_t fixed = 0;  ///< bit k is set if choice knob k has the example's value in all of them
};

inline constexpr int kMaxCases = 32;

/// The kernels of one scenario.
struct CaseList {
    KernelCase cases[kMaxCases];
    int count = 0;
};

constexpr bool same_instruction(const Instruction& a, const Instruction& b) {
    return a.op == b.op && a.bytes_per_lane == b.bytes_per_lane && a.space == b.space &&
           a.buffer == b.buffer && a.phase == b.phase && a.code == b.code;
}

/// Whether a setting has the instructions of a case.
template <class S>
constexpr bool matches(const KernelCase& kernel, const Params& p) {
    if (kernel.count != S::instruction_count(p)) return false;
    for (int i = 0; i < kernel.count; ++i) {
        if (!same_instruction(kernel.instructions[i], S::instruction(p, i))) return false;
    }
    return true;
}

/// The index of the kernel for a setting. -1 if there is none, because a knob that is not a choice changes
/// the instructions.
template <class S>
constexpr int find_case(const CaseList& list, const Params& p) {
    for (int k = 0; k < list.count; ++k) {
        if (matches<S>(list.cases[k], p)) return k;
    }
    return -1;
}

template <class S>
constexpr KernelCase case_of(const Params& p) {
    KernelCase kernel{.instructions = {}, .count = S::instruction_count(p), .example = p};
    for (int i = 0; i < kernel.count; ++i) kernel.instructions[i] = S::instruction(p, i);
    return kernel;
}

/// Advance to the next combination of the knobs in `set`, all of which are choices. False after the last one,
/// which is followed by the first again.
template <class S>
constexpr bool next_combination(Params& p, std::uint32_t set) {
    for (std::size_t k = 0; k < S::info.knobs.size(); ++k) {
        if ((set >> k & 1u) == 0) continue;
        const Knob& knob = S::info.knobs[k];
        std::size_t now = 0;
        while (knob.choices[now].value != p.*knob.field) ++now;
        const bool last = now + 1 == knob.choices.size();
        p.*knob.field = knob.choices[last ? 0 : now + 1].value;
        if (!last) return true;
    }
    return false;
}

/// The setting in which all choices have their first value.
template <class S>
constexpr Params first_combination() {
    Params p = S::info.defaults;
    for (const Knob& knob : S::info.knobs) {
        if (knob.kind == KnobKind::choice) p.*knob.field = knob.choices[0].value;
    }
    return p;
}

/// Whether some value of one choice knob changes the instructions, for any values of the knobs in `others`.
template <class S>
constexpr bool knob_matters(std::size_t k, std::uint32_t others) {
    const Knob& knob = S::info.knobs[k];
    Params p = first_combination<S>();
    do {
        const KernelCase first = case_of<S>(p);
        Params changed = p;
        for (const Choice& choice : knob.choices) {
            changed.*knob.field = choice.value;
            if (!matches<S>(first, changed)) return true;
        }
    } while (next_combination<S>(p, others));
    return false;
}

/// The choice knobs that change the instructions, as bits. A knob that matters only for some values of
/// another knob is found after that one.
template <class S>
constexpr std::uint32_t knobs_that_matter() {
    static_assert(S::info.knobs.size() <= 32, "one bit for each knob");
    std::uint32_t found = 0;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t k = 0; k < S::info.knobs.size(); ++k) {
            const bool candidate = S::info.knobs[k].kind == KnobKind::choice && (found >> k & 1u) == 0;
            if (!candidate || !knob_matters<S>(k, found)) continue;
            found |= 1u << k;
            more = true;
        }
    }
    return found;
}

template <class S>
constexpr CaseList list_cases() {
    const std::uint32_t set = knobs_that_matter<S>();
    CaseList list;
    Params p = first_combination<S>();
    do {
        const int known = find_case<S>(list, p);
        KernelCase& kernel = list.cases[known < 0 ? list.count++ : known];
        if (known < 0) {
            kernel = case_of<S>(p);
            kernel.fixed = set;
        }
        for (std::size_t k = 0; k < S::info.knobs.size(); ++k) {
            const auto field = S::info.knobs[k].field;
            if (p.*field != kernel.example.*field) kernel.fixed &= ~(1u << k);
        }
    } while (next_combination<S>(p, set));
    return list;
}

/// All kernels of scenario S, found at compile time.
template <class S>
inline constexpr CaseList kCases = list_cases<S>();

/// Fields of Params as separate constants for kernels: device code may use a host array only element by
/// element.
template <class S, int kKnob>
inline constexpr int Params::*kKnobField = S::info.knobs[kKnob].field;
template <class S>
inline constexpr int kKnobCount = static_cast<int>(S::info.knobs.size());

/// Overwrite every field that the case determines with a constant, so that the compiler can use it in the
/// address computation.
template <class S, int kCase, int kKnob = 0>
WARPLENS_HD constexpr void fold_fixed(Params& p) {
    if constexpr (kKnob < kKnobCount<S>) {
        if constexpr ((kCases<S>.cases[kCase].fixed >> kKnob & 1u) != 0) {
            constexpr int Params::*kField = kKnobField<S, kKnob>;
            constexpr int kValue = kCases<S>.cases[kCase].example.*kField;
            p.*kField = kValue;
        }
        fold_fixed<S, kCase, kKnob + 1>(p);
    }
}

constexpr int last_phase(const KernelCase& kernel) {
    int last = 0;
    for (int i = 0; i < kernel.count; ++i)
        last = kernel.instructions[i].phase > last ? kernel.instructions[i].phase : last;
    return last;
}

constexpr bool banked(Space space) { return space == Space::shared || space == Space::cluster; }

constexpr bool uses(const KernelCase& kernel, Space space) {
    for (int i = 0; i < kernel.count; ++i) {
        if (kernel.instructions[i].space == space) return true;
    }
    return false;
}

/// Whether the first access to shared memory (including that of other blocks) is a load. False if there is
/// none.
constexpr bool shared_starts_with_load(const KernelCase& kernel) {
    for (int i = 0; i < kernel.count; ++i) {
        if (banked(kernel.instructions[i].space)) return is_load(kernel.instructions[i].op);
    }
    return false;
}
constexpr bool local_starts_with_load(const KernelCase& kernel) {
    for (int i = 0; i < kernel.count; ++i) {
        if (kernel.instructions[i].space == Space::local) return is_load(kernel.instructions[i].op);
    }
    return false;
}

/// Whether something is written to memory.
constexpr bool stores_to_memory(const KernelCase& kernel) {
    for (int i = 0; i < kernel.count; ++i) {
        const Instruction& one = kernel.instructions[i];
        if (!is_load(one.op) && one.space != Space::registers) return true;
    }
    return false;
}

/// Whether shared memory is both stored and loaded, but never in one phase. Then barriers separate the
/// accesses, and the compiler can neither drop nor merge one.
constexpr bool barriers_part_shared(const KernelCase& kernel) {
    bool loads = false, stores = false;
    for (int i = 0; i < kernel.count; ++i) {
        const Instruction& one = kernel.instructions[i];
        if (one.space != Space::shared) continue;
        (is_load(one.op) ? loads : stores) = true;
        for (int k = 0; k < i; ++k) {
            const Instruction& other = kernel.instructions[k];
            const bool both = other.space == Space::shared && is_load(one.op) != is_load(other.op);
            if (both && one.phase == other.phase) return false;
        }
    }
    return loads && stores;
}

/// What device code needs to know about a whole kernel. Device code may not call host functions, even at
/// compile time.
template <class S, int kCase>
struct Facts {
    static constexpr KernelCase kKernel = kCases<S>.cases[kCase];
    static constexpr int kCount = kKernel.count;
    static constexpr int kLastPhase = last_phase(kKernel);
    static constexpr bool kStores = stores_to_memory(kKernel);
    static constexpr bool kUsesShared = uses(kKernel, Space::shared);
    static constexpr bool kFillsShared = shared_starts_with_load(kKernel);
    static constexpr bool kPlainShared = barriers_part_shared(kKernel);
    static constexpr bool kFillsLocal = local_starts_with_load(kKernel);
    static constexpr bool kUsesLocal = uses(kKernel, Space::local);
    static constexpr bool kUsesRegisters = uses(kKernel, Space::registers);
    static constexpr bool kUsesCluster = uses(kKernel, Space::cluster);
};

/// The same for one of its instructions.
template <class S, int kCase, int kIndex>
struct Code {
    static constexpr Instruction kThis = kCases<S>.cases[kCase].instructions[kIndex];
    static constexpr Space kSpace = kThis.space;
    static constexpr Op kOp = kThis.op;
    static constexpr bool kLoad = is_load(kThis.op);
    static constexpr int kBytes = kThis.bytes_per_lane;
    static constexpr int kBuffer = kThis.buffer;
    static constexpr int kPhase = kThis.phase;
    // Two things in the line of code of an instruction change what is executed.
    static constexpr bool kPastL1 = kThis.code.find("__ldcg") != std::string_view::npos;
    static constexpr bool kAdds = kThis.code.find("+=") != std::string_view::npos;
};

}  // namespace warplens
