#include "app/learn/glossary.h"

#include "app/base/assets.h"
#include "app/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace warplens {
namespace {

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
}

using Forms = std::map<std::string, const Term*, std::less<>>;

const Forms& forms() {
    static const Forms all = [] {
        Forms built;
        for (const Term& term : glossary())
            for (const std::string& form : term.forms) built.emplace(lower_case(form), &term);
        return built;
    }();
    return all;
}

/// The longest form at a position of a text in lower case. What the text begins with stands in the order of
/// forms before the text, and shares with each form in between at least itself.
TermPlace term_at(std::string_view text, std::size_t at) {
    for (std::string_view rest = text.substr(at); !rest.empty();) {
        const auto after = forms().upper_bound(rest);
        if (after == forms().begin()) break;
        const auto& [form, term] = *std::prev(after);
        const auto differs = std::ranges::mismatch(rest, form).in1;
        const std::size_t common = differs - rest.begin();
        const bool whole = common == form.size();
        const std::size_t end = at + common;
        if (whole && (end == text.size() || !in_word(text[end]) || !in_word(text[end - 1])))
            return {at, end, term};
        rest = rest.substr(0, whole ? common - 1 : common);
    }
    return {};
}

}  // namespace

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = [] {
        std::vector<Term> read;
        const nlohmann::json file = nlohmann::json::parse(asset("assets/glossary.json"));
        for (const nlohmann::json& entry : file.at("terms")) {
            Term& term = read.emplace_back(Term{entry.at("term"),
                                                {entry.at("term").get<std::string>()},
                                                entry.at("meaning"),
                                                entry.value("see", "")});
            for (const nlohmann::json& form : entry.value("also", nlohmann::json::array()))
                term.forms.push_back(form);
        }
        std::ranges::sort(read, {}, [](const Term& term) { return lower_case(term.term); });
        return read;
    }();
    return terms;
}

const Term* find_term(std::string_view word) {
    const auto found = forms().find(lower_case(word));
    return found == forms().end() ? nullptr : found->second;
}

std::vector<TermPlace> find_terms(std::string_view text) {
    std::vector<TermPlace> places;
    const std::string small = lower_case(text);
    for (std::size_t at = 0; at < small.size();) {
        const bool starts = in_word(small[at]) && (at == 0 || !in_word(small[at - 1]));
        const TermPlace place = starts ? term_at(small, at) : TermPlace{};
        if (place.term != nullptr) places.push_back(place);
        at = place.term != nullptr ? place.end : at + 1;
    }
    return places;
}

void mark_terms(std::span<Block> blocks) {
    for (Block& block : blocks) {
        if (block.kind != BlockKind::paragraph) continue;
        std::set<const Term*> seen;
        std::vector<Run> cut;
        for (const Run& run : block.runs) {
            std::size_t done = 0;
            const auto add = [&](std::size_t end, const Term* term) {
                if (end == done) return;
                cut.push_back(run);
                cut.back().text = run.text.substr(done, end - done);
                cut.back().term = term;
                done = end;
            };
            if (run.link.empty() && !run.code) {
                for (const TermPlace& place : find_terms(run.text)) {
                    if (!seen.insert(place.term).second) continue;
                    add(place.begin, nullptr);
                    add(place.end, place.term);
                }
            }
            add(run.text.size(), nullptr);
        }
        block.runs = std::move(cut);
    }
}

}  // namespace warplens
