#include "app/learn/notes_page.h"

#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gmock/gmock.h>

namespace warplens::test::notes_page_tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr Vec2 kSizes[] = {{320, 240}, {800, 600}, {1024, 768}, {1920, 1080}, {3840, 2160}};

/// All words of a picture, in order.
std::string words_of(const Picture& picture) {
    std::string words;
    for (const Shape& shape : picture.shapes)
        if (const auto* label = std::get_if<Label>(&shape)) words += label->text + " ";
    return words;
}

Picture drawn(const NotesPage& page, Vec2 pixels, float scale, const TextMeasure& measure) {
    return draw_notes(page, {.theme = &theme(ThemeName::dark),
                             .measure = &measure,
                             .size = {pixels.x / scale, pixels.y / scale}});
}

void expect_inside_and_apart(const Picture& picture, const TextMeasure& measure) {
    std::vector<Rect> taken;
    for (const Shape& shape : picture.shapes) {
        const auto* label = std::get_if<Label>(&shape);
        if (label == nullptr) continue;
        const float width = measure.width(label->text, label->font);
        const Rect rect{label->position.x - (label->anchor == Anchor::end ? width : 0),
                        label->position.y - ascent(label->font), width,
                        ascent(label->font) + descent(label->font)};
        EXPECT_GE(rect.x, 0) << label->text;
        EXPECT_GE(rect.y, 0) << label->text;
        EXPECT_LE(rect.x + rect.w, picture.size.x) << label->text;
        EXPECT_LE(rect.y + rect.h, picture.size.y) << label->text;
        for (const Rect& other : taken)
            EXPECT_TRUE(rect.x >= other.x + other.w || other.x >= rect.x + rect.w ||
                        rect.y >= other.y + other.h || other.y >= rect.y + rect.h)
                << label->text;
        taken.push_back(rect);
    }
}

TEST(NotesPage, SaysTheStopItsNoteAndTheNextOne) {
    DemoRun run;
    EXPECT_EQ(notes_page(run, 0).head, "No demo plays");
    run.open({"Talk", {{"shared-tile?padding=1", "First.\nSecond."}, {"transpose?variant=padded", ""}}}, "");
    EXPECT_EQ(notes_page(run, 0).next, "First.") << "what the talk begins with";
    run.play(0, 100);
    NotesPage page = notes_page(run, 100);
    EXPECT_EQ(page.head, "Stop 1 of 2, minute 1");
    EXPECT_EQ(page.title, "Talk");
    EXPECT_EQ(page.note, "First.\nSecond.");
    EXPECT_THAT(page.next, HasSubstr("padded")) << "what it sets";
    run.play(1, 219);
    page = notes_page(run, 220.5);
    EXPECT_EQ(page.head, "Stop 2 of 2, minute 3") << "the clock runs since the first stop";
    EXPECT_EQ(page.next, "");
    run.go(1);
    EXPECT_THAT(notes_page(run, 221).head, StartsWith("The end"));
    run.end();
    run.play(0, 1000);
    EXPECT_EQ(notes_page(run, 1000).head, "Stop 1 of 2, minute 1") << "another time";
}

TEST(NotesPage, EveryNoteThatShipsIsReadWholeAtEverySize) {
    const FixedMeasure measure;
    for (const ShippedDemo& shipped : shipped_demos()) {
        DemoRun run;
        run.open(shipped.demo, "");
        for (std::size_t i = 0; i < shipped.demo.stops.size(); ++i) {
            run.play(i, 0);
            const NotesPage page = notes_page(run, 0);
            for (const Vec2 pixels : kSizes) {
                SCOPED_TRACE(testing::Message() << "stop " << i + 1 << " at " << pixels.x);
                const float scale = notes_scale(page, measure, pixels);
                const Picture picture = drawn(page, pixels, scale, measure);
                expect_inside_and_apart(picture, measure);
                if (pixels.x < 800) continue;
                const std::string last_word = page.note.substr(page.note.find_last_of(" \n") + 1);
                EXPECT_THAT(words_of(picture), HasSubstr(last_word + " "));
                EXPECT_GE(scale * font_points(FontRole::heading), 17) << "readable at a desk [pixels]";
            }
        }
    }
}

TEST(NotesPage, ANoteWithoutRoomIsCutWithAnEllipsis) {
    const FixedMeasure measure;
    NotesPage page{.head = "Stop 1 of 1, minute 1", .title = "Talk"};
    for (int i = 0; i < 400; ++i) page.note += "again and again ";
    const float scale = notes_scale(page, measure, {400, 300});
    EXPECT_EQ(scale, 0.75f) << "the smallest";
    const Picture picture = drawn(page, {400, 300}, scale, measure);
    expect_inside_and_apart(picture, measure);
    EXPECT_THAT(words_of(picture), HasSubstr("…"));
    const Picture large = drawn({.head = "h", .note = "Short."}, {800, 600}, 3, measure);
    EXPECT_THAT(words_of(large), HasSubstr("Short."));
    EXPECT_EQ(notes_scale({.head = "h", .note = "Short."}, measure, {800, 600}), 3) << "the largest";
}

}  // namespace
}  // namespace warplens::test::notes_page_tests
