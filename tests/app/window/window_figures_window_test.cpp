// Figures from the window: the dialog writes what the command line writes, what is copied makes them again,
// and files open again.
#include "app/base/errors.h"
#include "app/cli/run.h"
#include "app/figures/figure_command.h"
#include "app/figures/figure_options.h"
#include "app/figures/formats/pdf.h"
#include "app/window/window_figures.h"

#include "tests/app/figures/read_png.h"
#include "tests/app/window/session_fixture.h"
#include "tests/recordings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <sstream>

namespace warplens::test::window_figures_window_tests {
namespace {

namespace fs = std::filesystem;

class FiguresTest : public test::SessionFixture {
protected:
    /// Set the dialog as if it had been left so.
    void set_form(FigureForm form) {
        SavedState saved = session().saved();
        form.folder = folder_.string();
        saved.figure = form;
        session().restore(saved, true);
        frame();
    }
    /// Frames until the dialog has closed or complains.
    void wait() {
        frames_until([this] {
            const ExportView* dialog = session().frame().exporting;
            return dialog == nullptr || !dialog->running;
        });
    }
    void export_now() {
        act(action::Do::open_export);
        act(action::Do::start_export);
        wait();
    }
    /// What a command that was copied writes, into a folder of its own.
    std::string by_command_line(const std::string& command, const std::string& name) {
        std::vector<std::string> words = split_command(command).value();
        words.erase(words.begin());
        words.emplace_back("--cpu");
        *(std::ranges::find(words, "--out") + 1) = path("again/" + name);
        fs::create_directories(path("again"));
        // On a thread of its own: this one has the window's OpenGL, and a thread has one at a time.
        std::async(std::launch::async, [&] {
            std::istringstream none;
            std::ostringstream out;
            EXPECT_EQ(run_command_line(words, none, out), 0) << command;
        }).get();
        return content(path("again/" + name));
    }
    std::string clipboard() const {
        const char* text = glfwGetClipboardString(glfwGetCurrentContext());
        return text == nullptr ? "" : text;
    }
};

/// "tile.svg" of "exported tile.svg to /tmp/folder".
std::string exported_name(const std::string& message) {
    const std::size_t begin = std::string("exported ").size(), end = message.find(" to /");
    EXPECT_NE(end, std::string::npos) << message;
    return message.substr(begin, end - begin);
}

FigureForm small(FigureFormat format) {
    FigureForm form;
    form.format = format;
    form.size = FigureSize::a4;
    form.scale = 1;
    return form;
}

TEST_F(FiguresTest, TheDialogWritesWhatTheCommandLineWrites) {
    for (const char* link : {"transpose?variant=padded", "global-stride?stride=3&board=traffic",
                             "shared-tile?padding=1&compare=padding%3D0"}) {
        start(link);
        for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf,
                                          FigureFormat::csv, FigureFormat::json}) {
            if (format == FigureFormat::pdf && pdf_unavailable()) continue;
            FigureForm form = small(format);
            form.theme = ThemeName::light;
            form.outlines = true;
            set_form(form);
            export_now();
            ASSERT_EQ(session().frame().exporting, nullptr) << session().frame().exporting->problem;
            ASSERT_TRUE(session().messages().last().text.starts_with("exported "))
                << session().messages().last().text;
            const std::string name = exported_name(session().messages().last().text);
            act(action::Do::copy_command);
            const std::string written = content(path(name));
            EXPECT_GT(written.size(), 100u);
            EXPECT_TRUE(written == by_command_line(clipboard(), name))
                << name << " differs from what this writes: " << clipboard();
        }
    }
}

TEST_F(FiguresTest, ThePathAsksChoosesAndComplains) {
    set_form(small(FigureFormat::svg));
    act(action::Do::open_export);
    file("global-stride.svg", "mine");
    frame();
    ASSERT_TRUE(session().frame().exporting->exists);
    act(action::Do::start_export);
    EXPECT_TRUE(session().frame().exporting->asks);
    act(action::Do::close_export);
    ASSERT_NE(session().frame().exporting, nullptr) << "only the question is taken back";
    EXPECT_EQ(content(path("global-stride.svg")), "mine");
    act(action::Do::start_export);
    act(action::Do::start_export);
    wait();
    EXPECT_EQ(session().frame().exporting, nullptr);
    EXPECT_NE(content(path("global-stride.svg")).find("<svg"), std::string::npos);

    FigureForm form = small(FigureFormat::csv);
    SavedState saved = session().saved();
    form.folder = path("nowhere");
    saved.figure = form;
    session().restore(saved, true);
    export_now();
    ASSERT_NE(session().frame().exporting, nullptr);
    EXPECT_NE(session().frame().exporting->problem.find("nowhere"), std::string::npos)
        << session().frame().exporting->problem;
    act(action::Do::close_export);
    EXPECT_EQ(session().frame().exporting, nullptr);
}

TEST_F(FiguresTest, StepsAreWrittenOneByOneAndAnimated) {
    start("shared-stride?stride=4");
    FigureForm form = small(FigureFormat::png);
    form.steps = true;
    set_form(form);
    export_now();
    EXPECT_TRUE(session().messages().last().text.starts_with(
        "exported shared-stride-steps.png, and its 4 steps one by one, to /"))
        << session().messages().last().text;
    const std::string all = content(path("shared-stride-steps.png"));
    EXPECT_NE(all.find("acTL"), std::string::npos);
    const std::string command = figure_command(all).value();
    EXPECT_NE(command.find("--steps"), std::string::npos) << command;
    EXPECT_TRUE(all == by_command_line(command, "shared-stride-steps.png"));
    EXPECT_TRUE(content(path("shared-stride-steps-3.png")) ==
                content(path("again/shared-stride-steps-3.png")));
}

TEST_F(FiguresTest, WhatIsGivenUpLeavesNothingBehind) {
    start("shared-stride?stride=8");
    FigureForm form = small(FigureFormat::png);
    form.steps = true;
    set_form(form);
    act(action::Do::open_export);
    act(action::Do::start_export);
    EXPECT_TRUE(session().frame().exporting->running);
    act(action::Do::close_export);
    EXPECT_EQ(session().frame().exporting, nullptr);
    for (int i = 0; i < 30; ++i) frame();
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FiguresTest, CopiesNumbersCommandAndLink) {
    start("transpose?variant=tile&instruction=2");
    const State before = state();
    act(action::Do::copy_data);
    EXPECT_TRUE(clipboard().starts_with("part,series,")) << clipboard();
    EXPECT_NE(clipboard().find("wavefronts"), std::string::npos);
    act(action::Do::copy_command);
    EXPECT_TRUE(clipboard().starts_with("warplens export transpose")) << clipboard();
    act(action::Do::copy_link);
    const std::string link = clipboard();
    start("global-stride");
    follow(link);
    EXPECT_EQ(state(), before);
}

// xclip is played by a script: what a person's own program would get arrives, and a missing one is named.
TEST_F(FiguresTest, HandsThePictureToTheClipboardProgramOrSaysWhichIsMissing) {
    const std::string path_before = std::getenv("PATH");
    unsetenv("WAYLAND_DISPLAY");
    set_form(small(FigureFormat::svg));
    const auto copy = [&] {
        act(action::Do::copy_picture);
        EXPECT_TRUE(session().frame().busy == "copying the picture" ||
                    session().messages().last().text.find("xclip") != std::string::npos);
        frames_until([this] { return session().frame().busy.empty(); });
    };
    setenv("PATH", folder_.c_str(), 1);
    copy();
    EXPECT_NE(session().messages().last().text.find("xclip"), std::string::npos)
        << session().messages().last().text;
    file("xclip", "#!/bin/sh\n/bin/cat > " + path("got.png") + "\n");
    fs::permissions(path("xclip"), fs::perms::owner_all);
    copy();
    EXPECT_EQ(session().messages().last().text, "copied the picture as PNG");
    file("xclip", "#!/bin/sh\nexec /bin/sleep 100\n");
    fs::permissions(path("xclip"), fs::perms::owner_all);
    EXPECT_NE(copy_png(std::string(1 << 20, 'x')).find("xclip failed"), std::string::npos)
        << "it never reads";
    setenv("PATH", path_before.c_str(), 1);
    EXPECT_EQ(test::read_png(path("got.png")).width, 642);
    EXPECT_TRUE(figure_command(content(path("got.png"))).has_value());
}

TEST_F(FiguresTest, FiguresOpenAgainWhereTheyWereMade) {
    for (const char* link : {"transpose?variant=padded&matrix=512&device=RTX%204090&cold=1",
                             "?board=occupancy&occupancy.threads=96&device=A100%20SXM4%2080GB",
                             "shared-tile?padding=1&compare=padding%3D3"}) {
        for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg, FigureFormat::json}) {
            start(link);
            const State before = state();
            FigureForm form = small(format);
            form.theme = ThemeName::light;
            set_form(form);
            export_now();
            const ExportView* dialog = session().frame().exporting;
            ASSERT_EQ(dialog, nullptr) << dialog->problem << ", running " << dialog->running;
            ASSERT_TRUE(session().messages().last().text.starts_with("exported "))
                << session().messages().last().text;
            const std::string name = exported_name(session().messages().last().text);
            start("global-gather");
            drop(path(name));
            EXPECT_TRUE(session().messages().last().text.starts_with("opened " + name))
                << session().messages().last().text;
            EXPECT_EQ(state().scenario, before.scenario) << link;
            EXPECT_EQ(state().params, before.params) << link;
            EXPECT_EQ(state().boards, before.boards) << link;
            EXPECT_EQ(state().board, before.board) << link;
            EXPECT_EQ(state().cold, before.cold);
            EXPECT_EQ(state().compared, before.compared) << link;
            EXPECT_EQ(devices_[state().device].name, devices_[before.device].name);
            EXPECT_EQ(session().saved().look.theme, ThemeName::light);
            ASSERT_FALSE(session().saved().recent.empty());
            EXPECT_EQ(session().saved().recent.front(), path(name));
            fs::remove(path(name));
        }
    }
}

TEST_F(FiguresTest, EachKindOfFileIsTakenForWhatItIs) {
    start("transpose?variant=swizzled");
    const State there = state();
    const std::string saved = file("any-name", write_state(session().saved()));
    start("global-stride");
    drop(saved);
    EXPECT_EQ(state().params, there.params) << session().messages().last().text;
    start("global-stride");
    drop(file("recording.png", write_recording(test::sample_recording())));
    EXPECT_EQ(session().frame().curve->series.size(), 1u) << session().messages().last().text;

    const State before = state();
    const std::pair<std::string, const char*> bad[] = {
        {file("empty.png", ""), "it is empty"},
        {file("text.svg", "hello"), "it is neither"},
        {file("other.svg", "<svg><rect/></svg>"), "without the command"},
        {file("page.html", "<html></html>"), "XML or HTML of something else"},
        {file("other.json", R"({"a":1})"), "JSON of something else"},
        {file("cut.json", R"({"a":)"), "no complete JSON"},
        {file("figure.pdf", "%PDF-1.5"), "it is a PDF"},
        {file("picture.png", "\x89PNG\r\n"), "a PNG picture without the command"},
        {file("newer.json", R"({"command":"warplens export global-stride --no-such-thing --out a.png"})"),
         "is not understood"},
        {file("strange.json", R"({"command":"warplens export /some/where/k.cu --out a.png"})"),
         "open '/some/where/k.cu' yourself"},
        {file("strange.svg",
              "<svg><dc:source>warplens export ../k.cu --out &quot;a.svg&quot;</dc:source></svg>"),
         "open '../k.cu' yourself"},
        {file("state.json", R"({"format":"warplens state","version":99})"), "version 99"},
        {path("gone.json"), "there is no such file"}};
    for (const auto& [path, words] : bad) {
        drop(path);
        EXPECT_EQ(session().messages().last().text.find("cannot open '" + path + "'"), 0u)
            << session().messages().last().text;
        EXPECT_NE(session().messages().last().text.find(words), std::string::npos)
            << session().messages().last().text;
        EXPECT_EQ(state(), before) << path;
    }
}

}  // namespace
}  // namespace warplens::test::window_figures_window_tests
