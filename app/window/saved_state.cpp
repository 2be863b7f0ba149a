#include "app/window/saved_state.h"

#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/json_place.h"
#include "app/base/output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace warplens {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kStateVersion = 1;
constexpr std::size_t kMostRecent = 8, kMostCourses = 100;
constexpr int kMostCourseSteps = 1000;

template <class T>
T within(const json& from, const char* key, T usual, T least, T most) {
    const auto found = from.find(key);
    if (found == from.end() || !found->is_number()) return usual;
    const auto value = found->get<double>();  // which takes every number, and T may not
    const bool known = std::isfinite(value);
    return known ? static_cast<T>(std::clamp(value, double(least), double(most))) : usual;
}

std::vector<std::string> texts(const json& from, const char* key, std::size_t most) {
    std::vector<std::string> list;
    const auto found = from.find(key);
    if (found == from.end() || !found->is_array()) return list;
    for (const json& one : *found) {
        if (one.is_string() && list.size() < most) list.push_back(one.get<std::string>());
    }
    return list;
}

std::string text_at(const json& from, const char* key) {
    const auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag(const json& from, const char* key, bool usual) {
    const auto found = from.find(key);
    return found != from.end() && found->is_boolean() ? found->get<bool>() : usual;
}

constexpr std::pair<const char*, bool FigureForm::*> kFigureFlags[] = {
    {"steps", &FigureForm::steps},      {"play", &FigureForm::play},
    {"gif", &FigureForm::gif},          {"transparent", &FigureForm::transparent},
    {"caption", &FigureForm::caption},  {"license", &FigureForm::license},
    {"outlines", &FigureForm::outlines}};

json figure_to_json(const FigureForm& form) {
    json figure = {{"part", part_name(form.part)},
                   {"format", format_name(form.format)},
                   {"size", size_name(form.size)},
                   {"scale", form.scale},
                   {"folder", form.folder}};
    for (const auto& [key, field] : kFigureFlags) figure[key] = form.*field;
    if (form.theme) figure["theme"] = theme_key(*form.theme);
    return figure;
}

FigureForm figure_from_json(const json& from) {
    FigureForm form;
    if (!from.is_object()) return form;
    form.part = find_part(text_at(from, "part")).value_or(form.part);
    form.format = find_format(text_at(from, "format")).value_or(form.format);
    if (form.format == FigureFormat::gif) form.format = FigureFormat::png;  // only animations are GIFs
    form.size = find_size(text_at(from, "size")).value_or(form.size);
    form.theme = find_theme(text_at(from, "theme"));
    form.scale = within(from, "scale", form.scale, 1, 4);
    for (const auto& [key, field] : kFigureFlags) form.*field = flag(from, key, form.*field);
    form.folder = text_at(from, "folder");
    return form;
}

std::vector<SavedCourse> saved_courses(const json& from) {
    std::vector<SavedCourse> list;
    const json courses = from.value("courses", json());
    if (!courses.is_array()) return list;
    for (const json& one : courses) {
        if (!one.is_object() || !one.value("id", json()).is_string() || list.size() >= kMostCourses) continue;
        SavedCourse course{one["id"].get<std::string>(), within(one, "at", 0, 0, kMostCourseSteps), {}};
        const json done = one.value("done", json::array());
        for (const json& step : done) {
            if (step.is_number_integer() && step >= 0 && step <= kMostCourseSteps)
                course.done.push_back(step.get<int>());
        }
        list.push_back(std::move(course));
    }
    return list;
}

json json_of(const std::vector<SavedCourse>& courses) {
    json list = json::array();
    for (const SavedCourse& course : courses)
        list.push_back({{"id", course.id}, {"at", course.at}, {"done", course.done}});
    return list;
}

constexpr std::pair<const char*, std::string SavedQuiz::*> kQuizTexts[] = {
    {"space", &SavedQuiz::space}, {"here", &SavedQuiz::here}, {"figure", &SavedQuiz::figure}};

SavedQuiz saved_quiz(const json& from) {
    SavedQuiz quiz;
    if (!from.is_object()) return quiz;
    quiz.answers = texts(from, "answers", kMostQuestions);
    quiz.at = within(from, "at", quiz.at, std::size_t(0), std::size_t(kMostQuestions));
    quiz.seed = within(from, "seed", quiz.seed, 0u, ~0u);
    quiz.questions = within(from, "questions", 0, 0, kMostQuestions);
    for (const auto& [key, field] : kQuizTexts) quiz.*field = text_at(from, key);
    return quiz;
}

json json_of(const SavedQuiz& quiz) {
    json one = {
        {"seed", quiz.seed}, {"questions", quiz.questions}, {"at", quiz.at}, {"answers", quiz.answers}};
    for (const auto& [key, field] : kQuizTexts) one[key] = quiz.*field;
    return one;
}

constexpr std::pair<const char*, std::string SavedKernel::*> kKernelTexts[] = {
    {"name", &SavedKernel::name},
    {"path", &SavedKernel::path},
    {"title", &SavedKernel::title},
    {"text", &SavedKernel::text},
    {"place", &SavedKernel::place}};

std::vector<SavedKernel> saved_kernels(const json& from) {
    std::vector<SavedKernel> list;
    const json kernels = from.value("kernels", json::array());
    for (const json& one : kernels) {
        if (!one.is_object() || list.size() >= kMostKernels) continue;
        for (SavedKernel& kernel = list.emplace_back(); const auto& [key, field] : kKernelTexts)
            kernel.*field = text_at(one, key);
        list.back().changed = flag(one, "changed", true);
    }
    // Before 0.2.0 only a text that was not understood was kept.
    if (const std::string text = text_at(from, "unsaved_kernel"); !text.empty())
        list.insert(list.begin(), {.text = text, .changed = true});
    return list;
}

json json_of(const std::vector<SavedKernel>& kernels) {
    json list = json::array();
    for (const SavedKernel& kernel : kernels) {
        json& one = list.emplace_back();
        for (const auto& [key, field] : kKernelTexts) one[key] = kernel.*field;
        one["changed"] = kernel.changed;
    }
    return list;
}

/// The demo in a state, without stops if there is none that can be read.
Demo saved_demo(const json& file) {
    const json demo = file.value("unsaved_demo", json());
    if (demo.is_null()) return {};
    try {
        return parse_demo(demo.dump());
    } catch (const std::exception&) {  // it is not worth the rest of the state
        return {};
    }
}

/// A file that must stay as it is: of somebody else, of a newer version of the program, or not readable.
struct NotOurs : UsageError {
    using UsageError::UsageError;
};

std::string text_of_file(const std::string& path) {
    try {
        return read_input(path, kMostJsonBytes);
    } catch (const UsageError& problem) {
        throw NotOurs(problem.what());
    }
}

/// Renames a file, to a name that no other one has.
/// @return  its name. Empty if it stays.
std::string set_aside(const std::string& path) {
    for (int number = 1; number < 1000; ++number) {
        const std::string aside = fmt::format("{}.damaged-{}", path, number);
        const int taken = ::open(aside.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (taken < 0 && errno == EEXIST) continue;
        if (taken < 0) return {};
        ::close(taken);
        if (::rename(path.c_str(), aside.c_str()) == 0) return aside;
        ::unlink(aside.c_str());
        return {};
    }
    return {};
}

/// The file beside a state that has a byte for each start with it that has not succeeded yet.
std::string starts_path(const std::string& path) { return path + ".starts"; }

std::uintmax_t unfinished_starts(const std::string& path) {
    std::error_code error;
    const std::uintmax_t count = fs::file_size(starts_path(path), error);
    return error ? 0 : count;
}

constexpr std::uintmax_t kMostFailedStarts = 2;

LoadedState without_state(const std::string& path, const std::string& why, bool may_move) {
    const std::string aside = may_move ? set_aside(path) : "";
    const std::string rest =
        aside.empty() ? "it stays as it is, and nothing is kept" : fmt::format("it is now '{}'", aside);
    return {std::nullopt, fmt::format("what was saved in '{}' is not used: {}; {}", path, why, rest),
            !aside.empty()};
}

}  // namespace

std::string state_path() {
    const char* state_home = std::getenv("XDG_STATE_HOME");
    if (state_home != nullptr && *state_home == '/')
        return (fs::path(state_home) / "warplens" / "state.json").string();
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') return {};
    return (fs::path(home) / ".local" / "state" / "warplens" / "state.json").string();
}

std::string write_state(const SavedState& state) {
    // The format comes first, because file managers look for it there.
    nlohmann::ordered_json text = {{"format", kStateFormat},
                                   {"version", kStateVersion},
                                   {"place", state.place},
                                   {"scenarios", state.scenarios},
                                   {"view",
                                    {{"theme", theme_key(state.look.theme)},
                                     {"palette", palette_key(state.look.palette)},
                                     {"scale", state.scale},
                                     {"width", state.width},
                                     {"height", state.height},
                                     {"left", state.left},
                                     {"right", state.right},
                                     {"plot_share", state.plot_share},
                                     {"plot_open", state.plot_open},
                                     {"more_knobs", state.more_knobs},
                                     {"all_numbers", state.all_numbers},
                                     {"motion", state.motion},
                                     {"scope", state.scope},
                                     {"tab", state.tab}}},
                                   {"toured", state.toured},
                                   {"last_figure", figure_to_json(state.figure)},
                                   {"recent", state.recent},
                                   {"courses", json_of(state.courses)},
                                   {"course", state.course},
                                   {"predict_first", state.predict_first}};
    if (state.quiz.questions > 0) text["quiz"] = json_of(state.quiz);
    if (!state.unsaved_demo.stops.empty()) {
        text["unsaved_demo"] = nlohmann::ordered_json::parse(write_demo(state.unsaved_demo));
        text["unsaved_demo_path"] = state.unsaved_demo_path;
    }
    text["kernels"] = json_of(state.kernels);
    text["draft"] = state.draft;
    return text.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

SavedState read_state(std::string_view text) {
    json file;
    try {
        file = parse_json(text);
    } catch (const JsonError& error) {
        if (text.find(kStateFormat) == std::string_view::npos)
            throw NotOurs("it is not a saved state of this program");
        throw UsageError(error.what());
    }
    if (!file.is_object() || file.value("format", json()) != kStateFormat)
        throw NotOurs("it is not a saved state of this program");
    const json written = file.value("version", json());
    const double version = written.is_number_integer() ? written.get<double>() : 0;  // of any length
    if (version < 1) throw UsageError("it does not say which version it has");
    if (version > kStateVersion)
        throw NotOurs(fmt::format("it is of version {}, which a newer program wrote", written.dump()));
    SavedState state;
    state.place = text_at(file, "place");
    state.scenarios = texts(file, "scenarios", 100);
    state.recent = texts(file, "recent", kMostRecent);
    state.courses = saved_courses(file);
    state.course = text_at(file, "course");
    state.quiz = saved_quiz(file.value("quiz", json()));
    state.unsaved_demo = saved_demo(file);
    state.unsaved_demo_path = text_at(file, "unsaved_demo_path");
    state.kernels = saved_kernels(file);
    state.draft = flag(file, "draft", !text_at(file, "unsaved_kernel").empty());
    state.predict_first = flag(file, "predict_first", state.predict_first);
    state.toured = flag(file, "toured", state.toured);
    state.figure = figure_from_json(file.value("last_figure", json()));
    const json view = file.value("view", json());
    if (!view.is_object()) return state;
    state.look = {find_theme(text_at(view, "theme")).value_or(state.look.theme),
                  find_palette(text_at(view, "palette")).value_or(state.look.palette)};
    state.scale = within(view, "scale", state.scale, 0.5f, 3.0f);
    state.width = within(view, "width", state.width, 320, 16384);
    state.height = within(view, "height", state.height, 320, 16384);
    state.left = within(view, "left", state.left, 220.0f, 2000.0f);
    state.right = within(view, "right", state.right, 260.0f, 2000.0f);
    state.plot_share = within(view, "plot_share", state.plot_share, 0.2f, 0.7f);
    state.plot_open = flag(view, "plot_open", state.plot_open);
    state.more_knobs = flag(view, "more_knobs", state.more_knobs);
    state.all_numbers = flag(view, "all_numbers", state.all_numbers);
    state.motion = flag(view, "motion", state.motion);
    state.scope = within(view, "scope", state.scope, 0, 3);
    state.tab = within(view, "tab", state.tab, 0, 2);
    return state;
}

LoadedState load_state(const std::string& path) {
    std::error_code error;
    if (path.empty() || fs::status(path, error).type() == fs::file_type::not_found) return {};
    try {
        const std::string text = text_of_file(path);
        if (text.empty()) return {};  // as somebody made it to be filled
        SavedState state = read_state(text);
        if (unfinished_starts(path) < kMostFailedStarts) return {std::move(state)};
        finish_start(path);
        return without_state(path, "two starts with it have failed", true);
    } catch (const std::exception& why) {
        const bool damaged =
            dynamic_cast<const UsageError*>(&why) != nullptr && dynamic_cast<const NotOurs*>(&why) == nullptr;
        return without_state(path, why.what(), damaged);
    }
}

void begin_start(const std::string& path) {
    try {
        write_output(starts_path(path), std::string(std::size_t(unfinished_starts(path)) + 1, '.'));
    } catch (const UsageError&) {  // then this start is not counted
    }
}

void finish_start(const std::string& path) {
    std::error_code ignored;
    fs::remove(starts_path(path), ignored);
}

std::string save_state(const std::string& path, const SavedState& state) {
    try {
        std::error_code error;
        fs::create_directories(fs::path(path).parent_path(), error);  // if it fails, so does the next line
        write_output(path, write_state(state));
        return {};
    } catch (const std::exception& problem) {
        return fmt::format("what is set cannot be kept for the next time: {}", problem.what());
    }
}

}  // namespace warplens
