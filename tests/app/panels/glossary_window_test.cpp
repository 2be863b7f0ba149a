// Every technical word that a panel draws has a tooltip, and the glossary knows it.
#include "app/experiment/devices.h"
#include "app/learn/glossary.h"
#include "app/panels/widgets.h"
#include "app/window/window_session.h"

#include "tests/app/learn/field_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplens::test::glossary_window_tests {

namespace {

class GlossaryWindowTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = Window::open({.width = 1600, .height = 1000});
        if (auto* why = std::get_if<Unavailable>(&opened)) GTEST_SKIP() << why->reason;
        window_ = std::move(std::get<std::unique_ptr<Window>>(opened));
        WindowOptions options;
        options.cpu = true;
        options.shipped_recordings = true;
        const std::vector<DeviceFacts> devices = device_table();
        session_ = std::make_unique<WindowSession>(
            *window_, initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value()),
            devices, options);
        frame();
        frame();  // the recordings that come with the program are there from the second one on
    }
    void TearDown() override {
        ui::write_down_texts(nullptr);
        session_.reset();
        window_.reset();
    }
    void frame() {
        window_->keep_awake(1);
        window_->run_frame([this] { session_->show_frame(); });
    }
    /// What the panels draw at a place.
    std::vector<ui::DrawnText> texts_at(const std::string& link) {
        Wishes wishes;
        wishes.link = link;
        session_->wish(wishes);
        frame();
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
        for (const BoardInfo& board : all_boards())
            links.push_back(fmt::format("transpose?board={}", board.key));
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

    std::unique_ptr<Window> window_;
    std::unique_ptr<WindowSession> session_;
};

}  // namespace

TEST_F(GlossaryWindowTest, EveryTermOnALabelHasATooltip) {
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

TEST_F(GlossaryWindowTest, EveryWordOfTheFieldOnALabelIsInTheGlossary) {
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

TEST_F(GlossaryWindowTest, AWordWithoutATooltipIsFound) {
    std::vector<ui::DrawnText> texts;
    ui::write_down_texts(&texts);
    window_->keep_awake(1);
    window_->run_frame([&] {
        session_->show_frame();
        const Frame shown = session_->frame();
        ImGui::Begin("test");
        texts.clear();
        ui::text("sectors");
        ui::text("lanes");
        ui::tip(shown, "about lanes");
        ui::text("banks");
        ImGui::Button("another item");
        ui::tip(shown, "about the button");
        ImGui::End();
    });
    ui::write_down_texts(nullptr);
    ASSERT_EQ(texts.size(), 3u);
    EXPECT_FALSE(texts[0].tip);
    EXPECT_TRUE(texts[1].tip);
    EXPECT_FALSE(texts[2].tip);
}

}  // namespace warplens::test::glossary_window_tests
