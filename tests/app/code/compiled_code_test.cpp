// What nvcc makes of the kernels, as recorded: whether it belongs to what the program says about its
// accesses.
#include "app/code/compiled_code.h"

#include "app/base/process.h"
#include "app/experiment/settings.h"
#include "tests/source_dir.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

namespace warplens::test::compiled_code_tests {
namespace {

constexpr std::string_view kTable = R"({"schema":"warplens sass","version":1,"compiler":"nvcc 13.0 for sm_90",
"kernels":[{"hash":"0123456789abcdef","registers":20,"spill_stores":8,
"spill_loads":16,"lines":{"3":{"LDG.128":4,"STS":1}}}]})";

/// The machine instructions that can execute an access.
std::vector<std::string> expected_names(const Instruction& instruction) {
    if (is_atomic(instruction.op))
        return instruction.space == Space::shared ? std::vector<std::string>{"ATOMS"}
                                                  : std::vector<std::string>{"RED", "ATOMG"};
    if (instruction.bulk) return {"UBLKCP", "UTMALDG"};
    if (instruction.by_value != ByValue::no) return {"MATCH", "REDUX"};
    const bool load = instruction.op != Op::store;
    switch (instruction.space) {
        case Space::global:
            return {load ? "LDG" : "STG"};
        case Space::shared:
            return load ? std::vector<std::string>{"LDS"} : std::vector<std::string>{"STS"};  // "LDSM", too
        case Space::constant:
            return {"LDC", "ULDC", "c[3]"};
        case Space::texture:
            return {"TEX", "LDG"};
        case Space::local:
            return {load ? "LDL" : "STL"};
        default:
            return {"SHFL", "LD"};  // registers of other lanes, shared memory of other blocks
    }
}

std::string cubin() { return contents_of(in_source("tests/data/seven_lines.cubin")); }

std::string described(const Scenario& scenario, const Params& params) {
    return std::string(scenario.info->id) + ' ' + describe_settings(scenario, params, ",");
}

}  // namespace

TEST(CompiledCode, ReadsATable) {
    const SassTable table = read_sass_table(kTable);
    const CompiledCode& code = table.at("0123456789abcdef");
    EXPECT_EQ(code.from, "nvcc 13.0 for sm_90");
    EXPECT_EQ(code.registers, 20);
    EXPECT_EQ(code.spill_stores, 8);
    EXPECT_EQ(code.spill_loads, 16);
    EXPECT_EQ(code.lines.at(3), (MemoryInstructions{{"LDG.128", 4}, {"STS", 1}}));
    EXPECT_EQ(write_sass_table(read_sass_table(write_sass_table(table))), write_sass_table(table));
}

/// A kernel of seven lines, compiled for sm_90: line 3 loads a float4, line 4 stores to shared memory, and
/// line 6 loads from there and stores the result.
TEST(CompiledCode, MachineCodeBelongsToItsLines) {
    const std::map<int, MemoryInstructions> expected{
        {3, {{"LDG.128", 1}}}, {4, {{"STS", 1}}}, {6, {{"LDS", 1}, {"STG", 1}}}};
    EXPECT_EQ(memory_instructions(cubin()), expected);
}

TEST(CompiledCode, ADamagedCubinIsRefusedOrReadButNeverReadBeyondItsEnd) {
    const std::string whole = cubin();
    EXPECT_THROW(memory_instructions(""), std::runtime_error);
    EXPECT_THROW(memory_instructions("\177ELF\2\1"), std::runtime_error);
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string damaged = whole.substr(0, i % 3 == 0 ? random() % whole.size() : whole.size());
        for (int k = 0; k < 8 && !damaged.empty(); ++k)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        try {
            memory_instructions(damaged);
        } catch (const std::runtime_error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(CompiledCode, TheHashIsFnvOfTheTextBehindItsHead) {
    EXPECT_EQ(kernel_hash(""), "cbf29ce484222325");
    EXPECT_EQ(kernel_hash("a"), "af63dc4c8601ec8c") << "published for FNV-1a, 64 bits";
    EXPECT_EQ(kernel_hash("// one setting\n// of it\na"), kernel_hash("a"));
    EXPECT_EQ(kernel_hash("// only a comment"), kernel_hash(""));
}

TEST(CompiledCode, EveryDefaultAndPresetIsRecordedWithTheInstructionsOfItsAccesses) {
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<Params> settings{preset_params(scenario, {"", ""})};
        for (const Preset& preset : scenario.info->presets)
            settings.push_back(preset_params(scenario, preset));
        for (const Params& params : settings) {
            SCOPED_TRACE(described(scenario, params));
            const CodePage page = code_page(scenario, params);
            EXPECT_THAT(page.compiled, ::testing::HasSubstr("registers"));
            if (scenario.info->time == TimeModel::spills)
                continue;  // the assembler puts spills where it likes
            // An array whose indices are known when it is compiled stays in registers.
            if (describe_settings(scenario, params, ",") == "index=known") continue;
            for (const CodeSection& section : page.sections) {
                for (const CodeLine& line : section.lines) {
                    for (const int k : line.instructions) {
                        const Instruction instruction = scenario.instruction(params, k);
                        const std::vector<std::string> names = expected_names(instruction);
                        EXPECT_TRUE(std::ranges::any_of(names,
                                                        [&](const std::string& name) {
                                                            return line.sass.find(name) != std::string::npos;
                                                        }))
                            << line.text << ": " << line.sass;
                    }
                }
            }
        }
    }
}

TEST(CompiledCode, AnElementOf16BytesIsOneInstruction) {
    for (const auto& [bytes, width] : {std::pair{1, ".U8"}, {2, ".U16"}, {4, ""}, {8, ".64"}, {16, ".128"}}) {
        for (const auto& [id, name] : {std::pair{"global-stride", "LDG"}, {"shared-stride", "LDS"}}) {
            const Scenario& scenario = *find_scenario(id);
            const CodePage page =
                code_page(scenario, preset_params(scenario, {"", fmt::format("op=load,element={}", bytes)}));
            std::string made;
            for (const CodeSection& section : page.sections)
                for (const CodeLine& line : section.lines)
                    if (!line.instructions.empty()) made += line.sass;
            EXPECT_EQ(made.substr(0, made.find(" x ")), std::string(name) + width) << bytes;
        }
    }
}

TEST(CompiledCode, ATextListsEachAccessWithItsInstructions) {
    const Scenario& scenario = *find_scenario("transpose");
    const Params params = preset_params(scenario, {"", "variant=padded"});
    const std::string text = sass_text(code_page(scenario, params), scenario, params);
    EXPECT_THAT(text, ::testing::HasSubstr("▲ 26 registers, no spills (nvcc 13.0 for sm_90)"));
    for (const char* name : {"load in, by rows -> LDG x 4", "store tile, by rows -> STS x 4",
                             "load tile, by columns -> LDS x 4", "store out, by rows -> STG x 4"})
        EXPECT_THAT(text, ::testing::HasSubstr(name));
}

}  // namespace warplens::test::compiled_code_tests
