#include "app/experiment/link.h"
#include "app/learn/glossary.h"
#include "app/learn/manual.h"
#include "app/panels/learn/markdown_view.h"
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
    const int looked_up = view.help_at.empty() ? 0 : int(ImGui::GetID(view.help_at.c_str()));
    if (looked_up == 0) *brought_in = 0;
    if (!begin_list(style, "words", kKeyWidth)) return;
    for (const Term& term : glossary()) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        if (term.term == view.help_at) {
            ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ui::color(style.colors.control_hover));
            if (*brought_in != looked_up) ImGui::SetScrollHereY(0.3f);
        }
        show_word(style, term, actions);
        if (term.term == view.help_at && ImGui::IsItemVisible()) *brought_in = looked_up;
        ImGui::TableSetColumnIndex(1);
        ui::wrapped(style.colors.text_weak, term.meaning);
    }
    ImGui::EndTable();
}

/// The blocks from a heading on are drawn apart, so that the page can be scrolled to where they begin.
void show_chapter(const PanelStyle& style, const Chapter& chapter, const std::string& anchor,
                  const View& view, Actions& actions) {
    const auto start = std::ranges::find_if(chapter.blocks, [&](const Block& block) {
        return block.kind == BlockKind::heading && anchor_of(block) == anchor;
    });
    const std::size_t before = start == chapter.blocks.end() ? 0 : start - chapter.blocks.begin();
    const std::span<const Block> blocks = chapter.blocks;
    ImGui::PushID("before");
    show_markdown(style, blocks.first(before), actions);
    ImGui::PopID();
    int* brought_in = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("brought in"));
    const int looked_up = int(ImGui::GetID(view.help_at.c_str()));
    if (*brought_in != looked_up) ImGui::SetScrollY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
    if (!ImGui::IsWindowAppearing()) *brought_in = looked_up;  // a new page does not know its height yet
    show_markdown(style, blocks.subspan(before), actions);
}

/// The chapters, and where that has room beside them the one that was looked up.
void show_manual(const PanelStyle& style, const View& view, Actions& actions) {
    const std::size_t already = actions.all.size(), hash = view.help_at.find('#');
    const Chapter* chapter = find_chapter(view.help_at.substr(0, hash));
    const bool beside = ImGui::GetContentRegionAvail().x > style.px(640);
    if (beside || chapter == nullptr) {
        ui::begin_child("contents", ImVec2(beside ? style.px(300) : 0, 0));
        show_markdown(style, manual_contents(), actions);
        ImGui::EndChild();
    }
    if (beside) {
        ImGui::SameLine(0, style.px(24));
        if (chapter == nullptr) chapter = &manual().front();
    }
    if (chapter != nullptr) {
        ui::begin_child("chapter", ImVec2(0, 0));
        show_chapter(style, *chapter, hash == std::string::npos ? "" : view.help_at.substr(hash + 1), view,
                     actions);
        ImGui::EndChild();
    }
    const auto leaves = [](const Action& one) { return std::holds_alternative<action::FollowLink>(one); };
    if (std::any_of(actions.all.begin() + already, actions.all.end(), leaves)) {
        actions.add(action::ShowTab{2});
        actions.add(action::Show{&View::help, false});
    }
}

/// Which page is shown, the tour, and a way out.
void show_head(const PanelStyle& style, const View& view, Actions& actions) {
    constexpr std::pair<HelpPage, const char*> kPages[] = {
        {HelpPage::keys, "Keys"}, {HelpPage::words, "Words"}, {HelpPage::manual, "Manual"}};
    for (const auto& [page, name] : kPages) {
        if (ui::pill(style, name, view.help_page == page)) actions.add(action::ShowHelp{page});
        ui::mark(fmt::format("help.{}", name));
        ImGui::SameLine(0, style.px(4));
    }
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
    if (!view.help) actions.set(view, &View::help_at, {});
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 padding(style.px(24), style.px(20));
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(style.px(1040), screen.x * 0.96f), std::min(style.px(730), screen.y * 0.97f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    if (const ui::Overlay page("help", view, &View::help, actions); page) {
        show_head(style, view, actions);
        ui::begin_child("page", ImVec2(0, 0));
        if (view.help_page == HelpPage::keys) show_keys(style);
        if (view.help_page == HelpPage::words) show_words(style, view, actions);
        if (view.help_page == HelpPage::manual) show_manual(style, view, actions);
        ImGui::EndChild();
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
