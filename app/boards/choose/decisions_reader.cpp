// Reads assets/decisions.json, and refuses what would leave a person without an answer or without a reason.
#include "app/boards/choose/decisions.h"

#include "app/base/json_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace warplens {
namespace {

[[noreturn]] void fail(std::string_view where, std::string_view what) {
    throw std::runtime_error(fmt::format("decisions, {}: {}", where, what));
}

std::string text_or_none(const JsonPlace& from, const char* key) {
    return from.has(key) ? from.member(key).lines() : std::string();
}

DecisionRung read_rung(const JsonPlace& from) {
    from.allow({"key", "name", "who", "space", "more", "link", "since"});
    const auto text = [&](const char* key) { return from.member(key).lines(); };
    return {text("key"),
            text("name"),
            text("who"),
            text("more"),
            text("link"),
            text("space"),
            text_or_none(from, "since")};
}

DecisionQuestion read_question(const JsonPlace& from) {
    from.allow({"id", "ask", "help", "answers"});
    DecisionQuestion question{
        from.member("id").lines(), from.member("ask").lines(), from.member("help").lines(), {}};
    for (const JsonPlace& item : from.member("answers").elements()) {
        item.allow({"text", "said", "go", "out"});
        DecisionAnswer answer{
            item.member("text").lines(), item.member("said").lines(), item.member("go").lines(), {}};
        const JsonPlace out = item.member("out");
        if (!out.value().is_object()) out.wrong("an object");
        for (const auto& [rung, unused] : out.value().items())
            answer.out[rung] = out.member(rung.c_str()).lines();
        question.answers.push_back(std::move(answer));
    }
    if (question.answers.size() < 2 || question.answers.size() > 9) from.fail("expected 2 to 9 answers");
    return question;
}

DecisionEnd read_end(const JsonPlace& from) {
    from.allow({"id", "rung", "title", "reason", "watch", "code", "limits", "link", "since", "otherwise",
                "warning"});
    const auto text = [&](const char* key) { return from.member(key).lines(); };
    DecisionEnd end{text("id"),
                    text("rung"),
                    text("title"),
                    text("reason"),
                    text("watch"),
                    text("code"),
                    {},
                    text("link"),
                    text_or_none(from, "since"),
                    text_or_none(from, "otherwise"),
                    from.flag_or("warning", false)};
    for (const JsonPlace& limit : from.member("limits").elements()) end.limits.push_back(limit.lines());
    if (end.since.empty() != end.otherwise.empty())
        from.fail("'since' and 'otherwise' belong together: where do older GPUs go?");
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
        const nlohmann::json parsed = parse_json(text);
        const JsonPlace file(parsed, "");
        file.allow({"schema_version", "first", "rungs", "questions", "ends", "source", "note"});
        file.member("schema_version").whole(1, 1);
        for (const JsonPlace& rung : file.member("rungs").elements()) all.rungs.push_back(read_rung(rung));
        for (const JsonPlace& one : file.member("questions").elements())
            all.questions.push_back(read_question(one));
        for (const JsonPlace& end : file.member("ends").elements()) all.ends.push_back(read_end(end));
        all.first = file.member("first").lines();
        all.source = file.member("source").lines();
    } catch (const JsonError& error) {
        fail("file", error.what());
    }
    if (all.find_question(all.first) == nullptr)
        fail("file", fmt::format("'first' names no question: '{}'", all.first));
    Checker(all).check();
    return all;
}

}  // namespace warplens
