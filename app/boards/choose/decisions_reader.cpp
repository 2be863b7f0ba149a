// Reads assets/decisions.json, and refuses what would leave a person without an answer or without a reason.
#include "app/boards/choose/decisions.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <stdexcept>

namespace warplens {
namespace {

using nlohmann::json;

[[noreturn]] void fail(std::string_view where, std::string_view what) {
    throw std::runtime_error(fmt::format("decisions, {}: {}", where, what));
}

/// An object whose fields are all known; the first `needed` of them must be there.
void expect_fields(const json& object, std::string_view where, std::initializer_list<std::string_view> known,
                   std::size_t needed) {
    if (!object.is_object()) fail(where, "expected an object");
    for (const auto& [key, value] : object.items())
        if (std::ranges::find(known, key) == known.end()) fail(where, fmt::format("unknown field '{}'", key));
    for (std::size_t i = 0; i < needed; ++i)
        if (!object.contains(known.begin()[i]))
            fail(where, fmt::format("the field '{}' is missing", known.begin()[i]));
}

std::string text_of(const json& object, std::string_view where, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (!found->is_string()) fail(where, fmt::format("'{}' should be a text", key));
    return found->get<std::string>();
}

DecisionRung read_rung(const json& object) {
    const std::string where = fmt::format("rung {}", object.value("key", "?"));
    expect_fields(object, where, {"key", "name", "who", "space", "more", "link", "since"}, 6);
    const auto text = [&](const char* key) { return text_of(object, where, key); };
    return {text("key"), text("name"), text("who"), text("more"), text("link"), text("space"), text("since")};
}

DecisionQuestion read_question(const json& object) {
    const std::string where = fmt::format("question {}", object.value("id", "?"));
    expect_fields(object, where, {"id", "ask", "help", "answers"}, 4);
    DecisionQuestion question{
        text_of(object, where, "id"), text_of(object, where, "ask"), text_of(object, where, "help"), {}};
    for (const json& item : object.at("answers")) {
        expect_fields(item, where, {"text", "said", "go", "out"}, 4);
        DecisionAnswer answer{
            text_of(item, where, "text"), text_of(item, where, "said"), text_of(item, where, "go"), {}};
        for (const auto& [rung, why] : item.at("out").items()) answer.out[rung] = why.get<std::string>();
        question.answers.push_back(std::move(answer));
    }
    if (question.answers.size() < 2 || question.answers.size() > 9) fail(where, "expected 2 to 9 answers");
    return question;
}

DecisionEnd read_end(const json& object) {
    const std::string where = fmt::format("end {}", object.value("id", "?"));
    expect_fields(
        object, where,
        {"id", "rung", "title", "reason", "watch", "code", "limits", "link", "since", "otherwise", "warning"},
        8);
    const auto text = [&](const char* key) { return text_of(object, where, key); };
    DecisionEnd end{text("id"),
                    text("rung"),
                    text("title"),
                    text("reason"),
                    text("watch"),
                    text("code"),
                    {},
                    text("link"),
                    text("since"),
                    text("otherwise"),
                    object.value("warning", false)};
    for (const json& limit : object.at("limits")) end.limits.push_back(limit.get<std::string>());
    if (end.since.empty() != end.otherwise.empty())
        fail(where, "'since' and 'otherwise' belong together: where do older GPUs go?");
    return end;
}

/// Walks every path once and refuses circles, dead ends and reasons that do not fit.
class Checker {
public:
    explicit Checker(const Decisions& all) : all_(all) {}

    void check() {
        std::set<std::string> ids;
        for (const DecisionQuestion& question : all_.questions) add(ids, "question", question.id);
        for (const DecisionEnd& end : all_.ends) add(ids, "end", end.id);
        for (const DecisionRung& rung : all_.rungs)
            if (!rungs_.insert(rung.key).second) fail(rung.key, "there are two rungs of that name");
        for (const DecisionEnd& end : all_.ends) check_end(end);
        rungs_from(all_.first, 0);
        for (const std::string& id : ids)
            if (!seen_.contains(id)) fail(id, "no answer leads there");
    }

private:
    static void add(std::set<std::string>& ids, std::string_view what, const std::string& id) {
        if (!ids.insert(id).second) fail(id, fmt::format("there are two of that name, one a {}", what));
    }

    void check_end(const DecisionEnd& end) const {
        if (!rungs_.contains(end.rung)) fail(end.id, fmt::format("there is no rung '{}'", end.rung));
        std::set<std::string> before;
        for (const DecisionEnd* at = &end; !at->otherwise.empty();) {
            if (!before.insert(at->id).second) fail(end.id, "'otherwise' leads round in a circle");
            const DecisionEnd* next = all_.find_end(at->otherwise);
            if (next == nullptr) fail(at->id, fmt::format("there is no end '{}'", at->otherwise));
            at = next;
        }
    }

    /// The rungs that a place can lead to.
    std::set<std::string> rungs_from(const std::string& id, int answers) {
        seen_.insert(id);
        if (const DecisionEnd* end = all_.find_end(id)) return {end->rung};
        const DecisionQuestion* question = all_.find_question(id);
        if (question == nullptr) fail(id, "an answer leads there, but it does not exist");
        if (answers >= kMostAnswers) fail(id, "a circle, or too many answers in a row");
        std::set<std::string> all;
        std::vector<std::set<std::string>> each;
        for (const DecisionAnswer& answer : question->answers) {
            each.push_back(rungs_from(answer.go, answers + 1));
            all.insert(each.back().begin(), each.back().end());
        }
        for (std::size_t k = 0; k < each.size(); ++k)
            check_reasons(*question, question->answers[k], all, each[k]);
        return all;
    }

    static void check_reasons(const DecisionQuestion& question, const DecisionAnswer& answer,
                              const std::set<std::string>& before, const std::set<std::string>& after) {
        bool others = false;
        for (const std::string& rung : before) {
            if (after.contains(rung) || answer.out.contains(rung)) continue;
            others = true;
            if (!answer.out.contains("*"))
                fail(question.id, fmt::format("'{}' rules '{}' out and does not say why", answer.text, rung));
        }
        for (const auto& [rung, why] : answer.out) {
            const bool gone = rung == "*" ? others : before.contains(rung) && !after.contains(rung);
            if (!gone || why.empty())
                fail(question.id, fmt::format("'{}' says why '{}' is out, but it is not", answer.text, rung));
        }
    }

    const Decisions& all_;
    std::set<std::string> rungs_, seen_;
};

}  // namespace

const DecisionQuestion* Decisions::find_question(std::string_view id) const {
    const auto found = std::ranges::find(questions, id, &DecisionQuestion::id);
    return found == questions.end() ? nullptr : &*found;
}

const DecisionEnd* Decisions::find_end(std::string_view id) const {
    const auto found = std::ranges::find(ends, id, &DecisionEnd::id);
    return found == ends.end() ? nullptr : &*found;
}

Decisions parse_decisions(std::string_view text) {
    Decisions all;
    try {
        const json file = json::parse(text);
        expect_fields(file, "file",
                      {"schema_version", "first", "rungs", "questions", "ends", "source", "note"}, 6);
        if (file.at("schema_version") != 1) fail("file", "schema_version should be 1");
        for (const json& rung : file.at("rungs")) all.rungs.push_back(read_rung(rung));
        for (const json& question : file.at("questions")) all.questions.push_back(read_question(question));
        for (const json& end : file.at("ends")) all.ends.push_back(read_end(end));
        all.first = text_of(file, "file", "first");
        all.source = text_of(file, "file", "source");
    } catch (const json::exception& error) {
        fail("file", error.what());
    }
    if (all.find_question(all.first) == nullptr)
        fail("file", fmt::format("'first' names no question: '{}'", all.first));
    Checker(all).check();
    return all;
}

}  // namespace warplens
