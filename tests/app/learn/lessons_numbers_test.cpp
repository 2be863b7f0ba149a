// A number in bold behind a link is what the program shows there: this test follows the link and compares.
//
//     [Stride 8](global-stride?stride=8&op=load): **32 sectors**       a count, of the pictured warp
//     [Naive](transpose?variant=naive): **load in: 4 sectors**         of the instruction with that label
//     **973 GB/s recorded**  **39.7 cycles predicted**                 as precise as it is written
//     **0.25 flop/byte**  **268 MB of DRAM**  **273 MB of L2**         of the whole launch
//     **6 blocks**                                                     on a board: among the numbers beside
//     it
#include "app/boards/board.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/model/access/counts.h"

#include "tests/app/learn/lesson_texts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace warplens::test::lessons_numbers_tests {

namespace {

struct Claim {
    std::string link, text;
};

/// Bold runs with a number, each with the link that stands before it in its block; "" when there is none.
std::vector<Claim> claims_of(std::span<const Block> blocks) {
    std::vector<Claim> claims;
    for (const Block& block : blocks) {
        std::string link;
        for (const auto& run : test::written_runs(block)) {
            if (!run.link.empty() && !leads_out(run.link)) link = run.link;
            if (run.strong && run.text.find_first_of("0123456789") != std::string::npos)
                claims.push_back({link, run.text});
        }
    }
    return claims;
}

/// A number as it is written, and how far the true one may be from it.
struct Written {
    double value = 0, tolerance = 0;
};

Written written(std::string number) {
    std::erase(number, ',');
    const std::size_t point = number.find('.');
    const double step = point != std::string::npos ? std::pow(10, -double(number.size() - point - 1)) : 1.0;
    return {std::stod(number), 0.5 * step * 1.0001};
}

class Shown {
public:
    explicit Shown(const std::string& link)
        : place_(follow_link(link, initial_state(all_scenarios().front(), device()), table())),
          evidence_(gather_evidence(place_.state, table())) {}

    /// What is wrong with a claim about this place; empty: it is true.
    std::string fault(const std::string& claim) const {
        std::smatch parts;
        const std::regex form("(?:(.+): )?([0-9][0-9,]*(?:\\.[0-9]+)?) (.+)");
        if (!std::regex_match(claim, parts, form)) return "cannot be read";
        const Written number = written(parts[2]);
        const std::string what = parts[3];
        if (place_.state.board == find_board("occupancy") || place_.state.board == find_board("phases"))
            return beside_board(number.value);
        const std::optional<double> speed = speed_of(what), bytes = bytes_of(what);
        if (what == "flop/byte") return compare(number, evidence_.prediction.intensity);
        if (speed) return compare(number, *speed);
        if (bytes) return compare(number, *bytes);
        return count_fault(number.value, parts[1], what);
    }

private:
    static const std::vector<DeviceFacts>& table() {
        static const std::vector<DeviceFacts> devices = device_table();
        return devices;
    }
    static std::size_t device() { return find_device(table(), kDefaultDevice).value(); }
    static const Recordings& recordings() {
        static const Recordings shipped = [] {
            Recordings read;
            read.add_shipped(table());
            return read;
        }();
        return shipped;
    }
    static std::string compare(const Written& number, double shown) {
        if (std::abs(number.value - shown) <= number.tolerance) return {};
        return "the program shows " + std::to_string(shown);
    }

    /// Of "GB/s recorded", "cycles predicted" and the like; -1: not there.
    std::optional<double> speed_of(const std::string& what) const {
        const bool recorded = what.ends_with(" recorded");
        if (!recorded && !what.ends_with(" predicted")) return std::nullopt;
        const std::string unit = what.substr(0, what.rfind(' '));
        const bool plotted = speed_words(evidence_.prediction.speed_unit).unit == unit;
        if (!recorded) return plotted ? evidence_.prediction.value : -1;
        const std::optional<Observation> value = recordings().find(
            *place_.state.scenario, place_.state.params, {&table(), place_.state.device, false});
        if (!value) return -1;
        if (plotted) return value->point.value;
        return unit == "cycles" ? value->timing.cycles_per_request : -1;
    }

    std::optional<double> bytes_of(const std::string& what) const {
        const double unit = what.starts_with("MB ") ? 1e6 : what.starts_with("GB ") ? 1e9 : 0;
        if (unit == 0) return std::nullopt;
        if (what.ends_with(" of DRAM")) return evidence_.prediction.dram_bytes / unit;
        if (what.ends_with(" of L2")) return evidence_.prediction.l2_bytes / unit;
        return std::nullopt;
    }

    std::string count_fault(double number, const std::string& label, const std::string& what) const {
        const std::vector<InstructionReport>& rows = evidence_.report.instructions;
        std::size_t k = place_.instruction.value_or(-1) >= 0 ? std::size_t(*place_.instruction) : 0;
        if (!label.empty()) {
            for (k = 0; k < rows.size() && !rows[k].instruction.label.starts_with(label);) ++k;
            if (k == rows.size()) return "there is no instruction '" + label + "'";
        } else if (rows.size() > 1 && place_.instruction.value_or(-1) < 0) {
            return "the link does not say of which instruction";
        }
        const int scope = place_.scope.value_or(0);
        const Totals& totals = scope == 0 ? rows[k].warp : scope == 1 ? rows[k].block : rows[k].grid;
        for (const CountWords& count : counts_of(rows[k].instruction.space)) {
            if (count.name != what && count.name != what + "s") continue;
            const auto shown = static_cast<double>(count.value(totals));
            return shown == number ? "" : "the program shows " + std::to_string(shown);
        }
        return "there is no such count";
    }

    /// Boards lay their numbers out as they like: the number has to stand in one of the rows.
    std::string beside_board(double number) const {
        const BoardInput input{place_.state, table(), evidence_};
        const std::vector<Quantity> rows = board_numbers(input);
        if (rows.empty()) return {};
        for (const Quantity& row : rows) {
            std::string digits;
            for (const char c : row.text) {  // "1 024 of 2 048": thousands may be parted by a thin space
                if (c >= '0' && c <= '9') digits += c;
                if (c == ' ' || c == ',' || (c >= 'a' && c <= 'z')) digits += ' ';
            }
            const std::string wanted = " " + std::to_string(static_cast<long>(number)) + " ";
            if ((" " + digits + " ").find(wanted) != std::string::npos) return {};
        }
        return "no row beside the board has this number";
    }

    Place place_;
    Evidence evidence_;
};

}  // namespace

TEST(LessonNumbers, WhatStandsInBoldIsWhatTheProgramShows) {
    int checked = 0;
    for (const std::string& key : test::lesson_keys()) {
        for (const Claim& claim : claims_of(lesson(key))) {
            ++checked;
            ASSERT_FALSE(claim.link.empty()) << key << ": nothing to compare '" << claim.text << "' with";
            const std::string fault = Shown(claim.link).fault(claim.text);
            EXPECT_EQ(fault, "") << key << ": " << claim.link << " says '" << claim.text << "'";
        }
    }
    EXPECT_GT(checked, 200);
}

TEST(LessonNumbers, WhatStandsInBoldInACourseIsWhatItsStepShows) {
    int checked = 0;
    for (const Course& course : courses()) {
        for (const CourseStep& step : course.steps) {
            for (const Claim& claim : claims_of(step.text)) {
                ++checked;
                const std::string& link = claim.link.empty() ? step.link : claim.link;
                EXPECT_EQ(Shown(link).fault(claim.text), "")
                    << course.id << ", '" << step.title << "': " << link << " says '" << claim.text << "'";
            }
        }
    }
    EXPECT_GT(checked, 10);
}

TEST(LessonNumbers, EveryLessonHasSomeToTry) {
    for (const std::string& key : test::lesson_keys())
        EXPECT_GE(claims_of(test::section(key, "Try this")).size(), 3u) << key;
}

/// Counts that are not in bold would not be compared with anything.
TEST(LessonNumbers, CountsOfThingsToTryStandInBold) {
    const std::regex count("[0-9] (sectors?|wavefronts?|requests?|GB/s|GFLOP/s|cycles)\\b");
    for (const std::string& key : test::lesson_keys()) {
        for (const Block& block : test::section(key, "Try this")) {
            for (const auto& run : test::written_runs(block))
                EXPECT_TRUE(run.strong || !std::regex_search(run.text, count)) << key << ": " << run.text;
        }
    }
}

TEST(LessonNumbers, AWrongNumberIsFound) {
    const Shown stride("global-stride?stride=8&op=load"), all("transpose?variant=naive&instruction=all");
    EXPECT_EQ(stride.fault("32 sectors"), "");
    EXPECT_EQ(stride.fault("1 request"), "");
    EXPECT_NE(stride.fault("31 sectors"), "");
    EXPECT_NE(stride.fault("32 wavefronts"), "");
    EXPECT_NE(stride.fault("many sectors"), "");
    EXPECT_EQ(stride.fault("571 GB/s recorded"), "");
    EXPECT_EQ(stride.fault("571.3 GB/s recorded"), "");
    EXPECT_NE(stride.fault("564 GB/s recorded"), "");
    EXPECT_NE(stride.fault("565 GFLOP/s recorded"), "");
    EXPECT_NE(stride.fault("571 GB/s predicted"), "");
    EXPECT_EQ(all.fault("store out: 32 sectors"), "");
    EXPECT_NE(all.fault("32 sectors"), "") << "it is not said of which instruction";
    EXPECT_NE(all.fault("fetch out: 32 sectors"), "");
    EXPECT_NE(Shown("global-stride?stride=1&board=traffic").fault("267 MB of DRAM"), "");
}

}  // namespace warplens::test::lessons_numbers_tests
