#pragma once

#include "app/code/compiled_code.h"
#include "app/model/access/report.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplens {

/// Loads or stores of a typed kernel that nvcc makes machine instructions of together, with what they take of
/// the grid as written and as compiled: it joins neighbouring words into wider instructions.
struct AsCompiled {
    std::vector<int> instructions;  ///< of the scenario: one, or several that are joined
    std::set<int> lines;            ///< in which these stand
    std::string label;              ///< of the first: "load tile"
    Space space = Space::global;
    std::string machine;  ///< "LDS.128". Empty if it is not known which of them
    int joined = 1;       ///< so many executions are one of the machine's
    Totals written = {}, compiled = {};
    Provenance kind = Provenance::exact;
    std::string unknown = {};  ///< why `compiled` is not known. Empty if it is
};

/// A typed kernel as nvcc makes it.
struct CompiledKernel {
    std::string summary;                     ///< "26 registers, no spills (nvcc 13.0 for sm_90)"
    std::map<int, MemoryInstructions> made;  ///< of each line of the text with an access
    std::vector<AsCompiled> counts;          ///< in the order of their first instructions
};

/// The addresses tell what the machine's instructions do: nvcc can join executions only where each
/// thread's words are neighbours, and drop some only where a thread asks for the same word again.
CompiledKernel compiled_kernel(const Scenario& scenario, const Params& params, const CompiledCode& code,
                               const DeviceFacts& device);

/// What became of a line: "LDG, STS.128: load in as written; store tile, 4 in one STS.128: 8,192 wavefronts,
/// not 32,768". Empty for a line without accesses.
std::string compiled_line(const CompiledKernel& kernel, int line);

}  // namespace warplens
