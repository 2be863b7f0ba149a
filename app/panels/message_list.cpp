#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

void show_message_list(const PanelStyle& style, const Messages& messages, View& view, Actions& actions) {
    if (view.messages_shown && !ImGui::IsPopupOpen("messages"))  // a click beside it
        actions.add(action::Show{&View::messages, false});
    if (view.messages && !view.messages_shown) ImGui::OpenPopup("messages");
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float margin = style.px(12);
    ImGui::SetNextWindowPos(ImVec2(screen.x - margin, screen.y - style.px(34)), ImGuiCond_Always,
                            ImVec2(1, 1));
    const float width = std::min(style.px(620), screen.x - 2 * margin);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(width, std::max(style.px(60), screen.y * 0.6f)));
    view.messages_shown = ImGui::BeginPopup("messages");
    if (view.messages_shown) {
        if (!view.messages) ImGui::CloseCurrentPopup();
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
        ImGui::EndPopup();
    }
}

}  // namespace warplens
