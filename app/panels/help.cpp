#include "app/glossary.h"
#include "app/link_words.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

struct Entry {
    const char* key;
    const char* meaning;
};

constexpr Entry kKeys[] = {
    {"Ctrl + / Ctrl −", "larger, smaller; Ctrl+0 as at first"},
    {"Ctrl+T", "light or dark"},
    {"Ctrl+Z, Ctrl+Y", "take the last change back, do it again"},
    {"F11, Ctrl+Q", "full screen, close the window"},
    {", and .", "wavefront before, next wavefront; in tile phases: step"},
    {"Space", "tile phases: play, pause"},
    {"Page down, Page up", "next step of an open course or quiz, step before"},
    {"Tab, arrows", "walk through the controls and turn them"},
    {"Ctrl+click", "type a number into a slider"},
    {"F1 or ?", "this page; Esc closes it"},
    {"Esc", "stop measuring; points that are there stay"},
};

bool begin_list(const Frame& frame, const char* id) {
    if (!ImGui::BeginTable(id, 2)) return false;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui::px(frame, 150));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    return true;
}

void show_keys(const Frame& frame, const Theme& colors) {
    if (!begin_list(frame, "keys")) return;
    for (const Entry& entry : kKeys) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text(entry.key);
        ImGui::TableSetColumnIndex(1);
        ui::text_weak(colors, entry.meaning);
    }
    ImGui::EndTable();
}

/// A word that can be seen somewhere in the program leads there.
void show_word(const Frame& frame, const Theme& colors, const Term& term, View& view, Wishes& wishes) {
    ui::text_colored(term.see.empty() ? colors.text : colors.accent, term.term);
    if (term.see.empty()) return;
    ui::mark(fmt::format("word.{}", term.term));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ui::tip(frame, describe_link(term.see));
    if (!ImGui::IsItemClicked()) return;
    wishes.link = term.see;
    view.help = false;
}

void show_words(const Frame& frame, const Theme& colors, View& view, Wishes& wishes) {
    if (!begin_list(frame, "words")) return;
    for (const Term& term : glossary()) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        show_word(frame, colors, term, view, wishes);
        ImGui::TableSetColumnIndex(1);
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(colors.text_weak));
        ui::wrapped(term.meaning);
        ImGui::PopStyleColor();
    }
    ImGui::EndTable();
}

void show_heading(const Frame& frame, const char* text) {
    const ui::FontScope heading(frame, FontRole::heading);
    ui::text(text);
}

}  // namespace

void show_help(const Frame& frame, View& view, Wishes& wishes) {
    const bool open = ImGui::IsPopupOpen("help");
    if (view.help && !open) ImGui::OpenPopup("help");
    const Theme& colors = theme(view.theme);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 padding(ui::px(frame, 24), ui::px(frame, 20));
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(std::min(ui::px(frame, 760), screen.x * 0.96f),
                                    std::min(ui::px(frame, 760), screen.y * 0.92f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    if (ImGui::BeginPopup("help")) {
        if (!view.help) ImGui::CloseCurrentPopup();
        show_heading(frame, "Keys");
        show_keys(frame, colors);
        ImGui::Dummy(ImVec2(0, ui::px(frame, 8)));
        show_heading(frame, "Words");
        show_words(frame, colors, view, wishes);
        ImGui::EndPopup();
    } else if (open || !view.help) {
        view.help = false;  // closed by Esc or a click beside it
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
