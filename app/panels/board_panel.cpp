#include "app/panels/board_panel.h"

#include "app/gl/fonts.h"
#include "app/panels/paint_picture.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

/// "(3)"
std::string key_of(const BoardInfo& info) {
    return key_hint(KeyAction::board, static_cast<int>(&info - all_boards().data()));
}

/// Room that the strip's pills need side by side [pixels]. @param around  each name [points]
float strip_width(const Frame& frame, float around) {
    float width = 0;
    for (const BoardInfo& info : all_boards())
        width += ImGui::CalcTextSize(std::string(info.label).c_str()).x + px(frame, around);
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
    return {*frame.state, *frame.devices, *frame.evidence, frame.measured_point,
            frame.recorded ? &*frame.recorded : nullptr};
}

void show_board_strip(const Frame& frame, const View& view, float width, Wishes& wishes) {
    constexpr float kAround = 24, kTight = 16;
    const bool tight = strip_width(frame, kAround) > width;
    if (tight && strip_width(frame, kTight) > width) {
        show_board_list(frame, wishes);
        return;
    }
    for (const BoardInfo& info : all_boards()) {
        if (ui::pill(frame, theme(view.look), std::string(info.label).c_str(),
                     frame.state->board == info.board, tight ? 7 : 10))
            wishes.board = info.board;
        ui::mark(fmt::format("board.{}", info.key));
        ui::tip(frame, fmt::format("{} {}", info.tooltip, key_of(info)));
        ImGui::SameLine(0, px(frame, tight ? 2 : 4));
    }
}

void show_board(const Frame& frame, View& view, PictureCache& cache, Wishes& wishes) {
    if (frame.state->board == Board::claims) {
        show_claims(frame, view, wishes);
        return;
    }
    if (frame.state->board == Board::phases) show_phase_player(frame, view, wishes);
    if (frame.state->board == Board::choose) show_questions(frame, view, wishes);
    show_board_picture(frame, view, cache, 0, wishes);
}

void show_board_picture(const Frame& frame, const View& view, PictureCache& cache, float below,
                        Wishes& wishes) {
    Vec2 room = room_here(frame, 300);
    room.y -= below / frame.scale;
    const std::uint64_t key = picture_key(cache, frame, view, room, false);
    if (cache.board.key != key) {
        const Style style{&theme(view.look), frame.fonts, room, view.hovered_lane, true, false};
        cache.board.picture = for_view(view, draw_board(board_input(frame), style));
        cache.board.key = key;
    }
    const char* id = frame.is_other ? "a.board.picture" : "board.picture";
    const Hit* hit = paint(frame, cache.board.picture, id);
    ui::mark(id);
    if (hit != nullptr && hit->lane >= 0) wishes.hovered_lane = hit->lane;
    if (hit == nullptr || hit->link.empty()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) wishes.link = hit->link;
}

}  // namespace warplens
