#include "app/learn/glossary.h"

#include "app/base/text.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/gl/fonts.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace warplens::test::glossary_tests {
namespace {

std::vector<std::string> found(std::string_view text) {
    std::vector<std::string> words;
    for (const TermPlace& place : find_terms(text))
        words.push_back(std::string(text.substr(place.begin, place.end - place.begin)));
    return words;
}

std::vector<Block> marked(std::string_view markdown) {
    std::vector<Block> blocks = parse_markdown(markdown);
    mark_terms(blocks);
    return blocks;
}

}  // namespace

TEST(Glossary, FindsATermByAnyOfItsFormsWhateverTheCase) {
    ASSERT_NE(find_term("sector"), nullptr);
    EXPECT_EQ(find_term("Sectors"), find_term("sector"));
    EXPECT_EQ(find_term("SHARED MEMORY"), find_term("shared memory"));
    EXPECT_EQ(find_term("sectoring"), nullptr);
    EXPECT_EQ(find_term(""), nullptr);
}

TEST(Glossary, TheLongestTermWinsAndWordsAreWhole) {
    EXPECT_EQ(found("a bank conflict in a bank"), (std::vector<std::string>{"bank conflict", "bank"}));
    EXPECT_EQ(found("banknotes, subwarp"), std::vector<std::string>{});
    EXPECT_EQ(found("Warps. L1-warp"), (std::vector<std::string>{"Warps", "L1", "warp"}));
    EXPECT_EQ(found("in flight"), std::vector<std::string>{"in flight"});
}

TEST(Glossary, MarksTheFirstOfEachTermInAParagraphButNoLinksAndNoCode) {
    const std::vector<Block> blocks =
        marked("# Sector\n\nA sector, `sector`, [sector](x), sectors. **Warp** sector");
    EXPECT_EQ(blocks[0].runs[0].term, nullptr);
    std::string all, terms;
    for (const auto& run : blocks[1].runs) {
        all += run.text;
        if (run.term != nullptr) terms += run.text + ";";
    }
    EXPECT_EQ(terms, "sector;Warp;");
    EXPECT_EQ(all, "A sector, sector, sector, sectors. Warp sector") << "no text may get lost";
}

TEST(Glossary, EveryTermIsExplainedInOneToThreeShortSentences) {
    EXPECT_GE(glossary().size(), 90u);
    for (const Term& term : glossary()) {
        EXPECT_LE(term.meaning.size(), 220u) << term.term;
        EXPECT_TRUE(term.meaning.ends_with('.') || term.meaning.ends_with(')')) << term.term;
        EXPECT_EQ(term.meaning.find("  "), std::string::npos) << term.term;
        for (const char c : term.meaning) EXPECT_GE(c, ' ') << term.term;
    }
}

TEST(Glossary, EveryPlaceToSeeATermExists) {
    const std::vector<DeviceFacts> devices = device_table();
    const State now = initial_state(*find_scenario("transpose"), 0);
    int places = 0;
    for (const Term& term : glossary()) {
        if (term.see.empty()) continue;
        ++places;
        EXPECT_NO_THROW(follow_link(term.see, now, devices)) << term.term << ": " << term.see;
    }
    EXPECT_GT(places, 70);
}

TEST(Glossary, IsInAlphabeticalOrder) {
    for (std::size_t i = 1; i < glossary().size(); ++i)
        EXPECT_LT(find_term(glossary()[i - 1].term), find_term(glossary()[i].term));
}

TEST(Glossary, NoFormIsExplainedTwice) {
    std::set<std::string> known;
    for (const Term& term : glossary())
        for (const std::string& form : term.forms)
            EXPECT_TRUE(!form.empty() && known.insert(lower_case(form)).second) << form;
}

}  // namespace warplens::test::glossary_tests
