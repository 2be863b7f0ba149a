// Links: what lessons, tables and the command line name is a place in the program.
#include "app/experiment/link.h"

#include "app/base/errors.h"
#include "app/boards/occupancy/knobs.h"
#include "app/experiment/devices.h"

#include <gtest/gtest.h>

namespace warplens::test::link_tests {

namespace {

Place follow(std::string_view link) {
    return follow_link(link, initial_state(*find_scenario("transpose"), 3), device_table());
}

std::string mistake(std::string_view link) {
    try {
        follow(link);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no mistake";
}

}  // namespace

TEST(Link, SetsScenarioKnobsDeviceAndBoard) {
    const Place place = follow("global-stride?stride=8&op=load&device=RTX%204090&board=traffic");
    EXPECT_EQ(place.state.scenario, find_scenario("global-stride"));
    EXPECT_EQ(place.state.params.stride, 8);
    EXPECT_NE(device_table()[place.state.device].name.find("4090"), std::string::npos);
    EXPECT_EQ(place.state.board, find_board("traffic"));
}

TEST(Link, PublishedNumbersAreABoardByTheCommandsNameToo) {
    EXPECT_EQ(follow("?board=worked").state.board->key, "claims");
    EXPECT_EQ(follow("?board=claims").state.board->key, "claims");
}

TEST(Link, WithoutAScenarioKeepsThePresentOne) {
    const Place place =
        follow("?board=occupancy&occupancy.threads=128&scope=grid&instruction=all&tab=lesson");
    EXPECT_EQ(place.state.scenario, find_scenario("transpose"));
    EXPECT_EQ(place.state.device, 3u);
    EXPECT_EQ(place.state.boards[kOccupancyThreads], 128);
    EXPECT_EQ(place.scope, 2);
    EXPECT_EQ(place.instruction, -1);
    EXPECT_EQ(place.tab, 2);
}

TEST(Link, OfAStateLeadsBackToIt) {
    State state = initial_state(*find_scenario("global-stride"), 7);
    state.params.stride = 12;
    state.params.offset = 3;
    state.log_axes = true;
    state.bank_mode = BankMode::eight_bytes;
    state.board = find_board("roofline");
    state.boards.set(kOccupancyRegisters, 48);
    const Place place = follow(link_to(state, device_table()));
    EXPECT_EQ(place.state.params, state.params);
    EXPECT_EQ(place.state.boards, state.boards);
    EXPECT_EQ(place.state.device, state.device);
    EXPECT_EQ(place.state.board, state.board);
    EXPECT_TRUE(place.state.log_axes);
    EXPECT_EQ(place.state.bank_mode, BankMode::eight_bytes);
}

TEST(Link, IsTheAddressOfAPage) {
    const std::string page = "https://a.org/warplens.html";
    EXPECT_EQ(web_link(page, "shared-tile?padding=1&walk=column"),
              page + "?shared-tile&padding=1&walk=column");
    EXPECT_EQ(web_link(page, "transpose"), page + "?transpose");
    EXPECT_EQ(web_link(page, "?board=traffic"), page + "?board=traffic");
    EXPECT_EQ(web_link("", "shared-tile?padding=1"), "shared-tile?padding=1");
}

TEST(Link, SaysWhatIsWrong) {
    EXPECT_NE(mistake("global-strid?stride=8").find("global-stride"), std::string::npos);
    EXPECT_NE(mistake("global-stride?strid=8").find("did you mean 'stride'"), std::string::npos);
    EXPECT_NE(mistake("global-stride?stride=1000000").find("takes"), std::string::npos);
    EXPECT_NE(mistake("global-stride?stride").find("key=value"), std::string::npos);
    EXPECT_NE(mistake("?board=roof").find("roofline"), std::string::npos);
    EXPECT_NE(mistake("?occupancy.threads=9999").find("1024"), std::string::npos);
    EXPECT_NE(mistake("?occupancy.thread=9").find("occupancy.threads"), std::string::npos);
    EXPECT_NE(mistake("?bank-mode=5").find("expected 4 or 8"), std::string::npos);
    EXPECT_NE(mistake("?device=nothing").find("nothing"), std::string::npos);
    EXPECT_NE(mistake("?instruction=99").find("instructions"), std::string::npos);
}

}  // namespace warplens::test::link_tests
