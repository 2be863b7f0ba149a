#include "app/measure/ncu/ncu_csv.h"

#include "app/base/errors.h"
#include "app/base/process.h"
#include "tests/app/measure/ncu/ncu_files.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace warplens::test::ncu_csv_tests {
namespace {

using test::ncu_details;
using test::ncu_raw;
using test::PrintedLaunch;

constexpr const char* kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

NcuFile read(const std::string& text, const NcuLimits& limits = {}) {
    std::istringstream input(text);
    return read_ncu_csv(input, "counters.csv", limits);
}

NcuFile read_data(const std::string& name) {
    const std::string path = in_source("tests/data/ncu/") + name;
    std::ifstream input(path, std::ios::binary);
    EXPECT_TRUE(input) << path;
    return read_ncu_csv(input, path);
}

std::string complaint(const std::string& text, const NcuLimits& limits = {}) {
    try {
        read(text, limits);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

void expect_complaint(const std::string& text, const std::string& words) {
    const std::string sentence = complaint(text);
    EXPECT_NE(sentence.find(words), std::string::npos) << "expected '" << words << "' in: " << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("counters.csv"), 0u) << sentence;
}

double count(const NcuLaunch& launch, const char* metric) {
    const NcuCount* found = launch.find(metric);
    EXPECT_NE(found, nullptr) << metric;
    return found == nullptr ? -1 : found->value;
}

const std::vector<PrintedLaunch> kTwo = {
    {"first", "(32, 1, 1)", "(2, 3, 1)", {{kLoads, "6"}, {kSectors, "24"}}},
    {"second", "(256, 1, 1)", "(64, 1, 1)", {{kLoads, "1,512"}, {kSectors, "n/a"}}}};

TEST(NcuCsv, TheDetailsPage) {
    const NcuFile file = read_data("details.csv");
    EXPECT_EQ(file.page, NcuPage::details);
    ASSERT_EQ(file.launches.size(), 1u);
    const NcuLaunch& launch = file.launches[0];
    EXPECT_EQ(launch.id, "0");
    EXPECT_EQ(launch.process_id, "4711");
    EXPECT_EQ(launch.process, "transpose");
    EXPECT_EQ(launch.kernel, "transpose_tile(const float *, float *, int)");
    EXPECT_EQ(launch.cc, "9.0");
    EXPECT_EQ(launch.block, (Extent3{32, 8, 1}));
    EXPECT_EQ(launch.grid, (Extent3{32, 32, 1}));
    EXPECT_EQ(count(launch, kLoads), 32768);
    EXPECT_EQ(count(launch, kSectors), 131072);
    EXPECT_EQ(count(launch, "memory_l1_wavefronts_shared"), 1081344);
    EXPECT_EQ(count(launch, "l1tex__t_sector_hit_rate.pct"), 0.03) << "by the label of a section";
    const NcuCount* scaled = launch.find("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
    ASSERT_NE(scaled, nullptr);
    EXPECT_DOUBLE_EQ(scaled->value, 131070);
    EXPECT_DOUBLE_EQ(scaled->rounding, 5);
    EXPECT_EQ(launch.without_value, std::vector<std::string_view>{"dram__sectors_write.sum"});
    EXPECT_EQ(file.skipped_lines, 0) << "what stands before the table is not between its rows";
}

TEST(NcuCsv, TheRawPageOfAGermanMachine) {
    const NcuFile file = read_data("raw_german.csv");
    EXPECT_EQ(file.page, NcuPage::raw);
    ASSERT_EQ(file.launches.size(), 2u);
    const NcuLaunch& gather = file.launches[1];
    EXPECT_EQ(gather.kernel, "void gather<float>(const T1 *, \"odd\" T1 *)") << "on one line";
    EXPECT_EQ(gather.process_id, "18");
    EXPECT_EQ(count(gather, kLoads), 512);
    EXPECT_EQ(count(gather, kSectors), 4096) << "a point before three digits parts thousands there";
    EXPECT_EQ(count(gather, "dram__bytes_read.sum"), 131072);
    EXPECT_DOUBLE_EQ(count(gather, "dram__bytes_write.sum"), 520000) << "Mbyte";
    EXPECT_EQ(count(gather, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"), 16);
    EXPECT_EQ(file.launches[0].find("dram__bytes_write.sum"), nullptr);
    EXPECT_EQ(file.launches[0].without_value.size(), 2u);
}

TEST(NcuCsv, BothPagesSayTheSame) {
    for (const std::string& text : {ncu_raw(kTwo), ncu_details(kTwo)}) {
        const NcuFile file = read(text);
        ASSERT_EQ(file.launches.size(), 2u);
        EXPECT_EQ(file.launches[0].kernel, "first");
        EXPECT_EQ(file.launches[0].grid, (Extent3{2, 3, 1}));
        EXPECT_EQ(count(file.launches[0], kSectors), 24);
        EXPECT_EQ(count(file.launches[1], kLoads), 1512);
        EXPECT_EQ(file.launches[1].find(kSectors), nullptr);
    }
}

TEST(NcuCsv, LineEndsMarksAndLinesOfOthers) {
    const std::string good = ncu_raw(kTwo);
    std::string crlf, chatty = "hello \"quoted\n\n==PROF== Profiling \"first\" - 0: 100%\n";
    for (const char c : good) {
        if (c == '\n') {
            crlf += "\r\n";
            chatty += "\n==WARNING== a \" quote\ntotal: 12 things, \"\n12 more\n\n";
        } else {
            crlf += c;
            chatty += c;
        }
    }
    for (const std::string& text :
         {good, "\xef\xbb\xbf" + good, crlf, chatty, good.substr(0, good.size() - 1), "\n \n" + good}) {
        const NcuFile file = read(text);
        ASSERT_EQ(file.launches.size(), 2u) << text;
        EXPECT_EQ(count(file.launches[1], kLoads), 1512);
    }
    EXPECT_EQ(read(good).skipped_lines, 0);
    EXPECT_EQ(read(chatty).skipped_lines, 8) << "two behind each of four lines";
}

TEST(NcuCsv, TablesThatWereSavedAgain) {
    std::string bare;
    for (const char c : ncu_raw({{"k", "256", "64", {{kLoads, "512"}}}})) {
        if (c != '"') bare += c;
    }
    EXPECT_EQ(count(read(bare).launches.at(0), kLoads), 512) << "without quotes";
    EXPECT_EQ(read(bare).launches[0].grid, std::nullopt) << "one number is no extent";
    const std::string words = test::kNcuColumns + ",\"" + kLoads + "\"\n" +
                              R"~(0,4711,"app","127.0.0.1","k",1,7,"(1, 1, 1)","(1, 1, 1)",0,9.0,512)~" +
                              "\n";
    EXPECT_EQ(count(read(words).launches.at(0), kLoads), 512) << "only words in quotes";
}

TEST(NcuCsv, OlderVersionsNameFewerColumns) {
    const std::string text =
        R"("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream",)"
        R"("Section Name","Metric Name","Metric Unit","Metric Value")"
        "\n"
        R"("0","1","p","h","k","2021-Mar-01 12:00:00","1","7","S",)"
        R"("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","request","32")"
        "\n";
    const NcuLaunch launch = read(text).launches.at(0);
    EXPECT_EQ(count(launch, kLoads), 32);
    EXPECT_EQ(launch.cc, "");
    EXPECT_EQ(launch.grid, std::nullopt);
}

TEST(NcuCsv, TheTextThatIsPrintedWithoutCsv) {
    const NcuFile file = read_data("ncu_text.txt");
    EXPECT_EQ(file.page, NcuPage::text);
    ASSERT_EQ(file.launches.size(), 1u);
    const NcuLaunch& launch = file.launches[0];
    EXPECT_EQ(launch.kernel, "k(float *)");
    EXPECT_EQ(launch.process_id, "77");
    EXPECT_EQ(launch.process, "a.out");
    EXPECT_EQ(launch.cc, "8.6");
    EXPECT_EQ(launch.grid, (Extent3{64, 1, 1}));
    EXPECT_EQ(launch.block, (Extent3{256, 1, 1}));
    EXPECT_EQ(count(launch, kSectors), 8192);
    EXPECT_EQ(count(launch, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"), 4096);
}

/// Older versions print no grid, no block and no heads of columns, and several sections with remarks between.
TEST(NcuCsv, TheTextOfAnOlderVersion) {
    const NcuFile file = read(R"([12] app@127.0.0.1
  void gather<int>(T1 *, float), 2020-Feb-03 10:00:00, Context 1, Stream 7
    Section: GPU Speed Of Light
    ---------------------------------- --------------- ---------------
    Duration                                   usecond            4.93
    Memory [%]                                       %           12.30
    ---------------------------------- --------------- ---------------
    WRN   This kernel is small --- or is it, Duration 7

    Section: Launch Statistics
    ---------------------------------- --------------- ---------------
    Block Size                                                     256
    Grid Size                                                    1,024
    Registers Per Thread               register/thread              16
    Static Shared Memory Per Block          Kbyte/block           4.10
    ---------------------------------- --------------- ---------------

  void gather<int>(T1 *, float), 2020-Feb-03 10:00:01, Context 1, Stream 7
    Section: GPU Speed Of Light
    ---------------------------------- --------------- ---------------
    Duration                                   msecond               2
    ---------------------------------- --------------- ---------------
)");
    ASSERT_EQ(file.launches.size(), 2u);
    const NcuLaunch& first = file.launches[0];
    EXPECT_EQ(first.kernel, "void gather<int>(T1 *, float)");
    EXPECT_EQ(first.process, "app");
    EXPECT_EQ(count(first, "gpu__time_duration.sum"), 4930);
    EXPECT_EQ(count(first, "launch__grid_size"), 1024);
    EXPECT_EQ(count(first, "launch__block_size"), 256);
    EXPECT_EQ(count(first, "launch__registers_per_thread"), 16);
    EXPECT_EQ(count(first, "launch__shared_mem_per_block_static"), 4100);
    EXPECT_EQ(count(file.launches[1], "gpu__time_duration.sum"), 2e6);
    EXPECT_EQ(file.unread, std::vector<std::string>{"Memory [%]"});
}

TEST(NcuCsv, TablesWithSemicolonsOrTabs) {
    const NcuFile file = read_data("ncu_semicolon.csv");
    ASSERT_EQ(file.launches.size(), 1u);
    EXPECT_EQ(file.launches[0].kernel, "k(float *)");
    EXPECT_EQ(count(file.launches[0], kSectors), 1048576);
    EXPECT_TRUE(looks_like_ncu("\"ID\";\"Kernel Name\"\n"));
    EXPECT_TRUE(looks_like_ncu("\n  k(int) (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 8.6\n"));
    EXPECT_EQ(count(read("ID\tKernel Name\tMetric Name\tMetric Unit\tMetric Value\n0\tk\t" +
                         std::string(kLoads) + "\t\t7\n")
                        .launches.at(0),
                    kLoads),
              7);
}

/// What is asked for and not read is named, once; what is attached to every launch is not.
TEST(NcuCsv, MetricsThatAreNotReadAreNamed) {
    EXPECT_EQ(read_data("ncu_total_conflicts.csv").unread,
              std::vector<std::string>{"sass__inst_executed_shared_loads"});
    EXPECT_EQ(read_data("h200_transpose_raw.csv").unread, std::vector<std::string>());
    EXPECT_EQ(read_data("raw_german.csv").unread, std::vector<std::string>());
}

TEST(NcuCsv, OtherSpellingsOfTheSameMetric) {
    const NcuLaunch launch = read_data("ncu_total_conflicts.csv").launches.at(0);
    EXPECT_EQ(count(launch, "dram__bytes_read.sum"), 16780000) << "dram__bytes_op_read";
    EXPECT_EQ(count(launch, "gpu__time_duration.sum"), 12500) << "us";
    EXPECT_EQ(count(launch, "launch__shared_mem_per_block_static"), 32770) << "Kbyte/block";
    const NcuCount* bytes = launch.find("launch__shared_mem_per_block_static");
    EXPECT_EQ(bytes->rounding, 5);
}

TEST(NcuCsv, SeveralTablesAndProcesses) {
    const std::string raw = ncu_raw(kTwo), details = ncu_details(kTwo);
    EXPECT_EQ(read(raw + raw).launches.size(), 4u) << "the same IDs in another table are other launches";
    EXPECT_EQ(read(raw + "==PROF== next\n" + details).launches.size(), 4u);
    std::string other = raw;
    for (std::size_t at; (at = other.find("\"1\",\"4711\"")) != std::string::npos;)
        other.replace(at, 10, "\"0\",\"4712\"");
    const NcuFile file = read(other);
    ASSERT_EQ(file.launches.size(), 2u) << "the same ID in another process is another launch";
    EXPECT_EQ(file.launches[1].process_id, "4712");
}

TEST(NcuCsv, SuffixesAndInstances) {
    const NcuLaunch launch = read(ncu_raw({{"k",
                                            "(1, 1, 1)",
                                            "(1, 1, 1)",
                                            {{"smsp__sass_l1tex_tags_mem_global", "7"},
                                             {"memory_l1_wavefronts_shared.sum", "12 (4; 8)"},
                                             {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.avg", "3"}}}}))
                                 .launches.at(0);
    EXPECT_EQ(count(launch, "smsp__sass_l1tex_tags_mem_global.sum"), 7);
    EXPECT_EQ(count(launch, "memory_l1_wavefronts_shared"), 12);
    EXPECT_EQ(launch.find(kLoads), nullptr) << "an average over units is not the sum";
}

TEST(NcuCsv, WhatIsNotATableSaysSo) {
    expect_complaint("", "empty");
    expect_complaint("\"ID\",\"Metric Name\",\"Metric Value\",\"Kernel Name\"\n\"0\",\"x\",\"1\"\n",
                     "line 2: expected 4 columns as in the header, found 3: is the row cut off?");
    expect_complaint("\n \n\n", "empty");
    expect_complaint("# A heading\n\nSome prose.\n", "no line names the columns ID and Kernel Name");
    expect_complaint("==PROF== Connected\n==WARNING== No kernels were profiled.\n",
                     "No kernels were profiled");
    expect_complaint("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n",
                     "NVreg_RestrictProfilingToAdminUsers=0");
    expect_complaint("==ERROR== Unable to access a metric\n==ERROR== The application returned 9\n", "Unable");
    expect_complaint("\"Process ID\",\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\"\n",
                     "--print-summary");
    expect_complaint("\"Line No\",\"Address\",\"Source\",\"memory_l1_wavefronts_shared\"\n", "source page");
    expect_complaint(std::string("NVR\0\1\2binary", 12), "ncu --import counters.csv --csv");
    expect_complaint(std::string("a\0b", 3), "no text");
    expect_complaint(std::string(3 << 20, 'x'), "megabyte");
    expect_complaint(test::kNcuColumns + ",\"a\"\n", "no row");
}

/// Tables of other profilers are called by their names, with the command that gives what is needed.
TEST(NcuCsv, OtherProfilersAreNamed) {
    for (const auto& [name, whose] :
         {std::pair("nsys_stats.csv", "nsys"), std::pair("nvprof.csv", "nvprof")}) {
        const std::string text = contents_of(in_source("tests/data/ncu/") + name);
        expect_complaint(text, whose);
        expect_complaint(text, "ncu --csv --page raw --metrics");
        EXPECT_FALSE(looks_like_ncu(text));
        EXPECT_NE(other_profiler(text).find(whose), std::string::npos);
    }
    // nvprof is of GPUs before it, which no counter that is read here has.
    EXPECT_NE(
        other_profiler("==9== NVPROF is profiling process 9").find("of compute capability 7.0 or later"),
        std::string::npos);
    EXPECT_EQ(other_profiler("a,b\n1,2\n"), "");
    // 'nsys stats -r cuda_gpu_trace', a report of it, and what is made of that.
    expect_complaint("Start (ns),Duration (ns),CorrId,GrdX,GrdY\n1,2,3,4,5\n", "a table of nsys");
    expect_complaint(std::string("SQLite format 3\0abc", 19), "a report of nsys");
    for (const char* name : {"r.nsys-rep", "r.sqlite", "r.qdrep"}) {
        std::istringstream report(std::string("NVR\0abc", 7));
        try {
            read_ncu_csv(report, name);
            ADD_FAILURE() << name;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find("a report of nsys"), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find("--import"), std::string::npos) << error.what();
        }
    }
    EXPECT_NE(other_profiler("\xff\xfe\"").find("UTF-16"), std::string::npos);
    expect_complaint(std::string("\xff\xfe\"\0I\0D\0", 8), "Set-Content -Encoding utf8");
    const std::string printed = "Total Time (ns): 5\n" + ncu_raw(kTwo);
    EXPECT_EQ(read(printed).launches.size(), 2u) << "what the program itself prints is no table of nsys";
}

TEST(NcuCsv, DamagedRowsNameTheirPlace) {
    const std::string raw = ncu_raw(kTwo), details = ncu_details(kTwo);
    expect_complaint(raw.substr(0, raw.rfind(',')) + "\n",
                     "line 4: expected 13 columns as in the header, found 12");
    expect_complaint(details.substr(0, details.rfind(',')), "found 14: is the row cut off?");
    expect_complaint(details.substr(0, details.size() - 2), "never closed");
    expect_complaint(raw + "\"x\"" + raw.substr(raw.rfind(",\"4711")), "expected the number of a launch");
    expect_complaint(ncu_details({{"k", "", "", {{kLoads, "many"}}}}),
                     std::string("line 2: expected a number for ") + kLoads + ", found 'many'");
    expect_complaint(test::kNcuColumns + ",\"Section Name\",\"Metric Name\"\n", "no column Metric Value");
}

TEST(NcuCsv, FilesThatAreTooLargeAreRefused) {
    const std::string raw = ncu_raw(kTwo);
    EXPECT_EQ(read(raw, {.launches = 2}).launches.size(), 2u);
    EXPECT_NE(complaint(raw, {.launches = 1}).find("more than 1 launches"), std::string::npos);
    EXPECT_NE(complaint(raw, {.bytes = 400}).find("MiB"), std::string::npos);
    EXPECT_EQ(complaint(raw, {.bytes = static_cast<std::int64_t>(raw.size())}), "");
}

}  // namespace
}  // namespace warplens::test::ncu_csv_tests
