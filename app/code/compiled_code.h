#pragma once

#include "app/answers/store.h"
#include "app/code/code_page.h"
#include "app/model/device/device.h"
#include "app/model/quantity.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// How often each memory instruction of the GPU stands in the machine code: {"LDG.128": 4, "STS": 1}.
using MemoryInstructions = std::map<std::string, int>;

/// A kernel as nvcc has compiled it.
struct CompiledCode {
    int registers = 0;                        ///< per thread
    int spill_stores = 0, spill_loads = 0;    ///< [bytes per thread]
    std::map<int, MemoryInstructions> lines;  ///< by line of the text that was compiled, from 1
    std::string from;                         ///< "nvcc 13.0 for sm_90"
};

/// Identifies what is compiled for a kernel: its text without the comment at the head, which names the
/// setting.
std::string kernel_hash(std::string_view kernel_text);

/// Compiled kernels by kernel_hash, as JSON, one kernel a line:
///
///   {"schema":"warplens sass","version":1,"compiler":"nvcc 13.0 for sm_90","kernels":[
///   {"hash":"cbf29ce484222325","registers":20,"spill_stores":0,"spill_loads":0,"lines":{"3":{"STS":1}}},…]}
using SassTable = std::map<std::string, CompiledCode, std::less<>>;
std::string write_sass_table(const SassTable& table);
/// What write_sass_table wrote. Errors: nlohmann::json::exception.
SassTable read_sass_table(std::string_view json);
/// The one that is part of the program: assets/sass.json. Provenance: recorded.
const SassTable& recorded_sass();

/// nvcc of this machine: on the PATH, or where CUDA's installer puts it. Empty if there is none.
std::string find_nvcc();

/// The architecture of the kernels that were recorded.
inline constexpr const char* kRecordedArch = "sm_90";
std::string arch_of(const DeviceFacts& device);  ///< the name that nvcc has for it

/// Compile a kernel and read its machine code. Takes a second or two.
/// @param nvcc  its path
/// @param arch  for example "sm_90"
/// @param stop  ends the compiler early
/// Errors: std::runtime_error with the first line of what nvcc says.
CompiledCode compile_kernel(const std::string& nvcc, std::string_view kernel_text, const std::string& arch,
                            const std::stop_token& stop = {});

/// The memory instructions by line of a file that is compiled (`nvcc -cubin -lineinfo`) and has one kernel.
/// Loads of a kernel's arguments are left out. Errors: std::runtime_error if it is damaged.
std::map<int, MemoryInstructions> memory_instructions(std::string_view cubin);

/// Put what was compiled beside the accesses of a page.
void add_sass(CodePage& page, const Scenario& scenario, const Params& params, const CompiledCode& code,
              Provenance provenance);

/// The instructions of a scenario that lines of its text make.
using AccessLines = std::map<int, std::vector<int>>;
/// The machine instructions that the accesses of each line became.
std::map<int, MemoryInstructions> instructions_of_lines(const CompiledCode& code, const Scenario& scenario,
                                                        const Params& params, const AccessLines& accesses);
/// Whether a machine instruction, as "LDG.128", can be an access.
bool can_execute(std::string_view machine, const Instruction& access);
std::string instructions_text(const MemoryInstructions& made);  ///< "LDG.128 x 4, STS"
std::string summary_of(const CompiledCode& code);  ///< "26 registers, no spills (nvcc 13.0 for sm_90)"

/// A kernel that nvcc is to compile, on the machine where somebody looks at it.
struct CompiledKey {
    std::string text;  ///< without the comment at the head, which names the setting
    std::string arch;  ///< as of compile_kernel
    friend bool operator==(const CompiledKey&, const CompiledKey&) = default;
};
/// @param devices  whose GPU that is here it is compiled for; without one, as kernels were recorded
CompiledKey compiled_key(const CodePage& page, const std::vector<DeviceFacts>& devices);
/// Unavailable without nvcc, or if it does not compile.
Work<CompiledCode> answer(const CompiledKey& key, Store&);

/// The program of a setting.
struct CodeKey {
    const Scenario* scenario = nullptr;
    Params params;
    Ready<CompiledCode> compiled;  ///< what its accesses became. Null for what was recorded.
    friend bool operator==(const CodeKey&, const CodeKey&) = default;
};
CodePage answer(const CodeKey& key, Store&);

/// Each access of a page with its line and its machine instructions, for a terminal.
std::string sass_text(const CodePage& page, const Scenario& scenario, const Params& params);

}  // namespace warplens
