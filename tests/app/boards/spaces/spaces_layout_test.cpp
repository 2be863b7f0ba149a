// The table of memory spaces as a picture: no word is cut at any size it is made for, whatever the GPU.
#include "app/boards/spaces/spaces_picture.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

namespace warplens::test::spaces_layout_tests {

namespace {

const Vec2 kSizes[] = {{600, 400}, {900, 500}, {1000, 670}, {1640, 950}, {3000, 1800}};

/// Narrower than FixedMeasure, as our proportional type is on the average.
class InterLike final : public TextMeasure {
public:
    float width(std::string_view utf8, FontRole font) const override {
        return FixedMeasure().width(utf8, font) * (font == FontRole::mono ? 1.0f : 0.92f);
    }
};
const InterLike kMeasure;

Picture drawn(const DeviceFacts& device, Vec2 size, ThemeName name = ThemeName::dark) {
    return draw_spaces(spaces_of(device), {&theme(name), &kMeasure, size, -1, true, false});
}

}  // namespace

TEST(SpacesPicture, NoWordIsCutAndNothingLeavesThePicture) {
    for (const DeviceFacts& device : all_devices()) {
        for (const Vec2 size : kSizes) {
            const Picture picture = drawn(device, size);
            for (const Shape& shape : picture.shapes) {
                const Label* label = std::get_if<Label>(&shape);
                if (label == nullptr) continue;
                const float width = kMeasure.width(label->text, label->font);
                const float left = label->position.x - (label->anchor == Anchor::middle ? width / 2
                                                        : label->anchor == Anchor::end  ? width
                                                                                        : 0);
                EXPECT_FALSE(label->text.ends_with("…"))
                    << device.name << " " << size.x << ": " << label->text;
                EXPECT_GE(left, 0) << label->text;
                EXPECT_LE(left + width, size.x + 1) << device.name << " " << size.x << ": " << label->text;
                EXPECT_LE(label->position.y, size.y) << device.name << " " << size.x << ": " << label->text;
            }
        }
    }
}

TEST(SpacesPicture, SmallerRoomLeavesOutTheLeastImportantColumns) {
    const SpacesTable table = spaces_of(all_devices().at(find_device(all_devices(), "H200").value()));
    std::size_t before = 0;
    for (const Vec2 size : kSizes) {
        const SpacesLayout layout = lay_out_spaces(table, {0, 0, size.x, size.y - 40}, kMeasure);
        EXPECT_TRUE(layout.complete) << size.x;
        EXPECT_GE(layout.columns.size(), before) << size.x;
        EXPECT_GE(layout.columns.size(), 3u) << size.x;
        EXPECT_EQ(layout.compact, size.x < 800) << size.x;
        before = layout.columns.size();
        int least = 9;
        for (const auto& column : layout.columns)
            least = std::min(least, column_info(column.column).importance);
        EXPECT_EQ(kSpaceColumns - static_cast<int>(layout.columns.size()), least)
            << "a more important one is missing";
        for (std::size_t i = 1; i < layout.tops.size(); ++i)
            EXPECT_GE(layout.tops[i], layout.tops[i - 1] + layout.heights[i - 1] - 0.01f);
    }
    EXPECT_EQ(before, static_cast<std::size_t>(kSpaceColumns));
}

TEST(SpacesPicture, EveryRowSaysMoreAndLeadsToItsScenario) {
    for (const char* gpu : {"H200", "8800 GTX"}) {
        const DeviceFacts& device = all_devices().at(find_device(all_devices(), gpu).value());
        const SpacesLayout layout = lay_out_spaces(spaces_of(device), {6, 4, 988, 620}, kMeasure);
        const Picture picture = drawn(device, {1000, 670});
        const SpacesTable table = spaces_of(device);
        for (const SpaceRow& row : table.rows) {
            const bool found = std::ranges::any_of(picture.hits, [&](const Hit& hit) {
                return hit.link == row.link && hit.tooltip.starts_with(row.name) && hit.rect.w > 900;
            });
            EXPECT_TRUE(found) << gpu << " " << row.name;
        }
        for (const Hit& hit : picture.hits) EXPECT_FALSE(hit.tooltip.empty());
    }
}

TEST(SpacesPicture, BarsAreLogarithmic) {
    EXPECT_FLOAT_EQ(latency_position(1000), 1);
    EXPECT_NEAR(latency_position(100) - latency_position(10), 1 / 3.0, 1e-5);
    EXPECT_FLOAT_EQ(latency_position(5000), 1) << "longer ones end at the right";
    EXPECT_GT(latency_position(0), 0) << "a bar is always seen";
}

TEST(SpacesPicture, ColoursOfClosenessStandOutFromThePanel) {
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        for (int i = 0; i < 4; ++i)
            EXPECT_GE(contrast(closeness_color(static_cast<Closeness>(i), theme(name)), theme(name).panel),
                      3);
    }
}

TEST(SpacesPicture, EachMemoryNamesWhoMeasuredIt) {
    int said = 0;
    for (const DeviceFacts& device : all_devices()) {
        for (const SpaceRow& row : spaces_of(device).rows) {
            const std::string source = latency_source(row);
            EXPECT_EQ(source.find('@'), source.npos) << source;
            said += source.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(said, 50);
    // Each memory names its own source, also on a GPU whose latencies have several.
    const auto h100 = std::ranges::find(all_devices(), "H100 SXM5 80 GB", &DeviceFacts::name);
    const SpacesTable table = spaces_of(*h100);
    EXPECT_EQ(latency_source(*find_row(table, "shared")),
              "H100 80GB HBM3 (SXM) (caps-tum/mt4g sample_results (p-chase)), confidence high");
    EXPECT_EQ(latency_source(*find_row(table, "l2")),
              "H100 80GB HBM3 (SXM) (measured on an H100 80GB HBM3 (driver 580, CUDA 13.0) as on the H200), "
              "confidence high");
}

}  // namespace warplens::test::spaces_layout_tests
