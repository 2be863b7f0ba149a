#include "app/panels/compare_panel.h"

#include "app/gl/painter.h"
#include "app/panels/board_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/pictures/plot/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The letter of a side in a disk, here in the line.
void show_badge(const PanelStyle& style, char side) {
    const float side_px = style.px(kBadge), line = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 center(at.x + side_px / 2, at.y + line / 2);
    const Color color = side_color(style.colors, side);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddCircleFilled(center, side_px / 2, ui::color(color));
    const ui::FontScope strong(style, FontRole::strong);
    const char letter[] = {side, '\0'};
    const ImVec2 size = ImGui::CalcTextSize(letter);
    draw->AddText(ImVec2(std::round(center.x - size.x / 2), std::round(center.y - size.y / 2)),
                  ui::color(text_on(color)), letter);
    ImGui::Dummy(ImVec2(side_px, line));
}

void show_head(const PanelStyle& style, const Frame& frame, std::string_view name, Actions& actions) {
    const bool a = frame.is_other;
    show_badge(style, a ? 'A' : 'B');
    ImGui::SameLine(0, style.px(8));
    const char* label = a ? "swap" : "leave";
    const float button = ImGui::CalcTextSize(label).x + style.px(24);
    const float room = ImGui::GetContentRegionAvail().x - button - style.px(8);
    const std::string whole(name.empty() ? "the same setting" : name);
    // Smaller rather than cut, and below the badge rather than that.
    const auto fits = [&](FontRole role) { return style.fonts.width(whole, role) * style.scale <= room; };
    const FontRole role = fits(FontRole::heading) ? FontRole::heading : FontRole::strong;
    const Color color = name.empty() ? style.colors.text_weak : style.colors.text;
    const auto mark_name = [&] {
        ui::mark(style, a ? "side.a" : "side.b",
                 name.empty() ? std::string("A is kept; what you set from now on is B. Change a parameter.")
                              : whole);
    };
    if (fits(role)) {
        const ui::FontScope heading(style, role);
        ImGui::AlignTextToFramePadding();
        ui::text_colored(color, whole);
        mark_name();
    }
    ImGui::SameLine(ImGui::GetWindowWidth() - button - ImGui::GetStyle().WindowPadding.x);
    const ui::FontScope body(style, FontRole::body);
    if (ui::pill(style, label, false)) actions.add(a ? action::Do::swap_sides : action::Do::compare);
    ui::mark(style, a ? "compare.swap" : "compare.leave",
             a ? "What is B becomes A, and the other way round (Shift+B)."
               : "Stop comparing; what is set stays (B).");
    if (fits(role)) return;
    const ui::FontScope strong(style, role);
    ui::wrapped(color, whole);
    mark_name();
}

/// For a class: the letter, what is set, the verdict and the speed, on one line, or the verdict on a second
/// one where it would be cut. Keys do what the buttons do.
void show_projected_head(const PanelStyle& style, const Frame& frame, std::string_view name) {
    const bool a = frame.is_other;
    const std::string speed = speed_of(frame).short_text();
    const Explanation& words = frame.board_words->explanation;
    show_badge(style, a ? 'A' : 'B');
    constexpr float kBetween = 14;  // [points]
    float room = ImGui::GetContentRegionAvail().x / style.scale - kBadge - 8;
    const float for_speed = speed.empty() ? 0 : style.fonts.width(speed, FontRole::strong) + kBetween;
    const std::string whole = elide(name.empty() ? "the same setting" : name, FontRole::strong,
                                    std::max(0.0f, room - for_speed), style.fonts);
    const auto say = [&](const std::string& text, Color color, const char* mark, float gap) {
        ImGui::SameLine(0, style.px(gap));
        const ui::FontScope strong(style, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::text_colored(color, text);
        ui::mark(mark);
    };
    say(whole, name.empty() ? style.colors.text_weak : style.colors.text, a ? "side.a" : "side.b", 8);
    room -= style.fonts.width(whole, FontRole::strong) + for_speed + kBetween;
    const std::string verdict = short_verdict(words);
    const bool beside = style.fonts.width(verdict, FontRole::strong) <= room;
    const char* mark = a ? "verdict.a" : "verdict.b";
    if (beside && !verdict.empty()) say(verdict, style.of(frame.board_words->tone), mark, kBetween);
    if (!speed.empty()) say(speed, style.colors.text, a ? "speed.a" : "speed.b", kBetween);
    if (beside) return;
    const ui::FontScope strong(style, FontRole::strong);
    ui::wrapped(style.of(frame.board_words->tone), verdict);
    ui::mark(mark);
}

void show_board_side(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                     Actions& actions) {
    const Explanation& explanation = frame.board_words->explanation;
    const float below = verdict_height(style, explanation);
    show_board_picture(style, frame, view, cache, below, actions);
    if (below > 0) show_verdict(style, explanation, frame.board_words->tone);
}

/// "A 32" on a plate, here; where there is no room for the value, its letter alone.
void show_plate(const PanelStyle& style, const std::string& a, float room) {
    const ui::FontScope body(style, FontRole::body);
    const float pad = style.px(5);
    const auto width = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x + 2 * pad; };
    const std::string whole = "A " + a,
                      text = width(whole) <= room ? whole : "A";  // then the tooltip says it
    const float wide = std::min(room, width(text));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end(at.x + wide, at.y + ImGui::GetTextLineHeight());
    const Color color = side_color(style.colors, 'A');
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, end, ui::color(color), style.px(4));
    draw->PushClipRect(at, ImVec2(end.x - pad / 2, end.y), true);
    draw->AddText(ImVec2(at.x + pad, at.y), ui::color(text_on(color)), text.c_str());
    draw->PopClipRect();
    ImGui::Dummy(ImVec2(wide, ImGui::GetTextLineHeight()));
    ui::tip(style, "A has " + a + " here.");
}

std::vector<Quantity> numbers_of(const Frame& frame, const View& view) {
    if (!frame.state->board->instructions) return frame.board_words->numbers;
    std::vector<Quantity> numbers;
    for (QuantityPair& row : shown_numbers(frame, view)) {
        std::optional<Quantity> seen;  // measured or recorded, beside the prediction
        if (!row.b.text.empty()) {
            const std::string name = row.named().name;
            seen = row.b;
            seen->name = fmt::format("{}, {}", name, provenance_name(row.b.provenance));
        }
        if (!row.a.text.empty()) numbers.push_back(std::move(row.a));
        if (seen) numbers.push_back(std::move(*seen));
    }
    return numbers;
}

/// Values that differ on two lines, those that are alike on one.
void show_list(const PanelStyle& style, const std::vector<QuantityPair>& rows) {
    for (const QuantityPair& row : rows) {
        const Quantity& named = row.named();
        ui::text_colored(
            row.differs() ? style.colors.text : style.colors.text_weak,
            one_kind(row) ? fmt::format("{} {}", named.name, provenance_mark(named.provenance)) : named.name);
        ui::mark(style, fmt::format("number.{}", named.name), named.source);
        if (!row.differs()) {
            ui::text_right(shown(row, row.b), style.colors.text_weak);
            continue;
        }
        {
            const ui::FontScope strong(style, FontRole::strong);
            ui::text_right(marked_difference(row), change_color(change_of(row), style.colors));
        }
        ui::text_weak(style, "   A");
        ImGui::SameLine(0, style.px(6));
        ui::text(shown(row, row.a));
        ImGui::SameLine(0, style.px(16));
        ui::text_weak(style, "B");
        ImGui::SameLine(0, style.px(6));
        ui::text(shown(row, row.b));
    }
}

}  // namespace

void show_side(const PanelStyle& style, const Frame& frame, const View& view, std::string_view name,
               PictureCache& cache, Actions& actions) {
    if (view.projector)
        show_projected_head(style, frame, name);
    else
        show_head(style, frame, name, actions);
    if (frame.state->board->instructions)
        show_instructions(style, frame, view, cache, actions);
    else
        show_board_side(style, frame, view, cache, actions);
}

std::string value_of_a(const Frame& frame, const Knob& knob) {
    if (frame.other == nullptr || frame.other->state->scenario != frame.state->scenario) return {};
    const Params& a = frame.other->state->params;
    if (a.*knob.field == frame.state->params.*knob.field) return {};
    return format_knob(knob, a);
}

std::string value_of_a(const Frame& frame, const BoardKnob& knob) {
    if (frame.other == nullptr) return {};
    const int a = frame.other->state->boards[knob];
    return a == frame.state->boards[knob] ? std::string() : std::to_string(a);
}

void show_knob_value(const PanelStyle& style, const std::string& value, const std::string& a) {
    if (!a.empty()) {
        const float gap = style.px(8);
        float value_width = 0;
        {
            const ui::FontScope mono(style, FontRole::mono);
            value_width = ImGui::CalcTextSize(value.c_str()).x;
        }
        const float wide = ImGui::CalcTextSize(("A " + a).c_str()).x + style.px(10);
        ImGui::SameLine(0, gap);
        const float room = ImGui::GetContentRegionAvail().x - value_width - gap;
        if (room > style.px(20)) {
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - wide));
            show_plate(style, a, room);
        }
    }
    const ui::FontScope mono(style, FontRole::mono);
    ui::text_right(value, style.colors.text);
}

void mark_choice(const PanelStyle& style, const std::string& a, float room) {
    if (a.empty() || room < style.px(18)) return;
    ImGui::SameLine(0, style.px(6));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
    show_plate(style, a, room);
}

std::vector<QuantityPair> compared_numbers(const Frame& frame, const View& view) {
    // One side's numbers of one instruction cannot stand beside the other's of all.
    View same = view;
    const auto count = [](const Frame& side) { return int(side.evidence->report.instructions.size()); };
    if (view.focus >= std::min(count(frame), count(*frame.other))) same.focus = -1;
    return compare_numbers(numbers_of(*frame.other, same), numbers_of(frame, same));
}

void show_compared_numbers(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    show_numbers_head(style, view, frame.state->board->instructions, true, actions);
    std::vector<QuantityPair> rows = compared_numbers(frame, view);
    const std::size_t folded = fold_numbers(rows, view);
    show_list(style, rows);
    show_more_numbers(style, view, folded, actions);
    ui::text_weak(style, "✓ better  ✗ worse");
}

}  // namespace warplens
