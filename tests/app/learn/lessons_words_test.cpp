// Lessons are easy to read, and every technical word in them is in the glossary.
#include "app/experiment/state.h"
#include "app/learn/glossary.h"
#include "app/model/access/counts.h"

#include "tests/app/learn/field_words.h"
#include "tests/app/learn/lesson_texts.h"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <set>
#include <sstream>

namespace warplens::test::lessons_words_tests {

namespace {

/// Capitals that need no explanation, or are a name or a name's part.
const std::set<std::string> kKnownCapitals = {
    "GPU", "GPUs", "CUDA", "NVIDIA", "KiB", "MiB",   "GiB",  "KB",   "MB",   "GB",   "TB", "NVIDIA's",
    "OK",  "ISA",  "STL",  "LDL",    "RTX", "A6000", "H100", "H200", "A100", "H800", "II", "CUTLASS"};

std::string all_prose() {
    std::string text;
    for (const std::string& key : test::lesson_keys()) text += test::prose(key);
    return text;
}

int syllables(const std::string& word) {
    int groups = 0;
    bool before = false;
    for (const char c : word) {
        const bool vowel = std::string_view("aeiouyAEIOUY").find(c) != std::string_view::npos;
        groups += vowel && !before ? 1 : 0;
        before = vowel;
    }
    const bool silent = word.size() > 2 && word.ends_with('e') && !word.ends_with("le");
    return std::max(1, groups - (silent ? 1 : 0));
}

struct Reading {
    int words = 0, sentences = 0, syllables = 0;
    int longest = 0;          ///< words of the longest sentence
    std::string longest_end;  ///< its last word, to find it by
    double sentence_length() const { return double(words) / sentences; }
    /// Flesch (1948): above 60 is plain English, for readers of 13 to 15 years.
    double ease() const { return 206.835 - 1.015 * sentence_length() - 84.6 * double(syllables) / words; }
};

Reading read(const std::string& text) {
    Reading reading;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string last;
        int length = 0;
        for (std::string word; words >> word; last = word) {
            ++reading.words;
            if (++length > reading.longest) {
                reading.longest = length;
                reading.longest_end = word;
            }
            reading.syllables += syllables(word);
            const std::size_t end = word.find_last_not_of("\"')*");
            const bool stop = end != std::string::npos && std::string_view(".!?").find(word[end]) < 3;
            reading.sentences += stop ? 1 : 0;
            if (stop) length = 0;
        }
        const bool open =
            !last.empty() && std::string_view(".!?").find(last.back()) == std::string_view::npos;
        reading.sentences += open ? 1 : 0;
    }
    return reading;
}

}  // namespace

TEST(LessonWords, FieldWordsAreInTheGlossary) {
    const std::string text = all_prose();
    int used = 0;
    for (const std::string& word : test::words_of_the_field()) {
        if (!test::has_word(text, word)) continue;
        ++used;
        EXPECT_NE(find_term(word), nullptr) << word;
    }
    EXPECT_GT(used, 90);
}

TEST(LessonWords, CountsOfTheTableAreInTheGlossary) {
    for (int space = 0; space < kSpaceCount; ++space) {
        for (const CountWords& count : counts_of(static_cast<Space>(space))) {
            if (count.bytes) continue;
            const std::string name(count.name);
            EXPECT_TRUE(find_term(name) != nullptr || name == "instructions") << name;
        }
    }
}

TEST(LessonWords, KnobsThatAreTermsAreInTheGlossary) {
    const std::set<std::string> plain = {"Matrix size", "Block width", "Block height", "Block rows"};
    const std::regex memory(
        "stride|offset|padding|swizzle|element|lanes|tile|words|footprint|registers|cluster|"
        "distinct|halo|tap|texture|pack",
        std::regex::icase);
    int checked = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (const Knob& knob : scenario.info->knobs) {
            const std::string label(knob.label);
            if (!std::regex_search(label, memory) || plain.contains(label)) continue;
            ++checked;
            EXPECT_FALSE(find_terms(label).empty()) << scenario.info->id << ": " << label;
        }
    }
    EXPECT_GT(checked, 20);
}

TEST(LessonWords, CapitalsAreExplained) {
    const std::string text = all_prose();
    const std::regex capitals("[A-Z][A-Z0-9]+(s|'s)?|L[12]");
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), capitals), end; at != end; ++at)
        found.insert(at->str());
    for (const std::string& word : found)
        EXPECT_TRUE(find_term(word) != nullptr || kKnownCapitals.contains(word)) << word;
    EXPECT_GT(found.size(), 8u);
}

TEST(LessonWords, OnlyWordsThatCudaProgrammersSay) {
    for (const std::string& key : test::lesson_keys())
        EXPECT_EQ(word_out_of_use(test::prose(key)), "") << key;
    for (const Term& term : glossary()) EXPECT_EQ(word_out_of_use(term.meaning), "") << term.term;
    const auto check = [](std::string_view text, std::string_view where) {
        EXPECT_EQ(word_out_of_use(std::string(text)), "") << where << ": " << text;
    };
    for (const Scenario& scenario : all_scenarios()) {
        const ScenarioInfo& info = *scenario.info;
        for (const std::string_view text : {info.title, info.summary}) check(text, info.id);
        for (const Preset& preset : info.presets) check(preset.name, info.id);
        for (const Knob& knob : info.knobs)
            for (const std::string_view text : {knob.label, knob.tooltip}) check(text, info.id);
    }
    for (const BoardInfo* board : all_boards()) {
        for (const std::string_view text : {board->label, board->tooltip}) check(text, board->key);
        for (const BoardKnob* knob : board->knobs)
            for (const std::string_view text : {knob->label, knob->tooltip, knob->idle})
                check(text, knob->key);
    }
    EXPECT_EQ(word_out_of_use("A knob is turned."), "knob");
}

TEST(LessonWords, SentencesAreShortAndEasy) {
    for (const std::string& key : test::lesson_keys()) {
        const Reading reading = read(test::prose(key));
        EXPECT_LE(reading.sentence_length(), 15) << key;
        EXPECT_LE(reading.longest, 40) << key << ": the sentence that ends in " << reading.longest_end;
        EXPECT_GE(reading.ease(), 65) << key;
    }
}

TEST(LessonWords, TheMeasureTellsHardTextFromEasyText) {
    const Reading easy = read("The cat sat on the mat. It was warm.");
    const Reading hard = read(
        "Serialization of heterogeneous architectural accesses necessitates considerable reconsideration of "
        "organizational parallelization methodologies, notwithstanding implementation availability.");
    EXPECT_GT(easy.ease(), 100);
    EXPECT_LT(hard.ease(), 0);
    EXPECT_EQ(easy.sentences, 2);
    EXPECT_EQ(easy.words, 9);
    EXPECT_EQ(easy.longest, 6);
    EXPECT_EQ(hard.longest, 15);
}

}  // namespace warplens::test::lessons_words_tests
