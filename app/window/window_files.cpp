// What the window does with files that are dropped on it, typed, or named on the command line; and with the
// figures that it writes and copies.
#include "app/base/errors.h"
#include "app/experiment/link.h"
#include "app/figures/export_job.h"
#include "app/gl/imgui_compat.h"
#include "app/window/opened_file.h"
#include "app/window/window_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {

FigureDesk WindowSession::figure_desk() {
    const float scale = window_.scale();
    return {state_,
            devices_,
            recordings_,
            recording_view(),
            view_,
            {size_.x / scale, size_.y / scale},
            trace_->mode(),
            cpu_,
            pictures_.generation,
            [&window = window_] { window.wake(); }};
}

/// Whatever it is: the window goes on, and says what became of it.
bool WindowSession::open_file(const std::string& path) {
    try {
        const OpenedFile file = recognize_file(path);
        if (std::holds_alternative<RecordingFile>(file)) {
            open_recording(path);
            return true;
        }
        if (const auto* saved = std::get_if<SavedState>(&file)) {
            open_saved(*saved);
        } else {
            open_figure(std::get<ExportRequest>(file));
        }
        remember_recent(std::filesystem::absolute(path).string());
        recording_message_ =
            fmt::format("opened {}: {}{}", std::filesystem::path(path).filename().string(),
                        state_.scenario->info->title, missing_.empty() ? "" : "; " + missing_);
        say(recording_message_);
        return true;
    } catch (const UsageError& why) {
        const std::string text = why.what();
        recording_message_ =
            text.starts_with("cannot open") ? text : fmt::format("cannot open '{}': {}", path, text);
        complain(recording_message_);
    }
    window_.keep_awake(2);
    return false;
}

/// The index of a device of another list, by its name; one that is not in ours joins it.
std::size_t WindowSession::device_like(const DeviceFacts& wanted) {
    const auto found = std::ranges::find(devices_, wanted.name, &DeviceFacts::name);
    if (found == devices_.end()) devices_.push_back(wanted);
    return static_cast<std::size_t>(found - devices_.begin());
}

/// Set the window up as a figure was: place, knobs, device, theme, what it was compared with.
void WindowSession::open_figure(const ExportRequest& command) {
    ExportRequest here = command;
    here.device.cpu = true;  // a figure names its device
    const Experiment figure = make_export_experiment(here);
    const FigureOptions& options = command.figure;
    State state = figure.state;
    state.device = device_like(figure.device());
    if (state.compared) state.compared->device = device_like(figure.devices[state.compared->device]);
    missing_.clear();
    for (const std::string& recording : options.recordings.files) {
        if (std::filesystem::is_regular_file(recording))
            open_recording(recording);
        else
            missing_ = fmt::format("its recording '{}' is not here", recording);
    }
    const int count = state.scenario->instruction_count(state.params);
    view_.focus = options.instruction >= 0 ? options.instruction : count == 1 ? 0 : -1;
    view_.look = options.look;
    state_ = state;
    keep_device_ = true;
    if (!state_.scenario->in(view_.space)) view_.space = home_space(*state_.scenario);
    state_changed();
}

/// Go where a saved state was, arranged as it was; Ctrl+Z goes back.
void WindowSession::open_saved(const SavedState& saved) {
    missing_.clear();
    arrange(saved);
    view_.look = saved.look;
    window_.set_user_scale(saved.scale);
    if (!saved.place.empty()) go_to_place(follow_link(saved.place, state_, devices_));
}

void WindowSession::act(action::Do what) {
    try {
        switch (what) {
            case action::Do::open_export:
                figures_.open(figure_desk());
                break;
            case action::Do::start_export:
                figures_.start(figure_desk());
                break;
            case action::Do::close_export:
                figures_.close();
                break;
            case action::Do::copy_picture:
                figures_.copy_picture(figure_desk());
                break;
            case action::Do::copy_data: {
                const std::string data = figures_.data(figure_desk());
                ImGui::SetClipboardText(data.c_str());
                say(fmt::format("copied {} numbers as CSV", std::ranges::count(data, '\n') - 1));
                break;
            }
            case action::Do::copy_command: {
                const std::string command = figures_.command(figure_desk());
                ImGui::SetClipboardText(command.c_str());
                say("copied: " + command);
                break;
            }
            case action::Do::copy_link: {
                const std::string link = link_to(state_, devices_);
                ImGui::SetClipboardText(link.c_str());
                say("copied: " + link);
                break;
            }
            case action::Do::compare:
                toggle_compare();
                break;
            case action::Do::swap_sides:
                swap_sides();
                break;
            default:
                break;
        }
    } catch (const std::exception& why) {
        complain(why.what());
    }
    window_.keep_awake(2);
}

}  // namespace warplens
