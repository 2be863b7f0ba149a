#include "app/experiment/link.h"
#include "app/learn/glossary.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kKeyWidth = 150;  // [points]

bool begin_list(const PanelStyle& style, const char* id, float first) {
    if (!ImGui::BeginTable(id, 2)) return false;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, style.px(first));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    return true;
}

void show_key_group(const PanelStyle& style, KeyGroup group) {
    const std::string name(key_group_name(group));
    ui::text(style, FontRole::strong, name);
    if (!begin_list(style, name.c_str(), kKeyWidth)) return;
    for (const KeyBinding& binding : key_table()) {
        if (binding.group != group) continue;
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text_colored(style.colors.accent, binding.keys);
        ui::mark(fmt::format("key.{}", binding.keys));
        ImGui::TableSetColumnIndex(1);
        ui::wrapped(binding.meaning);
        ui::mark(fmt::format("meaning.{}", binding.keys));
    }
    ImGui::EndTable();
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

/// Two groups beside the two others, where that has room.
void show_keys(const PanelStyle& style) {
    const int columns = ImGui::GetContentRegionAvail().x > style.px(640) ? 2 : 1;
    const std::size_t in_column = std::size(kKeyGroups) / static_cast<std::size_t>(columns);
    if (!ImGui::BeginTable("groups", columns)) return;
    for (std::size_t i = 0; i < std::size(kKeyGroups); ++i) {
        if (i % in_column == 0) ImGui::TableNextColumn();
        show_key_group(style, kKeyGroups[i]);
    }
    ImGui::EndTable();
    ui::text_weak(style, "Ctrl+click into a slider: type a number. Double click on a name: its default.");
    ui::mark("help.sliders");
}

/// A word that can be seen somewhere in the program leads there.
void show_word(const PanelStyle& style, const Term& term, Actions& actions) {
    ui::text_colored(term.see.empty() ? style.colors.text : style.colors.accent, term.term);
    if (term.see.empty()) return;
    ui::mark(fmt::format("word.{}", term.term));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ui::tip(style, describe_link(term.see));
    if (!ImGui::IsItemClicked()) return;
    actions.add(action::FollowLink{term.see});
    actions.add(action::Show{&View::help, false});
}

void show_words(const PanelStyle& style, const View& view, Actions& actions) {
    // The word that was looked up is brought into view once.
    int* brought_in = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("brought in"));
    const int looked_up = view.help_term.empty() ? 0 : int(ImGui::GetID(view.help_term.c_str()));
    if (looked_up == 0) *brought_in = 0;
    if (!begin_list(style, "words", kKeyWidth)) return;
    for (const Term& term : glossary()) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        if (term.term == view.help_term) {
            ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ui::color(style.colors.control_hover));
            if (*brought_in != looked_up) ImGui::SetScrollHereY(0.3f);
        }
        show_word(style, term, actions);
        if (term.term == view.help_term && ImGui::IsItemVisible()) *brought_in = looked_up;
        ImGui::TableSetColumnIndex(1);
        ui::wrapped(style.colors.text_weak, term.meaning);
    }
    ImGui::EndTable();
}

/// Which page is shown, the tour, and a way out.
void show_head(const PanelStyle& style, const View& view, Actions& actions) {
    if (ui::pill(style, "Keys", !view.help_words)) actions.add(action::Show{&View::help_words, false});
    ui::mark("help.keys");
    ImGui::SameLine(0, style.px(4));
    if (ui::pill(style, "Words", view.help_words)) actions.add(action::Show{&View::help_words});
    ui::mark("help.words");
    const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::SameLine(end - ui::pill_width(style, "Tour") - ui::pill_width(style, "Close") - style.px(6));
    if (ui::chip(style, "Tour", false)) actions.add(action::set(&View::tour, 0));
    ui::mark(style, "help.tour", "The parts of the window, in half a minute.");
    ImGui::SameLine(0, style.px(6));
    if (ui::chip(style, "Close", false)) actions.add(action::Show{&View::help, false});
    ui::mark("help.close");
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

}  // namespace

void show_help(const PanelStyle& style, const View& view, Actions& actions) {
    if (!view.help) actions.set(view, &View::help_term, {});
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 padding(style.px(24), style.px(20));
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(style.px(1040), screen.x * 0.96f), std::min(style.px(730), screen.y * 0.97f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    if (const ui::Overlay page("help", view, &View::help, actions); page) {
        show_head(style, view, actions);
        ui::begin_child("page", ImVec2(0, 0));
        if (view.help_words)
            show_words(style, view, actions);
        else
            show_keys(style);
        ImGui::EndChild();
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
