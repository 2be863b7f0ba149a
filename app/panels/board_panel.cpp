#include "app/panels/board_panel.h"

#include "app/gl/fonts.h"
#include "app/panels/paint_picture.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// "(3)"
std::string key_of(const BoardInfo& info) {
    return key_hint(KeyAction::board, static_cast<int>(&info - all_boards().data()));
}

/// Room that the strip's pills need side by side [pixels]. @param around  each name [points]
float strip_width(const PanelStyle& style, float around) {
    float width = 0;
    for (const BoardInfo& info : all_boards())
        width += ImGui::CalcTextSize(std::string(info.label).c_str()).x + style.px(around);
    return width;
}

void show_board_list(const PanelStyle& style, const Frame& frame, Wishes& wishes) {
    const Board chosen = frame.state->board;
    ImGui::SetNextItemWidth(style.px(180));
    const bool open = ImGui::BeginCombo("##board", std::string(board_info(chosen).label).c_str());
    ui::mark("boards");
    if (!open) return;
    for (const BoardInfo& info : all_boards()) {
        if (ImGui::Selectable(std::string(info.label).c_str(), info.board == chosen))
            wishes.board = info.board;
        ui::mark(fmt::format("board.{}", info.key));
        ui::tip(style, fmt::format("{} {}", info.tooltip, key_of(info)));
    }
    ImGui::EndCombo();
}

}  // namespace

BoardInput board_input(const Frame& frame) { return {*frame.state, *frame.devices, *frame.evidence}; }

void show_board_strip(const PanelStyle& style, const Frame& frame, float width, Wishes& wishes) {
    constexpr float kAround = 24, kTight = 16;
    const bool tight = strip_width(style, kAround) > width;
    if (tight && strip_width(style, kTight) > width) {
        show_board_list(style, frame, wishes);
        return;
    }
    for (const BoardInfo& info : all_boards()) {
        if (ui::pill(style, std::string(info.label).c_str(), frame.state->board == info.board,
                     tight ? 7 : 10))
            wishes.board = info.board;
        ui::mark(fmt::format("board.{}", info.key));
        ui::tip(style, fmt::format("{} {}", info.tooltip, key_of(info)));
        ImGui::SameLine(0, style.px(tight ? 2 : 4));
    }
}

void show_board(const PanelStyle& style, const Frame& frame, View& view, PictureCache& cache,
                Wishes& wishes) {
    if (frame.state->board == Board::claims) {
        show_claims(style, view, cache.claims, wishes);
        return;
    }
    if (frame.state->board == Board::phases) show_phase_player(style, frame, wishes);
    if (frame.state->board == Board::choose) show_questions(style, frame, wishes);
    show_board_picture(style, frame, view, cache, 0, wishes);
}

void show_board_picture(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                        float below, Wishes& wishes) {
    Vec2 room = room_here(style, 300);
    room.y -= below / style.scale;
    const std::uint64_t key = picture_key(style, cache, frame, view, room, false);
    if (cache.board.key != key) {
        const Style look{&style.colors, &style.fonts, room, view.hovered_lane, true, false};
        cache.board.picture = for_view(view, draw_board(board_input(frame), look));
        cache.board.key = key;
    }
    const char* id = frame.is_other ? "a.board.picture" : "board.picture";
    const Hit* hit = paint(style, frame, cache.board.picture, id);
    ui::mark(id);
    if (hit != nullptr && hit->lane >= 0) wishes.hovered_lane = hit->lane;
    if (hit == nullptr || hit->link.empty()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) wishes.link = hit->link;
}

}  // namespace warplens
