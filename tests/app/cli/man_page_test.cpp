#include "app/cli/run.h"
#include "app/window/saved_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <sstream>

namespace warplens::test::man_page_tests {
using testing::HasSubstr;
using testing::Not;

TEST(ManPage, TextIsPrintedLetterByLetter) {
    EXPECT_EQ(troff_text("--set k=v"), "\\-\\-set k=v");
    EXPECT_EQ(troff_text("C:\\x '~' `^`"), "C:\\ex \\(aq\\(ti\\(aq \\(ga\\(ha\\(ga");
    EXPECT_EQ(troff_text("a.\n.b\n..."), "a.\n\\&.b\n\\&...");  // a line with a dot would be a request
    EXPECT_EQ(troff_text(""), "");
}

TEST(ManPage, SaysWhatTheHelpSays) {
    bool flag = false;
    std::string file;
    CLI::App app{"Does something.", "tool"};
    app.footer("Examples:\n  tool -x\n\nOne line.");
    CLI::App* command = app.add_subcommand("cut", "Cut a file");
    command->add_flag("-q,--quiet", flag, "Say nothing");
    command->add_option("file", file, "What to cut")->required()->type_name("FILE");
    app.add_subcommand("secret", "Not for people")->group("");
    const std::string page = man_page(app);
    EXPECT_THAT(
        page, HasSubstr(".SS cut\nCut a file.\n.PP\n\\fBwarplens cut\\fR [\\fIoptions\\fR] \\fIfile\\fR\n"));
    EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay nothing\n"));
    EXPECT_THAT(page, HasSubstr(".SH EXAMPLES\n.EX\n  tool \\-x\n.EE\n.PP\nOne line.\n"));
    EXPECT_THAT(page, Not(HasSubstr("secret")));
    EXPECT_THAT(bash_completion(app), Not(HasSubstr("secret")));
}

/// Every option of the help is in the page, of every command.
TEST(ManPage, IsOfThisProgram) {
    const auto text = [](const std::vector<std::string>& arguments) {
        std::istringstream none;
        std::ostringstream out;
        run_command_line(arguments, none, out);
        return out.str();
    };
    const std::string page = text({"man"});
    const auto explains = [&page](const std::string& words) { return page.find(words) != std::string::npos; };
    for (const CommandEntry& entry : all_commands()) {
        const std::string command(entry.name);
        EXPECT_TRUE(explains("\n.SS " + troff_text(command) + "\n")) << command;
        std::istringstream help(text({command, "--help"}));
        int options = 0;
        for (std::string line; std::getline(help, line);) {
            // Since 2.5 CLI11 leaves room for short names. What stands further right describes.
            constexpr std::size_t kMostBefore = 12;
            const std::size_t begin = line.find_first_not_of(' ');
            if (begin > kMostBefore || !line.substr(begin).starts_with("--")) continue;
            const std::string name = line.substr(begin, line.find_first_of(" ,{", begin) - begin);
            EXPECT_TRUE(explains("\\fB" + troff_text(name) + "\\fR")) << command << ' ' << name;
            ++options;
        }
        EXPECT_GE(options, command == "manual" ? 0 : 1) << command;
    }
}

/// The desktop knows a kept window by its first bytes: see app/packaging/warplens-mime.xml.
TEST(ManPage, KeptWindowsSayWhatTheyAreAtTheirBeginning) {
    EXPECT_LT(write_state(SavedState{}).find("\"warplens state\""), 32u);
}

}  // namespace warplens::test::man_page_tests
