#pragma once

#include "app/experiment/goal.h"
#include "app/experiment/state.h"
#include "app/learn/markdown.h"
#include "app/learn/predict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One step of a course: a short text, a setting of the program, and one task.
struct CourseStep {
    std::string title;
    std::vector<Block> text;  ///< with its glossary terms marked
    std::string link;         ///< sets up the window (app/experiment/link.h)
    std::vector<Block> task;  ///< for example "Set the stride to 8."
    std::string shows;  ///< a link to the result of the task; empty if there is no other setting to show
    std::optional<Goal> goal;  ///< holds after the task is done
    Asks asks;  ///< what is to be predicted before the numbers are shown; nothing if there is a goal
};

struct Course {
    std::string id;     ///< in kebab-case, used in the saved state
    std::string title;  ///< for example "Coalescing"
    std::string about;  ///< one sentence
    std::vector<CourseStep> steps;
};

/// The courses of the program, read once from assets/courses.json:
///
///     {"courses": [{"id", "title", "about", "steps": [
///         {"title", "text", "link", "task",
///          "goal": as app/experiment/goal.h reads it, or "asks": ["count", "pace", "speed"], or neither
///          "shows": only with a goal, which holds there}]}]}
const std::vector<Course>& courses();

/// The course with this id. Null if there is none.
const Course* find_course(std::string_view id);

/// The lesson that belongs to what the window shows: "transpose", or "board-traffic" while that board is
/// selected. Its text is assets/lessons/<key>.md.
std::string lesson_key(const State& state);

/// The same for a scenario.
std::string lesson_key(const Scenario& scenario);

/// A lesson, read once, with its glossary terms marked; valid for the whole run. Empty if there is none.
const std::vector<Block>& lesson(std::string_view key);

}  // namespace warplens
