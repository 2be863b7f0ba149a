// The quiz as a student has it: every question is solved from the printed sheet alone. Addresses come from
// the formulas on the sheet, counts from sets of words and bytes, times from the recording's file; the model
// is not asked.
#include "app/cli/run.h"
#include "app/model/catalogue.h"
#include "tests/pattern.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace warplens::test::quiz_sheet_tests {
namespace {

std::string printed(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "quiz");
    std::ostringstream out;
    std::istringstream none;
    run_command_line(arguments, none, out);
    return out.str();
}

bool says(const std::string& sheet, std::string_view words) { return sheet.find(words) != std::string::npos; }

/// A formula as C has it, with names of one letter. It ends where it cannot go on: "2 * 3 packs" is 6.
class Formula {
public:
    using Names = std::map<char, long>;
    Formula(std::string text, const Names& names) : text_(std::move(text)), names_(names) {}
    long value() { return binary(0); }

private:
    char next() {
        at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    static int rank(char sign) {
        return sign == '^'                                 ? 1
               : sign == '<' || sign == '>'                ? 2
               : sign == '+' || sign == '-'                ? 3
               : sign == '*' || sign == '/' || sign == '%' ? 4
                                                           : 0;
    }
    long binary(int above) {
        long left = operand();
        while (rank(next()) > above) {
            const char sign = text_[at_];
            at_ += sign == '<' || sign == '>' ? 2 : 1;
            const long right = binary(rank(sign));
            left = sign == '^'   ? left ^ right
                   : sign == '<' ? left << right
                   : sign == '>' ? left >> right
                   : sign == '+' ? left + right
                   : sign == '-' ? left - right
                   : sign == '*' ? left * right
                   : sign == '/' ? left / right
                                 : left % right;
        }
        return left;
    }
    long operand() {
        const char first = next();
        if (first == '(') {
            ++at_;
            const long inside = binary(0);
            if (next() != ')') throw std::runtime_error("no ) in " + text_);
            ++at_;
            return inside;
        }
        if (names_.contains(first)) {
            ++at_;
            return names_.at(first);
        }
        std::size_t used = 0;
        const long number = std::stol(text_.substr(at_), &used);
        at_ += used;
        return number;
    }

    std::string text_;
    const Names& names_;
    std::size_t at_ = 0;
};

std::smatch found(const std::string& text, const char* wanted) {
    std::smatch match;
    if (!std::regex_search(text, match, pattern(wanted)))
        throw std::runtime_error("the sheet does not say '" + std::string(wanted) + "': " + text);
    return match;
}

long number(const std::string& text, const char* pattern) { return std::stol(found(text, pattern)[1]); }

/// What the lanes access, as a sentence tells it.
struct Access {
    int bytes = 0;
    struct Lane {
        long i = 0, index = 0, second = 0;  ///< an element, or a texel (index, second)
    };
    std::vector<Lane> lanes;
};

Access read_access(const std::string& text) {
    const std::smatch match =
        found(text, R"(Lane i (?:loads|stores|adds to) (\d+) bytes: \w+(?:\[(.+)\]|\((.+), (.+)\))\. )"
                    R"((All lanes take part|Only lanes? ([-0-9, ]+) takes? part)\.)");
    std::set<long> taking;
    const std::string ranges = match[6].matched ? match[6].str() : "0-31";
    static const std::regex range(R"((\d+)(?:-(\d+))?)");
    for (std::sregex_iterator it(ranges.begin(), ranges.end(), range), end; it != end; ++it) {
        const long first = std::stol((*it)[1]), last = (*it)[2].matched ? std::stol((*it)[2]) : first;
        for (long lane = first; lane <= last; ++lane) taking.insert(lane);
    }
    const std::string before = match.prefix();
    static const std::regex definition(R"(\b([a-z]) = ([^,.:;]+))");
    Access access{std::stoi(match[1]), {}};
    for (const long lane : taking) {
        Formula::Names names{{'i', lane}};
        for (std::sregex_iterator it(before.begin(), before.end(), definition), end; it != end; ++it)
            names[(*it)[1].str()[0]] = Formula((*it)[2], names).value();
        const bool texel = match[3].matched;
        access.lanes.push_back({lane, Formula(texel ? match[3] : match[2], names).value(),
                                texel ? Formula(match[4], names).value() : 0});
    }
    return access;
}

/// The distinct bytes that are accessed; for a per-thread array the sheet says where its words lie.
std::set<long> bytes_of(const std::string& sheet, const Access& access) {
    std::set<long> bytes;
    const bool local = says(sheet, "(local memory)");
    for (const Access::Lane& lane : access.lanes) {
        const Formula::Names names{{'k', lane.index}, {'i', lane.i}};
        const long first = local ? Formula(found(sheet, "lies at byte (.+) \\* 4\\.")[1], names).value() * 4
                                 : lane.index * access.bytes;
        for (long byte = first; byte < first + access.bytes; ++byte) bytes.insert(byte);
    }
    return bytes;
}

long pieces(const std::set<long>& bytes, long size) {
    std::set<long> distinct;
    for (const long byte : bytes) distinct.insert(byte / size);
    return static_cast<long>(distinct.size());
}

/// The sectors that move: of atomic operations once in each turn.
long moving_sectors(const std::string& sheet, const Access& access, long size) {
    if (!says(sheet, "In each turn one lane of every word")) return pieces(bytes_of(sheet, access), size);
    std::map<long, long> lanes, most;  // of a word, of a sector's words
    for (const Access::Lane& lane : access.lanes) ++lanes[lane.index];
    for (const auto& [word, count] : lanes) {
        long& turns = most[word * access.bytes / size];
        turns = std::max(turns, count);
    }
    long sum = 0;
    for (const auto& [sector, turns] : most) sum += turns;
    return sum;
}

long wavefronts(const std::string& sheet, const Access& access) {
    const long banks = number(sheet, "has (\\d+) banks of 4 bytes, and the array begins in bank 0");
    const long together = says(sheet, "All lanes are served together")
                              ? 32
                              : number(sheet, "Groups of (\\d+) neighbouring lanes are served one after");
    long total = 0;
    for (long group = 0; group < 32; group += together) {
        const bool each = says(sheet, "a bank serves one lane");
        std::map<long, std::set<long>> words;  // by bank; lanes where each is served on its own
        for (const Access::Lane& lane : access.lanes) {
            if (lane.i < group || lane.i >= group + together) continue;
            for (long word = lane.index * access.bytes / 4; word < (lane.index + 1) * access.bytes / 4;
                 ++word)
                words[word % banks].insert(each ? lane.i : word);
        }
        std::size_t most = 0;
        for (const auto& [bank, wanted] : words) most = std::max(most, wanted.size());
        total += static_cast<long>(most);
    }
    return total;
}

long texture_sectors(const std::string& sheet, const Access& access) {
    const std::smatch size = found(sheet, R"(A sector holds (\d+) x (\d+) texels of 4 bytes)");
    std::set<std::array<long, 3>> sectors;
    for (const Access::Lane& lane : access.lanes)
        sectors.insert({lane.i / 4, lane.index / std::stol(size[1]), lane.second / std::stol(size[2])});
    return static_cast<long>(sectors.size());
}

/// Settings as "a=1, b=2" or "a=1,b=2".
using Settings = std::map<std::string, std::string>;
void read_settings(Settings& settings, const std::string& text) {
    static const std::regex one(R"(([a-z_0-9]+)=([^,\s]+))");
    for (std::sregex_iterator it(text.begin(), text.end(), one), end; it != end; ++it)
        settings[(*it)[1]] = (*it)[2];
}

/// The same of what a sheet says in words: "Stride 4 elements; Operation load".
void read_words(Settings& settings, const Scenario& scenario, std::string text) {
    text += "; ";
    for (std::size_t end = text.find("; "); end != std::string::npos; end = text.find("; ")) {
        const std::string item = text.substr(0, end);
        text.erase(0, end + 2);
        std::size_t longest = 0;  // "Bins in" of "Bins in block", not "Bins"
        for (const Knob& knob : scenario.info->knobs) {
            const std::string name = std::string(knob.label) + " ";
            if (item.starts_with(name)) longest = std::max(longest, name.size());
        }
        for (const Knob& knob : scenario.info->knobs) {
            const std::string name = std::string(knob.label) + " ";
            if (name.size() != longest || !item.starts_with(name)) continue;
            const std::string value = item.substr(name.size());
            Params params;
            const auto choice = std::ranges::find(knob.choices, value, &Choice::name);
            if (choice != knob.choices.end()) params.*knob.field = choice->value;
            settings[std::string(knob.key)] = knob.kind == KnobKind::mask ? "0xffffffff"
                                              : choice != knob.choices.end()
                                                  ? format_knob(knob, params)
                                                  : value.substr(0, value.find(' '));
        }
    }
}

const nlohmann::json& recording(const std::string& gpu) {
    static std::map<std::string, nlohmann::json> all = [] {
        std::map<std::string, nlohmann::json> files;
        for (const auto& file : std::filesystem::directory_iterator(in_source("assets/measurements"))) {
            nlohmann::json one = nlohmann::json::parse(std::ifstream(file.path()));
            const std::string name = one["gpu"]["name"];
            files[name] = std::move(one);
        }
        return files;
    }();
    return all.at(gpu);
}

/// The recorded time of a launch [microseconds].
double recorded_us(const nlohmann::json& file, const std::string& scenario, const Settings& wanted) {
    double us = 0;
    for (const nlohmann::json& series : file["series"]) {
        if (series["scenario"] != scenario) continue;
        Settings base;
        read_settings(base, file["defaults"][scenario]);
        if (series.contains("set")) read_settings(base, series["set"]);
        const auto& swept = series.contains("swept") ? series["swept"] : nlohmann::json::array();
        const auto& columns = series["columns"];
        const auto column = std::find(columns.begin(), columns.end(), "median_us") - columns.begin();
        for (const nlohmann::json& point : series["points"]) {
            Settings here = base;
            for (std::size_t k = 0; k < swept.size(); ++k)
                here[swept[k]] = point[k].is_string() ? point[k].get<std::string>() : point[k].dump();
            const bool same = std::ranges::all_of(wanted, [&](const auto& one) {
                const auto known = here.find(one.first);  // a newer knob had its default
                return known == here.end() || known->second == one.second;
            });
            if (same) us = point[swept.size() + static_cast<std::size_t>(column)];
        }
    }
    if (us == 0) throw std::runtime_error("not recorded: " + scenario);
    return us;
}

std::string solve_faster(const std::string& sheet) {
    const std::smatch match = found(sheet, R"(launches of (.+?), .+?\. A: (.+?)\. B: (.+?)\. )");
    const auto scenario = std::ranges::find_if(
        all_scenarios(), [&](const Scenario& one) { return one.info->title == match[1].str(); });
    if (scenario == all_scenarios().end())
        throw std::runtime_error("no scenario is called " + match[1].str());
    const nlohmann::json& file = recording(found(sheet, "as recorded on an (.+?) \\(")[1]);
    double us[2];
    for (std::size_t i = 0; i < 2; ++i) {
        Settings settings;
        if (says(sheet, "Both have "))
            read_words(settings, *scenario, found(sheet, R"(Both have (.+?)\. )")[1]);
        read_words(settings, *scenario, match[2 + i]);
        us[i] = recorded_us(file, std::string(scenario->info->id), settings);
    }
    EXPECT_GT(std::max(us[0], us[1]), 1.1 * std::min(us[0], us[1])) << sheet;
    return us[0] < us[1] ? "A" : "B";
}

std::string solve_share(const std::string& sheet, const Access& access) {
    const long size = number(sheet, "sectors of (\\d+) bytes move");
    double used = 0, moved = 0;
    if (says(sheet, "(texture memory)")) {
        std::set<std::pair<long, long>> texels;
        for (const Access::Lane& lane : access.lanes) texels.insert({lane.index, lane.second});
        used = static_cast<double>(texels.size()) * access.bytes;
        moved = static_cast<double>(texture_sectors(sheet, access) * size);
    } else {
        const std::set<long> bytes = bytes_of(sheet, access);
        used = static_cast<double>(bytes.size());
        moved = static_cast<double>(moving_sectors(sheet, access, size) * size);
    }
    std::string best;
    double distance = 1e9;
    static const std::regex choice(R"(\[ \] ([0-9.]+) %)");
    for (std::sregex_iterator it(sheet.begin(), sheet.end(), choice), end; it != end; ++it) {
        const double off = std::abs(std::stod((*it)[1]) - 100 * used / moved);
        if (off < distance) best = (*it)[1].str() + " %";
        distance = std::min(off, distance);
    }
    EXPECT_LT(distance, 0.0501) << sheet;  // one decimal is printed
    return best;
}

/// The least of what each resource allows.
std::string solve_occupancy(std::string sheet) {
    for (std::size_t at = 0; (at = sheet.find("\u2009")) != std::string::npos;) sheet.erase(at, 3);
    const long warps = (number(sheet, "has (\\d+) threads") + 31) / 32;
    long blocks = std::min(
        {number(sheet, "and (\\d+) blocks"), number(sheet, "at most (\\d+) warps") / warps,
         number(sheet, "it has (\\d+) registers") / (warps * number(sheet, "warp takes (\\d+) registers"))});
    if (!says(sheet, "no shared memory"))
        blocks = std::min(blocks, number(sheet, "and (\\d+) KiB of shared") /
                                      number(sheet, "and a block (\\d+) KiB of shared"));
    return std::to_string(blocks);
}

/// What has to be known, not counted.
bool is_knowledge(const std::string& sheet) {
    return says(sheet, "How long does it keep") || says(sheet, "Who can access") ||
           says(sheet, "comes first") || says(sheet, "Which hazard");
}

std::string solve(const std::string& sheet) {
    if (says(sheet, "resident on an SM")) return solve_occupancy(sheet);
    if (says(sheet, "took less time")) return solve_faster(sheet);
    if (says(sheet, "fewer lines")) {
        const std::smatch both = found(sheet, R"(\. A: (.+ part\.) B: (.+ part\.) Which)");
        const long size = number(sheet, "lines of (\\d+) bytes");
        const auto lines = [&](const std::string& one) {
            return pieces(bytes_of(sheet, read_access(one)), size);
        };
        const long a = lines(both[1]), b = lines(both[2]);
        EXPECT_NE(a, b) << sheet;
        return a < b ? "A" : "B";
    }
    const Access access = read_access(sheet);
    if (says(sheet, "Which share")) return solve_share(sheet, access);
    if (says(sheet, "How many wavefronts")) return std::to_string(wavefronts(sheet, access));
    if (says(sheet, "groups of four lanes")) return std::to_string(texture_sectors(sheet, access));
    const char* size =
        says(sheet, "serialized requests") ? "one word of (\\d+) bytes" : "sectors of (\\d+) bytes";
    return std::to_string(moving_sectors(sheet, access, number(sheet, size)));
}

/// The questions of a printed sheet, each as one line without the wrapping.
std::vector<std::string> questions_of(const std::string& sheet) {
    std::vector<std::string> questions;
    std::istringstream lines(sheet);
    static const std::regex begins(R"((\d+)\.)");
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_match(line, begins))
            questions.emplace_back();
        else if (!questions.empty() && line.size() > 3)
            questions.back() += line.substr(questions.back().empty() ? 3 : 2);
    }
    return questions;
}

void expect_solvable(const std::vector<std::string>& arguments, std::map<std::string, int>& kinds) {
    std::vector<std::string> solved = arguments;
    solved.insert(solved.end(), {"--json", "--answers"});
    const nlohmann::json answers = nlohmann::json::parse(printed(solved))["questions"];
    const std::vector<std::string> questions = questions_of(printed(arguments));
    ASSERT_EQ(questions.size(), answers.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const std::string& sheet = questions[i];
        if (is_knowledge(sheet)) {
            EXPECT_EQ(says(sheet, "Which hazard"), says(sheet, "// left out")) << sheet;
            ++kinds["known"];
            continue;
        }
        std::string mine;
        try {
            mine = solve(sheet);
        } catch (const std::exception& error) {
            mine = error.what();
        }
        EXPECT_EQ(mine, answers[i]["right_answer"].get<std::string>())
            << arguments[1] << ", " << i + 1 << ": " << sheet;
        ++kinds[says(sheet, "took less time")      ? "faster"
                : says(sheet, "resident on an SM") ? "occupancy"
                : says(sheet, "fewer lines")       ? "fewer"
                : says(sheet, "Which share")       ? "share"
                                                   : "count"];
    }
}

}  // namespace

TEST(QuizSheet, EveryQuestionIsSolvedFromThePrintedTextAlone) {
    std::map<std::string, int> kinds;
    for (int seed = 0; seed < 25; ++seed)
        expect_solvable({"--seed", std::to_string(seed * 977), "--count", "40"}, kinds);
    EXPECT_GT(kinds["count"], 300);
    for (const char* kind : {"share", "fewer", "faster", "occupancy", "known"})
        EXPECT_GT(kinds[kind], 25) << kind;
}

TEST(QuizSheet, SoIsEveryQuestionAboutOneMemory) {
    std::map<std::string, int> kinds;
    for (const char* space : {"global", "shared", "constant", "texture", "local"})
        for (const char* seed : {"1", "2026", "4294967295"})
            expect_solvable({"--seed", seed, "--count", "40", "--space", space}, kinds);
}

}  // namespace warplens::test::quiz_sheet_tests
