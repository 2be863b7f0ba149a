#include "app/window/saved_state.h"

#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/json_place.h"
#include "app/base/output.h"
#include "app/figures/figure_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace warplens {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kFormat = "warplens state";
constexpr int kVersion = 1;
constexpr std::size_t kMostRecent = 8, kMostCourses = 100;
constexpr int kMostCourseSteps = 1000;

template <class T>
T within(const json& from, const char* key, T usual, T least, T most) {
    const auto found = from.find(key);
    if (found == from.end() || !found->is_number()) return usual;
    const auto value = found->get<double>();  // which takes every number, and T may not
    const bool known = std::isfinite(value);
    return known ? static_cast<T>(std::clamp(value, static_cast<double>(least), static_cast<double>(most)))
                 : usual;
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
    {"steps", &FigureForm::steps},
    {"transparent", &FigureForm::transparent},
    {"caption", &FigureForm::caption},
    {"license", &FigureForm::license},
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
    form.size = find_size(text_at(from, "size")).value_or(form.size);
    form.theme = find_theme(text_at(from, "theme"));
    form.scale = within(from, "scale", form.scale, 1, 4);
    for (const auto& [key, field] : kFigureFlags) form.*field = flag(from, key, form.*field);
    form.folder = text_at(from, "folder");
    return form;
}

std::vector<SavedCourse> saved_courses(const json& from) {
    std::vector<SavedCourse> list;
    const auto found = from.find("courses");
    if (found == from.end() || !found->is_array()) return list;
    for (const json& one : *found) {
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
    const nlohmann::ordered_json text = {{"format", kFormat},
                                         {"version", kVersion},
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
                                           {"scope", state.scope},
                                           {"tab", state.tab}}},
                                         {"toured", state.toured},
                                         {"last_figure", figure_to_json(state.figure)},
                                         {"recent", state.recent},
                                         {"courses", json_of(state.courses)},
                                         {"course", state.course},
                                         {"predict_first", state.predict_first}};
    return text.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

SavedState read_state(std::string_view text) {
    json file;
    try {
        file = parse_json(text);
    } catch (const JsonError& error) {
        throw UsageError(error.what());
    }
    if (!file.is_object() || file.value("format", json()) != kFormat)
        throw UsageError("it is not a saved state of this program");
    const json version = file.value("version", json());
    if (!version.is_number_integer() || version < 1) throw UsageError("it does not say which version it has");
    if (version > kVersion)
        throw UsageError(fmt::format("it is of version {}, which a newer program wrote", version.dump()));
    SavedState state;
    state.place = text_at(file, "place");
    state.scenarios = texts(file, "scenarios", 100);
    state.recent = texts(file, "recent", kMostRecent);
    state.courses = saved_courses(file);
    state.course = text_at(file, "course");
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
    state.scope = within(view, "scope", state.scope, 0, 3);
    state.tab = within(view, "tab", state.tab, 0, 2);
    return state;
}

LoadedState load_state(const std::string& path) {
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return {};
    try {
        return {read_state(read_input(path, kMostJsonBytes)), ""};
    } catch (const std::exception& damage) {
        const std::string aside = path + ".damaged";
        fs::rename(path, aside, error);
        return {std::nullopt,
                fmt::format("what was saved in '{}' cannot be read: {}; {}", path, damage.what(),
                            error ? "it stays there" : fmt::format("it is now '{}'", aside))};
    }
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
