#pragma once

// Every sentence that the program shows: lessons, courses, tables of texts, help, and what boards say.
#include "app/base/assets.h"
#include "app/learn/demo.h"
#include "app/learn/tour.h"

#include "tests/app/learn/lesson_texts.h"
#include "tests/app/learn/shown.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace warplens::test {

struct Sentence {
    std::string source, text;
    std::string bare;    ///< without what stands in bold (lessons_numbers_test.cpp), in quotes or as code
    std::string around;  ///< all that its source says before the next heading
};

/// Marks characters that are not part of the bare text.
inline constexpr char kHide = '\1', kShow = '\2';

inline std::string marked(std::span<const Run> runs) {
    std::string text;
    for (const Run& run : runs) {
        const bool hide = run.strong || run.code;
        text += hide ? kHide + run.text + kShow : run.text;
    }
    return text;
}

/// Ends behind ".", "!" or "?" and what closes there, before a space and anything but a small letter.
inline std::size_t end_of_sentence(const std::string& text, std::size_t from) {
    for (std::size_t at = text.find_first_of(".!?", from); at != std::string::npos;
         at = text.find_first_of(".!?", at + 1)) {
        const std::size_t end = text.find_first_not_of("\")\2", at + 1);
        if (end == std::string::npos) break;
        const std::size_t next = text.find_first_not_of(" \n\1\"(", end);
        if (next == std::string::npos) break;
        if (std::isspace(static_cast<unsigned char>(text[end])) != 0 && std::islower(text[next]) == 0)
            return end;
    }
    return text.size();
}

inline Sentence sentence_of(std::string source, const std::string& text, const std::string& around) {
    Sentence sentence{std::move(source), "", "", around};
    bool hidden = false, quoted = false;
    for (const char c : text) {
        if (c == kHide || c == kShow) {
            hidden = c == kHide;
            continue;
        }
        const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (sentence.text.empty() && space) continue;
        sentence.text += space ? ' ' : c;
        if (c == '"') quoted = !quoted;
        if (!hidden && !quoted) sentence.bare += c;
    }
    return sentence;
}

class Texts {
public:
    void add(const std::string& source, const std::string& marked_text, const std::string& around) {
        for (std::size_t from = 0; from < marked_text.size();) {
            const std::size_t end = end_of_sentence(marked_text, from);
            sentences.push_back(sentence_of(source, marked_text.substr(from, end - from), around));
            from = end;
        }
    }
    void add(const std::string& source, const std::string& text) {
        for (const Block& block : parse_markdown(text)) add(source, marked(block.runs), text);
    }
    /// All strings that people read, whatever they are for.
    void add_json(const std::string& source, const nlohmann::json& json) {
        static const std::set<std::string> keys = {"link", "see",  "shows", "goal", "code", "id",    "key",
                                                   "go",   "term", "also",  "asks", "note", "source"};
        if (json.is_string()) return add(source, json.get<std::string>());
        for (const auto& [key, value] : json.items())
            if (json.is_structured() && !keys.contains(key)) add_json(source, value);
    }

    std::vector<Sentence> sentences;
};

inline std::string section_text(const std::string& key, const std::string& heading) {
    std::string text;
    for (const Block& block : test::section(key, heading)) text += plain_text(block) + "\n";
    return text;
}

/// What boards say, of the defaults and presets of all scenarios, with each number written as "#".
inline void add_generated(Texts& texts) {
    static const std::regex number("[0-9]+([.,][0-9]+)*");
    std::set<std::string> said;
    for (const Scenario& scenario : all_scenarios()) {
        std::vector<std::string> links{std::string(scenario.info->id)};
        for (const Preset& preset : scenario.info->presets) {
            links.push_back(links.front() + "?" + std::string(preset.settings));
            std::ranges::replace(links.back(), ',', '&');
        }
        for (const std::string& link : links) {
            State state = place_of(link).state;
            const Evidence evidence = gather_evidence(state, device_table());
            said.insert(std::string(limiter_meaning(evidence.prediction.limiter)));
            const auto add = [&said](const Explanation& words) { said.insert({words.verdict, words.why}); };
            for (std::size_t k = 0; k < evidence.tiles.size(); ++k)
                add(explain(view_of(evidence, static_cast<int>(k)), evidence.tiles[k]));
            for (const BoardInfo* board : all_boards()) {
                state.board = board;
                add(explain_board({state, device_table(), evidence}));
                for (const std::string& line : board_caption({state, device_table(), evidence}))
                    said.insert(line);
            }
        }
    }
    for (const std::string& text : said) texts.add("why", std::regex_replace(text, number, "#"), text);
}

inline const std::vector<Sentence>& all_sentences() {
    static const std::vector<Sentence> sentences = [] {
        Texts texts;
        for (const std::string& key : test::lesson_keys()) {
            std::string heading;
            for (const Block& block : lesson(key)) {
                if (block.kind == BlockKind::heading) heading = plain_text(block);
                if (heading == "Further reading") break;
                if (block.kind == BlockKind::paragraph)
                    texts.add(key, marked(test::written_runs(block)), section_text(key, heading));
            }
        }
        for (const char* name : {"courses", "decisions", "glossary", "spaces"})
            texts.add_json(name, nlohmann::json::parse(asset(std::string("assets/") + name + ".json")));
        const nlohmann::json worked = nlohmann::json::parse(asset("assets/worked.json"));
        for (const auto& claim : worked.at("claims")) texts.add("claims", claim.value("why", ""));
        for (const Scenario& scenario : all_scenarios()) {
            texts.add("scenarios", std::string(scenario.info->summary));
            for (const Knob& knob : scenario.info->knobs) texts.add("scenarios", std::string(knob.tooltip));
        }
        for (const BoardInfo* board : all_boards()) texts.add("boards", std::string(board->tooltip));
        for (const TourCard& card : tour_cards()) texts.add("tour", std::string(card.text));
        for (const ShippedDemo& shipped : shipped_demos())
            for (const DemoStop& stop : shipped.demo.stops) texts.add("demo-" + shipped.id, stop.note);
        add_generated(texts);
        return texts.sentences;
    }();
    return sentences;
}

}  // namespace warplens::test
