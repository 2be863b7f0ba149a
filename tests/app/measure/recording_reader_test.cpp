// Files that are no recordings, or not whole: one clear sentence each.
#include "app/measure/recording.h"

#include "tests/recordings.h"
#include "tests/with_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>

namespace warplens::test::recording_reader_tests {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string complaint(const std::string& text) {
    try {
        read_recording(text);
    } catch (const RecordingError& error) {
        return error.what();
    }
    return "(none)";
}

std::string good() { return write_recording(test::sample_recording()); }

std::string changed(const std::function<void(json&)>& change) {
    json file = json::parse(good());
    change(file);
    return complaint(file.dump());
}

TEST(RecordingReader, AGoodFileIsRead) { EXPECT_EQ(complaint(good()), "(none)"); }

TEST(RecordingReader, ForeignText) {
    for (const char* text : {"{}", "[]", "null", "17", "\"warplens recording\"", R"({"schema":1})",
                             R"({"schema":"a recording","version":1})"})
        EXPECT_THAT(complaint(text), HasSubstr("this is no recording: expected an object with \"schema\""))
            << text;
    EXPECT_EQ(complaint("id,space,op\n1,global,ld\n"), "line 1, column 1: this is not JSON");
    EXPECT_EQ(complaint("{\"a\": 1,\n \"b\": tru}"), "line 2, column 10: this is not JSON");
    EXPECT_EQ(complaint(""), "it is empty");
    EXPECT_EQ(complaint(" \n"), "it is empty");
    EXPECT_EQ(complaint("{\"note\": \"\xff\xfe\"}"), "line 1, column 11: the text is not UTF-8");
}

TEST(RecordingReader, CutOff) {
    const std::string text = good();
    for (const std::size_t bytes : {text.size() / 4, text.size() / 2, text.size() - 3})
        EXPECT_EQ(complaint(text.substr(0, bytes)),
                  "it ends too early, after " + std::to_string(bytes) + " bytes: was it copied to its end?");
    EXPECT_THAT(complaint(text + "x"), HasSubstr("this is not JSON"));
}

TEST(RecordingReader, ANewerVersion) {
    EXPECT_EQ(changed([](json& f) { f["version"] = 2; }),
              "it has version 2 of the format, this program reads up to 1: get a newer Warplens");
    EXPECT_EQ(changed([](json& f) { f["version"] = "1"; }),
              "version: expected a number from 1 to 1e+09, found \"1\"");
    EXPECT_EQ(changed([](json& f) { f.erase("version"); }), "version is missing");
}

TEST(RecordingReader, LegalJsonThatIsNone) {
    EXPECT_EQ(complaint("{\"schema\":\"warplens recording\",\"version\":1,\"version\":1}"),
              "the key \"version\" stands twice in one object");
    EXPECT_EQ(complaint(std::string(100'000, '[')), "lists and objects are nested more than 16 deep");
    EXPECT_EQ(complaint("{\"a\":" + std::string(100'000, '{')), "line 1, column 7: this is not JSON");
    EXPECT_EQ(complaint("{\"version\":1e999}"), "a number has more than 308 digits");
    EXPECT_THAT(complaint("{\"version\":NaN}"), HasSubstr("this is not JSON"));
}

TEST(RecordingReader, WrongTypesAndNumbersSayWhere) {
    const std::pair<std::function<void(json&)>, const char*> cases[] = {
        {[](json& f) { f["gpu"] = 3; }, "gpu: expected an object, found 3"},
        {[](json& f) { f["gpu"].erase("name"); }, "gpu.name is missing"},
        {[](json& f) { f["gpu"]["name"] = "  "; }, "gpu.name: expected a GPU's name"},
        {[](json& f) { f["gpu"]["name"] = std::string(300, 'x'); }, "gpu.name: expected at most 200 bytes"},
        {[](json& f) { f["gpu"]["cc"] = "nine"; }, "gpu.cc: expected a compute capability such as \"9.0\""},
        {[](json& f) { f["gpu"]["sm_count"] = 1.5; }, "gpu.sm_count: expected a whole number, found 1.5"},
        {[](json& f) { f["gpu"]["clock_mhz"] = -1; }, "gpu.clock_mhz: expected a number from 0 to 1e+06"},
        {[](json& f) { f["sessions"] = "none"; }, "sessions: expected a list, found \"none\""},
        {[](json& f) { f["sessions"][0]["date"] = "yesterday"; }, "sessions[0].date: expected a date"},
        {[](json& f) { f["sessions"][0]["cuda_driver"] = "x"; },
         "sessions[0].cuda_driver: expected a version"},
        {[](json& f) { f["sessions"][0]["conditions"] = {1}; }, "sessions[0].conditions: expected an object"},
        {[](json& f) { f["defaults"] = {1}; }, "defaults: expected an object, found a list"},
        {[](json& f) { f["methods"] = {1}; }, "methods[0]: expected a text, found 1"},
        {[](json& f) { f["series"] = 1; }, "series: expected a list"},
        {[](json& f) { f["series"][0] = 1; }, "series[0]: expected an object"},
        {[](json& f) { f["series"][0]["session"] = 1; },
         "series[0].session: expected one of 1 sessions, found 1"},
        {[](json& f) { f["series"][0]["session"] = 0.5; }, "series[0].session: expected a whole number"},
        {[](json& f) {
             f["series"][0]["points"][4] = {1, 2};
         },
         "series[0].points[4]: expected a list of 5"},
        {[](json& f) { f["series"][0]["points"][4][1] = "fast"; },
         "series[0].points[4]: median_us: expected a number from 0 to 1e+12, found \"fast\""},
        {[](json& f) { f["series"][0]["points"][4][1] = -3; }, "series[0].points[4]: median_us: expected"},
        {[](json& f) { f["series"][0]["points"][4][1] = 0; },
         "series[0].points[4]: expected a median_us above 0"},
        {[](json& f) { f["series"][0]["points"][4][2] = 1e6; }, "series[0].points[4]: expected quartiles"},
        {[](json& f) { f["series"][0]["points"][4][4] = 1.5; }, "repeats: expected a whole number from 0"},
        {[](json& f) { f["series"][0]["same"]["method"] = 7; },
         "series[0].same: method: expected one of 1 methods"},
        {[](json& f) { f["series"][0]["same"]["fits_l2"] = 1; }, "fits_l2: expected true or false, found 1"},
        {[](json& f) { f["series"][0]["same"]["useful_bytes"] = 1e30; }, "useful_bytes: expected a number"},
        {[](json& f) { f["series"][0]["columns"][0] = 1; }, "series[0].columns[0]: expected a text"},
        {[](json& f) { f["series"][0].erase("points"); }, "series[0].points is missing"},
    };
    for (const auto& [change, sentence] : cases) EXPECT_THAT(changed(change), HasSubstr(sentence));
}

TEST(RecordingReader, TooManyPoints) {
    const std::string said = changed([](json& f) {
        json points = json::array();
        for (int i = 0; i < 100'001; ++i) points.push_back({1, 2, 2, 2, 1});
        f["series"][0]["points"] = points;
    });
    EXPECT_EQ(said, "it has more than 100000 points");
}

TEST(RecordingReader, ControlCharactersDoNotReachTheScreen) {
    json file = json::parse(good());
    file["gpu"]["name"] = "NVIDIA\nH200\t\x1b[31m";
    EXPECT_EQ(read_recording(file.dump()).recording.gpu.name, "NVIDIA H200  [31m");
}

class RecordingFile : public testing::Test, protected WithFolder {
protected:
    static std::string complaint(const std::string& path) {
        try {
            open_recording(path);
        } catch (const RecordingError& error) {
            return error.what();
        }
        return "(none)";
    }
};

TEST_F(RecordingFile, IsNamedInEveryComplaint) {
    std::ofstream(path("good.json")) << good();
    EXPECT_EQ(complaint(path("good.json")), "(none)");
    std::ofstream(path("bad.json")) << "{";
    EXPECT_EQ(complaint(path("bad.json")),
              "cannot open '" + path("bad.json") +
                  "': it ends too early, after 1 bytes: was it copied to its end?");
    EXPECT_THAT(complaint(path("none.json")), AllOf(HasSubstr("none.json"), HasSubstr("no such file")));
    EXPECT_THAT(complaint(folder_.string()), HasSubstr("it is not a file"));
    EXPECT_THAT(complaint(""), HasSubstr("no such file"));
    EXPECT_THAT(complaint(path("a\nb.json")), Not(HasSubstr("\n")));
}

// Before it is read: a sparse file of 65 MB costs nothing.
TEST_F(RecordingFile, TooLarge) {
    std::ofstream(path("large.json")) << "{";
    std::filesystem::resize_file(path("large.json"), kMostRecordingBytes + 1);
    EXPECT_THAT(complaint(path("large.json")), HasSubstr("it has 64.0 MiB, and at most 64 MiB are read"));
}

}  // namespace
}  // namespace warplens::test::recording_reader_tests
