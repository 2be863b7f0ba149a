#include "app/learn/courses.h"

#include "app/base/assets.h"
#include "app/base/json_place.h"
#include "app/learn/glossary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace warplens {
namespace {

std::vector<JsonPlace> some_of(const JsonPlace& list) {
    if (list.size() == 0) list.wrong("a list that is not empty");
    return list.elements();
}

std::vector<Block> read_markdown(const std::string& text) {
    std::vector<Block> blocks = parse_markdown(text);
    mark_terms(blocks);
    return blocks;
}

Asks read_asks(const JsonPlace& list) {
    Asks asks;
    for (const JsonPlace& one : some_of(list)) {
        if (one.value() == "count")
            asks.count = true;
        else if (one.value() == "pace")
            asks.pace = true;
        else if (one.value() == "speed")
            asks.speed = true;
        else
            one.wrong("count, pace or speed");
    }
    return asks;
}

CourseStep read_step(const JsonPlace& from) {
    from.allow({"title", "text", "link", "task", "goal", "shows", "asks"});
    CourseStep step{from.member("title").prose(),
                    read_markdown(from.member("text").prose()),
                    from.member("link").prose(),
                    read_markdown(from.member("task").prose()),
                    "",
                    {},
                    {}};
    if (from.has("goal")) {
        const JsonPlace goal = from.member("goal");
        try {
            step.goal = parse_goal(goal.prose());
        } catch (const std::runtime_error& error) {
            goal.fail(error.what());
        }
        step.shows = from.member("shows").prose();
    } else if (from.has("shows")) {
        from.fail("'shows' stands only beside a 'goal'");
    }
    if (from.has("asks")) {
        if (step.goal) from.fail("a step has a 'goal' or 'asks', not both");
        step.asks = read_asks(from.member("asks"));
    }
    return step;
}

Course read_course(const JsonPlace& from) {
    from.allow({"id", "title", "about", "steps"});
    Course course{from.member("id").prose(), from.member("title").prose(), from.member("about").prose(), {}};
    for (const JsonPlace& step : some_of(from.member("steps"))) course.steps.push_back(read_step(step));
    return course;
}

}  // namespace

std::vector<Course> parse_courses(std::string_view text) {
    try {
        const nlohmann::json parsed = parse_json(text);
        const JsonPlace file(parsed, "");
        file.allow({"courses"});
        std::vector<Course> read;
        for (const JsonPlace& from : some_of(file.member("courses"))) {
            Course course = read_course(from);
            if (std::ranges::any_of(read, [&](const Course& other) { return other.id == course.id; }))
                from.fail(fmt::format("there are two courses '{}'", course.id));
            read.push_back(std::move(course));
        }
        return read;
    } catch (const JsonError& error) {
        throw std::runtime_error(fmt::format("courses: {}", error.what()));
    }
}

const std::vector<Course>& courses() {
    static const std::vector<Course> all = parse_courses(asset("assets/courses.json"));
    return all;
}

const Course* find_course(std::string_view id) {
    const auto found = std::ranges::find(courses(), id, &Course::id);
    return found == courses().end() ? nullptr : &*found;
}

std::string lesson_key(const Scenario& scenario) { return std::string(scenario.info->id); }

std::string lesson_key(const State& state) {
    return state.board->lesson.empty() ? lesson_key(*state.scenario) : std::string(state.board->lesson);
}

const std::vector<Block>& lesson(std::string_view key) {
    static std::map<std::string, std::vector<Block>, std::less<>> read;
    const auto found = read.find(key);
    if (found != read.end()) return found->second;
    std::vector<Block> blocks = parse_markdown(asset(fmt::format("assets/lessons/{}.md", key)));
    // Terms in titles of books are not marked.
    const auto books = std::ranges::find_if(blocks, [](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == "Further reading";
    });
    mark_terms({blocks.begin(), books});
    return read.emplace(key, std::move(blocks)).first->second;
}

}  // namespace warplens
