#include "app/boards/story/story.h"

#include "app/base/assets.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <mutex>

namespace warplens {
namespace {

const nlohmann::json& story_file(const std::string& path) {
    static std::map<std::string, nlohmann::json> read;
    static std::mutex reading;
    const std::scoped_lock lock(reading);
    const auto found = read.find(path);
    if (found != read.end()) return found->second;
    try {
        return read[path] = parse_json(asset(path));
    } catch (const JsonError& error) {
        throw JsonError(fmt::format("{}: {}", path, error.what()));
    }
}

const StoryValue& named_value(const std::string& name, const StoryValues& values) {
    const auto found = values.find(name);
    if (found == values.end()) throw JsonError(fmt::format("there is no value called '{}'", name));
    return found->second;
}

std::string filled(const std::string& text, const StoryValues& values) {
    std::string said;
    for (std::size_t i = 0, next = 0; i < text.size(); i = next + 1) {
        next = std::min(text.find_first_of("{}", i), text.size());
        said.append(text, i, next - i);
        if (next == text.size()) break;
        if (next + 1 < text.size() && text[next] == text[next + 1]) {
            said += text[next++];
            continue;
        }
        const std::size_t end = text.find('}', next);
        if (text[next] == '}' || end == std::string::npos) throw JsonError("a brace has no partner");
        said += named_value(text.substr(next + 1, end - next - 1), values).text;
        next = end;
    }
    return said;
}

/// Looks at everything that could be said, too, so that a mistake shows at once.
std::string wording(const nlohmann::json& words, const StoryValues& values) {
    if (words.is_string()) return filled(words.get_ref<const std::string&>(), values);
    std::string all, otherwise;
    if (words.is_array()) {
        for (const nlohmann::json& part : words) all += wording(part, values);
        return all;
    }
    if (!words.is_object()) throw JsonError(fmt::format("expected words, found {}", shown(words)));
    int there = 0;
    for (const auto& [name, one] : words.items()) {
        std::string text = wording(one, values);
        if (name == "else") {
            otherwise = std::move(text);
        } else if (!named_value(name, values).text.empty()) {
            if (++there > 1) throw JsonError("two of its values are there, so that nobody knows what to say");
            all = std::move(text);
        }
    }
    return there == 0 ? otherwise : all;
}

/// @param place  of the object that has the words at this key, for messages
std::string said_at(const JsonPlace& place, const char* key, const nlohmann::json& words,
                    const StoryValues& values) {
    try {
        return wording(words, values);
    } catch (const JsonError& error) {
        place.member(key).fail(error.what());
    }
}

/// The number of a word in a list that starts with what is meant if there is none.
template <class Kind, class Names>
Kind kind_of(const JsonPlace& place, const char* key, const Names& names) {
    if (!place.has(key)) return Kind{};
    const auto found = std::ranges::find(names, place.member(key).text());
    if (found == std::end(names)) place.member(key).wrong(fmt::format("one of {}", fmt::join(names, ", ")));
    return Kind(found - std::begin(names));
}

}  // namespace

std::string StoryPart::text(const char* key) const {
    const auto found = place_.value().find(key);
    return found == place_.value().end() ? std::string() : said_at(place_, key, *found, *values_);
}

const StoryValue& StoryPart::value(const char* key) const {
    const auto found = values_->find(place_.member(key).lines());
    if (found == values_->end()) place_.member(key).wrong("the name of a value");
    return found->second;
}

std::vector<StoryPart> StoryPart::parts(const char* key) const {
    std::vector<StoryPart> there;
    for (const JsonPlace& place : place_.member(key).elements()) {
        const StoryPart part(place, *values_);
        if (!place.has("if") || !part.value("if").text.empty()) there.push_back(part);
    }
    return there;
}

std::vector<std::string> StoryPart::lines(const char* key) const {
    std::vector<std::string> all;
    for (const nlohmann::json& words : place_.member(key).value())
        all.push_back(said_at(place_, key, words, *values_));
    std::erase(all, "");
    return all;
}

std::optional<int> StoryPart::place_in(const std::vector<StoryPart>& all, const char* key) const {
    const std::string id = text(key);
    if (id.empty()) return std::nullopt;
    const auto found = std::ranges::find(all, id, [](const StoryPart& one) { return one.text("id"); });
    if (found == all.end()) place_.member(key).fail(fmt::format("there is no '{}'", id));
    return int(found - all.begin());
}

std::vector<Quantity> StoryPart::numbers(const char* key) const {
    constexpr std::string_view kBetter[] = {"neither", "less", "more"};
    constexpr std::string_view kKinds[] = {
        provenance_name(Provenance::exact), provenance_name(Provenance::approximate),
        provenance_name(Provenance::measured), provenance_name(Provenance::recorded)};
    std::vector<Quantity> rows;
    for (const StoryPart& row : parts(key)) {
        const StoryValue& value = row.value();
        rows.push_back(
            {.name = row.text("name"),
             .text = row.place_.has("text") ? row.text("text") : value.text,
             .provenance = value.kind ? *value.kind : kind_of<Provenance>(row.place_, "kind", kKinds),
             .source = row.text("source"),
             .amount = value.amount,
             .better = kind_of<Better>(row.place_, "better", kBetter),
             .unit = row.text("unit")});
    }
    return rows;
}

Story::Story(std::string_view path, StoryValues values, int step)
    : path_(path), values_(std::make_shared<StoryValues>(std::move(values))) {
    StoryValues& all_values = *values_;
    for (const Provenance kind : {Provenance::exact, Provenance::approximate, Provenance::recorded})
        all_values[std::string(provenance_name(kind))] = {std::string(provenance_mark(kind))};
    all_values["name"] = all_values["step"] = all_values["steps"] = {};
    steps_ = all().parts("steps");
    step_ = std::clamp(step, 0, count() - 1);
    all_values["name"] = {now().text("name")};
    all_values["step"] = {std::to_string(step_ + 1)};
    all_values["steps"] = {std::to_string(count())};
}

StoryPart Story::all() const { return {JsonPlace(story_file(path_), path_), *values_}; }

StorySentences fit_sentences(const Story& story, const Style& style, float width, float room) {
    StorySentences all{fit_sentences(story.now().explanation(), style, width, room)};
    for (const StoryPart& step : story.steps())
        all.height = std::max(all.height, fit_sentences(step.explanation(), style, width, room).height());
    return all;
}

}  // namespace warplens
