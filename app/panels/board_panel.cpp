#include "app/panels/board_panel.h"

#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The boards that are more than a picture and a list of knobs, by key.
constexpr BoardPanel kPanels[] = {
    {.board = "phases", .head = show_phase_player},
    {.board = "occupancy", .controls = show_occupancy_controls},
    {.board = "choose", .head = show_questions},
    {.board = "claims",
     .body = [](const PanelStyle& style, View& view, PictureCache& cache, Actions& actions) {
         show_claims(style, view, cache.claims, actions);
     }}};

/// What the board is, and the key that leads to it: "(3)".
std::string tip_of(const BoardInfo& board) {
    return fmt::format("{} {}", board.tooltip, key_hint(action::ShowBoard{&board}));
}

/// Room that the strip's pills need side by side [pixels]. @param around  each name [points]
float strip_width(const PanelStyle& style, float around) {
    float width = 0;
    for (const BoardInfo* board : all_boards())
        width += ImGui::CalcTextSize(std::string(board->label).c_str()).x + style.px(around);
    return width;
}

void show_board_list(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const BoardInfo* chosen = frame.state->board;
    ImGui::SetNextItemWidth(style.px(180));
    const bool open = ImGui::BeginCombo("##board", std::string(chosen->label).c_str());
    ui::mark("boards");
    if (!open) return;
    for (const BoardInfo* board : all_boards()) {
        if (ImGui::Selectable(std::string(board->label).c_str(), board == chosen))
            actions.add(action::ShowBoard{board});
        ui::mark(style, fmt::format("board.{}", board->key), tip_of(*board));
    }
    ImGui::EndCombo();
}

}  // namespace

const BoardPanel& panel_of(const BoardInfo& board) {
    static constexpr BoardPanel kNone{};
    const auto found = std::ranges::find(kPanels, board.key, &BoardPanel::board);
    return found == std::end(kPanels) ? kNone : *found;
}

void show_board_head(const PanelStyle& style, const Frame& frame, Actions& actions) {
    if (const auto head = panel_of(*frame.state->board).head; head != nullptr) head(style, frame, actions);
}

void show_board_strip(const PanelStyle& style, const Frame& frame, float width, Actions& actions) {
    constexpr float kAround = 24, kTight = 16;
    const bool tight = strip_width(style, kAround) > width;
    if (tight && strip_width(style, kTight) > width) {
        show_board_list(style, frame, actions);
        return;
    }
    for (const BoardInfo* board : all_boards()) {
        if (ui::pill(style, std::string(board->label).c_str(), frame.state->board == board, tight ? 7 : 10))
            actions.add(action::ShowBoard{board});
        ui::mark(style, fmt::format("board.{}", board->key), tip_of(*board));
        ImGui::SameLine(0, style.px(tight ? 2 : 4));
    }
}

void show_board(const PanelStyle& style, const Frame& frame, View& view, PictureCache& cache,
                Actions& actions) {
    if (const auto body = panel_of(*frame.state->board).body; body != nullptr) {
        body(style, view, cache, actions);
        return;
    }
    show_board_head(style, frame, actions);
    show_board_picture(style, frame, view, cache, 0, actions);
}

void show_board_picture(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                        float below, Actions& actions) {
    Vec2 room = room_here(style, 300);
    room.y -= below / style.scale;
    const std::uint64_t key = picture_key(style, frame, view, room, false);
    if (cache.board.key != key) {
        const Style look{&style.colors, &style.fonts, room, view.hovered_lane, true, false};
        cache.board.picture = for_view(view, draw_board(board_input(frame), look));
        cache.board.key = key;
    }
    const char* id = frame.is_other ? "a.board.picture" : "board.picture";
    const Hit* hit = paint(style, frame, cache.board.picture, id);
    ui::mark(id);
    if (hit != nullptr && hit->lane >= 0) actions.hover.lane = hit->lane;
    if (hit == nullptr || hit->link.empty()) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) actions.add(action::FollowLink{hit->link});
}

}  // namespace warplens
