// The board of occupancy: everything inside its picture, every compute capability, links that set knobs.
#include "app/boards/occupancy/occupancy_picture.h"
#include "tests/app/model/device/occupancy_rows.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warplens::test::occupancy_picture_tests {

namespace {

const test::FixedMeasure kMeasure;

Picture drawn(const CapabilityFacts& facts, const OccupancyInput& input, Vec2 size, bool embedded = false) {
    const Style style{&theme(ThemeName::dark), &kMeasure, size, -1, embedded, false};
    return draw_occupancy({facts, input, "a GPU"}, style);
}

bool has_label(const Picture& picture, const std::string& text) {
    return std::ranges::count(texts(picture), text) > 0;
}

OccupancyInput random_input(std::mt19937& random, const CapabilityFacts& facts) {
    const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
    return {.threads = 1 + up_to(1023),
            .registers = 1 + up_to(254),
            .static_shared = up_to(1) * up_to(facts.shared_per_block),
            .dynamic_shared = up_to(facts.shared_per_block_most),
            .carveout = facts.has_carveout() ? up_to(101) - 1 : -1,
            .arguments = up_to(257) - 1};
}

}  // namespace

TEST(OccupancyPicture, StaysInsideAndHasATooltipForEverything) {
    std::mt19937 random(1);
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (const Vec2 size : {Vec2{600, 400}, Vec2{640, 620}, Vec2{1280, 800}, Vec2{3000, 1800}}) {
            const OccupancyInput input = random_input(random, facts);
            const Picture picture = drawn(facts, input, size, random() % 2 == 0);
            for (const Shape& shape : picture.shapes) {
                const auto* label = std::get_if<Label>(&shape);
                if (label == nullptr) continue;
                const float width = kMeasure.width(label->text, label->font);
                const float left = label->position.x - (label->anchor == Anchor::start    ? 0
                                                        : label->anchor == Anchor::middle ? width / 2
                                                                                          : width);
                EXPECT_GE(left, -1) << label->text;
                EXPECT_LE(left + width, size.x + 1) << label->text << " at " << size.x;
                EXPECT_LE(label->position.y, size.y) << label->text;
            }
            for (const Hit& hit : picture.hits) {
                EXPECT_FALSE(hit.tooltip.empty());
                EXPECT_GE(hit.rect.x, 0);
                EXPECT_LE(hit.rect.x + hit.rect.w, size.x + 1);
                EXPECT_LE(hit.rect.y + hit.rect.h, size.y + 1);
            }
        }
    }
}

TEST(OccupancyPicture, EverySlotIsDrawnAndTheLimiterNamed) {
    const CapabilityFacts& h200 = test::capability("9.0");
    const Picture picture = drawn(h200, {.threads = 256, .registers = 33}, {1280, 800});
    int taken = 0, empty = 0;
    for (const Hit& hit : picture.hits) {
        taken += hit.tooltip.find(", warp ") != std::string::npos;
        empty += hit.tooltip.find("a free warp slot") != std::string::npos;
    }
    EXPECT_EQ(taken, 48);
    EXPECT_EQ(empty, 16);
    EXPECT_EQ(std::ranges::count(texts(picture), "limits"), 1);
    EXPECT_TRUE(has_label(picture, "75 %"));
    EXPECT_TRUE(has_label(drawn(h200, {.threads = 256, .registers = 32}, {1280, 800}), "full"));
    EXPECT_FALSE(has_label(drawn(test::capability("1.0"), {}, {1280, 800}), "partition 0"));
    EXPECT_FALSE(has_label(drawn(test::capability("8.0"), {}, {1280, 800}), "barriers")) << "from 9.0 on";
}

TEST(OccupancyPicture, AClickOnACurveSetsThatKnobToWhatItsTooltipSays) {
    const CapabilityFacts& h200 = test::capability("9.0");
    const Picture picture = drawn(
        h200, {.threads = 256, .registers = 33, .static_shared = 1000, .dynamic_shared = 500}, {1280, 800});
    std::set<std::string> links;
    for (const Hit& hit : picture.hits) {
        if (hit.link.empty()) continue;
        links.insert(hit.link);
        EXPECT_EQ(hit.link.find("?board=occupancy&occupancy."), 0u);
        EXPECT_NE(hit.tooltip.find("Click to set it."), std::string::npos);
    }
    EXPECT_TRUE(links.contains("?board=occupancy&occupancy.registers=32")) << "the end of a step can be hit";
    EXPECT_TRUE(links.contains("?board=occupancy&occupancy.threads=512"));
    EXPECT_TRUE(links.contains("?board=occupancy&occupancy.threads=32"));
    EXPECT_TRUE(links.contains("?board=occupancy&occupancy.static=1000&occupancy.dynamic=231448"))
        << "the most that a block can have";
}

TEST(OccupancyExplained, EveryVerdictHasNumbersAndEndsWell) {
    std::mt19937 random(2);
    for (const CapabilityFacts& facts : test::capabilities()) {
        for (int i = 0; i < 100; ++i) {
            const OccupancyInput input = random_input(random, facts);
            const OccupancySetting view{facts, input, ""};
            const Explanation explanation = explain_occupancy(view);
            const Occupancy now = compute_occupancy(facts, input);
            EXPECT_TRUE(explanation.verdict.ends_with('.')) << explanation.verdict;
            EXPECT_EQ(explanation.good, now.full());
            EXPECT_EQ(now.blocks == 0, !refusal_sentence(view).empty());
            EXPECT_TRUE(explanation.verdict.starts_with(refusal_sentence(view))) << explanation.verdict;
            const std::vector<Remedy> remedies = find_remedies(facts, input);
            const std::string remedy = remedies.empty() ? "" : remedy_sentence(view, remedies.front());
            EXPECT_TRUE(explanation.verdict.ends_with(remedy)) << explanation.verdict;
        }
    }
}

TEST(OccupancyExplained, SentencesOfATeacher) {
    const CapabilityFacts& h200 = test::capability("9.0");
    const auto verdict = [&](OccupancyInput input) { return explain_occupancy({h200, input, ""}).verdict; };
    EXPECT_EQ(
        verdict({.threads = 256, .registers = 33}),
        "Registers leave room for 6 blocks of 256 threads: 48 of 64 warps, 75 %. One register fewer per "
        "thread, 32 instead of 33, gives 8 blocks: 64 of 64 warps, 100 %.");
    EXPECT_EQ(verdict({.threads = 256, .registers = 32}),
              "8 blocks of 256 threads fill all 64 warp slots of an SM.");
    EXPECT_EQ(
        verdict({.threads = 32, .registers = 16}),
        "Block slots leave room for 32 blocks of 32 threads: 32 of 64 warps, 50 %. Blocks of 64 instead of 32 "
        "threads give 32 blocks: 64 of 64 warps, 100 %.");
    EXPECT_EQ(explain_occupancy({test::capability("3.0"), {.registers = 64}, ""})
                  .why.find("A warp of 64 x 32 registers"),
              0u);
    EXPECT_NE(explain_occupancy({test::capability("3.0"), {.registers = 64}, ""})
                  .why.find("no instruction names more than 63 registers"),
              std::string::npos);
}

}  // namespace warplens::test::occupancy_picture_tests
