#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

// A whole CUDA program, from its first line to its last: c = a + b, launched twice. Which variables exist at
// each step, where their values are, and how many versions of each there are. Scopes and lifetimes are those
// of the CUDA C++ Programming Guide (variable memory space specifiers, unified memory); that pages of managed
// memory go to whoever touches them first holds where concurrentManagedAccess is 1 (Linux, from compute
// capability 6.0 on).

/// How the arrays get to the GPU.
struct ProgramKind {
    bool managed = false;   ///< cudaMallocManaged, not cudaMalloc and cudaMemcpy
    bool prefetch = false;  ///< with cudaMemPrefetchAsync before the first launch; only if managed

    /// As times are named in assets/witness.json.
    std::string_view key() const { return !managed ? "copy" : prefetch ? "prefetch" : "managed"; }
};

/// What is set on the board.
struct ProgramSetting {
    ProgramKind kind;
    int elements_log2 = 20;
    int block = 256;  ///< threads of a block

    std::int64_t elements() const { return std::int64_t{1} << elements_log2; }
    std::int64_t blocks() const { return (elements() + block - 1) / block; }
    std::int64_t threads() const { return blocks() * block; }
};

/// The steps of both kinds of program.
enum class ProgramStep {
    begin,      ///< the program starts
    first,      ///< copy: the host fills its arrays; managed: cudaMallocManaged
    second,     ///< copy: cudaMalloc; managed: the host fills the arrays
    constants,  ///< cudaMemcpyToSymbol
    bring,      ///< the input goes to the GPU: cudaMemcpy, cudaMemPrefetchAsync, or nothing happens
    launch,     ///< the first launch
    between,    ///< it is over
    again,      ///< the second launch
    fetch,      ///< the host gets the result: cudaMemcpy, or it reads
    release,    ///< cudaFree
    end,        ///< the program ends
};
inline constexpr int kProgramSteps = 11;

/// The line of the program, and what it is called in a narrow column.
std::string program_line(const ProgramSetting& setting, ProgramStep step);
std::string_view program_step_name(const ProgramKind& kind, ProgramStep step);
/// The name of its time in assets/witness.json; empty if the step takes none worth measuring.
std::string program_time(const ProgramSetting& setting, ProgramStep step);

/// Where a variable's value is.
enum class ValuePlace {
    nowhere,    ///< the variable does not exist
    undefined,  ///< it exists, but nobody has given it a value
    host,       ///< in the host's memory
    gpu,        ///< in a memory of the GPU
};

enum class ProgramScope { host, thread, block, grid };

/// A variable of the program.
struct ProgramVariable {
    std::string name;         ///< "i"
    std::string declaration;  ///< "int i", "__shared__ float part[256]"
    std::string_view memory;  ///< "registers"
    ProgramScope scope = ProgramScope::grid;
    std::int64_t versions = 1;  ///< that a launch, or the program, makes of it
    std::int64_t bytes = 0;     ///< of one version
    std::array<ValuePlace, kProgramSteps> place{};

    ValuePlace at(ProgramStep step) const { return place[int(step)]; }
};

/// All variables, from the longest-lived ones to those of a thread. Eight of them, whatever the kind.
std::array<ProgramVariable, 8> program_variables(const ProgramSetting& setting);

}  // namespace warplens
