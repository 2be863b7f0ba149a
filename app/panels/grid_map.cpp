// The grid as a map, from which a person picks the warp that the pictures show.
#include "app/gl/tab_walk.h"
#include "app/panels/controls.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/pictures/access/grid_map_picture.h"

#include <algorithm>

namespace warplens {
namespace {

/// Picture a warp so many further on, as far as there are any.
void move_warp(const Screen& screen, int by) {
    const State& state = *screen.frame.state;
    const auto knobs = state.scenario->info->knobs;
    const auto knob = std::ranges::find(knobs, &Params::warp, &Knob::field);
    if (by == 0 || knob == knobs.end()) return;
    action::Change change{state};
    change.to.params = with_knob(*state.scenario, state.params, *knob, std::max(0, state.params.warp + by));
    if (change.to != state) screen.actions.add(std::move(change));
}

/// @param height  [points]
void show_map(const Screen& screen, float height) {
    const auto& [style, frame, view, memory, actions] = screen;
    const GridMap* map = frame.grid_map;
    const Vec2 room{std::max(kLeastRoom.x, ImGui::GetContentRegionAvail().x / style.scale), height};
    const auto& kept = memory.grid_map.key;
    if (map == nullptr && (!kept || kept->look.counts_hidden != frame.counts_hidden)) {
        ImGui::Dummy(ImVec2(style.px(room.x), style.px(room.y)));
        return;
    }
    const Style look{.size = room, .embedded = true, .counts_hidden = frame.counts_hidden};
    // While another map is counted the last one stays.
    const int warp = frame.state->params.warp;
    const PictureKey key = map != nullptr ? picture_key(style, frame, view, look) : *kept;
    const Picture& picture =
        shown_picture(memory.grid_map, key, frame, view, actions,
                      [&](const Style& drawn) { return draw_grid_map(*map, warp, drawn); });
    const Hit* hit = paint(style, frame, picture, "grid.map");
    ui::mark("grid.map");
    move_warp(screen, ui::take_arrows(ImGuiKey_LeftArrow, ImGuiKey_RightArrow));
    if (map == nullptr || !map->can_picture || hit == nullptr || hit->item < 0) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsItemActive()) return;
    action::Change change{*frame.state};
    change.to.params = picture_worst(*frame.state->scenario, frame.state->params, map->cells.at(hit->item));
    if (change.to != *frame.state) actions.add(std::move(change));
}

}  // namespace

void show_grid_map(const Screen& screen) {
    if (!screen.frame.state->board->instructions) return;
    // The map of the grid at the foot of the column, or below its last line.
    constexpr float kLeastMap = 100, kMostMap = 170, kTitle = 26;  // [points]
    const float left = ImGui::GetContentRegionAvail().y / screen.style.scale;
    const float map = std::clamp(left - kTitle, kLeastMap, kMostMap);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + screen.style.px(std::max(0.0f, left - kTitle - map)));
    ui::text_weak(screen.style, "Where in the grid");
    ui::tip(
        screen.style,
        "All warps of the grid by what their requests take beyond the ideal. A click pictures the worst warp "
        "of a cell.");
    show_map(screen, map);
}

}  // namespace warplens
