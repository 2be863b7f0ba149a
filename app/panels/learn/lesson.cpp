#include "app/boards/access/kernel_verdict.h"
#include "app/learn/courses.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/learn/markdown_view.h"
#include "app/panels/numbers.h"
#include "app/panels/picture_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// @param slow_kernel  as Style::slow_kernel
void show_explanation(const PanelStyle& style, const Explanation& explanation, Actions& actions,
                      bool slow_kernel = false) {
    const Style look{.theme = &style.colors, .measure = &style.fonts, .size = {}, .slow_kernel = slow_kernel};
    show_sentence(style, explanation.verdict, verdict_color(look, explanation.good), true, actions);
    show_sentence(style, explanation.why, style.colors.text, false, actions);
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

void show_why(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    if (!view.claim.empty()) show_claim_card(style, view.claim);
    if (!frame.state->board->instructions) {
        Explanation explanation = frame.board_words->explanation;
        // Beside the picture it would be said twice.
        if (memory.b.verdict_in_picture && frame.mode != LayoutMode::one && !explanation.why.empty())
            explanation.verdict.clear();
        show_explanation(style, explanation, actions);
        return;
    }
    const auto& rows = frame.evidence->report.instructions;
    const std::string& problem = frame.evidence->report.does_not_fit;
    if (!problem.empty()) {
        ui::wrapped(style.colors.bad, problem);
        ui::terms_tip(style, problem);
        ImGui::Dummy(ImVec2(0, style.px(4)));
    }
    const bool whole = judged_as_a_whole(*frame.state->scenario);
    if ((view.focus < 0 || whole) && problem.empty()) {  // of the kernel as a whole; its instructions follow
        const Explanation& kernel = frame.board_words->explanation;
        show_explanation(
            style,
            {.verdict = kernel.verdict, .why = whole ? kernel.why : std::string(), .good = kernel.good},
            actions);
        show_what_to_try(style, frame, actions);
    }
    const bool alone = view.focus >= 0 && !whole;
    bool by_instruction = false;  // whether the headline is about the worst instruction
    if (alone && problem.empty()) {
        const DeviceFacts& device = frame.devices->at(frame.state->device);
        const KernelVerdict::Kind kind = judge_kernel(*frame.evidence, device).kind;
        const Explanation kernel = kernel_in_short(*frame.evidence, kind, frame.board_words->explanation);
        by_instruction = kind != KernelVerdict::Kind::limit;
        show_sentence(style, kernel.verdict, kernel.good ? style.colors.good : style.colors.bad, true,
                      actions);
        show_sentence(style, kernel.why, style.colors.text, false, actions);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (view.focus >= 0 && k != static_cast<std::size_t>(view.focus)) continue;
        Explanation explanation = explain(view_of(*frame.evidence, int(k)), frame.evidence->tiles[k]);
        const bool said = alone && problem.empty() &&
                          (rows.size() == 1 || (by_instruction && k == worst_instruction(*frame.evidence)));
        if (!said) {
            ui::text_weak(style, fmt::format("{} {}", k + 1, rows[k].instruction.label));
            ui::terms_tip(style, rows[k].instruction.label);
        }
        // The picture says it in full, and the headline in short.
        if (said) explanation.verdict.clear();
        show_explanation(style, explanation, actions, is_slow_kernel(frame, view));
    }
    if (view.focus >= 0 && !whole) show_what_to_try(style, frame, actions);
    if (frame.evidence->prediction.fits_l2 && frame.evidence->prediction.footprint_bytes > 0) {
        show_sentence(
            style,
            fmt::format(
                "The footprint of the grid, {}, fits in the L2 of {}: a repeated run would measure the cache, "
                "not DRAM.",
                format_bytes(frame.evidence->prediction.footprint_bytes),
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
    if (!is_wide && frame.mode == LayoutMode::three &&
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
