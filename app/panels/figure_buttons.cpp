#include "app/panels/figure_buttons.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

struct CopyItem {
    FigureAct act;
    const char *label, *keys, *name, *tooltip;
};
constexpr CopyItem kItems[] = {
    {FigureAct::copy_picture, "Picture", "", "copy.picture",
     "The picture as PNG, as the export dialog is set: for slides and documents."},
    {FigureAct::copy_data, "Data", "Ctrl+C", "copy.data", "The numbers behind it as CSV: for spreadsheets."},
    {FigureAct::copy_command, "Command", "Ctrl+Shift+C", "copy.command",
     "The command line that makes exactly this figure."},
    {FigureAct::copy_link, "Link", "", "copy.link",
     "The place in this program with everything that is set: warplens 'LINK' opens it."},
};

void show_copy(const Frame& frame, const Theme& colors, Wishes& wishes) {
    if (ui::pill(frame, colors, "Copy", false)) ImGui::OpenPopup("copy");
    ui::mark("copy");
    ui::tip(frame, "Copy the picture, its data, the command that makes it, or a link.");
    const ImVec2 corner(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + px(frame, 6));
    ImGui::SetNextWindowPos(corner);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(frame, 10), px(frame, 8)));
    if (ImGui::BeginPopup("copy")) {
        for (const CopyItem& item : kItems) {
            if (ImGui::MenuItem(item.label, item.keys)) wishes.figure = item.act;
            ui::mark(item.name);
            ui::tip(frame, item.tooltip);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

void show_figure_buttons(const Frame& frame, const View& view, Wishes& wishes) {
    const Theme& colors = theme(view.theme);
    if (ui::pill(frame, colors, "A|B", frame.state->compared.has_value())) wishes.figure = FigureAct::compare;
    ui::mark("compare");
    ui::tip(frame, frame.state->compared
                       ? "Stop comparing; what is set stays (C)."
                       : "Compare: what is set now is kept as A, what you set next is B beside it (C).");
    ImGui::SameLine(0, px(frame, 2));
    if (ui::pill(frame, colors, "Export", frame.exporting != nullptr)) wishes.figure = FigureAct::open_export;
    ui::mark("export");
    ui::tip(frame, "Write what you see as a picture or as numbers (Ctrl+E).");
    ImGui::SameLine(0, px(frame, 2));
    show_copy(frame, colors, wishes);
}

}  // namespace warplens
