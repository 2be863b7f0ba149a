// The board "Which memory?": every path ends, every end is reached, and what it says comes from the facts.
#include "app/boards/choose/decisions.h"

#include "app/base/assets.h"
#include "app/boards/board.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/glossary.h"
#include "tests/devices.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <regex>
#include <set>

namespace warplens::test::decisions_tests {
using ::testing::HasSubstr;

namespace {

/// Calls back for every path, finished or not.
void visit_paths(const DeviceFacts& on, const std::function<void(int, const DecisionPlace&)>& visit,
                 int path = 0) {
    const DecisionPlace place = follow_path(decisions(), path, on);
    visit(path, place);
    if (place.question == nullptr) return;
    for (std::size_t k = 0; k < place.question->answers.size(); ++k)
        visit_paths(on, visit, place.path_with(static_cast<int>(k)));
}

/// The rungs that a question or an end can lead to.
std::set<std::string> rungs_from(const std::string& id) {
    if (const DecisionEnd* end = decisions().find_end(id)) return {end->rung};
    std::set<std::string> all;
    for (const DecisionAnswer& answer : decisions().find_question(id)->answers)
        all.merge(rungs_from(answer.go));
    return all;
}

}  // namespace

TEST(Decisions, EveryPathEndsAndEveryEndIsReached) {
    std::set<std::string> ends;
    int paths = 0;
    visit_paths(gpu("H200"), [&](int path, const DecisionPlace& place) {
        ASSERT_TRUE((place.question == nullptr) != (place.end == nullptr)) << path;
        EXPECT_EQ(place.path(place.steps.size()), path) << "the path says all answers";
        EXPECT_LE(path, kLargestPath);
        if (place.end == nullptr) return;
        ++paths;
        ends.insert(place.end->id);
    });
    EXPECT_EQ(ends.size(), decisions().ends.size());
    EXPECT_GT(paths, 40);
}

TEST(Decisions, OnEveryGpuTheEndIsSomethingThatItHas) {
    for (const DeviceFacts& on : device_table()) {
        visit_paths(on, [&](int path, const DecisionPlace& place) {
            const LadderView view = ladder_of(decisions(), place, on);
            int lit = 0, chosen = 0;
            for (const LadderRung& rung : view.rungs) {
                lit += rung.state == RungState::open ? 1 : 0;
                chosen += rung.state == RungState::chosen ? 1 : 0;
                const bool gone = rung.state == RungState::out || rung.state == RungState::absent;
                EXPECT_EQ(gone, !rung.why.empty()) << on.name << ' ' << path << ' ' << rung.name;
            }
            EXPECT_EQ(chosen, place.end != nullptr ? 1 : 0) << on.name << ' ' << path;
            EXPECT_EQ(lit == 0, place.end != nullptr) << on.name << ' ' << path;
        });
    }
}

TEST(Decisions, OldGpusAreSentToTheNextBestPlace) {
    const int cluster = 241;
    const DecisionPlace hopper = follow_path(decisions(), cluster, gpu("H200"));
    ASSERT_NE(hopper.end, nullptr);
    EXPECT_EQ(hopper.end->id, "distributed");
    EXPECT_EQ(hopper.wished, nullptr);
    const DecisionPlace ampere = follow_path(decisions(), cluster, gpu("A100"));
    EXPECT_EQ(ampere.end->id, "l2");
    ASSERT_NE(ampere.wished, nullptr);
    EXPECT_EQ(ampere.wished->id, "distributed");
    EXPECT_EQ(follow_path(decisions(), cluster, gpu("GTX 280")).end->id, "stream") << "it has no L2 either";
    EXPECT_EQ(follow_path(decisions(), 221, gpu("GTX 280")).end->rung, "shared") << "nor shuffles";
}

TEST(Decisions, WorkedExamples) {
    const auto end = [](int path) { return follow_path(decisions(), path, gpu("H200")).end->id; };
    EXPECT_EQ(end(1), "literal");
    EXPECT_EQ(end(2111), "registers");
    EXPECT_EQ(end(21322), "local");
    EXPECT_EQ(end(25211), "constant");
    EXPECT_EQ(end(2321), "shared");
    EXPECT_EQ(end(2311), "stream");
    EXPECT_EQ(end(2312), "shared-turn");
}

TEST(Decisions, LinksLeadToScenariosAndTheirKnobs) {
    const State now =
        initial_state(all_scenarios().front(), find_device(device_table(), kDefaultDevice).value());
    for (const DecisionEnd& end : decisions().ends) {
        ASSERT_NO_THROW({
            const Place place = follow_link(end.link, now, device_table());
            EXPECT_TRUE(end.link.find('?') != std::string::npos) << end.link;
            EXPECT_EQ(place.state.board, find_board("access"));
        }) << end.id;
    }
    for (const DecisionRung& rung : decisions().rungs)
        if (!rung.link.empty()) {
            EXPECT_NO_THROW(follow_link(rung.link, now, device_table())) << rung.key;
        }
    const Place place = follow_link(decision_link(2312), now, device_table());
    EXPECT_EQ(place.state.board, find_board("choose"));
    EXPECT_EQ(place.state.boards[kChoosePath], 2312);
}

TEST(Decisions, TextsHoldNoNumbersOfHardware) {
    const nlohmann::json file = nlohmann::json::parse(asset("assets/decisions.json"));
    const std::regex number("(^|[^A-Za-z0-9_])[0-9]+");
    const auto expect_none = [&](const nlohmann::json& object, std::initializer_list<const char*> keys) {
        for (const char* key : keys) {
            const std::string text = object.at(key).get<std::string>();
            EXPECT_FALSE(std::regex_search(text, number)) << text;
        }
    };
    for (const auto& question : file.at("questions")) {
        expect_none(question, {"ask", "help"});
        for (const auto& answer : question.at("answers")) {
            expect_none(answer, {"text", "said"});
            for (const auto& [rung, why] : answer.at("out").items())
                EXPECT_FALSE(std::regex_search(why.get<std::string>(), number)) << why;
        }
    }
    for (const auto& end : file.at("ends")) expect_none(end, {"title", "reason", "watch"});
    for (const auto& rung : file.at("rungs")) expect_none(rung, {"name", "who", "more"});
}

TEST(Decisions, LimitsAreFactsOfTheGpu) {
    for (const DeviceFacts& on : device_table()) {
        const auto facts = decision_facts(on);
        for (const DecisionEnd& end : decisions().ends)
            for (const std::string& limit : end.limits)
                EXPECT_TRUE(facts.contains(limit)) << end.id << ": " << limit;
        for (const auto& [name, fact] : facts) {
            EXPECT_FALSE(fact.text.empty()) << name;
            const bool known = fact.text != "not known";
            if (known && name != "warp") {
                EXPECT_FALSE(fact.source.empty()) << on.name << ": " << name << " has no source";
            }
        }
    }
    const auto h200 = decision_facts(gpu("H200"));
    EXPECT_EQ(h200.at("shared_most").text, "227 KiB");
    EXPECT_EQ(h200.at("registers_per_thread").text, "255");
    EXPECT_EQ(h200.at("constant").text, "64 KiB");
    EXPECT_EQ(h200.at("l2").text, "60 MiB");
    EXPECT_EQ(h200.at("shared_cycles").provenance, Provenance::recorded);
}

TEST(Decisions, BoardSaysWhatTheEndSays) {
    State state = initial_state(all_scenarios().front(), find_device(device_table(), "H200").value());
    state.board = find_board("choose");
    state.boards.set(kChoosePath, 21322);
    const Evidence evidence = gather_evidence(state, device_table());
    const BoardInput input{state, device_table(), evidence};
    EXPECT_THAT(explain_board(input).verdict, HasSubstr("local memory"));
    EXPECT_FALSE(explain_board(input).good);
    ASSERT_EQ(board_numbers(input).size(), 3u);
    EXPECT_EQ(board_numbers(input)[0].text, "512 KiB");
    state.boards.set(kChoosePath, 0);
    EXPECT_FALSE(board_numbers(input).empty());
    EXPECT_FALSE(explain_board(input).verdict.empty());
}

TEST(Decisions, AnyNumberIsAPath) {
    for (const int path : {0, -1, 9, 19, 21119, 999999999, 100, 2147483647}) {
        const DecisionPlace place = follow_path(decisions(), path, gpu("H200"));
        EXPECT_TRUE((place.question == nullptr) != (place.end == nullptr)) << path;
    }
    EXPECT_EQ(follow_path(decisions(), 2090, gpu("H200")).steps.size(), 1u)
        << "it ends where a digit is no answer";
}

TEST(Decisions, AnAnswerSaysWhyItRulesARungOutAndNothingElse) {
    for (const DecisionQuestion& question : decisions().questions) {
        EXPECT_GE(question.answers.size(), 2u) << question.id;
        const std::set<std::string> before = rungs_from(question.id);
        for (const DecisionAnswer& answer : question.answers) {
            const std::set<std::string> after = rungs_from(answer.go);
            const auto gone = [&](const std::string& rung) {
                return before.contains(rung) && !after.contains(rung);
            };
            bool others = false;
            for (const std::string& rung : before)
                others = others || (gone(rung) && !answer.out.contains(rung));
            EXPECT_EQ(answer.out.contains("*"), others) << answer.text;
            for (const auto& [rung, why] : answer.out)
                EXPECT_TRUE((rung == "*" || gone(rung)) && !why.empty()) << answer.text << ": " << rung;
        }
    }
}

TEST(Decisions, NamesAreThereOnceAndOlderGpusFindAnEnd) {
    std::set<std::string> ids, rungs;
    for (const DecisionQuestion& question : decisions().questions)
        EXPECT_TRUE(ids.insert(question.id).second);
    for (const DecisionRung& rung : decisions().rungs) EXPECT_TRUE(rungs.insert(rung.key).second);
    for (const DecisionEnd& end : decisions().ends) {
        EXPECT_TRUE(ids.insert(end.id).second) << end.id;
        EXPECT_TRUE(rungs.contains(end.rung)) << end.id;
        EXPECT_EQ(end.since.empty(), end.otherwise.empty()) << end.id;
    }
}

}  // namespace warplens::test::decisions_tests
