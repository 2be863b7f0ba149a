// Files from strangers, opened in the window: what they must not do (assets/manual/security.md).
#include "app/window/apply_parts.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/recordings.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::strangers_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Strangers : public HeadlessFixture, protected WithFolder {
protected:
    void SetUp() override {
        fs::create_directories(folder_ / "elsewhere");
        HeadlessFixture::SetUp();
    }
    void open_file(const std::string& path) {
        act(action::OpenFile{path});
        frames_until_read();
    }
    std::string figure(const std::string& options) const {
        return file("figure.svg", "<svg><dc:source>warplens export transpose --out figure.svg " + options +
                                      "</dc:source></svg>");
    }
    std::size_t open_recordings() { return session().files.shelf.recordings.all().size(); }
    std::string last_message() { return session().messages().last().text; }
};

// Found by the monkey: two actions of one frame.
TEST_F(Strangers, ARecordingThatIsClosedIsNotShownOrClosedAgain) {
    open_file(file("a.json", write_recording(sample_recording())));
    open_file(file("b.json", write_recording(sample_recording())));
    ASSERT_EQ(open_recordings(), 2u);
    const int first = session().files.shelf.recordings.all()[0].look;
    act(action::CloseRecording{first});
    act(action::ShowRecording{first, false});
    act(action::CloseRecording{first});
    ASSERT_EQ(open_recordings(), 1u) << "the other one took its place in the list, and is not meant";
    EXPECT_EQ(session().files.shelf.recordings.all()[0].file, "b.json");
    EXPECT_NE(session().files.shelf.recordings.all()[0].tick, false);
}

TEST_F(Strangers, AFigureOpensNoRecordingElsewhere) {
    const std::string recording = file("elsewhere/a.json", write_recording(sample_recording()));
    const std::string names_it = "--recording '" + recording + "' --set matrix=256";
    open_file(figure(names_it));
    EXPECT_EQ(state().scenario->info->id, "transpose") << "the rest of it is taken";
    EXPECT_EQ(open_recordings(), 0u);
    EXPECT_THAT(last_message(), HasSubstr("is not beside it: open it yourself"));

    open_file(figure("--recording /dev/zero --recording /none/b.json"));
    EXPECT_EQ(open_recordings(), 0u);
    EXPECT_THAT(last_message(), HasSubstr("'/none/b.json' is not here"));

    open_file(recording);  // by the person
    EXPECT_EQ(open_recordings(), 1u);
    session().files.shelf.recordings.remove(session().files.shelf.recordings.all()[0].look);
    open_file(figure(names_it));
    EXPECT_EQ(open_recordings(), 1u) << "what was opened before is opened again";
}

TEST_F(Strangers, AFigureOpensTheRecordingBesideIt) {
    file("a.json", write_recording(sample_recording()));
    open_file(figure("--recording /home/somebody/a.json"));
    ASSERT_EQ(open_recordings(), 1u) << last_message();
    EXPECT_EQ(session().files.shelf.recordings.all()[0].path, fs::canonical(folder_ / "a.json"));
}

TEST_F(Strangers, ASavedStateOpensNothing) {
    SavedState saved = session().saved();
    saved.recent = {file("elsewhere/a.json", write_recording(sample_recording()))};
    saved.figure.folder = (folder_ / "elsewhere").string();
    open_file(file("state.json", write_state(saved)));
    EXPECT_THAT(last_message(), HasSubstr("opened state.json"));
    session().restore(saved, true);
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_EQ(open_recordings(), 0u);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "elsewhere"), {}), 1) << "nor writes it";
}

// The window goes on while a file is read, and gives up at once.
TEST_F(Strangers, ALargeFileIsReadBesideTheWindowAndCanBeCancelled) {
    std::string text = R"({"schema":"warplens recording","version":1,"x":[)";
    const std::string word = '"' + std::string(500, 'a') + "\",";
    while (text.size() < (60u << 20)) text += word;
    const std::string path = file("large.json", text + "0]}");
    WindowOptions options = plain_options();
    options.wait = false;  // as in a real window
    shell_ = fresh(options);
    act(action::OpenFile{path});
    frame();
    EXPECT_EQ(session().files.shelf.reading(), path);
    cancel_busy(session());
    EXPECT_EQ(session().files.shelf.reading(), "");
    EXPECT_THAT(last_message(), HasSubstr("cancelled"));
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_EQ(open_recordings(), 0u);
}

TEST_F(Strangers, NamesInMessagesArePrintable) {
    open_file((folder_ / "no\x1b]0;title\x07\n\xff.json").string());
    EXPECT_THAT(last_message(), HasSubstr("no ]0;title  ?.json"));
}

}  // namespace
}  // namespace warplens::test::strangers_tests
