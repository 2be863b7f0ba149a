// Where the documents are taught: all of their headings, at places that exist, and the README says the same.
#include "app/learn/documents.h"

#include "app/boards/worked/claims.h"
#include "app/cli/command.h"
#include "app/cli/run.h"
#include "tests/source_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace warplens::test::documents_tests {
namespace {

using ::testing::HasSubstr;

/// The headings as they stand in the documents, written down a second time. In brackets: what a table or a
/// figure without a heading of its own is about.
const std::map<std::string, std::vector<std::string>>& all_headings() {
    static const std::map<std::string, std::vector<std::string>> headings = {
        {"memory-model",
         {"CUDA Memory Types", "(registers)", "(local memory)", "(shared memory)", "(global memory)",
          "(constant memory)", "Properties of Memory", "Pointers to Memory", "Minimize Global Memory Access",
          "Matrix Multiply using Global Memory", "Matrix Multiply using Shared Memory",
          "Resources as a Limiting Constraint", "(exercises)"}},
        {"memory-spaces",
         {"First, the only two memories that physically exist", "An analogy to carry the whole way through",
          "The six spaces, one at a time", "The table you should memorize",
          "Local memory is really global memory", "Constant memory and the broadcast trick",
          "Texture memory, briefly", "Where this is going: L2 and distributed shared memory",
          "Zoom in: one thread, one FMA, and the whole hierarchy in miniature",
          "The mental map, and how it drives the ladder"}},
        {"global-access",
         {"Global Memory", "Example: Dynamic Allocation, Transfer, Kernel, and Cleanup",
          "Global Memory Coalescing", "(profiling with Nsight Compute)", "Strided Access",
          "Multidimensional Arrays", "Summary"}},
        {"cuda-memories",
         {"4.1. Importance of Memory Access Efficiency", "4.2. CUDA Device Memory Types",
          "(Table 1. CUDA Variable Type Qualifiers)", "4.3. A Strategy to Reduce Global Memory Traffic",
          "(Figure 4.7, the tiled kernel)", "4.4. Memory as a Limiting Factor of Parallelism",
          "4.5. Summary"}},
        {"hierarchy-guide",
         {"1. Introduction: Why Memory Matters", "2. The CUDA Memory Hierarchy Overview",
          "3. Registers: The Fastest Memory", "How Registers Work", "Register Spilling",
          "4. Shared Memory: The Programmable Cache", "Shared Memory Architecture",
          "Basic Shared Memory Usage", "Bank Conflicts", "5. Global Memory: The Main Workhorse",
          "Achieving Coalesced Access", "6. Constant & Texture Memory", "Constant Memory", "Texture Memory",
          "7. Practical Optimization Techniques", "Naive Implementation",
          "Optimized with Shared Memory Tiling", "8. Summary & Best Practices"}}};
    return headings;
}

std::string readme() {
    std::ifstream file(in_source("README.md"));
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string printed(const std::vector<std::string>& arguments) {
    std::istringstream none;
    std::ostringstream out;
    run_command_line(arguments, none, out);
    return out.str();
}

std::string mistake(const std::string& text) {
    try {
        parse_documents(text);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "no mistake";
}

}  // namespace

TEST(Documents, EveryHeadingOfEveryDocumentIsListed) {
    ASSERT_EQ(documents().size(), worked_claims().sources.size());
    for (const Document& document : documents()) {
        std::vector<std::string> found;
        for (const DocumentHeading& heading : document.headings) found.push_back(heading.heading);
        EXPECT_EQ(found, all_headings().at(document.source)) << document.source;
    }
}

TEST(Documents, EveryPlaceExists) {
    int places = 0;
    for (const Document& document : documents()) {
        for (const DocumentHeading& heading : document.headings) {
            EXPECT_FALSE(heading.teachers.empty()) << heading.heading;
            for (const Teacher& teacher : heading.teachers) {
                ++places;
                EXPECT_EQ(missing_part(teacher), "") << heading.heading << ": " << teacher.text();
                if (teacher.kind != TeacherKind::command) continue;
                const std::string name = teacher.name.substr(0, teacher.name.find(' '));
                EXPECT_EQ(std::ranges::count(all_commands(), name, &CommandEntry::name), 1) << name;
            }
        }
    }
    EXPECT_GT(places, 100);
}

TEST(Documents, TheReadmeHasTheTableThatTheCommandPrints) {
    EXPECT_THAT(readme(), HasSubstr(printed({"documents"})));
}

TEST(Documents, WhatIsMissingIsSaid) {
    EXPECT_EQ(missing_part({TeacherKind::lesson, "transpose", "Why"}), "");
    EXPECT_NE(missing_part({TeacherKind::lesson, "transpose", "Whither"}), "");
    EXPECT_NE(missing_part({TeacherKind::lesson, "no-lesson", "Why"}), "");
    EXPECT_NE(missing_part({TeacherKind::step, "spaces", "No such step"}), "");
    EXPECT_NE(missing_part({TeacherKind::step, "no-course", "Room on the SM"}), "");
    EXPECT_NE(missing_part({TeacherKind::claim, "no-claim", ""}), "");
    EXPECT_NE(missing_part({TeacherKind::show, "no-scenario?x=1", ""}), "");
    EXPECT_NE(missing_part({TeacherKind::quiz, "figure-0", ""}), "");
}

TEST(Documents, WhatIsWrongInTheFileIsNamed) {
    const auto with = [](const std::string& taught) {
        return R"({"documents":[{"source":"memory-model","headings":[{"heading":"A","taught":[)" + taught +
               "]}]}]}";
    };
    EXPECT_EQ(mistake(with(R"("claim two-tiles")")), "no mistake");
    EXPECT_THAT(mistake(with("")), HasSubstr("taught: expected a list that is not empty"));
    EXPECT_THAT(mistake(with(R"("poem x")")), HasSubstr("lesson, step, claim"));
    EXPECT_THAT(mistake(with(R"("lesson transpose")")), HasSubstr("a part of it"));
    EXPECT_THAT(mistake("{"), HasSubstr("documents: "));
    EXPECT_THAT(mistake(R"({"documents":[{"source":"x","headings":[],"more":1}]})"), HasSubstr("more"));
}

}  // namespace warplens::test::documents_tests
