// Pages of Nsight Compute in the window: beside the setting, beside recorded requests, closed.
#include "app/window/apply_parts.h"
#include "tests/app/measure/ncu/ncu_files.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/request_rows.h"
#include "tests/source_dir.h"
#include "tests/with_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::test::counters_tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

class Counters : public HeadlessFixture, protected WithFolder {
protected:
    /// Two launches of 64 blocks of 256 threads, the second with a sector for every lane.
    std::string page() const {
        return file("page.csv", ncu_raw({{.kernel = "packed", .metrics = {{kLoadSectors, "2,048"}}},
                                         {.kernel = "strided", .metrics = {{kLoadSectors, "16,384"}}}}));
    }
    /// 512 requests of a warp each, 8 elements apart.
    std::string accesses() const {
        std::string text = header();
        for (int i = 0; i < 512; ++i) {
            text += "load,global,ld,4,ffffffff";
            for (int lane = 0; lane < 32; ++lane) text += fmt::format(",{}", (i * 32 + lane) * 32);
            text += '\n';
        }
        return file("accesses.csv", text);
    }
    void open_file(const std::string& path) {
        act(action::OpenFile{path});
        settle();
    }
    void settle() {
        frame();
        frames_until([this] {
            return session().files.shelf.reading().empty() && session().files.requests.busy().empty() &&
                   session().files.counters.busy().empty();
        });
        frame();
        frame();
        frames_until([this] { return session().files.counters.busy().empty(); });
        frame();
    }
    const ComparedLaunch& shown() {
        const CountersView& counters = session().frame().counters;
        return counters.page->launches.at(counters.chosen);
    }
    std::string last_message() { return session().messages().last().text; }
};

TEST_F(Counters, APageIsLaidBesideTheSetting) {
    act(action::FollowLink{"global-stride?op=load&stride=8&elements=2^14"});
    open_file(page());
    ASSERT_TRUE(view().requests && view().counters);
    EXPECT_THAT(last_message(), HasSubstr("opened page.csv: 2 launches"));
    EXPECT_EQ(shown().launch->kernel, "strided") << "the most beyond its ideal";
    EXPECT_EQ(shown().verdict(), Verdict::equal);
    EXPECT_EQ(ui::items().count("counters.global loads: sectors"), 1u);
    fresh_items();
    click("launches.2");
    EXPECT_EQ(shown().launch->kernel, "packed");
    EXPECT_EQ(shown().verdict(), Verdict::off);
    // The comparison follows the setting, and the chosen launch stays.
    act(action::FollowLink{"global-stride?op=load&stride=1&elements=2^14"});
    settle();
    EXPECT_EQ(shown().launch->kernel, "packed");
    EXPECT_EQ(shown().verdict(), Verdict::equal);
    act(action::Do::copy_counters_command);
    EXPECT_THAT(last_message(), HasSubstr("--scenario global-stride --set "));
    EXPECT_THAT(last_message(), HasSubstr("op=load"));
}

TEST_F(Counters, RecordedRequestsBesideAPageTakeTheSettingsPlace) {
    open_file(page());
    EXPECT_FALSE(shown().verdict()) << "the setting has another grid";
    open_file(accesses());
    ASSERT_TRUE(view().requests && view().counters) << "the page stays in view";
    EXPECT_EQ(shown().launch->kernel, "strided");
    EXPECT_EQ(shown().verdict(), Verdict::equal);
    act(action::Do::copy_counters_command);
    EXPECT_THAT(last_message(), HasSubstr("--analyze "));
    fresh_items();
    click("page.requests");
    frame();
    EXPECT_EQ(ui::items().count("request.picture"), 1u);
    fresh_items();
    click("page.counters");
    frame();
    EXPECT_TRUE(view().counters);
    act(action::Do::close_counters);
    EXPECT_TRUE(view().requests && !view().counters) << "the requests are still there";
    frame();
    act(action::Do::close_requests);
    EXPECT_FALSE(view().requests);
}

TEST_F(Counters, EveryPageThatWasRecordedIsShown) {
    for (const char* name : {"details.csv", "h200_details.csv", "h200_transpose_raw.csv", "raw_german.csv"}) {
        open_file(in_source("tests/data/ncu/") + ("/" + std::string(name)));
        ASSERT_NE(session().frame().counters.page, nullptr) << name << ": " << last_message();
        EXPECT_EQ(session().frame().counters.page->name, name);
        for (std::size_t i = 0; i < session().frame().counters.page->launches.size(); ++i) {
            act(action::ChooseLaunch{i});
            frame();
        }
    }
    act(action::Do::leave);
    EXPECT_FALSE(view().requests) << "Esc leads back";
}

TEST_F(Counters, ABadPageIsOneSentenceAndOpensNothing) {
    open_file(
        file("cut.csv", kNcuColumns + ",\"" + kLoadSectors + "\"\n" + ncu_start(0, {}) + ",\"many\"\n"));
    EXPECT_EQ(session().frame().counters.page, nullptr);
    EXPECT_FALSE(view().requests);
    EXPECT_THAT(last_message(), HasSubstr("cut.csv, line 2: expected a number"));
    open_file(file("summary.csv", "\"Kernel Name\",\"Invocations\"\n"));
    EXPECT_THAT(last_message(), HasSubstr("--print-summary"));
}

}  // namespace
}  // namespace warplens::test::counters_tests
