// What the program says is said in words that CUDA programmers use: every text in the sources, whoever may
// meet it, and all of the command line's help. Lessons, parameters, boards and verdicts have their own test,
// which knows more about them (tests/app/learn/lessons_words_test.cpp).
#include "app/cli/run.h"
#include "tests/app/learn/field_words.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::test::words_tests {
namespace {

namespace fs = std::filesystem;

/// The texts of a C++ source: string literals, those that follow each other joined, as the compiler does.
/// Without the paths of include lines.
std::vector<std::string> texts_of(const std::string& source) {
    std::vector<std::string> texts;
    bool joins = false;  // nothing but space and comments since the last literal
    std::size_t at = 0;
    const auto starts = [&](std::string_view word) { return source.compare(at, word.size(), word) == 0; };
    const auto begin_text = [&] {
        if (!joins || texts.empty()) texts.emplace_back();
        joins = true;
    };
    while (at < source.size()) {
        if (starts("//") || starts("#include")) {
            at = std::min(source.find('\n', at), source.size());
        } else if (starts("/*")) {
            at = std::min(source.find("*/", at), source.size() - 2) + 2;
        } else if (starts("R\"")) {
            begin_text();
            const std::size_t open = source.find('(', at);
            const std::string close = ")" + source.substr(at + 2, open - at - 2) + "\"";
            const std::size_t end = std::min(source.find(close, open), source.size());
            texts.back() += source.substr(open + 1, end - open - 1);
            at = std::min(end + close.size(), source.size());
        } else if (starts("\"")) {
            begin_text();
            for (++at; at < source.size() && source[at] != '"'; ++at) {
                if (source[at] == '\\') ++at;
                // An escaped line break separates words; other escaped letters stand for themselves.
                texts.back() += source[at] == 'n' && source[at - 1] == '\\' ? '\n' : source[at];
            }
            ++at;
        } else if (starts("'") && at > 0 && std::isalnum(static_cast<unsigned char>(source[at - 1])) == 0) {
            at += source[at + 1] == '\\' ? 2 : 1;  // a character, not a digit separator
            at = std::min(source.find('\'', at + 1), source.size() - 1) + 1;
            joins = false;
        } else {
            joins = joins && std::isspace(static_cast<unsigned char>(source[at])) != 0;
            ++at;
        }
    }
    return texts;
}

/// Scenarios can be found by the titles that they had in version 0.1.
bool is_earlier_title(std::string_view path, std::string_view text) {
    return path.starts_with("kernels/scenarios/") &&
           std::ranges::all_of(text, [](char c) { return std::islower(c) != 0 || c == ' ' || c == '\''; });
}

/// Without the word that makes a comment of a typed kernel a parameter.
std::string without_keyword(std::string text) {
    constexpr std::string_view kKeyword = "// knob";
    for (std::size_t at = 0; (at = text.find(kKeyword, at)) != std::string::npos;)
        text.erase(at, kKeyword.size());
    return text;
}

std::vector<std::string> sources() {
    const fs::path root = in_source("");
    std::vector<std::string> paths;
    for (const char* folder : {"app", "kernels"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
            const fs::path extension = entry.path().extension();
            if (extension == ".cpp" || extension == ".h" || extension == ".cuh" || extension == ".cu")
                paths.push_back(fs::relative(entry.path(), root).string());
        }
    std::ranges::sort(paths);
    return paths;
}

std::string content(const std::string& path) {
    std::ifstream file(in_source(path.c_str()), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Words, TextsInTheSourcesAreInWordsThatCudaProgrammersSay) {
    int texts = 0;
    for (const std::string& path : sources())
        for (const std::string& text : texts_of(content(path))) {
            if (text.find(' ') == std::string::npos) continue;  // a key, a name
            ++texts;
            const std::string word = word_out_of_use(without_keyword(text));
            EXPECT_TRUE(word.empty() || is_earlier_title(path, text))
                << path << ": '" << word << "' in: " << text;
        }
    EXPECT_GT(texts, 3000);
}

/// All that commands say of themselves, and the lists that some of them print.
TEST(Words, HelpOfEveryCommandToo) {
    const auto say = [](const std::vector<std::string>& arguments) {
        std::istringstream none;
        std::ostringstream out;
        run_command_line(arguments, none, out);
        return out.str();
    };
    const auto check = [](const std::string& what, const std::string& text) {
        EXPECT_GT(text.size(), 60u) << what;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            EXPECT_EQ(word_out_of_use(line), "") << what << ": " << line;
    };
    check("--help", say({"--help"}));
    check("man", say({"man"}));
    for (const CommandEntry& entry : all_commands())
        check(std::string(entry.name), say({std::string(entry.name), "--help"}));
    for (const char* list : {"scenarios", "worked", "documents", "spaces", "demo"}) check(list, say({list}));
}

TEST(Words, LiteralsAreFoundAsTheCompilerSeesThem) {
    const std::string source =
        "#include \"a knob.h\"\n"
        "// \"a comment\"\n"
        "const char* a = \"one \"\n    \"two\";  /* \"not this\" */ char c = '\"'; int n = 1'000;\n"
        "f(\"three\", R\"x(fo\"ur)x\", \"fi\\\"ve\\n\");";
    EXPECT_EQ(texts_of(source), (std::vector<std::string>{"one two", "three", "fo\"ur", "fi\"ve\n"}));
}

}  // namespace
}  // namespace warplens::test::words_tests
