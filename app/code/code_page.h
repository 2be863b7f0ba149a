#pragma once

#include "app/code/code_text.h"
#include "app/model/catalogue.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A piece of a line in one colour.
struct CodePiece {
    std::string text;
    CodeTone tone = CodeTone::plain;
    bool value = false;  ///< a present value, put in behind a name; not part of the source
};

struct CodeLine {
    int number = 0;  ///< in its file, from 1; 0: the line stands in no file of its own
    int indent = 0;  ///< spaces before the first piece
    std::vector<CodePiece> pieces;
    std::vector<int> instructions;  ///< whose access it is, or whose address it computes
    bool other = false;             ///< an access that the present setting does not make

    std::string source() const;  ///< as it is written, without values
};

/// One function.
struct CodeFunction {
    std::string file;  ///< where it stands: "kernels/replay/stream.cuh"
    std::string name;  ///< with the template arguments of the present setting, if it has any
    std::vector<CodeLine> lines;
    bool folded = false;  ///< only shown when asked for
};

enum class CodePart {
    steps,    ///< what one thread does, in a line for each instruction
    address,  ///< the formula of the addresses, which model, kernels and tests share
    kernel,   ///< the kernel that runs over the grid
    timed,    ///< the kernel whose time is taken, where that is another one
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
    std::string launch;               ///< "<<<dim3(128, 128), dim3(32, 8), 4224>>>"
    std::vector<std::string> values;  ///< "variant = padded", one for each knob

    /// Plain text of all of it, with the values as comments at the top.
    std::string text() const;
};

/// A line of a kernel belongs to an instruction when its comment says so: `// access: load A; load B` names
/// instructions by their labels, up to a comma, and those of the replaying kernels by what they are
/// ("global store", "shared load, volatile"); `// address of: …` does the same in an address formula.
CodePage code_page(const Scenario& scenario, const Params& params);

/// The names that a kernel's comment may call an instruction by: its label, and what it is to the kernels
/// that replay addresses.
std::vector<std::string> names_of_access(const Scenario& scenario, const Params& params, int instruction);

/// The fields of Params by name, for values in the code.
struct ParamsField {
    std::string_view name;
    int Params::*field;
};
std::span<const ParamsField> params_fields();

}  // namespace warplens
