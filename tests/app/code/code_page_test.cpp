// The program of a setting: laws over every kernel of every scenario. tests/commands/code_compiles.sh
// compiles some.
#include "app/code/code_page.h"

#include "app/cli/run.h"
#include "app/code/program_text.h"
#include "app/experiment/evidence.h"
#include "app/model/catalogue.h"
#include "app/model/time/prediction.h"
#include "app/typed/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace warplens::test::code_page_tests {
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

CodePage page_of(std::string_view id, const std::string& settings = {}) {
    const Scenario& scenario = *find_scenario(id);
    return code_page(scenario, preset_params(scenario, {"", settings}));
}

/// The lines that belong to an instruction.
std::vector<std::string> lines_of(const CodePage& page, int instruction) {
    std::vector<std::string> lines;
    for (const CodeSection& section : page.sections) {
        for (const CodeLine& line : section.lines)
            if (std::ranges::count(line.instructions, instruction) > 0) lines.push_back(line.text);
    }
    return lines;
}

/// What a line that reaches memory, or another lane, looks like; of spills the sources say nothing.
bool is_access(const std::string& line) {
    static const std::regex form(
        R"(\w\[.+\]|tex2D<|_sync\(|load_\w+\(|\bfour\(|__ld|asm volatile\(|copy<|copy_\w+\(|values\[i\]|follow\(|atomicAdd\(|\*\w+ \+?= )");
    return std::regex_search(line, form);
}

/// What the command in the head of a program prints.
std::string printed_by_command_of(const CodePage& page) {
    static const std::string kStart = "//     warplens ";
    for (const CodeLine& line : page.sections.front().lines) {
        if (!line.text.starts_with(kStart)) continue;
        std::istringstream words(line.text.substr(kStart.size())), none;
        std::ostringstream out;
        run_command_line({std::istream_iterator<std::string>(words), {}}, none, out);
        return out.str();
    }
    return "no command in its head";
}

void expect_one_line_for_each_instruction(const Scenario& scenario, const Params& params,
                                          const CodePage& page) {
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const std::vector<std::string> lines = lines_of(page, k);
        ASSERT_EQ(lines.size(), 1u) << scenario.instruction(params, k).label;
        EXPECT_TRUE(is_access(lines[0])) << lines[0];
    }
    for (const CodeSection& section : page.sections) {
        for (const CodeLine& line : section.lines)
            EXPECT_TRUE(section.part == CodePart::kernel || line.instructions.empty()) << line.text;
    }
}

/// Nothing that only this program knows.
void expect_plain_cuda(const std::string& text) {
    for (const char* word : {"Params", "LaneAccess", "warplens::", "WARPLENS", "kernels/", "// access",
                             "kWarpLanes", "memory.sink", "Scenario", "std::uint32_t", "$"})
        EXPECT_EQ(text.find(word), std::string::npos) << word;
}

/// Every constant, and every type that a template had, is defined.
void expect_definitions(const std::string& text) {
    static const std::set<std::string_view> kTypes{"int", "bool", "unsigned", "float", "class", "using"};
    static const std::set<std::string_view> kParameters{"T", "Pack", "Order", "Border", "Exchange"};
    std::set<std::string_view> used, defined;
    for (const std::string_view line : lines_of_code(text)) {
        std::vector<CodeToken> tokens = code_tokens(line);
        std::erase_if(tokens, [](const CodeToken& one) {
            return one.text.starts_with(' ') || one.tone == CodeTone::comment;
        });
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string_view name = tokens[i].text;
            const bool constant = name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z';
            if (!constant && !kParameters.contains(name)) continue;
            used.insert(name);
            const bool has_value = i + 1 < tokens.size() && tokens[i + 1].text == "=";
            if (has_value || (i > 0 && kTypes.contains(tokens[i - 1].text))) defined.insert(name);
        }
    }
    EXPECT_EQ(used, defined);
}

}  // namespace

TEST(CodePage, EveryKernelOfEveryScenarioIsAProgram) {
    int settings = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            SCOPED_TRACE(std::string(scenario.info->id) + ' ' + describe_settings(scenario, params, ","));
            const CodePage page = code_page(scenario, params);
            const std::string text = page.text();
            ++settings;
            expect_one_line_for_each_instruction(scenario, params, page);
            expect_plain_cuda(text);
            expect_definitions(text);
            const SpeedWords& printed = speed_words(speed_unit_of(*scenario.info, params));
            EXPECT_NE(text.find(std::string(printed.name) + ": %"), std::string::npos);
            EXPECT_NE(text.find(printed.unit), std::string::npos);
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(settings, 150);
}

// What the window's Edit does with it. Outside are only what the manual says of own kernels.
TEST(CodePage, EachIsReadBackAsAnOwnKernel) {
    constexpr std::string_view kOutside[] = {"inline PTX", "lambda"};
    std::set<std::string> seen;
    int read = 0, outside = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (Params params : kernel_settings(scenario)) {
            params.matrix = std::min(params.matrix, 256);  // longer loops and more blocks take long
            params.block_x = std::max(params.block_x, 8);
            clamp_knobs(scenario, params);
            const std::string text = code_page(scenario, params).text();
            std::string words;  // with other numbers they are read the same
            for (const std::string_view line : lines_of_code(text))
                if (!line.starts_with("//")) words += line;
            std::erase_if(words, [](char c) { return c >= '0' && c <= '9'; });
            if (!seen.insert(words).second) continue;
            try {
                const typed::TypedProgram program(text, "a.cu");
                ++read;
            } catch (const typed::SourceError& error) {
                const std::string_view said = error.what();
                EXPECT_TRUE(std::ranges::any_of(
                    kOutside, [&](std::string_view one) { return said.find(one) != said.npos; }))
                    << scenario.info->id << ' ' << describe_settings(scenario, params, ",") << ": " << said;
                ++outside;
            }
        }
    }
    EXPECT_GT(read, 4 * outside) << outside;
}

TEST(CodePage, TheCommandInItsHeadPrintsIt) {
    for (const Scenario& scenario : all_scenarios()) {
        EXPECT_EQ(printed_by_command_of(page_of(scenario.info->id)), page_of(scenario.info->id).text());
        for (const Preset& preset : scenario.info->presets) {
            const CodePage page = code_page(scenario, preset_params(scenario, preset));
            EXPECT_EQ(printed_by_command_of(page), page.text()) << scenario.info->id << ' ' << preset.name;
        }
    }
}

TEST(CodePage, HasTheValuesOfTheKnobsInPlace) {
    const CodePage padded = page_of("transpose", "variant=padded,padding=2,tile=16,matrix=1000");
    EXPECT_EQ(padded.file, "transpose.cu");
    EXPECT_EQ(padded.launch, "transpose_tile<<<dim3(63, 63), dim3(16, 8), 1152>>>");
    EXPECT_THAT(padded.text(), HasSubstr("//     warplens code transpose --set variant=padded,matrix=1000"));
    EXPECT_THAT(padded.kernel_text(), HasSubstr("\nconstexpr int kTile = 16;\n"));
    EXPECT_THAT(padded.kernel_text(), HasSubstr("\nconstexpr bool kWhole = false;\n"));
    EXPECT_THAT(padded.kernel_text(), Not(HasSubstr("template"))) << "the variant is chosen";
    EXPECT_THAT(padded.kernel_text(), Not(HasSubstr("transpose_naive")));
    EXPECT_THAT(padded.kernel_text(), Not(HasSubstr("main")));
    EXPECT_THAT(padded.text(), HasSubstr("const int n = 1000;"));
    EXPECT_THAT(padded.text(), HasSubstr("const int pitch = 18;"));
    EXPECT_THAT(padded.text(),
                HasSubstr("transpose_tile<<<grid, block, shared_bytes, stream>>>(in, out, n, pitch)"));

    const std::string stride = page_of("global-stride", "op=load,element=8,mask=0xffff").text();
    EXPECT_THAT(stride, HasSubstr("\nusing T = uint2;\n"));
    EXPECT_THAT(stride, HasSubstr("const unsigned mask = 0x0000ffff;"));
    EXPECT_THAT(stride, HasSubstr("unsigned fold(uint2 v)")) << "which the kernel calls";
    EXPECT_THAT(stride, Not(HasSubstr("unfold"))) << "which it does not call";
    EXPECT_THAT(page_of("texture-walk", "walk=z-order").kernel_text(), HasSubstr("\nstruct ZOrder {\n"));
    EXPECT_THAT(page_of("constant-convolution", "memory=constant").text(), HasSubstr("cudaMemcpyToSymbol"));
    EXPECT_THAT(page_of("cluster-shared", "cluster=8").text(),
                HasSubstr("cudaLaunchAttributeClusterDimension"));
}

TEST(CodePage, AsksForSharedMemoryAboveTheUsualLimit) {
    const std::string small = page_of("shared-tile").text(),
                      large = page_of("shared-tile", "width=64,height=64,element=16").text();
    EXPECT_THAT(small, Not(HasSubstr("cudaFuncAttributeMaxDynamicSharedMemorySize")));
    EXPECT_THAT(
        large,
        HasSubstr("cudaFuncSetAttribute(load_by_columns, cudaFuncAttributeMaxDynamicSharedMemorySize"));
}

TEST(ProgramText, FillsInValuesAndKeepsWhatApplies) {
    const ProgramFacts facts{{{"n", "7"}, {"name", "x"}}, {"op=load", "wide"}};
    EXPECT_EQ(fill_program("int $name$ = $n$;\n", facts), "int x = 7;\n");
    EXPECT_EQ(fill_program("//$if op=load\na\n//$else\nb\n//$end\nc\n", facts), "a\nc\n");
    EXPECT_EQ(fill_program("//$if op=store\na\n//$else\nb\n//$end\n", facts), "b\n");
    EXPECT_EQ(fill_program("//$if !op=store wide\na\n//$end\n", facts), "a\n");
    EXPECT_EQ(fill_program("//$if op=load !wide\na\n//$end\n", facts), "");
    EXPECT_EQ(fill_program("//$if none\n//$if wide\na\n//$else\nb\n//$end\n//$else\nc\n//$end\n", facts),
              "c\n");
    EXPECT_EQ(fill_program("//$if none\n$unknown$\n//$end\n", facts), "")
        << "what is left out needs no value";
    for (const char* wrong :
         {"$unknown$", "one $", "//$if wide\n", "//$end\n", "//$if wide\n//$end\n//$end\n"})
        EXPECT_THROW(fill_program(wrong, facts), std::runtime_error) << wrong;
}

}  // namespace warplens::test::code_page_tests
