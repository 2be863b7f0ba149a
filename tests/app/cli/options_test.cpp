#include "app/cli/run.h"

#include "app/base/errors.h"
#include "app/cli/analyze.h"
#include "app/cli/doctor.h"
#include "app/cli/export.h"
#include "app/cli/measure/measure.h"
#include "app/cli/ncu/import_ncu.h"
#include "app/cli/occupancy/occupancy.h"
#include "app/cli/report.h"
#include "app/experiment/ncu/ncu_compare.h"
#include "app/figures/export_options.h"
#include "tests/app/cli/printed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <sstream>

namespace warplens::test::options_tests {
namespace {

template <class C>
C parse(const std::vector<std::string>& arguments) {
    return std::any_cast<C>(parse_command_line(arguments).options);
}

std::string complaint(const std::vector<std::string>& arguments) {
    try {
        parse_command_line(arguments);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Options, NothingOpensTheWindow) {
    const auto window = parse<WindowCommand>({});
    EXPECT_EQ(window.choice.scenario, "");
    EXPECT_FALSE(window.window.cpu);
    EXPECT_EQ(window.window.width, 1280);
}

TEST(Options, AScenarioOpensTheWindowThere) {
    const auto window = parse<WindowCommand>({"shared-tile", "--set", "padding=1", "--set", "walk=row",
                                              "--theme", "light", "--palette", "plasma", "--no-gpu", "--size",
                                              "1600x900", "--scale", "1.5", "--screenshot", "a.png"});
    EXPECT_EQ(window.choice.scenario, "shared-tile");
    EXPECT_EQ(window.choice.settings, (std::vector<std::string>{"padding=1", "walk=row"}));
    EXPECT_EQ(window.window.look, (ThemeChoice{ThemeName::light, PaletteName::plasma}));
    EXPECT_TRUE(window.window.cpu);
    EXPECT_EQ(window.window.width, 1600);
    EXPECT_EQ(window.window.height, 900);
    EXPECT_GT(window.window.frames, 0) << "a screenshot needs an end";
}

TEST(Options, AnEmptyDeviceIsNotTheDefaultOne) {
    EXPECT_NE(
        complaint({"report", "transpose", "--device", ""}).find("--device: expected words of a GPU's name"),
        std::string::npos);
}

TEST(Options, OneSetDoesNotSwallowWhatFollows) {
    const auto report = parse<ReportCommand>({"report", "--set", "stride=8", "global-stride", "--json"});
    EXPECT_EQ(report.choice.scenario, "global-stride");
    EXPECT_EQ(report.choice.settings, std::vector<std::string>{"stride=8"});
    EXPECT_EQ(report.format, ReportFormat::json);
}

TEST(Options, DeviceMayStandBeforeTheCommand) {
    EXPECT_EQ(parse<ReportCommand>({"--device", "A100", "report", "transpose"}).device.name, "A100");
    EXPECT_TRUE(parse<DoctorCommand>({"--cpu", "doctor"}).cpu);
    EXPECT_EQ(parse<AnalyzeCommand>({"--device", "8.6", "analyze", "a.csv"}).device, "8.6");
}

TEST(Options, WordsOfSeveralVariantsSayWhichIsTaken) {
    const auto said = [](const char* device) {
        testing::internal::CaptureStderr();
        parse<ReportCommand>({"report", "transpose", "--device", device});
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(said("A100"),
              "--device A100: taken as A100 SXM4 40 GB; also: A100 SXM4 80 GB, A100 PCIe 80 GB\n");
    EXPECT_NE(said("H100").find("taken as H100 SXM5 80 GB; also: H100 PCIe 80 GB"), std::string::npos);
    EXPECT_EQ(said("NVIDIA GeForce RTX 4060 Ti"),
              "--device NVIDIA GeForce RTX 4060 Ti: taken as GeForce RTX 4060 Ti (16 GB)\n");
    EXPECT_EQ(said("RTX 3050"), "--device RTX 3050: taken as GeForce RTX 3050 (8 GB)\n");
    EXPECT_EQ(said("NVIDIA GeForce GTX 1650"),
              "--device NVIDIA GeForce GTX 1650: taken as GeForce GTX 1650 (GDDR6)\n");
    for (const char* one : {"RTX 3050 8GB", "GeForce GTX 1650 (GDDR6)", "12.1", "H200",
                            "NVIDIA A100-SXM4-80GB", "A100 SXM4 80 GB", "8.0", "480", "no such GPU"})
        EXPECT_EQ(said(one), "") << one;
}

TEST(Options, ExportReadsItsFigure) {
    const auto command =
        parse<ExportCommand>({"export", "transpose", "--view", "banks", "--out", "f.png", "--size", "640x480",
                              "--scale", "2", "--theme", "light", "--instruction", "2"});
    EXPECT_EQ(command.figure.view, FigureView::banks);
    EXPECT_EQ(command.figure.width, 640);
    EXPECT_EQ(command.figure.scale, 2);
    EXPECT_EQ(command.figure.instruction, 2);
    EXPECT_EQ(command.output_path, "f.png");
}

TEST(Options, ExportReadsFormatAndLook) {
    const auto command = parse<ExportCommand>(
        {"export", "transpose", "--out", "f.svg", "--size", "16:9", "--transparent", "--outlines",
         "--no-caption", "--no-license", "--title", "Größe <1>", "--color-by", "words", "--wavefront", "3"});
    EXPECT_EQ(command.figure.width, 1280);
    EXPECT_EQ(command.figure.height, 720);
    EXPECT_TRUE(command.figure.transparent && command.figure.outlines);
    EXPECT_FALSE(command.figure.caption || command.figure.license);
    EXPECT_EQ(command.figure.title, "Größe <1>");
    EXPECT_EQ(command.choice.settings, (std::vector<std::string>{"color-by=words", "wavefront=3"}));
    EXPECT_EQ(format_of(command.figure, command.output_path), FigureFormat::svg);
    const auto usual = parse<ExportCommand>({"export", "transpose", "--out", "f.svg", "--format", "pdf"});
    EXPECT_TRUE(usual.figure.caption && usual.figure.license);
    EXPECT_FALSE(usual.figure.transparent);
    EXPECT_EQ(format_of(usual.figure, "f.svg"), FigureFormat::pdf) << "what is said counts";
    for (const char* bad : {"a\tb", "\xff", "\xc3", "a\x80"})
        EXPECT_NE(complaint({"export", "transpose", "--out", "f.svg", "--title", bad}), "") << bad;
}

TEST(Options, AllFiguresAreAGallery) {
    for (const char* name : {"export", "gallery"}) {
        std::vector<std::string> words{name, "--out", "figures", "--format", "svg"};
        if (words[0] == "export") words.push_back("--all");
        const auto all = parse<ExportCommand>(words);
        EXPECT_TRUE(all.all);
        EXPECT_EQ(all.output_path, "figures");
        EXPECT_EQ(all.figure.format, FigureFormat::svg);
    }
    EXPECT_TRUE(parse<ExportCommand>({"export", "--all"}).all) << "needs no folder";
    EXPECT_FALSE(parse<ExportCommand>({"export", "transpose", "--out", "a.png"}).all);
}

TEST(Options, TwoSweepsAndTwoAxes) {
    const auto measure =
        parse<MeasureCommand>({"measure", "--sweep", "stride=0..32", "--sweep", "element", "global-stride"});
    EXPECT_EQ(measure.sweep, "stride=0..32");
    EXPECT_EQ(measure.second_sweep, "element");
    EXPECT_EQ(measure.choice.scenario, "global-stride");
    EXPECT_EQ(parse<MeasureCommand>({"measure", "transpose", "--sweep", "tile"}).second_sweep, "");
    const auto figure = parse<ExportCommand>({"export", "transpose", "--view", "heatmap", "--axis", "tile",
                                              "--second-axis", "variant", "--out", "a.png"});
    EXPECT_EQ(figure.figure.view, FigureView::heatmap);
    EXPECT_EQ(figure.choice.settings, (std::vector<std::string>{"axis=tile", "second-axis=variant"}));
}

TEST(Options, Recordings) {
    const auto window = parse<WindowCommand>({"transpose", "--recording", "a.json", "--recording", "b.json"});
    EXPECT_EQ(window.window.recordings, (std::vector<std::string>{"a.json", "b.json"}));
    EXPECT_TRUE(window.window.shipped_recordings);
    EXPECT_EQ(window.choice.scenario, "transpose");
    const auto figure = parse<ExportCommand>(
        {"export", "transpose", "--recording", "a.json", "--no-recordings", "--out", "t.png"});
    EXPECT_EQ(figure.figure.recordings.files, std::vector<std::string>{"a.json"});
    EXPECT_FALSE(figure.figure.recordings.shipped);
    EXPECT_FALSE(parse<ExportCommand>({"gallery", "--no-recordings"}).figure.recordings.shipped);
}

TEST(Options, MeasuringForARecording) {
    const auto one =
        parse<MeasureCommand>({"measure", "transpose", "--record", "t.json", "--note", "at night"});
    EXPECT_EQ(one.record_path, "t.json");
    EXPECT_EQ(one.note, "at night");
    EXPECT_EQ(one.seconds_limit(), 0.25);
    const auto all = parse<MeasureCommand>({"measure", "--all", "--record", "a.json", "--part", "3/20"});
    EXPECT_TRUE(all.all);
    EXPECT_EQ(all.part, "3/20");
    EXPECT_EQ(all.seconds_limit(), 0.1) << "thousands of settings";
    EXPECT_EQ(
        parse<MeasureCommand>({"measure", "--all", "--record", "a", "--time-limit", "2"}).seconds_limit(), 2);
}

TEST(Options, FixTakesParametersByTheirOldNameToo) {
    const auto fixes = [](const char* option) {
        return printed({"fix", "transpose", "--set", "variant=naive", option, "variant", "--device", "H200"});
    };
    EXPECT_NE(fixes("--parameter").find("variant"), std::string::npos);
    EXPECT_EQ(fixes("--parameter"), fixes("--knob"));
}

TEST(Options, DashIsStandardInput) { EXPECT_EQ(parse<AnalyzeCommand>({"analyze", "-"}).path, "-"); }

TEST(Options, ImportNcuReadsWhatToCompareWith) {
    const auto command = parse<ImportNcuCommand>(
        {"import-ncu", "c.csv", "--scenario", "transpose", "--set", "variant=tile", "--set", "matrix=64",
         "--kernel", "tile.*", "--launch", "3", "--device", "8.6", "--json", "--out", "o.json"});
    EXPECT_EQ(command.path, "c.csv");
    EXPECT_EQ(command.choice.scenario, "transpose");
    EXPECT_EQ(command.choice.settings, (std::vector<std::string>{"variant=tile", "matrix=64"}));
    EXPECT_EQ(command.kernel, "tile.*");
    EXPECT_EQ(command.launch, "3");
    EXPECT_EQ(command.device, "8.6");
    EXPECT_EQ(command.format, ReportFormat::json);
    EXPECT_EQ(command.output_path, "o.json");
    EXPECT_EQ(parse<ImportNcuCommand>({"import-ncu", "-", "--analyze", "a.csv", "--csv"}).accesses_path,
              "a.csv");
    EXPECT_EQ(parse<ImportNcuCommand>({"--device", "A100", "import-ncu", "-"}).device, "A100");
    EXPECT_TRUE(parse<ImportNcuCommand>({"import-ncu", "--metrics"}).metrics);
    EXPECT_NE(complaint({"import-ncu"}).find("file"), std::string::npos);
    EXPECT_NE(complaint({"import-ncu", "-", "--set", "stride=2"}), "") << "a parameter of which scenario?";
    EXPECT_NE(complaint({"import-ncu", "-", "--json", "--csv"}), "");
}

TEST(Options, OccupancyTakesALaunchAFileOrTheKernels) {
    const auto one =
        parse<OccupancyCommand>({"occupancy", "--cc", "9.0", "--threads", "128", "--registers", "40",
                                 "--shared", "1024", "--static", "512", "--carveout", "0"});
    EXPECT_EQ(one.cc, "9.0");
    EXPECT_EQ(one.input, (OccupancyInput{128, 40, 512, 1024, 0}));
    EXPECT_EQ(parse<OccupancyCommand>({"occupancy", "--cc", "9.0"}).input, OccupancyInput{});
    EXPECT_EQ(parse<OccupancyCommand>({"occupancy", "--cc", "1.0", "--arguments", "40"}).input.arguments, 40);
    EXPECT_EQ(parse<OccupancyCommand>({"occupancy", "--cc", "1.0", "--arguments", "none"}).input.arguments,
              kNothingHidden);
    EXPECT_EQ(parse<OccupancyCommand>({"occupancy", "-", "--out", "b.csv"}).path, "-");
    EXPECT_TRUE(parse<OccupancyCommand>({"occupancy", "--kernels", "--json"}).kernels);
}

TEST(Options, HelpIsThereForEveryCommand) {
    const std::string main = printed({"--help"});
    for (const CommandEntry& command : all_commands()) {
        EXPECT_NE(main.find(command.name), std::string::npos) << command.name;
        const std::string text = printed({std::string(command.name), "--help"});
        EXPECT_NE(text.find("--help"), std::string::npos) << command.name;
        // CLI11 must not fill lines: columns and examples would be lost.
        EXPECT_NE(text.find(command.summary), std::string::npos) << command.name;
        EXPECT_NE(text.find(footer_of(command)), std::string::npos) << text;
        EXPECT_NE(main.find(command.example), std::string::npos) << command.name;
    }
    for (const char* line : {"0  done", "1  failed", "2  bad usage", "3  no display", "4  no NVIDIA GPU"}) {
        EXPECT_NE(main.find(std::string("\n  ") + line), std::string::npos) << line;
    }
}

TEST(Options, WhoeverTypesACommandAlmostRightIsToldWhichOne) {
    for (const CommandEntry& command : all_commands()) {
        const std::string typed(command.name.substr(0, command.name.size() - 1));
        try {
            printed({typed, "--no-state"});
            ADD_FAILURE() << typed;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find(fmt::format("did you mean '{}'", command.name)),
                      std::string::npos)
                << error.what();
        }
    }
}

/// The parser of the command line and the reader of commands in figures understand the same.
TEST(Options, AFiguresCommandIsReadLikeATypedOne) {
    const std::vector<std::string> examples[] = {
        {"export", "transpose", "--set", "tile=8", "--set", "matrix=64", "--out", "a.svg", "--view", "banks"},
        {"export", "--view=roofline", "--out=b.pdf", "transpose", "--no-gpu", "--size=a4", "--theme=print"},
        {"export", "transpose", "--steps", "--step-by", "step", "--seconds", "0.5", "--out", "s.png"},
        {"export", "transpose", "--title", "-x-", "--recording", "a", "--recording", "b", "--no-recordings",
         "--bank-mode", "8", "--out", "t.png", "--compare", "tile=4", "--log", "--cold", "--no-caption"}};
    for (const auto& words : examples) {
        const ExportRequest read = read_export(words), typed = parse<ExportCommand>(words);
        EXPECT_EQ(read.choice.scenario, typed.choice.scenario);
        EXPECT_EQ(read.choice.settings, typed.choice.settings);
        EXPECT_EQ(read.device.cpu, typed.device.cpu);
        EXPECT_EQ(read.device.bank_mode, typed.device.bank_mode);
        EXPECT_EQ(read.output_path, typed.output_path);
        EXPECT_EQ(read.steps, typed.steps);
        EXPECT_EQ(read.step_by, typed.step_by);
        EXPECT_EQ(read.seconds, typed.seconds);
        EXPECT_EQ(read.figure.view, typed.figure.view);
        EXPECT_EQ(read.figure.width, typed.figure.width);
        EXPECT_EQ(read.figure.look, typed.figure.look);
        EXPECT_EQ(read.figure.title, typed.figure.title);
        EXPECT_EQ(read.figure.recordings.files, typed.figure.recordings.files);
        EXPECT_EQ(read.figure.recordings.shipped, typed.figure.recordings.shipped);
        EXPECT_EQ(read.figure.compare, typed.figure.compare);
        EXPECT_EQ(read.figure.caption, typed.figure.caption);
    }
    for (const std::vector<std::string>& words : std::initializer_list<std::vector<std::string>>{
             {},
             {"report", "transpose"},
             {"export", "a", "b", "--out", "c.png"},
             {"export", "transpose", "--out"},
             {"export", "transpose", "--all"},
             {"export", "transpose", "--out", "a.png", "--scale", "nan"}})
        EXPECT_THROW(read_export(words), UsageError);
}

TEST(Options, MistakesAreOneSentence) {
    const std::vector<std::vector<std::string>> mistakes{
        {"--frobnicate"},
        {"report"},
        {"report", "transpose", "extra"},
        {"report", "transpose", "--json", "--csv"},
        {"report", "transpose", "--set"},
        {"export", "transpose"},
        {"export", "transpose", "--out", "a.png", "--view", "nothing"},
        {"export", "transpose", "--out", "a.png", "--theme", "pink"},
        {"export", "transpose", "--out", "a.png", "--instruction", "-1"},
        {"export", "transpose", "--out", "a.png", "--instruction", "x"},
        {"export", "transpose", "--out", "a.png", "--size", "10x10"},
        {"export", "transpose", "--out", "a.png", "--size", "1280"},
        {"export", "transpose", "--out", "a.png", "--size", "1280x800x2"},
        {"export", "transpose", "--out", "a.png", "--size", "99999999999x800"},
        {"export", "transpose", "--out", "a.png", "--scale", "0"},
        {"export", "transpose", "--out", "a.png", "--scale", "nan"},
        {"export", "transpose", "--out", "a.png", "--scale", "8", "--size", "4000x4000"},
        {"analyze"},
        {"analyze", "a.csv", "b.csv"},
        {"measure", "transpose", "--repeat-limit", "0"},
        {"measure", "transpose", "--once", "--sweep", "tile"},
        {"measure", "transpose", "--sweep", "tile", "--sweep", "variant", "--sweep", "matrix"},
        {"agree", "--settings", "0"},
        {"measure"},
        {"measure", "--all"},
        {"measure", "transpose", "--all", "--record", "a.json"},
        {"measure", "--all", "--sweep", "tile", "--record", "a.json"},
        {"measure", "--all", "--json", "b.json", "--record", "a.json"},
        {"measure", "--all", "--set", "tile=8", "--record", "a.json"},
        {"measure", "transpose", "--part", "0/2", "--record", "a.json"},
        {"measure", "transpose", "--note", "no file"},
        {"measure", "transpose", "--once", "--record", "a.json"},
        {"occupancy"},
        {"occupancy", "a.csv", "--cc", "9.0"},
        {"occupancy", "a.csv", "--kernels"},
        {"occupancy", "--kernels", "--cc", "9.0"},
        {"occupancy", "--threads", "256"},
        {"occupancy", "--cc", "9.0", "--threads", "0"},
        {"occupancy", "--cc", "9.0", "--threads", "many"},
        {"occupancy", "--cc", "9.0", "--registers", "-1"},
        {"occupancy", "--cc", "9.0", "--shared", "1e9"},
        {"occupancy", "--cc", "9.0", "--carveout", "101"},
        {"occupancy", "--cc", "9.0", "--carveout", "-1"},
        {"occupancy", "--cc", "1.0", "--arguments", "few"},
        {"occupancy", "--cc", "1.0", "--arguments", "-4"},
        {"merge", "--out", "c.json"},
        {"merge", "a.json"},
        {"--recording"},
        {"--recording", "a.json", "doctor"},
        {"--frames", "-1"},
        {"--screenshot", "a.png", "doctor"},
        {"transpose", "doctor"},
        {"doctor", "scenarios"},
    };
    for (const auto& arguments : mistakes) {
        std::string line;
        for (const std::string& argument : arguments) line += argument + ' ';
        const std::string text = complaint(arguments);
        EXPECT_NE(text, "") << line;
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << line << text;
    }
}

}  // namespace
}  // namespace warplens::test::options_tests
