// The manual and the README: every link, picture and command in them is tried.
#include "app/learn/manual.h"

#include "app/base/assets.h"
#include "app/cli/run.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "tests/app/learn/field_words.h"
#include "tests/app/learn/lesson_texts.h"
#include "tests/app/learn/shown.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace warplens::test::manual_tests {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The README and the files of all chapters.
std::vector<fs::path> files() {
    std::vector<fs::path> all{in_source("README.md")};
    for (const fs::directory_entry& entry : fs::directory_iterator(in_source("assets/manual")))
        all.push_back(entry.path());
    return all;
}

bool has_heading(const std::vector<Block>& blocks, const std::string& anchor) {
    return std::ranges::any_of(blocks, [&](const Block& block) {
        return block.kind == BlockKind::heading && anchor_of(block) == anchor;
    });
}

/// A command line cut into words as a shell does, without a comment.
std::vector<std::string> words_of(const std::string& line) {
    static const std::regex word("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    std::vector<std::string> words;
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end && at->str() != "#"; ++at)
        words.push_back((*at)[1].str() + (*at)[2].str() + (*at)[3].str());
    return words;
}

/// What stands as code: lines of blocks, and code within a sentence.
std::vector<std::string> code_of(const std::vector<Block>& blocks) {
    std::vector<std::string> lines;
    for (const Block& block : blocks)
        for (const auto& run : block.runs) {
            if (block.kind != BlockKind::code && !run.code) continue;
            std::istringstream text(run.text);
            for (std::string line; std::getline(text, line);) lines.push_back(line);
        }
    return lines;
}

TEST(Manual, EveryFileIsAChapterWithItsLine) {
    EXPECT_EQ(manual().size() + 1, files().size());
    std::set<std::string> headings;
    for (const Chapter& chapter : manual()) {
        SCOPED_TRACE(chapter.id);
        EXPECT_EQ(chapter.blocks[0].level, 1);
        EXPECT_LE(chapter.about.size(), 110u);
        EXPECT_TRUE(chapter.about.ends_with('.'));
        for (const Block& block : chapter.blocks)
            EXPECT_TRUE(block.kind != BlockKind::heading || headings.insert(plain_text(block)).second)
                << "twice: " << plain_text(block);
    }
    EXPECT_EQ(find_chapter("no-chapter"), nullptr);
    EXPECT_LE(content(in_source("README.md")).size(), 10'000u) << "two screens";
}

TEST(Manual, EveryLinkAndPictureOfTheFilesExists) {
    static const std::regex target("\\]\\(([^)#]*)#?([^)]*)\\)");
    int tried = 0;
    for (const fs::path& path : files()) {
        const std::string text = content(path);
        EXPECT_EQ(text.find("://"), std::string::npos) << path << " needs no network";
        for (std::sregex_iterator at(text.begin(), text.end(), target), end; at != end; ++at, ++tried) {
            const fs::path file = path.parent_path() / (*at)[1].str();
            ASSERT_TRUE(fs::is_regular_file(file)) << path << ": " << at->str();
            EXPECT_TRUE(at->length(2) == 0 || has_heading(parse_markdown(content(file)), (*at)[2]))
                << path << ": " << at->str();
        }
    }
    EXPECT_GT(tried, 30);
}

TEST(Manual, EveryLinkInTheWindowLeadsThere) {
    std::vector<Block> all = manual_contents();
    for (const Chapter& chapter : manual())
        all.insert(all.end(), chapter.blocks.begin(), chapter.blocks.end());
    for (const Block& block : all)
        for (const auto& run : block.runs) {
            if (run.link.empty()) continue;
            if (!run.link.starts_with(kManualLink)) {
                EXPECT_NO_THROW(place_of(run.link)) << run.link;
                continue;
            }
            const std::string place = run.link.substr(kManualLink.size());
            const std::size_t hash = place.find('#');
            const Chapter* chapter = find_chapter(place.substr(0, hash));
            ASSERT_NE(chapter, nullptr) << run.link;
            EXPECT_TRUE(hash == std::string::npos || has_heading(chapter->blocks, place.substr(hash + 1)))
                << run.link;
        }
}

TEST(Manual, EveryCommandIsUnderstood) {
    int tried = 0;
    for (const fs::path& path : files())
        for (const std::string& line : code_of(parse_markdown(content(path)))) {
            std::vector<std::string> words = words_of(line);
            if (words.empty() || words[0] != "warplens") continue;
            words.erase(words.begin());
            ++tried;
            EXPECT_NO_THROW(parse_command_line(words)) << path << ": " << line;
        }
    EXPECT_GT(tried, 50);
}

TEST(Manual, EveryCommandHasItsExample) {
    for (const CommandEntry& entry : all_commands())
        EXPECT_NE(find_chapter("commands")->text.find("`warplens " + std::string(entry.name)),
                  std::string::npos)
            << entry.name;
}

TEST(Manual, IsInWordsAndLettersThatTheWindowShows) {
    for (const Chapter& chapter : manual())
        for (const Block& block : chapter.blocks)
            for (const auto& run : block.runs) {
                const bool code = run.code || block.kind == BlockKind::code;
                EXPECT_EQ(code ? "" : word_out_of_use(run.text), "") << chapter.id << ": " << run.text;
                EXPECT_EQ(letter_without_glyph(run.text), "") << chapter.id << ": " << run.text;
            }
}

TEST(Manual, TheCommandPrintsTheListAndAChapter) {
    const auto printed = [](const std::vector<std::string>& arguments) {
        std::istringstream none;
        std::ostringstream out;
        run_command_line(arguments, none, out);
        return out.str();
    };
    for (const Chapter& chapter : manual()) {
        EXPECT_NE(printed({"manual"}).find(chapter.about), std::string::npos);
        EXPECT_EQ(printed({"manual", chapter.id}),
                  content(in_source(("assets/manual/" + chapter.id + ".md").c_str())));
    }
    EXPECT_THROW(parse_command_line({"manual", "no-chapter"}), UsageError);
}

}  // namespace
}  // namespace warplens::test::manual_tests
