#pragma once

// Boards that tell a story step by step (Journey, Host program). All their words stand in
// assets/boards/<board>.json and refer by name to values that the board works out:
//
//     "verdict": "DRAM answers after {dram} cycles."                   {{ and }} are braces
//     "more": "All wait."                      the rest of the verdict, which the back row does not get
//     "why": {"tiled": "Once for {tile} of them.", "else": "For every one."}
//         says what stands at the value that is there; no two of them may be
//     "why": ["It is copied.", {"time": " It took {time}."}]           one after the other
//
// An entry of a list with "if": "tiled" is left out while that value is not there.

#include "app/base/json_place.h"
#include "app/model/quantity.h"
#include "app/pictures/kit/canvas.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// A value that words refer to. Without a text it is not there: not known, or not so.
struct StoryValue {
    std::string text;
    std::optional<double> amount = {};
    std::optional<Provenance> kind = {};  ///< empty where the words say it
};
using StoryValues = std::map<std::string, StoryValue, std::less<>>;
inline StoryValue story_flag(bool is_so) { return {is_so ? "yes" : ""}; }

/// A part of a story: a step, a row, or all of it. It refers to the story's values.
/// Errors: JsonError that says where the file refers to a value that no board has, and the like.
class StoryPart {
public:
    StoryPart(JsonPlace place, const StoryValues& values) : place_(std::move(place)), values_(&values) {}

    std::string text(const char* key) const;  ///< empty if it says nothing
    bool is(const char* key) const { return !text(key).empty(); }
    const StoryValue& value(const char* key = "value") const;  ///< the one that is named there
    StoryPart part(const char* key) const { return {place_.member(key), *values_}; }
    std::vector<StoryPart> parts(const char* key) const;    ///< those that are there
    std::vector<std::string> lines(const char* key) const;  ///< those that say something
    /// The entry of a list of parts whose id is said here, counted from 0. Empty if none is.
    std::optional<int> place_in(const std::vector<StoryPart>& all, const char* key) const;

    std::vector<Quantity> numbers(const char* key) const;
    Explanation explanation() const {
        Explanation e{.verdict = text("verdict"), .why = text("why"), .good = !is("bad")};
        if (const std::string more = text("more"); !more.empty()) e.say(e.verdict, " " + more);
        return e;
    }

private:
    JsonPlace place_;
    const StoryValues* values_;
};

/// A story with what is known in one setting, at one of its steps.
class Story {
public:
    /// @param path  its words: "assets/boards/journey.json"
    /// @param step  is clamped to its steps. The values "step", "steps" and "name" say where it is.
    Story(std::string_view path, StoryValues values, int step);

    const StoryValue& value(const std::string& name) const { return values_->at(name); }
    StoryPart all() const;
    const std::vector<StoryPart>& steps() const { return steps_; }
    int count() const { return int(steps_.size()); }
    int step() const { return step_; }
    const StoryPart& now() const { return steps_[step_]; }

private:
    std::string path_;
    std::shared_ptr<StoryValues> values_;  ///< all parts refer to them, also when a story is moved
    std::vector<StoryPart> steps_;
    int step_;
};

/// The sentences of a story's step at the bottom of a picture.
struct StorySentences {
    Sentences now;
    float height = 0;  ///< of the longest ones, so that the picture stands still while steps go by
};
StorySentences fit_sentences(const Story& story, const Style& style, float width, float room);

}  // namespace warplens
