// Numbers that others published: each is worked out anew, and must come out as the list says, with the
// verdict that follows from it.
#include "app/boards/worked/claims.h"

#include "app/base/assets.h"
#include "app/experiment/devices.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>

namespace warplens::test::claims_tests {

namespace {

using nlohmann::json;

const Claim& claim(std::string_view id) {
    const auto& claims = worked_claims().claims;
    const auto found = std::ranges::find(claims, id, &Claim::id);
    if (found == claims.end()) throw std::runtime_error("no claim " + std::string(id));
    return *found;
}

const ClaimComputer& computer() {
    static const std::vector<DeviceFacts> devices = device_table();
    static const ClaimComputer all(asset("assets/gpus.json"), devices);
    return all;
}

double computed(const char* what) {
    const Computed value = computer().compute(json::parse(what));
    EXPECT_EQ(value.low, value.high);
    return value.low;
}

std::string mistake(const std::string& what) {
    try {
        computer().compute(json::parse(what));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no mistake";
}

/// Whole numbers to the last digit, others as precisely as people write them.
void expect_same(double now, double written, const std::string& id) {
    if (written == std::round(written) && now == std::round(now))
        EXPECT_EQ(now, written) << id;
    else
        EXPECT_NEAR(now, written, 5e-4 * std::abs(written)) << id;
}

}  // namespace

TEST(Claims, EachComesOutAsTheListSays) {
    for (const Claim& c : worked_claims().claims) {
        if (c.is_saying()) continue;
        expect_same(c.computed.low, c.written.low, c.id);
        expect_same(c.computed.high, c.written.high, c.id);
        EXPECT_EQ(c.verdict, c.listed)
            << c.id << ": says " << c.says.text << ", computed " << c.computed_text();
    }
}

TEST(Claims, EachHasAllItsWords) {
    std::set<std::string> ids;
    std::map<std::size_t, int> by_source;
    for (const Claim& c : worked_claims().claims) {
        EXPECT_TRUE(ids.insert(c.id).second) << c.id;
        for (const std::string* text : {&c.claim, &c.inputs, &c.says.text, &c.why, &c.link})
            EXPECT_FALSE(text->empty()) << c.id;
        EXPECT_TRUE(c.why.ends_with(".")) << c.id << ": " << c.why;
        EXPECT_EQ(c.why.find('{'), std::string::npos) << c.id << ": a number is missing in: " << c.why;
        ++by_source[c.source];
    }
    EXPECT_EQ(by_source.size(), worked_claims().sources.size());
    for (int k = 0; k < kVerdicts; ++k) EXPECT_GT(worked_claims().count(static_cast<ClaimVerdict>(k)), 0);
}

// The question that the first document leaves open: registers of a thread for full occupancy. 16384 / 1024,
// and for compute capability 2.0 less than 32768 / 1536 = 21.3, because warps are given registers in
// portions.
TEST(Claims, TheOpenQuestionHasItsAnswer) {
    EXPECT_EQ(claim("exercise-registers-13").computed.low, 16);
    EXPECT_EQ(claim("exercise-registers-20").computed.low, 20);
    EXPECT_NE(claim("exercise-registers-20").why.find("21"), std::string::npos);
}

TEST(Claims, AgreeAsPreciselyAsTheyAreStated) {
    EXPECT_TRUE(agrees({4, 4, 0, ""}, {4, 4}));
    EXPECT_FALSE(agrees({4, 4, 0, ""}, {3, 3}));
    EXPECT_TRUE(agrees({31, 31, 0.5, ""}, {30.9, 30.9}));
    EXPECT_FALSE(agrees({31, 31, 0, ""}, {30.9, 30.9}));
    EXPECT_TRUE(agrees({20, 30, 0, ""}, {29.9, 29.9}));
    EXPECT_TRUE(agrees({400, 800, 0, ""}, {466, 640})) << "inside";
    EXPECT_TRUE(agrees({500, 500, 50, ""}, {479, 834})) << "a range that reaches it";
    EXPECT_FALSE(agrees({100, 100, 30, ""}, {11.6, 27.9}));
}

// By hand, from the definitions.
TEST(ClaimComputer, WorkedExamples) {
    EXPECT_EQ(computed("2.5"), 2.5);
    EXPECT_EQ(computed(R"({"compute":"product","of":[2,3,4]})"), 24);
    EXPECT_EQ(computed(R"({"compute":"difference","of":[10,3,2]})"), 5);
    EXPECT_EQ(computed(R"({"compute":"ratio","of":[9,2]})"), 4.5);
    EXPECT_EQ(computed(R"({"compute":"percent","of":[1,8]})"), 12.5);
    EXPECT_EQ(computed(R"({"compute":"remainder","of":[14,4]})"), 2);
    EXPECT_EQ(computed(R"({"compute":"floor","of":[{"compute":"root","of":[512]}]})"), 22);
    EXPECT_EQ(computed(R"({"compute":"report","scenario":"global-stride","settings":"stride=8,op=load",
                           "device":"H200","field":"warp.sectors"})"),
              32);
    EXPECT_EQ(computed(R"({"compute":"occupancy","cc":"9.0","threads":256,"registers":33,"field":"blocks"})"),
              6);
    EXPECT_EQ(computed(R"({"compute":"most","of":"registers","cc":"9.0","threads":256,"blocks":8})"), 32);
    EXPECT_EQ(computed(R"({"compute":"capability","cc":"8.6","field":"max_warps_per_sm"})"), 48);
    EXPECT_EQ(computed(R"({"compute":"device","gpu":"GeForce GTX 280","field":"l2_size_bytes"})"), 0)
        << "it has none";
    EXPECT_NEAR(computed(R"({"compute":"bandwidth","gpu":"GeForce 8800 GTX","of":"shared"})"), 691.2, 1e-9);
    const Computed dram =
        computer().compute(json::parse(R"({"compute":"recorded","cc":"9.0","field":"dram_cycles"})"));
    EXPECT_EQ(dram.low, 478.8);
    EXPECT_EQ(dram.high, 803);
    EXPECT_EQ(dram.kind, Provenance::recorded);
}

TEST(ClaimComputer, RangesMeetEndToEndAndTheWeakestKindStays) {
    const Computed share = computer().compute(json::parse(
        R"({"compute":"ratio","of":[{"compute":"range","of":[10,20]},{"compute":"range","of":[2,5]}]})"));
    EXPECT_EQ(share.low, 2);
    EXPECT_EQ(share.high, 10);
    const Computed mixed = computer().compute(json::parse(
        R"({"compute":"ratio","of":[{"compute":"recorded","gpu":"H200","field":"dram_cycles"},4]})"));
    EXPECT_EQ(mixed.kind, Provenance::recorded);
}

// Numbers of a program in tests/witness/: 10, 12, 12.1, 8, 9 rise by more than 2 % twice.
TEST(ClaimComputer, CountsRisesOfWitnessedNumbers) {
    static const std::vector<DeviceFacts> devices = device_table();
    const double values[] = {10, 12, 12.1, 8, 9};
    const ClaimComputer with(asset("assets/gpus.json"), devices, {},
                             [&](std::string_view gpu, std::string_view name) -> std::optional<double> {
                                 const int at = name.back() - '0';
                                 if (gpu != "G" || !name.starts_with("s/") || at > 4) return std::nullopt;
                                 return values[at];
                             });
    EXPECT_EQ(with.compute(json::parse(R"({"compute":"witness","gpu":"G","name":"s/3"})")).low, 8);
    const Computed rises =
        with.compute(json::parse(R"({"compute":"rises","gpu":"G","name":"s/","from":0,"to":4,"percent":2})"));
    EXPECT_EQ(rises.low, 2);
    EXPECT_EQ(rises.kind, Provenance::recorded);
    EXPECT_THROW(with.compute(json::parse(R"({"compute":"witness","gpu":"G","name":"s/7"})")),
                 std::runtime_error);
    EXPECT_NE(mistake(R"({"compute":"witness","gpu":"G","name":"s/3"})").find("'s/3'"), std::string::npos);
}

TEST(ClaimComputer, WhatDoesNotExistIsNamed) {
    EXPECT_NE(mistake(R"({"compute":"magic","of":[1,2]})").find("'magic'"), std::string::npos);
    EXPECT_NE(mistake(R"({"compute":"report","scenario":"nowhere","device":"H200","field":"warp.sectors"})")
                  .find("'nowhere'"),
              std::string::npos);
    EXPECT_NE(mistake(R"({"compute":"report","scenario":"transpose","device":"H200","field":"warp.wings"})")
                  .find("'wings'"),
              std::string::npos);
    EXPECT_NE(mistake(R"({"compute":"occupancy","cc":"4.0","threads":32,"field":"blocks"})").find("'4.0'"),
              std::string::npos);
    EXPECT_NE(mistake(R"({"compute":"device","gpu":"H200","field":"l2_size_bytes"})").find("H200"),
              std::string::npos)
        << "the table's own name is wanted";
}

// A speed that the model predicts judges nobody; a speed that was recorded does, and so does a count.
TEST(Claims, AVerdictNeedsAnExactComputationOrARecording) {
    const json entries = json::parse(asset("assets/worked.json")).at("claims");
    for (const json& entry : entries) {
        const Claim& one = claim(entry.at("id").get<std::string>());
        const std::string compute = entry.at("compute").dump();
        const bool predicted = compute.find(R"("compute":"predict")") != std::string::npos &&
                               compute.find(R"("field":"value")") != std::string::npos;
        EXPECT_EQ(one.verdict == ClaimVerdict::undecided, predicted) << one.id;
        EXPECT_TRUE(!predicted || one.computed.kind == Provenance::approximate) << one.id;
        EXPECT_TRUE(compute.find("timed") == std::string::npos || one.computed.kind == Provenance::recorded)
            << one.id;
    }
    EXPECT_EQ(claim("tiled-10-20").computed.kind, Provenance::recorded);
    EXPECT_NE(claim("tiled-10-20").why.find("H200"), std::string::npos);
}

// The counters of one profiler run hang together: bytes over time are the speeds, for reads and writes alike.
TEST(Claims, TheProfilersSpeedsFollowFromItsBytes) {
    const double coalesced_s = 268.44e6 / 159.76e9, uncoalesced_s = 67110368.0 * 32 / 290.16e9;
    EXPECT_NEAR(claim("dram-write-speed").computed.low, 248.50e6 / coalesced_s * 1e-9, 0.005);
    EXPECT_NEAR(claim("dram-write-unc-speed").computed.low, 263.70e6 / uncoalesced_s * 1e-9, 0.005);
    EXPECT_NEAR(claim("dram-peak-write").computed.low, 147.89 / (290.16 / 0.8492) * 100, 0.001);
    EXPECT_EQ(claim("dram-write-unc-sectors").computed.low, 268435456 / 32);
}

/// Statements without a number: each names a source and of what it is true, and has a verdict of words.
TEST(Claims, SayingsHaveASourceAndAVerdict) {
    std::set<std::size_t> documents;
    for (const Claim& c : worked_claims().claims) {
        const bool words = c.verdict == ClaimVerdict::in_part || c.verdict == ClaimVerdict::wrong;
        EXPECT_TRUE(c.is_saying() || !words) << c.id;
        if (!c.is_saying()) continue;
        documents.insert(c.source);
        EXPECT_TRUE(words || c.verdict == ClaimVerdict::right || c.verdict == ClaimVerdict::outdated) << c.id;
        EXPECT_NE(c.inputs.find(','), std::string::npos) << c.id << ": who, and what of it: " << c.inputs;
        EXPECT_EQ(c.computed_text(), "true of " + c.holds);
    }
    EXPECT_EQ(documents.size(), worked_claims().sources.size()) << "each of the documents says some";
    EXPECT_GE(worked_claims().sayings(), 15);
    EXPECT_EQ(claim("write-invalidates").verdict, ClaimVerdict::in_part);
    EXPECT_EQ(claim("no-block-sync").verdict, ClaimVerdict::outdated);
    EXPECT_EQ(claim("all-pass-l2").verdict, ClaimVerdict::wrong);
}

TEST(Claims, AreFoundByTheirWords) {
    const ClaimList& list = worked_claims();
    EXPECT_TRUE(mentions(list, claim("naive-a"), "NAIVE stride"));
    EXPECT_FALSE(mentions(list, claim("naive-a"), "naive texture"));
    EXPECT_TRUE(mentions(list, claim("naive-a"), "  "));
    EXPECT_TRUE(mentions(list, claim("naive-a"), "olama"));
}

}  // namespace warplens::test::claims_tests
