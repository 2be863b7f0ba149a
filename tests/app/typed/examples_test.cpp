// The examples that come with the program: each has a lesson in its first line, and counts that were worked
// out by hand.
#include "app/base/assets.h"
#include "app/typed/counts.h"
#include "tests/app/typed/typed_examples.h"

#include <gmock/gmock.h>

namespace warplens::test::typed_examples_tests {
namespace {

using typed::TypedProgram;

/// Totals over the grid of the access with this label.
Totals grid_of(const std::string& name, const std::vector<std::int64_t>& values, const std::string& label) {
    static const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    const TypedProgram program(shipped_kernels().at(name), name);
    const auto launch = program.launch(values);
    const typed::TypedCounts counts =
        count_launch(launch, devices.at(find_device(devices, "H200").value())).done();
    EXPECT_EQ(counts.kind, Provenance::exact);
    Totals sum;
    for (std::size_t i = 0; i < launch->accesses().size(); ++i)
        if (launch->accesses()[i].label.starts_with(label)) sum += counts.grid[i];
    return sum;
}

TEST(TypedExamples, EachIsUnderstoodAndHasALesson) {
    const auto all = shipped_kernels();
    EXPECT_GE(all.size(), 11u);
    for (const auto& [name, text] : all) {
        EXPECT_TRUE(text.starts_with("// Lesson: ")) << name;
        const TypedProgram program(text, name);
        std::vector<std::int64_t> values;
        for (const typed::TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
        const auto launch = program.launch(values);
        // Its blocks are taken to be counted in the order of their numbers.
        EXPECT_THAT(launch->warnings(), testing::SizeIs(name == "last-block" ? 1 : 0)) << name;
        const testing::Matcher<std::string> none = "",
                                            race = testing::HasSubstr(
                                                "in line 8, thread 255 (warp 7, lane 31) loads it in line 9");
        EXPECT_THAT(launch->race(), name == "find-the-race" ? race : none) << name;
    }
}

TEST(TypedExamples, CountsAreThoseWorkedOutByHand) {
    // A lane every 128 bytes: a sector for each of 1,024 elements; packed, 8 elements share one.
    EXPECT_EQ(grid_of("own-stride", {1024, 32}, "load in").sectors, 1024);
    EXPECT_EQ(grid_of("own-stride", {1024, 32}, "store out").sectors, 1024 / 8);
    // 1,000 elements: 31 whole warps and one of 8 lanes.
    EXPECT_EQ(grid_of("ragged-copy", {1000}, "load in").instructions, 32);
    EXPECT_EQ(grid_of("ragged-copy", {1000}, "load in").bytes_wanted, 4000);
    // A column of a tile of 32 x 32: all in one bank, or each in its own.
    EXPECT_EQ(grid_of("padded-transpose", {64, 0}, "load tile").wavefronts, 64 * 64);
    EXPECT_EQ(grid_of("padded-transpose", {64, 1}, "load tile").wavefronts, 64 * 64 / 32);
    EXPECT_EQ(grid_of("swizzle-by-hand", {64, 0}, "load tile").wavefronts, 64 * 64);
    EXPECT_EQ(grid_of("swizzle-by-hand", {64, 31}, "load tile").wavefronts, 64 * 64 / 32);
    // 16 rows of 64 counters: summed by lanes in step they lie in one bank, rotated each has its own.
    EXPECT_EQ(grid_of("private-histogram", {0}, "load count, line 18").wavefronts, 64 * 64 * 16);
    EXPECT_EQ(grid_of("private-histogram", {1}, "load count, line 18").wavefronts, 64 * 64);
    EXPECT_EQ(grid_of("private-histogram", {0}, "store count").wavefronts, 64 * 2 * 32);
    EXPECT_EQ(grid_of("one-character", {}, "load tile").wavefronts, 1024 * 1024);
    // Rows of 64 floats lie 256 bytes apart: a sector for each lane and step; x is one word for all lanes.
    EXPECT_EQ(grid_of("matrix-vector", {64}, "load a").sectors, 64 * 64);
    EXPECT_EQ(grid_of("matrix-vector", {64}, "load x").sectors, 2 * 64);
    // 9 loads of each element of a block, each without a conflict; its halo once.
    EXPECT_EQ(grid_of("stencil-with-halo", {512}, "load tile").wavefronts, 9 * 512 / 32);
    EXPECT_EQ(grid_of("stencil-with-halo", {512}, "load in, line 11").bytes_wanted, 2 * 8 * 4);
    // A float4 is 16 bytes: 32 lanes are 16 sectors, for one float of each.
    EXPECT_EQ(grid_of("structures-update", {1024}, "load inout").sectors, 1024 / 2);
    // The tree of a scan meets banks twice as often at each level without the unused words.
    EXPECT_GT(grid_of("bank-friendly-scan", {0}, "load tile").wavefronts,
              2 * grid_of("bank-friendly-scan", {1}, "load tile").wavefronts);
}

}  // namespace
}  // namespace warplens::test::typed_examples_tests
