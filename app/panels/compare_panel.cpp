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

void show_scopes(const PanelStyle& style, const View& view, Actions& actions) {
    constexpr const char* kScopes[] = {"warp", "block", "grid"};
    constexpr const char* kTips[] = {"The one request that the pictures show.",
                                     "The block of the pictured warp, all steps.",
                                     "Every warp of the grid, all steps."};
    for (int scope = 0; scope < 3; ++scope) {
        ImGui::SameLine(0, style.px(scope == 0 ? 16 : 2));
        const bool chosen = std::min(view.scope, 2) == scope;
        if (ui::pill(style, kScopes[scope], chosen)) actions.add(action::set(&View::scope, scope));
        ui::mark(style, fmt::format("scope.{}", kScopes[scope]), kTips[scope]);
    }
}

void show_name(const PanelStyle& style, const QuantityPair& row) {
    const Quantity& named = row.named();
    const std::string mark =
        one_kind(row) ? fmt::format(" {}", provenance_mark(named.provenance)) : std::string();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(mark.c_str()).x;
    const Color color = row.differs() ? style.colors.text : style.colors.text_weak;
    if (ImGui::CalcTextSize(named.name.c_str()).x <= room)
        ui::text_colored(color, named.name + mark);
    else
        ui::wrapped(color, named.name + mark);
    ui::mark(style, fmt::format("number.{}", named.name), fmt::format("{}\n{}", named.name, named.source));
}

void show_row(const PanelStyle& style, const QuantityPair& row) {
    const Color color = row.differs() ? style.colors.text : style.colors.text_weak;
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    show_name(style, row);
    {
        const ui::FontScope mono(style, FontRole::mono);
        ImGui::TableSetColumnIndex(1);
        ui::cell_right(shown(row, row.a), color);
        ImGui::TableSetColumnIndex(2);
        ui::cell_right(shown(row, row.b), color);
    }
    ImGui::TableSetColumnIndex(3);
    const Change change = change_of(row);
    const ui::FontScope strong(style, FontRole::strong);
    ui::cell_right(marked_difference(row), change_color(change, style.colors));
    ui::tip(style, change == Change::better ? "B is better." : change == Change::worse ? "B is worse." : "");
}

/// For a place too narrow for names in a table: what differs on two lines, what is alike on one.
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

/// Widths of the columns behind the names, as their texts need them [pixels].
std::array<float, 3> widths_of(const PanelStyle& style, const std::vector<QuantityPair>& rows) {
    const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    std::array<float, 3> widths{style.px(20), style.px(20), style.px(20)};
    {
        const ui::FontScope mono(style, FontRole::mono);
        for (const QuantityPair& row : rows) {
            widths[0] = std::max(widths[0], width(shown(row, row.a)));
            widths[1] = std::max(widths[1], width(shown(row, row.b)));
        }
    }
    const ui::FontScope strong(style, FontRole::strong);
    for (const QuantityPair& row : rows) widths[2] = std::max(widths[2], width(marked_difference(row)));
    return widths;
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

void mark_choice(const PanelStyle& style, const std::string& a) {
    if (a.empty()) return;
    ImGui::SameLine(0, style.px(6));
    const float room = style.px(116) - ImGui::GetCursorPosX();
    if (room < style.px(18)) return;
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
    ImGui::AlignTextToFramePadding();
    ui::text(style, FontRole::strong, "Numbers");
    if (frame.state->board->instructions) show_scopes(style, view, actions);
    const std::vector<QuantityPair> rows = compared_numbers(frame, view);
    const std::array<float, 3> widths = widths_of(style, rows);
    const float gaps = 6 * ImGui::GetStyle().CellPadding.x + style.px(12);
    const float name_room = ImGui::GetContentRegionAvail().x - widths[0] - widths[1] - widths[2] - gaps;
    constexpr float kLeastName = 92;  // [points]
    if (name_room < style.px(kLeastName)) {
        show_list(style, rows);
    } else if (ImGui::BeginTable("compared", 4,
                                 ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit)) {
        constexpr const char* kNames[] = {"A", "B", "difference"};
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (std::size_t i = 0; i < 3; ++i)
            ImGui::TableSetupColumn(kNames[i], ImGuiTableColumnFlags_WidthFixed, widths[i] + style.px(4));
        ImGui::TableNextRow();
        for (int column = 1; column < 3; ++column) {
            ImGui::TableSetColumnIndex(column);
            const ui::FontScope strong(style, FontRole::strong);
            ui::cell_right(kNames[column - 1], style.colors.text_weak);
        }
        for (const QuantityPair& row : rows) show_row(style, row);
        ImGui::EndTable();
    }
    std::string legend;
    for (const Provenance kind :
         {Provenance::exact, Provenance::approximate, Provenance::measured, Provenance::recorded}) {
        const auto is_of_kind = [&](const Quantity& one) {
            return !one.text.empty() && one.provenance == kind;
        };
        if (std::ranges::any_of(
                rows, [&](const QuantityPair& row) { return is_of_kind(row.a) || is_of_kind(row.b); }))
            legend += fmt::format("{} {}  ", provenance_mark(kind), provenance_name(kind));
    }
    ui::wrapped(style.colors.text_weak, legend + "✓ better  ✗ worse");
}

}  // namespace warplens
