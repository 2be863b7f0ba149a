#include "app/code/compiled_code.h"

#include "app/base/assets.h"
#include "app/base/parse_number.h"
#include "app/base/process.h"
#include "app/base/temporary_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace warplens {
namespace {

constexpr std::chrono::seconds kLongest{60};

/// The position behind the comment at the head.
std::size_t behind_head(std::string_view text) {
    std::size_t at = 0;
    while (text.substr(at).starts_with("//")) at = std::min(text.find('\n', at), text.size() - 1) + 1;
    return at;
}

/// The whole number that stands in front of some words. 0 if the words are not there.
int number_before(std::string_view text, std::string_view words) {
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos) return 0;
    const std::size_t begin = text.substr(0, at).find_last_not_of("0123456789") + 1;
    return parse_number<int>(text.substr(begin, at - begin)).value_or(0);
}

/// "nvcc 13.0", as nvcc says it: "Cuda compilation tools, release 13.0, V13.0.48".
std::string name_of_compiler(const std::string& nvcc, const std::string& output) {
    run_program({nvcc, "--version"}, output, kLongest);
    const std::string said = contents_of(output);
    constexpr std::string_view kBefore = "release ";
    const std::size_t at = said.find(kBefore);
    if (at == std::string::npos) return "nvcc";
    const std::size_t begin = at + kBefore.size();
    return "nvcc " + said.substr(begin, std::min(said.find(',', begin), said.size()) - begin);
}

using MachineNames = std::vector<std::string_view>;

/// The machine instructions that can execute an access: how their names begin.
MachineNames machine_names(const Instruction& access) {
    const bool load = is_load(access.op), atomic = is_atomic(access.op);
    if (access.bulk) return {"UBLKCP", "UTMALDG"};
    switch (access.space) {
        case Space::global:
            if (atomic) return {"RED", "REDG", "ATOM", "ATOMG"};
            return load ? MachineNames{"LDG", "LDGSTS"} : MachineNames{"STG"};
        case Space::shared:
            if (atomic) return {"ATOMS"};
            return load ? MachineNames{"LDS", "LDSM"} : MachineNames{"STS", "LDGSTS"};
        case Space::constant:
            return {"LDC", "ULDC", "FFMA c[3]", "FADD c[3]", "FMUL c[3]"};
        case Space::texture:
            return {"TEX", "LDG"};
        case Space::local:
            return load ? MachineNames{"LDL"} : MachineNames{"STL"};
        default:
            if (access.by_value != ByValue::no) return {"MATCH", "REDUX"};
            return {"SHFL", "LD", "ST"};  // registers of other lanes, shared memory of other blocks
    }
}

bool has_one(const MemoryInstructions& made, const Instruction& access) {
    return std::ranges::any_of(made, [&](const auto& one) { return can_execute(one.first, access); });
}

/// nvcc counts some instructions to the line that prepares them, to the one that uses the value, or to the
/// function that the access calls: give them to the access.
void take_from_neighbours(std::map<int, MemoryInstructions>& made, int at, const Instruction& access,
                          const AccessLines& accesses) {
    constexpr int kFarthest = 200;  // [lines]: more than a kernel has with the functions that it calls
    for (int distance = 1; distance <= kFarthest; ++distance) {
        for (const int line : {at - distance, at + distance}) {
            const auto there = made.find(line);
            if (accesses.contains(line) || there == made.end() || !has_one(there->second, access)) continue;
            for (const auto& [name, times] : there->second)
                if (can_execute(name, access)) made[at][name] += times;
            std::erase_if(there->second, [&](const auto& one) { return can_execute(one.first, access); });
            return;
        }
    }
}

}  // namespace

bool can_execute(std::string_view machine, const Instruction& access) {
    const MachineNames names = machine_names(access);
    return std::ranges::find(names, machine.substr(0, machine.find('.'))) != names.end();
}

std::map<int, MemoryInstructions> instructions_of_lines(const CompiledCode& code, const Scenario& scenario,
                                                        const Params& params, const AccessLines& accesses) {
    std::map<int, MemoryInstructions> made = code.lines;
    for (const auto& [line, instructions] : accesses) {
        for (const int k : instructions) {
            const Instruction access = scenario.instruction(params, k);
            if (!has_one(made[line], access)) take_from_neighbours(made, line, access, accesses);
        }
    }
    std::erase_if(made, [&](const auto& one) { return !accesses.contains(one.first); });
    return made;
}

std::string instructions_text(const MemoryInstructions& made) {
    std::string text;
    for (const auto& [name, times] : made)
        text += (text.empty() ? "" : ", ") + name + (times > 1 ? fmt::format(" x {}", times) : "");
    return text;
}

std::string summary_of(const CompiledCode& code) {
    return fmt::format(
        "{} registers, {} ({})", code.registers,
        code.spill_stores + code.spill_loads == 0
            ? std::string("no spills")
            : fmt::format("{} bytes of spill stores, {} of spill loads", code.spill_stores, code.spill_loads),
        code.from);
}

std::string kernel_hash(std::string_view kernel_text) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : kernel_text.substr(behind_head(kernel_text)))
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

std::string write_sass_table(const SassTable& table) {
    using nlohmann::ordered_json;
    std::string rows, compiler;
    for (const auto& [hash, code] : table) {
        ordered_json lines = ordered_json::object();
        for (const auto& [line, made] : code.lines) lines[std::to_string(line)] = made;
        const ordered_json row{{"hash", hash},
                               {"registers", code.registers},
                               {"spill_stores", code.spill_stores},
                               {"spill_loads", code.spill_loads},
                               {"lines", lines}};
        rows += (rows.empty() ? "" : ",\n") + row.dump();
        compiler = code.from;
    }
    return fmt::format(
        "{{\"schema\":\"warplens sass\",\"version\":1,\"compiler\":{},\"kernels\":[\n{}\n]}}\n",
        ordered_json(compiler).dump(), rows);
}

SassTable read_sass_table(std::string_view text) {
    SassTable table;
    const nlohmann::json file = nlohmann::json::parse(text);
    for (const nlohmann::json& row : file.at("kernels")) {
        CompiledCode& code = table[row.at("hash")];
        code = {row.at("registers"), row.at("spill_stores"), row.at("spill_loads"), {}, file.at("compiler")};
        for (const auto& [line, made] : row.at("lines").items())
            code.lines[parse_number<int>(line).value()] = made.get<MemoryInstructions>();
    }
    return table;
}

const SassTable& recorded_sass() {
    static const SassTable table = read_sass_table(asset("assets/sass.json"));
    return table;
}

std::string arch_of(const DeviceFacts& device) {
    return fmt::format("sm_{}{}", device.cc.major, device.cc.minor);
}

std::string find_nvcc() { return find_program("nvcc", {"/usr/local/cuda/bin", "/opt/cuda/bin"}); }

CompiledCode compile_kernel(const std::string& nvcc, std::string_view kernel_text, const std::string& arch,
                            const std::stop_token& stop) {
    const TemporaryFolder folder;
    const std::string source = folder.path() + "/kernel.cu", cubin = folder.path() + "/kernel.cubin",
                      output = folder.path() + "/output";
    std::ofstream(source) << kernel_text.substr(behind_head(kernel_text));
    const std::optional<int> status = run_program(
        {nvcc, "-O3", "-arch=" + arch, "-cubin", "-lineinfo", "-Xptxas", "-v", "-o", cubin, source}, output,
        kLongest, stop);
    const std::string said = contents_of(output);
    if (status != 0)
        throw std::runtime_error(fmt::format(
            "nvcc does not compile the kernel: {}",
            status ? said.substr(0, said.find('\n')) : std::string("it was stopped, or takes too long")));
    constexpr std::string_view kFor = "for '";  // "Compiling entry function '…' for 'sm_90'"
    const std::size_t at = said.find(kFor);
    const std::string made_for =
        at == std::string::npos
            ? arch
            : said.substr(at + kFor.size(), said.find('\'', at + kFor.size()) - at - kFor.size());
    return {.registers = number_before(said.substr(std::min(said.find("Used "), said.size())), " registers"),
            .spill_stores = number_before(said, " bytes spill stores"),
            .spill_loads = number_before(said, " bytes spill loads"),
            .lines = memory_instructions(contents_of(cubin)),
            .from = fmt::format("{} for {}", name_of_compiler(nvcc, output), made_for)};
}

void add_sass(CodePage& page, const Scenario& scenario, const Params& params, const CompiledCode& code,
              Provenance provenance) {
    const std::string text = page.kernel_text();
    page.compiled = fmt::format("{} {}", provenance_mark(provenance), summary_of(code));
    int line = -int(std::ranges::count(std::string_view(text).substr(0, behind_head(text)), '\n'));
    std::map<int, CodeLine*> lines;
    AccessLines accesses;
    for (CodeSection& section : page.sections) {
        for (CodeLine& one : section.lines) {
            ++line;
            if (section.part == CodePart::host || one.instructions.empty()) continue;
            lines.emplace(line, &one);
            accesses.emplace(line, one.instructions);
        }
    }
    for (const auto& [number, made] : instructions_of_lines(code, scenario, params, accesses))
        lines.at(number)->sass = instructions_text(made);
}

CompiledKey compiled_key(const CodePage& page, const std::vector<DeviceFacts>& devices) {
    const std::string text = page.kernel_text();
    const auto here = std::ranges::find(devices, true, &DeviceFacts::here);
    return {text.substr(behind_head(text)), here == devices.end() ? kRecordedArch : arch_of(*here)};
}

Work<CompiledCode> answer(const CompiledKey& key, Store&) {
    return in_one_piece<CompiledCode>([key](const std::stop_token& unwanted) {
        const std::string nvcc = find_nvcc();
        if (nvcc.empty()) throw std::runtime_error("there is no nvcc on this machine");
        return compile_kernel(nvcc, key.text, key.arch, unwanted);
    });
}

CodePage answer(const CodeKey& key, Store&) {
    CodePage page = code_page(*key.scenario, key.params);
    if (key.compiled) add_sass(page, *key.scenario, key.params, *key.compiled, Provenance::exact);
    return page;
}

std::string sass_text(const CodePage& page, const Scenario& scenario, const Params& params) {
    std::string text = page.compiled + '\n';
    int number = 0;
    for (const CodeSection& section : page.sections) {
        for (const CodeLine& line : section.lines) {
            ++number;
            if (line.instructions.empty()) continue;
            std::string labels;
            for (const int k : line.instructions)
                labels += (labels.empty() ? "" : "; ") + std::string(scenario.instruction(params, k).label);
            const std::size_t begin = std::min(line.text.find_first_not_of(' '), line.text.size());
            text += fmt::format("{:>4}  {}\n      {} -> {}\n", number, line.text.substr(begin), labels,
                                line.sass.empty() ? "no memory instruction" : line.sass);
        }
    }
    return text;
}

}  // namespace warplens
