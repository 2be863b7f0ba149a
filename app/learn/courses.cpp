#include "app/learn/courses.h"

#include "app/base/assets.h"
#include "app/learn/glossary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace warplens {
namespace {

using nlohmann::json;

/// One object of the text, with its name for messages.
class Reader {
public:
    Reader(const json& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is_object()) fail("expected an object");
    }

    std::string text(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) fail(fmt::format("'{}' is missing", key));
        if (!found->is_string() || found->get_ref<const std::string&>().empty())
            fail(fmt::format("'{}' has to be a text that is not empty", key));
        return found->get<std::string>();
    }
    bool has(const char* key) const { return object_.contains(key); }
    const json& list(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end() || !found->is_array() || found->empty())
            fail(fmt::format("'{}' has to be a list that is not empty", key));
        return *found;
    }
    void allow(std::initializer_list<std::string_view> keys) const {
        for (const auto& [key, value] : object_.items()) {
            if (std::ranges::find(keys, key) == keys.end()) fail(fmt::format("'{}' is not known here", key));
        }
    }
    [[noreturn]] void fail(const std::string& problem) const {
        throw std::runtime_error(fmt::format("courses: {}: {}", where_, problem));
    }

private:
    const json& object_;
    std::string where_;
};

std::vector<Block> read_markdown(const std::string& text) {
    std::vector<Block> blocks = parse_markdown(text);
    mark_terms(blocks);
    return blocks;
}

Asks read_asks(const Reader& reader) {
    Asks asks;
    for (const json& one : reader.list("asks")) {
        if (one == "count")
            asks.count = true;
        else if (one == "pace")
            asks.pace = true;
        else if (one == "speed")
            asks.speed = true;
        else
            reader.fail(fmt::format("asks: expected count, pace or speed, not {}", one.dump()));
    }
    return asks;
}

CourseStep read_step(const json& object, const std::string& where) {
    const Reader reader(object, where);
    reader.allow({"title", "text", "link", "task", "goal", "shows", "asks"});
    CourseStep step{reader.text("title"),
                    read_markdown(reader.text("text")),
                    reader.text("link"),
                    read_markdown(reader.text("task")),
                    "",
                    {},
                    {}};
    if (reader.has("goal")) {
        try {
            step.goal = parse_goal(reader.text("goal"));
        } catch (const std::runtime_error& error) {
            reader.fail(error.what());
        }
        step.shows = reader.text("shows");
    } else if (reader.has("shows")) {
        reader.fail("'shows' stands only beside a 'goal'");
    }
    if (reader.has("asks")) {
        if (step.goal) reader.fail("a step has a 'goal' or 'asks', not both");
        step.asks = read_asks(reader);
    }
    return step;
}

Course read_course(const json& object, std::size_t number) {
    const Reader unnamed(object, fmt::format("course {}", number));
    const std::string id = unnamed.text("id");
    const Reader reader(object, fmt::format("course '{}'", id));
    reader.allow({"id", "title", "about", "steps"});
    Course course{id, reader.text("title"), reader.text("about"), {}};
    for (const json& step : reader.list("steps")) {
        course.steps.push_back(
            read_step(step, fmt::format("course '{}', step {}", id, course.steps.size() + 1)));
    }
    return course;
}

}  // namespace

std::vector<Course> parse_courses(std::string_view text) {
    json file;
    try {
        file = json::parse(text);
    } catch (const json::parse_error& error) {
        throw std::runtime_error(fmt::format("courses: no JSON: {}", error.what()));
    }
    const Reader reader(file, "the file");
    reader.allow({"courses"});
    std::vector<Course> read;
    for (const json& object : reader.list("courses")) {
        Course course = read_course(object, read.size() + 1);
        if (std::ranges::any_of(read, [&](const Course& other) { return other.id == course.id; }))
            reader.fail(fmt::format("there are two courses '{}'", course.id));
        read.push_back(std::move(course));
    }
    return read;
}

const std::vector<Course>& courses() {
    static const std::vector<Course> all = parse_courses(asset("assets/courses.json"));
    return all;
}

const Course* find_course(std::string_view id) {
    const auto found = std::ranges::find(courses(), id, &Course::id);
    return found == courses().end() ? nullptr : &*found;
}

}  // namespace warplens
