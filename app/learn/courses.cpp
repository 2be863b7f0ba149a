#include "app/learn/courses.h"

#include "app/base/assets.h"
#include "app/learn/glossary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {
namespace {

std::vector<Block> read_markdown(const std::string& text) {
    std::vector<Block> blocks = parse_markdown(text);
    mark_terms(blocks);
    return blocks;
}

CourseStep read_step(const nlohmann::json& from) {
    CourseStep step{from.at("title"),
                    read_markdown(from.at("text")),
                    from.at("link"),
                    read_markdown(from.at("task")),
                    from.value("shows", ""),
                    {},
                    {}};
    if (const std::string goal = from.value("goal", ""); !goal.empty()) step.goal = parse_goal(goal);
    const auto asks = from.value("asks", nlohmann::json::array());
    const auto has = [&](const char* what) {
        return std::find(asks.begin(), asks.end(), what) != asks.end();
    };
    step.asks = {.count = has("count"), .pace = has("pace"), .speed = has("speed")};
    return step;
}

}  // namespace

const std::vector<Course>& courses() {
    static const std::vector<Course> all = [] {
        std::vector<Course> read;
        const nlohmann::json file = nlohmann::json::parse(asset("assets/courses.json"));
        for (const nlohmann::json& from : file.at("courses")) {
            read.push_back({from.at("id"), from.at("title"), from.at("about"), {}});
            for (const nlohmann::json& step : from.at("steps")) read.back().steps.push_back(read_step(step));
        }
        return read;
    }();
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
