// Sentences about patterns that single strides do not make: pieces, duplicates, multicasts, partial warps,
// ldmatrix.
#include "app/experiment/settings.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <regex>
#include <set>

namespace warplens::test::explain_patterns_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Explanation of(std::string_view id, const std::vector<std::string>& settings, std::size_t instruction = 0) {
    const Scenario& scenario = *find_scenario(id);
    const auto all = pictured(scenario, apply_settings(scenario, settings), h200());
    return explain(all.at(instruction).view(), all.at(instruction).tile);
}

TEST(ExplainPatterns, PiecesOfAMatrix) {
    const Explanation narrow = of("global-matrix", {"block_x=4"});
    EXPECT_EQ(narrow.verdict, "Scattered: 8 sectors are fetched, 4 is the minimum.");
    EXPECT_EQ(
        narrow.why,
        "The lanes' bytes lie in 8 pieces of 16 bytes, with bytes between them that no lane uses: half of the "
        "bytes fetched are not used.");
    EXPECT_THAT(of("global-matrix", {"block_x=8"}).why,
                HasSubstr("lie in 4 pieces of 32 bytes: all 128 bytes"));
    const Explanation odd = of("global-matrix", {"block_x=8", "width=4095"});
    EXPECT_EQ(odd.verdict, "Misaligned: 7 sectors are fetched, 4 is the minimum.");
    EXPECT_EQ(
        odd.why,
        "The lanes' bytes lie in 4 pieces of 32 bytes. 3 of them do not start at a multiple of 32, and each of "
        "these reaches into one more sector.");
}

TEST(ExplainPatterns, PartialWarpsOfAMatrix) {
    EXPECT_THAT(of("global-matrix", {"block_x=8", "block_y=2"}).verdict,
                HasSubstr("16 lanes are served by 2 sectors"));
    EXPECT_THAT(of("global-matrix", {"block_x=1", "block_y=1"}).verdict,
                HasSubstr("The one active lane requests only 4 bytes: 1 sector"));
}

TEST(ExplainPatterns, DuplicatesOfAGather) {
    EXPECT_THAT(of("global-gather", {"pattern=permuted", "duplicates=8"}, 1).why,
                HasSubstr("All 32 lanes request only 4 different elements."));
    EXPECT_THAT(of("global-gather", {"pattern=permuted", "duplicates=32"}, 1).verdict,
                HasSubstr("All 32 lanes request the same 4 bytes"));
    EXPECT_THAT(of("global-gather", {"pattern=permuted"}, 1).why, Not(HasSubstr("different elements")));
    EXPECT_THAT(of("global-gather", {}, 0).verdict, HasSubstr("Coalesced"));
}

TEST(ExplainPatterns, MulticastAndConflict) {
    EXPECT_EQ(
        of("shared-broadcast", {"words=8"}).why,
        "All 32 lanes request 8 different words, and a bank delivers its word to any number of lanes at once: a "
        "multicast.");
    EXPECT_EQ(
        of("shared-broadcast", {"words=8", "stride=32"}).why,
        "8 different words fall into bank 0, which gives one per wavefront. Lanes that request the same word share "
        "its wavefront.");
    EXPECT_THAT(
        of("shared-broadcast", {"words=16", "element=16"}).why,
        HasSubstr("two groups of lanes become one: 16-byte loads are served in 2 groups of 16 lanes"));
    EXPECT_THAT(of("shared-broadcast", {"words=32", "element=8", "mask=0x5555"}).why,
                HasSubstr("Of each pair of lanes at most one is active"));
}

TEST(ExplainPatterns, StoresAreNoBroadcast) {
    WarpAccess access = strided(Space::shared, 0, 4, 0, Op::store);
    const Pictured same = pictured(access, h200());
    const Explanation e = explain(same.view());
    EXPECT_THAT(e.why, HasSubstr("write to 1 different word"));
    EXPECT_THAT(e.verdict + e.why, Not(HasSubstr("cast")));
}

TEST(ExplainPatterns, MatricesHaveGroupsOfTheirOwn) {
    const Explanation plain = of("shared-matrix-load", {});
    EXPECT_EQ(plain.verdict, "8-way bank conflict: 32 wavefronts, ideal 4.");
    EXPECT_EQ(
        plain.why,
        "Each matrix has its own group of 8 lanes; in lanes 0 to 7, 8 different rows fall into the same banks and "
        "come one after the other.");
    const Explanation swizzled = of("shared-matrix-load", {"swizzle_bits=3"});
    EXPECT_EQ(
        swizzled.why,
        "Each matrix has its own group of 8 lanes, and the 8 rows of each lie in different banks. Without the "
        "swizzle it would be 32 wavefronts.");
    EXPECT_THAT(
        of("shared-matrix-load", {"matrices=1", "padding=1"}).why,
        HasSubstr("and its 8 rows lie in different banks. Without the padding it would be 8 wavefronts."));
}

/// The number in front of some words of a sentence; -1: the words are not there.
std::int64_t number_before(const std::string& text, const std::string& words) {
    std::smatch found;
    if (!std::regex_search(text, found, pattern("([0-9][0-9\u2009]*) " + words))) return -1;
    std::string digits;
    for (const char c : found[1].str()) {
        if (c >= '0' && c <= '9') digits += c;
    }
    return std::stoll(digits);
}

/// Different chunks of `bytes` bytes that active lanes want.
std::int64_t different(const WarpAccess& access, int bytes) {
    std::set<std::uint64_t> chunks;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        chunks.insert(access.byte_address[static_cast<std::size_t>(std::countr_zero(rest))] /
                      static_cast<std::uint64_t>(bytes));
    }
    return std::ssize(chunks);
}

/// Bytes that are wanted while the byte before is not.
std::vector<std::uint64_t> piece_starts(const WarpAccess& access) {
    std::set<std::uint64_t> bytes;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const std::uint64_t first = access.byte_address[static_cast<std::size_t>(std::countr_zero(rest))];
        for (int b = 0; b < access.bytes_per_lane; ++b) bytes.insert(first + static_cast<std::uint64_t>(b));
    }
    std::vector<std::uint64_t> starts;
    for (const std::uint64_t byte : bytes)
        if (byte == 0 || !bytes.contains(byte - 1)) starts.push_back(byte);
    return starts;
}
std::int64_t pieces(const WarpAccess& access) { return std::ssize(piece_starts(access)); }

TEST(ExplainPatterns, NumbersInTheReasonAreTheRequests) {
    std::mt19937 random(19);
    int seen_elements = 0, seen_pieces = 0, seen_words = 0, seen_bytes = 0;
    for (const char* id : {"global-matrix", "global-struct", "global-gather", "shared-broadcast",
                           "shared-reduction", "shared-matrix-load"}) {
        const Scenario& scenario = *find_scenario(id);
        for (int round = 0; round < 300; ++round) {
            for (const Pictured& one : pictured(scenario, random_params(scenario, random), h200())) {
                const Space space = one.report.instruction.space;
                if (space != Space::global && space != Space::shared) continue;
                const WarpAccess& access = one.report.access;
                const std::string why = explain(one.view(), one.tile).why;
                if (const auto n = number_before(why, "different elements\\."); n >= 0) {
                    ++seen_elements;
                    ASSERT_EQ(n, different(access, access.bytes_per_lane)) << why;
                }
                if (const auto n = number_before(why, "pieces"); n >= 0) {
                    ++seen_pieces;
                    ASSERT_EQ(n, pieces(access)) << why;
                }
                if (const auto n = number_before(why, "different words?( in|,)"); n >= 0) {
                    ++seen_words;
                    ASSERT_EQ(n, different(access, std::max(4, access.bytes_per_lane))) << why;
                }
                if (const auto n = number_before(why, "bytes (fetched|sent) are used"); n >= 0) {
                    ++seen_bytes;
                    ASSERT_EQ(n, one.sectors.count.bytes_moved) << why;
                }
                if (access.op != Op::load_matrix) continue;
                ASSERT_THAT(why, HasSubstr("its own group of 8 lanes"));
            }
        }
    }
    EXPECT_GT(std::min({seen_elements, seen_pieces, seen_words, seen_bytes}), 20);
}

/// Whether every active lane wants bytes of one chunk.
bool all_the_same(const WarpAccess& access, int bytes) { return different(access, bytes) == 1; }

/// How far neighbouring active lanes are apart, where all pairs agree [bytes]; empty: they do not.
std::optional<std::int64_t> plain_step_of(const WarpAccess& access) {
    std::optional<std::int64_t> step;
    for (std::size_t lane = 1; lane < kWarpLanes; ++lane) {
        const bool both = (access.active >> (lane - 1) & 3u) == 3u;
        if (!both) continue;
        const auto here =
            static_cast<std::int64_t>(access.byte_address[lane] - access.byte_address[lane - 1]);
        if (step && *step != here) return std::nullopt;
        step = here;
    }
    return step;
}

/// The same request as if the tile had no padding, with the first setting of the pictures kept.
Params without_padding(Params params) {
    params.padding = 0;
    return params;
}

/// A claim that a sentence makes, beside its numbers.
struct Claim {
    const char* words;
    bool (*holds)(const Pictured& one, const std::string& sentence);
    int seen = 0;
};

// What the words say must be so, at every setting of every scenario.
TEST(ExplainPatterns, ClaimsHoldAtAnySetting) {
    Claim claims[] = {
        {"Coalesced:",
         [](const Pictured& p, const std::string&) {
             return p.sectors.count.sectors == p.sectors.count.ideal_sectors;
         }},
        {"Misaligned:",
         [](const Pictured& p, const std::string& sentence) {
             const auto starts = piece_starts(p.report.access);
             const auto off = std::ranges::count_if(starts, [](std::uint64_t at) { return at % 32 != 0; });
             return off > 0 &&
                    (sentence.find("None of them") == std::string::npos || off == std::ssize(starts));
         }},
        {"a sector to itself",  // of a lane, or of an element that several lanes want
         [](const Pictured& p, const std::string&) {
             const WarpAccess& access = p.report.access;
             return different(access, 32) == different(access, access.bytes_per_lane);
         }},
        {"request the same word:",
         [](const Pictured& p, const std::string&) {
             return all_the_same(p.report.access, std::max(4, p.report.access.bytes_per_lane));
         }},
        {"Conflict-free:",
         [](const Pictured& p, const std::string&) {
             return p.banks.count.wavefronts == p.banks.count.ideal;
         }},
        {"Neighbouring lanes lie",
         [](const Pictured& p, const std::string& sentence) {
             const std::int64_t words = number_before(sentence, "words? apart");
             return words < 0 || plain_step_of(p.report.access) == words * 4;
         }},
    };
    std::mt19937 random(23);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 200; ++round) {
            for (const Pictured& one : pictured(scenario, random_params(scenario, random), h200())) {
                if (one.report.access.active == 0) continue;
                const Explanation e = explain(one.view(), one.tile);
                for (Claim& claim : claims) {
                    const std::string sentence = e.verdict + " " + e.why;
                    if (sentence.find(claim.words) == std::string::npos) continue;
                    ++claim.seen;
                    ASSERT_TRUE(claim.holds(one, sentence)) << scenario.info->id << ": " << sentence;
                }
            }
        }
    }
    for (const Claim& claim : claims) EXPECT_GT(claim.seen, 10) << claim.words;
}

TEST(ExplainPatterns, WhatItWouldBeWithoutPaddingIsWhatItIs) {
    std::mt19937 random(29);
    int seen = 0;
    for (const char* id : {"shared-tile", "transpose", "matrix-multiply", "shared-matrix-load"}) {
        const Scenario& scenario = *find_scenario(id);
        for (int round = 0; round < 150; ++round) {
            const Params params = random_params(scenario, random);
            const std::vector<Pictured> all = pictured(scenario, params, h200());
            const std::vector<Pictured> bare = pictured(scenario, without_padding(params), h200());
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (!all[k].shared() || all[k].report.access.active == 0) continue;
                const std::string why = explain(all[k].view(), all[k].tile).why;
                const std::size_t at = why.find("Without the padding it would be");
                if (at == std::string::npos) continue;
                ++seen;
                const std::string rest = why.substr(at);
                const bool same = rest.find("just as many") != std::string::npos;
                const std::int64_t said =
                    same ? all[k].banks.count.wavefronts : number_before(rest, "wavefronts?");
                ASSERT_EQ(said, bare[k].banks.count.wavefronts) << id << ": " << why;
            }
        }
    }
    EXPECT_GT(seen, 100);
}

}  // namespace
}  // namespace warplens::test::explain_patterns_tests
