#include "app/window/apply_parts.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/experiment/link.h"
#include "app/figures/export_job.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/measure/recording_columns.h"
#include "app/window/measuring.h"
#include "app/window/saved_state.h"
#include "app/window/window_figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens {
namespace {

/// The index of the device with the name of one of another list. It is added if our list does not have it.
std::size_t device_like(std::vector<DeviceFacts>& devices, const DeviceFacts& wanted) {
    const auto found = std::ranges::find(devices, wanted.name, &DeviceFacts::name);
    if (found != devices.end()) return static_cast<std::size_t>(found - devices.begin());
    devices.push_back(wanted);
    return devices.size() - 1;
}

/// Set the window up like a figure: place, knobs, device, theme, and what it was compared with.
/// @return  what the figure refers to and is not here, as the end of a sentence. Empty if nothing is missing.
std::string open_figure(Session& s, const ExportRequest& command) {
    std::string missing;
    ExportRequest here = command;
    here.device.cpu = true;  // a figure names its device
    const Experiment figure = make_export_experiment(here);
    const FigureOptions& options = command.figure;
    State state = figure.state;
    state.device = device_like(s.b.devices, figure.device());
    if (state.compared)
        state.compared->device = device_like(s.b.devices, figure.devices[state.compared->device]);
    for (const std::string& recording : options.recordings.files) {
        if (std::filesystem::is_regular_file(recording))
            s.shelf.read(recording);
        else
            missing = fmt::format("; its recording '{}' is not here", recording);
    }
    s.keep_device = true;
    set_state(s, state);
    const int count = state.scenario->instruction_count(state.params);
    s.view.focus = options.instruction >= 0 ? options.instruction : count == 1 ? 0 : -1;
    s.view.look = options.look;
    return missing;
}

/// Restore the place and the arrangement of a saved state. It can be undone.
void open_saved(Session& s, const SavedState& saved) {
    static_cast<Arrangement&>(s.view) = saved;
    s.host.set_user_scale(saved.scale);
    if (!saved.place.empty()) go_to_place(s, follow_link(saved.place, s.state(), s.b.devices));
}

void copy_text(Session& s, const std::string& text) {
    s.host.set_clipboard(text);
    s.say("copied: " + text);
}

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 256u << 20;  // a figure at the largest size is smaller
constexpr const char* kExpected =
    "expected a figure (PNG, SVG, JSON), a saved state or a recording of Warplens";

std::string read_whole(const std::string& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) throw UsageError("there is no such file");
    if (!fs::is_regular_file(status)) throw UsageError("it is not a file");
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) throw UsageError(error.message());
    if (size == 0) throw UsageError(fmt::format("it is empty: {}", kExpected));
    if (size > kMostBytes)
        throw UsageError(fmt::format("it has {} MB, and at most {} are read: {}", size >> 20,
                                     kMostBytes >> 20, kExpected));
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw UsageError("it cannot be read");
    return std::move(text).str();
}

/// The export request of the command that a figure contains.
ExportRequest export_of(const std::vector<std::string>& arguments) {
    try {
        return read_export(arguments);
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("the command in it is not understood: {}", problem.what()));
    }
}

ExportRequest figure_in(const std::string& bytes, const char* kind) {
    const auto arguments = figure_arguments(bytes);
    if (!arguments)
        throw UsageError(
            fmt::format("it is {} without the command of a Warplens figure in it: {}", kind, kExpected));
    return export_of(*arguments);
}

/// Our JSON files name their kind in one of the first members, so that it is known even if the file is cut
/// off.
OpenedFile json_file(const std::string& text) {
    const std::string_view head = std::string_view(text).substr(0, 4096);
    if (head.find(kRecordingSchema) != std::string_view::npos) return RecordingFile{};
    if (text.find("\"warplens state\"") != std::string::npos) return read_state(text);
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    const auto command = parsed.is_object() ? parsed.find("command") : parsed.end();
    if (!parsed.is_object() || command == parsed.end() || !command->is_string())
        throw UsageError(fmt::format("it is {}: {}",
                                     parsed.is_discarded() ? "no complete JSON" : "JSON of something else",
                                     kExpected));
    auto words = split_command(command->get<std::string>());
    if (!words || words->size() < 2 || words->front() != "warplens")
        throw UsageError(fmt::format("it is JSON of another program: {}", kExpected));
    words->erase(words->begin());
    return export_of(*words);
}

OpenedFile recognize(const std::string& bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (bytes.starts_with("\x89PNG")) return figure_in(bytes, "a PNG picture");
    if (bytes.starts_with("%PDF"))
        throw UsageError("it is a PDF: of figures, PNG and SVG files can be opened again");
    if (start != std::string::npos && bytes[start] == '<') {
        if (bytes.find("<svg") == std::string::npos)
            throw UsageError(fmt::format("it is XML or HTML of something else: {}", kExpected));
        return figure_in(bytes, "an SVG picture");
    }
    if (start != std::string::npos && bytes[start] == '{') return json_file(bytes);
    throw UsageError(fmt::format("it is neither: {}", kExpected));
}

}  // namespace

bool open_file(Session& s, const std::string& path) {
    std::string& said = s.shelf.message;
    try {
        const OpenedFile file = recognize_file(path);
        if (std::holds_alternative<RecordingFile>(file)) {
            s.shelf.read(path);
            return true;
        }
        std::string missing;
        if (const auto* saved = std::get_if<SavedState>(&file))
            open_saved(s, *saved);
        else
            missing = open_figure(s, std::get<ExportRequest>(file));
        s.shelf.remember(std::filesystem::absolute(path).string());
        said = fmt::format("opened {}: {}{}", std::filesystem::path(path).filename().string(),
                           s.state().scenario->info->title, missing);
        s.say(said);
        return true;
    } catch (const UsageError& why) {
        const std::string text = why.what();
        said = text.starts_with("cannot open") ? text : fmt::format("cannot open '{}': {}", path, text);
        s.complain(said);
    }
    return false;
}

void do_with_picture(Session& s, action::Do what) {
    using action::Do;
    try {
        switch (what) {
            case Do::open_export:
                return s.figures.open(s.figure_desk());
            case Do::start_export:
                return s.figures.start(s.figure_desk());
            case Do::close_export:
                return s.figures.close();
            case Do::copy_picture:
                return s.figures.copy_picture(s.figure_desk());
            case Do::copy_data: {
                const std::string data = s.figures.data(s.figure_desk());
                s.host.set_clipboard(data);
                return s.say(fmt::format("copied {} numbers as CSV", std::ranges::count(data, '\n') - 1));
            }
            case Do::copy_command:
                return copy_text(s, s.figures.command(s.figure_desk()));
            case Do::copy_link:
                return copy_text(s, link_to(s.state(), s.b.devices));
            default:
                return;
        }
    } catch (const std::exception& why) {
        s.complain(why.what());
    }
}

void cancel_busy(Session& s) {
    if (!s.shelf.reading().empty()) {
        s.say(s.shelf.cancel());
    } else if (s.figures.copying()) {
        s.figures.cancel_copy();
        s.say("did not copy the picture: cancelled");
    }
}

OpenedFile recognize_file(const std::string& path) {
    try {
        return recognize(read_whole(path));
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("cannot open '{}': {}", on_one_line(path), problem.what()));
    }
}

bool names_a_file(const std::string& word) {
    const std::string_view before = std::string_view(word).substr(0, word.find('?'));
    return word.starts_with('/') || before.find_first_of("./") != std::string_view::npos;
}

}  // namespace warplens
