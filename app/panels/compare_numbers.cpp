#include "app/panels/compare_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens {
namespace {

std::vector<Quantity> numbers_of(const Frame& frame, const View& view) {
    if (!frame.state->board->instructions) return frame.board_words->numbers;
    std::vector<Quantity> numbers;
    for (QuantityPair& row : shown_numbers(frame, view)) {
        if (!row.a.text.empty()) numbers.push_back(std::move(row.a));
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
        if (ui::pill(style, kScopes[scope], chosen)) actions.add(action::ShowScope{scope});
        ui::mark(style, fmt::format("scope.{}", kScopes[scope]), kTips[scope]);
    }
}

void show_name(const PanelStyle& style, const QuantityPair& row) {
    const Quantity& named = row.named();
    const std::string mark =
        one_kind(row) ? fmt::format(" {}", provenance_mark(named.provenance)) : std::string();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(mark.c_str()).x;
    ui::text_colored(row.differs() ? style.colors.text : style.colors.text_weak,
                     elide(named.name, FontRole::body, room / style.scale, style.fonts) + mark);
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

/// Where the table has no room for names: what differs on two lines, what is alike on one.
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

std::vector<QuantityPair> compared_numbers(const Frame& frame, const View& view) {
    // What one side shows of one instruction cannot stand beside what the other shows of all.
    View same = view;
    const auto count = [](const Frame& side) {
        return static_cast<int>(side.evidence->report.instructions.size());
    };
    if (view.focus >= std::min(count(frame), count(*frame.other))) same.focus = -1;
    return compare_numbers(numbers_of(*frame.other, same), numbers_of(frame, same));
}

void show_compared_numbers(const PanelStyle& style, const Frame& frame, View& view, Actions& actions) {
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
    ui::text_weak(style, "● exact  ○ approximate  ✓ better  ✗ worse");
}

}  // namespace warplens
