#include "app/window/apply_parts.h"

#include "app/base/errors.h"
#include "app/experiment/link.h"
#include "app/figures/export_job.h"
#include "app/window/opened_file.h"
#include "app/window/recording_shelf.h"
#include "app/window/window_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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
    arrange(s.view, saved);
    s.view.scope = saved.scope;
    s.view.tab = saved.tab;
    s.view.look = saved.look;
    s.host.set_user_scale(saved.scale);
    if (!saved.place.empty()) go_to_place(s, follow_link(saved.place, s.state(), s.b.devices));
}

void copy_text(Session& s, const std::string& text) {
    s.host.set_clipboard(text);
    s.say("copied: " + text);
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

}  // namespace warplens
