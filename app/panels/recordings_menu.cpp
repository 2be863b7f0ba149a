#include "app/panels/controls.h"

#include "app/base/system.h"
#include "app/base/text.h"
#include "app/gl/painter.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {
namespace {

/// The marker of its points, with a tick to show or hide them.
void show_marker(const PanelStyle& style, int look) {
    const float side = 16;
    const auto [color, shape] = series_look(style.colors, look);
    Picture picture;
    picture.size = {side, side};
    picture.shapes.emplace_back(Mark{{side / 2, side / 2}, shape, 5, color});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float lower = (ImGui::GetFrameHeight() - style.px(side)) / 2;
    style.painter.paint(picture, ImGui::GetWindowDrawList(), at.x, at.y + lower, style.scale, style.fonts, 0);
    ImGui::Dummy(ImVec2(style.px(side), ImGui::GetFrameHeight()));
}

/// All that is known about how it was taken.
std::string details(const OpenRecording& recording) {
    const GpuInfo& gpu = recording.gpu;
    std::string text =
        fmt::format("{}, compute capability {}.{}, {} SMs, {} settings", gpu.name, gpu.cc_major, gpu.cc_minor,
                    gpu.sm_count, format_count(static_cast<std::int64_t>(recording.points)));
    const std::size_t sessions = recording.sessions.size();
    constexpr std::size_t kMostSessions = 3;
    for (std::size_t i = 0; i < std::min(sessions, kMostSessions); ++i) {
        const RecordedSession& session = recording.sessions[i];
        text += fmt::format("\n{}: {}", session.date, session.program);
        const GpuConditions& c = session.conditions;
        if (!c.driver.empty()) text += ", driver " + c.driver;
        if (c.sm_clock_mhz > 0) text += fmt::format(", SM clock {:.0f} MHz", c.sm_clock_mhz);
        if (c.memory_clock_mhz > 0) text += fmt::format(", memory {:.0f} MHz", c.memory_clock_mhz);
        if (c.power_state >= 0) text += fmt::format(", P{}", c.power_state);
        if (c.temperature_celsius > 0) text += fmt::format(", {:.0f} °C", c.temperature_celsius);
        if (!session.note.empty()) text += "\n   " + session.note;
    }
    if (sessions > kMostSessions) text += fmt::format("\nand {} more sessions", sessions - kMostSessions);
    text += "\n" + (recording.shipped() ? "Part of the program." : printable(recording.path));
    if (!recording.skipped.empty()) text += "\n" + recording.skipped;
    return text;
}

void show_row(const PanelStyle& style, const Frame& frame, const OpenRecording& recording, Actions& actions) {
    ImGui::PushID(recording.look);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    show_marker(style, recording.look);
    ImGui::TableSetColumnIndex(1);
    bool shown = frame.recordings->shown(recording, frame.recording_view);
    if (ImGui::Checkbox(fmt::format("{}, {}", recording.gpu.name, recording.days).c_str(), &shown))
        actions.add(action::ShowRecording{recording.look, shown});
    ui::mark(style, fmt::format("recordings.tick.{}", recording.file), details(recording));
    ImGui::TableSetColumnIndex(2);
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, recording.shipped() ? "comes with Warplens" : recording.file);
    ImGui::TableSetColumnIndex(3);
    if (!recording.shipped()) {
        if (ui::pill(style, "remove", false)) actions.add(action::CloseRecording{recording.look});
        ui::mark(style, fmt::format("recordings.remove.{}", recording.file), "Close it; the file stays.");
    }
    ImGui::PopID();
}

/// The kernels that persons typed, whose times are in recordings.
void show_kernels(const PanelStyle& style, const Frame& frame, Actions& actions) {
    for (const OpenRecording& recording : frame.recordings->all()) {
        for (const Scenario* kernel : recording.kernels) {
            ImGui::PushID(kernel);
            const std::string title(kernel->info->title);
            if (ui::chip(style, fmt::format("show {}", title).c_str(), false)) {
                actions.add(action::OpenKernel{kernel->typed->text(), kernel->typed->file()});
                ImGui::CloseCurrentPopup();
            }
            ui::mark(style, fmt::format("recordings.kernel.{}", title),
                     fmt::format("The kernel that {} has times of. Nothing is launched.", recording.file));
            ImGui::PopID();
        }
    }
}

/// Opens any file.
void show_open_field(const PanelStyle& style, const View& view, Actions& actions) {
    if (!kHasPaths) {
        if (ui::chip(style, "open a file", false)) actions.add(action::Do::choose_files);
        return ui::mark(style, "recordings.open", "A recording, figure, demo or saved state.");
    }
    ImGui::SetNextItemWidth(style.px(350));
    std::string path = view.recording_path;
    const bool entered =
        ui::text_field("##path", "path of a recording, figure, demo or saved state", path,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    actions.set(view, &View::recording_path, path);
    ui::mark("recordings.path");
    ImGui::SameLine(0, style.px(6));
    const bool pressed = ui::chip(style, "open", false);
    ui::mark("recordings.open");
    if ((entered || pressed) && !path.empty()) actions.add(action::OpenFile{path});
}

/// Recordings of earlier times that are not open now.
void show_recent(const PanelStyle& style, const Frame& frame, Actions& actions) {
    bool first = true;
    if (!kHasPaths) return;  // they are not there any more
    for (const std::string& path : *frame.recent) {
        const auto& open = frame.recordings->all();
        if (std::ranges::any_of(open, [&](const OpenRecording& one) {
                return !one.shipped() && std::filesystem::absolute(one.path) == path;
            }))
            continue;
        if (first) ui::text_weak(style, "Opened before");
        first = false;
        const std::string name = printable(path.substr(path.rfind('/') + 1));
        if (ui::chip(style, name.c_str(), false)) actions.add(action::OpenFile{path});
        ui::mark(style, fmt::format("recordings.recent.{}", name), printable(path));
    }
}

}  // namespace

void show_recordings_menu(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "recordings", view, &View::recordings, actions, ImVec2(14, 12));
    if (!menu) return;
    const std::vector<OpenRecording>& open = frame.recordings->all();
    if (open.empty()) ui::text_weak(style, "No recording is open.");
    if (!open.empty() && ImGui::BeginTable("list", 4, ImGuiTableFlags_SizingFixedFit)) {
        for (const OpenRecording& recording : open) show_row(style, frame, recording, actions);
        ImGui::EndTable();
    }
    show_kernels(style, frame, actions);
    ImGui::Dummy(ImVec2(0, style.px(4)));
    show_open_field(style, view, actions);
    show_recent(style, frame, actions);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + style.px(410));
    if (!frame.recording_message.empty()) ui::text(frame.recording_message);
    ui::text_weak(style, "To record: warplens measure --all --record FILE");
    ImGui::PopTextWrapPos();
}

}  // namespace warplens
