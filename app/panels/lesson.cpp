#include "app/learn/lessons.h"
#include "app/panels/board_panel.h"
#include "app/panels/code_panel.h"
#include "app/panels/learn_panel.h"
#include "app/panels/markdown_view.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

using ui::px;

void show_explanation(const Frame& frame, const Theme& colors, const Explanation& explanation,
                      Wishes& wishes) {
    show_sentence(frame, colors, explanation.verdict, explanation.good ? colors.good : colors.bad, true,
                  wishes);
    show_sentence(frame, colors, explanation.why, colors.text, false, wishes);
    ImGui::Dummy(ImVec2(0, px(frame, 4)));
}

void show_why(const Frame& frame, const View& view, const Theme& colors, Wishes& wishes) {
    if (!view.claim.empty()) show_claim_card(frame, colors, view.claim);
    if (frame.state->board != Board::access) {
        show_explanation(frame, colors, frame.board_words->explanation, wishes);
        return;
    }
    const auto& rows = frame.evidence->report.instructions;
    const std::string& problem = frame.evidence->report.does_not_fit;
    if (!problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(colors.bad));
        ui::wrapped(problem);
        ImGui::PopStyleColor();
        ui::terms_tip(frame, problem);
        ImGui::Dummy(ImVec2(0, px(frame, 4)));
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (view.focus >= 0 && k != static_cast<std::size_t>(view.focus)) continue;
        const Explanation explanation =
            explain(view_of(*frame.evidence, static_cast<int>(k)), frame.evidence->tiles[k]);
        if (view.focus < 0) {
            ui::text_weak(colors, fmt::format("{} {}", k + 1, rows[k].instruction.label));
            ui::terms_tip(frame, rows[k].instruction.label);
        }
        show_explanation(frame, colors, explanation, wishes);
    }
    if (frame.evidence->prediction.fits_l2) {
        show_sentence(
            frame, colors,
            fmt::format(
                "All that the grid touches, {}, fits the L2 of {}: a repeated run would measure the cache, "
                "not DRAM.",
                format_bytes(frame.evidence->prediction.footprint_bytes),
                frame.devices->at(frame.state->device).name),
            colors.text, false, wishes);
    }
}

/// One column, or where two have room: left what to see and to try, right the reasons.
void show_columns(const Frame& frame, const Theme& colors, const std::vector<Block>& blocks, Wishes& wishes) {
    const float room = ImGui::GetContentRegionAvail().x, gap = px(frame, 36), column = (room - gap) / 2;
    const auto reasons = std::ranges::find_if(blocks, [](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == "Why";
    });
    if (column < px(frame, 400) || reasons == blocks.end()) {
        show_markdown(frame, colors, blocks, wishes);
        return;
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    show_markdown(frame, colors, {blocks.begin(), reasons}, wishes, column);
    const float left_end = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(start.x + column + gap, start.y));
    show_markdown(frame, colors, {reasons, blocks.end()}, wishes, column);
    const float right_end = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(start.x, std::max(left_end, right_end)));
}

/// The text in a child of its own, from its beginning whenever it is another one.
void show_text(const Frame& frame, View& view, const Theme& colors, const char* id, Wishes& wishes) {
    const std::string key = lesson_key(*frame.state);
    ui::begin_child(id, ImVec2(0, 0));
    if (view.lesson != key) ImGui::SetScrollY(0);
    view.lesson = key;
    show_columns(frame, colors, lesson(key), wishes);
    ImGui::Dummy(ImVec2(0, px(frame, 12)));
    ImGui::EndChild();
}

/// A chip at the right end of the line.
bool end_chip(const Frame& frame, const Theme& colors, const char* label, const char* tooltip) {
    const float width = ImGui::CalcTextSize(label).x + px(frame, 20);
    ImGui::SameLine(0, 0);
    const float room = ImGui::GetContentRegionAvail().x - width;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    const bool pressed = ui::chip(frame, colors, label, false);
    ui::mark(fmt::format("lesson.{}", label));
    ui::tip(frame, tooltip);
    return pressed;
}

}  // namespace

void show_lesson(const Frame& frame, View& view, Wishes& wishes) {
    const Theme& colors = theme(view.look);
    const char* tabs[] = {"Why", "Code", "Lesson"};
    for (int tab = 0; tab < 3; ++tab) {
        if (tab > 0) ImGui::SameLine(0, px(frame, 4));
        if (ui::pill(frame, colors, tabs[tab], view.tab == tab)) {
            view.tab = tab;
            const bool wide = tab == 2 ? !view.reading_code : tab == 1 && view.reading_code;
            if (wide) view.reading = false;  // back to where the tabs are
        }
        ui::mark(fmt::format("tab.{}", tabs[tab]));
        ui::tip(frame, key_hint(KeyAction::tab, tab));
    }
    const bool code = view.tab == 1;
    const bool is_wide = view.reading && view.reading_code == code;
    if (!is_wide && frame.fold == Fold::three &&
        end_chip(frame, colors, "wide",
                 code ? "More room for the code: it takes the place below the picture, and the "
                        "picture stays in view."
                      : "More room for the lesson: it takes the place below the picture, and the "
                        "picture stays in view.")) {
        view.reading = true;
        view.reading_code = code;
        view.tab = 0;
    }
    ImGui::Dummy(ImVec2(0, px(frame, 2)));
    if (view.tab == 2) {
        show_text(frame, view, colors, "lesson.text", wishes);
        return;
    }
    ui::begin_child("tab", ImVec2(0, 0));
    if (view.tab == 0 && frame.counts_hidden)
        show_hidden_part(frame, colors, "The reason");
    else if (view.tab == 0)
        show_why(frame, view, colors, wishes);
    if (view.tab == 1) show_code(frame, view, wishes);
    ImGui::EndChild();
}

void show_lesson_switch(const Frame& frame, View& view, float right) {
    const float width = ImGui::CalcTextSize("Lesson").x + px(frame, 20);
    ImGui::SetCursorScreenPos(ImVec2(right - width, ImGui::GetCursorScreenPos().y));
    const bool shown = view.reading && !view.reading_code;
    if (ui::chip(frame, theme(view.look), "Lesson", shown)) {
        view.reading = !shown;
        view.reading_code = false;
    }
    ui::mark("lesson.switch");
    ui::tip(frame, "A lesson about this board, below it.");
}

void show_reading(const Frame& frame, View& view, Wishes& wishes) {
    const Theme& colors = theme(view.look);
    {
        const ui::FontScope strong(frame, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::text(view.reading_code ? "Code" : "Lesson");
    }
    if (end_chip(frame, colors, "narrow", "Back into the column at the right.")) {
        view.reading = false;
        view.tab = view.reading_code ? 1 : 2;
    }
    if (!view.reading_code) {
        show_text(frame, view, colors, "reading.text", wishes);
        return;
    }
    ui::begin_child("reading.code", ImVec2(0, 0));
    show_code(frame, view, wishes);
    ImGui::EndChild();
}

}  // namespace warplens
