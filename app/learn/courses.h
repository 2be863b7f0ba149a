#pragma once

#include "app/experiment/goal.h"
#include "app/learn/markdown.h"
#include "app/learn/predict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One step of a course: a short text, a place in the program, one thing to do there.
struct CourseStep {
    std::string title;
    std::vector<Block> text;   ///< with its glossary terms marked
    std::string link;          ///< sets the window up (app/experiment/link.h)
    std::vector<Block> task;   ///< "Turn the stride to 8."
    std::string shows;         ///< a link to what the task leads to; empty: it leads nowhere else
    std::optional<Goal> goal;  ///< holds once the task is done
    Asks asks;                 ///< to be predicted before the numbers are shown; none with a goal
};

struct Course {
    std::string id;     ///< kebab-case: in the saved state
    std::string title;  ///< "Coalescing"
    std::string about;  ///< one sentence
    std::vector<CourseStep> steps;
};

/// The courses of the program (assets/courses.json), read once.
const std::vector<Course>& courses();

/// By id; null: there is none.
const Course* find_course(std::string_view id);

/// Reads courses. Nothing but what is known here may stand in the text:
///
///     {"courses": [{"id", "title", "about", "steps": [
///         {"title", "text", "link", "task",
///          "goal": as app/experiment/goal.h reads it, or "asks": ["count", "pace", "speed"], or neither
///          "shows": only with a goal, which holds there}]}]}
///
/// Errors: std::runtime_error that names the course, the step and what is wrong with it.
std::vector<Course> parse_courses(std::string_view json);

}  // namespace warplens
