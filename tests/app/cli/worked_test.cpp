// `warplens worked` and `warplens spaces`: what they print, and that every link leads to a place that shows
// the number.
#include "app/cli/run.h"

#include "app/boards/board.h"
#include "app/boards/spaces/spaces_picture.h"
#include "app/boards/worked/claims.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "tests/app/cli/printed.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace warplens::test::worked_tests {

namespace {

State start() {
    return initial_state(*find_scenario("transpose"), find_device(device_table(), "H200").value());
}

/// The numbers in a text: "1 024 of 2 048 B" has 1024 and 2048.
std::vector<double> numbers_in(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 3, "\u2009") == 0)
            i += 2;  // a thin space between thousands
        else
            plain += text[i];
    }
    std::vector<double> found;
    for (std::size_t i = 0; i < plain.size();) {
        if (std::isdigit(static_cast<unsigned char>(plain[i])) == 0) {
            ++i;
            continue;
        }
        std::size_t used = 0;
        found.push_back(std::stod(plain.substr(i), &used));
        i += used;
    }
    return found;
}

/// As precisely as three digits say it.
bool has_number(const std::string& text, const Computed& wanted) {
    const auto near = [](double a, double b) { return std::abs(a - b) <= 4e-3 * std::abs(b); };
    for (const double number : numbers_in(text)) {
        if (near(number, wanted.low) || near(number, wanted.high)) return true;
    }
    return false;
}

std::string text_of_space(const State& state, const std::string& cell) {
    const std::size_t dot = cell.find('.');
    for (const SpaceRow& row : spaces_of(device_table()[state.device]).rows) {
        if (row.key != cell.substr(0, dot)) continue;
        const std::string what = cell.substr(dot + 1);
        if (what == "latency") return latency_text(row);
        if (what == "size") return row.size();
        if (what == "bandwidth") return bandwidth_text(row);
    }
    return "no such cell: " + cell;
}

std::string text_of_row(const State& state, const std::string& name) {
    const Evidence evidence = gather_evidence(state, device_table());
    for (const Quantity& row : board_numbers({state, device_table(), evidence})) {
        if (row.name == name) return row.text;
    }
    return "no such row: " + name;
}

double predicted(const Prediction& prediction, const std::string& field) {
    if (field == "value") return prediction.value;
    if (field == "peak") return prediction.peak;
    return field == "flop" ? prediction.flop : prediction.intensity;
}

/// What the place of a claim shows where the claim says so.
std::string shown_at(const Claim& claim, const State& state) {
    const Shown& shown = claim.shown;
    const DeviceFacts& device = device_table()[state.device];
    if (!shown.space.empty())
        return state.board == find_board("spaces") ? text_of_space(state, shown.space) : "another board";
    if (!shown.row.empty())
        return state.board != find_board("access") ? text_of_row(state, shown.row) : "no board";
    const auto plain = [](double value) { return std::to_string(value); };
    if (!shown.predicted.empty())
        return plain(predicted(predict(*state.scenario, state.params, device), shown.predicted));
    return plain(
        report_field(analyze(*state.scenario, state.params, device), shown.field, shown.instruction));
}

}  // namespace

TEST(Worked, EveryLinkLeadsToAPlaceThatShowsTheNumber) {
    for (const Claim& claim : worked_claims().claims) {
        State state;
        ASSERT_NO_THROW(state = follow_link(claim.link, start(), device_table()).state)
            << claim.id << ": " << claim.link;
        if (claim.is_saying()) continue;
        const Computed wanted = claim.shown.value.value_or(claim.computed);
        const std::string shown = shown_at(claim, state);
        EXPECT_TRUE(has_number(shown, wanted) || (wanted.low == 0 && shown.starts_with("0")))
            << claim.id << ": " << claim.link << " shows '" << shown << "', wanted " << claim_number(wanted);
    }
}

TEST(Worked, JsonHasEveryClaimWithItsNumbers) {
    const auto list = nlohmann::json::parse(printed({"worked", "--json"}));
    ASSERT_EQ(list.size(), worked_claims().claims.size());
    for (const auto& claim : list) {
        const bool saying = claim.contains("saying");
        for (const char* key : {"source", "verdict", "why", "link", saying ? "evidence" : "inputs"})
            EXPECT_TRUE(claim.contains(key)) << claim.dump();
        if (saying) continue;
        for (const char* key : {"claim", "says", "computed"})
            EXPECT_TRUE(claim.contains(key)) << claim.dump();
        EXPECT_TRUE(claim["says"].is_number() || claim["says"].size() == 2) << claim["says"];
    }
}

TEST(Worked, TextEndsWithASummary) {
    const std::string text = printed({"worked"});
    const ClaimList& list = worked_claims();
    const std::string summary = std::to_string(list.sayings()) +
                                " sayings: " + std::to_string(list.count(ClaimVerdict::right)) + " right, ";
    EXPECT_NE(text.find(summary), std::string::npos) << text.substr(text.size() - 300);
    for (const ClaimSource& source : list.sources)
        EXPECT_NE(text.find(source.title), std::string::npos) << source.title;
}

TEST(SpacesCommand, LinksLeadToScenariosOfTheirSpace) {
    const std::pair<const char*, Space> homes[] = {
        {"registers", Space::registers}, {"shared", Space::shared},   {"distributed", Space::cluster},
        {"constant", Space::constant},   {"texture", Space::texture}, {"local", Space::local},
        {"global", Space::global},       {"l1", Space::l2},           {"l2", Space::l2}};
    const SpacesTable spaces = spaces_of(device_table()[find_device(device_table(), "H200").value()]);
    for (const auto& [key, space] : homes) {
        const auto row = std::ranges::find(spaces.rows, key, &SpaceRow::key);
        EXPECT_TRUE(follow_link(row->link, start(), device_table()).state.scenario->in(space)) << row->link;
    }
}

TEST(SpacesCommand, JsonSaysWhatIsNotKnownAndWhatIsNotThere) {
    const auto json = nlohmann::json::parse(printed({"spaces", "--device", "8800 GTX", "--cpu", "--json"}));
    EXPECT_EQ(json["device"], "GeForce 8800 GTX");
    EXPECT_EQ(json["spaces"].size(), 10u);
    EXPECT_EQ(json["spaces"][1]["size_bytes"]["per_sm"], 16384);
    EXPECT_TRUE(json["spaces"][1]["latency_cycles"]["nearest"].is_null());
    EXPECT_EQ(json["spaces"][9]["space"], "l2");
    EXPECT_EQ(json["spaces"][9]["exists"], false);
    EXPECT_FALSE(json["spaces"][9].contains("size"));
}

TEST(SpacesCommand, TextHasAColumnForEachPropertyAndNoOverfullLine) {
    for (const char* gpu : {"H200", "GTX 480", "8800 GTX"}) {
        const std::string text = printed({"spaces", "--device", gpu, "--cpu"});
        for (const char* word :
             {"where it lives", "seen by", "lifetime", "latency", "size", "cached in", "__shared__"})
            EXPECT_NE(text.find(word), std::string::npos) << gpu << " " << word;
    }
}

}  // namespace warplens::test::worked_tests
