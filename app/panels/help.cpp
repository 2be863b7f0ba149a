#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

namespace warplens {
namespace {

struct Entry {
    const char* term;
    const char* meaning;
};

constexpr Entry kKeys[] = {
    {"Ctrl + / Ctrl −", "larger, smaller; Ctrl+0 as at first"},
    {"Ctrl+T", "light or dark"},
    {"F11", "full screen"},
    {", and .", "wavefront before, next wavefront; in tile phases: step"},
    {"Space", "tile phases: play, pause"},
    {"Tab, arrows", "walk through the controls and turn them"},
    {"Ctrl+click", "type a number into a slider"},
    {"F1 or ?", "this page; Esc closes it"},
    {"Esc", "stop measuring; points that are there stay"},
};
constexpr Entry kWords[] = {
    {"lane", "one of the 32 threads of a warp"},
    {"request", "one load or store instruction of a whole warp"},
    {"sector", "32 bytes: what travels between L1, L2 and DRAM"},
    {"transaction", "CC 1.x: 32, 64 or 128 bytes that travel at once for a half-warp"},
    {"line", "128 bytes: four sectors"},
    {"bank", "one of 32 parts of shared memory (16 on CC 1.x), 4 bytes wide; one word per trip"},
    {"wavefront", "one trip through the banks"},
    {"ideal, excessive", "wavefronts without conflicts; those above"},
    {"group", "lanes served together: 16 for 8-byte, 8 for 16-byte accesses"},
};

template <std::size_t N>
void show_entries(const Frame& frame, const Theme& colors, const char* id, const Entry (&entries)[N]) {
    if (!ImGui::BeginTable(id, 2)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui::px(frame, 150));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui::px(frame, 450));
    for (const Entry& entry : entries) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text(entry.term);
        ImGui::TableSetColumnIndex(1);
        ui::text_weak(colors, entry.meaning);
    }
    ImGui::EndTable();
}

}  // namespace

void show_help(const Frame& frame, View& view) {
    const bool open = ImGui::IsPopupOpen("help");
    if (view.help && !open) ImGui::OpenPopup("help");
    const Theme& colors = theme(view.theme);
    const ImVec2 center(ImGui::GetIO().DisplaySize.x / 2, ImGui::GetIO().DisplaySize.y / 2);
    ImGui::SetNextWindowPos(center, ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(frame, 24), ui::px(frame, 20)));
    if (ImGui::BeginPopup("help")) {
        if (!view.help) ImGui::CloseCurrentPopup();
        {
            const ui::FontScope heading(frame, FontRole::heading);
            ui::text("Keys");
        }
        show_entries(frame, colors, "keys", kKeys);
        ImGui::Dummy(ImVec2(0, ui::px(frame, 8)));
        {
            const ui::FontScope heading(frame, FontRole::heading);
            ui::text("Words");
        }
        show_entries(frame, colors, "words", kWords);
        ImGui::EndPopup();
    } else if (open || !view.help) {
        view.help = false;  // closed by Esc or a click beside it
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
