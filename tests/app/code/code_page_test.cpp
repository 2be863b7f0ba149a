// The code that the window shows is the kernels' own, and each instruction has its line in it.
#include "app/code/code_page.h"

#include "app/base/assets.h"
#include "app/model/device/kernel_key.h"

#include "tests/source_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace warplens::test::code_page_tests {
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

std::string on_disk(const std::string& path) {
    std::ifstream file(in_source(path.c_str()));
    return {std::istreambuf_iterator<char>(file), {}};
}

const CodeSection& section(const CodePage& page, CodePart part) {
    for (const CodeSection& one : page.sections)
        if (one.part == part) return one;
    throw std::out_of_range("no such section");
}

CodePage page_of(std::string_view id, const std::string& settings = {}) {
    const Scenario& scenario = *find_scenario(id);
    return code_page(scenario, preset_params(scenario, {"", settings}));
}

/// The lines of a section that belong to an instruction.
std::vector<std::string> lines_of(const CodeSection& section, int instruction) {
    std::vector<std::string> lines;
    for (const CodeFunction& function : section.functions) {
        for (const CodeLine& line : function.lines)
            if (std::ranges::find(line.instructions, instruction) != line.instructions.end())
                lines.push_back(line.source());
    }
    return lines;
}

/// What a line of a kernel that reaches memory, or another lane, looks like.
bool is_access(const std::string& line) {
    static const std::regex form(
        R"([\w\])]\[.+\]|(read|write)<.*>\(|(load|store)_\w+(<.*>)?\(|load_matrices\(|tex2D<|__shfl_sync\(|\*(reinterpret_cast|at)|__ldc[ag]\(|asm volatile)");
    return std::regex_search(line, form);
}

std::string values_in(const CodeSection& section) {
    std::string all;
    for (const CodeFunction& function : section.functions) {
        for (const CodeLine& line : function.lines) {
            for (std::size_t i = 1; i < line.pieces.size(); ++i)
                if (line.pieces[i].value) all += line.pieces[i - 1].text + line.pieces[i].text + " ";
        }
    }
    return all;
}

}  // namespace

TEST(CodePage, EveryInstructionOfEveryVariantHasAnAccessOfItsOwnInTheKernel) {
    int settings = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            ++settings;
            const CodePage page = code_page(scenario, params);
            for (const CodePart part : {CodePart::steps, CodePart::kernel}) {
                for (int k = 0; k < scenario.instruction_count(params); ++k) {
                    const std::vector<std::string> lines = lines_of(section(page, part), k);
                    const std::string what(scenario.instruction(params, k).label);
                    ASSERT_EQ(lines.size(), 1u)
                        << scenario.info->id << ": " << what << " in " << part_title(part) << ", "
                        << grid_kernel(scenario, params).specialised();
                    if (part == CodePart::kernel) {
                        EXPECT_TRUE(is_access(lines[0])) << lines[0];
                    }
                }
            }
        }
    }
    EXPECT_GT(settings, 150);
}

TEST(CodePage, TheTimedKernelHasALineForWhatItTimes) {
    for (const Scenario& scenario : all_scenarios()) {
        for (const Params& params : kernel_settings(scenario)) {
            if (timed_kernel(scenario, params).function == grid_kernel(scenario, params).function) continue;
            const CodePage page = code_page(scenario, params);
            for (int k = 0; k < scenario.instruction_count(params); ++k) {
                const auto lines = lines_of(section(page, CodePart::timed), k);
                ASSERT_EQ(lines.size(), 1u) << scenario.info->id << ' ' << k;
                EXPECT_TRUE(is_access(lines[0])) << lines[0];
            }
        }
    }
}

TEST(CodePage, AddressFormulasNameOnlyInstructionsThatThereAre) {
    for (const Scenario& scenario : all_scenarios()) {
        std::set<std::string> names;
        for (const Params& params : kernel_settings(scenario)) {
            for (int k = 0; k < scenario.instruction_count(params); ++k)
                for (const std::string& name : names_of_access(scenario, params, k)) names.insert(name);
        }
        const std::string text(asset(scenario_file(scenario)));
        const std::regex tag("// address of: (.*)");
        for (std::sregex_iterator at(text.begin(), text.end(), tag), end; at != end; ++at) {
            std::string rest = (*at)[1];
            while (!rest.empty()) {
                const std::size_t stop = std::min(rest.find("; "), rest.size());
                const std::string one = rest.substr(0, stop);
                rest = rest.substr(std::min(stop + 2, rest.size()));
                const bool known = std::ranges::any_of(names, [&](const std::string& name) {
                    return name == one || name.starts_with(one + ", ");
                });
                EXPECT_TRUE(known) << scenario.info->id << ": " << one;
            }
        }
    }
}

TEST(CodePage, LinesAreThoseOfTheFiles) {
    for (const Scenario& scenario : all_scenarios()) {
        const CodePage page = code_page(scenario, scenario.info->defaults);
        for (const CodeSection& part : page.sections) {
            for (const CodeFunction& function : part.functions) {
                EXPECT_FALSE(function.lines.empty()) << scenario.info->id << ": " << function.name;
                const std::string text = on_disk(function.file);
                const auto lines = lines_of_code(text);
                for (const CodeLine& line : function.lines) {
                    if (line.number == 0) continue;
                    const std::string shown = line.source();
                    const std::string_view written = lines.at(static_cast<std::size_t>(line.number) - 1);
                    const std::size_t first = shown.find_first_not_of(' ');
                    if (first == std::string::npos) continue;
                    EXPECT_NE(written.find(shown.substr(first)), std::string_view::npos)
                        << function.file << ':' << line.number << ": " << shown;
                }
            }
        }
    }
}

TEST(CodePage, NamesTheSpecialisation) {
    const auto kernel = [](std::string_view id, const std::string& settings) {
        const Scenario& scenario = *find_scenario(id);
        return grid_kernel(scenario, preset_params(scenario, {"", settings})).specialised();
    };
    EXPECT_EQ(kernel("matrix-multiply", "variant=tiled-transposed,tile=16"),
              "tiled_kernel<Multiply::tiled_transposed, 16>");
    EXPECT_EQ(kernel("matrix-multiply", "variant=vectorized"), "blocked_kernel<Multiply::vectorized, 32>");
    EXPECT_EQ(kernel("global-gather", "element=16"), "gather<16>");
    EXPECT_EQ(kernel("local-spill", "registers=32,live=64"), "spill<64, 32>");
    EXPECT_EQ(kernel("constant-convolution", "memory=shared"), "convolve<WeightMemory::shared>");
    EXPECT_EQ(kernel("cache-footprint", ""), "chase");
    const std::string naive = kernel("transpose", "variant=naive"),
                      tile = kernel("transpose", "variant=tile");
    EXPECT_THAT(naive, HasSubstr("replay_kernel<Transpose, "));
    EXPECT_NE(naive, tile) << "another list of instructions is another kernel";
    EXPECT_EQ(tile, kernel("transpose", "variant=padded")) << "padding only changes addresses";
}

TEST(CodePage, ShowsPresentValuesWhereTheyStand) {
    const CodePage stride = page_of("global-stride", "stride=8,offset=3,op=load");
    EXPECT_THAT(values_in(section(stride, CodePart::steps)), HasSubstr("offset=3 stride=8"));
    EXPECT_THAT(values_in(section(stride, CodePart::address)), HasSubstr("offset=3 stride=8"));
    const CodePage padded = page_of("transpose", "variant=padded,padding=2,tile=16");
    EXPECT_THAT(values_in(section(padded, CodePart::address)), HasSubstr("variant=padded"));
    EXPECT_THAT(values_in(section(padded, CodePart::address)), HasSubstr("padding=2"));
    EXPECT_THAT(values_in(section(padded, CodePart::steps)), Not(HasSubstr("tile=16")))
        << "there it is an array's name";
    const CodePage multiply = page_of("matrix-multiply", "variant=tiled,tile=16");
    EXPECT_THAT(values_in(section(multiply, CodePart::kernel)), HasSubstr("kTile=16"));
}

TEST(CodePage, LeavesOutAccessesOfOtherSettings) {
    const CodePage global = page_of("global-stride", "op=load");
    int other = 0;
    for (const CodeFunction& function : section(global, CodePart::kernel).functions) {
        for (const CodeLine& line : function.lines) other += line.other ? 1 : 0;
        EXPECT_NE(function.name, "replay_store") << "nothing is stored";
    }
    EXPECT_GT(other, 5) << "other spaces of replay_load are faint";
}

TEST(CodePage, CopiesPlainCodeWithTheSettingsAtItsTop) {
    const std::string text = page_of("transpose", "variant=padded").text();
    EXPECT_TRUE(text.starts_with("// variant = padded\n// matrix = ")) << text.substr(0, 80);
    EXPECT_THAT(text, HasSubstr("tile[row][column] = value;"));
    EXPECT_THAT(text, HasSubstr("static constexpr LaneAccess access("));
    EXPECT_THAT(text, HasSubstr("replay_kernel"));
    EXPECT_THAT(text, Not(HasSubstr("// access: ")))
        << "the comments that tie lines to pictures are not for readers";
    EXPECT_THAT(text, Not(HasSubstr("variant=padded")));
}

TEST(CodePage, KnowsEveryFieldOfParams) {
    const std::string text = on_disk("kernels/params.h");
    const std::size_t begin = text.find("struct Params"), end = text.find("operator==", begin);
    const std::string body = text.substr(begin, end - begin);
    const std::regex field(R"(\n    int (\w+) = )");
    std::size_t found = 0;
    for (std::sregex_iterator at(body.begin(), body.end(), field), stop; at != stop; ++at, ++found) {
        const std::string name = (*at)[1];
        EXPECT_TRUE(std::ranges::any_of(params_fields(), [&](const ParamsField& f) {
            return f.name == name;
        })) << name;
    }
    EXPECT_EQ(found, params_fields().size());
    Params params;
    std::set<int*> places;
    for (const ParamsField& one : params_fields()) places.insert(&(params.*one.field));
    EXPECT_EQ(places.size(), params_fields().size()) << "no field stands under two names";
}

}  // namespace warplens::test::code_page_tests
