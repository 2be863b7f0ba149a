// Every technical word that a panel draws has a tooltip, and the glossary knows it.
#include "app/learn/glossary.h"

#include "tests/app/learn/field_words.h"
#include "tests/app/window/headless_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplens::test::glossary_panel_tests {

namespace {

class GlossaryPanelTest : public test::HeadlessFixture {
protected:
    void SetUp() override {
        open(1600, 1000, true);
        frame();
        frame();  // the recordings that come with the program are there from the second one on
    }
    void TearDown() override {
        ui::write_down_texts(nullptr);
        HeadlessFixture::TearDown();
    }
    /// What the panels draw at a place.
    std::vector<ui::DrawnText> texts_at(const std::string& link) {
        act(action::FollowLink{link});
        std::vector<ui::DrawnText> texts;
        ui::write_down_texts(&texts);
        frame();
        ui::write_down_texts(nullptr);
        return texts;
    }
    static std::vector<std::string> places() {
        std::vector<std::string> links;
        for (const Scenario& scenario : all_scenarios()) {
            for (const char* rest : {"tab=why&scope=warp", "tab=code&scope=grid"})
                links.push_back(fmt::format("{}?{}", scenario.info->id, rest));
        }
        for (const BoardInfo* board : all_boards())
            links.push_back(fmt::format("transpose?board={}", board->key));
        for (const char* path : {"2", "24", "2312", "21322", "25211"})
            links.push_back(fmt::format("?board=choose&choose.path={}", path));
        links.push_back("shared-tile?second-axis=padding&axis=width");
        links.push_back("global-stride?device=GTX%20280");
        return links;
    }

    /// What the panels draw at all places; gone through once for all tests.
    const std::map<std::string, std::vector<ui::DrawnText>>& everything() {
        static std::map<std::string, std::vector<ui::DrawnText>> all;
        if (all.empty())
            for (const std::string& place : places()) all[place] = texts_at(place);
        return all;
    }
};

}  // namespace

TEST_F(GlossaryPanelTest, EveryTermOnALabelHasATooltip) {
    std::set<std::string> missing;
    int with_terms = 0;
    for (const auto& [place, texts] : everything()) {
        for (const ui::DrawnText& text : texts) {
            const std::vector<TermPlace> terms = find_terms(text.text);
            if (terms.empty()) continue;
            ++with_terms;
            if (!text.tip)
                missing.insert(fmt::format("'{}' ({}) at {}", text.text, terms[0].term->term, place));
        }
    }
    std::string list;
    for (const std::string& one : missing) list += "\n  " + one;
    EXPECT_TRUE(missing.empty()) << missing.size() << " labels without a tooltip:" << list;
    EXPECT_GT(with_terms, 500);
}

TEST_F(GlossaryPanelTest, EveryWordOfTheFieldOnALabelIsInTheGlossary) {
    std::set<std::string> texts;
    for (const auto& [place, drawn] : everything()) {
        for (const ui::DrawnText& text : drawn) texts.insert(text.text);
    }
    std::string all;
    for (const std::string& text : texts) all += text + "\n";
    int used = 0;
    for (const std::string& word : test::words_of_the_field()) {
        if (!test::has_word(all, word)) continue;
        ++used;
        EXPECT_NE(find_term(word), nullptr) << word;
    }
    EXPECT_GT(used, 40);
}

TEST_F(GlossaryPanelTest, AWordWithoutATooltipIsFound) {
    std::vector<ui::DrawnText> texts;
    ui::write_down_texts(&texts);
    const Theme& colors = theme(ThemeName::dark);
    const PanelStyle style{colors, window_->fonts(), window_->painter(), window_->scale()};
    window_->run_frame([&] {
        shell_->show_frame();
        ImGui::Begin("test");
        texts.clear();
        ui::text("sectors");
        ui::text("lanes");
        ui::tip(style, "about lanes");
        ui::text("banks");
        ImGui::Button("another item");
        ui::tip(style, "about the button");
        ImGui::End();
    });
    ui::write_down_texts(nullptr);
    ASSERT_EQ(texts.size(), 3u);
    EXPECT_FALSE(texts[0].tip);
    EXPECT_TRUE(texts[1].tip);
    EXPECT_FALSE(texts[2].tip);
}

}  // namespace warplens::test::glossary_panel_tests
