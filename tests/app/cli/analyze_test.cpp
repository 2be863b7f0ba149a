#include "app/cli/analyze.h"
#include "app/base/errors.h"
#include "app/base/process.h"
#include "app/experiment/devices.h"
#include "kernels/texture_layout.h"
#include "tests/damaged.h"
#include "tests/request_rows.h"
#include "tests/source_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace warplens::test::analyze_tests {
namespace {

using namespace std::string_literals;

const std::string kMeasured = in_source("tests/data/h200_warp_accesses.csv");
const std::string kAnswerHeader =
    "id,requests,wavefronts,ideal_wavefronts,excessive_wavefronts,sectors,lines\n";

std::string analyze_text(const std::string& text) {
    static const DeviceFacts device = [] {
        auto devices = device_table();
        return devices[choose_device(devices, "9.0", true)];
    }();
    std::istringstream input(text);
    return analyze_rows(input, "input.csv", device);
}

std::string complaint(const std::string& text) {
    try {
        analyze_text(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    if (!line.empty() && line.back() == ',') fields.emplace_back();
    return fields;
}

/// The hardware's own counts: tests/data says how they were read.
TEST(Analyze, EveryRowReadOnTheH200) {
    const std::string text = contents_of(kMeasured);
    std::istringstream measured(text), counted(analyze_text(text));
    std::string expected_line, line;
    std::getline(measured, expected_line);
    std::getline(counted, line);
    int rows = 0;
    while (std::getline(measured, expected_line)) {
        ASSERT_TRUE(std::getline(counted, line));
        const auto expected = split(expected_line), got = split(line);
        ASSERT_EQ(expected.size(), 40u);
        ASSERT_EQ(got.size(), 7u);
        EXPECT_EQ(got[0], expected[0]);
        const auto same = [&](const std::string& counted_value, const std::string& measured_value) {
            EXPECT_EQ(counted_value, measured_value.empty() ? "0" : measured_value) << "id " << expected[0];
        };
        same(got[2], expected[37]);
        same(got[5], expected[38]);
        same(got[6], expected[39]);
        EXPECT_EQ(std::stoi(got[4]), std::stoi(got[2]) - std::stoi(got[3]));
        ++rows;
    }
    EXPECT_EQ(rows, 1244);
}

TEST(Analyze, WorkedExamples) {
    const std::string text = header() + row("a,global,ld,4,ffffffff", 4) +
                             row("b,shared,st,4,0xffffffff", 128) + row("c,global,load,4,1", 4) +
                             row("d,shared,store,8,0", 8);
    EXPECT_EQ(analyze_text(text), kAnswerHeader + "a,1,0,0,0,4,1\n" + "b,1,32,1,31,0,0\n" +
                                      "c,1,0,0,0,1,1\n" + "d,0,0,0,0,0,0\n");
}

/// id, then lane i at address_of(i).
std::string row_at(const std::string& start, auto address_of) {
    std::string text = start;
    for (int lane = 0; lane < 32; ++lane) text += fmt::format(",{}", address_of(lane));
    return text + '\n';
}

TEST(Analyze, ConstantMemoryCountsDistinctWords) {
    EXPECT_EQ(analyze_text(header() + row("lane,constant,ld,4,ffffffff", 4) +
                           row("uniform,constant,ld,4,ffffffff", 0) + row("bytes,constant,ld,1,ffffffff", 1) +
                           row("half,CONSTANT,ld,4,ffff", 2048) + row("none,constant,ld,4,0", 4)),
              kAnswerHeader + "lane,32,0,0,0,0,0\n" + "uniform,1,0,0,0,0,0\n" + "bytes,8,0,0,0,0,0\n" +
                  "half,16,0,0,0,0,0\n" + "none,0,0,0,0,0,0\n");
}

TEST(Analyze, TexturesCountSectorsOfEveryFourLanes) {
    const auto at = [](int x, int y) { return texel_address(x, y, 64); };
    EXPECT_EQ(
        analyze_text(header() + row_at("row,texture,ld,4,ffffffff", [&](int lane) { return at(lane, 3); }) +
                     row_at("column,texture,ld,4,ffffffff", [&](int lane) { return at(3, lane); }) +
                     row_at("block,texture,ld,4,ffffffff", [&](int lane) { return at(lane % 8, lane / 8); }) +
                     row_at("two,texture,ld,4,18", [&](int lane) { return at(lane * 8 % 64, 0); })),
        kAnswerHeader + "row,8,0,0,0,8,0\n" + "column,8,0,0,0,16,0\n" + "block,8,0,0,0,8,0\n" +
            "two,2,0,0,0,2,0\n");
}

TEST(Analyze, LocalMemoryIsInterleaved) {
    EXPECT_EQ(
        analyze_text(header() + row("same,local,ld,4,ffffffff", 0) + row("different,local,st,4,ffffffff", 4) +
                     row("wide,local,ld,16,ffffffff", 0) + row("few,local,ld,4,ff", 4)),
        kAnswerHeader + "same,1,0,0,0,4,1\n" + "different,1,0,0,0,32,32\n" + "wide,1,0,0,0,16,4\n" +
            "few,1,0,0,0,8,8\n");
}

TEST(Analyze, MatrixRowsAreServedMatrixByMatrix) {
    // Rows that follow one another fill all banks; rows 128 bytes apart lie in the same four.
    EXPECT_EQ(
        analyze_text(header() + row("x4,shared,ldmatrix,16,ffffffff", 16) +
                     row("x1,shared,ldmatrix,16,ff", 16) + row("column,shared,ldmatrix,16,ffffffff", 128)),
        kAnswerHeader + "x4,1,4,4,0,0,0\n" + "x1,1,1,1,0,0,0\n" + "column,1,32,4,28,0,0\n");
}

TEST(Analyze, FormsOfTheSameFile) {
    const std::string plain = header() + row("a,global,ld,4,ffffffff", 4) + row("b,shared,st,4,ffff", 128);
    const std::string expected = analyze_text(plain);
    std::string crlf, blank = "\n\n";
    for (const char c : plain) {
        crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        blank += c == '\n' ? std::string("\n \t\n\n") : std::string(1, c);
    }
    EXPECT_EQ(analyze_text(crlf), expected);
    EXPECT_EQ(analyze_text(blank), expected);
    EXPECT_EQ(analyze_text("\xef\xbb\xbf" + plain), expected);
    EXPECT_EQ(analyze_text(plain.substr(0, plain.size() - 1)), expected) << "no line end at the end";
}

TEST(Analyze, ColumnsAreFoundByName) {
    std::string names = "comment,a31", values = "\"x, y\",124";
    for (int lane = 0; lane < 31; ++lane) {
        names += fmt::format(",A{}", lane);
        values += fmt::format(", 0x{:x} ", lane * 4);
    }
    EXPECT_EQ(analyze_text(names + ",mask,width,op,space,id,more\n" + values + ",FFFFFFFF,4,LD,Global,7,\n"),
              kAnswerHeader + "7,1,0,0,0,4,1\n");
}

TEST(Analyze, IdsComeBackAsTheyAre) {
    const std::string text = header() + row("\"a, \"\"b\"\"\nsecond line\",global,ld,4,ffffffff", 4) +
                             row(",global,ld,4,ffffffff", 4) + row("\xc3\xa4,global,ld,4,ffffffff", 4);
    EXPECT_EQ(analyze_text(text), kAnswerHeader + "\"a, \"\"b\"\"\nsecond line\",1,0,0,0,4,1\n" +
                                      ",1,0,0,0,4,1\n" + "\xc3\xa4,1,0,0,0,4,1\n");
}

TEST(Analyze, InactiveLanesNeedNoAddress) {
    std::string text = "a,global,ld,4,3,0,4";
    for (int lane = 2; lane < 32; ++lane) text += lane % 2 == 0 ? "," : ",7";
    EXPECT_EQ(analyze_text(header() + text + '\n'), kAnswerHeader + "a,1,0,0,0,1,1\n");
}

TEST(Analyze, LargestAddresses) {
    std::string text = "a,global,ld,16,ffffffff", shared = "b,shared,ld,16,ffffffff";
    for (int lane = 0; lane < 32; ++lane) {
        text += ",0xfffffffffffffff0";
        shared += ",18446744073709551600";
    }
    EXPECT_EQ(analyze_text(header() + text + '\n' + shared + '\n'),
              kAnswerHeader + "a,1,0,0,0,1,1\nb,1,2,2,0,0,0\n");
}

TEST(Analyze, AMalformedRowNamesItsPlace) {
    struct Case {
        const char* start;
        int step;
        const char* column;
    };
    for (const Case& c : {Case{"x,registers,ld,4,ffffffff", 4, "column space"},
                          Case{"x,global,cas,4,ffffffff", 4, "column op"},
                          Case{"x,global,ld,3,ffffffff", 4, "column width"},
                          Case{"x,global,ld,,ffffffff", 4, "column width"},
                          Case{"x,global,ld,4,1ffffffff", 4, "column mask"},
                          Case{"x,global,ld,4,", 4, "column mask"},
                          Case{"x,global,ld,4,0x", 4, "column mask"},
                          Case{"x,global,ld,4,-1", 4, "column mask"},
                          Case{"x,global,ld,8,ffffffff", 4, "column a1"},
                          Case{"x,global,ld,4,ffffffff", -4, "column a1"},
                          Case{"x,global,ld,4", 4, "37 columns"},
                          Case{"x,global,ld,4,f,1", 4, "37 columns"},
                          Case{"x,constant,st,4,ffffffff", 4, "column op"},
                          Case{"x,texture,st,4,ffffffff", 4, "column op"},
                          Case{"x,global,ldmatrix,16,ffffffff", 16, "column op"},
                          Case{"x,shared,ldmatrix,4,ffffffff", 16, "column width"},
                          Case{"x,shared,ldmatrix,16,f", 16, "column mask"},
                          Case{"x,shared,ldmatrix,16,0", 16, "column mask"},
                          Case{"x,shared,ldmatrix,16,ff", 8, "column a1"},
                          Case{"x,constant,ld,4,ffffffff", 0x8000, "column a2"},
                          Case{"x,local,ld,4,ffffffff", 0x80000, "column a1"}}) {
        const std::string text =
            complaint(header() + row("a,global,ld,4,ffffffff", 4) + '\n' + row(c.start, c.step));
        EXPECT_NE(text.find(c.column), std::string::npos) << c.start << ": " << text;
        EXPECT_NE(text.find("input.csv, line 4"), std::string::npos) << text;
        EXPECT_NE(text.find("expected"), std::string::npos) << text;
    }
}

TEST(Analyze, BadHeaders) {
    EXPECT_NE(complaint(""), "");
    EXPECT_NE(complaint("\n\n"), "");
    EXPECT_NE(complaint(row("a,global,ld,4,ffffffff", 4)), "");
    EXPECT_NE(complaint("id,id," + header()).find("twice"), std::string::npos);
    EXPECT_NE(complaint("id,space,op,width,mask,a0\n").find("a1"), std::string::npos);
    EXPECT_NE(complaint("\"" + header()).find("quote"), std::string::npos);
    EXPECT_NE(complaint(std::string(3 << 20, 'x')).find("megabyte"), std::string::npos);
    EXPECT_NE(complaint('"' + std::string(3 << 20, '\n')).find("quote"), std::string::npos);
}

TEST(Analyze, AHeaderAloneIsAnEmptyAnswer) { EXPECT_EQ(analyze_text(header()), kAnswerHeader); }

/// Whatever is done to a file: an answer or a sentence, never a crash.
TEST(Analyze, MutatedFiles) {
    std::string good = header();
    constexpr const char* kSpaces[] = {"global", "shared", "constant", "texture", "local"};
    for (int i = 0; i < 5; ++i) good += row(fmt::format("{},{},ld,4,ffffffff", i, kSpaces[i]), 4 << i);
    good += row("5,shared,ldmatrix,16,ffffffff", 16);
    std::mt19937 random(1);
    const std::string bytes = ",\"\n\r\0x-9fF \t\xff\xef\xbb\xbf."s;  // with the zero byte
    int refused = 0;
    constexpr int kRounds = 4000;
    for (int round = 0; round < kRounds; ++round) {
        const std::string text = damaged(good, bytes, random);
        const std::string sentence = complaint(text);  // any other exception fails the test
        refused += !sentence.empty();
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
    EXPECT_GT(refused, kRounds / 4);
    EXPECT_LT(refused, kRounds);
}

TEST(Analyze, RecordsLongerThanABlockAndManyRows) {
    std::string text = header();
    std::string expected = kAnswerHeader;
    for (int i = 0; i < 20000; ++i) {
        const std::string id = std::string(static_cast<std::size_t>(i % 97), 'x') + std::to_string(i);
        text += row(id + ",global,ld,4,ffffffff", 8);
        expected += id + ",1,0,0,0,8,2\n";
    }
    const std::string long_id(700000, 'y');
    text += row(long_id + ",global,ld,4,ffffffff", 8);
    expected += long_id + ",1,0,0,0,8,2\n";
    EXPECT_EQ(analyze_text(text), expected);
}

TEST(Analyze, NothingIsWrittenUnlessEveryRowIsGood) {
    const std::string path = testing::TempDir() + "warplens_counts.csv";
    std::filesystem::remove(path);
    std::istringstream bad(header() + row("a,global,ld,4,ffffffff", 4) + "oops\n");
    std::ostringstream out;
    AnalyzeCommand command{.path = "-", .device = "", .output_path = path};
    EXPECT_THROW(run_analyze(command, bad, out), UsageError);
    EXPECT_FALSE(std::filesystem::exists(path));
    command.output_path.clear();
    std::istringstream again(bad.str());
    EXPECT_THROW(run_analyze(command, again, out), UsageError);
    EXPECT_EQ(out.str(), "");

    command.output_path = path;
    std::istringstream good(header() + row("a,global,ld,4,ffffffff", 4));
    run_analyze(command, good, out);
    EXPECT_EQ(contents_of(path), kAnswerHeader + "a,1,0,0,0,4,1\n");
    EXPECT_EQ(out.str(), "");
    std::filesystem::remove(path);
}

TEST(Analyze, FilesThatCannotBeRead) {
    std::istringstream none;
    std::ostringstream out;
    for (const char* path : {"/no/such/file.csv", "/", ""}) {
        EXPECT_THROW(run_analyze({.path = path, .device = "", .output_path = ""}, none, out), UsageError)
            << path;
    }
    EXPECT_THROW(run_analyze({.path = "-", .device = "Voodoo", .output_path = ""}, none, out), UsageError);
    EXPECT_THROW(
        run_analyze({.path = kMeasured, .device = "", .output_path = "/no/such/folder/x"}, none, out),
        UsageError);
}

TEST(Analyze, TheTextOfMemTraceIsSummedUpByInstruction) {
    std::string text =
        "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x2 - Kernel name k(int, float) - grid launch id 0 - grid size 1,1,1\n";
    for (const int step : {4, 32}) {
        text += "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 7,0,0 - warp 3 - LDG.E - ";
        for (int lane = 0; lane < 32; ++lane) text += fmt::format("0x{:016x} ", 0x7f0000000000 + lane * step);
        text += '\n';
    }
    EXPECT_EQ(analyze_text(text),
              "kernel,instruction,space,op,width,executed,requests,sectors,ideal_sectors,lines,wavefronts,"
              "ideal_wavefronts,excessive_wavefronts,bytes_used,bytes_moved,worst_line,launch,block,warp\n"
              "\"k(int, float)\",LDG.E,global,ld,4,2,2,36,8,9,0,0,0,256,1152,3,0,\"7,0,0\",3\n");
}

TEST(View, ListsAndRefuses) {
    const std::string text = header() + row("a,global,ld,4,ffffffff", 4) + row("b,shared,ld,4,ffffffff", 128);
    const auto view = [&](ViewCommand command, const std::string& input) {
        command.path = "-";
        std::istringstream stream(input);
        std::ostringstream out;
        run_view(command, stream, out);
        return out.str();
    };
    ViewCommand command{.list = true};
    const std::string list = view(command, text);
    EXPECT_LT(list.find("b (shared load, 4 B)"), list.find("a (global load, 4 B)")) << list;
    command.format = ReportFormat::csv;
    EXPECT_EQ(view(command, text),
              "row,instruction,kernel,space,op,width,requests,unit,cost,ideal,excess,worst_line\n"
              "1,b,,shared,ld,4,1,wavefronts,32,1,31,3\n2,a,,global,ld,4,1,sectors,4,4,0,2\n");
    command.format = ReportFormat::json;
    EXPECT_NE(view(command, text).find("32-way bank conflict"), std::string::npos);
    EXPECT_THROW(view(command, header() + row("a,global,ld,3,ffffffff", 4)), UsageError);
    EXPECT_THROW(view({}, text), UsageError) << "the window needs a file";
    ViewCommand draw{.row = 3};
    draw.figure.output_path = testing::TempDir() + "warplens_row.svg";
    EXPECT_THROW(view(draw, text), UsageError) << "there are two rows";
    draw.row = 1;
    EXPECT_NE(view(draw, text).find("1280 x 800 points"), std::string::npos);
    EXPECT_NE(contents_of(draw.figure.output_path).find("warplens view"), std::string::npos)
        << "the command that makes it again";
    std::filesystem::remove(draw.figure.output_path);
}

TEST(Analyze, OlderGpusHaveOtherRules) {
    auto devices = device_table();
    std::istringstream input(header() + row("a,shared,ld,4,ffffffff", 4));
    const DeviceFacts& tesla = devices[choose_device(devices, "1.3", true)];
    EXPECT_EQ(analyze_rows(input, "x", tesla), kAnswerHeader + "a,1,2,2,0,0,0\n");
}

}  // namespace
}  // namespace warplens::test::analyze_tests
