// A sentence that speaks of speed is true of the GPUs that were recorded. tests/data/speed_sentences.txt has
// each of them, word for word, and below it what has to hold on the H200 and on the H100:
//
//     transpose | Swizzled is as fast as padded.
//         transpose?variant=swizzled GB/s / transpose?variant=padded GB/s = 99% .. 101%
//
//     LINK UNIT [/|-|* LINK UNIT] = 2.3    as precise as it is written
//     ... = 2 .. 3    ... < 1    ... > 90%
//     H100 LINK ...                        on that GPU only, and the text around the sentence names it
//     alike LINK UNIT 3%                   the two GPUs differ by no more
//     every SCENARIO 1% [479]              cycles are wavefronts in all recorded settings, which are so many
//     counts LINK: 32 sectors              an exact count, written as in lessons
//     claim ID                             a published number, worked out in assets/worked.json
//     witness H200 NAME [/ NAME] = 2.3     numbers of assets/witness.json, by the names there
//     cites Mark Harris                    a source of the lesson, or of assets/gpus.json
//
// UNIT is GB/s, GFLOP/s, cycles, ns or us as recorded, the same with "library-" for NVIDIA's library, or
// "peak-GB/s" and "peak-GFLOP/s" of the GPU. {a,b} and {1..31} stand for one line with each value.
#include "app/experiment/evidence.h"
#include "app/experiment/plot.h"
#include "app/measure/witness.h"
#include "app/model/time/arithmetic.h"

#include "tests/app/learn/sentences.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace warplens::test::speed_sentences_tests {

namespace {

/// Whether it says that something is faster or slower, or a measured number.
bool speaks_of_speed(const Sentence& sentence) {
    static const std::regex words(
        R"(\b(fast|slow|quick)(er|est|ly|s)?\b|speed-?up|\bsooner\b(?! or)|\bas soon\b(?! as)|\bas long\b(?! as)|)"
        R"(\b(gain|cost|lose|loses|loss|lost|hurt|pay|win)(s|ed)?\b|\bcheap|\bworth\b|\b(is|are|not|was) free\b|)"
        R"(\b(takes?|took|needs?|third|times) longer\b|\bH100\b|\bboth GPUs\b|\b(tens|hundreds) of cycles\b|)"
        R"(\bH200 (is|was|gives?|gave|took|takes|needs?|needed|agrees|follows|reached|lost)\b|\bnanosecond|)"
        R"([0-9] ?(GB/s|TB/s|GFLOP/s|TFLOP/s|cycles?|ns|us|ms)\b|[0-9] ?%|\bfactor\b|)"
        R"(\b([0-9][0-9.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|thirteen|sixteen) times\b|)"
        R"(\b(better|worse|best|worst)\b)",
        std::regex::icase);
    static const std::regex from_evidence("recorded|measured");  // generated: it has its number from there
    if (sentence.source == "why" && std::regex_search(sentence.text, from_evidence)) return false;
    return !sentence.text.ends_with('?') && std::regex_search(sentence.bare, words);
}

struct Bound {
    std::string source, text;
    std::vector<std::string> checks;
};

/// "a {x,y} b {1,2}" as "a x b 1" and "a y b 2".
std::vector<std::string> expanded(const std::string& line) {
    static const std::regex group(R"(\{([^}]*)\})"), range(R"(([0-9]+)\.\.([0-9]+))");
    std::vector<std::string> lines;
    for (std::size_t which = 0;; ++which) {
        std::string result, rest = line;
        bool more = lines.empty();
        for (std::smatch at; std::regex_search(rest, at, group); rest = at.suffix()) {
            std::vector<std::string> values;
            const std::string inside = at[1];
            if (std::smatch ends; std::regex_match(inside, ends, range)) {
                for (int v = std::stoi(ends[1]); v <= std::stoi(ends[2]); ++v)
                    values.push_back(std::to_string(v));
            } else {
                std::istringstream parts(inside);
                for (std::string value; std::getline(parts, value, ',');) values.push_back(value);
            }
            if (which >= values.size()) return lines;
            result += at.prefix().str() + values[which];
            more = true;
        }
        if (which > 0 && result.empty()) return lines;
        if (!more) return lines;
        lines.push_back(result + rest);
    }
}

const std::vector<Bound>& bound_sentences() {
    static const std::vector<Bound> rows = [] {
        std::ifstream file(in_source("tests/data/speed_sentences.txt"));
        std::vector<Bound> read;
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line.starts_with('#')) continue;
            if (line.starts_with(' ')) {
                if (read.empty()) throw std::runtime_error("a check before the first sentence");
                read.back().checks.push_back(line.substr(line.find_first_not_of(' ')));
                continue;
            }
            const std::size_t bar = line.find(" | ");
            if (bar == std::string::npos) throw std::runtime_error("no source: " + line);
            read.push_back({line.substr(0, bar), line.substr(bar + 3), {}});
        }
        return read;
    }();
    return rows;
}

const OpenRecording& recording_of(const std::string& gpu) {
    for (const OpenRecording& recording : shipped_recordings().all())
        if (recording.gpu.name.find(gpu) != std::string::npos) return recording;
    throw std::runtime_error("no recording of " + gpu);
}

double recorded(const OpenRecording& recording, const std::string& link, std::string unit) {
    const DeviceFacts& device = recording.device;
    if (unit == "peak-GB/s") return device.peak_gb_per_s;
    if (unit == "peak-GFLOP/s") return peak_gflop_per_s(device);
    const Setting& setting = place_of(link).state;
    const Measurements::Outcome* found = recording.measurements->find(*setting.scenario, setting.params);
    const Timing* timing = found == nullptr ? nullptr : std::get_if<Timing>(found);
    if (timing == nullptr) throw std::runtime_error(link + " is not recorded on " + recording.gpu.name);
    const double cycles = timing->cycles_per_request > 0 ? timing->cycles_per_request : timing->bank_cycles;
    double us = timing->median_us;
    if (unit.starts_with("library-")) {
        us = timing->library_us;
        unit = unit.substr(8);
    }
    const std::map<std::string, double> values = {{"us", us},
                                                  {"cycles", cycles},
                                                  {"ns", cycles / recording.gpu.clock_mhz * 1e3},
                                                  {"GB/s", timing->useful_bytes / us * 1e-3},
                                                  {"GFLOP/s", timing->flop / us * 1e-3}};
    const double value = values.at(unit);
    if (!(value > 0)) throw std::runtime_error(link + " has no " + unit + " on " + recording.gpu.name);
    return value;
}

Written number_of(std::string text) {
    const bool percent = text.ends_with('%');
    if (percent) text.pop_back();
    const Written number = written(text);
    return percent ? Written{number.value / 100, number.tolerance / 100} : number;
}

/// What is left of a RELATION behind its sign.
std::string value_fault(double value, const std::string& sign, std::istringstream& words,
                        const std::string& gpu) {
    std::string least, dots, most;
    words >> least;
    const Written number = number_of(least);
    bool holds = sign == "<"   ? value < number.value
                 : sign == ">" ? value > number.value
                               : sign == "=" && std::abs(value - number.value) <= number.tolerance;
    if (words >> dots >> most) holds = number.value <= value && value <= number_of(most).value;
    return holds ? "" : "it is " + std::to_string(value) + " on " + gpu;
}

/// LINK UNIT [OPERATION LINK UNIT] RELATION, on one GPU.
std::string relation_fault(std::istringstream& words, const OpenRecording& recording) {
    std::string link, unit, sign;
    words >> link >> unit >> sign;
    double value = recorded(recording, link, unit);
    if (const std::string operation = sign; operation == "/" || operation == "-" || operation == "*") {
        words >> link >> unit >> sign;
        const double other = recorded(recording, link, unit);
        value = operation == "/" ? value / other : operation == "-" ? value - other : value * other;
    }
    return value_fault(value, sign, words, recording.gpu.name);
}

double witnessed(const std::string& gpu, const std::string& name) {
    for (const Witness& witness : shipped_witness())
        if (const WitnessValue* value = witness.find(name);
            value != nullptr && witness.gpu.find(gpu) != std::string::npos)
            return value->median;
    throw std::runtime_error(name + " was not witnessed on an " + gpu);
}

/// GPU NAME [/ NAME] RELATION.
std::string witness_fault(std::istringstream& words) {
    std::string gpu, name, sign;
    words >> gpu >> name >> sign;
    double value = witnessed(gpu, name);
    if (sign == "/") {
        words >> name >> sign;
        value /= witnessed(gpu, name);
    }
    return value_fault(value, sign, words, gpu);
}

/// Settings of the scenario whose cycles by the clock are further than that from their wavefronts.
std::string every_fault(const std::string& scenario, double within, std::size_t settings) {
    for (const OpenRecording& recording : shipped_recordings().all()) {
        const FitPlot fit =
            bank_fit(place_of(scenario).state, *recording.measurements, recording.device, {}, "");
        for (const FitPlot::Point& point : fit.points)
            if (std::abs(point.cycles / point.wavefronts - 1) > within)
                return point.setting + " takes " + std::to_string(point.cycles) + " cycles";
        if (fit.points.empty() || (settings > 0 && fit.points.size() != settings))
            return "there are " + std::to_string(fit.points.size());
    }
    return "";
}

/// What is wrong with a line below a sentence. Empty if it holds.
std::string fault(const std::string& check, const std::string& source) try {
    std::istringstream words(check);
    std::string first, second, third;
    words >> first;
    const std::string rest = check.substr(std::min(check.size(), first.size() + 1));
    if (first == "H200" || first == "H100") return relation_fault(words, recording_of(first));
    if (first == "witness") return witness_fault(words);
    if (first == "counts")
        return ShownPlace(rest.substr(0, rest.find(": "))).fault(rest.substr(rest.find(": ") + 2));
    if (first == "cites") {
        std::string text;
        for (const Block& block : test::section(source, "Further reading")) text += plain_text(block) + "\n";
        text += asset("assets/gpus.json");
        return text.find(rest) != std::string::npos ? "" : "it is no source";
    }
    if (first == "claim") {
        const nlohmann::json worked = nlohmann::json::parse(asset("assets/worked.json"));
        for (const auto& claim : worked.at("claims"))
            if (claim.at("id") == rest) return "";
        return "there is no such claim";
    }
    words >> second >> third;
    if (first == "alike") {
        const double times =
            recorded(recording_of("H100"), second, third) / recorded(recording_of("H200"), second, third);
        words >> first;
        return std::abs(times - 1) <= number_of(first).value ? "" : "H100 / H200 is " + std::to_string(times);
    }
    if (first == "every") {
        std::size_t settings = 0;
        words >> settings;
        return every_fault(second, number_of(third).value, settings);
    }
    std::istringstream again(check), once_more(check);
    const std::string h200 = relation_fault(again, recording_of("H200"));
    return h200.empty() ? relation_fault(once_more, recording_of("H100")) : h200;
} catch (const std::exception& error) {
    return error.what();
}

}  // namespace

TEST(SpeedSentences, EachIsBoundToARecording) {
    std::set<std::pair<std::string, std::string>> bound;
    for (const Bound& row : bound_sentences())
        EXPECT_TRUE(bound.insert({row.source, row.text}).second) << "twice: " << row.text;
    int found = 0;
    for (const Sentence& sentence : all_sentences()) {
        if (!speaks_of_speed(sentence)) continue;
        ++found;
        EXPECT_TRUE(bound.contains({sentence.source, sentence.text}))
            << "tests/data/speed_sentences.txt lacks\n"
            << sentence.source << " | " << sentence.text;
    }
    EXPECT_GT(found, 80);
}

TEST(SpeedSentences, WhatIsBoundIsSaidAndHolds) {
    for (const Bound& row : bound_sentences()) {
        SCOPED_TRACE(row.source + " | " + row.text);
        const auto said = std::ranges::find_if(all_sentences(), [&row](const Sentence& sentence) {
            return sentence.source == row.source && sentence.text == row.text;
        });
        if (said == all_sentences().end()) {
            ADD_FAILURE() << "nobody says so";
            continue;
        }
        EXPECT_FALSE(row.checks.empty());
        for (const std::string& line : row.checks) {
            for (const std::string& check : expanded(line)) EXPECT_EQ(fault(check, row.source), "") << check;
            const std::string gpu = line.substr(0, 4);
            EXPECT_TRUE((gpu != "H200" && gpu != "H100") || said->around.find(gpu) != std::string::npos)
                << "nothing near it says that this is about an " << gpu;
        }
    }
}

/// Otherwise a number could be changed in a sentence, and with it in the list, while the checks stay true.
TEST(SpeedSentences, NumbersOfASentenceStandInItsChecks) {
    static const std::regex number("([0-9][0-9.,]*[0-9]|[0-9])( ?%| times\\b| (GB/s|GFLOP/s|cycles?|ns)\\b)");
    for (const Sentence& sentence : all_sentences()) {
        const auto row = std::ranges::find_if(bound_sentences(), [&sentence](const Bound& bound) {
            return sentence.source == bound.source && sentence.text == bound.text;
        });
        if (row == bound_sentences().end()) continue;
        std::string checks;
        for (const std::string& check : row->checks) checks += check + "\n";
        std::erase(checks, ',');
        if (checks.find("claim ") != std::string::npos || checks.find("cites ") != std::string::npos)
            continue;
        for (std::sregex_iterator at(sentence.bare.begin(), sentence.bare.end(), number), end; at != end;
             ++at) {
            std::string digits = (*at)[1];
            std::erase(digits, ',');
            EXPECT_NE(checks.find(digits), std::string::npos) << (*at)[0] << " in: " << sentence.text;
        }
    }
}

TEST(SpeedSentences, AWrongSentenceIsFound) {
    const auto wrong = [](const char* check) { return !fault(check, "transpose").empty(); };
    EXPECT_FALSE(wrong("transpose?variant=padded GB/s / transpose?variant=naive GB/s > 5"));
    EXPECT_TRUE(wrong("transpose?variant=padded GB/s / transpose?variant=naive GB/s > 6"))
        << "not on the H100";
    EXPECT_FALSE(wrong("H200 transpose?variant=padded GB/s / transpose?variant=naive GB/s = 6.9"));
    EXPECT_TRUE(wrong("H200 transpose?variant=padded GB/s / transpose?variant=naive GB/s = 6.8"));
    EXPECT_FALSE(wrong("transpose?variant=padded GB/s = 2,700 .. 3,700"));
    EXPECT_TRUE(wrong("transpose?variant=padded GB/s = 3,000 .. 3,700"));
    EXPECT_TRUE(wrong("alike transpose?variant=padded GB/s 20%"));
    EXPECT_TRUE(wrong("transpose?variant=padded&matrix=65 GB/s > 0")) << "not recorded";
    EXPECT_TRUE(wrong("counts transpose?variant=padded&instruction=2: 2 wavefronts"));
    EXPECT_TRUE(wrong("every shared-tile 0.1%"));
    EXPECT_TRUE(wrong("claim no-such-claim"));
    EXPECT_FALSE(wrong("witness H managed/20/first / managed/20/second > 1"));
    EXPECT_TRUE(wrong("witness H managed/20/first / managed/20/second < 1"));
    EXPECT_TRUE(wrong("witness H managed/21/first > 0")) << "not recorded";
    EXPECT_TRUE(wrong("cites Nobody"));
    EXPECT_EQ(expanded("a {1..3} {x,y,z}"), (std::vector<std::string>{"a 1 x", "a 2 y", "a 3 z"}));
    EXPECT_EQ(expanded("a b"), std::vector<std::string>{"a b"});
}

TEST(SpeedSentences, AreFoundByTheirWords) {
    Texts texts;
    texts.add("test",
              "It is 3 % slower. \"Far faster\" is said of **9 GB/s recorded**. How fast is it? It takes "
              "8 sectors. That costs `2 cycles`, or more.");
    std::string found;
    for (const Sentence& sentence : texts.sentences)
        found += speaks_of_speed(sentence) ? sentence.text + "/" : "-";
    EXPECT_EQ(found, "It is 3 % slower./---That costs 2 cycles, or more./");
}

}  // namespace warplens::test::speed_sentences_tests
