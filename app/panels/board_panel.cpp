#include "app/panels/board_panel.h"

#include "app/gl/fonts.h"
#include "app/keys.h"
#include "app/panels/paint_picture.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

/// "(3)"
std::string key_of(const BoardInfo& info) {
    return key_hint(KeyAction::board, static_cast<int>(&info - all_boards().data()));
}

/// Room that the strip's pills need side by side [pixels].
float strip_width(const Frame& frame) {
    float width = 0;
    for (const BoardInfo& info : all_boards())
        width += ImGui::CalcTextSize(std::string(info.label).c_str()).x + px(frame, 24);
    return width;
}

void show_board_list(const Frame& frame, Wishes& wishes) {
    const Board chosen = frame.state->board;
    ImGui::SetNextItemWidth(px(frame, 180));
    const bool open = ImGui::BeginCombo("##board", std::string(board_info(chosen).label).c_str());
    ui::mark("boards");
    if (!open) return;
    for (const BoardInfo& info : all_boards()) {
        if (ImGui::Selectable(std::string(info.label).c_str(), info.board == chosen))
            wishes.board = info.board;
        ui::mark(fmt::format("board.{}", info.key));
        ui::tip(frame, fmt::format("{} {}", info.tooltip, key_of(info)));
    }
    ImGui::EndCombo();
}

}  // namespace

BoardInput board_input(const Frame& frame) {
    return {*frame.state, *frame.devices, *frame.analysis, frame.measured_point,
            frame.recorded ? &*frame.recorded : nullptr};
}

void show_board_strip(const Frame& frame, const View& view, float width, Wishes& wishes) {
    if (strip_width(frame) > width) {
        show_board_list(frame, wishes);
        return;
    }
    for (const BoardInfo& info : all_boards()) {
        if (ui::pill(frame, theme(view.theme), std::string(info.label).c_str(),
                     frame.state->board == info.board))
            wishes.board = info.board;
        ui::mark(fmt::format("board.{}", info.key));
        ui::tip(frame, fmt::format("{} {}", info.tooltip, key_of(info)));
        ImGui::SameLine(0, px(frame, 4));
    }
}

void show_board(const Frame& frame, View& view, PictureCache& cache, Wishes& wishes) {
    if (frame.state->board == Board::claims) {
        show_claims(frame, view, wishes);
        return;
    }
    if (frame.state->board == Board::phases) show_phase_player(frame, view, wishes);
    const Vec2 room = room_here(frame, 300);
    const std::uint64_t key = picture_key(cache, frame, view, room, false);
    if (cache.board.key != key) {
        const Style style{&theme(view.theme), frame.fonts, room, view.hovered_lane, true, false};
        cache.board.picture = for_view(view, draw_board(board_input(frame), style));
        cache.board.key = key;
    }
    const Hit* hit = paint(frame, cache.board.picture, "board.picture");
    ui::mark("board.picture");
    if (hit != nullptr && hit->lane >= 0) wishes.hovered_lane = hit->lane;
    if (hit == nullptr || hit->link.empty()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) wishes.link = hit->link;
}

}  // namespace warplens
