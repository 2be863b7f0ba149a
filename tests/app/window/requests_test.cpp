// Files of recorded requests in the window: opened, chosen from, counted for another GPU, closed.
#include "app/base/process.h"
#include "app/window/apply_parts.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/request_rows.h"
#include "tests/with_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::requests_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Requests : public HeadlessFixture, protected WithFolder {
protected:
    std::string file(const std::string& name, const std::string& rows) const {
        return WithFolder::file(name, header() + rows);
    }
    void open_file(const std::string& path) {
        act(action::OpenFile{path});
        frames_until_counted();
    }
    void frames_until_counted() {
        frame();
        frames_until([this] {
            return session().files.shelf.reading().empty() && session().files.requests.busy().empty();
        });
        frame();
    }
    std::string three() const {
        return file("trace.csv", row("copy,global,ld,4,ffffffff", 4) +
                                     row("column,shared,ld,4,ffffffff", 128) +
                                     row("strided,global,st,4,ffffffff", 32));
    }
    const RequestsView& shown() { return session().frame().requests; }
    std::string last_message() { return session().messages().last().text; }
};

TEST_F(Requests, AFileIsListedWorstFirstAndWalkedThrough) {
    open_file(three());
    ASSERT_TRUE(view().requests);
    ASSERT_NE(shown().list, nullptr);
    ASSERT_EQ(shown().list->groups.size(), 3u);
    EXPECT_EQ(shown().list->groups[0].name, "column");
    EXPECT_EQ(shown().list->groups[1].name, "strided");
    EXPECT_EQ(shown().evidence->report.instructions.front().warp.wavefronts, 32);
    EXPECT_THAT(last_message(), HasSubstr("3 requests of 3 instructions"));
    EXPECT_EQ(ui::items().count("request.picture"), 1u);
    act(action::ChooseRequest{1});
    EXPECT_EQ(shown().chosen, 1u);
    EXPECT_EQ(shown().evidence->report.instructions.front().warp.sectors, 32);
    act(action::ChooseRequest{99});
    EXPECT_EQ(shown().chosen, 2u) << "the last one";
    fresh_items();
    click("requests.1");
    EXPECT_EQ(shown().chosen, 0u);
}

TEST_F(Requests, BitsAndBackAndClose) {
    open_file(three());
    act(action::Do::toggle_bits);
    EXPECT_TRUE(state().bits);
    frame();
    act(action::Do::leave);
    EXPECT_FALSE(view().requests) << "Esc leads back";
    EXPECT_NE(shown().list, nullptr) << "the file stays open";
    act(action::Toggle{&View::requests});
    frame();
    act(action::Do::close_requests);
    EXPECT_FALSE(view().requests);
    EXPECT_EQ(shown().list, nullptr);
    act(action::Toggle{&View::requests});  // says how to open one
    frame();
    act(action::Do::copy_requests_command);
}

TEST_F(Requests, ThePicturedOneBecomesAFigure) {
    open_file(three());
    session().view.figure.format = FigureFormat::svg;
    session().view.figure.folder = folder_.string();
    const auto written = [&](const char* name) { return contents_of(path(name)); };
    const auto wait = [this] {
        frame();
        frames_until([this] { return session().figures.busy().empty(); });
        frame();
    };
    click("requests.save");
    wait();
    EXPECT_THAT(last_message(), HasSubstr("trace-1.svg"));
    EXPECT_THAT(written("trace-1.svg"), HasSubstr("column"));
    EXPECT_THAT(written("trace-1.svg"), HasSubstr("32"));
    act(action::ChooseRequest{1});
    press(GLFW_KEY_E, GLFW_MOD_CONTROL);
    wait();
    EXPECT_THAT(written("trace-2.svg"), HasSubstr("strided"));
    // What is there already is not replaced unasked.
    std::ofstream(folder_ / "trace-3.svg") << "mine";
    act(action::ChooseRequest{2});
    act(action::Do::open_export);
    wait();
    EXPECT_EQ(written("trace-3.svg"), "mine");
    EXPECT_THAT(last_message(), HasSubstr("write again to replace it"));
    act(action::Do::open_export);
    wait();
    EXPECT_THAT(written("trace-3.svg"), HasSubstr("copy"));
}

// It is drawn from a copy of the request, so that the file may be closed or counted again meanwhile.
TEST_F(Requests, AFigureIsFinishedThoughItsFileIsClosed) {
    open_file(three());
    session().view.figure.format = FigureFormat::svg;
    session().view.figure.folder = folder_.string();
    apply(session(), action::Do::open_export);
    EXPECT_EQ(session().figures.busy(), "writing trace-1.svg");
    apply(session(), action::Do::open_export);
    EXPECT_THAT(last_message(), HasSubstr("another figure is still being made"));
    apply(session(), action::Do::close_requests);
    frames_until([this] { return session().figures.busy().empty(); });
    frame();
    EXPECT_THAT(contents_of(path("trace-1.svg")), HasSubstr("column"));
    open_file(three());
    act(action::ChooseRequest{1});
    apply(session(), action::Do::open_export);
    apply(session(), action::Do::leave);
    EXPECT_THAT(last_message(), HasSubstr("trace-2.svg': cancelled"));
    frame();
    EXPECT_FALSE(fs::exists(folder_ / "trace-2.svg"));
}

TEST_F(Requests, AnotherGpuCountsAgain) {
    open_file(file("half.csv", row("a,shared,ld,4,ffffffff", 4)));
    EXPECT_EQ(shown().evidence->report.instructions.front().warp.wavefronts, 1);
    act(action::changed(state(), &State::device, *find_device(session().devices(), "GTX 280")));
    frames_until_counted();
    EXPECT_EQ(shown().evidence->report.instructions.front().warp.wavefronts, 2) << "half-warps";
}

TEST_F(Requests, ABadRowIsOneSentenceAndOpensNothing) {
    open_file(file("bad.csv", row("a,shared,ld,3,ffffffff", 4)));
    EXPECT_EQ(shown().list, nullptr);
    EXPECT_FALSE(view().requests);
    EXPECT_THAT(last_message(), HasSubstr("bad.csv, line 2, column width: expected"));
}

TEST_F(Requests, ASavedStateKeepsThePathOnly) {
    const std::string path = three();
    open_file(path);
    const SavedState saved = session().saved();
    EXPECT_THAT(saved.recent, testing::Contains(fs::absolute(path).string()));
    open(1280, 800);
    session().restore(saved, true);
    frame();
    EXPECT_EQ(shown().list, nullptr) << "it is not opened unasked";
}

}  // namespace
}  // namespace warplens::test::requests_tests
