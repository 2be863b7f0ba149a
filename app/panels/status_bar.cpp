#include "app/panels/numbers.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens {

namespace {

void show_message(const PanelStyle& style, const Message& message) {
    const bool error = message.severity == Message::Severity::error;
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    ui::text_colored(error ? style.colors.bad : style.colors.good, error ? "✗" : "✓");
    ImGui::TableSetColumnIndex(1);
    {
        const ui::FontScope mono(style, FontRole::mono);
        ui::text_weak(style, message.time);
    }
    ImGui::TableSetColumnIndex(2);
    ui::wrapped(
        error ? style.colors.bad : style.colors.text,
        message.repeats > 1 ? fmt::format("{} ({} times)", message.text, message.repeats) : message.text);
}

/// How far something is, in a line of text.
void show_bar(const PanelStyle& style, double share) {
    ui::bar(style, style.px(96), style.px(4), ImGui::GetTextLineHeight(), float(share), style.colors.accent);
}

/// A chip that stands in a line of text.
bool small_chip(const PanelStyle& style, const char* label) {
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos(ImVec2(at.x, at.y - style.px(3)));  // its text on the line of the others
    return ui::chip(style, label, false);
}

/// How far a sweep is and a way to end it; between sweeps a way to measure again.
void show_measuring(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const MeasureProgress& progress = frame.progress;
    const auto gap = [&] { ImGui::SameLine(0, style.px(8)); };
    if (progress.running()) {
        ui::text(fmt::format("·  measuring {} of {}", progress.done + 1, progress.total));
        gap();
        show_bar(style, double(progress.done) / double(progress.total));
        gap();
        if (small_chip(style, "cancel")) actions.add(action::Do::stop_measuring);
        ui::mark(style, "measure.cancel", "Stop measuring (Esc). What has been measured stays.");
        return;
    }
    if (const std::string& why = frame.evidence->observed.not_measured; !why.empty()) {
        ui::text_colored(style.colors.bad, "·  not measured: point here for the reason");
        ui::tip(style, why);
        gap();
    } else if (frame.sweep_stopped) {
        ui::text_weak(style, fmt::format("·  stopped after {}", progress.done));
        gap();
    }
    if (small_chip(style, "measure again")) actions.add(action::Do::measure_again);
    ui::mark(style, "measure.again", "Measure every point of the plot anew; the old ones stay until then.");
}

/// The marks of the kinds of numbers, at the right end while there is no message.
void show_kinds(const PanelStyle& style, const Frame& frame) {
    std::vector<Provenance> kinds{Provenance::exact, Provenance::approximate};
    kinds.push_back(frame.gpu.empty() ? Provenance::recorded : Provenance::measured);
    std::string text;
    for (const Provenance kind : kinds)
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : "   ", provenance_mark(kind), provenance_name(kind));
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float start = ImGui::GetWindowWidth() - style.px(16) - width;
    if (start < ImGui::GetCursorPosX()) return;
    ImGui::SameLine(start);
    ui::text_weak(style, text);
    ui::mark(style, "kinds",
             "exact: counted from addresses by rules that hardware follows.\napproximate: a formula with a "
             "stated source.\nmeasured: on this GPU, now, median and spread.\nrecorded: taken earlier, from "
             "a real compiler or GPU that is named.");
}

/// The last message, at the right end; a click shows all of them. Errors have a mark as well as a colour.
void show_message(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const float left = ImGui::GetCursorPosX(), end = ImGui::GetWindowWidth() - style.px(16);
    const Message& last = frame.messages->last();
    const bool error = last.severity == Message::Severity::error;
    if (last.text.empty()) return show_kinds(style, frame);
    std::string text = (error ? "✗ " : "") + last.text;
    text = elide(text, FontRole::body, (end - left) / style.scale, style.fonts);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    if (size.x <= 0) return;
    ImGui::SameLine(end - size.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ui::press_area("##message", ImVec2(size.x, ImGui::GetTextLineHeight())))
        actions.add(action::Toggle{&View::messages});
    ui::mark("message");
    const Color color = error                    ? style.colors.bad
                        : ImGui::IsItemHovered() ? style.colors.text
                                                 : style.colors.text_weak;
    ImGui::GetWindowDrawList()->AddText(at, ui::color(color), text.c_str());
    ui::tip(style,
            fmt::format("{}\nA click shows all messages {}.\nThe last change took {:.2f} ms: model and "
                        "pictures.",
                        last.text, key_hint(action::Toggle{&View::messages}), frame.compute_ms));
}

/// A recording that is being read, a picture that is being copied: it may take seconds.
void show_busy(const PanelStyle& style, const Frame& frame, Actions& actions) {
    ui::text(fmt::format("·  {}", frame.busy));
    ImGui::SameLine(0, style.px(8));
    show_bar(style, std::abs(std::fmod(ImGui::GetTime(), 2.0) - 1));
    ImGui::SameLine(0, style.px(8));
    if (small_chip(style, "cancel")) actions.add(action::Do::cancel_busy);
    ui::mark(style, "busy.cancel", "Give it up (Esc).");
    ImGui::SameLine(0, style.px(10));
    actions.redraw(0.1);
}

}  // namespace

void show_status_bar(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const auto gap = [&] { ImGui::SameLine(0, style.px(10)); };
    // In a narrow window the least interesting is left out first.
    const float room = ImGui::GetWindowWidth() / style.scale;
    ui::text_colored(frame.gpu.empty() ? style.colors.text_weak : style.colors.good,
                     frame.gpu.empty() ? "○" : "●");
    gap();
    if (!frame.gpu.empty()) {
        ui::text(frame.gpu);
    } else if (frame.no_gpu.empty()) {
        ui::text("looking for a GPU …");
    } else {
        const std::string& name = frame.devices->at(frame.state->device).name;
        ui::text(room > 560 ? fmt::format("CPU model of {}, no GPU", name) : std::string("no GPU"));
        ui::tip(style, frame.no_gpu);
    }
    gap();
    if (room > 800) {
        ui::text_weak(style, fmt::format("·  {}", frame.drawing));
        ui::tip(style, frame.drawing_why.empty() ? "How the values behind the cells get into the picture."
                                                 : frame.drawing_why);
        gap();
    }
    if (room > 1100) {
        ui::text_weak(style, fmt::format("·  {}", frame.renderer));
        ui::tip(style, "What draws the window: the OpenGL renderer.");
        gap();
    }
    if (!frame.gpu.empty()) show_measuring(style, frame, actions);
    if (!frame.busy.empty()) show_busy(style, frame, actions);
    show_message(style, frame, actions);
}

void show_message_list(const PanelStyle& style, const Messages& messages, const View& view,
                       Actions& actions) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float margin = style.px(12);
    ImGui::SetNextWindowPos(ImVec2(screen.x - margin, screen.y - style.px(34)), ImGuiCond_Always,
                            ImVec2(1, 1));
    const float width = std::min(style.px(620), screen.x - 2 * margin);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, std::max(style.px(60), screen.y * 0.6f)));
    if (const ui::Overlay list("messages", view, &View::messages, actions); list) {
        const auto& all = messages.all();
        if (all.empty()) ui::text_weak(style, "Nothing has happened yet.");
        if (!all.empty() && ImGui::BeginTable("list", 3)) {
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, style.px(16));
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, style.px(72));
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
            for (auto message = all.rbegin(); message != all.rend(); ++message) show_message(style, *message);
            ImGui::EndTable();
            ui::mark("messages.list");
        }
    }
}

}  // namespace warplens
