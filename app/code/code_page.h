#pragma once

// The folder app/code/ makes the CUDA program of a setting that the window shows and a person takes along:
// the kernel as it stands in kernels/scenarios/, the values of its template arguments in place, and around it
// the host code of assets/programs/, so that nvcc compiles it with nothing else. It contains no kernels.

#include "app/code/code_text.h"
#include "app/model/catalogue.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct CodeLine {
    std::string text;
    std::vector<int> instructions;  ///< the loads and stores of the setting that the line executes
    std::string sass;  ///< the memory instructions that nvcc makes of it, as far as known: "LDG.128 x 4, STS"
};

enum class CodePart {
    head,    ///< what it is, how to compile it, and small functions that many kernels call
    kernel,  ///< the kernel, with the functions of its file that it calls
    host,    ///< what allocates, launches, verifies and times it
};
std::string_view part_title(CodePart part);

struct CodeSection {
    CodePart part = CodePart::kernel;
    std::vector<CodeLine> lines;
};

/// The program of a setting.
struct CodePage {
    std::string file;            ///< a name for it, for example "transpose.cu"
    std::string launch;          ///< for example "transpose_tile<<<dim3(128, 128), dim3(32, 8), 4224>>>"
    std::string resources;       ///< registers and spills of the kernel, where they were recorded, or empty
    std::string resources_from;  ///< on which GPU
    std::string compiled;        ///< what nvcc says about registers and spills. Empty if it is not known.
    std::vector<CodeSection> sections;

    std::string text() const;         ///< the file: all sections, one after the other
    std::string kernel_text() const;  ///< the same without the host's part; it compiles, too
};

/// A line of a kernel belongs to an instruction if it ends with a comment `// access: LABEL` with the
/// instruction's label; several labels are separated by "; ". These comments are not part of the program.
CodePage code_page(const Scenario& scenario, const Params& params);

}  // namespace warplens
