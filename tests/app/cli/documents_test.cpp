// Where the documents are taught: all of their headings, at places that exist.
#include "app/boards/worked/claims.h"
#include "app/cli/command.h"
#include "app/cli/run.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/learn/mistakes.h"
#include "tests/app/cli/printed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

bool has_section(const std::string& key, const std::string& section) {
    return std::ranges::any_of(lesson(key), [&](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == section;
    });
}

bool leads_somewhere(const std::string& link) {
    const std::vector<DeviceFacts> devices = device_table();
    const State start = initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value());
    try {
        return follow_link(link, start, devices), true;
    } catch (const std::exception&) {
        return false;
    }
}

/// Whether a place that teaches exists; a lesson and a course have one such part.
bool exists(const std::string& kind, const std::string& name, const std::string& part) {
    if (kind == "lesson") return has_section(name, part);
    if (kind == "step") {
        const Course* course = find_course(name);
        return course != nullptr && std::ranges::count(course->steps, part, &CourseStep::title) == 1;
    }
    if (kind == "claim") return std::ranges::count(worked_claims().claims, name, &Claim::id) == 1;
    if (kind == "quiz") return find_figure(name) != nullptr;
    if (kind == "show") return leads_somewhere(name);
    const std::string command = name.substr(0, name.find(' '));
    return kind == "command" && std::ranges::count(all_commands(), command, &CommandEntry::name) == 1;
}

}  // namespace

TEST(Documents, EveryHeadingIsListedAndTaughtAtPlacesThatExist) {
    int places = 0;
    std::map<std::string, std::vector<std::string>> found;
    for (const nlohmann::json& row : nlohmann::json::parse(printed({"documents", "--json"}))) {
        found[row.at("source")].push_back(row.at("heading"));
        EXPECT_FALSE(row.at("taught").empty()) << row;
        for (const nlohmann::json& place : row.at("taught")) {
            ++places;
            const std::string kind = place.at("kind");
            EXPECT_EQ(place.contains("part"), kind == "lesson" || kind == "step") << row;
            EXPECT_TRUE(exists(kind, place.at("name"), place.value("part", ""))) << row;
        }
    }
    EXPECT_EQ(found, all_headings());
    EXPECT_EQ(found.size(), worked_claims().sources.size());
    EXPECT_GT(places, 100);
}

TEST(Documents, TheTableHasARowForEachHeading) {
    const std::string table = printed({"documents"});
    std::ptrdiff_t rows = 2;  // its head
    for (const auto& [source, headings] : all_headings()) rows += std::ssize(headings);
    EXPECT_EQ(std::ranges::count(table, '\n'), rows);
    EXPECT_THAT(table, HasSubstr("| Bank Conflicts |"));
}

}  // namespace warplens::test::documents_tests
