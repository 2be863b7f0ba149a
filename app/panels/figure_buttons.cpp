#include "app/panels/figure_buttons.h"

#include "app/panels/widgets.h"

namespace warplens {
namespace {

struct CopyItem {
    action::Do act;
    const char *label, *keys, *name, *tooltip;
};
constexpr CopyItem kItems[] = {
    {action::Do::copy_picture, "Picture", "", "copy.picture",
     "The picture as PNG, as the export dialog is set: for slides and documents."},
    {action::Do::copy_data, "Data", "Ctrl+C", "copy.data", "The numbers behind it as CSV: for spreadsheets."},
    {action::Do::copy_command, "Command", "Ctrl+Shift+C", "copy.command",
     "The command line that makes exactly this figure."},
    {action::Do::copy_link, "Link", "", "copy.link",
     "The place in this program with everything that is set: warplens 'LINK' opens it."},
};

}  // namespace

void show_copy_menu(const PanelStyle& style, View& view, Actions& actions) {
    const ui::BarMenu menu(style, "copy", view.copy_menu, ImVec2(10, 8));
    if (!menu) return;
    for (const CopyItem& item : kItems) {
        if (ImGui::MenuItem(item.label, item.keys)) actions.add(item.act);
        ui::mark(item.name);
        ui::tip(style, item.tooltip);
    }
}

}  // namespace warplens
