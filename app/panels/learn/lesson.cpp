#include "app/boards/access/kernel_verdict.h"
#include "app/learn/courses.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/learn/markdown_view.h"
#include "app/panels/numbers.h"
#include "app/panels/picture_panel.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// The whole verdict, unless the headline is all of it, and the reason.
void show_explanation(const PanelStyle& style, const Explanation& explanation, Actions& actions) {
    if (!explanation.headline.empty())
        show_sentence(style, explanation.verdict, style.colors.text, false, actions);
    show_sentence(style, explanation.why, style.colors.text, false, actions);
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

/// One of several instructions, with its own verdict.
void show_instruction_words(const PanelStyle& style, const Frame& frame, std::size_t k, Actions& actions) {
    const std::string_view label = frame.evidence->report.instructions[k].instruction.label;
    const Explanation words = explain(view_of(*frame.evidence, int(k)), frame.evidence->tiles[k]);
    ui::text_weak(style, fmt::format("{} {}", k + 1, label));
    ui::terms_tip(style, label);
    show_sentence(style, words.verdict, style.of(tone_of_access(frame, words)), true, actions);
    show_sentence(style, words.why, style.colors.text, false, actions);
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

void show_why(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    if (!view.claim.empty()) show_claim_card(style, view.claim);
    const Explanation& words = frame.board_words->explanation;
    // A window with one column shows the headline only with the picture.
    if (frame.mode == LayoutMode::one)
        show_sentence(style, short_verdict(words), style.of(frame.board_words->tone), true, actions);
    if (!frame.state->board->instructions) return show_explanation(style, words, actions);
    const Evidence& evidence = *frame.evidence;
    const std::string& problem = evidence.report.does_not_fit;
    for (const std::string& wrong : {problem, evidence.report.fault_words}) {
        if (wrong.empty()) continue;
        ui::wrapped(style.colors.bad, wrong);
        ui::terms_tip(style, wrong);
        ImGui::Dummy(ImVec2(0, style.px(4)));
    }
    const bool whole = judged_as_a_whole(*frame.state->scenario);
    if (problem.empty() && whole) show_explanation(style, words, actions);
    if (problem.empty() && !whole)
        show_sentence(style, limit_sentence(evidence), style.colors.text, false, actions);
    const bool only_one = problem.empty() && !whole && evidence.report.instructions.size() == 1;
    for (std::size_t k = 0; k < evidence.report.instructions.size(); ++k) {
        if (view.focus >= 0 && k != static_cast<std::size_t>(view.focus)) continue;
        if (only_one)
            show_explanation(style, explain(view_of(evidence, 0), evidence.tiles[0]), actions);
        else
            show_instruction_words(style, frame, k, actions);
    }
    show_fixes_button(style, frame, actions);
    if (evidence.prediction.fits_l2) {
        show_sentence(
            style,
            fmt::format(
                "The footprint of the grid, {}, fits in the L2 of {}: a repeated run would measure the cache, "
                "not DRAM.",
                format_bytes(evidence.prediction.footprint_bytes),
                frame.devices->at(frame.state->device).name),
            style.colors.text, false, actions);
    }
}

/// One column, or where two have room: left what to see and to try, right the reasons.
void show_columns(const PanelStyle& style, const std::vector<Block>& blocks, Actions& actions) {
    const float room = ImGui::GetContentRegionAvail().x, gap = style.px(36), column = (room - gap) / 2;
    const auto reasons = std::ranges::find_if(blocks, [](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == "Why";
    });
    if (column < style.px(400) || reasons == blocks.end()) {
        show_markdown(style, blocks, actions);
        return;
    }
    const ImVec2 start = ImGui::GetCursorScreenPos();
    show_markdown(style, {blocks.begin(), reasons}, actions, column);
    const float left_end = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(start.x + column + gap, start.y));
    show_markdown(style, {reasons, blocks.end()}, actions, column);
    const float right_end = ImGui::GetCursorScreenPos().y;
    ui::begin_line_at(ImVec2(start.x, std::max(left_end, right_end)));
}

/// The text in a child of its own, from its beginning whenever it is another one.
void show_text(const PanelStyle& style, const Frame& frame, const char* id, Actions& actions) {
    const std::string key = lesson_key(*frame.state);
    ui::begin_child(id, ImVec2(0, 0));
    int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("shown"));  // in the last frame
    const int now = int(ImGui::GetID(key.c_str()));
    if (std::exchange(shown, now) != now) ImGui::SetScrollY(0);
    show_columns(style, lesson(key), actions);
    ImGui::Dummy(ImVec2(0, style.px(12)));
    ImGui::EndChild();
}

/// A chip at the right end of the line.
bool end_chip(const PanelStyle& style, const char* label, const char* tooltip) {
    const float width = ImGui::CalcTextSize(label).x + style.px(20);
    ui::end_of_line(width);
    const bool pressed = ui::chip(style, label, false);
    ui::mark(style, fmt::format("lesson.{}", label), tooltip);
    return pressed;
}

}  // namespace

void show_lesson(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const char* tabs[] = {"Why", "Code", "Lesson"};
    for (int tab = 0; tab < 3; ++tab) {
        if (tab > 0) ImGui::SameLine(0, style.px(4));
        if (ui::pill(style, tabs[tab], view.tab == tab)) actions.add(action::ShowTab{tab});
        ui::mark(style, fmt::format("tab.{}", tabs[tab]), key_hint(action::ShowTab{tab}));
    }
    const bool coding = view.tab == 1;
    const bool is_wide = view.reading && view.reading_code == coding;
    if (view.tab != 0 && !is_wide && frame.mode == LayoutMode::three &&
        end_chip(style, "expand",
                 coding ? "More room for the code: it takes the place below the picture, and the "
                          "picture stays in view."
                        : "More room for the lesson: it takes the place below the picture, and the "
                          "picture stays in view."))
        actions.add(action::Read{true, coding});
    ImGui::Dummy(ImVec2(0, style.px(2)));
    if (view.tab == 2) {
        show_text(style, frame, "lesson.text", actions);
        return;
    }
    ui::begin_child("tab", ImVec2(0, 0));
    if (view.tab == 0 && frame.counts_hidden)
        show_hidden_part(style, "The reason");
    else if (view.tab == 0)
        show_why(screen);
    if (view.tab == 1) show_code(style, frame, view, memory.b.code, actions);
    ImGui::EndChild();
}

void show_lesson_switch(const PanelStyle& style, const View& view, float right, Actions& actions) {
    const float width = ImGui::CalcTextSize("Lesson").x + style.px(20);
    ImGui::SetCursorScreenPos(ImVec2(right - width, ImGui::GetCursorScreenPos().y));
    const bool shown = view.reading && !view.reading_code;
    if (ui::chip(style, "Lesson", shown)) actions.add(action::Read{!shown});
    ui::mark(style, "lesson.switch", "A lesson about this board, below it.");
}

void show_reading(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    ImGui::AlignTextToFramePadding();
    ui::text(style, FontRole::strong, view.reading_code ? "Code" : "Lesson");
    if (end_chip(style, "collapse", "Back into the column at the right."))
        actions.add(action::ShowTab{view.reading_code ? 1 : 2});
    if (!view.reading_code) {
        show_text(style, frame, "reading.text", actions);
        return;
    }
    ui::begin_child("reading.code", ImVec2(0, 0));
    show_code(style, frame, view, memory.b.code, actions);
    ImGui::EndChild();
}

}  // namespace warplens
