#pragma once

// The folder app/code/ prepares the kernel sources that are shown beside a picture: which functions a
// setting launches, their lines with colours and present values, and which instruction a line belongs to.
// It contains no kernels; it reads the sources that are embedded in the program.

#include "app/code/code_text.h"
#include "app/model/catalogue.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// A piece of a line in one colour.
struct CodePiece {
    std::string text;
    CodeTone tone = CodeTone::plain;
    bool value = false;  ///< whether it is a present value that was inserted after a name and is not part of
                         ///< the source
};

struct CodeLine {
    int number = 0;  ///< in its file, from 1; 0 if the line comes from no file
    int indent = 0;  ///< spaces before the first piece
    std::vector<CodePiece> pieces;
    std::vector<int> instructions;  ///< the instructions whose access or address the line contains
    bool other = false;             ///< whether it is an access that the present setting does not make

    std::string source() const;  ///< the line as it is written, without values
};

/// One function.
struct CodeFunction {
    std::string file;  ///< its file, for example "kernels/replay/stream.cuh"
    std::string name;  ///< with the template arguments of the present setting, if it has any
    std::vector<CodeLine> lines;
    bool folded = false;  ///< only shown on request
};

enum class CodePart {
    steps,    ///< what one thread does, with a line for each instruction
    address,  ///< the formula of the addresses, which model, kernels and tests share
    kernel,   ///< the kernel that runs over the grid
    timed,    ///< the kernel that is timed, if it is another one
};
std::string_view part_title(CodePart part);

struct CodeSection {
    CodePart part = CodePart::kernel;
    std::string note;  ///< one sentence about it
    std::vector<CodeFunction> functions;
};

/// The code of a setting, from the kernels' own source files (app/base/assets.h).
struct CodePage {
    std::vector<CodeSection> sections;
    std::string launch;               ///< for example "<<<dim3(128, 128), dim3(32, 8), 4224>>>"
    std::vector<std::string> values;  ///< one text such as "variant = padded" for each knob

    /// All of it as plain text, with the values as comments at the top.
    std::string text() const;
};

/// A line of a kernel belongs to an instruction if its comment says so. `// access: load A; load B` names
/// instructions by their labels up to a comma, and in the replaying kernels by their kind ("global store",
/// "shared load, volatile"). `// address of: …` does the same in an address formula.
CodePage code_page(const Scenario& scenario, const Params& params);

/// The names of an instruction in a kernel's comments: its label, and its name in the kernels that replay
/// addresses.
std::vector<std::string> names_of_access(const Scenario& scenario, const Params& params, int instruction);

/// The fields of Params by name, for values in the code.
struct ParamsField {
    std::string_view name;
    int Params::*field;
};
std::span<const ParamsField> params_fields();

/// The functions, and their file, that a setting launches.
struct KernelCode {
    std::string file;      ///< for example "kernels/own/multiply.cu"
    std::string function;  ///< the kernel itself
    /// names and values of the template arguments
    std::vector<std::pair<std::string, std::string>> arguments;
    std::vector<std::string> helpers;  ///< functions that it calls to access memory
    /// functions that lead from the kernel to the helpers; they are shown folded
    std::vector<std::string> between;

    std::string specialised() const;  ///< for example "tiled_kernel<Multiply::tiled, 32>"
};

/// The kernel that runs over the whole grid; hardware counters count it.
KernelCode grid_kernel(const Scenario& scenario, const Params& params);

/// The kernel that is timed. It has the same file and function as grid_kernel if it is the same kernel.
KernelCode timed_kernel(const Scenario& scenario, const Params& params);

/// How the kernels that replay addresses name an instruction, for example "global load, past the L1".
std::string kind_of_access(const Scenario& scenario, const Params& params, int instruction);

/// For example "kernels/scenarios/global_stride.h".
std::string scenario_file(const Scenario& scenario);
/// For example "GlobalStride".
std::string scenario_struct(const Scenario& scenario);

}  // namespace warplens
